"""Fetch an object of the Kasse and check the right to it; a single payment is shown to its people and with the right BOOKS only."""

from __future__ import annotations

from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest
from django.utils.translation import gettext as _

from scoring.cash.ledger.queries import list_entries, list_family_ids, list_visible_legs
from scoring.cash.models import Entry, Leg, Period, Report, Settlement, SettlementLine
from scoring.cash.settling.queries import get_line
from scoring.club.access import Access, Role, build_denial, fetch, get_player
from scoring.club.models import Player
from scoring.club.queries import find_player_of_login, get_merge_target
from scoring.play.models import Evening


def get_entry(request: HttpRequest, slug: str, pk: int, role: Role = Role.READER) -> tuple[Entry, list[Leg], Access]:
    """Return an entry with the legs that this reader may see; 403 for a reader without that right who is no part of it."""
    entries = Entry.objects.filter(club__slug=slug, pk=pk, number__isnull=False)
    entry, access = fetch(request, entries.select_related("club"), "club", role)
    whole = list_entries(access.club).select_related("tariff").get(pk=entry.pk)
    if access.sees_books:
        return whole, list(whole.legs.all()), access
    me = find_player_of_login(access.club, access.user)
    family = list_family_ids(access.club, me) if me else []
    if not any(leg.account.player_id in family for leg in whole.legs.all()):
        raise PermissionDenied(_("Das sehen nur, wen es angeht, und der Kassenwart."))
    return whole, list_visible_legs(whole, family), access


def get_statement(request: HttpRequest, slug: str, pk: int) -> tuple[Player, Access]:
    """Return a person, or the person they were merged into, for their statement, to themselves or with the right BOOKS."""
    player, access = get_player(request, slug, pk, Role.READER)
    player = get_merge_target(player)
    if player.user_id != access.user.pk and not access.sees_books:
        raise PermissionDenied(_("Den Auszug sehen nur die Person selbst und der Kassenwart."))
    return player, access


def get_leaver(request: HttpRequest, slug: str, pk: int, role: Role) -> tuple[Player, Access]:
    """Return a person whose day of leaving was entered, for the admins and the treasurer."""
    player, access = get_player(request, slug, pk, role)
    if not (access.treasurer or access.admin):
        raise build_denial()
    return get_merge_target(player), access


def get_report(request: HttpRequest, slug: str, key: UUID, role: Role) -> tuple[Report, Access]:
    """Return a reported payment: for the treasurer, or with the role of a reader for its author alone."""
    reports = Report.objects.filter(club__slug=slug, key=key).select_related("club", "player")
    report, access = fetch(request, reports, "club", role)
    if role is Role.READER:
        access.require_own(get_merge_target(report.player))
    return report, access


def get_evening_cash(request: HttpRequest, slug: str, pk: int, role: Role) -> tuple[Evening, Access]:
    evenings = Evening.objects.filter(club__slug=slug, pk=pk).select_related("club", "tariff", "host")
    return fetch(request, evenings, "club", role)


def get_evening_to_change(request: HttpRequest, slug: str, pk: int) -> tuple[Evening, Access]:
    evening, access = get_evening_cash(request, slug, pk, Role.READER)
    if not may_change(access, evening):
        raise build_denial()
    return evening, access


def may_change(access: Access, evening: Evening) -> bool:
    """Return whether this user may change the facts: scorers while it is open, the treasurer and admins always."""
    return access.treasurer or access.may_change(evening)


def get_evening_to_pin(request: HttpRequest, slug: str, pk: int) -> tuple[Evening, Access]:
    evening, access = get_evening_cash(request, slug, pk, Role.READER)
    if not (access.treasurer or access.admin):
        raise build_denial()
    return evening, access


def get_period(request: HttpRequest, slug: str, month: str, role: Role) -> tuple[Period, Access]:
    periods = Period.objects.filter(club__slug=slug, month=month).select_related("club", "closed_by")
    return fetch(request, periods, "club", role)


def get_settlement(request: HttpRequest, slug: str, key: UUID) -> tuple[Settlement, Access]:
    """Return a settlement, for every member of the club."""
    settlements = Settlement.objects.filter(club__slug=slug, key=key).select_related("club", "evening", "made_by")
    return fetch(request, settlements, "club", Role.READER)


def may_tick(line: SettlementLine, access: Access) -> bool:
    """Return whether this user may mark a line as paid: its receiver, or the treasurer."""
    return access.treasurer or (line.receiver is not None and line.receiver.user_id == access.user.pk)


def get_settlement_line(request: HttpRequest, slug: str, key: UUID, place: int) -> tuple[Settlement, Access]:
    settlement, access = get_settlement(request, slug, key)
    line = get_line(settlement, place)
    if line is None:
        raise Http404(_("Das gibt es hier nicht."))
    if not may_tick(line, access):
        raise PermissionDenied(_("Das dürfen nur, wer das Geld bekommt, und der Kassenwart."))
    return settlement, access
