"""Compute all figures of the demo clubs a second time, from the facts of the games alone and by the reference rules."""

from __future__ import annotations

import datetime
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal, localcontext
from fractions import Fraction
from typing import Any

import pytest
from django.db import transaction

from scoring.demo.shared import make_shared_clubs
from scoring.league.queries.books import read_books
from scoring.league.queries.seasons import read_season_table
from scoring.models import Club, Player, Season, Table
from scoring.play.rules import Tally
from scoring.players.charts import draw_mean
from scoring.players.queries import Life, find_partners, list_stretches, read_companions, read_lives
from scoring.standings.metrics import METRICS, MORE
from scoring.standings.queries.selection import Selection
from scoring.standings.queries.standings import list_standings, read_list
from scoring.whatif.queries import compute_what_if
from tests.rules import reference
from tests.standings.queries.by_hand import SIZES, Entry, compute_figures, read_entries
from tests.standings.queries.test_records import records_by_hand, records_read

pytestmark = pytest.mark.django_db

ABSAGEN = {"no90": 90, "no60": 60, "no30": 30}


@dataclass
class Demo:
    """The demo clubs, and all their lines by club, in playing order."""

    clubs: dict[str, Club]
    entries: dict[str, list[Entry]]


@pytest.fixture(scope="module")
def demo(django_db_setup: None, django_db_blocker: Any) -> Iterator[Demo]:
    """Make the demo clubs once for all tests of this file."""
    with django_db_blocker.unblock(), transaction.atomic():
        make_shared_clubs()
        clubs = {club.slug: club for club in Club.objects.all()}
        tables = Table.objects.select_related("rule_set", "evening").order_by("evening__held_on", "evening", "number")
        found = {
            slug: [entry for table in tables.filter(evening__club=club) for entry in read_entries(table)]
            for slug, club in clubs.items()
        }
        yield Demo(clubs, found)
        transaction.set_rollback(True)


UNITS = {"kreuz-dame": "points", "herzdame": "cents"}
SELECTIONS: dict[str, tuple[str, Selection, Callable[[Entry], bool]]] = {
    "all": ("kreuz-dame", Selection(everyone=True), lambda entry: True),
    "cents": ("herzdame", Selection(everyone=True), lambda entry: True),
    "a year": ("kreuz-dame", Selection(everyone=True, year=2025), lambda entry: entry.year == 2025),
    "a rule set": (
        "kreuz-dame",
        Selection(everyone=True, rule_set="Turnier"),
        lambda entry: entry.table.rule_set.name == "Turnier",
    ),
    "days": (
        "kreuz-dame",
        Selection(everyone=True, since=datetime.date(2025, 3, 1), until=datetime.date(2026, 2, 15)),
        lambda entry: datetime.date(2025, 3, 1) <= entry.day <= datetime.date(2026, 2, 15),
    ),
    "five at the table": ("kreuz-dame", Selection(everyone=True, size=5), lambda entry: entry.size == 5),
    "four at the table": ("kreuz-dame", Selection(everyone=True, size=4), lambda entry: entry.size == 4),
}


@pytest.mark.parametrize("name", SELECTIONS)
def test_every_figure_of_the_list(demo: Demo, name: str) -> None:
    slug, selection, counts = SELECTIONS[name]
    entries = [entry for entry in demo.entries[slug] if counts(entry)]
    rows = list_standings(demo.clubs[slug], selection, more=True)
    people = {player for entry in entries for player in entry.played | {p for p, n in entry.points.items() if n}}
    assert {row.player_id for row in rows} == people
    assert len(rows) >= 4
    for row in rows:
        assert dict(row.figures) == compute_figures(entries, row.player_id), row.name
        assert row.rank == 1 + sum(other.points > row.points for other in rows)
    assert set(rows[0].figures) == {metric.key for metric in METRICS + MORE}
    last_day = max(entry.day for entry in entries if entry.played)
    earlier = [entry for entry in entries if entry.day < last_day]
    stood = {p: compute_figures(earlier, p)["points"] for p in people if any(p in e.played or e.points.get(p) for e in earlier)}
    rows, _hidden, day_of_ranks = read_list(demo.clubs[slug], selection)
    assert day_of_ranks == last_day
    for row in rows:
        before = 1 + sum(other > stood[row.player_id] for other in stood.values()) if row.player_id in stood else None
        assert row.before == before, row.name


