"""The pages of What if: the list by other rules, a table moved to other rules, and the preview of edited settings.

A longer valuation is computed some tables at a time: the page's script or a button sends one request after the other."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from scoring.club.access import Access, Role, get_club
from scoring.club.queries import get_change_stamp
from scoring.core.database import snapshot
from scoring.core.errors import ActionRefused
from scoring.core.limits import limit_slow_work
from scoring.core.text import parse_whole
from scoring.play.actions import EveningIsClosed
from scoring.play.models import Table
from scoring.play.queries import read_sheet
from scoring.play.replay import WorthTooMuch
from scoring.play.texts import describe_refused
from scoring.rulesets.models import RuleSet
from scoring.rulesets.queries import get_rule_set, list_rule_sets
from scoring.rulesets.texts.rule_sets import list_differences
from scoring.rulesets.views import build_edit_page
from scoring.standings.queries.selection import filter_tables
from scoring.standings.queries.standings import read_choices
from scoring.table.access import get_table
from scoring.table.texts import describe_preview
from scoring.whatif.actions import continue_run, move_to_rules, preview_move
from scoring.whatif.forms import OtherRulesForm, WhatIfForm
from scoring.whatif.models import WhatIfRun
from scoring.whatif.queries import TABLES_AT_ONCE, Valuation, build_samples, compare_with_list, compute_what_if
from scoring.whatif.texts import build_sample_context


@require_http_methods(["GET", "HEAD", "POST"])
def whatif(request: HttpRequest, slug: str) -> HttpResponse:
    access = get_club(request, slug, Role.READER)
    if request.method == "POST":
        form = _Page(access).build_form(request.GET)
        if form.is_valid() and form.other_rule_set:
            with limit_slow_work():
                continue_run(club=access.club, query=form.query, rule_set=form.other_rule_set, selection=form.selection)
        return HttpResponseRedirect(f"{reverse('whatif', args=[slug])}?{form.query}")
    with snapshot():
        page = _Page(access)
        form = page.build_form(request.GET if "rules" in request.GET else None)
        context = {"access": access, "section": "standings", "form": form, "runs": page.list_runs()}
        if form.is_valid() and form.other_rule_set:
            context |= page.build_answer(form, form.other_rule_set)
    return render(request, "scoring/whatif/whatif.html", context)


class _Page:
    def __init__(self, access: Access) -> None:
        self.club = access.club
        self.choices = read_choices(access.club)
        self.rule_sets = [row for versions in list_rule_sets(access.club) for row in versions]

    def build_form(self, data: QueryDict | None) -> WhatIfForm:
        return WhatIfForm(data, choices=self.choices, club=self.club, rule_sets=self.rule_sets)

    def list_runs(self) -> list[tuple[WhatIfRun, WhatIfForm, bool]]:
        """Return the earlier valuations, each with its form and whether the club has changed since."""
        self.runs = list(WhatIfRun.objects.filter(club=self.club).order_by("-valued_at", "-pk"))
        self.seen = get_change_stamp(self.club.pk) if self.runs else 0
        found = [(run, self.build_form(QueryDict(run.query)), run.seen != self.seen) for run in self.runs]
        return [one for one in found if one[1].is_valid()]

    def build_answer(self, form: WhatIfForm, rule_set: RuleSet) -> dict[str, Any]:
        tables = filter_tables(self.club, form.selection).count()
        run = next((run for run in self.runs if run.query == form.query), None)
        if tables <= TABLES_AT_ONCE:
            with limit_slow_work():
                return {"found": compute_what_if(self.club, form.selection, rule_set)}
        if run is None or run.seen != self.seen:
            return {"outdated": run, "done": 0, "tables": tables}
        if not run.is_over:
            return {"done": run.done, "tables": tables}
        valuation = Valuation(rule_set, form.selection)
        valuation.load(run.sums)
        return {"found": compare_with_list(self.club, valuation), "run": run}


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
