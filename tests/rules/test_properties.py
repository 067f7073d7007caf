"""Test properties of random games that need no reference: the steps fold to the value, the points follow from it, seats are equal,
a band is worth as much as the eyes in it."""

from __future__ import annotations

import random
from typing import Any

import pytest

from scoring.rules.outcome import Worth, score
from scoring.rules.parsing import GameFacts, parse_game
from scoring.rules.settings import RuleSettings, resolve
from scoring.rules.steps import fold_steps
from tests.effort import examples
from tests.rules.random_games import random_game, random_rules

Game = dict[str, Any]


@pytest.fixture(scope="module")
def cases() -> list[tuple[RuleSettings, Game, int]]:
    """Return random games with their rules and a level of Bock."""
    rng, found = random.Random(5), []
    for _ in range(examples(6000)):
        rules = random_rules(rng)
        game = random_game(rng, rules, rng.choice([4, 4, 5, 6, 7, 8]))
        settings = RuleSettings.from_data(resolve(game.pop("rules")))
        found.append((settings, game, rng.randint(0, 2) if settings.at(game.get("table", 4)).has_bock else 0))
    return found


def play(rules: RuleSettings, game: Game, level: int = 0) -> tuple[GameFacts, Worth]:
    facts = parse_game(game, rules)
    assert isinstance(facts, GameFacts)
    return facts, score(facts, rules, level)


def test_the_steps_fold_to_the_value(cases: list[tuple[RuleSettings, Game, int]]) -> None:
    for rules, game, level in cases:
        facts, outcome = play(rules, game, level)
        value = 0
        for written in (step.data for step in outcome.steps):
            assert len(written) == (2 if "times" in written else 3)
            assert written.get("add", 1) > 0 and written.get("pay", 1) > 0 and written.get("times") != 1
            if "times" in written:
                value *= written["times"]
            elif "add" in written:
                value += written["add"] if written["party"] == "re" else -written["add"]
        assert value == outcome.value == fold_steps(outcome.steps)
        assert outcome.winners == {"re": facts.re, "kontra": facts.kontra, None: ()}[outcome.winner]
        assert outcome.winner == play(rules, game)[1].winner


def test_the_points_follow_from_the_value(cases: list[tuple[RuleSettings, Game, int]]) -> None:
    for rules, game, level in cases:
        facts, outcome = play(rules, game, level)
        at_table = rules.at(facts.table)
        row = at_table.settings_for(*at_table.get_words(facts.kind, facts.duty))
        if any(step.pay for step in outcome.steps):
            continue
        counting = row.counting["solo" if facts.solo else "partner"]
        clip = {"plus_minus": lambda p: p, "winners": lambda p: max(p, 0), "losers": lambda p: min(p, 0)}[counting]
        share = 1
        if facts.solo:
            share = row.soloist_share if isinstance(row.soloist_share, int) else len(facts.kontra)
            if row.soloist_share == "opponents" and row.sitter != "nothing":
                share += len(facts.out)
        elif len(facts.re) != len(facts.kontra):  # a Ramsch has a loser alone
            continue
        assert {outcome.points[seat] for seat in facts.re} == {clip(outcome.value * share)}
        assert {outcome.points[seat] for seat in facts.kontra} == {clip(-outcome.value)}
        if row.sitter == "nothing":
            assert all(outcome.points[seat] == 0 for seat in facts.out)
            if counting == "plus_minus" and (not facts.solo or share == len(facts.kontra)):
                assert sum(outcome.points) == 0


def test_permuting_seats_permutes_points(cases: list[tuple[RuleSettings, Game, int]]) -> None:
    rng = random.Random(6)
    for rules, game, level in cases:
        facts, outcome = play(rules, game, level)
        if facts.table > 5:  # some of these sit opposite each other
            continue
        to = rng.sample(range(facts.table), facts.table)
        moved = {key: value for key, value in game.items() if key != "dealer"}
        moved |= {"re": [to[seat] for seat in facts.re], "out": [to[seat] for seat in facts.out]}
        points = play(rules, moved, level)[1].points
        assert [points[to[seat]] for seat in range(facts.table)] == list(outcome.points)


def test_a_band_is_as_good_as_exact_eyes(cases: list[tuple[RuleSettings, Game, int]]) -> None:
    for rules, game, level in cases:
        facts, outcome = play(rules, game, level)
        refused = rules.at(facts.table).entry_rules[facts.duty][facts.kind].refused_bands
        if "eyes" in game and "no_trick" not in game and facts.band not in refused:
            banded = {key: value for key, value in game.items() if key != "eyes"} | {"band": facts.band}
            assert play(rules, banded, level)[1] == outcome
