"""The tariff of a club: its versions, and the two pages that change it after a preview of the last evening by it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from scoring.cash.evening.queries import get_last_evening, read_facts
from scoring.cash.evening.texts import build_bills
from scoring.cash.forms import build_unusual_warning
from scoring.cash.ledger.queries import hash_shown
from scoring.cash.models import Tariff
from scoring.club.access import Access, Role, get_club
from scoring.core.database import snapshot
from scoring.core.errors import ActionRefused
from scoring.core.text import parse_whole

from .actions import change_tariff
from .forms import TariffForm, TariffQuestionsForm
from .queries import get_current_tariff, list_tariff_versions
from .rules import list_amounts
from .texts import build_sections, compare_sections


@require_safe
def tariff(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the tariff of the club, or an earlier version (`?version=`), and the difference from the version before."""
    access = get_club(request, slug, Role.READER)
    versions = list(list_tariff_versions(access.club))
    version = parse_whole(request.GET.get("version"))
    shown = next((one for one in versions if one.version == version), versions[0] if versions else None)
    before = next((one for one in versions if shown and one.version == shown.version - 1), None)
    context = {
        "access": access,
        "section": "cash",
        "tariff": shown,
        "versions": versions,
        "before": before,
        "differences": compare_sections(before, shown) if before and shown else [],
        "sections": build_sections(shown) if shown else [],
    }
    return render(request, "scoring/cash/tariff.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def tariff_questions(request: HttpRequest, slug: str) -> HttpResponse:
    access = get_club(request, slug, Role.TREASURER)
    current = get_current_tariff(access.club)
    form = TariffQuestionsForm(request.POST if request.method == "POST" else None, before=current)
    return _save_or_show(request, access, form, current, "scoring/cash/tariff_questions.html")


@require_http_methods(["GET", "HEAD", "POST"])
def tariff_edit(request: HttpRequest, slug: str) -> HttpResponse:
    access = get_club(request, slug, Role.TREASURER)
    current = get_current_tariff(access.club)
    form = TariffForm(request.POST if request.method == "POST" else None, before=current)
    return _save_or_show(request, access, form, current, "scoring/cash/tariff_edit.html")


def _save_or_show(request: HttpRequest, access: Access, form: Any, current: Tariff | None, template: str) -> HttpResponse:
    """Show the content of a valid form with the last evening by it; save it if exactly this was shown before."""
    context = {"access": access, "section": "cash", "form": form, "current": current}
    if not form.is_valid():
        return render(request, template, context, status=422 if form.is_bound else 200)
    content = form.content
    if request.POST.get("shown") == hash_shown(content):
        if _save(request, access, form, content):
            return redirect("tariff", access.club.slug)
        return render(request, template, context, status=409)
    new = {*list_amounts(content)} - {*list_amounts(current.content if current else {})}
    with snapshot():
        context |= _build_preview(access, content) | {"odd": filter(None, [build_unusual_warning(access.club.pk, new)])}
    return render(request, template, context | {"shown": hash_shown(content)})


def _save(request: HttpRequest, access: Access, form: Form, content: Mapping[str, Any]) -> bool:
    seen = form.cleaned_data["seen"]
    try:
        changed = change_tariff(club=access.club, actor=access.actor, content=content, seen=seen)
    except (ActionRefused, ValidationError) as refused:
        form.add_error(None, refused.messages if isinstance(refused, ValidationError) else str(refused))
        return False
    messages.success(request, _("Der Tarif gilt ab dem nächsten Abend (Fassung %(n)s).") % {"n": changed.version})
    return True


def _build_preview(access: Access, content: Mapping[str, Any]) -> dict[str, Any]:
    """Describe the tariff, and compute the cost of the last evening by it."""
    tariff = Tariff(club=access.club, content=dict(content))
    evening = get_last_evening(access.club)
    if evening is None:
        return {"sections": build_sections(tariff)}
    facts = read_facts(evening)
    return {"sections": build_sections(tariff), "evening": evening, "bills": build_bills(facts, tariff)}
