"""The five questions by which a tariff is set up: their answers, how an answer changes a tariff, and which answers a tariff
stands for. Parts that are not asked for stay as they are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

# What a point costs, and who gets it: the answer, and what it says of the part `points`.
SCHEMES: Final[Mapping[str, Mapping[str, Any]]] = {
    "kasse": {"scheme": "minus"},
    "half": {"scheme": "minus", "winners": "1/2"},
    "winners": {"scheme": "minus", "winners": 1},
    "each": {"scheme": "each"},
    "best": {"scheme": "best"},
    "better": {"scheme": "better"},
}
NOTHING: Final = "nothing"
OTHER: Final = "other"
# The fines that are offered to tick, as a small club has them.
FINES: Final[Mapping[str, Mapping[str, Any]]] = {
    "misdeal": {"cents": 50},
    "late": {"cents": 50, "minutes": 5, "cap": 500},
    "phone": {"cents": 100},
}


class TariffAnswers(NamedTuple):
    """One answer for each field; amounts in cents. `points` and `absence` are `OTHER` where the tariff says something that no
    answer says."""

    points: str = "kasse"
    rate: int | str = 10
    to: int = 1
    how: str = "nearest"
    cap: int | None = None
    fee: int = 0
    guest: int = 0
    payer: str = "guest"
    absence: str = NOTHING
    missed: int = 0
    dues: int = 0
    fines: tuple[str, ...] = ()


def tariff_of(answers: TariffAnswers, before: Mapping[str, Any]) -> dict[str, Any]:
    """The tariff that these answers make of the one before."""
    found = dict(before)
    _points(found, answers)
    _amount(found, "fee", answers.fee)
    guests = {**found.get("guests", {}), "cents": answers.guest, "payer": answers.payer}
    _set(found, "guests", {key: value for key, value in guests.items() if (key, value) not in _PLAIN_GUEST})
    _absence(found, answers)
    _amount(found, "dues", answers.dues)
    fines = {code: form for code, form in found.get("fines", {}).items() if code not in FINES}
    ticked = {code: found.get("fines", {}).get(code, FINES[code]) for code in answers.fines}
    _set(found, "fines", {**ticked, **fines})
    return found


_PLAIN_GUEST: Final = (("cents", 0), ("payer", "guest"))


def _points(found: dict[str, Any], answers: TariffAnswers) -> None:
    if answers.points == NOTHING:
        found.pop("points", None)
        return
    before = found.get("points", {})
    points = dict(before)
    if answers.points != OTHER:
        points = {key: value for key, value in before.items() if key not in ("scheme", "winners", "amounts")}
        points |= {**SCHEMES[answers.points], "rate": answers.rate}
    rounding = {"to": answers.to, "how": answers.how}
    for key in ("round", "cap"):
        points.pop(key, None)
    if rounding != {"to": 1, "how": "nearest"}:
        points["round"] = rounding
    if answers.cap:
        points["cap"] = answers.cap
    found["points"] = points


def _absence(found: dict[str, Any], answers: TariffAnswers) -> None:
    if answers.absence == OTHER:
        return
    cost: dict[str, Any] = {"average": ["points"]} if answers.absence == "average" else {}
    if answers.absence != NOTHING and answers.missed:
        cost["plus"] = answers.missed
    _set(found, "absence", {"excused": cost, "unexcused": cost} if cost else {})


def _amount(found: dict[str, Any], part: str, cents: int) -> None:
    """A part that costs so much, with whatever else it says; without costs there is none."""
    _set(found, part, {**found.get(part, {}), "cents": cents} if cents else {})


def _set(found: dict[str, Any], part: str, value: dict[str, Any]) -> None:
    if value:
        found[part] = value
    else:
        found.pop(part, None)


def answers_of(tariff: Mapping[str, Any]) -> TariffAnswers:
    """What a tariff answers, as far as the questions go."""
    points, guests = tariff.get("points"), tariff.get("guests", {})
    rounding = (points or {}).get("round", {})
    absence, missed = _missed(tariff)
    return TariffAnswers(
        points=NOTHING if points is None else _scheme(points),
        rate=(points or {}).get("rate", TariffAnswers().rate),
        to=rounding.get("to", 1),
        how=rounding.get("how", "nearest"),
        cap=(points or {}).get("cap"),
        fee=tariff.get("fee", {}).get("cents", 0),
        guest=guests.get("cents", 0),
        payer=guests.get("payer", "guest"),
        absence=absence,
        missed=missed,
        dues=tariff.get("dues", {}).get("cents", 0),
        fines=tuple(code for code in FINES if code in tariff.get("fines", {})),
    )


def _scheme(points: Mapping[str, Any]) -> str:
    said = {key: value for key, value in points.items() if key in ("scheme", "winners", "amounts")}
    said = {key: value for key, value in said.items() if (key, value) not in (("winners", 0), ("winners", "0"))}
    return next((answer for answer, part in SCHEMES.items() if part == said), OTHER)


def _missed(tariff: Mapping[str, Any]) -> tuple[str, int]:
    if "absence" not in tariff:
        return NOTHING, 0
    absence = tariff["absence"]
    cost = absence.get("excused", {})
    is_asked = absence.keys() == {"excused", "unexcused"} and cost == absence["unexcused"]
    if is_asked and cost.get("average", []) in ([], ["points"]):
        return "average" if cost.get("average") else "fixed", cost.get("plus", 0)
    return OTHER, 0
