"""What the tests of evenings and money begin with: a tariff of the club, and what an evening costs as plain figures."""

from __future__ import annotations

from typing import Any

from scoring.cash.evening.queries import get_standing_entry
from scoring.cash.tariff.actions import change_tariff
from scoring.club.actions import Actor
from scoring.models import Club, Entry, Evening, Leg, Tariff

# 10 ct for a minus point, 1 € for the evening, 2 € for a guest, 3 € for whoever is absent.
SMALL: dict[str, Any] = {
    "points": {"scheme": "minus", "rate": 10},
    "fee": {"cents": 100},
    "guests": {"cents": 200},
    "fines": {"late": {"cents": 50, "minutes": 5, "cap": 500}, "misdeal": {"cents": 50}, "other": {"open": True}},
    "absence": {"excused": {"plus": 300}},
}
TREASURER = Actor(treasurer=True, admin=True)


def give_tariff(club: Club, **content: Any) -> Tariff:
    """The next tariff of the club: the small one, with other parts laid over it."""
    latest = Tariff.objects.filter(club=club).order_by("-version").first()
    return change_tariff(club=club, actor=TREASURER, content={**SMALL, **content}, seen=latest.version if latest else 0)


def costs(evening: Evening) -> dict[str, int]:
    """What the books say an evening costs each person, by name, and `kasse` what everything else comes to."""
    found: dict[str, int] = {}
    for leg in Leg.objects.filter(entry=get_standing_entry(evening)).select_related("account__player"):
        name = leg.account.player.name if leg.account.player else "kasse"
        found[name] = found.get(name, 0) + leg.cents
    return found


def booked(evening: Evening) -> list[str]:
    """The kinds of everything that was ever booked of an evening, in order."""
    return list(Entry.objects.filter(evening=evening).order_by("pk").values_list("kind", flat=True))
