"""Test the explanation of a game: why a party has won, the names of the steps, and how the value becomes points."""

from __future__ import annotations

import json
from functools import cache
from itertools import product
from typing import Any

import pytest
from django.utils.translation import override

from scoring.play.texts import Explanation, build_explanation
from scoring.rules import labels
from scoring.rules.bock import Chain
from scoring.rules.outcome import score, score_points
from scoring.rules.parsing import GameFacts, OtherFacts, ShortFacts, parse_game, parse_line
from scoring.rules.reasons import explain
from scoring.rules.settings import RuleSettings, resolve
from scoring.rules.sheet import Line, LineResult, fold


@cache
def compiled(rules: str) -> RuleSettings:
    """Return a rule set from JSON."""
    return RuleSettings.from_data(resolve(json.loads(rules)))


def game_of(rules: Any, typed: dict[str, Any]) -> tuple[RuleSettings, GameFacts | ShortFacts]:
    """Return a game and its rules; by default a normal game of the first two, or a solo of the first."""
    facts = typed if "winners" in typed else {"kind": "normal", "re": [0] if "kind" in typed else [0, 1], **typed}
    settings = compiled(json.dumps(rules)).at(facts.get("table", 4))
    return settings, parse_game(facts, settings)


def told(rules: Any = "ddv", level: int = 0, **typed: Any) -> Explanation:
    settings, facts = game_of(rules, typed)
    return build_explanation(LineResult(facts, score(facts, settings, level), level, 0, (), Chain()), settings)


def why(rules: Any = "ddv", level: int = 0, **typed: Any) -> str:
    return " ".join(told(rules, level, **typed).reasons)


def shares(rules: Any = "ddv", level: int = 0, **typed: Any) -> str:
    return " ".join(told(rules, level, **typed).shares)


def steps(rules: Any = "ddv", level: int = 0, **typed: Any) -> list[str]:
    return list(map(str, told(rules, level, **typed).steps))


# --- Why a party has won ----------------------------------------------------------------------------------------------

HALF, HALF_KONTRA = "Re hat mehr als 120 Augen.", "Kontra hat mehr als 120 Augen."
ABSAGEN = {"no90": ("keine 90", 90), "no60": ("keine 60", 60), "no30": ("keine 30", 30), "schwarz": ("schwarz", 1)}
BOTH_MISSED = "Beide haben ihre Absage verfehlt. Ohne Gewinner zählt nur, was jede Seite selbst erreicht hat."
# What both said, Re's eyes, and what is said then: both sides of each border in the table of goals (rules.md 3).
GOALS = [
    *(
        row
        for re in ("none", "said")
        for row in ((re, "none", 121, HALF), (re, "none", 120, "Kontra braucht nur 120."), (re, "none", 119, HALF_KONTRA))
    ),
    ("said", "said", 121, HALF),
    ("said", "said", 120, "Kontra braucht nur 120, denn auch Re hat angesagt."),
    ("said", "said", 119, HALF_KONTRA),
    ("none", "said", 121, HALF),
    ("none", "said", 120, "Kontra hat angesagt und braucht 121. Bei 120 zu 120 gewinnt Re."),
    ("none", "said", 119, HALF_KONTRA),
    *(
        row
        for said, (absage, (name, limit)) in product(("none", "said"), ABSAGEN.items())
        for row in (
            (said, absage, limit, f"Kontra hat {name} angesagt und verfehlt."),
            (said, absage, limit - 1, f"Kontra hat {name} angesagt und gehalten."),
            (absage, said, 241 - limit, f"Re hat {name} angesagt und gehalten."),
            (absage, said, 240 - limit, f"Re hat {name} angesagt und verfehlt."),
        )
    ),
    *(
        row
        for (re, (re_name, re_limit)), (kontra, (kontra_name, kontra_limit)) in product(ABSAGEN.items(), ABSAGEN.items())
        for row in (
            (re, kontra, 241 - re_limit, f"Re hat {re_name} angesagt und gehalten."),
            (re, kontra, 240 - re_limit, BOTH_MISSED),
            (re, kontra, kontra_limit, BOTH_MISSED),
            (re, kontra, kontra_limit - 1, f"Kontra hat {kontra_name} angesagt und gehalten."),
        )
    ),
]


