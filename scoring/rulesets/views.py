"""The pages about a club's rule sets: all of them, one in sentences with its versions, another one, and changing one."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from scoring.club.access import Access, Role, get_club
from scoring.core.errors import ActionRefused
from scoring.core.numbers import whole
from scoring.rules.codes import TABLES
from scoring.rulesets.actions.rule_sets import add_rule_set, change_rule_set, copy_rule_set, rename_rule_set
from scoring.rulesets.forms.rule_sets import NameForm, RuleSetForm, SettingsForm
from scoring.rulesets.words.rulesets import differences, house_rules

from .access import get_rule_set
from .errors import NewerVersion, NothingDiffers
from .models import RuleSet
from .queries import rule_sets_of, tables_under, versions_of

LATEST_TABLES = 12


@require_safe
def rule_sets(request: HttpRequest, slug: str) -> HttpResponse:
    access = get_club(request, slug, Role.READER)
    context = {"access": access, "section": "more", "rule_sets": rule_sets_of(access.club)}
    return render(request, "scoring/rulesets/list.html", context)


@require_safe
def rule_set(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """One version in sentences, what differs between it and another (the one before unless asked), who played by it."""
    rule_set, access = get_rule_set(request, slug, pk, Role.READER)
    versions = versions_of(rule_set)
    others = [version for version in versions if version.pk != rule_set.pk]
    older = [version for version in others if version.version < rule_set.version]
    asked = whole(request.GET.get("other"))
    other = next((version for version in others if version.pk == asked), next(iter(older or others), None))
    context = {
        "access": access,
        "section": "more",
        "rule_set": rule_set,
        "versions": versions,
        "others": others,
        "other": other,
        "differences": differences(other.settings, rule_set.settings) if other else [],
        "sections": house_rules(rule_set.settings),
        "tables": tables_under(rule_set)[:LATEST_TABLES],
        "played": next(version.played for version in versions if version.pk == rule_set.pk),
    }
    return render(request, "scoring/rulesets/rule_set.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def rule_set_new(request: HttpRequest, slug: str) -> HttpResponse:
    access = get_club(request, slug, Role.ADMIN)
    initial = {"source": request.GET["source"]} if "source" in request.GET else {}
    form = RuleSetForm(request.POST or None, club=access.club, initial=initial)
    if request.method == "POST" and form.is_valid():
        rule_set = _new(request, access, form)
        messages.success(request, _("Das Regelwerk „%(name)s“ ist angelegt.") % {"name": rule_set.name})
        return redirect("rule_set", slug, rule_set.pk)
    context = {"access": access, "section": "more", "form": form}
    return render(request, "scoring/rulesets/new.html", context, status=422 if form.errors else 200)


def _new(request: HttpRequest, access: Access, form: RuleSetForm) -> RuleSet:
    name = form.cleaned_data["name"]
    if form.copied:
        return copy_rule_set(source=form.copied, actor=request.user, name=name)
    return add_rule_set(club=access.club, actor=request.user, preset=form.cleaned_data["source"], name=name)


@require_http_methods(["GET", "HEAD", "POST"])
def rule_set_name(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Call a rule set something else, all versions of it."""
    rule_set, access = get_rule_set(request, slug, pk, Role.ADMIN)
    form = NameForm(request.POST if request.method == "POST" else None, initial={"name": rule_set.name})
    if form.is_valid():
        try:
            renamed = rename_rule_set(rule_set=rule_set, actor=request.user, name=form.cleaned_data["name"])
            messages.success(request, _("Das Regelwerk heißt jetzt „%(name)s“.") % {"name": renamed.name})
            return redirect("rule_set", slug, pk)
        except NothingDiffers:
            return redirect("rule_set", slug, pk)
        except ActionRefused as refused:
            form.add_error("name", str(refused))
    context = {"access": access, "section": "more", "rule_set": rule_set, "form": form}
    return render(request, "scoring/rulesets/name.html", context, status=422 if form.errors else 200)


@require_http_methods(["GET", "HEAD", "POST"])
def rule_set_edit(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Change a rule set, which makes its next version; `people` in the query: what differs at a table of so many."""
    rule_set, access = get_rule_set(request, slug, pk, Role.ADMIN)
    form, context = editing(request, access, rule_set)
    if request.method != "POST" or not form.is_valid():
        return render(request, "scoring/rulesets/edit.html", context, status=422 if form.errors else 200)
    try:
        changed = change_rule_set(rule_set=rule_set, actor=request.user, settings=form.settings)
    except NothingDiffers as refused:
        messages.info(request, str(refused))
        return redirect("rule_set", slug, pk)
    except NewerVersion as refused:
        context |= {
            "conflict": str(refused),
            "newest": refused.newest,
            "differences": differences(rule_set.settings, refused.newest.settings),
        }
        return render(request, "scoring/rulesets/edit.html", context, status=refused.status)
    messages.success(
        request,
        _("Gespeichert als Fassung %(version)s. Sie gilt für neue Abende; wo schon gespielt wurde, bleibt alles.")
        % {"version": changed.version},
    )
    return redirect("rule_set", slug, changed.pk)


def editing(request: HttpRequest, access: Access, rule_set: RuleSet) -> tuple[SettingsForm, dict[str, Any]]:
    """The settings as they are or as they were typed, and the page around them."""
    people = whole(request.GET.get("people"))
    people = people if people in TABLES else None
    form = SettingsForm(request.POST or None, settings=rule_set.settings, people=people)
    return form, {
        "access": access,
        "section": "more",
        "rule_set": rule_set,
        "newest": rule_set,
        "form": form,
        "people": people,
        "sizes": TABLES,
    }
