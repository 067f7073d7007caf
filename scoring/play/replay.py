"""Lock and check a table before a change, and compute and write all derived rows after it (models.py says what else touches them).
A table is computed from its first line, and only rows that differ are written; a table that continues open Bock games is replayed
too."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, reduce
from operator import attrgetter, itemgetter, or_
from typing import Any, Final, NamedTuple, TypeVar
from uuid import UUID

from django.core.exceptions import ValidationError
from django.db import connection
from django.db.models import Model, Q, QuerySet
from django.dispatch import Signal
from django.utils.formats import date_format
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from scoring.club.actions import Actor, record
from scoring.club.models import Club, Player, Verb
from scoring.core.database import get_attname, insert, upsert
from scoring.core.errors import ActionRefused, InvalidInput
from scoring.core.text import validate_plain
from scoring.play.models import Evening, Game, Outcome, Score, Table, TableCareer, TableResult, YearCareer
from scoring.play.queries import Records, build_years, lock_table, read_records
from scoring.play.rules import RESULT_FIELDS, SCORE_FIELDS, Key, OwnLine, count_mates, get_sums, summarize
from scoring.rules.bock import CarriedBock
from scoring.rules.parsing import GameFacts, ShortFacts, parse_line
from scoring.rules.settings import RuleSettings
from scoring.rules.sheet import LineResult, refuse_too_much
from scoring.rules.validation import Refused, Sentence


class EveningIsClosed(ActionRefused):
    sentence = _("Der Abend ist abgeschlossen. Ein Verwalter kann ihn wieder öffnen.")


class WrongLineUp(ActionRefused):
    sentence = _("An einen Tisch gehören vier bis acht verschiedene Personen dieses Clubs.")


class TableChanged(ActionRefused):
    sentence = _("Am Tisch hat sich inzwischen etwas geändert. Bitte noch einmal ansehen, was sich ändern würde.")


def lock_club(club: Club) -> Club:
    """Lock all tables of a club, then the club, in the order in which a guest is added at a table. The lock does not cover the
    club's key, so that other transactions can still refer to it."""
    list(Table.objects.select_for_update().filter(evening__club=club).order_by("pk").values_list("pk"))
    return Club.objects.select_for_update(no_key=True).get(pk=club.pk)


def lock_open(table: Table, actor: Actor) -> Records:
    """Lock a table like `lock_table`. Raise EveningIsClosed."""
    records = lock_table(table)
    refuse_closed(records, actor)
    return records


def refuse_closed(records: Records, actor: Actor) -> None:
    """Raise EveningIsClosed if the evening is closed and the actor is no admin. The evening is the one read with the seats: the one
    read with the lock can be from before it was closed."""
    if not (actor.admin or records.rounds[-1].table.evening.is_open):
        raise EveningIsClosed


# Fields that the facts of a line may not have: the line, its table or the Bock chain decides them.
TABLE_FIELDS: Final = ("table", "dealer", "rules", "bock")


def check_line(form: str, facts: dict[str, Any], rules: RuleSettings, dealer: int | None) -> None:
    """Raise Refused (by field) for facts that are invalid on a sheet of these rules at this size of table."""
    frame = {field: Sentence(gettext_noop("Das steht für den ganzen Tisch fest. Bitte weglassen.")) for field in TABLE_FIELDS}
    if faults := {field: sentence for field, sentence in frame.items() if field in facts}:
        raise Refused(faults)
    read = parse_line(form, facts, rules, dealer)
    if form in (Game.Form.PLAYED, Game.Form.SHORT) and isinstance(read, ShortFacts) != (form == Game.Form.SHORT):
        raise Refused({"form": Sentence(gettext_noop("Diese Angaben gehören zur anderen Form der Eingabe. Bitte jene wählen."))})
    try:
        validate_plain(facts.get("reason", ""))
    except ValidationError as error:
        raise Refused({"reason": Sentence(error.messages[0])}) from error


def lock_earlier(earlier: Table) -> Table:
    """Lock the earlier table, before any table of a later evening is locked."""
    tables = Table.objects.select_for_update(of=("self",)).select_related("rule_set", "evening")
    return tables.get(pk=earlier.pk)


