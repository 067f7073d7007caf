"""Things for tests to begin with: plain functions, the same each time, evenings and games through the real actions. The
cast is fixed, so that a test of rights reads like a story."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, NamedTuple
from uuid import UUID, uuid4

from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import User
from django.utils import timezone
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode

from scoring.accounts.actions import RESET_TOKENS, create_join_link
from scoring.club.actions import Actor
from scoring.evenings.actions import open_evening
from scoring.imports.actions import store_file, take_list, take_opening
from scoring.imports.forms.lists import ImportForm
from scoring.models import (
    Club,
    Game,
    Import,
    JoinLink,
    LoginWithoutClub,
    Membership,
    OpeningStanding,
    Outcome,
    Player,
    RuleSet,
    Score,
    Table,
    TableResult,
)
from scoring.rules.settings import resolve
from scoring.table.actions.games import Saved, Typed
from scoring.table.actions.games import add_game as add_game_action
from scoring.table.actions.tables import renew_link

PASSWORD = "Fuchs-am-Ende-21"
PEOPLE = ("Ärmel", "Bodo", "Çelik", "Özlem", "Željko", "Gisela", "Hatice", "Ivo")


def make_club(name: str = "Karo Eins", **kw: Any) -> Club:
    """A club; its slug follows from the name unless given."""
    return Club.objects.create(name=name, **{"slug": name.lower().replace(" ", "-"), **kw})


def make_user(login: str, club: Club | None = None, roles: Iterable[str] = ()) -> User:
    """A login with PASSWORD; a member of `club` with the roles scorer, treasurer, admin (none of them: a reader)."""
    user = User.objects.create(username=login, password=_password_hash())
    if club is not None:
        Membership.objects.create(club=club, user=user, **dict.fromkeys(roles, True))
    return user


@cache
def _password_hash() -> str:
    """Hashing is slow on purpose; once is enough for everybody."""
    return make_password(PASSWORD)


def make_player(club: Club, name: str, **kw: Any) -> Player:
    return Player.objects.create(club=club, name=name, **kw)


def make_somebody() -> User:
    """A login without a club, noted as such already: a server that starts would note it while it is being deleted."""
    somebody = make_user("somebody")
    LoginWithoutClub.objects.create(user=somebody)
    return somebody


def make_rule_set(club: Club, preset: str = "ddv", name: str | None = None, **settings: Any) -> RuleSet:
    """A rule set of the club from a preset, `settings` laid over it; where the club has the same already, that one."""
    data = resolve({"base": preset, **settings})
    standing = RuleSet.objects.filter(club=club, name=name or preset, settings=data).first()
    if standing is not None:
        return standing
    rule_set = RuleSet(club=club, name=name or preset, settings=data)
    rule_set.full_clean(exclude=["unit"])
    rule_set.save()
    return rule_set


def make_next_version(rule_set: RuleSet, **settings: Any) -> RuleSet:
    """The version after this one, whoever played by that."""
    return RuleSet.objects.create(
        club=rule_set.club,
        name=rule_set.name,
        version=rule_set.version + 1,
        settings={**rule_set.settings, **settings},
        unit=rule_set.unit,
    )


def make_table(
    club: Club,
    players: int | Sequence[Player] = 4,
    preset: str = "ddv",
    held_on: datetime.date = datetime.date(2026, 3, 6),
    rule_set: RuleSet | None = None,
    actor: User | None = None,
) -> Table:
    """A table of a new evening. A number of players means the first of PEOPLE, made where the club has them not yet."""
    if isinstance(players, int):
        known = {player.name: player for player in Player.objects.filter(club=club, name__in=PEOPLE)}
        players = [known.get(name) or make_player(club, name) for name in PEOPLE[:players]]
    return open_evening(
        club=club,
        actor=Actor(actor),
        held_on=held_on,
        rule_set=rule_set or make_rule_set(club, preset),
        players=players,
    )


def add_game(
    table: Table,
    *,
    form: str = "played",
    key: UUID | None = None,
    dealer: int | None = None,
    note: str = "",
    actor: User | None = None,
    spoken_as: Player | None = None,
    **facts: Any,
) -> Saved:
    """A line behind the last one of the table. Without facts an ordinary game that the first two seats win as Re."""
    if form == "played":
        facts = {"kind": "normal", "re": [0, 1], **({} if facts.keys() & {"band", "winner"} else {"eyes": 130}), **facts}
    lines = Game.objects.filter(round__table=table, deleted=False).order_by("round__position", "position", "entered_at")
    return add_game_action(
        table=table,
        actor=Actor(actor, spoken_as),
        key=key or uuid4(),
        after=lines.values_list("key", flat=True).last(),
        typed=Typed(form=form, facts=facts, dealer=dealer, note=note),
    )


def make_bock_table(club: Club) -> Table:
    """Five people, four games, no Bock yet: a lost Ansage in the first would make the others Bock games."""
    table = make_table(club, 5, preset="anleitung")
    for re_seats in ([1, 2], [0, 2], [1, 4], [0, 1]):
        add_game(table, re=re_seats, eyes=135)
    return table


def make_old_evening(club: Club, points: dict[str, int], held_on: datetime.date = datetime.date(2020, 1, 1)) -> Table:
    """An evening of an old list, with the points of these players and without games."""
    table = make_table(club, 4, held_on=held_on)
    table.rounds.get().seats.all().delete()
    table.rounds.all().delete()
    imported = Import.objects.create(club=club, kind="evenings", file_name="alt.csv")
    Table.objects.filter(pk=table.pk).update(without_games=True, imported=imported)
    zero = dict.fromkeys(("games", "wins", "solos", "solos_won", "solo_points"), 0)
    for name, total in points.items():
        TableResult.objects.create(table=table, player=club.players.get(name=name), points=total, **zero)
    return table


OLD_LIST = [["Datum", *PEOPLE[:3]], ["06.03.26", "12", "-4", "-8"], ["13.03.26", "-6", "", "5"]]


def make_import(club: Club, rows: Sequence[Sequence[str]] = OLD_LIST, actor: User | None = None) -> Import:
    """An old list that was read and waits to be taken in."""
    return store_file(
        club=club,
        actor=Actor(actor),
        kind=Import.Kind.EVENINGS,
        file_name="liste.csv",
        digest="",
        sheets=[{"name": "", "rows": [list(row) for row in rows]}],
    )


def take_import(file: Import, actor: User | None = None) -> Import:
    """Take in what waits, as it is proposed."""
    form = ImportForm(None, file=file)
    assert form.may_be_taken, (form.errors, form.reading.faults)
    return take_list(
        file=file,
        actor=Actor(actor),
        kind=form.cleaned_data["kind"],
        sittings=form.reading.sittings,
        people=form.people,
        rules=form.chosen_rules,
        report=form.reading.report(),
    )


@dataclass(frozen=True)
class Cast:
    """Everybody a page can meet. The club has its own people by role and a running table with one game, and so has the
    other club, of which the stranger is the admin."""

    club: Club
    admin: User
    scorer: User
    treasurer: User
    reader: User
    table: Table
    game: Game
    other_club: Club
    stranger: User
    other_table: Table
    other_game: Game


def make_cast(**kw: Any) -> Cast:
    """The cast; `kw` for the club itself (shows_list=True, say)."""
    club = make_club(slug="karo", **kw)
    other_club = make_club("Pik Dame", slug="pik")
    table, other_table = make_table(club), make_table(other_club)
    return Cast(
        club=club,
        admin=make_user("anna", club, ["admin"]),
        scorer=make_user("schorsch", club, ["scorer"]),
        treasurer=make_user("thea", club, ["treasurer"]),
        reader=make_user("rita", club),
        table=table,
        game=add_game(table).game,
        other_club=other_club,
        stranger=make_user("fred", other_club, ["admin", "scorer", "treasurer"]),
        other_table=other_table,
        other_game=add_game(other_table).game,
    )


def get_results(table: Table) -> list[Any]:
    """Return all stored results of the games of a table."""
    return [
        list(Outcome.objects.filter(game__round__table=table).order_by("game").values()),
        list(Score.objects.filter(game__round__table=table).order_by("game", "player").values()),
        list(TableResult.objects.filter(table=table).order_by("player").values()),
    ]


OWN_KINDS: Final = {
    "nullo": {"name": "Nullo", "like": "fleischlos", "decided": "hand", "won": 4},
    "schieber": {"name": "Schieberamsch", "like": "ramsch", "won": 3},
    "kleine_armut": {"name": "Kleine Armut", "like": "armut"},
}
OWN_SPECIALS: Final = {
    "gans": {"name": "Gans", "points": 1, "most": 2},
    "hirsch": {"name": "Hirsch", "points": {"times": 2}, "of": "game"},
}
OWN_NAMES: Final = ("Nullo", "Schieberamsch", "Kleine Armut", "Gans ×2", "Hirsch")


def own_rules(club: Club, name: str = "Eigene", **settings: Any) -> RuleSet:
    own = {"kinds": ["normal", "fleischlos", *OWN_KINDS], "specials": OWN_SPECIALS, "per_kind": OWN_KINDS}
    return make_rule_set(club, "vln", name, **{**own, **settings})


def own_evening(club: Club) -> Table:
    """Three games: one of each own kind; the last with both special points."""
    table = make_table(club, rule_set=own_rules(club))
    add_game(table, kind="nullo", re=[0], winner="re")
    add_game(table, kind="schieber", re=[1], winner="kontra")
    add_game(table, kind="kleine_armut", re=[2, 3], eyes=155, re_specials={"gans": 2}, game_specials={"hirsch": 1})
    return table


OPENING_DAY = datetime.date(2019, 12, 31)


class Figures(NamedTuple):
    """The opening balance of a player, None for an unknown figure."""

    points: int
    evenings: int | None = None
    games: int | None = None
    wins: int | None = None
    solos: int | None = None
    solos_won: int | None = None


def open_with(
    club: Club,
    actor: Any = None,
    unit: str = RuleSet.Unit.POINTS,
    until: datetime.date = OPENING_DAY,
    **people: Figures,
) -> Import:
    """An opening balance of these people, whom the club has already or who come with it."""
    known = {player.name: player for player in Player.objects.filter(club=club)}
    rows = list(enumerate(people.items()))
    return take_opening(
        club=club,
        actor=Actor(actor),
        file_name="Anfangsstand",
        unit=unit,
        until=until,
        people={row: known.get(name) or Player(name=name) for row, (name, _figures) in rows},
        figures={row: figures._asdict() for row, (_name, figures) in rows},
    )


def openings() -> dict[str, OpeningStanding]:
    return {one.player.name: one for one in OpeningStanding.objects.select_related("player")}


def make_join_link(club: Club, admin: User, roles: Iterable[str] = (), most_uses: int = 1, days: int = 7) -> JoinLink:
    """A link by which so many people can join for so many days more."""
    ends_on = timezone.localdate() + datetime.timedelta(days=days)
    return create_join_link(club=club, actor=Actor(admin), most_uses=most_uses, ends_on=ends_on, **dict.fromkeys(roles, True))


def tokens_of(cast: Cast) -> dict[str, str]:
    """By the name of an address, the token of a link that stands; and of which login that to a new password is."""
    forgetful = make_user("hatice", cast.club)
    link, invitation = renew_link(table=cast.table, actor=Actor(cast.scorer)), make_join_link(cast.club, cast.admin)
    return {
        **dict.fromkeys(("link_preview", "link_open"), link.token),
        **dict.fromkeys(("join_preview", "join_open"), invitation.token),
        "password_reset_confirm": RESET_TOKENS.make_token(forgetful),
        "uid": urlsafe_base64_encode(force_bytes(forgetful.pk)),
    }
