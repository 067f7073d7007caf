"""Test properties of all games under all rule sets: the steps fold to the value, the points follow from it, seats are equal,
and a sheet is computed from its lines alone.
"""

from __future__ import annotations

from itertools import permutations
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.rules.constants import ANNOUNCED_SOLOS, PARTNER_KINDS, SAID, SPECIALS, TRIGGERS
from scoring.rules.outcome import Worth, score
from scoring.rules.parsing import GameFacts, parse_game
from scoring.rules.settings import PRESETS, RuleSettings, resolve
from scoring.rules.settings_schema import LIMITS
from scoring.rules.sheet import Line, fold
from tests.effort import examples

Game = dict[str, Any]
repeatable = settings(derandomize=True, deadline=None, max_examples=examples(200))

points = st.integers(0, 4)
when = st.sampled_from(["before", "after", "bock_only"])
ROWS = [{"points": [1, 3]}, {"points": {"times": 2}}, {"points": 1, "kinds": ["solo"]}, {"points": 2, "of": "re"}]
CHANGES: dict[str, st.SearchStrategy[Any]] = {
    "kontra_121": st.sampled_from(["never", "only_kontra", "kontra_said", "kontra_last", "always", "unless_re"]),
    "tie_120": st.sampled_from(["re", "kontra", "nobody"]),
    "schwarz_by": st.sampled_from(["tricks", "eyes"]),
    "won": points,
    "limits": st.lists(st.sampled_from(LIMITS), unique=True),
    "limit": points | st.sampled_from([{"times": 2}, {"90": 1, "0": 3}]),
    "limit_counts": st.sampled_from(["reached", "reached_or_missed", "reached_and_missed"]),
    "re_kontra": st.sampled_from(
        [
            {"add": 2},
            {"times": 2},
            {"times": 1},
            {"re": {"add": 1}, "kontra": {"times": 2}},
            {"won": {"times": 2}, "lost": {"add": 1}},
            {"first": {"times": 2}, "answer": {"times": 3}},
        ]
    ),
    "absage": points | st.sampled_from([{"times": 3}, {"no60": 2}]),
    "against_absage": st.sampled_from(["cumulative", "highest", "off"]),
    "nobody_wins": st.sampled_from(["net", "zero"]),
    "gegen_die_alten": points,
    "gegen_in": st.lists(st.sampled_from(["partner", "armut", "solo"]), unique=True),
    "gegen_when": when,
    "specials": st.dictionaries(st.sampled_from(sorted(SPECIALS)), points | st.sampled_from(ROWS))
    | st.just({"gans": {"name": "Gans", "points": {"times": 2}, "most": 2}, "fuchs": {"points": [1, 0, 2]}}),
    "specials_when": st.sampled_from(["before", "after", "bock_only", "paid"]),
    "specials_in_solo": st.sampled_from(["none", "all", "by_kind"]),
    "solo_point": st.fixed_dictionaries(
        {"points": points, "kinds": st.just(["damensolo", "stille_hochzeit"]), "when": when}
    ),
    "lost_announcement": st.sampled_from(
        [None, {"times": 2, "when": "ansage"}, {"times": 3, "when": "absage"}, {"times": 2, "when": "re"}]
    ),
    "solo_times": st.integers(1, 3),
    "soloist_share": st.sampled_from([1, 2, 3, "opponents"]),
    "negative": st.sampled_from(["keep", "zero"]),
    "counting": st.sampled_from(["plus_minus", "winners", "losers"]),
    "sitter": st.sampled_from(["nothing", "winners", "kontra", "re"]),
    "special_payer": st.sampled_from(["kasse", "players"]),
    "won_at_120": st.booleans(),
    "re_limit_more": st.sampled_from([0, 1]),
    "against": points,
    "missed_absage": st.sampled_from(["loses", "costs"]),
    "cowardice": st.sampled_from(
        [None, {"levels": 2, "then": "loses"}, {"levels": 2, "then": "nobody"}, {"levels": 3, "then": 4}]
    ),
    "lost_times": st.integers(1, 3),
    "highest": st.sampled_from([None, 1, 5]),
    "per_kind": st.fixed_dictionaries(
        {},
        optional={
            "solo": st.sampled_from([{"won": 3}, {"times": 2, "in_bock": "skips"}, {"soloist_share": 1}]),
            "hochzeit": st.sampled_from([{"times": 2}, {"in_bock": "keeps", "limits": []}]),
            "duty": st.just({"in_bock": "plain"}),
        },
    ),
    "deal_stays": st.lists(st.sampled_from(["duty_solo", "lustsolo"]), unique=True),
    "duty_solo": st.sampled_from([None, {"rounds": 1}]),
    "bock": st.none()
    | st.fixed_dictionaries(
        {"triggers": st.lists(st.sampled_from(TRIGGERS), unique=True)},
        optional={
            "per_game": st.sampled_from(["one", "each"]),
            "length": st.sampled_from(["table", "deal", 1, 3]),
            "overlap": st.sampled_from(["append", "stack", "extend", "ignore", "fill"]),
            "factor": st.sampled_from([2, 3, "linear"]),
            "drawn": st.sampled_from(["doubled", "plain"]),
            "cap": st.integers(1, 4),
            "effect": st.sampled_from(["all", "game", {"add": 2}]),
            "duty_solo_uses": st.booleans(),
        },
    ),
}
rule_sets = st.builds(
    lambda base, changes: RuleSettings.from_data(resolve({"base": base, **changes})),
    st.sampled_from(PRESETS),
    st.fixed_dictionaries({}, optional=CHANGES) | st.just({}),
)


