"""What an evening, a month, balances and a sum to split cannot be, by path; and what a refused value is read as for the rest."""

from __future__ import annotations

from typing import Any

import pytest

from tests.cash.lines import evening, people, refused

TARIFF = {
    "drinks": {"list": {"bier": 100}, "shared": True},
    "fines": {
        "slip": {"cents": 1},
        "late": {"cents": 1, "minutes": 5},
        "phone": {"steps": [[None, 1]]},
        "lost": {"steps": [[None, 1]], "counts": "lost_games"},
        "glas": {"open": True},
    },
}
# A and B are there, C is absent, G is a guest, H a guest who is absent.
PEOPLE = [
    *people("A", "B"),
    {"id": "C", "absence": "free"},
    {"id": "G", "guest": True},
    {"id": "H", "guest": True, "absence": "excused"},
]


def paths(tariff: dict[str, Any] = TARIFF, **facts: Any) -> list[str]:
    """Where an evening of these people is refused, without the word before every path."""
    found = refused({"tariff": tariff, "evening": {"people": PEOPLE, **facts}})
    return [path.removeprefix("evening.") for path in found]


def of_table(table: Any) -> list[str]:
    return [path.removeprefix("tables.0.") for path in paths(tables=[table])]


def of_line(line: Any, unit: str = "points") -> list[str]:
    return [path.removeprefix("lines.0.") for path in of_table({"unit": unit, "lines": [line]})]


def test_an_evening_can_have_everything() -> None:
    assert (
        paths(
            people=[
                *PEOPLE,
                {"id": "I", "guest": True, "brought_by": "C", "drinks": {"bier": 999}, "lost": 999, "absence": None},
            ],
            tables=[
                {"unit": "points", "rules": "", "points": {"A": 100_000, "G": -100_000}},
                {"unit": "points", "points": {}},
                {
                    "unit": "cents",
                    "lines": [{"seats": ["A"], "points": [1]}, {"seats": ["B", "A"], "top_up": 1_000_000}],
                },
                {"unit": "points", "lines": []},
            ],
            host="A",
            drinks={"cents": 1, "paid_by": "H"},
            fines=[
                {"who": "C", "code": "slip", "count": 999},
                {"who": "G", "code": "phone"},
                {"who": "A", "code": "late", "minutes": 1440},
                {"who": "A", "code": "glas", "cents": 1_000_000},
            ],
            turn=10**9,
            date="2028-02-29",
        )
        == []
    )


@pytest.mark.parametrize(
    ("person", "wrong"),
    [
        (1, [""]),
        (None, [""]),
        ({}, ["id"]),
        *(({"id": who}, ["id"]) for who in ("", "x" * 41, 1, None, "A")),
        ({"id": "X", "tip": 1, "guest": 1, "absence": "ill", "lost": -1}, ["absence", "guest", "lost", "tip"]),
        ({"id": "X", "guest": None, "drinks": None, "lost": None}, ["drinks", "guest", "lost"]),
        ({"id": "X", "brought_by": None, "absence": None}, []),
        ({"id": "X", "brought_by": "A"}, ["brought_by"]),
        *(({"id": "X", "guest": True, "brought_by": who}, ["brought_by"]) for who in ("G", "X", "Z", 1, True)),
        ({"id": "X", "drinks": {"wein": 1, "bier": 1000}, "lost": 1000}, ["drinks.bier", "drinks.wein", "lost"]),
        ({"id": "X", "drinks": {"bier": True}}, ["drinks.bier"]),
        ({"id": "X", "absence": "free", "drinks": {"bier": 0}, "lost": 1}, ["drinks", "lost"]),
        ({"id": "X", "absence": "free", "drinks": {}, "lost": 0}, []),
    ],
    ids=str,
)
def test_people(person: Any, wrong: list[str]) -> None:
    found = paths(people=[*PEOPLE, person])
    assert found == [f"people.5.{path}" if path else "people.5" for path in wrong]


@pytest.mark.parametrize(
    "everybody", [None, {}, [], people(*(f"P{n}" for n in range(61)))], ids=["null", "{}", "[]", "61"]
)
def test_people_come_in_a_list_of_one_to_sixty(everybody: Any) -> None:
    assert paths(people=everybody, host="A") == ["people"]


