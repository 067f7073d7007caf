"""How the facts of a line are kept: one game is written down in one way only, however it was typed, so that the same
game is recognised when it comes again.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

_DEFAULTS: Final[Mapping[str, Any]] = {
    "duty": False,
    "re_said": "none",
    "kontra_said": "none",
    "starts_bock": 0,
    "re_specials": {},
    "kontra_specials": {},
}
_SEATS: Final = ("out", "re", "winners")


def canonical(facts: Mapping[str, Any]) -> dict[str, Any]:
    """Judged facts without the fields and special points that say nothing, seats ascending."""
    kept = {field: _plain(field, value) for field, value in facts.items()}
    return {field: value for field, value in kept.items() if field not in _DEFAULTS or value != _DEFAULTS[field]}


def _plain(field: str, value: Any) -> Any:
    if field in _SEATS:
        return sorted(value)
    if field in ("re_specials", "kontra_specials"):
        return {special: count for special, count in value.items() if count}
    return value
