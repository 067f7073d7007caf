"""Decides what a random evening looks like: every rule set and setting, every size of table, every kind of game.

`random_game` and `random_short` make lines that are legal under the rules given, `random_evening` a whole evening of
them, `with_redeals` puts redeals between them, `random_rules` makes a preset or a preset with other settings, and `spoil`
turns a legal line into one to be refused. `JUST_RULES` and `NO_RULES` lie on both sides of what a rule set may hold.
Everything comes from the generator handed in, so a seed repeats an evening.
"""

from tests.rules.random_games.beyond import BEYOND, REFUSED_BEYOND
from tests.rules.random_games.faults import spoil
from tests.rules.random_games.games import CORNERS, Line, random_evening, random_game, random_short, with_redeals
from tests.rules.random_games.just_rules import JUST_RULES
from tests.rules.random_games.no_rules import NO_RULES
from tests.rules.random_games.rule_sets import Rules, random_bock, random_rules, settings_for

__all__ = [
    "BEYOND",
    "CORNERS",
    "JUST_RULES",
    "NO_RULES",
    "REFUSED_BEYOND",
    "Line",
    "Rules",
    "random_bock",
    "random_evening",
    "random_game",
    "random_rules",
    "random_short",
    "settings_for",
    "spoil",
    "with_redeals",
]