def of_a_solo(sentence: str) -> str:
    """Return the same sentence about a soloist and several opponents."""
    for party, name in (("Kontra", "Gegner"), ("gewinnt Kontra", "gewinnen Gegner")):
        for verb, verbs in (("hat", "haben"), ("braucht", "brauchen")):
            sentence = sentence.replace(f"{party} {verb}", f"{name} {verbs}")
    return sentence.replace("angesagt und braucht", "angesagt und brauchen").replace("Re", "Solo")


@pytest.mark.parametrize("rules", ["ddv", "ohne_neunen"])
def test_every_row_of_the_table_of_goals(rules: str) -> None:
    for re_said, kontra_said, eyes, sentence in GOALS:
        game = {"re_said": re_said, "kontra_said": kontra_said, "eyes": eyes}
        assert why(rules, **game) == sentence, game
        assert why(rules, kind="damensolo", **game) == of_a_solo(sentence), game


TIE = {"eyes": 120}
BOTH = {**TIE, "re_said": "said", "kontra_said": "said"}
RE_WINS = "braucht 121. Bei 120 zu 120 gewinnt Re."


Rows = list[tuple[Any, dict[str, Any], Any]]
WHY: Rows = [
    ("anleitung", TIE, "Kontra braucht nur 120."),
    ("anleitung", {**TIE, "kontra_said": "said"}, f"Kontra hat angesagt und {RE_WINS}"),
    ("anleitung", BOTH, f"Kontra hat angesagt und {RE_WINS}"),
    (
        "anleitung",
        {"eyes": 100, "re_said": "no90", "kontra_said": "no90"},
        "Beide haben ihre Absage verfehlt. Ohne Gewinner ist das Spiel nichts wert.",
    ),
    ("vln", {**TIE, "kontra_said": "said"}, f"Kontra hat angesagt und {RE_WINS}"),
    ("vln", {**BOTH, "last_said": "kontra"}, f"Kontra hat zuletzt angesagt und {RE_WINS}"),
    ("vln", {**BOTH, "last_said": "re"}, "Kontra braucht nur 120, denn Re hat zuletzt angesagt."),
    (
        "vln",
        {**BOTH, "kind": "damensolo", "last_said": "kontra"},
        "Gegner haben zuletzt angesagt und brauchen 121. Bei 120 zu 120 gewinnt Solo.",
    ),
    ("vln", {**BOTH, "kind": "damensolo", "last_said": "re"}, "Gegner brauchen nur 120, denn Solo hat zuletzt angesagt."),
    ("klassisch", TIE, "Kontra braucht nur 120."),
    (
        "klassisch",
        {**TIE, "table": 6, "re": [0, 2, 4]},
        "Kontra braucht 121. Bei 120 zu 120 gewinnt niemand. Ohne Gewinner ist das Spiel nichts wert.",
    ),
    ("hausrunde", {**TIE, "kontra_said": "said"}, f"Kontra hat angesagt und {RE_WINS}"),
    ({"kontra_121": "unless_re"}, TIE, "Kontra braucht 121, denn Re hat nichts angesagt. Bei 120 zu 120 gewinnt Re."),
    ({"kontra_121": "unless_re"}, {**TIE, "re_said": "said"}, "Kontra braucht nur 120, denn Re hat angesagt."),
    (
        {"kontra_121": "unless_re"},
        {**TIE, "kind": "damensolo"},
        "Gegner brauchen 121, denn Solo hat nichts angesagt. Bei 120 zu 120 gewinnt Solo.",
    ),
    (
        {"kontra_121": "unless_re"},
        {**TIE, "kind": "damensolo", "re_said": "said"},
        "Gegner brauchen nur 120, denn Solo hat angesagt.",
    ),
    (
        {"kontra_121": "always", "tie_120": "kontra"},
        {**TIE, "kind": "damensolo"},
        "Gegner brauchen 121. Bei 120 zu 120 gewinnen Gegner.",
    ),
    ({"won_at_120": False}, TIE, "Kontra braucht nur 120. Bei 120 zu 120 zählt „gewonnen“ nicht."),
    ({"re_limit_more": 1}, {"eyes": 60}, "Kontra hat mehr als 120 Augen. Re ist mit genau 60 Augen schon unter der Stufe."),
    ({"highest": 3}, {"eyes": 240}, "Re hat mehr als 120 Augen. Mehr als 3 ist kein Spiel wert."),
    (
        {"missed_absage": "costs"},
        {"eyes": 140, "re_said": "no60"},
        "Eine Absage entscheidet hier nicht: Verfehlt kostet sie nur ihre Punkte. Re hat mehr als 120 Augen.",
    ),
    ("ddv", {"winners": [0, 1], "base": 3}, "Eingetragen ist nur, wer wie viel gewonnen hat."),
]


