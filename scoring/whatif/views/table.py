"""The page that values a table by another rule set of its club."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from scoring.club.access import Access, Role
from scoring.core.database import snapshot
from scoring.core.errors import ActionRefused
from scoring.core.text import parse_whole
from scoring.play.actions import EveningIsClosed
from scoring.play.models import Table
from scoring.play.queries import read_sheet
from scoring.play.replay import WorthTooMuch
from scoring.play.texts import describe_refused
from scoring.rulesets.texts.rule_sets import list_differences
from scoring.table.access import get_table
from scoring.table.texts import describe_preview
from scoring.whatif.actions.table import move_to_rules, preview_move
from scoring.whatif.forms.table import OtherRulesForm


@require_http_methods(["GET", "HEAD", "POST"])
def table_rules(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Value a table by other rules, after what that changes was shown."""
    table, access = get_table(request, slug, pk, Role.SCORER)
    if not access.may_change(table.evening):
        messages.warning(request, str(EveningIsClosed()))
        return redirect("table", slug, pk)
    if request.method != "POST":
        form = OtherRulesForm(request.GET if "rule_set" in request.GET else None, table=table)
        return _move_page(request, access, table, form)
    form = OtherRulesForm(request.POST, table=table)
    if not form.is_valid():
        return _move_page(request, access, table, form, status=422)
    try:
        move_to_rules(
            table=table,
            actor=access.actor,
            rule_set=form.chosen,
            seen=parse_whole(request.POST.get("seen")) or 0,
        )
    except ActionRefused as refused:
        return _move_page(request, access, table, form, conflict=str(refused), status=refused.status)
    messages.success(request, _("Der Tisch ist jetzt nach „%(rules)s“ gewertet.") % {"rules": form.chosen})
    return redirect("table", slug, pk)


def _move_page(
    request: HttpRequest,
    access: Access,
    table: Table,
    form: OtherRulesForm,
    conflict: str = "",
    status: int = 200,
) -> HttpResponse:
    """Which rules, and where they are chosen what they would change."""
    context = {"access": access, "section": "evenings", "table": table, "form": form, "conflict": conflict}
    if form.is_bound and form.is_valid():
        with snapshot():
            sheet = read_sheet(table)
            try:
                move = preview_move(records=sheet.records, rule_set=form.chosen)
            except WorthTooMuch as refused:
                context["conflict"] = str(refused)
                return render(request, "scoring/whatif/table.html", context, status=refused.status)
        context |= {
            "chosen": form.chosen,
            "move": move,
            "effects": describe_preview(sheet, move.effects),
            "refused": describe_refused(sheet, move.refused),
            "differences": list_differences(table.rule_set.settings, form.chosen.settings),
        }
    return render(request, "scoring/whatif/table.html", context, status=status)
