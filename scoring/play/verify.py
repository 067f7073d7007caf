"""Compare the stored rows with what follows from the facts. A finding means that rows were changed past the actions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from scoring.club.models import Club, Player, Verb
from scoring.play.models import SEATS, Game, Table, TableCareer, TableResult
from scoring.play.queries import Records, read_records
from scoring.play.replay import (
    CAREER_FIELDS,
    OUTCOME_FIELDS,
    YEAR_FIELDS,
    WorthTooMuch,
    build_results,
    check_line,
    compare_years,
    derive,
    index_lines,
    is_before,
    list_years,
    read_stored,
)
from scoring.play.rules import RESULT_FIELDS, SCORE_FIELDS
from scoring.rules.validation import Refused
from scoring.rulesets.models import RuleSet


@dataclass(frozen=True)
class CheckReport:
    """The result for one table, or for a year of a club: the number of lines and of compared rows, and a sentence per finding."""

    table: Table | None
    lines: int
    rows: int
    findings: list[str]


def verify(club: Club | None = None) -> Iterator[CheckReport]:
    """Check all tables of a club (None: of all), usually five queries each, then each year. Needs a snapshot, as games may be saved
    meanwhile."""
    clubs = [club] if club is not None else Club.objects.all()
    tables = Table.objects.filter(without_games=False, evening__club__in=clubs)
    tables = tables.select_related("evening__club", "rule_set").order_by("pk")
    yield from map(check_table, tables.iterator(chunk_size=100))
    for one in clubs:
        yield from (check_year(one, year) for year in list_years(one.pk))


def check_table(table: Table) -> CheckReport:
    """Check one table. If a fact is refused, only facts are reported, since the worth of later lines is unknown."""
    records = read_records(table)
    findings, rows = find_refused_facts(records), 0
    if not findings:
        try:
            rows, sentences = _compare_derived(records)
        except WorthTooMuch as refused:
            sentences = [f"{_describe_line(records, refused.game)}{refused}"]
        findings = [f"{_describe_table(table)}{finding}" for finding in sentences]
    return CheckReport(table, len(records.games), rows, findings)


def find_refused_facts(records: Records) -> list[str]:
    return [f"{_describe_table(records.table)}{finding}" for finding in _check_facts(records)]


def check_year(club: Club, year: int) -> CheckReport:
    stored, wanted = compare_years(club.pk, [year])
    names = dict(Player.objects.filter(pk__in={key[0] for key in (*stored, *wanted)}).values_list("pk", "name"))

    def describe(key: tuple[int, str, int]) -> str:
        where = _("%(club)s, %(year)s, %(person)s: ")
        return where % {"club": club.slug, "year": year, "person": names[key[0]]}

    return CheckReport(None, 0, len(wanted), list(_compare("YearCareer", YEAR_FIELDS, stored, wanted, describe)))


def _describe_table(table: Table) -> str:
    evening = table.evening
    where = _("%(club)s, Abend vom %(date)s, Tisch %(number)s")
    return where % {"club": evening.club.slug, "date": evening, "number": table.number}


def _check_facts(records: Records) -> Iterator[str]:
    """Yield what is refused: the rule set itself, the table whose Bock is carried on, a line-up, or a line."""
    try:
        rules = records.table.rule_set.rules
    except Refused as refused:
        yield from (_(": Regelwerk, %(field)s: %(fault)s") % fault for fault in _translate_faults(refused))
        return
    if (earlier := records.row.carries_on) and not is_before(earlier.evening, records.table.evening):
        yield _(", spielt übrige Böcke eines Tisches weiter, der nicht zu einem früheren Abend des Clubs gehört")
    for game in [*records.games, *records.deleted]:
        line_up = records.line_ups.get(game.round_id, [])
        if len(line_up) not in SEATS:
            yield _describe_line(records, game) + _("an ihrem Tisch sitzen %(people)s Personen") % {"people": len(line_up)}
            continue
        try:
            check_line(game.form, game.facts, rules.at(len(line_up)), game.dealer)
        except Refused as refused:
            if game.deleted and _is_valid_by_earlier_rules(records, game):
                continue
            line = _describe_line(records, game)
            yield from (f"{line}{fault['field']}: {fault['fault']}" for fault in _translate_faults(refused))


def _is_valid_by_earlier_rules(records: Records, game: Game) -> bool:
    """Return whether a deleted line is valid by earlier rules of the table: moving it to other rules does not check such lines."""
    moves = records.table.changes.filter(verb=Verb.RULES_MOVED)
    for rule_set in RuleSet.objects.filter(pk__in=[(move.before or {}).get("rule_set") for move in moves]):
        try:
            check_line(game.form, game.facts, rule_set.rules.at(len(records.line_up(game))), game.dealer)
        except Refused:
            continue
        return True
    return False


def _translate_faults(refused: Refused) -> Iterator[dict[str, str]]:
    for field, sentence in refused.fields.items():
        yield {"field": field, "fault": _(sentence.text) % sentence.values if sentence.values else _(sentence.text)}


def _describe_line(records: Records, game: Game) -> str:
    if game.deleted:
        return _(", gestrichene Zeile %(key)s: ") % {"key": game.key}
    return _(", Zeile %(number)s (%(key)s): ") % {"number": records.games.index(game) + 1, "key": game.key}


def _compare_derived(records: Records) -> tuple[int, list[str]]:
    """Return the number of derived rows, and the findings."""
    stored, derived = read_stored(records), derive(records)
    stored_results = {row.player_id: row for row in TableResult.objects.filter(table=records.table)}
    stored_careers = {row.player_id: row for row in TableCareer.objects.filter(table=records.table)}
    scores, careers = index_lines(derived), derived.careers
    results = build_results(careers.values())
    names = {player.pk: player.name for player in records.players}

    def game(key: Any) -> str:
        return _describe_line(records, next(g for g in [*records.games, *records.deleted] if g.key == key))

    def person(pk: int) -> str:
        return names.get(pk, _("Person %(id)s") % {"id": pk})

    findings = [
        *_compare("Outcome", OUTCOME_FIELDS, stored.outcomes, derived.outcomes, game),
        *_compare("Score", SCORE_FIELDS, index_lines(stored), scores, lambda key: game(key[0]) + person(key[1]) + ", "),
        *_compare("TableResult", RESULT_FIELDS, stored_results, results, lambda key: f", {person(key)}: "),
        *_compare("TableCareer", CAREER_FIELDS, stored_careers, careers, lambda key: f", {person(key)}: "),
        *_compare("Table", ("open_bocks",), {"": stored}, {"": derived}, lambda key: ", "),
    ]
    return len(derived.outcomes) + len(scores) + len(results) + len(careers), findings


def _compare(
    kind: str,
    fields: tuple[str, ...],
    stored: Mapping[Any, object],
    wanted: Mapping[Any, object],
    describe: Callable[[Any], str],
) -> Iterator[str]:
    """Yield a finding for each row that is missing, surplus or different in one of these fields; `describe` says where a key is."""
    for key in [key for key in wanted if key not in stored]:
        yield describe(key) + _("%(kind)s fehlt") % {"kind": kind}
    for key in [key for key in stored if key not in wanted]:
        yield describe(key) + _("%(kind)s ist zu viel") % {"kind": kind}
    for key in [key for key in wanted if key in stored]:
        differing = [
            _("%(field)s ist %(stored)s statt %(wanted)s")
            % {"field": name, "stored": repr(getattr(stored[key], name)), "wanted": repr(getattr(wanted[key], name))}
            for name in fields
            if getattr(stored[key], name) != getattr(wanted[key], name)
        ]
        if differing:
            yield describe(key) + f"{kind}: {', '.join(differing)}"
