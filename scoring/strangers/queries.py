"""What a club shows to strangers, for the page on which an admin sets it."""

from __future__ import annotations

from typing import NamedTuple

from scoring.club.models import Club, Player
from scoring.league.models import MonthClosing
from scoring.play.models import Evening
from scoring.play.queries import filter_evenings


class Examples(NamedTuple):
    """What strangers could look at: the last published month and the last closed evening, None where there is none; and how
    many people they read as an initial."""

    month: MonthClosing | None
    evening: Evening | None
    by_initial: int


def read_examples(club: Club) -> Examples:
    """What an admin is shown beside the switches. Three queries."""
    closings = MonthClosing.objects.filter(season__club=club).defer("content", "file")
    evenings = Evening.objects.filter(filter_evenings("", closed_only=True), club=club)
    return Examples(
        month=closings.order_by("-month", "-pk").first(),
        evening=evenings.order_by("-held_on", "-pk").first(),
        by_initial=Player.objects.filter(club=club, by_initial=True, merged_into=None).count(),
    )