@pytest.mark.parametrize(("rules", "typed", "sentence"), WHY)
def test_why_a_party_has_won(rules: Any, typed: dict[str, Any], sentence: str) -> None:
    rules = {"base": "ddv", **rules} if isinstance(rules, dict) else rules
    assert why(rules, **typed) == sentence


COWARD = "Re hat 4 Stufen erreicht, „gewonnen“ mitgezählt, und 1 angesagt: 3 zu wenig."


FEIGHEIT: list[tuple[int, Any, str]] = [
    (4, "loses", f"{HALF} {COWARD} Erst ab 4 ist das Feigheit."),
    (3, "loses", f"{HALF} {COWARD} Ab 3 ist das Feigheit, und die andere Seite gewinnt."),
    (
        2,
        "nobody",
        f"{HALF} {COWARD} Ab 2 ist das Feigheit, und niemand gewinnt. "
        "Ohne Gewinner zählt nur, was jede Seite selbst erreicht hat.",
    ),
    (3, 5, f"{HALF} {COWARD} Ab 3 ist das Feigheit, und die andere Seite gewinnt 5."),
]


@pytest.mark.parametrize(("levels", "then", "sentence"), FEIGHEIT)
def test_how_many_levels_feigheit_found(levels: int, then: Any, sentence: str) -> None:
    rules = {"base": "ddv", "cowardice": {"levels": levels, "then": then}}
    assert why(rules, eyes=215, re_said="said") == sentence
    plural = "Gegner haben 4 Stufen erreicht, „gewonnen“ mitgezählt, und 1 angesagt: 3 zu wenig."
    assert plural in why(rules, kind="damensolo", eyes=25, kontra_said="said")
    # One level fewer than reached is no question.
    assert why(rules, eyes=130) == HALF


def test_games_without_eyes() -> None:
    rules = {
        "base": "ddv",
        "kinds": ["normal", "damensolo", "jungfrau"],
        "per_kind": {"jungfrau": {"name": "Ramsch", "like": "ramsch"}, "damensolo": {"decided": "hand"}},
    }
    assert why(rules, kind="damensolo", winner="re") == "Ohne Augen entschieden."
    lost, took = (told(rules, kind="jungfrau", winner=winner) for winner in ("kontra", "re"))
    assert lost.reasons == ["Einer hat gegen alle anderen verloren."]
    assert took.reasons == ["Einer hat alles gemacht und gegen alle anderen gewonnen."]
    assert lost.shares == ["Einer: dreifach, also −3. Andere je +1."]
    assert [list(map(str, one.steps)) for one in (lost, took)] == [["Verloren: +1"], ["Gewonnen: +1"]]
    assert (lost.steps[0].party, took.steps[0].party) == ("andere", "einen")


