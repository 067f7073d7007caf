"""The entry to the demo: one tap makes a club for this visitor and opens its table."""

from __future__ import annotations

from typing import Final

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.models import User
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from scoring.accounts.access import count_today
from scoring.accounts.views import log_in_directly
from scoring.club.access import get_own_login, list_clubs
from scoring.club.models import Club
from scoring.demo.cast import KREUZ_DAME
from scoring.demo.visitors import NoDemoLeft, make_visitors_club
from scoring.evenings.queries import list_open_tables

# Demo clubs a day for one network address (IPv6: a /64), enough for three phones of a household; and the name of their counter.
DAILY_LIMIT: Final = 3
COUNTER: Final = "demo"


@require_POST
def visit(request: HttpRequest) -> HttpResponse:
    """Redirect to the table of the visitor's own demo club, which the first tap makes; beyond the limit to the shared club."""
    if not settings.DEMO:
        raise Http404(_("Das gibt es hier nicht."))
    if isinstance(get_own_login(request), User):
        messages.info(request, _("Die Demo ist für Gäste: bitte zuerst abmelden."))
        return redirect("home")
    club = list_clubs(request.user).first() if isinstance(request.user, User) else None
    if club is None:
        try:
            with transaction.atomic():
                here, _of_all = count_today(request, COUNTER)
                if here > DAILY_LIMIT:
                    raise NoDemoLeft
                club, visitor = make_visitors_club()
        except NoDemoLeft as refused:
            shared = Club.objects.filter(slug=KREUZ_DAME, demo_until__isnull=False).first()
            if shared is None or not shared.is_public:
                messages.info(request, str(refused))
                return redirect("home")
            messages.info(request, _("Eine eigene Demo gibt es gerade nicht mehr. Das hier ist die gemeinsame, zum Ansehen."))
            return redirect("club", shared.slug)
        log_in_directly(request, visitor)
        messages.info(request, _("Zum Ausprobieren: antippen, wer Re ist, dann das Ergebnis."))
    running = list_open_tables(club)
    return redirect("table", club.slug, running[0].pk) if running else redirect("club", club.slug)