@pytest.mark.parametrize("slug", UNITS)
def test_every_record(demo: Demo, slug: str) -> None:
    expected = records_by_hand(demo.entries[slug])
    assert records_read(demo.clubs[slug], Selection(unit=UNITS[slug])) == expected
    assert len(expected) >= 7


def test_who_is_hidden_has_not_come_for_a_year_or_does_not_belong(demo: Demo) -> None:
    entries = demo.entries["kreuz-dame"]
    newest = max(entry.day for entry in entries)
    there = {player for entry in entries if (newest - entry.day).days < 365 for player in entry.played}
    ever = {player for entry in entries for player in entry.played}
    guests = {player.pk for player in Player.objects.filter(guest=True)}
    left = {player.pk for player in Player.objects.exclude(left_on=None)}
    assert {row.player_id for row in list_standings(demo.clubs["kreuz-dame"])} == (there | left & ever) - guests


@pytest.mark.parametrize("slug", UNITS)
def test_every_figure_of_every_page(demo: Demo, slug: str) -> None:
    people = list(Player.objects.filter(club=demo.clubs[slug]))
    for life in read_lives(people):
        assert life.unit == UNITS[slug] or not life.units
        check_life(life, demo.entries[slug])


def check_life(life: Life, entries: list[Entry]) -> None:
    """Compare each figure of one page."""
    me, career = life.player.pk, life.career
    played = [entry for entry in entries if me in entry.played]
    plain = compute_figures(entries, me)
    assert (life.points, life.average, len(life.played)) == (plain["points"], plain["average"], plain["evenings"])
    assert (life.evening_average, life.evenings_won) == (plain["evening_average"], plain["evening_wins"])
    assert (career.all.games, career.all.wins) == (plain["games"], plain["wins"])
    assert career.by_hand == plain["points"] - sum(entry.points[me] for entry in played)
    assert career.short == sum(not entry.parties for entry in played)

    def tally(wanted: Callable[[Entry], bool]) -> Tally:
        those = [entry for entry in played if wanted(entry)]
        return Tally(len(those), sum(me in entry.won for entry in those), sum(entry.points[me] for entry in those))

    for party in ("re", "kontra"):
        assert career.parties[party] == tally(lambda entry: entry.parties.get(me) == party)  # noqa: B023
    kinds = {entry.facts.get("kind", "") for entry in played}
    assert career.kinds == {kind: tally(lambda entry: entry.facts.get("kind", "") == kind) for kind in kinds}  # noqa: B023
    solos = {entry.facts.get("kind", "") for entry in played if entry.soloist == me}
    assert career.solos == {
        kind: tally(lambda entry: entry.soloist == me and entry.facts.get("kind", "") == kind)  # noqa: B023
        for kind in solos
    }
    assert career.bock == tally(lambda entry: entry.bock > 0)
    check_announced(life, played)
    check_records(life, played, entries)
    check_stretches(life, entries)
    check_mean(life, entries)
    check_partners(life, played)
    for other, with_other, against in read_companions(life):
        shared = [entry for entry in played if other.pk in entry.played]
        together = {id(entry) for entry in shared if entry.together(me, other.pk)}
        assert with_other == tally(lambda entry: id(entry) in together)  # noqa: B023
        assert against == tally(lambda entry: other.pk in entry.played and id(entry) not in together)  # noqa: B023


def check_stretches(life: Life, entries: list[Entry]) -> None:
    """Compare each year and each season with the lines of that time."""
    me, days = life.player.pk, {}
    for season in Season.objects.filter(club=life.player.club, unit=life.unit):
        days[season.name] = (season.first_day, season.last_day)
    for year in {entry.year for entry in entries}:
        days[str(year)] = (datetime.date(year, 1, 1), datetime.date(year, 12, 31))
    expected = {}
    for name, (first, last) in days.items():
        plain = compute_figures([entry for entry in entries if first <= entry.day <= last], me)
        if plain["evenings"] or plain["points"]:
            keys = ("points", "evenings", "evening_average", "evening_wins", "games", "average", "win_rate")
            expected[name] = [plain[key] for key in keys]
    assert {
        one.name: [
            one.points, one.evenings, one.evening_average, one.evenings_won, one.games, one.average, one.win_rate,
        ]
        for one in list_stretches(life)
    } == expected  # fmt: skip