def check_carry(table: Table, earlier: Table) -> None:
    """Raise ActionRefused if this table, which may not be stored yet, cannot carry on from the other."""
    rules_carry = table.rule_set.rules.carry and earlier.rule_set.rules.carry
    if not rules_carry or not is_before(earlier.evening, table.evening):
        raise InvalidInput(
            _(
                "Weiterspielen lassen sich nur übrige Böcke eines früheren Abends im selben Club, "
                "wenn beide Regelwerke das vorsehen."
            )
        )
    if Table.objects.filter(carries_on=earlier).exclude(pk=table.pk).exists():
        raise ActionRefused(_("Diese übrigen Böcke werden schon an einem anderen Tisch weitergespielt."))


def is_before(earlier: Evening, later: Evening) -> bool:
    """Return whether this is an earlier evening of the same club; on one day, the one that was begun first."""
    if earlier.club_id != later.club_id:
        return False
    return (earlier.held_on, earlier.pk) < (later.held_on, later.pk)


class WorthTooMuch(ActionRefused, Refused):
    """The value of `game` would be too high. `game` is the typed line, or another line whose Bock changes with it."""

    status = 422

    def __init__(self, game: Game, refused: Refused) -> None:
        Refused.__init__(self, refused.fields)
        self.game = game

    def __str__(self) -> str:
        return " ".join(_(fault.text) % fault.values for fault in self.fields.values())


Stored = TypeVar("Stored", bound=Model)

CAREER_FIELDS = ("told", "mates")
_SUMS = itemgetter(*RESULT_FIELDS)


class OutcomeValues(NamedTuple):
    """The values of an Outcome. `winner` is "" for none, also in a short form of a partner game; `bock` is the level (0: none)."""

    winner: str
    value: int
    bock: int
    bock_started: int


OUTCOME_FIELDS = OutcomeValues._fields


@dataclass(frozen=True)
class Derived:
    """The derived rows of one table, computed or stored. `lines` are by game, in order, then by player; of stored ones only the
    scores are known. `open_bocks` are those that another evening can carry on."""

    table_id: int
    outcomes: dict[UUID, OutcomeValues]
    lines: dict[UUID, dict[int, OwnLine]]
    open_bocks: CarriedBock

    def without(self, game: Game, open_bocks: CarriedBock) -> Derived:
        """Return the derived rows before this last line was added, when `open_bocks` were open."""
        outcomes = {key: outcome for key, outcome in self.outcomes.items() if key != game.key}
        lines = {key: by_player for key, by_player in self.lines.items() if key != game.key}
        return Derived(self.table_id, outcomes, lines, open_bocks)

    @cached_property
    def careers(self) -> dict[int, TableCareer]:
        own: dict[int, list[OwnLine]] = defaultdict(list)
        for by_player in self.lines.values():
            for player, line in by_player.items():
                own[player].append(line)
        mates = count_mates(self.lines.values())
        return {
            player: TableCareer(
                table_id=self.table_id,
                player_id=player,
                told=summarize(lines),
                # JSON has texts as keys.
                mates={str(other): sums for other, sums in mates.get(player, {}).items()},
            )
            for player, lines in own.items()
        }


@dataclass(frozen=True)
class Effect:
    """The effect of a change on one line: its worth (None: missing) and points by player. `records` are those after the change."""

    records: Records
    game: Game
    before: OutcomeValues | None
    after: OutcomeValues | None
    points_before: dict[int, int]
    points_after: dict[int, int]


def derive(records: Records) -> Derived:
    """Compute the derived rows of a table, without queries. Raise WorthTooMuch."""
    outcomes: dict[UUID, OutcomeValues] = {}
    lines: dict[UUID, dict[int, OwnLine]] = {}
    for game, result in zip(records.games, records.results, strict=True):
        try:
            refuse_too_much(result.facts, result.outcome)
        except Refused as refused:
            raise WorthTooMuch(game, refused) from refused
        outcome = result.outcome
        outcomes[game.key] = OutcomeValues(outcome.winner or "", outcome.value, result.level, result.bock_started)
        lines[game.key] = build_own_lines(game, result, records.line_up(game))
    return Derived(records.table.pk, outcomes, lines, records.left_open)


