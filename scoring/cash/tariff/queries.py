"""Read the versions of a club's tariff."""

from __future__ import annotations

from django.db.models import Count, QuerySet

from scoring.cash.models import Entry, Tariff
from scoring.club.models import Club
from scoring.play.models import Evening


def list_tariff_versions(club: Club) -> QuerySet[Tariff]:
    """List every version of the tariff, the latest first, with the number of evenings charged by it."""
    return Tariff.objects.filter(club=club).annotate(charged=Count("evenings")).order_by("-version")


def get_current_tariff(club: Club) -> Tariff | None:
    """Return the tariff of the next evening."""
    return Tariff.objects.filter(club=club).order_by("-version").first()


def is_in_use(tariff: Tariff) -> bool:
    """Return whether an evening or an entry names this version."""
    return Evening.objects.filter(tariff=tariff).exists() or Entry.objects.filter(tariff=tariff).exists()
