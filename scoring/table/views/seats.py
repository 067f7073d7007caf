"""Change the line-up of a table, planned games, and carrying on Bock games of an earlier evening."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST

from scoring.club.access import Access, Role
from scoring.club.models import Player
from scoring.club.queries import list_active_players
from scoring.core.database import snapshot
from scoring.core.errors import ActionRefused, warn_of_refusal
from scoring.core.formats import fill_in_names, mark_as_name
from scoring.core.text import parse_whole
from scoring.play.models import SEATS, Table
from scoring.play.queries import read_records, read_sheet
from scoring.play.replay import EveningIsClosed, WorthTooMuch
from scoring.rules.validation import Refused, Sentence
from scoring.table.access import get_table, require_typist
from scoring.table.actions.seats import change_line_up, replace_player, seat_guest, sit_down, sit_down_late, swap_seats
from scoring.table.actions.tables import carry_on, plan_games, preview_carry
from scoring.table.forms.seats import CarryForm, GuestForm, PlannedForm, SeatsForm, draw_seats, parse_line_up
from scoring.table.queries import list_seated_twice
from scoring.table.texts import describe_preview
from scoring.table.views.data import answer_refusal, build_seated, is_json


@require_http_methods(["GET", "HEAD", "POST"])
def seats(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    table, access = get_table(request, slug, pk, Role.SCORER)
    if request.method == "POST" and is_json(request):
        return _sit_down(request, access, table)
    if "swap" in request.POST:
        return _change_tapped(request, access, table)
    if request.method != "POST":
        return _render_page(request, access, table)
    draw = "draw" in request.POST
    data = draw_seats(request.POST) if draw else request.POST
    form = SeatsForm(data, club=access.club, current=read_records(table).current)
    if draw or not form.is_valid():
        return _render_page(request, access, table, form)
    with warn_of_refusal(request):
        change_line_up(table=table, actor=access.actor, players=form.players)
        show_line_up(request, form.players)
        warn_of_two_tables(request, table)
    return redirect("table", slug, pk)


def _change_tapped(request: HttpRequest, access: Access, table: Table) -> HttpResponse:
    """Change the line-up by tapped players: two swap seats, one leaves, or another player takes the seat."""
    tapped = [parse_whole(pk) for pk in request.POST.getlist("swap")]
    with warn_of_refusal(request):
        if "leave" in request.POST or "instead" in request.POST:
            comes = None if "leave" in request.POST else parse_whole(request.POST["instead"]) or 0
            players = replace_player(table=table, actor=access.actor, gone=tapped[0], comes=comes)
        else:
            players = swap_seats(table=table, actor=access.actor, pair=tapped)
        show_line_up(request, players)
        warn_of_two_tables(request, table)
    return redirect("table", access.club.slug, table.pk)


def show_line_up(request: HttpRequest, players: Iterable[Player]) -> None:
    names = mark_as_name(", ".join(map(str, players)))
    messages.success(request, fill_in_names(_("Ab dem nächsten Spiel sitzen so: %(names)s."), names=names))


def _sit_down(request: HttpRequest, access: Access, table: Table) -> JsonResponse:
    """Seat a line-up that a phone sends: 200, also when repeated; 202 if the evening was closed; 409 with who sits there; 422."""
    require_typist(request)
    try:
        line_up = parse_line_up(request.body)
        players, is_late = _seat(access, table, **line_up)
    except (Refused, ActionRefused) as refused:
        return answer_refusal(table, refused)
    if not is_late:
        show_line_up(request, players)
        warn_of_two_tables(request, table)
    with snapshot():
        answer = build_seated(read_sheet(table), line_up["key"], players)
    if not is_late:
        return JsonResponse(answer)
    late = _("Der Abend ist abgeschlossen. Was diese Leute gespielt haben, geht an den Verwalter.")
    return JsonResponse({**answer, "round": 0, "late": late}, status=202)


def _seat(access: Access, table: Table, before: Sequence[int], **line_up: Any) -> tuple[list[Player], bool]:
    """Return the seated players, and whether the evening was closed before. Raise Refused and what `sit_down` raises."""
    try:
        try:
            return sit_down(table=table, actor=access.actor, before=before, **line_up), False
        except EveningIsClosed:
            return sit_down_late(table=table, actor=access.actor, **line_up), True
    except ValidationError as error:
        raise Refused({"people": Sentence("%(text)s", {"text": " ".join(error.messages)})}) from error


@require_POST
def guest(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    table, access = get_table(request, slug, pk, Role.SCORER)
    form = GuestForm(request.POST)
    if form.is_valid():
        try:
            player = seat_guest(table=table, actor=access.actor, name=form.cleaned_data["guest"])
            messages.success(request, fill_in_names(_("%(name)s sitzt mit am Tisch."), name=mark_as_name(player)))
            warn_of_two_tables(request, table)
            return redirect("table", slug, pk)
        except (ValidationError, ActionRefused) as fault:
            form.add_error("guest", fault.messages if isinstance(fault, ValidationError) else str(fault))
    return _render_page(request, access, table, guest=form)


@require_POST
def planned(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    table, access = get_table(request, slug, pk, Role.SCORER)
    form = PlannedForm(request.POST)
    if not form.is_valid():
        return _render_page(request, access, table, planned=form)
    with warn_of_refusal(request):
        games = form.cleaned_data["planned_games"]
        plan_games(table=table, actor=access.actor, planned_games=games)
        how_many = _("Geplant sind jetzt so viele Spiele: %(n)s.") % {"n": games}
        messages.success(request, how_many if games else _("Jetzt ist keine Zahl von Spielen geplant."))
    return redirect("table", slug, pk)


def warn_of_two_tables(request: HttpRequest, table: Table) -> None:
    """Warn about players who now sit at two tables of the evening. It is possible, but more often a mistake."""
    for number, people in list_seated_twice(table).items():
        text = ngettext(
            "%(names)s sitzt auch noch an Tisch %(table)s.", "%(names)s sitzen auch noch an Tisch %(table)s.", len(people)
        )
        names = mark_as_name(", ".join(map(str, people)))
        messages.warning(request, fill_in_names(text, names=names, table=number))


def _render_page(
    request: HttpRequest,
    access: Access,
    table: Table,
    form: SeatsForm | None = None,
    guest: GuestForm | None = None,
    planned: PlannedForm | None = None,
) -> HttpResponse:
    sheet = read_sheet(table)
    current = sheet.records.current
    form = form or SeatsForm(club=access.club, current=current)
    guest = guest or GuestForm()
    planned = planned or PlannedForm(initial={"planned_games": table.planned_games})
    context = {
        "access": access,
        "section": "evenings",
        "table": table,
        "form": form,
        "guest": guest,
        "planned": planned,
        "drawn": "draw" in request.POST,
        "absent": list_active_players(access.club).exclude(pk__in=[player.pk for player in current]),
        "people": current,
        "dealer": sheet.next.dealer,
        "seated": [(player, sheet.totals.get(player.pk, 0)) for player in current],
        "may_leave": len(current) > SEATS[0],
    }
    status = 422 if form.errors or guest.errors or planned.errors else 200
    return render(request, "scoring/table/seats.html", context, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
def table_carry(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    table, access = get_table(request, slug, pk, Role.SCORER)
    if not access.may_change(table.evening):
        messages.warning(request, str(EveningIsClosed()))
        return redirect("table", slug, pk)
    if request.method != "POST":
        return _render_carry_page(request, access, table, CarryForm(request.GET if "earlier" in request.GET else None, table=table))
    form = CarryForm(request.POST if "earlier" in request.POST else {"earlier": "?"}, table=table)
    if not form.is_valid():
        return _render_carry_page(request, access, table, form, status=422)
    try:
        carry_on(table=table, actor=access.actor, earlier=form.chosen, seen=request.POST.get("seen", ""))
    except ActionRefused as refused:
        return _render_carry_page(request, access, table, form, conflict=str(refused), status=refused.status)
    none = _("Hier gehen keine übrigen Böcke eines früheren Abends weiter.")
    messages.success(request, _("Die übrigen Böcke gehen hier weiter.") if form.chosen else none)
    return redirect("table", slug, pk)


def _render_carry_page(
    request: HttpRequest, access: Access, table: Table, form: CarryForm, conflict: str = "", status: int = 200
) -> HttpResponse:
    context = {"access": access, "section": "evenings", "table": table, "form": form, "conflict": conflict}
    with snapshot():
        sheet = read_sheet(table)
        context["sheet"] = sheet
        if form.is_bound and form.is_valid() and (form.chosen and form.chosen.pk) != table.carries_on_id:
            try:
                effects, seen = preview_carry(records=sheet.records, earlier=form.chosen)
                context |= {"chosen": form.chosen, "seen": seen, "effects": describe_preview(sheet, effects)}
            except WorthTooMuch as refused:
                context["conflict"], status = str(refused), refused.status
    return render(request, "scoring/table/carry.html", context, status=status)
