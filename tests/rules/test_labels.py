"""Test that exactly the codes of the rules have German names."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from scoring.rules import constants, labels
from scoring.rules.constants import PARTNER_KINDS, SAID
from scoring.rules.outcome import get_kind_scorer, score
from scoring.rules.parsing import GameFacts, ShortFacts, parse_game
from scoring.rules.reasons import explain
from scoring.rules.settings import PRESETS, RuleSettings, get_preset, resolve
from scoring.rules.settings_schema import SETTINGS


def test_every_code_has_its_name() -> None:
    assert set(labels.FACTS) >= (constants.PLAYED_FIELDS | constants.SHORT_FIELDS) - {"table", "rules"}
    assert set(labels.SORTS) == set(constants.SORTS)
    assert set(labels.WHEN) == set(SETTINGS["gegen_when"].choices)
    assert set(labels.PRESETS) == set(PRESETS)


def test_every_possible_step_has_a_name() -> None:
    everything = resolve(
        {
            "base": "vln",
            "bock": {"effect": {"add": 1}},
            "against_absage": "cumulative",
            "solo_times": 2,
            "lost_times": 2,
            "highest": 9,
            "limit_counts": "reached_and_missed",
            "per_kind": {
                "armut": {"times": 2, "cowardice": {"levels": 2, "then": 1}},
                "jungfrau": {"name": "Ramsch", "like": "ramsch", "lost_times": 2},
            },
        }
    )
    everything |= {"lost_announcement": {"times": 2, "when": "ansage"}, "re_kontra": {"add": 2}, "nobody_wins": "net"}
    everything["kinds"] = [*everything["kinds"], "jungfrau"]
    found = {"bock", "base", "negative"}
    for rules in (RuleSettings.from_data(everything), get_preset("anleitung"), get_preset("klassisch")):
        for kind in rules.kinds:
            for facts in _every_game(rules, kind):
                found |= set(explain(facts, rules, score(facts, rules), 0).names)
            ready = get_kind_scorer(rules, kind)
            found |= {step.code for steps in ready.re_specials.values() for step in steps if step is not None}
    assert found == set(labels.STEPS)


def _every_game(rules: RuleSettings, kind: str) -> Iterator[GameFacts | ShortFacts]:
    """Yield a game for every announcement and zone of the eyes, or for every winner without eyes."""
    seats = [0, 1] if rules.like[kind] in PARTNER_KINDS else [0]
    if rules.like[kind] == "ramsch":
        yield from (parse_game({"kind": kind, "re": seats, "winner": winner}, rules) for winner in ("re", "kontra"))
        return
    said = SAID if rules.announcements else ("none",)
    for re_said, kontra_said, eyes in product(said, said, (0, 20, 50, 80, 100, 120, 140, 160, 190, 220, 240)):
        last = {"last_said": "re"} if "none" not in (re_said, kontra_said) else {}
        yield parse_game(
            {"kind": kind, "re": seats, "eyes": eyes, "re_said": re_said, "kontra_said": kontra_said, **last}, rules
        )


def test_names_of_kinds_are_not_used_twice() -> None:
    assert len(set(labels.KINDS.values())) == len(labels.KINDS) > len(PARTNER_KINDS)
