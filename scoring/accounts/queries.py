from __future__ import annotations

import datetime
from typing import Any, Final

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import F, QuerySet
from django.utils import timezone
from django.utils.crypto import salted_hmac

from scoring.accounts.models import DEVICE, SINCE, JoinLink, Session
from scoring.club.models import Club, Membership, Player
from scoring.club.queries import created_by_admin, list_active_players

# Parts of a User-Agent and the name of the product. The first match counts: browsers also name those that they imitate.
_BROWSERS: Final = {
    "Edg": "Edge", "OPR/": "Opera", "SamsungBrowser": "Samsung Internet", "Firefox": "Firefox", "FxiOS": "Firefox",
    "CriOS": "Chrome", "Chrom": "Chrome", "Safari": "Safari",
}  # fmt: skip
_SYSTEMS: Final = {
    "Android": "Android", "iPhone": "iPhone", "iPad": "iPad", "Windows": "Windows", "Macintosh": "Mac", "CrOS": "Chromebook",
    "Linux": "Linux",
}  # fmt: skip


def list_devices(user: User, current_key: str | None) -> list[dict[str, Any]]:
    """Return the sessions of a login, the current one first, then the latest seen. Unknown browsers and systems are empty."""
    devices = []
    for session in Session.objects.filter(user=user, expire_date__gt=timezone.now()).order_by("-seen_on", "pk"):
        data = session.get_decoded()
        browser, system = data.get(DEVICE, ("", ""))
        devices.append(
            {
                "name": hash_session_key(session.pk),
                "browser": browser,
                "system": system,
                "since": datetime.date.fromisoformat(data[SINCE]) if SINCE in data else None,
                "seen_on": session.seen_on,
                "current": session.pk == current_key,
            }
        )
    return sorted(devices, key=lambda device: not device["current"])


def parse_user_agent(user_agent: str) -> list[str]:
    """Return the names of browser and system, each empty where it is unknown. Versions are not stored."""
    return [next((name for part, name in names.items() if part in user_agent), "") for names in (_BROWSERS, _SYSTEMS)]


def hash_session_key(session_key: str) -> str:
    """Return a name of a session that a page may show: it finds the session, but does not log in."""
    return salted_hmac("scoring.logins.queries", session_key).hexdigest()[:20]


def list_open_join_links(club: Club | None = None) -> QuerySet[JoinLink]:
    """Return the usable links, newest first: not ended, not expired, uses left, and made by a user who is still an admin."""
    today = timezone.localdate()
    links = JoinLink.objects.filter(created_by_admin(), ended_at=None, ends_on__gte=today, uses__lt=F("most_uses"))
    return (links if club is None else links.filter(club=club)).select_related("club").order_by("-pk")


def is_member(club: Club, user: User | AnonymousUser) -> bool:
    return Membership.objects.filter(club=club, user=user.pk or 0).exists()


def list_players_without_login(club: Club) -> QuerySet[Player]:
    return list_active_players(club).filter(user=None)
