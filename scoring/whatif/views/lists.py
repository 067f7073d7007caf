"""The page of the list by other rules. A question that takes less than a second is answered at once. A longer one is
computed some tables at a time: the page's script or a button sends one request after the other. The answer is found again
under the same address as long as nothing changes in the club."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from scoring.club.access import Access, Role, get_club
from scoring.club.queries import get_change_stamp
from scoring.core.database import snapshot
from scoring.core.limits import limit_slow_work
from scoring.rulesets.models import RuleSet
from scoring.rulesets.queries import list_rule_sets
from scoring.standings.queries.selection import tables_in
from scoring.standings.queries.standings import Choices, choices
from scoring.whatif.actions.runs import go_on
from scoring.whatif.forms.lists import WhatIfForm
from scoring.whatif.models import WhatIfRun
from scoring.whatif.queries.lists import AT_ONCE, compared, runs_of, what_if
from scoring.whatif.queries.valued import Valued


@require_http_methods(["GET", "HEAD", "POST"])
def whatif(request: HttpRequest, slug: str) -> HttpResponse:
    access = get_club(request, slug, Role.READER)
    if request.method == "POST":
        form = _Asked(access).form(request.GET)
        if form.is_valid() and form.chosen:
            with limit_slow_work():
                go_on(club=access.club, query=form.query, rule_set=form.chosen, selection=form.selection)
        return HttpResponseRedirect(f"{reverse('whatif', args=[slug])}?{form.query}")
    with snapshot():
        page = _Asked(access)
        form = page.form(request.GET if "rules" in request.GET else None)
        context = {"access": access, "section": "standings", "form": form, "kept": page.kept()}
        if form.is_valid() and form.chosen:
            context |= page.answer(form, form.chosen)
    return render(request, "scoring/whatif/whatif.html", context)


class _Asked:
    """What a club can be asked, and what it was asked."""

    def __init__(self, access: Access) -> None:
        self.club = access.club
        self.choices: Choices = choices(access.club)
        self.rule_sets: list[RuleSet] = [row for versions in list_rule_sets(access.club) for row in versions]

    def form(self, asked: QueryDict | None) -> WhatIfForm:
        return WhatIfForm(asked, choices=self.choices, club=self.club, rule_sets=self.rule_sets)

    def kept(self) -> list[tuple[WhatIfRun, WhatIfForm, bool]]:
        """Each question that took longer, in words, and whether anything happened in the club since it was answered."""
        self.runs = runs_of(self.club)
        self.seen = get_change_stamp(self.club.pk) if self.runs else 0
        kept = [(run, self.form(QueryDict(run.query)), run.seen != self.seen) for run in self.runs]
        return [one for one in kept if one[1].is_valid()]

    def answer(self, form: WhatIfForm, rule_set: RuleSet) -> dict[str, Any]:
        tables = tables_in(self.club, form.selection).count()
        run = next((run for run in self.runs if run.query == form.query), None)
        if tables <= AT_ONCE:
            with limit_slow_work():
                return {"found": what_if(self.club, form.selection, rule_set)}
        if run is None or run.seen != self.seen:
            return {"outdated": run, "done": 0, "tables": tables}
        if not run.is_over:
            return {"done": run.done, "tables": tables}
        valued = Valued(rule_set, form.selection)
        valued.take(run.sums)
        return {"found": compared(self.club, valued), "run": run}
