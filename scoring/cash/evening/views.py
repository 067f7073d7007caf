"""The Kasse of one evening: the page that explains every amount, attendance, drinks, fines, another tariff, and collecting
cash."""

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

from scoring.cash.access import get_evening_cash, get_facts, get_pinned, may_change
from scoring.cash.ledger.queries import is_closed
from scoring.cash.ledger.texts import reason_said
from scoring.cash.models import Entry, Fine, Settlement, Tariff
from scoring.cash.tariff.queries import versions_of
from scoring.cash.tariff.texts import fine_name
from scoring.club.access import Access, Role
from scoring.core.database import snapshot
from scoring.core.errors import handle_refusal, show_refusal_in, warn_of_refusal
from scoring.core.text import parse_whole
from scoring.play.models import Evening

from .actions import (
    change_attendance,
    change_drinks,
    collect,
    discard_fine,
    discard_fines,
    enter_fine,
    pin_tariff,
    strike_fine,
    take_in_fine,
    tried,
    turn_of,
)
from .forms import AttendanceForm, CollectForm, DrinksForm, FineForm, PinForm
from .queries import (
    Changed,
    Facts,
    attendance_of,
    booked_legs,
    booked_of,
    by_now,
    compared,
    counts,
    is_collected,
    left_to_pay,
    not_on_the_list,
    owed_by,
    read_facts,
    standing_among,
    stands_for,
)
from .texts import amount_said, bills, change_said, closed_in_kasse, kasse_said, said


