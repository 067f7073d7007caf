"""The pages about a club's rule sets: all of them, one in sentences with its versions, another one (from a preset or by five
questions), and changing one."""

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
    deal_again,
    deals_again,
    rename_rule_set,
)
from .forms.rule_sets import NameForm, QuestionsForm, RuleSetForm
from .forms.settings import SettingsForm
from .models import RuleSet
from .queries import get_rule_set, rule_sets_of, tables_under, versions_of
from .texts.collection import COLLECTION, recipes
from .texts.rule_sets import differences, house_rules, readings

LATEST_TABLES = 12
LONGEST_SEARCH = 40
# Signs what a draft was made from; drafts that were open before a change of it would be lost.
SALT = "scoring.rulesets.views"


@require_safe
def rule_sets(request: HttpRequest, slug: str) -> HttpResponse:
    access = get_club(request, slug, Role.READER)
    context = {"access": access, "section": "more", "rule_sets": rule_sets_of(access.club)}
    return render(request, "scoring/rulesets/list.html", context)


@require_safe
def rule_recipes(request: HttpRequest, slug: str) -> HttpResponse:
    """The collection of house rules and how each is set, those alone in whose words `q` occurs."""
    access = get_club(request, slug, Role.READER)
    search = tidy(request.GET.get("q", "")[:LONGEST_SEARCH])
    context = {
        "access": access,
        "section": "more",
        "search": search,
        "longest": LONGEST_SEARCH,
        "topics": recipes(search),
        "rules": len(COLLECTION),
        "settable": sum(bool(rule["ways"]) for rule in COLLECTION),
    }
    return render(request, "scoring/rulesets/recipes.html", context)


