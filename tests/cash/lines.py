"""What the tests of the Kasse's rules share: the answer to one line as it is written, and short forms of an evening."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from scoring.cash.rules.stream import ChargesStream

Line = dict[str, Any]


def answers(*lines: Any) -> list[Line]:
    """The answers as they are written, read again. A line that is no text is written as JSON first."""
    texts = (line if isinstance(line, str) else json.dumps(line) for line in lines)
    return [json.loads(answer) for answer in ChargesStream().answers(texts)]


def answer(line: Any) -> Line:
    (found,) = answers(line)
    return found


def refused(line: Any) -> list[str]:
    """The paths that a line is refused at, sorted; none if it is taken."""
    return sorted(answer(line).get("error", ()))


def people(*ids: str) -> list[Line]:
    return [{"id": who} for who in ids]


def evening(points: dict[str, int] | None = None, **more: Any) -> Line:
    """An evening of one table in points, or of A and B who did not play; `more` replaces or adds."""
    tables = [{"unit": "points", "points": points}] if points else []
    return {"people": people(*(points or "AB")), "tables": tables, **more}


def legs(tariff: Line, facts: Line) -> dict[str, int]:
    """What an evening costs, as "kind account" and cents."""
    return _short(answer({"tariff": tariff, "evening": facts})["legs"])


def dues(tariff: Line, month: Line) -> dict[str, int]:
    """The same of a month."""
    return _short(answer({"tariff": {"dues": tariff}, "month": month})["legs"])


def _short(found: Iterable[Line]) -> dict[str, int]:
    return {f"{leg['kind']} {leg['account'].removeprefix('member:')}": leg["cents"] for leg in found}
