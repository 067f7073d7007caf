"""The pages of a club's rule sets: the list, one in sentences, a new one (by preset or five questions), the editor."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.core import signing
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from scoring.club.access import Access, Role, get_club
from scoring.core.errors import ActionRefused
from scoring.core.text import parse_whole, tidy
from scoring.rules.constants import TABLES

from .actions import (
    NewerVersion,
    NothingDiffers,
    add_rule_set,
    begin_with_answers,
    begin_with_preset,
    change_rule_set,
    copy_rule_set,
    deals_again_after_redeal,
    let_same_seat_deal_again,
    rename_rule_set,
)
from .forms.rule_sets import NameForm, QuestionsForm, RuleSetForm
from .forms.settings import SettingsForm
from .models import RuleSet
from .queries import get_rule_set, list_rule_sets, list_tables, list_versions
from .texts.collection import COLLECTION, search_recipes
from .texts.rule_sets import get_document, list_differences, list_house_rules

LATEST_TABLES = 12
LONGEST_SEARCH = 40
# Signs the settings that an open form was made of. A change of the salt would lose the forms that are open.
SALT = "scoring.rulesets.views"


@require_safe
def rule_sets(request: HttpRequest, slug: str) -> HttpResponse:
    access = get_club(request, slug, Role.READER)
    context = {"access": access, "section": "more", "rule_sets": list_rule_sets(access.club)}
    return render(request, "scoring/rulesets/list.html", context)


@require_safe
def rule_recipes(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the collection of house rules, or the rules that contain the words of `q`."""
    access = get_club(request, slug, Role.READER)
    search = tidy(request.GET.get("q", "")[:LONGEST_SEARCH])
    context = {
        "access": access,
        "section": "more",
        "search": search,
        "longest": LONGEST_SEARCH,
        "topics": search_recipes(search),
        "rules": len(COLLECTION),
        "settable": sum(bool(rule["ways"]) for rule in COLLECTION),
    }
    return render(request, "scoring/rulesets/recipes.html", context)


