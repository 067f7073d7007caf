"""Build random evenings: all rule sets and settings, all sizes of table, all kinds of game.

`random_game` and `random_short` make lines that are legal under the rules given, `random_evening` a whole evening of
them, `with_redeals` puts redeals between them, `random_rules` makes a preset or a preset with other settings, and `spoil`
turns a legal line into one to be refused. `VALID_RULES` and `INVALID_RULES` lie on both sides of what a rule set may hold.
Everything comes from the generator handed in, so a seed repeats an evening.
"""

from tests.rules.random_games.games import CORNERS, Line, random_evening, random_game, random_short, spoil, with_redeals
from tests.rules.random_games.limit_cases import INVALID_RULES, TOO_HIGH, TOO_HIGH_REFUSED, VALID_RULES
from tests.rules.random_games.rule_sets import Rules, random_bock, random_rules, settings_for

__all__ = [
    "CORNERS",
    "INVALID_RULES",
    "TOO_HIGH",
    "TOO_HIGH_REFUSED",
    "VALID_RULES",
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
