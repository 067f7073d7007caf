"""From which earlier evening a table carries open Bock games on: set or taken away, after what that changes was shown."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from scoring.club.access import Access, Role
from scoring.core.database import snapshot
from scoring.core.errors import ActionRefused
from scoring.play.actions import EveningIsClosed, preview_carry
from scoring.play.models import Table
from scoring.play.queries import read_sheet
from scoring.play.replay import WorthTooMuch
from scoring.table.access import get_table
from scoring.table.actions.carry import carry_on
from scoring.table.forms.carry import CarryForm
from scoring.table.views.previews import preview_lines


@require_http_methods(["GET", "HEAD", "POST"])
def table_carry(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    table, access = get_table(request, slug, pk, Role.SCORER)
    if not access.may_change(table.evening):
        messages.warning(request, str(EveningIsClosed()))
        return redirect("table", slug, pk)
    if request.method != "POST":
        return _page(request, access, table, CarryForm(request.GET if "earlier" in request.GET else None, table=table))
    form = CarryForm(request.POST if "earlier" in request.POST else {"earlier": "?"}, table=table)
    if not form.is_valid():
        return _page(request, access, table, form, status=422)
    try:
        carry_on(
            table=table,
            actor=access.actor,
            earlier=form.chosen,
            seen=request.POST.get("seen", ""),
        )
    except ActionRefused as refused:
        return _page(request, access, table, form, conflict=str(refused), status=refused.status)
    if form.chosen:
        messages.success(request, _("Die übrigen Böcke gehen hier weiter."))
    else:
        messages.success(request, _("Hier gehen keine übrigen Böcke eines früheren Abends weiter."))
    return redirect("table", slug, pk)


def _page(
    request: HttpRequest, access: Access, table: Table, form: CarryForm, conflict: str = "", status: int = 200
) -> HttpResponse:
    """Which table, and where it is chosen what that would change."""
    context = {"access": access, "section": "evenings", "table": table, "form": form, "conflict": conflict}
    with snapshot():
        sheet = read_sheet(table)
        context["sheet"] = sheet
        if form.is_bound and form.is_valid() and (form.chosen and form.chosen.pk) != table.carries_on_id:
            try:
                carrying = preview_carry(records=sheet.records, earlier=form.chosen)
                lines = preview_lines(sheet, carrying.effects)
                context |= {"chosen": form.chosen, "move": carrying, "effects": lines}
            except WorthTooMuch as refused:
                context["conflict"], status = str(refused), refused.status
    return render(request, "scoring/table/carry.html", context, status=status)