@st.composite
def games(draw: st.DrawFn, rules: RuleSettings, table: int | None = None) -> Game:
    """Return a valid entry, always with `out`."""
    table = table or draw(st.sampled_from([4, 4, 5, 6, 7, 8]))
    at_table = rules.at(table)
    kind = draw(st.sampled_from(sorted(at_table.kinds)))
    out = tuple(sorted(draw(st.permutations(range(table)))[: at_table.sitters]))
    size = at_table.playing // 2 if kind in PARTNER_KINDS else 1
    party = draw(st.sampled_from([p for p in sorted(at_table.parties[out]) if len(p) == size]))
    game: Game = {"table": table, "kind": kind, "out": list(out), "re": list(party), "eyes": draw(st.integers(0, 240))}
    if at_table.announcements:
        game["re_said"], game["kontra_said"] = draw(st.sampled_from(SAID)), draw(st.sampled_from(SAID))
        if "none" not in (game["re_said"], game["kontra_said"]):
            game["last_said"] = draw(st.sampled_from(["re", "kontra"]))
    if at_table.nines and game["eyes"] in (0, 240) and draw(st.booleans()):
        game["no_trick"] = "none"
    if at_table.specials:
        trickless = {0: "re", 240: "kontra"}.get(game["eyes"]) if "no_trick" not in game else None
        party_name = draw(st.sampled_from([name for name in ("re", "kontra") if name != trickless]))
        most = at_table.max_specials[f"{party_name}_specials"]
        if most:
            special = draw(st.sampled_from(sorted(most)))
            game[f"{party_name}_specials"] = {special: draw(st.integers(0, most[special]))}
    if kind in ANNOUNCED_SOLOS and at_table.duty_rounds:
        game["duty"] = draw(st.booleans())
    if at_table.bock_by_hand:
        game["starts_bock"] = draw(st.integers(0, 2))
    return game


rules_and_game = rule_sets.flatmap(lambda rules: st.tuples(st.just(rules), games(rules)))
levels = st.integers(0, 4)


def played(rules: RuleSettings, game: Game, level: int = 0) -> tuple[GameFacts, Worth]:
    facts = parse_game(game, rules)
    assert isinstance(facts, GameFacts)
    return facts, score(facts, rules, level)


@given(rules_and_game, levels)
@repeatable
def test_the_steps_fold_to_the_value(case: tuple[RuleSettings, Game], level: int) -> None:
    """Compute the value again from the stored steps."""
    rules, game = case
    _facts, outcome = played(rules, game, level)
    value = 0
    for step in outcome.steps:
        written = step.data
        assert len(written) == (2 if "times" in written else 3)
        if "times" in written:
            value *= written["times"]
            assert written["times"] != 1
        elif "add" in written:
            assert written["add"] > 0
            value += written["add"] if written["party"] == "re" else -written["add"]
        else:
            assert written["pay"] > 0
    assert value == outcome.value


@given(rules_and_game, levels)
@repeatable
def test_the_points_follow_from_the_value(case: tuple[RuleSettings, Game], level: int) -> None:
    rules, game = case
    facts, outcome = played(rules, game, level)
    rules = rules.at(facts.table).settings_for(*rules.at(facts.table).get_words(facts.kind, facts.duty))
    if any(step.pay for step in outcome.steps):
        return
    counting = rules.counting["solo" if facts.solo else "partner"]
    clip = {"plus_minus": lambda p: p, "winners": lambda p: max(p, 0), "losers": lambda p: min(p, 0)}[counting]
    share = 1
    if facts.solo:
        share = rules.soloist_share if isinstance(rules.soloist_share, int) else len(facts.kontra)
        if rules.soloist_share == "opponents" and rules.sitter != "nothing":
            share += len(facts.out)
    assert {outcome.points[seat] for seat in facts.re} == {clip(outcome.value * share)}
    assert {outcome.points[seat] for seat in facts.kontra} == {clip(-outcome.value)}
    if rules.sitter == "nothing":
        assert all(outcome.points[seat] == 0 for seat in facts.out)
        if counting == "plus_minus" and (not facts.solo or share == len(facts.kontra)):
            assert sum(outcome.points) == 0


@given(rules_and_game, levels)
@repeatable
def test_the_winner_reaches_its_goal(case: tuple[RuleSettings, Game], level: int) -> None:
    facts, outcome = played(*case, level)
    assert outcome.winners == {"re": facts.re, "kontra": facts.kontra, None: ()}[outcome.winner]
    assert outcome.winner == played(*case, 0)[1].winner


