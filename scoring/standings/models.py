"""Opening balances: the sums that players had before the first evening stored here. They are facts and follow from no game."""

from __future__ import annotations

from typing import Final

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from scoring.club.models import Player
from scoring.rulesets.models import RuleSet

# More than a player reaches in a lifetime.
MOST_POINTS: Final = 1_000_000_000
MOST_COUNTED: Final = 1_000_000
# The figures of an opening balance: fields of its row, and keys of metrics.
FIGURES: Final = ("points", "evenings", "games", "wins", "solos", "solos_won")


class OpeningStanding(models.Model):
    """The opening balance of one player up to and including a day. An unknown figure is null, which is not 0: it is in no sum, and
    a rate uses a figure only if its other part is known."""

    imported = models.ForeignKey("Import", on_delete=models.PROTECT, related_name="openings")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="openings")
    unit = models.CharField(max_length=10, choices=RuleSet.Unit.choices)
    until = models.DateField(_("Stand vom"))
    points = models.IntegerField(_("Punkte"))
    evenings = models.PositiveIntegerField(_("Abende"), null=True, blank=True)
    games = models.PositiveIntegerField(_("Spiele"), null=True, blank=True)
    wins = models.PositiveIntegerField(_("Siege"), null=True, blank=True)
    solos = models.PositiveIntegerField(_("Soli gespielt"), null=True, blank=True)
    solos_won = models.PositiveIntegerField(_("Soli gewonnen"), null=True, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(unit__in=RuleSet.Unit.values), name="opening_unit_known"),
            models.CheckConstraint(condition=Q(points__gte=-MOST_POINTS, points__lte=MOST_POINTS), name="opening_points_in_bounds"),
            models.CheckConstraint(
                condition=(Q(wins=None) | Q(games=None) | Q(wins__lte=F("games")))
                & (Q(solos=None) | Q(games=None) | Q(solos__lte=F("games")))
                & (Q(solos_won=None) | Q(solos=None) | Q(solos_won__lte=F("solos")))
                & (Q(solos_won=None) | Q(wins=None) | Q(solos_won__lte=F("wins"))),
                name="opening_counts_fit",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player_id} until {self.until}: {self.points}"
