"""Which invitations by link stand, and whom somebody who joins may say they are."""

from __future__ import annotations

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import Exists, F, OuterRef, QuerySet
from django.utils import timezone

from scoring.club.models.people import Club, Membership, Player
from scoring.club.queries import usual_players

from .models import JoinLink


def open_links(club: Club | None = None) -> QuerySet[JoinLink]:
    """The links by which somebody can join, the latest first: not ended, not past their day, not used up, and whoever made
    them still runs the club."""
    by_admin = Membership.objects.filter(
        club=OuterRef("club"), user=OuterRef("created_by"), admin=True, user__is_active=True
    )
    links = JoinLink.objects.filter(
        Exists(by_admin), ended_at=None, ends_on__gte=timezone.localdate(), uses__lt=F("most_uses")
    )
    return (links if club is None else links.filter(club=club)).select_related("club").order_by("-pk")


def belongs_to(club: Club, user: User | AnonymousUser) -> bool:
    return Membership.objects.filter(club=club, user=user.pk or 0).exists()


def free_people(club: Club) -> QuerySet[Player]:
    """Who of the club has no login yet and has not left, by name."""
    return usual_players(club).filter(user=None)