@require_safe
def rule_set(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """One version in sentences, what differs between it and another (the one before unless asked) from the older to the
    newer, who played by it."""
    rule_set, access = get_rule_set(request, slug, pk, Role.READER)
    versions = versions_of(rule_set)
    others = [version for version in versions if version.pk != rule_set.pk]
    older = [version for version in others if version.version < rule_set.version]
    asked = parse_whole(request.GET.get("other"))
    other = next((version for version in others if version.pk == asked), next(iter(older or others), None))
    compared = sorted((rule_set, other), key=lambda version: version.version) if other else []
    context = {
        "access": access,
        "section": "more",
        # As it stands among its versions: with how many tables play by it.
        "rule_set": next(version for version in versions if version.pk == rule_set.pk),
        "versions": versions,
        "others": others,
        "other": other,
        "compared": compared,
        "differences": differences(*(version.settings for version in compared)) if other else [],
        "sections": house_rules(rule_set.settings),
        "document": readings(rule_set.settings),
        "tables": tables_under(rule_set)[:LATEST_TABLES],
        "passes_on": not deals_again(rule_set.settings),
    }
    return render(request, "scoring/rulesets/rule_set.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def rule_set_new(request: HttpRequest, slug: str) -> HttpResponse:
    access = get_club(request, slug, Role.ADMIN)
    initial = {"source": request.GET["source"]} if "source" in request.GET else {}
    form = RuleSetForm(request.POST or None, club=access.club, initial=initial)
    if request.method == "POST" and form.is_valid():
        rule_set = _new(access, form)
        messages.success(request, _("Das Regelwerk „%(name)s“ ist angelegt.") % {"name": rule_set.name})
        return redirect("rule_set", slug, rule_set.pk)
    context = {"access": access, "section": "more", "form": form}
    return render(request, "scoring/rulesets/new.html", context, status=422 if form.errors else 200)


@require_http_methods(["GET", "HEAD", "POST"])
def rule_set_questions(request: HttpRequest, slug: str) -> HttpResponse:
    """Five questions make a rule set. Where the club has nobody yet, its people are asked for as well, and an evening comes
    next. `count` in what was sent: the sample games by these answers, nothing is saved."""
    access = get_club(request, slug, Role.ADMIN)
    founding = not access.club.players.exists()
    data = request.POST if request.method == "POST" else None
    form = QuestionsForm(data, club=access.club, founding=founding)
    counted = "count" in request.POST
    if form.is_valid() and not counted:
        try:
            rule_set = _answered(access, form)
        except ValidationError as refused:
            form.add_error(None, refused.messages)
        else:
            messages.success(request, _("Das Regelwerk „%(name)s“ gilt.") % {"name": rule_set.name})
            if founding:
                return redirect(reverse("evening_new", args=[slug], query={"rule_set": rule_set.pk}))
            return redirect("rule_set", slug, rule_set.pk)
    if counted:
        # What is still missing is said when it is to be saved.
        form.errors.clear()
    context = {"access": access, "section": "more", "form": form, "founding": founding}
    return render(request, "scoring/rulesets/questions.html", context, status=422 if form.errors else 200)


def _answered(access: Access, form: QuestionsForm) -> RuleSet:
    given = {"club": access.club, "actor": access.actor, "people": form.cleaned_data.get("people", [])}
    if preset := form.cleaned_data.get("source"):
        return begin_with_preset(preset=preset, **given)
    return begin_with_answers(name=form.cleaned_data["name"], settings=form.settings, **given)


def _new(access: Access, form: RuleSetForm) -> RuleSet:
    name = form.cleaned_data["name"]
    if form.copied:
        return copy_rule_set(source=form.copied, actor=access.actor, name=name)
    return add_rule_set(club=access.club, actor=access.actor, preset=form.cleaned_data["source"], name=name)


@require_http_methods(["GET", "HEAD", "POST"])
def rule_set_name(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Call a rule set something else, all versions of it."""
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
def rule_set_redeal(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Let the same seat deal again after a redeal, which makes the next version where the rule set was played by."""
    rule_set, access = get_rule_set(request, slug, pk, Role.ADMIN)
    try:
        changed = deal_again(rule_set=rule_set, actor=access.actor)
    except NothingDiffers as refused:
        messages.info(request, str(refused))
        return redirect("rule_set", slug, pk)
    except NewerVersion as refused:
        messages.error(request, _("Inzwischen gibt es eine neuere Fassung."))
        return redirect("rule_set", slug, refused.newest.pk)
    messages.success(request, _saved(changed, pk))
    return redirect("rule_set", slug, changed.pk)


def _saved(changed: RuleSet, pk: int) -> str:
    """Return what is said after a change, by whether it made another version than `pk`."""
    said = _("Gespeichert als Fassung %(version)s. Sie gilt für neue Abende; wo schon gespielt wurde, bleibt alles.")
    if changed.pk == pk:
        said = _("Gespeichert. Nach Fassung %(version)s hatte noch niemand gespielt; sie selbst ist geändert.")
    return said % {"version": changed.version}


@require_http_methods(["GET", "HEAD", "POST"])
def rule_set_edit(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Change a rule set, which makes its next version where it was played by; `people` in the query: what differs at a
    table of so many."""
    rule_set, access = get_rule_set(request, slug, pk, Role.ADMIN)
    form, context = editing(request, access, rule_set)
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
            "seen": _seen(refused.newest),
            "differences": differences(rule_set.settings, refused.newest.settings),
        }
        return render(request, "scoring/rulesets/edit.html", context, status=refused.status)
    messages.success(request, _saved(changed, pk))
    return redirect("rule_set", slug, changed.pk)


def editing(request: HttpRequest, access: Access, rule_set: RuleSet) -> tuple[SettingsForm, dict[str, Any]]:
    """The settings as they are or as they were typed, and the page around them. What was typed began with what the rule
    set said when the page was made: that is what `rule_set` says here then."""
    if request.method == "POST":
        rule_set.settings = _as_seen(request, rule_set)
    people = parse_whole(request.GET.get("people"))
    people = people if people in TABLES else None
    form = SettingsForm(request.POST or None, settings=rule_set.settings, people=people)
    return form, {
        "access": access,
        "section": "more",
        "rule_set": rule_set,
        "newest": rule_set,
        "seen": _seen(rule_set),
        "form": form,
        "people": people,
        "query": f"?people={people}" if people else "",
        "sizes": TABLES,
    }


def _seen(rule_set: RuleSet) -> str:
    """What a rule set says, to come back with the page that changes it, as nobody else can write it."""
    return signing.dumps({"rule_set": rule_set.pk, "settings": rule_set.settings}, salt=SALT, compress=True)


def _as_seen(request: HttpRequest, rule_set: RuleSet) -> dict[str, Any]:
    """What the rule set said when the page was made; as it is now where the page does not say so."""
    try:
        seen: dict[str, Any] = signing.loads(request.POST.get("seen", ""), salt=SALT)
    except signing.BadSignature:
        seen = {}
    settings: dict[str, Any] = seen["settings"] if seen.get("rule_set") == rule_set.pk else rule_set.settings
    return settings
