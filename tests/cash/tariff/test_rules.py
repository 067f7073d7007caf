"""What a tariff cannot be, by its path: every key with what it takes at most and at least, and what it does not take."""

from __future__ import annotations

from typing import Any

import pytest

from tests.cash.lines import answer, evening, people, refused

POINTS = {"scheme": "minus", "rate": 1}
RANK = {"scheme": "rank", "amounts": [1]}
BY_MINUTES = {"cents": 1, "minutes": 5}


def paths(tariff: Any) -> list[str]:
    """Where a tariff is refused, without the word before every path."""
    found = refused({"tariff": tariff, "evening": evening(people=people("A"))})
    return [path.removeprefix("tariff").removeprefix(".") for path in found]


TAKEN: list[dict[str, Any]] = [
    {},
    {"points": {"scheme": "each", "rate": 10_000}},
    {"points": {"scheme": "best", "rate": "1/9999"}},
    {"points": {"scheme": "better", "rate": "999999/100"}},
    {"points": {"scheme": "rank", "amounts": [0] * 60, "scope": "game"}},
    {"points": {**POINTS, "winners": "0/7", "guests": False, "cap": 1, "round": {}}},
    {"points": {**POINTS, "winners": 1, "round": {"to": 50, "how": "up"}, "factors": {"": 0, "DDV": "100/1"}}},
    {"points": {**POINTS, "dearer": {"beyond": 100_000, "rate": 1}, "scope": "table", "cap": 1_000_000}},
    {"pot": {"buy_in": 0, "top_up": 1}},
    {"pot": {"buy_in": 0, "empty": "warn"}},
    {"pot": {"buy_in": 1, "top_up": 0, "empty": "warn", "rest": "kasse"}},
    {"fee": {"cents": 0, "absent": True}},
    {"guests": {}},
    {"guests": {"cents": 1_000_000, "payer": "club"}},
    {"host": {"cents": 1, "from": "others"}},
    {"drinks": {"flat": 1, "list": {"a": 0, "b" + "_" * 29: 1}, "shared": True}},
    {"fines": {"x": {"cents": 0, "name": "x" * 60}, "y": {"cents": 1, "minutes": 1440, "cap": 1}}},
    {"fines": {"x": {"steps": [[1, 0]] * 8 + [[None, 1]]}, "y": {"steps": [[None, 1]], "counts": "lost_games"}}},
    {"fines": {"x": {"open": True}, "y": {"steps": [[999, 1], [None, 0]], "counts": "entries"}}},
    {"absence": {"excused": {"average": ["points", "pot", "fines", "drinks"]}, "unexcused": {"plus": 1}}},
    {"absence": {"round": {"to": 100}}},
    {"dues": {"cents": 1, "reduced": 1, "every": "year", "when": "always"}},
    {"dues": {"cents": 1, "every": "month", "when": "no_evening"}},
    {"joining": {"cents": 0}, "leaving": {"payout": "share"}},
    {"leaving": {"payout": "fixed", "cents": 1}},
]


@pytest.mark.parametrize("tariff", TAKEN, ids=str)
def test_a_tariff_can_be(tariff: dict[str, Any]) -> None:
    assert paths(tariff) == []


