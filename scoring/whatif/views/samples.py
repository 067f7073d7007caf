"""The preview beside the settings that are being edited: how the last evening, or three examples, would have counted."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from scoring.club.access import Role
from scoring.rulesets.queries import get_rule_set
from scoring.rulesets.views import build_edit_page
from scoring.whatif.queries.samples import samples
from scoring.whatif.texts import sample_context


@require_http_methods(["GET", "HEAD", "POST"])
def rule_set_preview(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """The page of the settings as they were typed, with what they would do; nothing is saved. Who comes here with nothing
    typed, from the login or a change of the language, comes to the settings."""
    rule_set, access = get_rule_set(request, slug, pk, Role.ADMIN)
    if request.method != "POST":
        return redirect(reverse("rule_set_edit", args=[slug, pk], query=request.GET))
    form, context = build_edit_page(request, access, rule_set)
    if not form.is_valid():
        return render(request, "scoring/rulesets/edit.html", context, status=422)
    context["samples"] = sample_context(samples(rule_set, form.settings))
    return render(request, "scoring/whatif/preview.html", context)
