"""Where the name of a person stands: with the person and everybody who was found to be them, in what was published, and in
texts that people typed. Erasing reads here what there is to be rewritten, and its page shows it first."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.db.models import Q

from scoring.cash.models.beside import Report
from scoring.cash.models.books import Entry
from scoring.club.models import Club, Player
from scoring.club.queries import collect_merged
from scoring.core.names import name_key
from scoring.imports.models import Import
from scoring.league.models import MonthClosing, Supplement
from scoring.league.queries.books import read_content
from scoring.league.rules import Content
from scoring.play.models import Evening, Game, Table
from scoring.table.models import LateEntry

# What people type freely, wherever it stands: in a row, in the history of it, in what was published.
_TYPED: Final = ("note", "reason", "place", "file_name")
# What takes the place of a name in such a text: shorter than any name, so that every text still fits.
GONE: Final = "…"


# What has a text that somebody typed.
WithText = Entry | Evening | Game | Import | LateEntry | Report | Supplement


@dataclass(frozen=True)
class Words:
    """Finds names in texts: whole ones alone, in upper or lower case, and not where they are part of another person's."""

    pattern: re.Pattern[str]

    def are_in(self, text: str) -> bool:
        return self.without(text) != text

    def without(self, text: str) -> str:
        return self.pattern.sub(lambda found: found["other"] or GONE, text)


@dataclass(frozen=True)
class Mention:
    """A row in whose texts the name stands: its `table`, the `texts`, and its fields without the name."""

    row: WithText
    table: Table | None
    texts: list[str]
    fields: dict[str, Any]


@dataclass(frozen=True)
class Traces:
    """Where somebody's name stands: with these `people`, of whom it is not erased yet, and in these published rows.
    `names` are those they have now and those they were published under."""

    people: list[Player]
    names: list[str]
    words: Words
    closings: list[MonthClosing]
    supplements: list[Supplement]

    @property
    def logins(self) -> set[int]:
        return {player.user_id for player in self.people if player.user_id}


def traces_of(player: Player) -> Traces:
    """Three queries, which read all that the club has published, but for the files."""
    everybody = list(Player.objects.filter(club=player.club_id).select_related("user").order_by("pk"))
    family = collect_merged(everybody, player)
    ids = {one.pk for one in family}
    of_club = {"season__club": player.club_id}
    closings = list(MonthClosing.objects.filter(**of_club).defer("file").select_related("season").order_by("pk"))
    supplements = list(Supplement.objects.filter(**of_club).order_by("pk"))
    published = {row: read_content(row) for row in [*closings, *supplements]}
    told = {row: {name for pk, name in _named_in(content) if pk in ids} for row, content in published.items()}
    people = [one for one in family if one.erased_on is None]
    theirs = {one.name for one in people}.union(*told.values()) - {one.name for one in family if one.erased_on}
    others = {one.name for one in everybody if one.pk not in ids}
    words = words_for(theirs, others)
    return Traces(
        people,
        sorted(theirs),
        words,
        [row for row in closings if told[row] & theirs or _is_typed_in(published[row], words)],
        [row for row in supplements if told[row] & theirs or _is_typed_in(published[row], words)],
    )


def _named_in(content: Any) -> Iterator[tuple[int, str]]:
    """Everybody that something published names, by id."""
    if isinstance(content, dict) and "player" in content and "name" in content:
        yield content["player"], content["name"]
    if isinstance(content, dict):
        content = [value for key, value in content.items() if key != "settings"]
    if isinstance(content, list):
        for one in content:
            yield from _named_in(one)


def words_for(names: Collection[str], others: Collection[str]) -> Words:
    """Words that find these names. A name that is somebody else's by now is not looked for, and none within that of
    somebody else who has it as part of theirs."""
    taken = {name_key(other) for other in others}
    sought = [name for name in names if name_key(name) not in taken]
    longer = [other for other in others if any(name.casefold() in other.casefold() for name in sought)]
    pattern = rf"(?<![^\W_])(?:(?P<other>{_any_of(longer)})|{_any_of(sought)})(?![^\W_])"
    return Words(re.compile(pattern, re.IGNORECASE))


def _any_of(names: Collection[str]) -> str:
    """A pattern for any of these names, the longest first. Without names it fits nothing."""
    return "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True)) or "(?!)"


# --- Texts ------------------------------------------------------------------------------------------------------------


def reworded(value: Any, words: Words) -> Any:
    """This value, with the names taken out of every text that somebody typed."""
    if isinstance(value, list):
        return [reworded(one, words) for one in value]
    if not isinstance(value, dict):
        return value
    return {key: _reworded(key, one, words) for key, one in value.items()}


def _reworded(key: str, value: Any, words: Words) -> Any:
    if key == "settings":
        return value
    return words.without(value) if key in _TYPED and isinstance(value, str) else reworded(value, words)


def _is_typed_in(content: Content, words: Words) -> bool:
    return bool(reworded(content, words) != content)


def mentions_in(club: Club, words: Words) -> Iterator[Mention]:
    """Every row of the club in whose texts a name stands, in seven queries."""
    typed = ~Q(note="") | Q(facts__has_key="reason")
    of_club = Game.objects.filter(round__table__evening__club=club)
    for game in of_club.filter(typed).select_related("round__table__evening").order_by("pk"):
        yield from _mention(game, ("note", "facts"), words, game.round.table)
    late = LateEntry.objects.filter(table__evening__club=club)
    for entry in late.filter(typed).select_related("table__evening").order_by("pk"):
        yield from _mention(entry, ("note", "facts"), words, entry.table)
    for evening in Evening.objects.filter(club=club).exclude(place="").order_by("pk"):
        yield from _mention(evening, ("place",), words)
    for brought in Import.objects.filter(club=club).defer("sheets").order_by("pk"):
        yield from _mention(brought, ("file_name",), words)
    for supplement in Supplement.objects.filter(season__club=club).order_by("pk"):
        yield from _mention(supplement, ("reason",), words)
    # The one text in the books, and all that may ever change in them.
    for booked in Entry.objects.filter(club=club).exclude(reason="").order_by("pk"):
        yield from _mention(booked, ("reason",), words)
    for report in Report.objects.filter(club=club).exclude(note="", reason="").order_by("pk"):
        yield from _mention(report, ("note", "reason"), words)


def reports_in(club: Club, words: Words) -> Iterator[Mention]:
    """The reports of lists in which a name stands: beside what a row that was left out would have brought, or in what a sheet is
    called."""
    for brought in Import.objects.filter(club=club, imported_at__isnull=False).defer("sheets").order_by("pk"):
        report = {name: _in_lists(value, words) for name, value in brought.report.items()}
        if report != brought.report:
            yield Mention(brought, None, [], {"report": report})


def _in_lists(value: Any, words: Words) -> Any:
    if isinstance(value, list):
        return [_in_lists(one, words) for one in value]
    if isinstance(value, dict):
        return {name: _in_lists(one, words) for name, one in value.items()}
    return words.without(value) if isinstance(value, str) else value


def _mention(row: WithText, fields: Collection[str], words: Words, table: Table | None = None) -> Iterator[Mention]:
    before = {name: getattr(row, name) for name in fields}
    after = reworded(before, words)
    if after != before:
        texts = [text for text in _texts(before) if words.are_in(text)]
        yield Mention(row, table, texts, {name: after[name] for name in fields if after[name] != before[name]})


def _texts(values: Mapping[str, Any]) -> Iterator[str]:
    for key, value in values.items():
        if isinstance(value, dict):
            yield from _texts(value)
        elif key in _TYPED and isinstance(value, str):
            yield value