@pytest.mark.parametrize(
    ("table", "wrong"),
    [
        ({}, ["lines", "unit"]),
        ({"unit": "euro", "points": {"A": 1}, "rules": 1, "tip": 1}, ["rules", "tip", "unit"]),
        ({"unit": "points"}, ["lines"]),
        ({"unit": "points", "lines": {}}, ["lines"]),
        ({"unit": "points", "points": []}, ["points"]),
        ({"unit": "points", "lines": [], "points": {"Z": 1}}, ["points"]),
        ({"unit": "cents", "points": {"A": 1}}, ["points"]),
        ({"unit": "cents", "points": {"A": 1}, "lines": []}, ["points"]),
        (
            {"unit": "points", "points": {"A": True, "B": 100_001, "C": 1, "Z": "1"}},
            ["points.A", "points.B", "points.C", "points.Z"],
        ),
    ],
    ids=str,
)
def test_tables(table: Any, wrong: list[str]) -> None:
    assert of_table(table) == wrong
    assert paths(tables=[1]) == ["tables.0"]
    assert paths(tables={}) == ["tables"]


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        ({}, ["points", "seats"]),
        ({"seats": ["A"], "points": [1], "tip": 1}, ["tip"]),
        *(
            ({"seats": seats, "points": [1, 1]}, ["seats"])
            for seats in ([], "AB", ["A", "A"], ["A", "C"], ["A", "Z"], ["A", 1], [["A"], {}])
        ),
        ({"seats": ["A"], "points": 1}, ["points"]),
        ({"seats": ["A"], "points": [1, 1]}, ["points"]),
        ({"seats": ["A", "B"], "points": [1, True]}, ["points.1"]),
        ({"seats": ["A", "B"], "points": [-100_001, 1.0]}, ["points.0", "points.1"]),
        ({"seats": ["A"], "top_up": 0}, ["top_up"]),
        ({"seats": ["A"], "points": [1], "top_up": 1}, ["top_up"]),
    ],
    ids=str,
)
def test_lines(line: Any, wrong: list[str]) -> None:
    assert of_line(line, unit="cents" if "top_up" in line else "points") == wrong
    assert of_line({"seats": ["A"], "top_up": 1}, unit="points") == ["top_up"]


def test_of_a_table_without_a_unit_nothing_is_named_that_follows_from_it() -> None:
    assert of_line({"seats": ["A"], "top_up": 1}, unit="x") == ["unit"]
    assert of_table({"unit": "x", "points": {"A": 1}}) == ["unit"]


@pytest.mark.parametrize(
    ("facts", "wrong"),
    [
        *(({"host": host}, ["host"]) for host in ("C", "G", "Z", None, 1)),
        *(({"turn": turn}, ["turn"]) for turn in (-1, 10**9 + 1, True, "1", None)),
        *(
            ({"date": day}, ["date"])
            for day in ("2026-02-29", "20260301", "2026-3-1", "0000-01-01", 1, None, "2026-03-01\n")
        ),
        ({"tip": 1, "tables": 1, "fines": None}, ["fines", "tables", "tip"]),
        *(({"drinks": bill}, ["drinks.cents"]) for bill in ({}, {"cents": 0}, {"cents": None})),
        ({"drinks": 1}, ["drinks"]),
        ({"drinks": {"cents": 1, "paid_by": "Z", "tip": 1}}, ["drinks.paid_by", "drinks.tip"]),
        ({"drinks": {"cents": 1, "paid_by": None}}, ["drinks.paid_by"]),
    ],
    ids=str,
)
def test_the_rest_of_an_evening(facts: dict[str, Any], wrong: list[str]) -> None:
    assert paths(**facts) == wrong


@pytest.mark.parametrize(
    ("row", "wrong"),
    [
        (1, [""]),
        ({}, ["code", "who"]),
        ({"who": "Z", "code": "none", "count": 0, "minutes": -1, "cents": 0}, ["code", "who"]),
        ({"who": "A", "code": "lost", "tip": 1}, ["code", "tip"]),
        ({"who": 1, "code": ["slip"]}, ["code", "who"]),
        *(({"who": "A", "code": "slip", "count": count}, ["count"]) for count in (0, 1000, True, None)),
        ({"who": "A", "code": "phone", "minutes": 1, "cents": 1}, ["cents", "minutes"]),
        ({"who": "A", "code": "late"}, ["minutes"]),
        ({"who": "A", "code": "late", "minutes": 1441, "count": 1}, ["count", "minutes"]),
        ({"who": "A", "code": "glas"}, ["cents"]),
        ({"who": "A", "code": "glas", "cents": 0}, ["cents"]),
    ],
    ids=str,
)
def test_fines(row: Any, wrong: list[str]) -> None:
    assert paths(fines=[row]) == [f"fines.0.{path}" if path else "fines.0" for path in wrong]


def test_a_bill_needs_a_tariff_that_shares_it() -> None:
    assert paths({}, drinks={"cents": 0}) == ["drinks"]


def test_where_an_id_is_refused_nobody_is_called_unknown() -> None:
    named = {
        "host": "Z",
        "drinks": {"cents": 1, "paid_by": "Z"},
        "fines": [{"who": "Z", "code": "slip"}],
        "tables": [
            {"unit": "points", "points": {"Z": 1}},
            {"unit": "points", "lines": [{"seats": ["Z"], "points": [1]}]},
        ],
    }
    guest = {"id": "X", "guest": True, "brought_by": "Z"}
    assert paths(people=[*PEOPLE, guest, {"id": 1}], **named) == ["people.6.id"]
    assert len(paths(people=[*PEOPLE, guest], **named)) == 6


