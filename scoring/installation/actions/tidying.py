"""Deletes what nobody needs any more: ended sessions, failed logins that no longer count, late entries that were discarded
long ago, invitations that ended long ago, files that nobody took in, clubs that were founded without a link and stayed empty,
logins without a club, and history that a club need not keep. It deletes some rows at a time, so that a game that is saved
meanwhile waits for a few rows only. Several processes may do it at once."""

from __future__ import annotations

import datetime
import logging
import time
from contextlib import suppress
from functools import lru_cache
from typing import Any, Final

from axes.handlers.proxy import AxesProxyHandler
from django.conf import settings
from django.contrib.auth.models import User
from django.core.mail import send_mail
from django.db.models import Max, Model, Q, QuerySet
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import override

from scoring.accounts.actions import delete_login
from scoring.accounts.models import JoinLink, LoginWithoutClub, Session
from scoring.archive.models import WaitingArchive
from scoring.club.models import VISITOR_MARK, Change, Club
from scoring.core.errors import ActionRefused
from scoring.imports.actions.lists import KEPT
from scoring.imports.models import Import
from scoring.installation.actions.deletion import delete_unused_club
from scoring.installation.queries import EMPTY_FOR, unused_clubs
from scoring.privacy.actions.retention import forget_old_history
from scoring.table.models import LateEntry

logger = logging.getLogger(__name__)

# What says until when this installation was used: models, each with the moment of its rows, and which of these count. Sessions, the
# last login and the demo say nothing: a visitor who looks at it while the clock is ahead leaves rows of that day.
STORED: Final[tuple[tuple[type[Model], str, Q], ...]] = (
    (Change, "at", Q(club__demo_until=None)),
    (User, "date_joined", ~Q(username__contains=VISITOR_MARK)),
    (Import, "uploaded_at", Q()),
    (WaitingArchive, "uploaded_at", Q()),
)
# If nothing was stored for longer, the clock may be ahead.
QUIET: Final = datetime.timedelta(days=2)
# A discarded late entry stays for a phone that sends it once more, and so long no phone lies in a drawer with it.
DISCARDED_FOR: Final = datetime.timedelta(weeks=8)
# So long whoever opens an invitation that is over is told so; later there is none.
OVER_FOR: Final = datetime.timedelta(weeks=8)
# So long before it goes an empty club is announced to its founder. It never goes sooner, also where the server was off, or its
# clock was ahead, when the day came.
ANNOUNCED_FOR: Final = datetime.timedelta(days=3)
# Rows that go in one transaction, and the seconds in which others write before the next.
PIECE: Final = 200
PAUSE: Final = 0.1


def tidy() -> int:
    """Delete all of that, and return how many rows went. If nothing was stored for two days, the clock may be ahead: then only
    failed logins go, and the rest waits until something is stored."""
    now = timezone.now()
    cleared = _clear(AxesProxyHandler.get_implementation().expired(), PIECE)
    newest = _newest_stored()
    if newest is not None and now - newest > QUIET:
        _warn_of_clock(newest)
        return cleared
    return (
        cleared
        + _clear(Session.objects.filter(expire_date__lt=now), PIECE)
        + _clear(LateEntry.objects.filter(discarded=True, arrived_at__lt=now - DISCARDED_FOR), PIECE)
        + _clear(JoinLink.objects.filter(ends_on__lt=(now - OVER_FOR).date()), PIECE)
        + _clear(Import.objects.filter(imported_at=None, tables=None, uploaded_at__lt=now - KEPT), 1)
        + _clear(WaitingArchive.objects.filter(uploaded_at__lt=now - KEPT), 1)
        + _clear_unused_clubs(timezone.localdate(now))
        + _clear_logins(now)
        + forget_old_history(now=now)
    )


def _newest_stored() -> datetime.datetime | None:
    """Return the latest moment of what is stored."""
    found = [model._default_manager.filter(which).aggregate(newest=Max(field))["newest"] for model, field, which in STORED]
    return max((moment for moment in found if moment is not None), default=None)


@lru_cache(maxsize=1)
def _warn_of_clock(newest: datetime.datetime) -> None:
    """Log that tidying waits, once until something else is the newest: a site may be quiet for weeks."""
    logger.warning("Tidying waits: it is more than two days later than the newest thing that is stored. Is the clock right?")


def _clear(rows: QuerySet[Any], piece: int) -> int:
    """Delete these rows, unless they are others by then. Uploads go one by one: each can be large."""
    cleared = 0
    while found := list(rows.values_list("pk", flat=True)[:piece]):
        cleared += rows.filter(pk__in=found).delete()[0]
        if len(found) == piece:
            time.sleep(PAUSE)
    return cleared


def _clear_unused_clubs(today: datetime.date) -> int:
    """Announce which clubs will be deleted because they are empty, and delete those that were announced long enough."""
    for club in unused_clubs().filter(goes_on=None, founded_openly_at__date__lte=today + ANNOUNCED_FOR - EMPTY_FOR):
        _announce(club, today)
    cleared = 0
    for club in unused_clubs().filter(goes_on__lte=today):
        with suppress(Club.DoesNotExist):  # deleted in this moment
            cleared += delete_unused_club(club=club)
        time.sleep(PAUSE)
    return cleared


def _announce(club: Club, today: datetime.date) -> None:
    """Set the day on which an empty club goes, and mail it to its founder in every language. If the mail cannot be sent, the club
    stays, and the next tidying announces it again."""
    goes_on = max(timezone.localdate(club.founded_openly_at) + EMPTY_FOR, today + ANNOUNCED_FOR)
    # Of two processes one announces.
    if not Club.objects.filter(pk=club.pk, goes_on=None).update(goes_on=goes_on) or not (settings.CAN_MAIL and settings.SITE_URL):
        return
    context = {"club": club, "goes_on": goes_on, "site": settings.SITE_URL}
    subjects, texts = [], []
    for language, _name in settings.LANGUAGES:  # nothing is stored of what the founder reads
        with override(language):
            subjects.append(_("Ein leerer Club wird gelöscht"))
            texts.append(render_to_string("scoring/installation/unused_email.txt", context).strip())
    for user in User.objects.filter(memberships__club=club, is_active=True).exclude(email=""):
        try:
            send_mail(" / ".join(subjects), "\n\n--\n\n".join(texts) + "\n", None, [user.email])
        except OSError:
            logger.exception("A mail was not sent.")
            Club.objects.filter(pk=club.pk).update(goes_on=None)


def _clear_logins(now: datetime.datetime) -> int:
    """Notice which logins belong to no club, and delete those of which that was noticed long ago. Whoever runs the
    installation needs no club."""
    LoginWithoutClub.objects.filter(user__memberships__isnull=False).delete()
    noticed = User.objects.filter(memberships=None, without_club=None, is_superuser=False)
    LoginWithoutClub.objects.bulk_create([LoginWithoutClub(user=user) for user in noticed], ignore_conflicts=True)
    long_ago = now - datetime.timedelta(days=settings.LOGINS_WITHOUT_CLUB_DAYS)
    cleared = 0
    for user in User.objects.filter(without_club__since__lt=long_ago):
        try:
            delete_login(user=user)
        except (ActionRefused, User.DoesNotExist):
            continue  # it joined a club in this moment, or somebody else deleted it
        cleared += 1
        time.sleep(PAUSE)
    return cleared
