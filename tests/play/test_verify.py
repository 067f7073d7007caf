"""Test that verify finds every kind of damage, and none after ordinary actions."""

from __future__ import annotations

import re
from collections.abc import Callable
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.models import QuerySet
from django.test.utils import CaptureQueriesContext

from scoring.club.actions import Actor
from scoring.models import Club, Game, Outcome, Player, RuleSet, Score, Seat, Table, TableCareer, TableResult
from scoring.play.queries import read_records
from scoring.play.verify import check_table, verify
from scoring.table.actions.games import delete_game
from tests.database import made_once
from tests.factories import add_game, make_club, make_player, make_rule_set, make_table

pytestmark = pytest.mark.django_db


@pytest.fixture
def table() -> Table:
    return made_once(_table)


def _table() -> Table:
    """Return a table of five people with four games, one of them deleted, and a penalty."""
    club = make_club()
    table = make_table(club, players=5, rule_set=make_rule_set(club, "anleitung"))
    add_game(table, re=[1, 2], eyes=100, re_said="said")
    add_game(table, form="penalty", points=[-4, 1, 1, 1, 1], reason="nicht bedient")
    add_game(table, re=[0, 2], eyes=130)
    gone = add_game(table, re=[0, 1], eyes=130).game
    delete_game(table=table, actor=Actor(), key=gone.key, version=gone.version)
    add_game(table, kind="damensolo", re=[3], eyes=130)
    return table


def first(table: Table) -> Game:
    return read_records(table).games[0]


def struck_out(table: Table) -> Game:
    return read_records(table).deleted[0]


def person(table: Table, place: int) -> Player:
    return read_records(table).current[place]


def scores(table: Table) -> object:
    return Score.objects.filter(game=first(table), player=person(table, 1))


def careers(table: Table) -> QuerySet[TableCareer]:
    return TableCareer.objects.filter(table=table, player=person(table, 1))


def results(table: Table) -> object:
    return TableResult.objects.filter(table=table, player=person(table, 1))


def facts(table: Table, change: dict[str, object], game: Callable[[Table], Game] = first) -> None:
    line = game(table)
    Game.objects.filter(key=line.key).update(facts={**line.facts, **change})


NO_SCORE = {"points": 1, "party": "", "played": True, "won": False, "solo": False}
NO_SUMS = {"games": 1, "points": 1, "wins": 0, "solos": 0, "solos_won": 0, "solo_points": 0}
DAMAGE: dict[str, tuple[Callable[[Table], object], str]] = {
    "another value": (
        lambda t: Outcome.objects.filter(game=first(t)).update(value=5),
        r", Zeile 1 \(.*\): Outcome: value ist 5 statt -8$",
    ),
    "another winner": (
        lambda t: Outcome.objects.filter(game=first(t)).update(winner="re"),
        r", Zeile 1 \(.*\): Outcome: winner ist 're' statt 'kontra'$",
    ),
    "another Bock": (
        lambda t: Outcome.objects.filter(game=first(t)).update(bock=1, bock_started=0),
        r", Zeile 1 \(.*\): Outcome: bock ist 1 statt 0, bock_started ist 0 statt 5$",
    ),
    "no outcome": (lambda t: Outcome.objects.filter(game=first(t)).delete(), r", Zeile 1 \(.*\): Outcome fehlt$"),
    "an outcome of a line struck out": (
        lambda t: Outcome.objects.create(game=struck_out(t), winner="re", value=1, bock=0, bock_started=0),
        r", gestrichene Zeile .*: Outcome ist zu viel$",
    ),
    "other points": (lambda t: scores(t).update(points=99), r", Zeile 1 \(.*\): Bodo, Score: points ist 99 statt -8$"),
    "another party": (
        lambda t: scores(t).update(party="kontra"),
        r", Zeile 1 \(.*\): Bodo, Score: party ist 'kontra' statt 're'$",
    ),
    "won what was lost": (lambda t: scores(t).update(won=True), r": Bodo, Score: won ist True statt False$"),
    "a solo that was none": (lambda t: scores(t).update(solo=True), r": Bodo, Score: solo ist True statt False$"),
    "no score": (lambda t: scores(t).delete(), r", Zeile 1 \(.*\): Bodo, Score fehlt$"),
    "a score of who sat out": (
        lambda t: Score.objects.create(**NO_SCORE, game=first(t), player=person(t, 0)),
        r", Zeile 1 \(.*\): Ärmel, Score ist zu viel$",
    ),
    "a score of a person who was not there": (
        lambda t: Score.objects.create(**NO_SCORE, game=first(t), player=make_player(t.evening.club, "Zaungast")),
        r", Zeile 1 \(.*\): Person \d+, Score ist zu viel$",
    ),
    "no career": (lambda t: careers(t).delete(), r", Tisch 1, Bodo: TableCareer fehlt$"),
    "another career": (lambda t: careers(t).update(mates={}), r", Tisch 1, Bodo: TableCareer: mates ist {} statt {'"),
    "other sums": (
        lambda t: results(t).update(points=7, wins=2),
        r", Tisch 1, Bodo: TableResult: points ist 7 statt -11, wins ist 2 statt 0$",
    ),
    "no sums": (lambda t: results(t).delete(), r", Tisch 1, Bodo: TableResult fehlt$"),
    "sums of a person who was not there": (
        lambda t: TableResult.objects.create(**NO_SUMS, table=t, player=make_player(t.evening.club, "Zaungast")),
        r", Tisch 1, Person \d+: TableResult ist zu viel$",
    ),
    "facts of another worth": (lambda t: facts(t, {"eyes": 130}), r", Zeile 3 \(.*\): Outcome: .*bock ist 1 statt 0"),
    "eyes that cannot be": (lambda t: facts(t, {"eyes": 241}), r", Zeile 1 \(.*\): eyes: Bitte die Augen von Re .*240"),
    "who sits out plays": (lambda t: facts(t, {"re": [0, 1]}), r", Zeile 1 \(.*\): re: Sitz 0 setzt aus"),
    "a level by hand": (lambda t: facts(t, {"bock": 1}), r", Zeile 1 \(.*\): bock: Das steht für den ganzen Tisch fest"),
    "refused though struck out": (
        lambda t: facts(t, {"kind": "grossspiel", "re": [0]}, struck_out),
        r", gestrichene Zeile .*: kind: Diese Regeln kennen die Spielart „Großspiel“ nicht",
    ),
    "a dealer who is not there": (
        lambda t: Game.objects.filter(key=first(t).key).update(dealer=6),
        r", Zeile 1 \(.*\): dealer: Bitte einen Sitz von 0 bis 4",
    ),
    "a penalty for fewer": (
        lambda t: facts(t, {"points": [1, 1]}, lambda t: read_records(t).games[1]),
        r", Zeile 2 \(.*\): points: Bitte für jeden der 5 Sitze",
    ),
    "rules that cannot be": (
        lambda t: RuleSet.objects.filter(pk=t.rule_set_id).update(settings={**t.rule_set.settings, "won": "viel"}),
        r", Tisch 1: Regelwerk, won: Bitte ",
    ),
    "too few at the table": (
        lambda t: Seat.objects.filter(round__table=t, place__gt=2).delete(),
        r", Zeile 1 \(.*\): an ihrem Tisch sitzen 3 Personen$",
    ),
    "no people at the table": (
        lambda t: Seat.objects.filter(round__table=t).delete(),
        r", Zeile 1 \(.*\): an ihrem Tisch sitzen 0 Personen$",
    ),
}


