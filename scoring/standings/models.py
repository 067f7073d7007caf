"""What people had brought together before the first evening that is kept here: a sum without days, which follows from no game.
It is a fact, typed or read from an old list, and belongs to the import that brought it."""

from __future__ import annotations

from typing import Final

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from scoring.club.models import Player
from scoring.rulesets.models import RuleSet

# More than anybody comes to in a life.
MOST_POINTS: Final = 1_000_000_000
MOST_COUNTED: Final = 1_000_000


class OpeningStanding(models.Model):
    """What one person had up to a day, that day included. What is not known is null, which is no 0: it is in no sum, and no
    rate takes anything from a figure whose other part is missing."""

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
            models.CheckConstraint(
                condition=Q(points__gte=-MOST_POINTS, points__lte=MOST_POINTS), name="opening_points_in_bounds"
            ),
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
