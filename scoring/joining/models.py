"""The invitation of a club that is a link: whoever holds it may join, so many people until such a day."""

from __future__ import annotations

from typing import Final

from django.db import models
from django.db.models import F, Q

from scoring.club.models.people import Club
from scoring.core.links import SecretLink

# More people than a club invites at once; whoever needs more makes another one.
MOST: Final = 50


class JoinLink(SecretLink):
    """What a club offers to the next `most_uses` people who open it, up to and with the day `ends_on`. Whoever joins by it
    reads, and has these roles besides."""

    salt = "scoring.JoinLink"

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="join_links")
    scorer = models.BooleanField(default=False)
    treasurer = models.BooleanField(default=False)
    admin = models.BooleanField(default=False)
    most_uses = models.PositiveSmallIntegerField(default=1)
    uses = models.PositiveSmallIntegerField(default=0)
    ends_on = models.DateField()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(most_uses__gte=1, most_uses__lte=MOST), name="join_link_for_some"),
            models.CheckConstraint(condition=Q(uses__lte=F("most_uses")), name="join_link_used_at_most"),
            models.CheckConstraint(condition=Q(admin=False) | Q(most_uses=1), name="join_link_one_admin"),
        ]

    def __str__(self) -> str:
        return f"{self.club_id}/{self.pk}"