def check_mean(life: Life, entries: list[Entry]) -> None:
    """The average after each day, in hundredths."""
    me, points, games, means = life.player.pk, 0, 0, {}
    for entry in entries:
        points += entry.points.get(me, 0)
        games += me in entry.played
        if games:
            means[f"{entry.day:%d.%m.%Y}"] = hundredths_of(points, games, None)
    chart = draw_mean(life)
    assert (chart is None) == (len({entry.day for entry in entries if me in entry.played}) < 2)
    if chart:
        assert [point["totals"] for point in chart["points"]] == [[means[point["label"]]] for point in chart["points"]]
        assert chart["strokes"][0].total == list(means.values())[-1]


def check_partners(life: Life, played: list[Entry]) -> None:
    me, brought = life.player.pk, defaultdict(list)
    for entry in played:
        for other in entry.played - {me}:
            if entry.together(me, other):
                brought[other].append(entry.points[me])
    means = {other: Fraction(sum(points), len(points)) for other, points in brought.items() if len(points) >= 20}
    found = find_partners({other.pk: with_other for other, with_other, _against in read_companions(life)})
    assert (found is None) == (len(means) < 2)
    if found:
        assert [means[pk] for pk in found] == [max(means.values()), min(means.values())]


def check_announced(life: Life, played: list[Entry]) -> None:
    """Compare the kept announcements: an Absage by the eyes of the others, an Ansage if the party won."""
    me, kept, missed = life.player.pk, Counter(), Counter()
    for entry in played:
        party = entry.parties.get(me, "")
        level = entry.facts.get(f"{party}_said", "none")
        if level == "none":
            continue
        other = reference.OTHER[party]
        if level == "said":
            reached = entry.winner == party
        elif level == "schwarz":
            reached = reference.is_schwarz(other, entry.facts, entry.table.rule_set.settings)
        else:
            reached = reference.eyes_of(entry.facts)[other] < ABSAGEN[level]
        (kept if reached else missed)[level] += 1
    assert {level: tuple(tally) for level, tally in life.career.announced.items()} == {
        level: (kept[level], missed[level]) for level in life.career.announced
    }


def check_records(life: Life, played: list[Entry], entries: list[Entry]) -> None:
    me, career = life.player.pk, life.career
    if not played:
        assert (career.best, career.worst, career.current) == (None, None, None)
        return
    most, least = (find(entry.points[me] for entry in played) for find in (max, min))
    first = {points: next(entry for entry in played if entry.points[me] == points) for points in (most, least)}
    assert (career.best_ref["key"], career.best, career.best_ref["held_on"]) == (
        first[most].key, most, first[most].day,
    )  # fmt: skip
    assert (career.worst_ref["key"], career.worst) == (first[least].key, least)
    word = "".join("-" if not entry.decided else "w" if me in entry.won else "l" for entry in played)
    for letter, streak in (("w", career.won_longest), ("l", career.lost_longest)):
        longest = max(len(run) for run in word.replace("-", " ").replace("lw"[letter == "l"], " ").split(" "))
        assert (streak.length if streak else 0) == longest
        if streak:
            start = word.index(letter * longest)
            assert (streak.first["key"], streak.last["key"]) == (played[start].key, played[start + longest - 1].key)
    tail = len(word) - len(word.rstrip(word[-1]))
    assert (career.current and career.current[:2]) == (None if word[-1] == "-" else (word[-1] == "w", tail))
    sums = {
        key: sum(entry.points.get(me, 0) for entry in entries if (entry.day, entry.evening) == key)
        for key in sorted({(entry.day, entry.evening) for entry in played})[-10:]
    }
    assert [((evening.held_on, evening.evening), evening.points) for evening in life.form] == list(sums.items())


