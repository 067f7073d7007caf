"""Correcting the day and the place of any evening, and the points of one of an old list: what would change is shown first."""

from __future__ import annotations

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from scoring.club.access import Role
from scoring.core.errors import ActionRefused, add_refusal_to
from scoring.evenings.actions import correct_evening
from scoring.imports.actions.mending import preview_correction, remove_evening
from scoring.imports.forms.mending import MendForm
from scoring.imports.queries import days_with_evenings
from scoring.imports.texts import consequence_lines
from scoring.play.models import Table
from scoring.table.access import get_evening


@require_http_methods(["GET", "HEAD", "POST"])
def evening_mend(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """The day and the place of an evening; an admin also corrects the points of one that came from a list, or removes it."""
    evening, access = get_evening(request, slug, pk, Role.SCORER)
    if not access.may_change(evening):
        raise PermissionDenied
    if evening.dropped:
        return redirect("evening", slug, pk)
    tables = list(Table.objects.filter(evening=evening).select_related("rule_set", "imported"))
    # Of a list alone, and of one table: then the whole evening came with it.
    table = tables[0] if access.admin and len(tables) == 1 and tables[0].imported_id else None
    with_points = table if table and table.without_games else None
    form = MendForm(request.POST.dict() if request.method == "POST" else None, evening=evening, table=with_points)
    refused, consequences = "", None
    if request.method == "POST":
        try:
            if table and "remove" in request.POST and "sure" in request.POST:
                remove_evening(evening=evening, actor=access.actor)
                messages.success(request, _("Der Abend ist entfernt."))
                return redirect("import", slug, table.imported_id)
            if "remove" not in request.POST and form.is_valid():
                if "save" in request.POST and form.cleaned_data["seen"] == form.fingerprint:
                    correct_evening(evening=evening, actor=access.actor, **form.correction)
                    messages.success(request, _("Der Abend ist berichtigt."))
                    return redirect("evening" if evening.is_open else "result", slug, pk)
                if "save" in request.POST:
                    refused = _("Daran wurde etwas geändert. Bitte noch einmal ansehen und dann speichern.")
                consequences = preview_correction(evening=evening, actor=access.actor, **form.correction)
        except ActionRefused as error:
            if error.field:
                add_refusal_to(form, error)
            else:
                refused = str(error)
    context = {
        "access": access,
        "section": "evenings",
        "evening": evening,
        "table": table,
        "form": form,
        "refused": refused,
        "lines": [] if consequences is None else consequence_lines(evening, form.cleaned_data["held_on"], consequences),
        "standing": form.moves and days_with_evenings(access.club, {form.cleaned_data["held_on"]}),
        "removing": "remove" in request.POST,
        "shown": consequences is not None,
    }
    failed = request.method == "POST" and (refused or form.errors)
    return render(request, "scoring/imports/mend.html", context, status=422 if failed else 200)
