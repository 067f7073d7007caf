"""What the tests of the Kasse's rules share: the answer to one line as it is written, and short forms of an evening."""

from __future__ import annotations

import json
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


def people(*ids: str) -> list[Line]:
    return [{"id": who} for who in ids]


def evening(points: dict[str, int] | None = None, **more: Any) -> Line:
    """An evening of one table in points, or of A and B who did not play; `more` replaces or adds."""
    tables = [{"unit": "points", "points": points}] if points else []
    return {"people": people(*(points or "AB")), "tables": tables, **more}