def build_own_lines(game: Game, result: LineResult, line_up: list[Player]) -> dict[int, OwnLine]:
    """Return the line of each player, and of those who sat out with points, by id. A short form has no party."""
    facts, outcome = result.facts, result.outcome
    dealt = facts if isinstance(facts, (GameFacts, ShortFacts)) else None
    soloist = dealt.soloist if dealt else None
    lines: dict[int, OwnLine] = {}
    for seat, (player, points) in enumerate(zip(line_up, outcome.points, strict=True)):
        played = dealt is not None and seat not in dealt.out
        if played or points:
            lines[player.pk] = OwnLine(
                key=str(game.key),
                facts=game.facts if game.form == Game.Form.PLAYED else None,
                points=points,
                party=("re" if seat in facts.re else "kontra") if played and isinstance(facts, GameFacts) else "",
                played=played,
                won=seat in outcome.winners,
                solo=seat == soloist,
                decided=outcome.winner is not None or game.form == Game.Form.SHORT,
                bock=result.level,
            )
    return lines


def read_stored(records: Records) -> Derived:
    """Return the stored outcomes and scores of a table. One query."""
    outcomes: dict[UUID, OutcomeValues] = {}
    lines: dict[UUID, dict[int, OwnLine]] = defaultdict(dict)
    rows = Game.objects.filter(round__table=records.table).values_list(
        "key",
        *(f"outcome__{name}" for name in ("game", *OUTCOME_FIELDS)),
        *(f"scores__{name}" for name in ("player", *SCORE_FIELDS)),
    )
    for key, outcome_id, winner, value, bock, bock_started, player, *score in rows:
        if outcome_id is not None:
            outcomes[key] = OutcomeValues(winner, value, bock, bock_started)
        if player is not None:
            lines[key][player] = OwnLine._make((str(key), None, *score, False, 0))
    return Derived(records.table.pk, outcomes, lines, records.row.open_bocks)


def build_results(careers: Iterable[TableCareer]) -> dict[int, TableResult]:
    return {row.player_id: TableResult(table_id=row.table_id, player_id=row.player_id, **get_sums(row.told)) for row in careers}


def list_effects(records: Records, stored: Derived, derived: Derived) -> list[Effect]:
    """Return the effects on all lines whose stored worth or points differ from the derived ones, in order of the sheet."""
    games = sorted([*records.games, *records.deleted], key=lambda g: (g.round.position, g.position))
    found = []
    for game in games:
        worths = stored.outcomes.get(game.key), derived.outcomes.get(game.key)
        sides = stored.lines.get(game.key, {}), derived.lines.get(game.key, {})
        was, is_now = ({player: line.score for player, line in side.items()} for side in sides)
        if worths[0] != worths[1] or was != is_now:
            before, after = ({player: line.points for player, line in side.items()} for side in sides)
            found.append(Effect(records, game, *worths, before, after))
    return found


def list_closed_evenings(records: Records, effects: Iterable[Effect]) -> list[Evening]:
    """Return the evenings of a change whose cost may be in the books. An open one is booked when it is closed."""
    evenings = [records.row.evening, *(effect.records.row.evening for effect in effects)]
    return [evening for evening in evenings if not evening.is_open]


