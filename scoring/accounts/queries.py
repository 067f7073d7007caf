"""Where a login is logged in, and what kind of device that is, from what its browser says of itself. No address and no
version is kept, and the key of a session is shown to nobody."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from typing import Final

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import Exists, F, OuterRef, QuerySet
from django.utils import timezone
from django.utils.crypto import salted_hmac

from scoring.accounts.models import DEVICE, SINCE, JoinLink, Session
from scoring.club.models.people import Club, Membership, Player
from scoring.club.queries import usual_players

# What stands in the User-Agent, and what people call it; browsers also name those they are like, so the first that is found
# counts. A library for this knows thousands of devices and is renewed every week; here five words are enough.
_BROWSERS: Final = {
    "Edg": "Edge",
    "OPR/": "Opera",
    "SamsungBrowser": "Samsung Internet",
    "Firefox": "Firefox",
    "FxiOS": "Firefox",
    "CriOS": "Chrome",
    "Chrom": "Chrome",
    "Safari": "Safari",
}
_SYSTEMS: Final = {
    "Android": "Android",
    "iPhone": "iPhone",
    "iPad": "iPad",
    "Windows": "Windows",
    "Macintosh": "Mac",
    "CrOS": "Chromebook",
    "Linux": "Linux",
}


@dataclass(frozen=True)
class Device:
    """One session of a login. `name` identifies it, `here` marks the one that asks. `browser` and `system` are empty where
    they are not known. `since` is None for a session that is older than this list."""

    name: str
    browser: str
    system: str
    since: datetime.date | None
    seen_on: datetime.date
    here: bool


def devices_of(user: User, here: str | None) -> list[Device]:
    """Everywhere this login is logged in: the session with the key `here` first, then the latest seen."""
    sessions = Session.objects.filter(user=user, expire_date__gt=timezone.now()).order_by("-seen_on", "pk")
    return sorted((_device(session, here) for session in sessions), key=lambda device: not device.here)


def browser_and_system(user_agent: str) -> list[str]:
    """The two in the words that people use, empty where nothing known is said."""
    return [next((name for said, name in names.items() if said in user_agent), "") for names in (_BROWSERS, _SYSTEMS)]


def name_of(session_key: str) -> str:
    """A name for a session that a page may show: the session is found by it, but nobody can log in with it."""
    return salted_hmac("scoring.logins.queries", session_key).hexdigest()[:20]


def _device(session: Session, here: str | None) -> Device:
    kept = session.get_decoded()
    browser, system = kept.get(DEVICE, ("", ""))
    return Device(
        name=name_of(session.pk),
        browser=browser,
        system=system,
        since=datetime.date.fromisoformat(kept[SINCE]) if SINCE in kept else None,
        seen_on=session.seen_on,
        here=session.pk == here,
    )


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