def test_reasons_of_a_bock_without_effect() -> None:
    bock = {"triggers": ["manual"], "effect": "game"}
    rules = {"base": "ddv", "bock": bock}
    assert why(rules, 1, re_specials={"fuchs": 1}, eyes=130) == f"{HALF} Der Bock verdoppelt die Sonderpunkte nicht."
    assert steps(rules, 1, re_specials={"fuchs": 1}, eyes=130) == ["Gewonnen: +1", "Bock: ×2", "Fuchs gefangen: +1"]
    assert why(rules, 1, eyes=130) == HALF
    plain = {"base": "ddv", "bock": {**bock, "drawn": "plain"}}
    assert (why(plain, 1, eyes=120, re_said="no90", kontra_said="no90") == f"{BOTH_MISSED} Ohne Gewinner zählt der Bock nicht.")
    adding = {"base": "ddv", "bock": {**bock, "effect": {"add": 2}}}
    assert steps(adding, 1, eyes=130) == ["Gewonnen: +1", "Bock: +2"]


# --- What the steps are called ----------------------------------------------------------------------------------------


STEPS: Rows = [
    # The example of the document: Re announced keine 60, and Kontra has 70 and wins.
    (
        "anleitung",
        {"eyes": 170, "re_said": "no60"},
        "Gewonnen: +1 | Keine 90 verfehlt: +1 | Keine 60 verfehlt: +1 | Re: keine 90 angesagt: +1 | "
        "Re: keine 60 verfehlt: +1 | Gegen die Alten: +1 | Re angesagt: ×2 | Ansage verloren: ×2",
    ),
    (
        {"base": "anleitung", "limit_counts": "reached_and_missed"},
        {"eyes": 80, "re_said": "no60"},
        "Gewonnen: +1 | Keine 90, und verfehlt: +2 | Keine 60 verfehlt: +1 | Re: keine 90 verfehlt: +1 | "
        "Re: keine 60 verfehlt: +1 | Gegen die Alten: +1 | Re angesagt: ×2 | Ansage verloren: ×2",
    ),
    (
        "anleitung",
        {"kind": "damensolo", "eyes": 140, "re_said": "no90", "kontra_said": "said"},
        "Gewonnen: +1 | Keine 90 verfehlt: +1 | Solo: keine 90 verfehlt: +1 | Gegen die Alten: +1 | "
        "Solo: Re angesagt: ×2 | Gegner: Kontra angesagt: ×2 | Solo: ×2 | Ansage verloren: ×2",
    ),
    (
        {"base": "ddv", "lost_times": 2},
        {"kind": "damensolo", "eyes": 80},
        "Gewonnen: +1 | Keine 90: +1 | Gegner haben gewonnen: ×2",
    ),
    (
        {"base": "ddv", "missed_absage": "costs"},
        {"eyes": 155, "re_said": "no60", "kontra_specials": {"fuchs": 1}},
        "Gewonnen: +1 | Keine 90: +1 | Re angesagt: +2 | Re: keine 90 angesagt: +1 | Re: keine 60 verfehlt: −1 | "
        "Fuchs gefangen: −1",
    ),
    (
        {"base": "ddv", "negative": "zero"},
        {"eyes": 130, "kontra_specials": {"fuchs": 2}},
        "Gewonnen: +1 | Fuchs gefangen: −2 | Der Gewinner zahlt nicht",
    ),
    ("klassisch", {"eyes": 140, "re_specials": {"fuchs": 1}}, "Gewonnen: +5 | Fuchs gefangen: je 5 aus der Kasse"),
    (
        {"base": "klassisch", "special_payer": "players"},
        {"eyes": 140, "re_specials": {"fuchs": 1}},
        "Gewonnen: +5 | Fuchs gefangen: je 5 von der anderen Seite",
    ),
    ("ddv", {"winners": [0, 1], "base": 3}, "Punkte vor Bock: +3"),
]


@pytest.mark.parametrize(("rules", "typed", "found"), STEPS)
def test_names_of_the_steps(rules: Any, typed: dict[str, Any], found: str) -> None:
    assert " | ".join(steps(rules, **typed)) == found


