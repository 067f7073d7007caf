"""Decides what random evenings look like under a tariff: who is there, tables of every form, host, drinks and fines."""

from __future__ import annotations

import random
from typing import Any

from tests.cash.rules.random_records.tariffs import RULES, some

Json = dict[str, Any]
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