def write_derived(records: Records, stored: Derived, derived: Derived, careers: dict[int, TableCareer] | None = None) -> None:
    """Write the rows that differ, at most one statement per kind to upsert and one to delete. Stored `careers` are read if None;
    stored results are computed from them, so they are not read."""
    table = records.table
    if stored.open_bocks != derived.open_bocks:
        Table.objects.filter(pk=table.pk).update(open_bocks=derived.open_bocks)
    if gone := stored.outcomes.keys() - derived.outcomes.keys():
        Outcome.objects.filter(game__in=gone).delete()
    before, after = index_lines(stored), index_lines(derived)
    if gone_scores := before.keys() - after.keys():
        _select_scores(gone_scores).delete()
    changed_outcomes = [(key, *one) for key, one in derived.outcomes.items() if one != stored.outcomes.get(key)]
    upsert(Outcome, ("game",), OUTCOME_FIELDS, changed_outcomes)
    differs = (pair for pair, line in after.items() if pair not in before or line.score != before[pair].score)
    scores = [(*pair, *after[pair].score) for pair in differs]
    upsert(Score, ("game", "player"), SCORE_FIELDS, scores)
    if careers is None:
        careers = {row.player_id: row for row in TableCareer.objects.filter(table=table)}
    if gone_players := careers.keys() - derived.careers.keys():
        TableResult.objects.filter(table=table, player__in=gone_players).delete()
        TableCareer.objects.filter(table=table, player__in=gone_players).delete()
    keys, results = ("table", "player"), build_results(derived.careers.values())
    upsert_differing(TableResult, keys, RESULT_FIELDS, build_results(careers.values()), results)
    upsert_differing(TableCareer, keys, CAREER_FIELDS, careers, derived.careers)


def index_lines(side: Derived) -> dict[tuple[UUID, int], OwnLine]:
    return {(key, player): line for key, by_player in side.lines.items() for player, line in by_player.items()}


def insert_derived(tables: Iterable[Derived]) -> None:
    """Insert the derived rows of new tables, kind by kind: an old list has many tables, and other writers wait."""
    outcomes: list[tuple[Any, ...]] = []
    scores: list[tuple[Any, ...]] = []
    results: list[tuple[Any, ...]] = []
    careers: list[tuple[Any, ...]] = []
    for derived in tables:
        outcomes += [(key, *outcome) for key, outcome in derived.outcomes.items()]
        scores += [(*pair, *line.score) for pair, line in index_lines(derived).items()]
        results += [(row.table_id, row.player_id, *_SUMS(get_sums(row.told))) for row in derived.careers.values()]
        careers += [(row.table_id, row.player_id, row.told, row.mates) for row in derived.careers.values()]
    insert(Outcome, ("game", *OUTCOME_FIELDS), outcomes)
    insert(Score, ("game", "player", *SCORE_FIELDS), scores)
    insert(TableResult, ("table", "player", *RESULT_FIELDS), results)
    insert(TableCareer, ("table", "player", *CAREER_FIELDS), careers)


def _select_scores(keys: Iterable[tuple[UUID, int]]) -> QuerySet[Score]:
    """Return the rows of these games and players, grouped by player, of whom there are few."""
    games: dict[int, list[UUID]] = defaultdict(list)
    for game, player in keys:
        games[player].append(game)
    return Score.objects.filter(reduce(or_, (Q(player=player, game__in=of) for player, of in games.items())))


def upsert_differing(
    model: type[Stored],
    keys: tuple[str, ...],
    names: tuple[str, ...],
    stored: Mapping[Any, Stored],
    wanted: Mapping[Any, Stored],
) -> None:
    values, found_by = attrgetter(*names), attrgetter(*[get_attname(model, key) for key in keys])
    differing = [row for key, row in wanted.items() if key not in stored or values(row) != values(stored[key])]
    upsert(model, keys, names, [(*found_by(row), *values(row)) for row in differing])


def replay(records: Records, *, actor: Actor, click: UUID, new: Game | None = None) -> list[Effect]:
    """Write the derived rows of this table and of those that carry its Bock on, these with log entries, and the yearly rows of
    their closed evenings. `click` is the id that all log entries of one action share. A `new` last line changes nothing before it,
    so no stored rows are read then. Raise WorthTooMuch, or ActionRefused if a later table needs an admin."""
    effects: list[Effect] = []
    evenings: list[Evening] = []
    for changed, stored, derived in _follow(records, lock_table, new):
        is_own = changed.table.pk == records.table.pk
        if not is_own:
            _log_later(changed, actor, click, cause=records.table)
        # A new line changes the careers of its players, so all careers of its table are written and none is read.
        write_derived(changed, stored, derived, careers={} if new and is_own else None)
        effects += list_effects(changed, stored, derived)
        evenings.append(changed.row.evening)
    update_closed_years(evenings)
    return effects


def preview_replay(records: Records) -> list[Effect]:
    return [
        effect
        for changed, stored, derived in _follow(records, read_records)
        for effect in list_effects(changed, stored, derived)
    ]


