"""The pages of What if: the list by other rules, a table moved to other rules, and the preview of edited settings."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from scoring.club.access import Access, Role, get_club
from scoring.core.database import snapshot
from scoring.core.errors import ActionRefused
from scoring.core.limits import limit_slow_work
from scoring.core.text import parse_whole
from scoring.play.models import Table
from scoring.play.queries import read_sheet
from scoring.play.replay import EveningIsClosed, WorthTooMuch
from scoring.play.texts import describe_refused
from scoring.rulesets.queries import get_rule_set, list_rule_sets
from scoring.rulesets.texts.rule_sets import list_differences
from scoring.rulesets.views import build_edit_page
from scoring.standings.queries.standings import read_choices
from scoring.table.access import get_table
from scoring.table.texts import describe_preview
from scoring.whatif.actions import move_to_rules, preview_move
from scoring.whatif.forms import OtherRulesForm, WhatIfForm
from scoring.whatif.queries import build_samples, compute_what_if
from scoring.whatif.texts import build_sample_context


@require_safe
def whatif(request: HttpRequest, slug: str) -> HttpResponse:
    access = get_club(request, slug, Role.READER)
    with snapshot():
        form = WhatIfForm(
            request.GET if "rules" in request.GET else None,
            choices=read_choices(access.club),
            club=access.club,
            rule_sets=[row for versions in list_rule_sets(access.club) for row in versions],
        )
        context = {"access": access, "section": "standings", "form": form}
        if form.is_valid() and form.other_rule_set:
            with limit_slow_work():
                context["found"] = compute_what_if(access.club, form.selection, form.other_rule_set)
    return render(request, "scoring/whatif/whatif.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def table_rules(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    table, access = get_table(request, slug, pk, Role.SCORER)
    if not access.may_change(table.evening):
        messages.warning(request, str(EveningIsClosed()))
        return redirect("table", slug, pk)
    if request.method != "POST":
        form = OtherRulesForm(request.GET if "rule_set" in request.GET else None, table=table)
        return _render_move_page(request, access, table, form)
    form = OtherRulesForm(request.POST, table=table)
    if not form.is_valid():
        return _render_move_page(request, access, table, form, status=422)
    try:
        seen = parse_whole(request.POST.get("seen")) or 0
        move_to_rules(table=table, actor=access.actor, rule_set=form.other_rule_set, seen=seen)
    except ActionRefused as refused:
        return _render_move_page(request, access, table, form, conflict=str(refused), status=refused.status)
    messages.success(request, _("Der Tisch ist jetzt nach „%(rules)s“ gewertet.") % {"rules": form.other_rule_set})
    return redirect("table", slug, pk)


def _render_move_page(
    request: HttpRequest, access: Access, table: Table, form: OtherRulesForm, conflict: str = "", status: int = 200
) -> HttpResponse:
    context = {"access": access, "section": "evenings", "table": table, "form": form, "conflict": conflict}
    if form.is_bound and form.is_valid():
        with snapshot():
            sheet = read_sheet(table)
            try:
                move = preview_move(records=sheet.records, rule_set=form.other_rule_set)
            except WorthTooMuch as refused:
                context["conflict"] = str(refused)
                return render(request, "scoring/whatif/table.html", context, status=refused.status)
        context |= {
            "chosen": form.other_rule_set,
            "move": move,
            "effects": describe_preview(sheet, move["effects"]),
            "refused": describe_refused(sheet, move["refused"]),
            "differences": list_differences(table.rule_set.settings, form.other_rule_set.settings),
        }
    return render(request, "scoring/whatif/table.html", context, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
def rule_set_preview(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Show the edited settings with their effect on sample games. Without a form (after a login) redirect to the settings."""
    rule_set, access = get_rule_set(request, slug, pk, Role.ADMIN)
    if request.method != "POST":
        return redirect(reverse("rule_set_edit", args=[slug, pk], query=request.GET))
    form, context = build_edit_page(request, access, rule_set)
    if not form.is_valid():
        return render(request, "scoring/rulesets/edit.html", context, status=422)
    context["samples"] = build_sample_context(build_samples(rule_set, form.settings))
    return render(request, "scoring/whatif/preview.html", context)
