"""Find the section of the help for a page: by the name of its address, else by its topic."""

from __future__ import annotations

from typing import Final

# The anchors of the help in every language; the first is its top.
SECTIONS: Final = (
    "help", "people", "evening", "correcting", "closing", "month", "kasse", "list", "old-list", "rules", "trouble",
)  # fmt: skip

_OF_TOPIC: Final = {
    "accounts": "trouble",
    "club": "people",
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
    "found": "people",
    "founding_link": "people",
    "founding_open": "people",
}


def get_section(topic: str, address: str) -> str:
    """Return the section for a page. `topic` is the folder of its view in scoring/, `address` its name in urls.py."""
    return _OF_ADDRESS.get(address) or _OF_TOPIC.get(topic, SECTIONS[0])