def _follow(
    records: Records, read: Callable[[Table], Records], new: Game | None = None
) -> Iterator[tuple[Records, Derived, Derived]]:
    """Yield records, stored and derived rows of a table and of each later one whose carried Bock changes. The earlier table comes
    first: every action locks tables in this order."""
    while True:
        derived = derive(records)
        stored = derived.without(new, records.row.open_bocks) if new else read_stored(records)
        yield records, stored, derived
        new = None
        if records.later is None or stored.open_bocks == derived.open_bocks:
            return
        earlier, records = records.table, read(records.later)
        if records.row.carries_on_id != earlier.pk or not records.table.rule_set.rules.carry:
            # The link was removed while this waited for the lock; or the later rules do not carry on.
            return
        records = replace(records, carried=derived.open_bocks)


def _log_later(records: Records, actor: Actor, click: UUID, cause: Table) -> None:
    """Log the change of a later table. Its phones reload because of the log entry."""
    evening = records.row.evening
    if not (actor.admin or evening.is_open):
        sentence = _(
            "Das ändert auch den abgeschlossenen Abend vom %(day)s, der die übrigen Böcke weiterspielt. "
            "Das kann nur ein Verwalter."
        )
        raise ActionRefused(sentence % {"day": date_format(evening.held_on, "SHORT_DATE_FORMAT")})
    record(
        club=records.table.evening.club,
        actor=actor,
        verb=Verb.TABLE_REVALUED,
        subject=records.table.pk,
        after={"carries_on": cause.pk},
        table=records.table,
        click=click,
    )


_YEARS_LOCK: Final = 1702  # The first key of these advisory locks of PostgreSQL; the second one is the club.
_KEYS: Final = ("club", "player", "unit", "year")
YEAR_FIELDS: Final = (
    *RESULT_FIELDS,
    *("points_of_games", "evenings", "evenings_won", "best_evening", "worst_evening", "last_day", "last_evening"),
    *("by_evening", "told", "mates"),
)
# Sent in the transaction of `update_years`, with `club` (id) and `years` (None: all), to topics that this one may not import.
years_updated: Final = Signal()


def update_years(club: int, years: Collection[int] | None = None) -> None:
    """Compute these years of a club (None: all) and write the rows that differ. The caller has locked the changed tables."""
    lock_years(club)
    stored, wanted = compare_years(club, years)
    if gone := [row.pk for key, row in stored.items() if key not in wanted]:
        YearCareer.objects.filter(pk__in=gone).delete()
    upsert_differing(YearCareer, _KEYS, YEAR_FIELDS, stored, wanted)
    years_updated.send(None, club=club, years=years)


def update_closed_years(evenings: Iterable[Evening]) -> None:
    for club, year in sorted({(one.club_id, one.held_on.year) for one in evenings if not one.is_open}):
        update_years(club, [year])


def list_years(club: int) -> list[int]:
    stored = YearCareer.objects.filter(club=club).values_list("year", flat=True).distinct()
    played = Evening.objects.filter(club=club).dates("held_on", "year")
    return sorted({*stored, *(day.year for day in played)})


def compare_years(club: int, years: Collection[int] | None = None) -> tuple[dict[Key, YearCareer], dict[Key, YearCareer]]:
    """Return the stored rows of these years (None: all), and those computed from the tables of closed evenings."""
    stored = YearCareer.objects.filter(club=club, **({} if years is None else {"year__in": years}))
    wanted = build_years(club, years)
    return _index_years(stored), _index_years(wanted)


def _index_years(rows: Iterable[YearCareer]) -> dict[Key, YearCareer]:
    return {(row.player_id, row.unit, row.year): row for row in rows}


def lock_years(club: int) -> None:
    """Lock the years of a club until the transaction ends: of two evenings closed at once, the second counts the first. The row of
    the club is locked first, as other actions do, which refer to it from the history; the other order would be a deadlock."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT id FROM scoring_club WHERE id = %s FOR KEY SHARE", [club])
            cursor.execute("SELECT pg_advisory_xact_lock(%s, %s::integer)", [_YEARS_LOCK, club])
