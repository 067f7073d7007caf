"""The Kasse of one evening: the page that explains every amount, and the pages that change its facts and its tariff."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from scoring.cash.access import get_evening_cash, get_evening_to_change, get_evening_to_pin, may_change
from scoring.cash.ledger.queries import hash_shown, is_closed
from scoring.cash.ledger.texts import translate_reason
from scoring.cash.models import Entry, Fine, Settlement, Tariff
from scoring.cash.tariff.queries import list_tariff_versions
from scoring.cash.tariff.texts import get_fine_name
from scoring.club.access import Access, Role
from scoring.core.database import snapshot
from scoring.core.errors import handle_refusal, show_refusal_in, warn_of_refusal
from scoring.core.text import parse_whole
from scoring.play.models import Evening

from . import actions, forms, queries, texts


@require_safe
def evening_cash(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Show the cost of an evening: running while it is open, booked when it is closed."""
    evening, access = get_evening_cash(request, slug, pk, Role.READER)
    with snapshot():
        return _render_page(request, access, evening)


def _render_page(
    request: HttpRequest,
    access: Access,
    evening: Evening,
    fine: forms.FineForm | None = None,
    fined: dict[str, Any] | None = None,
    ticked: forms.CollectForm | None = None,
) -> HttpResponse:
    booked = queries.list_booked_entries(evening)
    context: dict[str, Any] = {
        "access": access,
        "section": "evenings",
        "evening": evening,
        "may_change": may_change(access, evening) and not evening.dropped,
        "booked": booked,
        "standing": queries.find_standing_entry(booked),
        "has_drinks": evening.tariff is not None and "drinks" in evening.tariff.content,
    }
    if evening.tariff is None and not booked:
        return render(request, "scoring/cash/evening.html", context)
    facts = queries.read_facts(evening)
    context |= _build_changes(evening, facts, booked)
    if evening.tariff is not None and not evening.dropped:
        context |= {
            "bills": (found := texts.build_bills(facts, evening.tariff)),
            "fines": _describe_fines([fine for fine in facts.fines if not fine.waits], evening.tariff),
            "late_fines": _describe_fines([fine for fine in facts.fines if fine.waits], evening.tariff),
            "kasse_said": texts.describe_kasse_share(found),
        }
        if context["may_change"] and evening.tariff.rules.fines:
            context["fine_form"] = fine or forms.FineForm(None, tariff=evening.tariff, rows=facts.rows)
            context["fined"] = fined
        if access.treasurer and not evening.is_open:
            context["collect"] = ticked or _build_collect_form(None, evening, facts, queries.find_standing_entry(booked))
        if not evening.is_open:
            context["text"] = render_to_string("scoring/cash/evening.txt", context).strip() + "\n"
            context["settlement"] = Settlement.objects.filter(evening=evening).order_by("-pk").first()
    is_refused = ticked or (fine and fine.errors)
    return render(request, "scoring/cash/evening.html", context, status=422 if is_refused else 200)


def _build_changes(evening: Evening, facts: queries.Facts, booked: list[Entry]) -> dict[str, Any]:
    """Describe how the cost of an evening differs from its standing entry, or of a closed one from the entry before, and why."""
    standing = queries.find_standing_entry(booked)
    if evening.is_open:
        changes = queries.compare_costs(facts, standing, facts.compute_cost(evening.tariff)) if standing else []
        return {"changes": texts.describe_changes(changes), "cause": _("noch nicht abgeschlossen") if changes else ""}
    reversals = [entry for entry in booked if entry.reverses_id]
    if not reversals:
        return {}
    changes = queries.compare_costs(facts, reversals[-1].reverses, queries.list_booked_legs(standing, facts.merged))
    return {"changes": texts.describe_changes(changes), "cause": translate_reason(reversals[-1])}


def _describe_fines(fines: Iterable[Fine], tariff: Tariff | None) -> list[dict[str, Any]]:
    return [
        {
            "fine": fine,
            "name": get_fine_name(tariff.content if tariff else {}, fine.code),
            "amount": texts.describe_fine_amount(fine),
            "counts": tariff is not None and (fine.struck or fine.waits or queries.is_charged(fine, tariff)),
        }
        for fine in fines
    ]


def _build_collect_form(data: Any, evening: Evening, facts: queries.Facts, standing: Entry | None) -> forms.CollectForm | None:
    """Build the form of the people with something left to pay or to get; None if there are none."""
    left = queries.compute_unpaid(evening, facts, standing)
    rows = [(row, left.get(facts.merged.resolve(row.player_id), 0)) for row in facts.rows]
    people = {row.player: texts.describe_amount(cents) for row, cents in rows if cents}
    here = [row.player for row, _cents in rows if not row.absence]
    return forms.CollectForm(data, people=people, here=here) if people else None