def test_an_own_name_of_a_step_is_not_translated() -> None:
    rules = {"base": "ddv", "specials": {"gegner": {"name": "Gegner", "points": 1, "of": "game"}}}
    with override("en"):
        assert steps(rules, eyes=130, game_specials={"gegner": 1})[-1].startswith("Gegner: ")


def test_the_party_of_a_soloist_is_called_solo_in_every_step() -> None:
    """Re and Kontra are only the names of announcements."""
    for rules, said, eyes in product(("ddv", "anleitung", "vln", "hausrunde"), ("no90", "no30"), range(0, 241, 20)):
        for party in ("re_said", "kontra_said"):
            lines = told(rules, kind="damensolo", eyes=eyes, **{party: said}).steps
            assert {line.party for line in lines} <= {"Solo", "Gegner", ""}
            left = " ".join(line.label for line in lines).replace("Re angesagt", "").replace("Kontra angesagt", "")
            assert "Re" not in left.split() and "Re:" not in left and "Kontra" not in left


# --- From the value to points -----------------------------------------------------------------------------------------

FIVE = {"table": 5, "dealer": 4}
SOLO = {"kind": "damensolo"}
FOX = {"fuchs": 1}


SHARES: Rows = [
    # Each preset, a partner game and a solo.
    ("ddv", {"eyes": 155}, "Re je +2, Kontra je −2."),
    ("ddv", {"eyes": 55}, "Kontra je +4, Re je −4."),
    ("ddv", {**SOLO, "eyes": 240}, "Solo: dreifach, also +15. Gegner je −5."),
    ("ohne_neunen", {**SOLO, "eyes": 80}, "Solo: dreifach, also −6. Gegner je +2."),
    ("ohne_neunen", {"eyes": 155, **FIVE}, "Re je +2, Kontra je −2. Fürs Aussetzen gibt es nichts."),
    ("anleitung", {**SOLO, "eyes": 154}, "Solo: einfach, also +4. Gegner je −4."),
    ("vln", {**SOLO, "eyes": 154}, "Solo: einfach, also +3. Gegner je −3."),
    ("hausrunde", {"eyes": 155}, "Re je +2, Kontra je −2."),
    ("hausrunde", {**SOLO, "eyes": 155}, "Solo: dreifach, also +6. Gegner je −2."),
    (
        "klassisch",
        {"eyes": 140, "re_specials": FOX, **FIVE},
        "Re je +5, Kontra je 0. Die Gewinner bekommen es aus der Kasse. "
        "Fürs Aussetzen gibt es so viel wie für einen Gewinner: +5. Sonderpunkte: Re je +5 aus der Kasse.",
    ),
    (
        "klassisch",
        {"kind": "trumpfsolo", "eyes": 140, "re_specials": FOX, **FIVE},
        "Solo: von jedem der 4 anderen, also +40. Gegner je −10. Gezahlt wird untereinander, nicht aus der Kasse. "
        "Aussetzen zählt wie ein Gegner: −10. Sonderpunkte: Solo +5 aus der Kasse.",
    ),
    (
        "klassisch",
        {"kind": "trumpfsolo", "eyes": 100, "kontra_specials": FOX},
        "Solo: an jeden der 3 anderen, also −30. Gegner je +10. Gezahlt wird untereinander, nicht aus der Kasse. "
        "Sonderpunkte: Gegner je +5 aus der Kasse.",
    ),
    # A draw pays its special points alone.
    ("klassisch", {"eyes": 120, "table": 6, "re": [0, 2, 4], "re_specials": FOX}, "Sonderpunkte: Re je +5 aus der Kasse."),
    # Who pays special points.
    (
        {"base": "klassisch", "special_payer": "players"},
        {"eyes": 100, "kontra_specials": FOX},
        "Kontra je +10, Re je 0. Die Gewinner bekommen es aus der Kasse. Sonderpunkte: Kontra je +5, Re je −5.",
    ),
    (
        {"base": "klassisch", "special_payer": "players"},
        {"kind": "trumpfsolo", "eyes": 100, "kontra_specials": FOX},
        "Solo: an jeden der 3 anderen, also −30. Gegner je +10. Gezahlt wird untereinander, nicht aus der Kasse. "
        "Sonderpunkte: Gegner je +1, Solo −5. Ein Rest von 2 bleibt in der Kasse.",
    ),
    (
        {"base": "klassisch", "special_payer": "players"},
        {"kind": "trumpfsolo", "eyes": 140, "re_specials": FOX},
        "Solo: von jedem der 3 anderen, also +30. Gegner je −10. Gezahlt wird untereinander, nicht aus der Kasse. "
        "Sonderpunkte: Solo +15, Gegner je −5.",
    ),
    # Who sits out.
    (
        {"base": "ddv", "sitter": "winners"},
        {"eyes": 140, **FIVE},
        "Re je +1, Kontra je −1. Fürs Aussetzen gibt es so viel wie für einen Gewinner: +1.",
    ),
    ({"base": "ddv", "sitter": "kontra"}, {"eyes": 140, **FIVE}, "Re je +1, Kontra je −1. Aussetzen zählt wie Kontra: −1."),
    ({"base": "ddv", "sitter": "re"}, {"eyes": 140, **FIVE}, "Re je +1, Kontra je −1. Aussetzen zählt wie Re: +1."),
    *(
        (
            {"base": "ddv", "sitter": sitter},
            {**SOLO, "eyes": 140, **FIVE},
            "Solo: dreifach, also +3. Gegner je −1. Aussetzen zählt wie ein Gegner: −1.",
        )
        for sitter in ("winners", "kontra", "re")
    ),
    # How it is counted.
    ({"base": "ddv", "counting": "winners"}, {"eyes": 140}, "Re je +1, Kontra je 0. Hier zählt nur das Plus."),
    ({"base": "ddv", "counting": "losers"}, {"eyes": 140}, "Re je 0, Kontra je −1. Hier zählt nur das Minus."),
    (
        {"base": "ddv", "counting": "winners"},
        {**SOLO, "eyes": 140},
        "Solo: dreifach, also +3. Gegner je 0. Hier zählt nur das Plus.",
    ),
    ({"base": "ddv", "counting": "winners"}, {**SOLO, "eyes": 100}, "Solo 0, Gegner je +1. Hier zählt nur das Plus."),
    (
        {"base": "vln", "unit": "cents", "counting": "losers"},
        {"eyes": 130},
        "Re je 0, Kontra je −1. Die Verlierer zahlen es in die Kasse.",
    ),
    # How often the soloist gets it.
    ({"base": "ddv", "soloist_share": 1}, {**SOLO, "eyes": 140}, "Solo: einfach, also +1. Gegner je −1."),
    ({"base": "ddv", "soloist_share": 2}, {**SOLO, "eyes": 140}, "Solo: doppelt, also +2. Gegner je −1."),
    (
        {"base": "ddv", "soloist_share": "opponents"},
        {**SOLO, "eyes": 140},
        "Solo: von jedem der 3 anderen, also +3. Gegner je −1.",
    ),
    # The short form.
    ("ddv", {"winners": [0, 1], "base": 4}, "Gewinner je +4, Verlierer je −4."),
    ("ddv", {"winners": [1, 2, 3], "base": 4, "solo": True}, "Solo: dreifach, also −12. Gegner je +4."),
    (
        {"base": "ddv", "sitter": "re"},
        {"winners": [0, 1], "base": 4, **FIVE},
        "Gewinner je +4, Verlierer je −4. Fürs Aussetzen gibt es so viel wie für einen Gewinner: +4.",
    ),
    (
        {"base": "ddv", "sitter": "kontra"},
        {"winners": [0, 1], "base": 4, **FIVE},
        "Gewinner je +4, Verlierer je −4. Fürs Aussetzen gibt es so viel wie für einen Verlierer: −4.",
    ),
    # Nothing to share out.
    ("anleitung", {"eyes": 100, "re_said": "no90", "kontra_said": "no90"}, ""),
    ({"base": "ddv", "negative": "zero"}, {"eyes": 130, "kontra_specials": {"fuchs": 2}}, "Der Wert ist 0."),
    ("ddv", {"eyes": 130, "kontra_specials": {"fuchs": 2}}, "Re je −1, Kontra je +1."),
]