# The part, what it is, and where below its key it is refused.
REFUSED: list[tuple[str, Any, list[str]]] = [
    # What is no object, what is unknown, what is missing.
    *((part, 1, [""]) for part in ("points", "pot", "fee", "guests", "host", "drinks", "fines", "absence", "dues")),
    *((part, None, [""]) for part in ("joining", "leaving", "points")),
    *((part, {}, ["cents"]) for part in ("fee", "host", "dues", "joining")),
    *((part, {"cents": 1, "tip": 1}, ["tip"]) for part in ("fee", "guests", "host", "dues", "joining")),
    ("points", {}, ["rate", "scheme"]),
    ("points", {**POINTS, "tip": 1}, ["tip"]),
    ("pot", {}, ["buy_in"]),
    ("pot", {"buy_in": 1, "tip": 1}, ["tip"]),
    ("drinks", {"tip": 1}, ["tip"]),
    ("absence", {"tip": 1, "excused": {"tip": 1}, "round": {"tip": 1}}, ["excused.tip", "round.tip", "tip"]),
    ("leaving", {}, ["payout"]),
    # Numbers.
    *(("fee", {"cents": cents}, ["cents"]) for cents in (-1, 1_000_001, True, "1", 1.0, None, [1])),
    *(("points", {**POINTS, "rate": rate}, ["rate"]) for rate in (0, "0", "0/1", -1, 10_001, "10001", 0.5, True, None)),
    *(
        ("points", {**POINTS, "rate": rate}, ["rate"])
        for rate in ("1/0", "1/10000", "1000000/100", "-1", "+1", " 1", "1 ", "1/", "/2", "1/2/3", "1.5", "", "١", "1\n")
    ),
    *(("points", {**POINTS, "winners": part}, ["winners"]) for part in (2, "3/2", -1, True, None, 0.5)),
    *(("points", {**POINTS, "factors": {"x": times}}, ["factors.x"]) for times in (101, "1000/9", -1, None)),
    ("points", {**POINTS, "factors": ["x"]}, ["factors"]),
    *(("points", {**POINTS, "cap": cap}, ["cap"]) for cap in (0, 1_000_001, None)),
    *(("host", {"cents": cents}, ["cents"]) for cents in (0, -1)),
    # Words.
    *(("points", {"scheme": scheme, "rate": 1}, ["scheme"]) for scheme in ("plus", 1, None, ["minus"], {})),
    *(("points", {**POINTS, key: "x"}, [key]) for key in ("scope", "guests", "dearer", "round")),
    ("points", {**POINTS, "guests": 1, "round": {"to": 2, "how": "off"}}, ["guests", "round.how", "round.to"]),
    ("points", {**POINTS, "round": {"to": True}}, ["round.to"]),
    ("pot", {"buy_in": 1, "empty": "x", "rest": "x"}, ["empty", "rest"]),
    ("fee", {"cents": 1, "absent": 0}, ["absent"]),
    ("guests", {"payer": "bank"}, ["payer"]),
    ("host", {"cents": 1, "from": "guests"}, ["from"]),
    ("dues", {"cents": 1, "reduced": -1, "every": "week", "when": "never"}, ["every", "reduced", "when"]),
    ("leaving", {"payout": "all"}, ["payout"]),
    # Lists as a whole.
    *(("points", {**RANK, "amounts": amounts}, ["amounts"]) for amounts in ([], [1] * 61, [-1], [True], ["1"], 1, None)),
    *(
        ("absence", {"excused": {"average": average}}, ["excused.average"])
        for average in (["fee"], ["pot", "pot"], "pot", [["pot"]], None)
    ),
    # Codes.
    *(("fines", {code: {"cents": 1}}, [code]) for code in ("Late", "1x", "a-b", "ä", "a" * 31, "a\n")),
    ("drinks", {"list": {"Bier": 1, "bier": -1}}, ["list.Bier", "list.bier"]),
    ("drinks", {"list": 1, "flat": -1, "shared": 1}, ["flat", "list", "shared"]),
    # Fines.
    ("fines", {"x": 1, "y": {}}, ["x", "y.cents"]),
    ("fines", {"x": {"cents": 1, "name": ""}, "y": {"cents": 1, "name": "x" * 61}}, ["x.name", "y.name"]),
    ("fines", {"x": {"minutes": 5}, "y": {**BY_MINUTES, "minutes": 0}}, ["x.cents", "y.minutes"]),
    ("fines", {"x": {**BY_MINUTES, "minutes": 1441, "cap": 0}}, ["x.cap", "x.minutes"]),
    ("fines", {"x": {"open": False}, "y": {"open": 1}, "z": {"open": True, "cap": 1}}, ["x.open", "y.open", "z.cap"]),
    ("fines", {"x": {"steps": [[None, 1]], "counts": "all"}, "y": {"cents": 1, "counts": "entries"}}, ["x.counts", "y.counts"]),
    *(
        ("fines", {"x": {"steps": steps}}, ["x.steps"])
        for steps in (
            [], 1, [[1, 1]], [[None, 1], [None, 1]], [[None, 1], [1, 1]], [[0, 1], [None, 1]], [[1000, 1], [None, 1]],
            [[1, -1], [None, 1]], [[None, None]], [[None]], [None], [[True, 1], [None, 1]], [[1, 1]] * 9 + [[None, 1]],
        )
    ),
    # What another key forbids, and what it asks for.
    ("points", {**RANK, "rate": 1, "dearer": {"beyond": 0}}, ["dearer", "rate"]),
    ("points", {"scheme": "rank", "rate": 1}, ["amounts", "rate"]),
    ("points", {**POINTS, "amounts": []}, ["amounts"]),
    ("points", {"scheme": "each", "rate": 1, "winners": 0}, ["winners"]),
    ("points", {"scheme": "plus", "amounts": [1], "winners": 1}, ["amounts", "rate", "scheme"]),
    ("points", {**POINTS, "dearer": {}}, ["dearer.beyond", "dearer.rate"]),
    ("points", {**POINTS, "dearer": {"beyond": 0, "rate": 0, "tip": 1}}, ["dearer.beyond", "dearer.rate", "dearer.tip"]),
    ("fines", {"x": {"cents": 1, "cap": 0}}, ["x.cap"]),
    ("pot", {"buy_in": 5, "top_up": 0}, ["top_up"]),
    ("pot", {"buy_in": 0}, ["top_up"]),
    ("pot", {"buy_in": 0, "empty": "x"}, ["empty", "top_up"]),
    ("pot", {"buy_in": -1}, ["buy_in"]),
    *(("dues", {"cents": 1, "every": every, "when": "no_evening"}, ["when"]) for every in ("quarter", "year")),
    ("leaving", {"payout": "fixed"}, ["cents"]),
    ("leaving", {"payout": "share", "cents": 0}, ["cents"]),
]  # fmt: skip


@pytest.mark.parametrize(("part", "value", "below"), REFUSED, ids=str)
def test_a_tariff_cannot_be(part: str, value: Any, below: list[str]) -> None:
    assert paths({part: value}) == [f"{part}.{path}" if path else part for path in below]


def test_an_empty_code_is_refused_at_its_empty_name() -> None:
    assert paths({"fines": {"": {"cents": 1}}, "drinks": {"list": {"": 1}}}) == ["drinks.list.", "fines."]


@pytest.mark.parametrize("tariff", [None, 1, [], "x"])
def test_what_is_no_object_is_refused_as_a_whole(tariff: Any) -> None:
    assert paths(tariff) == [""]


def test_all_faults_of_a_tariff_answer_together_and_alone() -> None:
    line = {"tariff": {"tip": 1, "fee": {"cents": -1}}, "evening": {"people": 3}, "booked": 1, "strange": 1}
    assert refused(line) == ["tariff.fee.cents", "tariff.tip"]


def test_every_sentence_says_what_to_do() -> None:
    sentences = set()
    for part, value, _below in REFUSED:
        found = answer({"tariff": {part: value}, "evening": evening(people=people("A"))})
        sentences.update(found["error"].values())
    assert len(sentences) > 20
    assert [text for text in sentences if "itte " not in text or not text.endswith(".") or "%" in text] == []
