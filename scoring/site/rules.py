"""Find the section of the help for a page: by the name of its address, else by its topic."""

from __future__ import annotations

from typing import Final

# The anchors of the help in every language; the first is its top.
SECTIONS: Final = (
    "help", "people", "evening", "correcting", "closing", "month", "kasse", "list", "old-list", "rules", "trouble",
)  # fmt: skip

_OF_TOPIC: Final = {
    "accounts": "trouble", "club": "people", "table": "evening", "evenings": "evening", "league": "month", "cash": "kasse",
    "standings": "list", "players": "list", "imports": "old-list", "rulesets": "rules", "whatif": "rules",
}
_CORRECTING: Final = ("game", "game_delete", "game_insert", "game_insert_behind", "game_up", "game_down", "history")
_OF_ADDRESS: Final = {
    **dict.fromkeys(("join", "join_links", "found", "founding_link", "founding_open"), "people"),
    **dict.fromkeys(("evening_mend", "evening_close", "result", "paper"), "closing"),
    **dict.fromkeys(_CORRECTING, "correcting"),
}


def get_section(topic: str, address: str) -> str:
    """Return the section for a page. `topic` is the folder of its view in scoring/, `address` its name in urls.py."""
    return _OF_ADDRESS.get(address) or _OF_TOPIC.get(topic, SECTIONS[0])