@pytest.mark.parametrize("few", [None, "root"])
def test_a_season_by_average_is_what_its_games_say(demo: Demo, few: str | None) -> None:
    """All points through all games of the members, evening by evening where they played; the weight with forty digits."""
    club = demo.clubs["kreuz-dame"]
    season = club.seasons.earliest("first_day")
    season.settings |= {"season": "sum", "few_games": few}
    table = read_season_table(read_books(season))
    sums: dict[int, list[int]] = defaultdict(lambda: [0, 0])
    by_evening: dict[tuple[int, int], list[int]] = defaultdict(lambda: [0, 0])
    for entry in demo.entries["kreuz-dame"]:
        if season.first_day <= entry.day <= season.last_day and entry.table.rule_set.unit == season.unit:
            for player, points in entry.points.items():
                by_evening[player, entry.evening][0] += points
                by_evening[player, entry.evening][1] += player in entry.played
    for (player, _evening), (points, games) in by_evening.items():
        if games:
            sums[player][0] += points
            sums[player][1] += games
    guests = set(club.players.filter(guest=True).values_list("pk", flat=True))
    expected = {player: (hundredths_of(sums[player][0], sums[player][1], few), sums[player][1]) for player in sums.keys() - guests}
    assert {row["player"]: (row["total"], row["games"]) for row in table.rows} == expected
    assert [row["rank"] for row in table.rows] == [
        1 + sum(other > row["total"] for other, _games in expected.values()) for row in table.rows
    ]
    assert len(expected) > 5


def hundredths_of(points: int, games: int, few: str | None) -> int:
    with localcontext(prec=40):
        average = Decimal(points) / games
        if few:
            average *= (Decimal(4 * games) / (games + 600)).sqrt()
        return int((100 * average).quantize(Decimal(1), ROUND_HALF_UP))


@pytest.mark.parametrize("name", ["Turnier", "Hausregeln"])
def test_what_if_is_what_the_rules_say(demo: Demo, name: str) -> None:
    """The whole club by one of its rule sets, without Bock or with it: each table answered anew, of each game what these
    rules know, without what they lack and the short form; and what the games that are left really brought."""
    club = demo.clubs["kreuz-dame"]
    rule_set = club.rule_sets.filter(name=name).order_by("-version").first()
    found = compute_what_if(club, Selection(unit="points", everyone=True), rule_set)
    points: Counter[int] = Counter()
    real: Counter[int] = Counter()
    left: list[Any] = []
    settings = {f"'own' {size}": {**rule_set.settings, **rule_set.settings["at"].get(str(size), {})} for size in SIZES}
    for table in {id(entry.table): entry.table for entry in demo.entries["kreuz-dame"]}.values():
        chain: list[int] = []
        for entry in (entry for entry in demo.entries["kreuz-dame"] if entry.table is table):
            brought = entry.points
            if entry.form in ("played", "short"):
                answer: dict[str, Any] = {"error": ["base"]}
                if entry.form == "played" or table.rule_set_id == rule_set.pk:
                    answer = reference.answer_line(known_part(entry, settings), chain, dict(settings))
                if "error" in answer:
                    left.append(entry.key)
                    chain[:] = [games - 1 for games in chain if games > 1]
                    continue
                brought = dict(zip(entry.points, answer["points"], strict=True))
            points.update(brought)
            real.update(entry.points)
    assert {row["real"].player_id: (row["then"]["points"], row["now"]["points"]) for row in found.rows} == {
        row["real"].player_id: (points[row["real"].player_id], real[row["real"].player_id]) for row in found.rows
    }
    assert sorted(str(line["key"]) for left_out in found.unvalued for line in left_out["named"]) == sorted(map(str, left))
    assert bool(left) == (name == "Turnier")
    assert sum(points.values()) == sum(row["then"]["points"] for row in found.rows)
    # Too much is no reason: whatever is left out is in the short form or of a kind that these rules do not have.
    lacking = [entry for entry in demo.entries["kreuz-dame"] if entry.key in left and entry.form == "played"]
    assert not [entry for entry in lacking if entry.facts["kind"] in rule_set.settings["kinds"]]


def known_part(entry: Entry, settings: dict[str, Any]) -> dict[str, Any]:
    """A game without what the rules at its size of table do not know."""
    own = settings[f"'own' {entry.size}"]
    line = dict(entry.facts)
    for side in ("re_specials", "kontra_specials"):
        if side in line:
            line[side] = {special: count for special, count in line[side].items() if special in own["specials"]}
    if own["bock"] is None or "manual" not in own["bock"]["triggers"]:
        line.pop("starts_bock", None)
    if own["duty_solo"] is None:
        line.pop("duty", None)
    if own["re_kontra"] is None:
        line = {field: value for field, value in line.items() if not field.endswith("_said")}
    return line
