"""Which section of the help belongs to which page: that of its topic, but where its address says more."""

from __future__ import annotations

from typing import Final

# Each is an anchor of the page, in German and in English; the first is the top.
SECTIONS: Final = (
    "help", "people", "evening", "correcting", "closing", "month", "kasse", "list", "old-list", "rules", "trouble",
)  # fmt: skip

_OF_TOPIC: Final = {
    "accounts": "trouble",
    "club": "people",
    "installation": "people",
    "table": "evening",
    "evenings": "evening",
    "league": "month",
    "cash": "kasse",
    "standings": "list",
    "players": "list",
    "imports": "old-list",
    "rulesets": "rules",
    "whatif": "rules",
}
_OF_ADDRESS: Final = {
    "join": "people",
    "join_links": "people",
    "evening_mend": "closing",
    "game": "correcting",
    "game_delete": "correcting",
    "game_insert": "correcting",
    "game_insert_behind": "correcting",
    "game_up": "correcting",
    "game_down": "correcting",
    "history": "correcting",
    "evening_close": "closing",
    "result": "closing",
    "paper": "closing",
    "club_delete": "help",
    "installation": "help",
}


def section_of(topic: str, address: str) -> str:
    """`topic` is the folder of the view in scoring/, `address` the name that urls.py has for it."""
    return _OF_ADDRESS.get(address) or _OF_TOPIC.get(topic, SECTIONS[0])