@pytest.mark.parametrize(("rules", "typed", "sentence"), SHARES)
def test_how_the_value_becomes_points(rules: Any, typed: dict[str, Any], sentence: str) -> None:
    assert shares(rules, **typed) == sentence


# A game that an open Bock does not raise: what the rules say of it, what is typed, and what is said then.
UNRAISED = [
    ({"solo": {"in_bock": "plain"}}, SOLO, "und verbraucht ein Bockspiel."),
    ({"solo": {"in_bock": "skips"}}, SOLO, "und verbraucht kein Bockspiel."),
    ({}, {**SOLO, "duty": True}, "und verbraucht kein Bockspiel."),
    ({"solo": {"in_bock": "keeps"}}, SOLO, ""),
    ({"solo": {"in_bock": "skips"}}, {"kind": "normal", "re": [0, 1]}, ""),
    ({"solo": {"in_bock": "skips"}}, {**SOLO, "bock": 0}, ""),
]


@pytest.mark.parametrize(("rows", "typed", "sentence"), UNRAISED)
def test_why_a_game_counts_single_in_bock(rows: dict[str, Any], typed: dict[str, Any], sentence: str) -> None:
    settings = compiled(
        json.dumps({"base": "ddv", "bock": {"triggers": ["manual"], "duty_solo_uses": False}, "per_kind": rows})
    )
    facts = {"re": [0], "eyes": 140, **typed}
    starts = Line("played", range(4), 3, {"kind": "normal", "re": [0, 1], "eyes": 130, "starts_bock": 1})
    _first, played = fold([starts, Line("played", range(4), 3, facts)], settings)
    (*_why, last) = build_explanation(played, settings).reasons
    single = "Nach diesen Regeln zählt dieses Spiel im Bock einfach "
    assert last == single + sentence if sentence else not last.startswith(single)