def test_no_damage_after_actions(table: Table) -> None:
    checked = check_table(table)
    assert checked.findings == []
    # Three games of four people and a penalty of five.
    assert (checked.lines, checked.rows) == (4, 4 + 3 * 4 + 5 + 5 + 5)


@pytest.mark.parametrize("kind", DAMAGE)
def test_damage_is_reported(table: Table, kind: str) -> None:
    damage, sentence = DAMAGE[kind]
    damage(table)
    findings = [finding for checked in verify() for finding in checked.findings]
    assert [finding for finding in findings if re.search(sentence, finding)], findings
    assert len(findings) == 1 or kind not in ("another value", "no score", "other sums", "eyes that cannot be")
    assert all(finding.startswith("karo-eins, Abend vom 06.03.2026, Tisch 1") for finding in findings)
    assert all("%(" not in finding for finding in findings)


def test_it_takes_five_queries_a_table_whatever_the_number_of_games(table: Table) -> None:
    for _ in range(6):
        add_game(table, dealer=0, re=[1, 2], eyes=130)
    with CaptureQueriesContext(connection) as queries:
        check_table(Table.objects.select_related("evening__club", "rule_set").get(pk=table.pk))
    assert len(queries) == 1 + 5


def run(**options: object) -> tuple[str, int]:
    """Return the output of the command and its exit status."""
    said = StringIO()
    try:
        call_command("verify", stdout=said, **options)
    except SystemExit as end:
        return said.getvalue(), int(str(end.code))
    return said.getvalue(), 0


def test_the_command_names_each_finding_and_writes_nothing(table: Table) -> None:
    assert run() == ("Alles stimmt: 1 Tische, 4 Zeilen, 31 errechnete Werte verglichen.\n", 0)
    for kind in ("another value", "other sums"):
        DAMAGE[kind][0](table)
    with CaptureQueriesContext(connection) as queries:
        said, status = run()
    assert (len(said.splitlines()), status) == (2, 1)
    assert {query["sql"].split()[0] for query in queries} <= {"SELECT", "DECLARE", "FETCH", "CLOSE"}
    assert run() == (said, 1)


def test_one_club_alone(table: Table) -> None:
    other = make_table(make_club("Pik Dame"))
    add_game(other)
    results(table).delete()
    assert run(club="pik-dame")[1] == 0
    assert run(club="karo-eins")[1] == 1
    assert run()[1] == 1


def test_an_unknown_club_fails() -> None:
    assert (Club.objects.count(), run()[1]) == (0, 0), "an empty database has no damage"
    with pytest.raises(CommandError, match="Einen Club mit dem Kürzel „nirgends“ gibt es nicht"):
        run(club="nirgends")


@pytest.mark.django_db(transaction=True)
def test_it_can_be_the_first_thing_that_a_connection_does(table: Table) -> None:
    connection.close()
    assert run()[1] == 0