@require_safe
def rule_set(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Show one version in sentences, its tables, and its differences to another one (`other`, by default the one before)."""
    rule_set, access = get_rule_set(request, slug, pk, Role.READER)
    versions = list_versions(rule_set)
    others = [version for version in versions if version.pk != rule_set.pk]
    older = [version for version in others if version.version < rule_set.version]
    other_pk = parse_whole(request.GET.get("other"))
    other = next((version for version in others if version.pk == other_pk), next(iter(older or others), None))
    compared = sorted((rule_set, other), key=lambda version: version.version) if other else []
    context = {
        "access": access,
        "section": "more",
        # With the number of its tables.
        "rule_set": next(version for version in versions if version.pk == rule_set.pk),
        "versions": versions,
        "others": others,
        "other": other,
        "compared": compared,
        "differences": list_differences(*(version.settings for version in compared)) if other else [],
        "sections": list_house_rules(rule_set.settings),
        "document": get_document(rule_set.settings),
        "tables": list_tables(rule_set)[:LATEST_TABLES],
        "passes_on": not deals_again_after_redeal(rule_set.settings),
    }
    return render(request, "scoring/rulesets/rule_set.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def rule_set_new(request: HttpRequest, slug: str) -> HttpResponse:
    access = get_club(request, slug, Role.ADMIN)
    initial = {"source": request.GET["source"]} if "source" in request.GET else {}
    form = RuleSetForm(request.POST or None, club=access.club, initial=initial)
    if request.method == "POST" and form.is_valid():
        name = form.cleaned_data["name"]
        if form.copied:
            rule_set = copy_rule_set(source=form.copied, actor=access.actor, name=name)
        else:
            preset = form.cleaned_data["source"]
            rule_set = add_rule_set(club=access.club, actor=access.actor, preset=preset, name=name)
        messages.success(request, _("Das Regelwerk „%(name)s“ ist angelegt.") % {"name": rule_set.name})
        return redirect("rule_set", slug, rule_set.pk)
    context = {"access": access, "section": "more", "form": form}
    return render(request, "scoring/rulesets/new.html", context, status=422 if form.errors else 200)


@require_http_methods(["GET", "HEAD", "POST"])
def rule_set_questions(request: HttpRequest, slug: str) -> HttpResponse:
    """Make a rule set, and at the first visit the players too. With `count` only the sample games are computed anew."""
    access = get_club(request, slug, Role.ADMIN)
    founding = not access.club.players.exists()
    data = request.POST if request.method == "POST" else None
    form = QuestionsForm(data, club=access.club, founding=founding)
    counted = "count" in request.POST
    if form.is_valid() and not counted:
        try:
            rule_set = _save_answers(access, form)
        except ValidationError as refused:
            form.add_error(None, refused.messages)
        else:
            messages.success(request, _("Das Regelwerk „%(name)s“ gilt.") % {"name": rule_set.name})
            if founding:
                return redirect(reverse("evening_new", args=[slug], query={"rule_set": rule_set.pk}))
            return redirect("rule_set", slug, rule_set.pk)
    if counted:
        # Faults are shown when the form is saved.
        form.errors.clear()
    context = {"access": access, "section": "more", "form": form, "founding": founding}
    return render(request, "scoring/rulesets/questions.html", context, status=422 if form.errors else 200)


def _save_answers(access: Access, form: QuestionsForm) -> RuleSet:
    given = {"club": access.club, "actor": access.actor, "people": form.cleaned_data.get("people", [])}
    if preset := form.cleaned_data.get("source"):
        return begin_with_preset(preset=preset, **given)
    return begin_with_answers(name=form.cleaned_data["name"], settings=form.settings, **given)


@require_http_methods(["GET", "HEAD", "POST"])
def rule_set_name(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    rule_set, access = get_rule_set(request, slug, pk, Role.ADMIN)
    form = NameForm(request.POST if request.method == "POST" else None, initial={"name": rule_set.name})
    if form.is_valid():
        try:
            renamed = rename_rule_set(rule_set=rule_set, actor=access.actor, name=form.cleaned_data["name"])
            messages.success(request, _("Das Regelwerk heißt jetzt „%(name)s“.") % {"name": renamed.name})
            return redirect("rule_set", slug, pk)
        except NothingDiffers:
            return redirect("rule_set", slug, pk)
        except ActionRefused as refused:
            form.add_error("name", str(refused))
    context = {"access": access, "section": "more", "rule_set": rule_set, "form": form}
    return render(request, "scoring/rulesets/name.html", context, status=422 if form.errors else 200)


@require_POST
def rule_set_same_dealer(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    rule_set, access = get_rule_set(request, slug, pk, Role.ADMIN)
    try:
        changed = let_same_seat_deal_again(rule_set=rule_set, actor=access.actor)
    except NothingDiffers as refused:
        messages.info(request, str(refused))
        return redirect("rule_set", slug, pk)
    except NewerVersion as refused:
        messages.error(request, _("Inzwischen gibt es eine neuere Fassung."))
        return redirect("rule_set", slug, refused.newest.pk)
    messages.success(request, _get_saved_message(changed, pk))
    return redirect("rule_set", slug, changed.pk)


def _get_saved_message(changed: RuleSet, pk: int) -> str:
    message = _("Gespeichert als Fassung %(version)s. Sie gilt für neue Abende; wo schon gespielt wurde, bleibt alles.")
    if changed.pk == pk:
        message = _("Gespeichert. Nach Fassung %(version)s hatte noch niemand gespielt; sie selbst ist geändert.")
    return message % {"version": changed.version}


@require_http_methods(["GET", "HEAD", "POST"])
def rule_set_edit(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Change a rule set. With `people` in the query, change its settings at a table of this size only."""
    rule_set, access = get_rule_set(request, slug, pk, Role.ADMIN)
    form, context = build_edit_page(request, access, rule_set)
    if request.method != "POST" or form.unfinished or not form.is_valid():
        faulty = form.errors and not form.unfinished
        return render(request, "scoring/rulesets/edit.html", context, status=422 if faulty else 200)
    try:
        changed = change_rule_set(rule_set=rule_set, actor=access.actor, settings=form.settings)
    except NothingDiffers as refused:
        messages.info(request, str(refused))
        return redirect("rule_set", slug, pk)
    except NewerVersion as refused:
        context |= {
            "conflict": str(refused),
            "newest": refused.newest,
            "seen": _sign_settings(refused.newest),
            "differences": list_differences(rule_set.settings, refused.newest.settings),
        }
        return render(request, "scoring/rulesets/edit.html", context, status=refused.status)
    messages.success(request, _get_saved_message(changed, pk))
    return redirect("rule_set", slug, changed.pk)


def build_edit_page(request: HttpRequest, access: Access, rule_set: RuleSet) -> tuple[SettingsForm, dict[str, Any]]:
    """Return the form and the context of its page. On a POST, `rule_set.settings` become those that the page was made of."""
    if request.method == "POST":
        rule_set.settings = _load_seen_settings(request, rule_set)
    people = parse_whole(request.GET.get("people"))
    people = people if people in TABLES else None
    form = SettingsForm(request.POST or None, settings=rule_set.settings, people=people)
    return form, {
        "access": access,
        "section": "more",
        "rule_set": rule_set,
        "newest": rule_set,
        "seen": _sign_settings(rule_set),
        "form": form,
        "people": people,
        "query": f"?people={people}" if people else "",
        "sizes": TABLES,
    }


def _sign_settings(rule_set: RuleSet) -> str:
    return signing.dumps({"rule_set": rule_set.pk, "settings": rule_set.settings}, salt=SALT, compress=True)


def _load_seen_settings(request: HttpRequest, rule_set: RuleSet) -> dict[str, Any]:
    """Return the settings that the page was made of; the present ones if the page does not send any."""
    try:
        seen: dict[str, Any] = signing.loads(request.POST.get("seen", ""), salt=SALT)
    except signing.BadSignature:
        seen = {}
    settings: dict[str, Any] = seen["settings"] if seen.get("rule_set") == rule_set.pk else rule_set.settings
    return settings