def test_a_line_that_is_no_game_has_no_explanation() -> None:
    rules = compiled('"ddv"')
    penalty = parse_line("penalty", {"points": [-3, 1, 1, 1], "reason": "falsch bedient"}, rules)
    assert isinstance(penalty, OtherFacts)
    played = LineResult(penalty, score_points(penalty, 4), 0, 0, (), Chain())
    assert build_explanation(played, rules) == Explanation([], [], [])


def test_every_reason_is_tested_above() -> None:
    """The tables of this file have all reasons, except those of games without eyes and of a Bock."""
    games: list[tuple[Any, dict[str, Any]]] = [
        ("ddv", {"re_said": re, "kontra_said": kontra, "eyes": eyes}) for re, kontra, eyes, _sentence in GOALS
    ]
    games += [("ddv", {**SOLO, **typed}) for _rules, typed in games]
    games += [
        (rules if isinstance(rules, str) else {"base": "ddv", **rules}, typed)
        for rules, typed, _found in (*WHY, *STEPS, *SHARES)
    ]
    for levels, then, _sentence in FEIGHEIT:
        rules: Any = {"base": "ddv", "cowardice": {"levels": levels, "then": then}}
        games += [(rules, {"eyes": 215, "re_said": "said"}), (rules, {**SOLO, "eyes": 25, "kontra_said": "said"})]
    codes = {f"step_{payer}" for payer in ("kasse", "players")}
    for rules, typed in games:
        settings, facts = game_of(rules, typed)
        explained = explain(facts, settings, score(facts, settings), 0)
        for reason in (*explained.reasons, *explained.shares):
            them = f"{reason['code']}_them"
            is_them = explained.sides == "solo" and reason.get("party") == "kontra" and them in labels.REASONS
            codes.add(them if is_them else reason["code"])
    others = {"by_hand", "ramsch_re", "ramsch_kontra", "bock_game", "bock_drawn", "bock_plain", "bock_skips"}
    assert codes | others == set(labels.REASONS) and codes.isdisjoint(others)