@require_safe
def evening_cash(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """What an evening costs whom: as it stands while it is open, what is booked when it is closed."""
    evening, access = get_evening_cash(request, slug, pk, Role.READER)
    with snapshot():
        return _page(request, access, evening)


# Six parameters: what was typed of a fine, and what that would change; and who was ticked as having paid.
def _page(
    request: HttpRequest,
    access: Access,
    evening: Evening,
    fine: FineForm | None = None,
    fined: dict[str, Any] | None = None,
    ticked: CollectForm | None = None,
) -> HttpResponse:
    booked = booked_of(evening)
    context: dict[str, Any] = {
        "access": access,
        "section": "evenings",
        "evening": evening,
        "may_change": may_change(access, evening) and not evening.dropped,
        "booked": booked,
        "standing": standing_among(booked),
        "has_drinks": evening.tariff is not None and "drinks" in evening.tariff.content,
    }
    if evening.tariff is None and not booked:
        return render(request, "scoring/cash/evening.html", context)
    facts = read_facts(evening)
    context |= _changes(evening, facts, booked)
    if evening.tariff is not None and not evening.dropped:
        context |= {
            "bills": (found := bills(facts, evening.tariff)),
            "fines": _fines_said([fine for fine in facts.fines if not fine.waits], evening.tariff),
            "late_fines": _fines_said([fine for fine in facts.fines if fine.waits], evening.tariff),
            "kasse_said": kasse_said(found),
        }
        if context["may_change"] and evening.tariff.rules.fines:
            context["fine_form"] = fine or FineForm(None, tariff=evening.tariff, rows=facts.rows)
            context["fined"] = fined
        if access.treasurer and not evening.is_open:
            context["collect"] = ticked or _collect_form(None, evening, facts, standing_among(booked))
        if not evening.is_open:
            context["text"] = render_to_string("scoring/cash/evening.txt", context).strip() + "\n"
            context["settlement"] = Settlement.objects.filter(evening=evening).order_by("-pk").first()
    is_refused = ticked or (fine and fine.errors)
    return render(request, "scoring/cash/evening.html", context, status=422 if is_refused else 200)


def _changes(evening: Evening, facts: Facts, booked: list[Entry]) -> dict[str, Any]:
    """How the cost of an evening changed, and why. An open evening is compared with what is booked, a closed one with what
    was booked before."""
    changes: list[Changed]
    if evening.is_open:
        changes = compared(facts, standing_among(booked), owed_by(evening, facts)) if standing_among(booked) else []
        return {"changes": change_said(changes), "cause": _("noch nicht abgeschlossen") if changes else ""}
    reversals = [entry for entry in booked if entry.reverses_id]
    if not reversals:
        return {}
    was = reversals[-1].reverses
    now = by_now(booked_legs(standing_among(booked), facts.merged), facts.merged)
    changes = compared(facts, was, now)
    return {"changes": change_said(changes), "cause": reason_said(reversals[-1])}


def _fines_said(fines: Iterable[Fine], tariff: Tariff | None) -> list[dict[str, Any]]:
    return [
        {
            "fine": fine,
            "name": fine_name(tariff.content if tariff else {}, fine.code),
            "amount": amount_said(fine),
            "counts": tariff is not None and (fine.struck or fine.waits or counts(fine, tariff)),
        }
        for fine in fines
    ]


def _collect_form(data: Any, evening: Evening, facts: Facts, standing: Entry | None) -> CollectForm | None:
    """Who has something left to pay or to get, in the order of the evening; None where nobody has."""
    left = left_to_pay(evening, facts, standing)
    rows = [(row, left.get(facts.merged.resolve(row.player_id), 0)) for row in facts.rows]
    people = {row.player: said(cents) for row, cents in rows if cents}
    here = [row.player for row, _cents in rows if not row.absence]
    return CollectForm(data, people=people, here=here) if people else None


@require_http_methods(["GET", "HEAD", "POST"])
def evening_people(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Who was there and as what, who brought a guest, who was host."""
    evening, access = get_facts(request, slug, pk)
    rows = attendance_of(evening)
    data, others = request.POST if request.method == "POST" else None, not_on_the_list(evening)
    form = AttendanceForm(data, evening=evening, rows=rows, others=others)
    context = {"access": access, "section": "evenings", "evening": evening, "form": form}
    if form.is_valid():
        seen = form.cleaned_data["seen"]
        told: dict[str, Any] = {"people": form.said, "host": form.host, "seen": seen, "actor": access.actor}
        change = partial(change_attendance, evening=evening, **told)
        with handle_refusal(form.refuse):
            if changes := _not_seen(request, evening, change):
                return render(request, "scoring/cash/people.html", context | changes)
            change()
            messages.success(request, _("Gespeichert."))
            return redirect("evening_cash", slug, pk)
    return render(request, "scoring/cash/people.html", context, status=422 if form.errors else 200)


def _not_seen(request: HttpRequest, evening: Evening, change: Callable[[], object]) -> dict[str, Any]:
    """What a change of a closed evening would do to its money, where whoever sends it has not seen just that; nothing otherwise.
    Raises what the change raises."""
    changes = [] if evening.is_open else tried(evening, change)
    if not changes or request.POST.get("money") == stands_for(changes):
        return {}
    return _previewed(evening, changes)


def _previewed(evening: Evening, changes: Sequence[Changed]) -> dict[str, Any]:
    """What a page says of these changes, and that the month of the evening is closed."""
    month = f"{evening.held_on:%Y-%m}"
    closed = closed_in_kasse(month) if changes and is_closed(evening.club_id, month) else ""
    return {"changes": change_said(changes), "money": stands_for(changes), "closed": closed}


@require_http_methods(["GET", "HEAD", "POST"])
def evening_drinks(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """What everybody drank, and the bill."""
    evening, access = get_facts(request, slug, pk)
    if evening.tariff is None or evening.dropped:
        return redirect("evening_cash", slug, pk)
    if "drinks" not in evening.tariff.content:
        messages.warning(request, _("Nach dem Tarif dieses Abends kosten Getränke nichts."))
        return redirect("evening_cash", slug, pk)
    rows = attendance_of(evening)
    data = request.POST if request.method == "POST" else None
    form = DrinksForm(data, evening=evening, tariff=evening.tariff, rows=rows)
    context = {"access": access, "section": "evenings", "evening": evening, "form": form}
    if form.is_valid():
        told: dict[str, Any] = {"drunk": form.drunk, "bill": form.bill, "paid_by": form.paid_by, "actor": access.actor}
        change = partial(change_drinks, evening=evening, **told)
        with show_refusal_in(form):
            if changes := _not_seen(request, evening, change):
                return render(request, "scoring/cash/drinks.html", context | changes)
            change()
            messages.success(request, _("Gespeichert."))
            return redirect("evening_cash", slug, pk)
    return render(request, "scoring/cash/drinks.html", context, status=422 if form.errors else 200)


@require_POST
def evening_fine(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """A fine for somebody of the evening."""
    evening, access = get_facts(request, slug, pk)
    if evening.tariff is None:
        messages.warning(request, _("Dieser Abend hat keinen Tarif."))
        return redirect("evening_cash", slug, pk)
    form = FineForm(request.POST, tariff=evening.tariff, rows=read_facts(evening).rows)
    if form.is_valid():
        given = form.cleaned_data
        told = {name: given[name] for name in ("key", "code", "amount")}
        player = form.people[given["player"]]
        change = partial(enter_fine, evening=evening, actor=access.actor, player=player, **told)
        with show_refusal_in(form):
            if changes := _not_seen(request, evening, change):
                with snapshot():
                    return _page(request, access, evening, form, changes)
            change()
            messages.success(request, _("Das Strafgeld ist eingetragen."))
            return redirect("evening_cash", slug, pk)
    with snapshot():
        return _page(request, access, evening, form)


@require_POST
def evening_unfine(request: HttpRequest, slug: str, pk: int, key: UUID) -> HttpResponse:
    """Strike a fine out; one that came too late is discarded."""
    fine, access = _fine_of(request, slug, pk, key)
    change = partial(discard_fine if fine.waits else strike_fine, fine=fine, actor=access.actor)
    return _decide(request, access, fine, change, _("Das Strafgeld ist gestrichen."))


@require_POST
def evening_fine_late(request: HttpRequest, slug: str, pk: int, key: UUID) -> HttpResponse:
    """A fine that came too late counts after all."""
    fine, access = _fine_of(request, slug, pk, key)
    change = partial(take_in_fine, fine=fine, actor=access.actor)
    return _decide(request, access, fine, change, _("Das Strafgeld ist eingetragen."))


@require_POST
def evening_fines_discard(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Discard every fine that the page showed and that still waits."""
    evening, access = get_facts(request, slug, pk)
    discarded = discard_fines(evening=evening, actor=access.actor, keys=request.POST.getlist("key"))
    said = ngettext(
        "%(fines)s Strafgeld verworfen. Im Verlauf steht es weiterhin.",
        "%(fines)s Strafgelder verworfen. Im Verlauf stehen sie weiterhin.",
        discarded,
    )
    messages.success(request, said % {"fines": discarded})
    return redirect("evening_cash", slug, pk)


def _fine_of(request: HttpRequest, slug: str, pk: int, key: UUID) -> tuple[Fine, Access]:
    evening, access = get_facts(request, slug, pk)
    fines = Fine.objects.select_related("evening__club", "evening__tariff", "player")
    return get_object_or_404(fines, evening=evening, key=key), access


def _decide(
    request: HttpRequest, access: Access, fine: Fine, change: Callable[[], object], done: str
) -> HttpResponse:
    """Take in or discard a fine. If the evening is closed, the page first shows what that does to the money."""
    evening = fine.evening
    with warn_of_refusal(request):
        if changes := _not_seen(request, evening, change):
            (row,) = _fines_said([fine], evening.tariff)
            context = {"access": access, "section": "evenings", "evening": evening, "row": row}
            return render(request, "scoring/cash/fine_first.html", context | changes)
        change()
        messages.success(request, done)
    return redirect("evening_cash", access.club.slug, evening.pk)


@require_http_methods(["GET", "HEAD", "POST"])
def evening_tariff(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Another version for this evening alone, after what that changes was shown."""
    evening, access = get_pinned(request, slug, pk)
    tariffs = list(versions_of(access.club))
    data = request.POST if request.method == "POST" else request.GET if "tariff" in request.GET else None
    form = PinForm(data, tariffs=tariffs, evening=evening)
    context = {"access": access, "section": "evenings", "evening": evening, "form": form}
    if form.is_valid() and request.method == "POST":
        seen = parse_whole(request.POST.get("seen")) or None
        change = partial(pin_tariff, evening=evening, actor=access.actor, tariff=form.chosen, seen=seen)
        with warn_of_refusal(request):
            if changes := _not_seen(request, evening, change):
                return render(request, "scoring/cash/evening_tariff.html", context | changes | {"asked": True})
            change()
            messages.success(request, _("Gespeichert."))
            return redirect("evening_cash", slug, pk)
        return redirect("evening_tariff", slug, pk)
    if form.is_valid():
        if evening.tariff is None:
            evening.turn = turn_of(evening)
        with snapshot():
            facts, standing = read_facts(evening), standing_among(booked_of(evening))
            found = compared(facts, standing, facts.charges(form.chosen) if form.chosen else [])
            context |= _previewed(evening, found) | {"asked": True}
    status = 422 if form.is_bound and form.errors else 200
    return render(request, "scoring/cash/evening_tariff.html", context, status=status)


@require_POST
def evening_collect(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Everybody who is ticked paid, or got, in cash what the evening cost them."""
    evening, access = get_evening_cash(request, slug, pk, Role.TREASURER)
    form = _collect_form(request.POST, evening, read_facts(evening), standing_among(booked_of(evening)))
    if form is None:
        messages.warning(request, _("Inzwischen ist alles kassiert."))
        return redirect("evening_cash", slug, pk)
    if not form.is_valid():
        key = form.cleaned_data.get("key")
        if key and is_collected(access.club, key, request.POST.getlist("players")):
            messages.success(request, _("Kassiert und gebucht."))
            return redirect("evening_cash", slug, pk)
        with snapshot():
            return _page(request, access, evening, ticked=form)
    with warn_of_refusal(request):
        given = form.cleaned_data
        collect(evening=evening, actor=access.actor, players=given["players"], key=given["key"])
        messages.success(request, _("Kassiert und gebucht."))
    return redirect("evening_cash", slug, pk)