def test_a_refused_word_is_read_as_its_default() -> None:
    """Who is absent in a way that nobody knows is there; whose being a guest is no true or false is a member."""
    tables = [{"unit": "points", "points": {"A": 1}}]
    assert paths(people=[{"id": "A", "absence": "ill"}], tables=tables) == ["people.0.absence"]
    assert paths(people=[{"id": "A", "guest": "yes"}], host="A") == ["people.0.guest"]


# --- The other lines -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("month", "wrong"),
    [
        (1, [""]),
        ({}, ["month", "people"]),
        *(({"month": month, "people": []}, ["month"]) for month in ("2026-13", "2026-1", "0000-01", 3, None)),
        *(({"month": "2026-01", "people": [], "evenings": n}, ["evenings"]) for n in (-1, True, 1.0, None)),
        ({"month": "2026-01", "people": {}, "tip": 1}, ["people", "tip"]),
        ({"month": "2026-01", "people": [1, {}]}, ["people.0", "people.1.id"]),
        (
            {
                "month": "2026-01",
                "people": [{"id": "A"}, {"id": "A", "guest": 1, "dues": "x", "from": "x", "until": 1, "tip": 1}],
            },
            [f"people.1.{key}" for key in ("dues", "from", "guest", "id", "tip", "until")],
        ),
    ],
    ids=str,
)
def test_months(month: Any, wrong: list[str]) -> None:
    found = refused({"tariff": {}, "month": month})
    assert found == [f"month.{path}" if path else "month" for path in wrong]


@pytest.mark.parametrize(
    ("balances", "wrong"),
    [
        *((balances, ["settle"]) for balances in (1, None, {"A": 1}, [["A", 1]] * 61)),
        *(
            ([["A", 1], balance], ["settle.1"])
            for balance in (1, [], ["B"], ["B", 1, 1], ["A", 1], ["kasse", 1], ["", 1], ["x" * 41, 1], [1, 1], "B1")
        ),
        *(([["A", cents]], ["settle.0"]) for cents in (True, 1.0, "1", None, 10**8 + 1, -(10**8) - 1)),
        ([["A", 10**8], ["B", -(10**8)]], []),
        ([], []),
    ],
    ids=lambda value: str(value)[:40],
)
def test_balances(balances: Any, wrong: list[str]) -> None:
    assert refused({"settle": balances}) == wrong


@pytest.mark.parametrize(
    ("sum_", "wrong"),
    [
        (1, [""]),
        ({}, ["cents", "weights"]),
        ({"cents": 10**8 + 1, "weights": [1], "turn": -1, "tip": 1}, ["cents", "tip", "turn"]),
        *(
            ({"cents": 1, "weights": weights}, ["weights"])
            for weights in ([], [1] * 61, [0, "0/3"], [-1, 2], [True], [1.0], ["1/0"], None, 1, "1")
        ),
        ({"cents": -(10**8), "weights": [0, "1/3", 10**9]}, []),
    ],
    ids=lambda value: str(value)[:40],
)
def test_sums(sum_: Any, wrong: list[str]) -> None:
    assert refused({"split": sum_}) == [f"split.{path}" if path else "split" for path in wrong]


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        ({}, ["line"]),
        ({"tariff": {}}, ["line"]),
        ({"settle": [], "split": {}}, ["line"]),
        ({"tariff": {}, "evening": evening(), "month": {}, "tip": 1}, ["line"]),
        ({"evening": evening()}, ["tariff"]),
        ({"month": {}, "booked": []}, ["tariff"]),
        ({"tariff": {}, "evening": 1, "tip": 1}, ["evening", "tip"]),
        ({"tariff": {}, "month": {"month": "2026-01", "people": []}, "booked": []}, ["booked"]),
        ({"settle": [], "tariff": {}, "tip": 1}, ["tariff", "tip"]),
        ({"split": {"cents": 1, "weights": [1]}, "booked": []}, ["booked"]),
        ({"settle": [], "expect": 1, "note": {}}, []),
        ({"tariff": {}, "evening": evening(), "booked": {}}, ["booked"]),
        (
            {"tariff": {}, "evening": evening(), "booked": [1, {}]},
            ["booked.0", *(f"booked.1.{k}" for k in ("account", "cents", "kind"))],
        ),
        (
            {"tariff": {}, "evening": evening(), "booked": [{"account": 1, "kind": None, "cents": 0, "tip": 1}]},
            [f"booked.0.{k}" for k in ("account", "cents", "kind", "tip")],
        ),
        (
            {
                "tariff": {},
                "evening": evening(host="Z"),
                "booked": [{"account": "a", "kind": "k", "cents": 10**10 + 1}],
            },
            ["booked.0.cents", "evening.host"],
        ),
    ],
    ids=lambda value: str(value)[:60],
)
def test_whole_lines(line: Any, wrong: list[str]) -> None:
    assert refused(line) == wrong
