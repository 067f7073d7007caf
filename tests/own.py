"""A rule set with special points and kinds of its own, and an evening on which each of them was entered: for tests of the
places that call them by their names."""

from __future__ import annotations

from typing import Any, Final

from scoring.models import Club, RuleSet, Table
from tests.factories import add_game, make_rule_set, make_table

KINDS: Final = {
    "nullo": {"name": "Nullo", "like": "fleischlos", "decided": "hand", "won": 4},
    "schieber": {"name": "Schieberamsch", "like": "ramsch", "won": 3},
    "kleine_armut": {"name": "Kleine Armut", "like": "armut"},
}
SPECIALS: Final = {
    "gans": {"name": "Gans", "points": 1, "most": 2},
    "hirsch": {"name": "Hirsch", "points": {"times": 2}, "of": "game"},
}
NAMES: Final = ("Nullo", "Schieberamsch", "Kleine Armut", "Gans ×2", "Hirsch")


def own_rules(club: Club, name: str = "Eigene", **settings: Any) -> RuleSet:
    own = {"kinds": ["normal", "fleischlos", *KINDS], "specials": SPECIALS, "per_kind": KINDS}
    return make_rule_set(club, "vln", name, **{**own, **settings})


def own_evening(club: Club) -> Table:
    """Three games: one of each own kind; the last with both special points."""
    table = make_table(club, rule_set=own_rules(club))
    add_game(table, kind="nullo", re=[0], winner="re")
    add_game(table, kind="schieber", re=[1], winner="kontra")
    add_game(table, kind="kleine_armut", re=[2, 3], eyes=155, re_specials={"gans": 2}, game_specials={"hirsch": 1})
    return table
