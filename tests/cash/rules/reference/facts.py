"""Decides which facts of an evening or a month are refused, and where (section 9)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.cash.rules.reference.company import ABSENCES, Company
from tests.cash.rules.reference.judging import (
    BOOLEAN,
    CENTS_FROM_1,
    DATE,
    ID,
    Judge,
    anything,
    forbidden,
    integer,
    is_month,
    judge_object,
    list_of,
    object_of,
    or_null,
    value_that,
    word,
)
from tests.cash.rules.reference.tables import judge_table

Json = dict[str, Any]
TURN = integer(0, 10**9)


def faults_of_evening(evening: Any, tariff: Json) -> list[str]:
    """Section 9, `evening`. The tariff is one that stands."""
    company = Company(evening.get("people") if isinstance(evening, dict) else None)
    keys: dict[str, Judge] = {
        "people": people_list(person_of(company, tariff), 1, 60),
        "tables": list_of(lambda value, path: judge_table(value, path, company)),
        "host": named(lambda name: not company.is_not_there(name) and not company.is_no_member(name)),
        "drinks": bill_of(company, tariff),
        "fines": list_of(lambda value, path: judge_fine_row(value, path, company, tariff)),
        "turn": TURN,
        "date": DATE,
    }
    return judge_object(evening, "evening", keys, ["people"])


def people_list(judge: Judge, low: int, high: int | None = None) -> Judge:
    """Section 9: an id once. The later ones are at fault."""

    def judge_people(value: Any, path: str) -> list[str]:
        faults = list_of(judge, low, high)(value, path)
        if path in faults:
            return faults
        names = [person.get("id") if isinstance(person, dict) else None for person in value]
        twice = [place for place, name in enumerate(names) if isinstance(name, str) and name in names[:place]]
        return faults + [f"{path}.{place}.id" for place in twice]

    return judge_people


def named(is_right: Callable[[str], bool]) -> Judge:
    """The name of somebody for whom that is so."""
    return value_that(lambda value: isinstance(value, str) and is_right(value))


def person_of(company: Company, tariff: Json) -> Judge:
    """Section 9, `people`: one of them, under this tariff."""
    prices = tariff.get("drinks", {}).get("list", {})
    drinks = object_of({code: integer(0, 999) for code in prices})

    def judge_person(value: Any, path: str) -> list[str]:
        if not isinstance(value, dict):
            return [path]
        is_absent, is_guest = value.get("absence") in ABSENCES, value.get("guest") is True
        bringer = named(lambda name: not company.is_no_member(name))
        keys: dict[str, Judge] = {
            "id": ID,
            "guest": BOOLEAN,
            "absence": or_null(word(*ABSENCES)),
            "brought_by": or_null(bringer if is_guest else forbidden),
            "drinks": lambda drunk, at: (
                drinks(drunk, at) + ([at] if is_absent and isinstance(drunk, dict) and drunk else [])
            ),
            "lost": integer(0, 0) if is_absent else integer(0, 999),
        }
        return judge_object(value, path, keys, ["id"])

    return judge_person


def bill_of(company: Company, tariff: Json) -> Judge:
    """Section 9: the bill is refused where it is not `shared`; who paid may be absent."""
    if not tariff.get("drinks", {}).get("shared", False):
        return forbidden
    paid_by = named(lambda name: not company.is_unknown(name))
    return object_of({"cents": CENTS_FROM_1, "paid_by": paid_by}, ["cents"])


def judge_fine_row(value: Any, path: str, company: Company, tariff: Json) -> list[str]:
    """Section 9, `fines`: `count`, `minutes` or `cents`, whichever its form has; not judged where the code is refused."""
    who = named(lambda name: not company.is_unknown(name))
    entered = {code: fine for code, fine in tariff.get("fines", {}).items() if fine.get("counts") != "lost_games"}
    code = value.get("code") if isinstance(value, dict) else None
    if not isinstance(code, str) or code not in entered:
        keys = {"who": who, "code": forbidden, "count": anything, "minutes": anything, "cents": anything}
        return judge_object(value, path, keys, ["who", "code"])
    keys, required = {"who": who, "code": anything}, ["who"]
    if "open" in entered[code]:
        keys, required = {**keys, "cents": CENTS_FROM_1}, ["who", "cents"]
    elif "minutes" in entered[code]:
        keys, required = {**keys, "minutes": integer(0, 1440)}, ["who", "minutes"]
    else:
        keys = {**keys, "count": integer(1, 999)}
    return judge_object(value, path, keys, required)


def faults_of_month(month: Any) -> list[str]:
    """Section 9, `month`."""
    person = object_of(
        {
            "id": ID,
            "guest": BOOLEAN,
            "dues": word("full", "reduced", "none"),
            "from": or_null(DATE),
            "until": or_null(DATE),
        },
        ["id"],
    )
    keys = {"month": value_that(is_month), "evenings": integer(0), "people": people_list(person, 0)}
    return judge_object(month, "month", keys, ["month", "people"])