@require_http_methods(["GET", "HEAD", "POST"])
def evening_people(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    evening, access = get_evening_to_change(request, slug, pk)
    rows = queries.list_attendance(evening)
    data, others = request.POST if request.method == "POST" else None, queries.list_players_not_listed(evening)
    form = forms.AttendanceForm(data, evening=evening, rows=rows, others=others)
    context = {"access": access, "section": "evenings", "evening": evening, "form": form}
    if form.is_valid():
        values: dict[str, Any] = {"people": form.attendance, "host": form.host, "seen": form.cleaned_data["seen"]}
        change = partial(actions.change_attendance, evening=evening, actor=access.actor, **values)
        with handle_refusal(form.refuse):
            return _show_or_change(request, evening, change, "scoring/cash/people.html", context)
    return render(request, "scoring/cash/people.html", context, status=422 if form.errors else 200)


def _show_or_change(
    request: HttpRequest, evening: Evening, change: Callable[[], object], template: str, context: dict[str, Any], done: str = ""
) -> HttpResponse:
    """Make a change and return to the evening; of a closed evening show first what it does to the money."""
    if changes := _build_unseen_changes(request, evening, change):
        return render(request, template, context | changes)
    change()
    messages.success(request, done or _("Gespeichert."))
    return redirect("evening_cash", evening.club.slug, evening.pk)


def _build_unseen_changes(request: HttpRequest, evening: Evening, change: Callable[[], object]) -> dict[str, Any]:
    """Describe what a change of a closed evening would do to its money, unless the request proves that the user has seen it."""
    changes = [] if evening.is_open else actions.preview_change(evening, change)
    if not changes or request.POST.get("money") == _hash_changes(changes):
        return {}
    return _build_preview(evening, changes)


def _build_preview(evening: Evening, changes: Sequence[queries.CostChange]) -> dict[str, Any]:
    month = f"{evening.held_on:%Y-%m}"
    closed = texts.describe_closed_month(month) if changes and is_closed(evening.club_id, month) else ""
    return {"changes": texts.describe_changes(changes), "money": _hash_changes(changes), "closed": closed}


def _hash_changes(changes: Sequence[queries.CostChange]) -> str:
    return hash_shown([(one.player and one.player.pk, one.was, one.is_now) for one in changes])


@require_http_methods(["GET", "HEAD", "POST"])
def evening_drinks(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    evening, access = get_evening_to_change(request, slug, pk)
    if evening.tariff is None or evening.dropped:
        return redirect("evening_cash", slug, pk)
    if "drinks" not in evening.tariff.content:
        messages.warning(request, _("Nach dem Tarif dieses Abends kosten Getränke nichts."))
        return redirect("evening_cash", slug, pk)
    rows = queries.list_attendance(evening)
    data = request.POST if request.method == "POST" else None
    form = forms.DrinksForm(data, evening=evening, tariff=evening.tariff, rows=rows)
    context = {"access": access, "section": "evenings", "evening": evening, "form": form}
    if form.is_valid():
        values: dict[str, Any] = {"drunk": form.drunk, "bill": form.bill, "paid_by": form.paid_by}
        change = partial(actions.change_drinks, evening=evening, actor=access.actor, **values)
        with show_refusal_in(form):
            return _show_or_change(request, evening, change, "scoring/cash/drinks.html", context)
    return render(request, "scoring/cash/drinks.html", context, status=422 if form.errors else 200)


@require_POST
def evening_fine(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    evening, access = get_evening_to_change(request, slug, pk)
    if evening.tariff is None:
        messages.warning(request, _("Dieser Abend hat keinen Tarif."))
        return redirect("evening_cash", slug, pk)
    form = forms.FineForm(request.POST, tariff=evening.tariff, rows=queries.read_facts(evening).rows)
    if form.is_valid():
        given = form.cleaned_data
        values = {name: given[name] for name in ("key", "code", "amount")}
        player = form.people[given["player"]]
        change = partial(actions.enter_fine, evening=evening, actor=access.actor, player=player, **values)
        with show_refusal_in(form):
            if changes := _build_unseen_changes(request, evening, change):
                with snapshot():
                    return _render_page(request, access, evening, form, changes)
            change()
            messages.success(request, _("Das Strafgeld ist eingetragen."))
            return redirect("evening_cash", slug, pk)
    with snapshot():
        return _render_page(request, access, evening, form)


@require_POST
def evening_fine_strike(request: HttpRequest, slug: str, pk: int, key: UUID) -> HttpResponse:
    """Strike a fine out; discard it if it came too late."""
    fine, access = _get_fine(request, slug, pk, key)
    change = partial(actions.discard_fine if fine.waits else actions.strike_fine, fine=fine, actor=access.actor)
    return _decide(request, access, fine, change, _("Das Strafgeld ist gestrichen."))


@require_POST
def evening_fine_accept(request: HttpRequest, slug: str, pk: int, key: UUID) -> HttpResponse:
    fine, access = _get_fine(request, slug, pk, key)
    change = partial(actions.take_in_fine, fine=fine, actor=access.actor)
    return _decide(request, access, fine, change, _("Das Strafgeld ist eingetragen."))


@require_POST
def evening_fines_discard(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Discard every fine that the page showed and that still waits."""
    evening, access = get_evening_to_change(request, slug, pk)
    discarded = actions.discard_fines(evening=evening, actor=access.actor, keys=request.POST.getlist("key"))
    sentence = ngettext(
        "%(fines)s Strafgeld verworfen. Im Verlauf steht es weiterhin.",
        "%(fines)s Strafgelder verworfen. Im Verlauf stehen sie weiterhin.",
        discarded,
    )
    messages.success(request, sentence % {"fines": discarded})
    return redirect("evening_cash", slug, pk)


def _get_fine(request: HttpRequest, slug: str, pk: int, key: UUID) -> tuple[Fine, Access]:
    evening, access = get_evening_to_change(request, slug, pk)
    fines = Fine.objects.select_related("evening__club", "evening__tariff", "player")
    return get_object_or_404(fines, evening=evening, key=key), access


def _decide(request: HttpRequest, access: Access, fine: Fine, change: Callable[[], object], done: str) -> HttpResponse:
    evening, (row,) = fine.evening, _describe_fines([fine], fine.evening.tariff)
    context = {"access": access, "section": "evenings", "evening": evening, "row": row}
    with warn_of_refusal(request):
        return _show_or_change(request, evening, change, "scoring/cash/fine_first.html", context, done)
    return redirect("evening_cash", access.club.slug, evening.pk)


@require_http_methods(["GET", "HEAD", "POST"])
def evening_tariff(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Pin another version of the tariff for this evening alone, after a preview."""
    evening, access = get_evening_to_pin(request, slug, pk)
    tariffs = list(list_tariff_versions(access.club))
    data = request.POST if request.method == "POST" else request.GET if "tariff" in request.GET else None
    form = forms.PinForm(data, tariffs=tariffs, evening=evening)
    context = {"access": access, "section": "evenings", "evening": evening, "form": form}
    if form.is_valid() and request.method == "POST":
        seen = parse_whole(request.POST.get("seen")) or None
        change = partial(actions.pin_tariff, evening=evening, actor=access.actor, tariff=form.selected_tariff, seen=seen)
        with warn_of_refusal(request):
            template = "scoring/cash/evening_tariff.html"
            return _show_or_change(request, evening, change, template, context | {"previewed": True})
        return redirect("evening_tariff", slug, pk)
    if form.is_valid():
        if evening.tariff is None:
            evening.turn = actions.count_earlier_evenings(evening)
        with snapshot():
            facts, standing = queries.read_facts(evening), queries.get_standing_entry(evening)
            found = queries.compare_costs(facts, standing, facts.compute_cost(form.selected_tariff))
            context |= _build_preview(evening, found) | {"previewed": True}
    status = 422 if form.is_bound and form.errors else 200
    return render(request, "scoring/cash/evening_tariff.html", context, status=status)


@require_POST
def evening_collect(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    evening, access = get_evening_cash(request, slug, pk, Role.TREASURER)
    standing = queries.get_standing_entry(evening)
    form = _build_collect_form(request.POST, evening, queries.read_facts(evening), standing)
    if form is None:
        messages.warning(request, _("Inzwischen ist alles kassiert."))
        return redirect("evening_cash", slug, pk)
    if not form.is_valid():
        key = form.cleaned_data.get("key")
        if key and queries.is_collected(access.club, key, request.POST.getlist("players")):
            messages.success(request, _("Kassiert und gebucht."))
            return redirect("evening_cash", slug, pk)
        with snapshot():
            return _render_page(request, access, evening, ticked=form)
    with warn_of_refusal(request):
        given = form.cleaned_data
        actions.collect(evening=evening, actor=access.actor, players=given["players"], key=given["key"])
        messages.success(request, _("Kassiert und gebucht."))
    return redirect("evening_cash", slug, pk)