@given(rule_sets.flatmap(lambda rules: st.tuples(st.just(rules), games(rules, 4) | games(rules, 5))), st.data())
@repeatable
def test_permuting_seats_permutes_points(case: tuple[RuleSettings, Game], data: st.DataObject) -> None:
    rules, game = case
    table = game["table"]
    to = data.draw(st.sampled_from(list(permutations(range(table)))))
    moved = game | {field: [to[seat] for seat in game[field]] for field in ("re", "out")}
    points_here, points_there = played(rules, game)[1].points, played(rules, moved)[1].points
    assert [points_there[to[seat]] for seat in range(table)] == list(points_here)


@given(rules_and_game, levels)
@repeatable
def test_a_band_is_as_good_as_exact_eyes(case: tuple[RuleSettings, Game], level: int) -> None:
    rules, game = case
    facts, outcome = played(rules, game, level)
    asked = rules.at(facts.table).entry_rules[facts.duty][facts.kind]
    if "no_trick" not in game and facts.band not in asked.refused_bands:
        banded = {key: value for key, value in game.items() if key != "eyes"} | {"band": facts.band}
        assert played(rules, banded, level)[1] == outcome


# --- Sheets -----------------------------------------------------------------------------------------------------------


@st.composite
def lines(draw: st.DrawFn, rules: RuleSettings) -> Line:
    """Return a line of any form at a table of four."""
    form = draw(st.sampled_from(["played"] * 5 + ["short", "penalty", "correction", "redeal"]))
    if form == "played":
        return Line(form, 4, None, {k: v for k, v in draw(games(rules, 4)).items() if k != "table"})
    if form == "short":
        facts: Game = {"winners": draw(st.sampled_from([[0, 1], [2, 3], [0, 3]])), "base": draw(st.integers(0, 5))}
        return Line(form, 4, None, facts)
    if form == "redeal":
        return Line(form, 4, None, {"reason": ""})
    return Line(form, 4, None, {"points": draw(st.lists(st.integers(-12, 12), min_size=4, max_size=4)), "reason": "so"})


@st.composite
def sheets(draw: st.DrawFn) -> tuple[RuleSettings, list[Line], list[tuple[str, int, int, Line]]]:
    """Return a rule set, a sheet under it, and edits: (kind, place, new place, line)."""
    rules = draw(rule_sets)
    sheet = draw(st.lists(lines(rules), max_size=10))
    places = st.integers(0, 20)
    what = st.sampled_from(["insert", "delete", "correct", "move"])
    return rules, sheet, draw(st.lists(st.tuples(what, places, places, lines(rules)), max_size=6))


def edited(sheet: list[Line], what: str, place: int, other: int, line: Line) -> list[Line]:
    """Return the sheet after one edit."""
    sheet = list(sheet)
    if what == "insert" or not sheet:
        sheet.insert(place % (len(sheet) + 1), line)
    elif what == "delete":
        del sheet[place % len(sheet)]
    elif what == "correct":
        sheet[place % len(sheet)] = line
    else:
        sheet.insert(other % len(sheet), sheet.pop(place % len(sheet)))
    return sheet


@given(sheets())
@repeatable
def test_replaying_an_edited_sheet_equals_a_fresh_one(
    case: tuple[RuleSettings, list[Line], list[tuple[str, int, int, Line]]],
) -> None:
    rules, sheet, edits = case
    replayed = fold(sheet, rules)
    for edit in edits:
        sheet = edited(sheet, *edit)
        replayed = fold(sheet, rules)
    assert replayed == fold(sheet, RuleSettings.from_data(rules.data))


@given(sheets(), st.integers(0, 10))
@repeatable
def test_a_sheet_can_be_folded_in_two_parts(
    case: tuple[RuleSettings, list[Line], list[tuple[str, int, int, Line]]], cut: int
) -> None:
    rules, sheet, _edits = case
    whole, first = fold(sheet, rules), fold(sheet[:cut], rules)
    rest = fold(sheet[cut:], rules, first[-1].chain if first else None)
    assert [line[:4] for line in whole] == [line[:4] for line in [*first, *rest]]


@given(sheets())
@repeatable
def test_every_open_bock_game_was_started_and_every_started_one_is_played_or_open(
    case: tuple[RuleSettings, list[Line], list[tuple[str, int, int, Line]]],
) -> None:
    rules, sheet, _edits = case
    replayed = fold(sheet, rules)
    for number, line in enumerate(replayed):
        assert 0 <= line.level <= rules.cap
        assert len(line.started_by) >= line.level
        assert all(origin < number for origin in line.started_by)
        assert all(replayed[origin].bock_started for origin in line.started_by)
    if rules.has_bock and rules.overlap == "append" and replayed:
        played_in_bock = sum(line.level > 0 for line in replayed)
        stayed = rules.bock_length == "deal" and rules.deal_stays
        in_bock = {rules.settings_for(*rules.get_words(kind, duty)).in_bock for kind in rules.kinds for duty in (False, True)}
        if not stayed and in_bock == {"plays"} and "redeal" not in rules.triggers:
            assert played_in_bock + len(replayed[-1].chain.list_levels(rules)) == sum(line.bock_started for line in replayed)
