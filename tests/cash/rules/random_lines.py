"""Decides what a legal random line for `manage.py charges` is: one of the four that section 9 of the description knows, with every
part and key of a tariff, alone and together, small and extreme values, and evenings of every form under it. Everything comes from
the generator handed in, so a seed repeats a line."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from tests.cash.rules import reference

Json = dict[str, Any]

CENTS = [0, 1, 10, 20, 50, 99, 100, 250, 333, 1000, 1_000_000]
FROM_1 = [cents for cents in CENTS if cents]
RATES: list[int | str] = [1, 2, 5, 10, 10, 50, 50, 10_000]
RATES += ["1/2", "1/2", "1/8", "1/8", "5/3", "25/2", "7/3", "3", "10", "1/9999", "999999/9999", "010", "3/08"]
CODES = ["late", "phone", "misdeal", "glas", "lost", "x", "a_1", "lost_game2", "z" + "9" * 29]
DRINKS = ["bier", "wasser", "korn", "saft_0_2"]
RULES = ["ddv", "VLN", "klassisch", "Eigene Regeln"]


def random_tariff(rng: random.Random) -> Json:
    """Sometimes without a part, sometimes with one or two, sometimes with all; what is played for more often than others."""
    how_many = rng.choice([0, 0.2, 0.4, 0.4, 0.7, 1])
    played_for = {"points": 0.4, "pot": 0.2} if how_many else {}
    return {part: PARTS[part](rng) for part in PARTS if rng.random() < how_many + played_for.get(part, 0)}


def some(rng: random.Random, keys: Json, chance: float = 0.4) -> Json:
    """Some of these keys."""
    return {key: value for key, value in keys.items() if rng.random() < chance}


def random_round(rng: random.Random) -> Json:
    return some(rng, {"to": rng.choice([1, 5, 10, 50, 100]), "how": rng.choice(["down", "up", "nearest"])}, 0.8)


def random_points(rng: random.Random) -> Json:
    scheme = rng.choice(["minus", "minus", "each", "best", "better", "rank"])
    optional = {
        "scope": rng.choice(["evening", "table", "game"]),
        "guests": rng.choice([True, False]),
        "round": random_round(rng),
        "cap": rng.choice([1, 50, 100, 333, 1000]),
        "factors": {
            name: rng.choice([0, 1, 2, 100, "1/2", "0", "2/3", "100"]) for name in rng.sample(RULES, rng.randint(0, 4))
        },
    }
    points = {"scheme": scheme, **some(rng, optional)}
    if scheme == "rank":
        amounts = rng.choice([[100], [0, 100], [200, 300, 400, 500], [500, 201, 100, 0], [0], [1] * 60])
        return {**points, "amounts": amounts}
    points["rate"] = rng.choice(RATES)
    points |= some(rng, {"dearer": {"beyond": rng.choice([1, 5, 20, 100, 100_000]), "rate": rng.choice(RATES)}})
    if scheme == "minus":
        points |= some(rng, {"winners": rng.choice([0, 1, "1/2", "2/3", "0", "1", "1/9999"])}, 0.6)
    return points


def random_pot(rng: random.Random) -> Json:
    pot = {"buy_in": rng.choice([0, 5, 10, 50, 100, 101]), **some(rng, {"rest": rng.choice(["split", "kasse"])}, 0.7)}
    pot |= some(rng, {"empty": rng.choice(["charge", "warn"])}, 0.6)
    pot |= some(rng, {"top_up": rng.choice([5, 7, 20, 100])}, 0.6)
    if pot.get("empty") != "warn" and pot.get("top_up", pot["buy_in"]) == 0:
        pot["top_up"] = 10
    elif pot.get("empty") == "warn" and rng.random() < 0.2:
        pot["top_up"] = 0
    return pot


def random_fine(rng: random.Random) -> Json:
    name = some(rng, {"name": rng.choice(["Verspätung", "x", "ü" * 60, " "])}, 0.3)
    form = rng.choice(["event", "minutes", "entries", "lost_games", "open"])
    if form == "event":
        return {"cents": rng.choice(CENTS), **name}
    if form == "minutes":
        late = {"cents": rng.choice([1, 50, 100]), "minutes": rng.choice([1, 5, 15, 60, 1440])}
        return {**late, **some(rng, {"cap": rng.choice([1, 120, 500])}, 0.5), **name}
    if form == "open":
        return {"open": True, **name}
    steps = [[rng.choice([1, 2, 3, 10, 999]), rng.choice([0, 50, 100])] for _ in range(rng.choice([0, 1, 2, 8]))]
    counts = {"counts": form} if form == "lost_games" else some(rng, {"counts": form}, 0.5)
    return {"steps": [*steps, [None, rng.choice([0, 100, 200])]], **counts, **name}


def random_absence(rng: random.Random) -> Json:
    words = ["points", "pot", "fines", "drinks"]
    parts = {
        kind: some(rng, {"average": rng.sample(words, rng.randint(0, 4)), "plus": rng.choice(CENTS[:-1])}, 0.8)
        for kind in ("excused", "unexcused")
    }
    return some(rng, {**parts, "round": random_round(rng)}, 0.8)


def random_dues(rng: random.Random) -> Json:
    every = some(rng, {"every": rng.choice(["month", "month", "quarter", "year"])}, 0.7)
    monthly = every.get("every", "month") == "month"
    when = some(rng, {"when": rng.choice(["always", "no_evening", "no_evening"] if monthly else ["always"])}, 0.6)
    return {"cents": rng.choice(CENTS), **every, **when, **some(rng, {"reduced": rng.choice(CENTS)})}


def random_drinks(rng: random.Random) -> Json:
    prices = {code: rng.choice(CENTS[:-1]) for code in rng.sample(DRINKS, rng.randint(0, 4))}
    return some(rng, {"flat": rng.choice(CENTS[:-1]), "list": prices, "shared": rng.random() < 0.8}, 0.7)


def random_leaving(rng: random.Random) -> Json:
    payout = rng.choice(["nothing", "share", "fixed"])
    return {"payout": payout, **({"cents": rng.choice(FROM_1)} if payout == "fixed" else {})}


PARTS: dict[str, Callable[[random.Random], Json]] = {
    "points": random_points,
    "pot": random_pot,
    "fee": lambda rng: {"cents": rng.choice(CENTS), **some(rng, {"absent": rng.choice([True, False])}, 0.6)},
    "guests": lambda rng: some(
        rng,
        {"cents": rng.choice(CENTS), "payer": rng.choice(["guest", "bringer", "bringer", "host", "club", "club"])},
        0.8,
    ),
    "host": lambda rng: {"cents": rng.choice(FROM_1), **some(rng, {"from": rng.choice(["others", "club"])}, 0.6)},
    "drinks": random_drinks,
    "fines": lambda rng: {code: random_fine(rng) for code in rng.sample(CODES, rng.randint(0, 6))},
    "absence": random_absence,
    "dues": random_dues,
    "joining": lambda rng: {"cents": rng.choice(CENTS)},
    "leaving": random_leaving,
}


NAMES = [
    "Anton", "Berta", "Cäsar", "Dora", "Emil", "Fritz", "Gast", "Hans-Günther", "Ida", "Jo", "kasse", "Ω", "0", "berta",
    " ", "n" * 40, *(f"P{number}" for number in range(44)),
]  # fmt: skip


def random_evening(rng: random.Random, tariff: Json) -> Json:
    people = random_people(rng, tariff)
    names = [person["id"] for person in people]
    there = [person["id"] for person in people if person.get("absence") is None]
    hosts = [person["id"] for person in people if person["id"] in there and not person.get("guest")]
    optional: Json = {"turn": rng.choice([0, 1, 2, 3, 7, 100, 10**9]), "date": rng.choice(["2026-03-01", "2024-02-29"])}
    if hosts:
        optional["host"] = rng.choice(hosts)
    if tariff.get("drinks", {}).get("shared"):
        paid_by = some(rng, {"paid_by": rng.choice(names)}, 0.7)
        optional["drinks"] = {"cents": rng.choice([1, 100, 1000, 4567, 1_000_000]), **paid_by}
    evening = {"people": people, **some(rng, optional, 0.6)}
    if there and rng.random() < 0.85:
        evening["tables"] = [random_table(rng, tariff, there) for _ in range(rng.choice([0, 1, 1, 2, 2, 3]))]
    if "fines" in tariff and rng.random() < 0.85:
        evening["fines"] = random_fines(rng, tariff["fines"], names)
    return evening


# --- People -----------------------------------------------------------------------------------------------------------


def random_people(rng: random.Random, tariff: Json) -> list[Json]:
    number = rng.choice([1, 2, 3, 4, 4, 5, 6, 8, 10, 10, 14, rng.randint(15, 60)])
    people = [random_person(rng, name, tariff) for name in rng.sample(NAMES, number)]
    members = [person["id"] for person in people if not person.get("guest")]
    for person in people:
        if rng.random() < 0.05:
            person["brought_by"] = None
        elif person.get("guest") and members and rng.random() < 0.7:
            person["brought_by"] = rng.choice(members)
    return people


def random_person(rng: random.Random, name: str, tariff: Json) -> Json:
    person: Json = {"id": name}
    if rng.random() < 0.3:
        person["guest"] = rng.random() < 0.8
    if rng.random() < 0.3:
        person["absence"] = rng.choice(["excused", "excused", "unexcused", "free", None])
    if person.get("absence") is not None:
        return {**person, **some(rng, {"drinks": {}, "lost": 0}, 0.1)}
    codes = list(tariff.get("drinks", {}).get("list", {}))
    drunk = {code: rng.choice([0, 1, 2, 5, 999]) for code in rng.sample(codes, rng.randint(0, len(codes)))}
    return {**person, **some(rng, {"drinks": drunk, "lost": rng.choice([0, 1, 2, 3, 4, 6, 12, 999])}, 0.5)}


# --- Tables -----------------------------------------------------------------------------------------------------------


def random_table(rng: random.Random, tariff: Json, there: list[str]) -> Json:
    """For the parts of the tariff more often than for none."""
    units = [unit for unit, part in (("points", "points"), ("cents", "pot")) if part in tariff]
    unit = rng.choice([*units * 8, "points", "cents"])
    table: Json = {"unit": unit, **some(rng, {"rules": rng.choice(RULES)}, 0.6)}
    players = rng.sample(there, min(len(there), rng.choice([1, 2, 3, 4, 4, 5, 7])))
    if unit == "points" and rng.random() < 0.5:
        points = dict(zip(players, random_sum(rng, len(players)), strict=True))
        return {**table, "points": {**points, **at_the_border(rng, tariff, players)}}
    lines = [random_line_of(rng, unit, players) for _ in range(rng.choice([0, 1, 2, 3, 5, 8]))]
    return {**table, "lines": lines}


def at_the_border(rng: random.Random, tariff: Json, players: list[str]) -> dict[str, int]:
    """Where points may become dearer, sometimes all have just not enough for it, or one of them has."""
    beyond = tariff.get("points", {}).get("dearer", {}).get("beyond")
    if beyond is None or rng.random() < 0.5:
        return {}
    return {name: rng.choice([-1, 1]) * min(100_000, beyond + rng.choice([0, 0, 0, 0, 1])) for name in players}


def random_line_of(rng: random.Random, unit: str, players: list[str]) -> Json:
    seats = rng.sample(players, rng.randint(1, len(players))) if rng.random() < 0.4 else [*players]
    if unit == "cents" and rng.random() < 0.15:
        return {"seats": seats, "top_up": rng.choice([1, 5, 10, 50, 1_000_000])}
    return {"seats": seats, "points": (random_sum if unit == "points" else random_draw)(rng, len(seats))}


def random_sum(rng: random.Random, number: int) -> list[int]:
    """Mostly a sum of 0, some people level, some with 0."""
    most = rng.choice([1, 3, 10, 30, 100, 250, 100_000])
    points = [rng.randint(-most, most) for _ in range(number)]
    if rng.random() < 0.3:
        points = [rng.choice([-2, 0, 2, points[0]]) for _ in points]
    last = -sum(points[1:])
    return [last, *points[1:]] if rng.random() < 0.7 and abs(last) <= 100_000 else points


def random_draw(rng: random.Random, number: int) -> list[int]:
    """From the pot, into it, or between the players."""
    drawn = rng.choice([5, 10, 15, 40, 130])
    draws = [rng.choice([0, drawn]) for _ in range(number)]
    return rng.choice([draws, draws, draws, [-one for one in draws], [drawn * (number - 1), *[-drawn] * (number - 1)]])


# --- Fines ------------------------------------------------------------------------------------------------------------


def random_fines(rng: random.Random, catalogue: Json, names: list[str]) -> list[Json]:
    codes = [code for code, fine in catalogue.items() if fine.get("counts") != "lost_games"]
    few = names[:3]
    return (
        [random_fine_row(rng, code, catalogue[code], few) for code in rng.choices(codes, k=rng.randint(0, 6))]
        if codes
        else []
    )


def random_fine_row(rng: random.Random, code: str, fine: Json, names: list[str]) -> Json:
    row = {"who": rng.choice(names), "code": code}
    if "open" in fine:
        return {**row, "cents": rng.choice([1, 275, 1_000_000])}
    if "minutes" in fine:
        return {**row, "minutes": rng.choice([0, 1, 4, 5, 6, 11, 60, 1440])}
    return {**row, **some(rng, {"count": rng.choice([1, 2, 3, 5, 999])}, 0.6)}


Line = dict[str, Any]
DAYS = ["2025-12-31", "2026-01-01", "2026-03-01", "2026-03-02", "2026-04-01", "2026-02-28"]


def random_line(rng: random.Random) -> Line:
    kinds: list[Callable[[random.Random], Line]] = [random_charges, random_month, random_settle, random_split]
    (kind,) = rng.choices(kinds, [8, 2, 2, 1])
    return {**kind(rng), **some(rng, {"note": "a note", "expect": {"legs": 1}}, 0.05)}


def random_charges(rng: random.Random) -> Line:
    tariff = random_tariff(rng)
    line = {"tariff": tariff, "evening": random_evening(rng, tariff)}
    if rng.random() < 0.3:
        line["booked"] = random_booked(rng, line)
    return line


def random_booked(rng: random.Random, line: Line) -> list[dict[str, Any]]:
    """What it comes to, of which some is missing, twice there, or another sum; and a leg of something else."""
    booked = []
    for leg in reference.answer(line)["legs"]:
        cents = rng.choice([[leg["cents"]], [leg["cents"]], [], [leg["cents"], 5], [7, -7], [leg["cents"] * 2]])
        booked += [{**leg, "cents": one} for one in cents if abs(one) <= 10**10]
    more = [
        {"account": "member:Xaver", "cents": -300, "kind": "fee"},
        {"account": "bank", "cents": 10**10, "kind": "ä"},
    ]
    return booked + [leg for leg in more if rng.random() < 0.2]


def random_month(rng: random.Random) -> Line:
    tariff = random_tariff(rng)
    if rng.random() < 0.8:
        tariff["dues"] = random_dues(rng)
    people = []
    for name in rng.sample(NAMES, rng.choice([0, 1, 3, 5, 8, 60])):
        optional = {
            "guest": rng.choice([True, False]),
            "dues": rng.choice(["full", "reduced", "reduced", "none"]),
            "from": rng.choice([None, *DAYS]),
            "until": rng.choice([None, *DAYS]),
        }
        people.append({"id": name, **some(rng, optional)})
    month = {"month": rng.choice(["2026-01", "2026-03", "2026-03", "2026-04", "2026-10"]), "people": people}
    return {"tariff": tariff, "month": {**month, **some(rng, {"evenings": rng.choice([0, 0, 1, 5])}, 0.7)}}


def random_split(rng: random.Random) -> Line:
    weights = [
        rng.choice([0, 1, 1, 1, 2, 3, 100, "1/3", "2", "0", "7/2"]) for _ in range(rng.choice([1, 2, 3, 4, 7, 60]))
    ]
    if not any(Fraction(weight) for weight in weights):
        weights[-1] = 10**12
    cents = rng.choice([0, 1, 2, 100, 1000, -1, -5, -1000, 10**8, -(10**8), rng.randint(-5000, 5000)])
    return {"split": {"cents": cents, "weights": weights, **some(rng, {"turn": rng.choice([0, 1, 2, 5, 10**9])}, 0.7)}}


# --- Balances ---------------------------------------------------------------------------------------------------------


def random_settle(rng: random.Random) -> Line:
    """Few people, around the sixteen up to which all partitions are looked at, or many."""
    number = rng.choice([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, rng.randint(13, 17), rng.randint(18, 60)])
    balances = rng.choice([any_balances, few_amounts, groups_of_0])(rng, number)
    names = rng.sample([name for name in NAMES if name != "kasse"], len(balances) - max(0, len(balances) - 59))
    names += [f"Q{place}" for place in range(len(balances) - len(names))]
    return {"settle": [[name, cents] for name, cents in zip(names, balances, strict=True)]}


def any_balances(rng: random.Random, number: int) -> list[int]:
    most = rng.choice([5, 50, 5000, 10**8])
    return [rng.randint(-most, most) for _ in range(number)]


def few_amounts(rng: random.Random, number: int) -> list[int]:
    """Much of it level."""
    return [rng.choice([-300, -200, -100, 0, 100, 200, 300]) for _ in range(number)]


def groups_of_0(rng: random.Random, number: int) -> list[int]:
    balances: list[int] = []
    while len(balances) < number:
        group = [rng.randint(-9, 9) * 50 for _ in range(min(rng.randint(1, 4), number - len(balances) - 1))]
        balances += [*group, -sum(group)]
    rng.shuffle(balances)
    return balances
