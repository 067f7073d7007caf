"""A game adapted to other rules: unknown entries are left out and nothing else, the players stay."""

from __future__ import annotations

import random
from typing import Any

import pytest

from scoring.rules.parsing import GameFacts, parse_game
from scoring.rules.settings import RuleSettings, get_preset, resolve
from scoring.rules.validation import Refused
from scoring.whatif.rules import adapt
from tests.effort import LONG
from tests.rules.random_games import random_evening, random_rules

# What a game of other rules can lack. Everything else that is refused is too much, and never to be seen here.
MISSING = {"kind", "eyes", "winner", "band", "re", "winners", "out", "no_trick", "last_said", "re_specials", "kontra_specials"}


def build_rules(base: str, table: int = 4, **settings: Any) -> RuleSettings:
    return RuleSettings.from_data(resolve({"base": base, **settings})).at(table)


def adapt_game(
    other: RuleSettings, own: RuleSettings | None = None, dealer: int | None = None, **facts: Any
) -> tuple[dict[str, Any], frozenset[str]]:
    return adapt({"kind": "normal", "re": [0, 1], "eyes": 130, **facts}, dealer, own or other, other)


PLAIN = {"kind": "normal", "re": [0, 1], "eyes": 130}
DDV, KLASSISCH = get_preset("ddv"), get_preset("klassisch")
HERZSTICH = build_rules("ddv", specials={"herzstich": {"points": 0, "of": "game"}})
BY_HAND = build_rules("anleitung", bock={"triggers": ["manual"], "cap": 2})


@pytest.mark.parametrize(
    ("other", "facts", "kept", "surplus"),
    [
        (DDV, {"re_specials": {"karlchen_gefangen": 1, "fuchs": 1}}, {"re_specials": {"fuchs": 1}}, ["Karlchen gefangen"]),
        (DDV, {"kontra_specials": {"dulle_gefangen": 1}}, {"kontra_specials": {}}, ["Dulle gefangen"]),
        (KLASSISCH, {"re_said": "no90", "kontra_said": "said", "last_said": "re"}, {}, ["Ansagen"]),
        (KLASSISCH, {"re_said": "none"}, {}, []),
        (DDV, {"starts_bock": 2}, {}, ["Bock selbst eingetragen"]),
        (BY_HAND, {"starts_bock": 2}, {"starts_bock": 2}, []),
        (BY_HAND, {"kind": "damensolo", "re": [0], "duty": True}, {"kind": "damensolo", "re": [0]}, ["Pflichtsolo"]),
        (DDV, {"kind": "damensolo", "re": [0], "duty": True}, {"kind": "damensolo", "re": [0], "duty": True}, []),
        (HERZSTICH, {"re_specials": {"herzstich": 1}}, {"re_specials": {}, "game_specials": {"herzstich": 1}}, []),
        (
            HERZSTICH,
            {"re_specials": {"herzstich": 1}, "kontra_specials": {"herzstich": 1}},
            {"re_specials": {}, "kontra_specials": {}},
            ["Herzstich"],
        ),
    ],
)  # fmt: skip
def test_unknown_entries_are_left_out(
    other: RuleSettings, facts: dict[str, Any], kept: dict[str, Any], surplus: list[str]
) -> None:
    adapted, left_out = adapt_game(other, **facts)
    assert (adapted, left_out) == ({**PLAIN, **kept}, set(surplus))
    parse_game(adapted, other)


def test_players_who_sat_out_stay() -> None:
    """At a table of six the dealer decides it by the seating of the game's own rules."""
    own, other = build_rules("ddv", 6, seating={"6": [1, 2, 4, 5]}), build_rules("ddv", 6, seating={"6": [1, 2, 3, 4]})
    adapted, _left_out = adapt_game(other, own, 0, re=[1, 4])
    assert adapted["out"] == [0, 3]
    assert parse_game(adapted, other, 0)[:7] == parse_game({**PLAIN, "re": [1, 4]}, own, 0)[:7]


GANS = {"name": "Gans", "points": 1, "most": 2}
ANSWER = build_rules("ddv", re_kontra={"first": {"add": 2}, "answer": {"add": 1}})
NULLO = {"name": "Nullo", "like": "fleischlos"}
OWN = build_rules("ddv", specials={"gans": GANS}, kinds=["normal", "nullo"], per_kind={"nullo": NULLO | {"decided": "both"}})


