"""Make clubs with the name of a person in every place that can contain it, and search the database for it."""

from __future__ import annotations

import datetime
import io
import json
import zipfile
from typing import Any
from uuid import uuid4

from django.apps import apps
from django.contrib.auth.models import User
from django.db import connection

from scoring.administration.actions import erase_player
from scoring.cash.models import Kind
from scoring.club.actions import Actor, add_player, change_player
from scoring.evenings.actions import close_evening, correct_evening
from scoring.league.exports import build_month_file
from scoring.league.queries.books import read_books, read_content
from scoring.league.queries.seasons import read_season_table
from scoring.models import Club, Evening, Game, Import, MonthClosing, Player, Supplement, TableResult
from scoring.players.actions import merge_players
from scoring.standings.queries.standings import Selection, list_standings
from scoring.table.actions.games import Typed, correct_game
from scoring.table.actions.late import enter_late_entry, keep_late_entry
from tests.cash.books import book, owes
from tests.factories import (
    Figures,
    add_game,
    make_club,
    make_import,
    make_player,
    make_table,
    make_user,
    open_with,
    take_import,
)
from tests.months import add_supplement_to, close, make_season

NAME, ONCE, DOUBLE = "Ännchen Quast", "Anne Quastmann", "Quästchen"
LONGER = "Ännchen Quast-Weber"
EVERY_NAME = (NAME, ONCE, DOUBLE)


class World:
    """A club in which one person has everything: games, a month closed in two versions, a supplement, somebody merged
    into her, a list that was taken in, another name before, late entries, a link that she spoke by, a login, an entry in
    the books."""

    def __init__(self) -> None:
        self.club = make_club(slug="karo")
        self.admin = make_user("schriftführung", self.club, ["admin", "scorer"])
        login = make_user("quast-login", self.club, ["admin"])
        joined = datetime.date(2020, 5, 1)
        self.player = add_player(club=self.club, actor=Actor(self.admin), name=ONCE, joined_on=joined, user=login)
        others = [make_player(self.club, name) for name in (LONGER, "Bodo", "Çelik")]
        self.people = [self.player, *others]
        self.table = make_table(self.club, self.people, held_on=datetime.date(2026, 3, 6), actor=self.admin)
        Evening.objects.filter(pk=self.table.evening_id).update(place=f"bei {NAME} daheim")
        self.game = add_game(self.table, actor=login, note=f"{NAME} hat sich vertippt, {LONGER} nicht").game
        penalty = {"points": [-4, 4, 0, 0], "reason": f"{NAME.upper()} bedient falsch"}
        add_game(self.table, form="penalty", spoken_as=self.player, **penalty)
        self.late(self.player)
        close_evening(evening=self.table.evening, actor=Actor(self.admin), present=self.people)
        self.season = make_season(self.club, actor=self.admin)
        close(self.season, "2026-03", login)
        self.rename()
        self.correct(181)
        close(self.season, "2026-03", self.admin)
        book(self.club, owes(self.player, -5), kind=Kind.WAIVE, reason=f"{NAME} hat geschrieben, {LONGER} nicht")
        later = make_table(self.club, self.people, held_on=datetime.date(2026, 4, 3), actor=self.admin)
        add_game(later, actor=self.admin)
        close(self.season, "2026-04", self.admin)
        self.correct(125)
        add_supplement_to(self.season, "2026-03", self.admin, reason=f"{NAME}: falsch abgeschrieben")
        self.bring_list()
        self.double()
        self.late_again()

    def rename(self) -> None:
        user = User.objects.get(username="quast-login")
        kept = {"guest": False, "joined_on": self.player.joined_on, "left_on": None, "user": user}
        change_player(player=self.player, actor=Actor(self.admin), name=NAME, **kept)

    def correct(self, eyes: int) -> None:
        game = Game.objects.get(pk=self.game.pk)
        typed = Typed("played", {"kind": "normal", "re": [0, 1], "eyes": eyes}, note=f"Wie {NAME} sagt")
        known = {"key": game.key, "version": game.version, "typed": typed}
        correct_game(table=self.table, actor=Actor(self.admin, admin=True), **known)

    def late(self, player: Player) -> None:
        key, typed = uuid4(), Typed("played", {"kind": "normal", "re": [0, 2], "eyes": 121}, note=f"von {NAME}")
        keep_late_entry(table=self.table, actor=Actor(spoken_as=player), key=key, after=None, typed=typed)
        enter_late_entry(table=self.table, actor=Actor(self.admin, admin=True), key=key)

    def late_again(self) -> None:
        typed = Typed("played", {"kind": "normal", "re": [1, 2], "eyes": 140}, note=f"{NAME} war dabei")
        keep_late_entry(
            table=self.table,
            actor=Actor(spoken_as=Player.objects.get(pk=self.player.pk)),
            key=uuid4(),
            after=None,
            typed=typed,
        )

    def bring_list(self) -> None:
        rows = [["Datum", NAME, "Bodo", "Wer noch"], ["06.03.19", "12", "-4", "-8"], ["Summe", "12", "-4", "-8"]]
        brought = make_import(self.club, rows, self.admin)
        Import.objects.filter(pk=brought.pk).update(file_name=f"liste_{NAME}.csv")
        take_import(Import.objects.get(pk=brought.pk), self.admin)
        evening = Evening.objects.get(tables__imported=brought)
        points = dict(TableResult.objects.filter(table__evening=evening).values_list("player", "points"))
        points[self.player.pk] += 1
        correct_evening(
            evening=evening, actor=Actor(self.admin, admin=True), held_on=evening.held_on, place=evening.place, points=points
        )
        open_with(self.club, self.admin, **{NAME: Figures(15, 2), "Bodo": Figures(-15)})
        make_import(self.club, [["Datum", NAME, "Bodo", "Çelik"], ["13.03.19", "12", "-4", "-8"]], self.admin)

    def double(self) -> None:
        """Who was kept twice, merged twice over."""
        twin, other = make_player(self.club, DOUBLE), make_player(self.club, f"{DOUBLE} (Gast)", guest=True)
        merge_players(player=other, into=twin, actor=Actor(self.admin))
        merge_players(player=twin, into=Player.objects.get(pk=self.player.pk), actor=Actor(self.admin))

    def erase(self, texts: bool = True) -> Player:
        return erase_player(player=self.player, actor=Actor(self.admin), texts=texts, as_file=build_month_file)

    @property
    def figures(self) -> Any:
        """Return all figures of lists, sheets and months, by person."""
        club = Club.objects.get(pk=self.club.pk)
        listed = [
            (row.player_id, row.rank, str(row.figures))
            for row in list_standings(club, Selection(everyone=True, unit="points"))
        ]
        months = [numbers(read_content(row)) for row in MonthClosing.objects.order_by("pk")]
        told = [numbers(read_content(row)) for row in Supplement.objects.order_by("pk")]
        season_rows = read_season_table(read_books(self.season)).rows
        season = [(row["player"], row["rank"], row["total"], row["months"]) for row in season_rows]
        rows = [
            sorted(model.objects.values_list())
            for model in apps.get_app_config("scoring").get_models()
            if model.__name__ in ("Score", "Outcome", "TableResult", "Seat")
        ]
        facts = sorted(
            (str(key), json.dumps(_without_reason(facts))) for key, facts in Game.objects.values_list("key", "facts")
        )
        return sorted(listed), months, told, sorted(season), rows, facts


