"""Correcting one evening of an old list: what would change is shown first."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from scoring.club.access import Role
from scoring.core.errors import ActionRefused
from scoring.evenings.access import get_evening
from scoring.imports.actions.mending import mend_evening, remove_evening
from scoring.imports.forms.mending import MendForm
from scoring.imports.queries import days_with_evenings
from scoring.play.models import Table


@require_http_methods(["GET", "HEAD", "POST"])
def evening_mend(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """The day and the points of one evening that came from a list."""
    evening, access = get_evening(request, slug, pk, Role.ADMIN)
    tables = Table.objects.filter(evening=evening, imported__isnull=False).select_related("rule_set", "imported")
    table = tables.first()
    if table is None or evening.tables.count() > 1:
        return redirect("evening", slug, pk)
    form = MendForm(request.POST.dict() if request.method == "POST" else None, evening=evening, table=table)
    refused = ""
    if request.method == "POST":
        try:
            if "remove" in request.POST and "sure" in request.POST:
                remove_evening(evening=evening, actor=access.actor)
                messages.success(request, _("Der Abend ist entfernt."))
                return redirect("import", slug, table.imported_id)
            if "save" in request.POST and form.is_valid():
                if form.cleaned_data["seen"] == form.fingerprint:
                    points = form.points if table.without_games else None
                    mend_evening(evening=evening, actor=access.actor, held_on=form.cleaned_data["held_on"], points=points)
                    messages.success(request, _("Der Abend ist berichtigt."))
                    return redirect("result", slug, pk)
                refused = _("Daran wurde etwas geändert. Bitte noch einmal ansehen und dann speichern.")
        except ActionRefused as error:
            refused = str(error)
    context = {
        "access": access,
        "section": "evenings",
        "evening": evening,
        "table": table,
        "form": form,
        "refused": refused,
        "standing": form.moves and days_with_evenings(access.club, {form.cleaned_data["held_on"]}),
        "removing": "remove" in request.POST,
        "posted": request.method == "POST",
    }
    failed = request.method == "POST" and (refused or form.errors)
    return render(request, "scoring/imports/mend.html", context, status=422 if failed else 200)
