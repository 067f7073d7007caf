"""Turns one row of a sheet into a line: a game in the short form where the rules give exactly these points for one,
otherwise a correction by hand. So the totals are always those of the file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from django.utils.translation import gettext as _

from scoring.imports.actions.lists import ListLine
from scoring.play.models import Game
from scoring.rules.outcome import score
from scoring.rules.parsing import parse_line
from scoring.rules.settings import RuleSettings
from scoring.rules.validation import Refused


def line_of(points: Sequence[int | None], rules: RuleSettings) -> ListLine:
    """What one row brought the people of the table, None to who has no points in it. `rules` are those of a table of so
    many, without Bock."""
    game = _short(points, rules)
    if game is not None:
        return ListLine(Game.Form.SHORT, game)
    reason = _("übernommen")
    return ListLine(Game.Form.CORRECTION, {"points": [brought or 0 for brought in points], "reason": reason})


def looks_dealt(points: Iterable[int]) -> bool:
    """Could a game between two and two, or one against three, have brought these points under any usual rules?"""
    brought = sorted(abs(entry) for entry in points if entry)
    return len(brought) in (2, 4) and brought[0] == brought[-2] and brought[-1] in (brought[0], 3 * brought[0])


def _short(points: Sequence[int | None], rules: RuleSettings) -> dict[str, Any] | None:
    """The game in the short form that brings exactly this, None where there is none."""
    out = _sitting_out(points, rules)
    won = [seat for seat, brought in enumerate(points) if brought and brought > 0]
    lost = [seat for seat, brought in enumerate(points) if brought and brought < 0]
    if out is None or not (won or lost):
        return None
    playing = [seat for seat in range(rules.table) if seat not in out]
    for winners in (won, [seat for seat in playing if seat not in lost]):
        solo = 1 in (len(winners), len(playing) - len(winners))
        for base in sorted({abs(brought) for brought in points if brought}):
            facts = _facts(winners, base, solo, out)
            if _brings(facts, points, rules):
                return facts
    return None


def _facts(winners: Sequence[int], base: int, solo: bool, out: Sequence[int]) -> dict[str, Any]:
    return {
        "winners": list(winners),
        "base": base,
        **({"solo": True} if solo else {}),
        **({"out": list(out)} if out else {}),
    }


def _sitting_out(points: Sequence[int | None], rules: RuleSettings) -> list[int] | None:
    """Who sits out: those without points, else those with 0; None where that is not as many as these rules have."""
    for nothing in (None, 0):
        out = [seat for seat, brought in enumerate(points) if brought == nothing and type(brought) is type(nothing)]
        if len(out) == rules.sitters:
            return out
        if out:
            return None
    return None if rules.sitters else []


def _brings(facts: dict[str, Any], points: Sequence[int | None], rules: RuleSettings) -> bool:
    try:
        read = parse_line(Game.Form.SHORT, facts, rules)
    except Refused:
        return False
    return list(score(read, rules).points) == [brought or 0 for brought in points]  # type: ignore[arg-type]  # the short form is read as such