def _without_reason(facts: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in facts.items() if key != "reason"}


def numbers(content: Any) -> Any:
    """Return a published text without names and typed texts."""
    if isinstance(content, list):
        return [numbers(one) for one in content]
    if isinstance(content, dict):
        return {key: numbers(one) for key, one in content.items() if key not in ("name", "closed_by", "place", "reason")}
    return content


def everything_stored() -> str:
    """Yield every value of the database; files are unpacked."""
    found: list[str] = []
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f"SELECT * FROM {connection.ops.quote_name(table)}")
            found += [as_words(value) for row in cursor.fetchall() for value in row]
    return "\n".join(found).casefold()


def as_words(value: Any) -> str:
    if isinstance(value, (bytes, memoryview)) and bytes(value)[:2] == b"PK":
        with zipfile.ZipFile(io.BytesIO(bytes(value))) as packed:
            return "\n".join(packed.read(name).decode(errors="replace") for name in packed.namelist())
    if isinstance(value, str) and value[:1] in ("{", "["):
        try:
            return json.dumps(json.loads(value), ensure_ascii=False)
        except ValueError:
            return value
    return json.dumps(value, ensure_ascii=False) if isinstance(value, (dict, list)) else str(value)


def found_in(text: str) -> list[str]:
    """Return the names of the person in a text, except inside the longer name of another person."""
    bare = text.casefold().replace(LONGER.casefold(), "")
    return [name for name in EVERY_NAME if name.casefold() in bare]