@pytest.mark.parametrize(
    ("other", "facts", "kept", "surplus"),
    [
        (DDV, {"re_specials": {"gans": 1, "fuchs": 1}}, {"re_specials": {"fuchs": 1}}, ["Gans"]),
        (
            build_rules("ddv", specials={"gans": GANS | {"most": 1}}),
            {"re_specials": {"gans": 1}, "kontra_specials": {"gans": 1}},
            {"re_specials": {}, "kontra_specials": {}},
            ["Gans"],
        ),
        (build_rules("ddv", specials={"gans": GANS | {"of": "game"}}), {"re_specials": {"gans": 1}}, {"re_specials": {}}, ["Gans"]),
        (
            build_rules("ddv", specials={"gans": GANS | {"of": "re"}}),
            {"re_specials": {"gans": 1}, "kontra_specials": {"gans": 1}},
            {"re_specials": {}, "kontra_specials": {}},
            ["Gans"],
        ),
        (
            build_rules("ddv", specials={"gans": GANS | {"name": "Ganter"}}),
            {"re_specials": {"gans": 2}},
            {"re_specials": {"gans": 2}},
            [],
        ),
        (DDV, {"kind": "nullo", "re": [0]}, {"kind": "fleischlos", "re": [0]}, []),
        (
            build_rules("ddv", per_kind={"solo": {"re_kontra": None}}),
            {"kind": "nullo", "re": [0], "re_said": "said"},
            {"kind": "fleischlos", "re": [0]},
            ["Ansagen"],
        ),
    ],
)  # fmt: skip
def test_own_entries_are_compared_by_key(
    other: RuleSettings, facts: dict[str, Any], kept: dict[str, Any], surplus: list[str]
) -> None:
    adapted, left_out = adapt_game(other, OWN, **facts)
    assert (adapted, left_out) == ({**PLAIN, **kept}, set(surplus))
    parse_game(adapted, other)


@pytest.mark.parametrize(
    ("other", "facts", "missing"),
    [
        (get_preset("anleitung"), {"eyes": 0, "no_trick": "none"}, "no_trick"),
        (build_rules("ddv", kinds=["normal"]), {"kind": "nullo", "re": [0]}, "kind"),
        (build_rules("ddv", per_kind={"partner": {"decided": "hand"}}), {}, "winner"),
        (build_rules("ddv", re_limit_more=1), {"eyes": None, "band": "60-89"}, "band"),
        (DDV, {"kind": "nullo", "re": [0], "eyes": None, "winner": "re"}, "eyes"),
        (ANSWER, {"re_said": "said", "kontra_said": "said"}, "last_said"),
    ],
)  # fmt: skip
def test_a_missing_entry_is_refused(other: RuleSettings, facts: dict[str, Any], missing: str) -> None:
    typed = {key: value for key, value in {**PLAIN, **facts}.items() if value is not None}
    parse_game(typed, OWN)
    with pytest.raises(Refused) as refused:
        parse_game(adapt(typed, None, OWN, other)[0], other)
    assert set(refused.value.fields) == {missing}


def test_where_all_of_six_played_four_cannot_be_told() -> None:
    own, other = build_rules("klassisch", 6), build_rules("ddv", 6)
    with pytest.raises(Refused) as refused:
        parse_game(adapt_game(other, own, 0, kind="damensolo", re=[1])[0], other, 0)
    assert set(refused.value.fields) == {"out"}


def test_only_missing_entries_are_refused() -> None:
    rng, valued, left = random.Random(4), 0, set()
    evenings = 150 if LONG else 40
    for _evening in range(evenings):
        mine, others = random_rules(rng), random_rules(rng)
        at = {table: RuleSettings.from_data(resolve(others)).at(table) for table in range(4, 9)}
        for line in random_evening(rng, 8, mine):
            own = RuleSettings.from_data(resolve(line.pop("rules"))).at(line.pop("table", 4))
            line.pop("bock", None)  # no line of a table names its level
            before, dealer = dict(line), line.pop("dealer", None)
            adapted, _left_out = adapt(line, dealer, own, at[own.table])
            assert {**line, "dealer": dealer} == {"dealer": None, **before}
            real = parse_game(line, own, dealer)
            try:
                facts = parse_game(adapted, at[own.table], dealer)
            except Refused as refused:
                assert set(refused.fields) <= MISSING
                assert set(refused.fields) - {"re_specials", "kontra_specials"}
                left |= set(refused.fields)
                continue
            valued += 1
            assert (facts.dealer, facts.out) == (real.dealer, real.out)
            # The same own kind may be like a solo here and like a Ramsch there.
            if not isinstance(facts, GameFacts) or not isinstance(real, GameFacts) or facts.like == real.like:
                assert facts.soloist == real.soloist
            if isinstance(facts, GameFacts) and isinstance(real, GameFacts):
                assert facts.kind in (real.kind, real.like)
                assert (facts.re, facts.kontra, facts.band) == (real.re, real.kontra, real.band)
    assert valued > 4 * evenings
    assert {"kind", "re", "winners", "out"} <= left
