"""Who was there, host, bill, and by which tariff an evening is charged. Each change of a closed evening is booked in the
same transaction. Whoever changes a fact locks the evening, then the books: nobody closes it in between."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext_noop as _

from scoring.cash.errors import (
    EveningIsDropped,
    FactsMeanwhile,
    NoHost,
    NoSuchDrink,
    NotBrought,
    NotCharged,
    NotOnThisEvening,
    WhoPlayedWasThere,
)
from scoring.cash.models.facts import Attendance, Fine
from scoring.cash.models.tariffs import Tariff
from scoring.cash.queries.facts import attendance_of, missing, read_facts, who_played
from scoring.cash.rules.evening import MOST_DRINKS
from scoring.club.actions import Actor, record
from scoring.club.models import Change, Player, Verb
from scoring.club.queries import get_merged_players
from scoring.play.actions import EveningIsClosed
from scoring.play.models import Evening, Seat

from .evenings import post_evening
from .posting import hold


@dataclass(frozen=True)
class Attended:
    """What is said of one person of an evening."""

    guest: bool
    absence: str
    brought_by: Player | None = None


def pin_current(evening: Evening, tariff: Tariff | None) -> None:
    """An evening that is just being opened is charged by the club's tariff, where it has one: its row, not saved yet."""
    evening.tariff = tariff
    if tariff is not None:
        evening.turn = Evening.objects.filter(club=evening.club_id).count()


def attend(evening: Evening, gone: Sequence[Player] = ()) -> None:
    """Whoever sits down at an evening that is charged is on its list, there; when it closes, the absent members are as well.
    Whoever is `gone` again, and sat there by mistake alone, is not."""
    if evening.tariff_id is None:
        return
    hold(evening.club)
    merged = get_merged_players(evening.club_id)
    _forget(evening, gone)
    rows = attendance_of(evening)
    Attendance.objects.bulk_create(missing(evening, rows, merged))
    # Whoever was expected to be absent and sat down is there.
    absent = [row for row in rows if row.absence]
    seated = {merged.resolve(pk) for pk in _seated(evening)} if absent else set()
    came = [row.pk for row in absent if merged.resolve(row.player_id) in seated]
    if came:
        Attendance.objects.filter(pk__in=came).update(absence="")


def _seated(evening: Evening) -> set[int]:
    return set(Seat.objects.filter(round__table__evening=evening).values_list("player", flat=True))


def _forget(evening: Evening, gone: Sequence[Player]) -> None:
    seated = _seated(evening) if gone else set()
    for player in gone:
        is_named = evening.host_id == player.pk or evening.bill_paid_by_id == player.pk
        of_them = Attendance.objects.filter(evening=evening, player=player, brought_by=None, drinks={})
        bringing = Attendance.objects.filter(evening=evening, brought_by=player)
        fined = Fine.objects.filter(evening=evening, player=player)
        if player.pk not in seated and not is_named and not bringing.exists() and not fined.exists():
            of_them.delete()


# --- The list ---------------------------------------------------------------------------------------------------------


@transaction.atomic
def change_attendance(
    *, evening: Evening, actor: Actor, people: Mapping[Player, Attended], host: Player | None, seen: str
) -> None:
    """Set who was there, in which role, and who was host. `seen` is the state of the list that the page showed; people who
    are not on it yet come last. Raises FactsMeanwhile, EveningIsClosed, NotCharged, EveningIsDropped, NotOnThisEvening,
    WhoPlayedWasThere, NotBrought, NoHost."""
    evening = lock(evening, actor)
    rows = {row.player: row for row in attendance_of(evening)}
    if state_of(evening, rows.values()) != seen:
        raise FactsMeanwhile
    before = _said(evening, rows.values())
    place = max((row.place for row in rows.values()), default=-1)
    for player, said in people.items():
        if player not in rows:
            if player.club_id != evening.club_id or player.merged_into_id:
                raise NotOnThisEvening
            place += 1
            rows[player] = Attendance(evening=evening, player=player, place=place)
        row = rows[player]
        row.guest, row.absence, row.brought_by = said.guest, said.absence, said.brought_by
    evening.host = host
    _judge(evening, rows)
    for row in rows.values():
        row.full_clean(validate_unique=False, validate_constraints=False)
        row.save()
    evening.save(update_fields=["host"])
    if (after := _said(evening, rows.values())) != before:
        done(evening, actor, Verb.CASH_EVENING, before, after, _("Anwesenheit geändert"))


def _judge(evening: Evening, rows: Mapping[Player, Attendance]) -> None:
    played = who_played(read_facts(evening).lines)
    members = {player for player, row in rows.items() if not row.guest}
    for player, row in rows.items():
        if row.absence and (row.guest or player.pk in played):
            raise WhoPlayedWasThere(player)
        if row.brought_by and (not row.guest or row.brought_by not in members):
            raise NotBrought(player)
    if evening.host and (evening.host not in members or rows[evening.host].absence):
        raise NoHost


def state_of(evening: Evening, rows: Any) -> str:
    """Stands for the list as somebody saw it."""
    said = [f"{row.player_id}{row.guest:d}{row.absence}.{row.brought_by_id or ''}" for row in rows]
    return f"{evening.host_id or ''}|{'|'.join(sorted(said))}"


def _said(evening: Evening, rows: Any) -> dict[str, Any]:
    """The list as the history keeps it, by ids."""
    by_absence: dict[str, Any] = {"players": []}
    rows = sorted(rows, key=lambda row: row.place)
    for row in rows:
        by_absence.setdefault(row.absence or ("guests" if row.guest else "players"), []).append(row.player_id)
    for row in rows:
        if row.brought_by_id:
            by_absence.setdefault("brought", []).append(row.player_id)
            by_absence.setdefault("bringers", []).append(row.brought_by_id)
    return by_absence | ({"host": evening.host_id} if evening.host_id else {})


# --- Drinks -----------------------------------------------------------------------------------------------------------


@transaction.atomic
def change_drinks(
    *, evening: Evening, actor: Actor, drunk: Mapping[Player, Mapping[str, int]], bill: int | None, paid_by: Player | None
) -> None:
    """How many of each drink of the tariff everybody on the list had, and the bill with who paid it, if it was not the Kasse.
    Raises EveningIsClosed, NotCharged, EveningIsDropped, NotOnThisEvening."""
    evening = lock(evening, actor)
    rows = {row.player: row for row in attendance_of(evening)}
    if not {*drunk, *([paid_by] if paid_by else [])} <= rows.keys():
        raise NotOnThisEvening
    before, was = _drunk(evening, rows.values()), _all_drinks(evening, rows.values())
    for player, counts in drunk.items():
        rows[player].drinks = {code: count for code, count in counts.items() if count and not rows[player].absence}
        rows[player].save(update_fields=["drinks"])
    evening.bill_cents, evening.bill_paid_by = bill, paid_by if bill else None
    evening.full_clean()
    evening.save(update_fields=["bill_cents", "bill_paid_by"])
    if _all_drinks(evening, rows.values()) != was:
        done(evening, actor, Verb.CASH_EVENING, before, _drunk(evening, rows.values()), _("Getränke geändert"))


def _all_drinks(evening: Evening, rows: Iterable[Attendance]) -> object:
    return evening.bill_cents, evening.bill_paid_by_id, {row.pk: dict(row.drinks) for row in rows}


def _drunk(evening: Evening, rows: Iterable[Attendance]) -> dict[str, Any]:
    """What was drunk as the history keeps it: how many in all, and the bill."""
    found: dict[str, Any] = {"drinks": sum(sum(row.drinks.values()) for row in rows), "bill": evening.bill_cents or 0}
    return found | ({"player": evening.bill_paid_by_id} if evening.bill_paid_by_id else {})


@transaction.atomic
def add_drinks(*, evening: Evening, actor: Actor, key: UUID, player: Player, code: str, count: int) -> None:
    """So many more of a drink of the tariff's list for somebody who is there, or fewer, but never fewer than none. The same key
    again changes nothing. Raises EveningIsClosed, NotCharged, EveningIsDropped, NotOnThisEvening, NoSuchDrink."""
    evening = fresh(evening)
    if _is_done(evening, key):
        return
    refuse(evening, actor)
    rows = {row.player: row for row in attendance_of(evening)}
    if player not in rows or rows[player].absence:
        raise NotOnThisEvening
    if evening.tariff is None or code not in evening.tariff.rules.drinks.prices:
        raise NoSuchDrink
    before, row = _drunk(evening, rows.values()), rows[player]
    row.drinks[code] = min(max(row.drinks.get(code, 0) + count, 0), MOST_DRINKS)
    row.drinks = {drink: many for drink, many in row.drinks.items() if many}
    row.save(update_fields=["drinks"])
    done(
        evening, actor, Verb.CASH_EVENING, before, _drunk(evening, rows.values()), _("Getränke geändert"), key=key
    )


@transaction.atomic
def bring_guest(*, evening: Evening, actor: Actor, key: UUID, guest: Player, bringer: Player) -> None:
    """Who brought a guest of the evening. The same key again changes nothing. Raises EveningIsClosed, NotCharged,
    EveningIsDropped, NotOnThisEvening, NotBrought."""
    evening = fresh(evening)
    if _is_done(evening, key):
        return
    refuse(evening, actor)
    rows = {row.player: row for row in attendance_of(evening)}
    if not {guest, bringer} <= rows.keys():
        raise NotOnThisEvening
    before = _said(evening, rows.values())
    rows[guest].brought_by = bringer
    _judge(evening, rows)
    rows[guest].save(update_fields=["brought_by"])
    done(
        evening, actor, Verb.CASH_EVENING, before, _said(evening, rows.values()), _("Anwesenheit geändert"), key=key
    )


def _is_done(evening: Evening, key: UUID) -> bool:
    """Was this done under the key that a phone made for it?"""
    return Change.objects.filter(club=evening.club_id, verb=Verb.CASH_EVENING, click=key).exists()


# --- The tariff of one evening ----------------------------------------------------------------------------------------


@transaction.atomic
def pin_tariff(*, evening: Evening, actor: Actor, tariff: Tariff | None, seen: int | None) -> None:
    """Charge an evening by another version of the club's tariff, or by none; `seen` is the version that it had (its id). One that
    had none gets its list, and its turn by when it was begun. Raises FactsMeanwhile, EveningIsDropped, NotOnThisEvening."""
    evening = fresh(evening)
    if evening.dropped:
        raise EveningIsDropped
    if evening.tariff_id != seen:
        raise FactsMeanwhile
    if evening.tariff_id == (tariff and tariff.pk):
        return
    if tariff is not None and tariff.club_id != evening.club_id:
        raise NotCharged
    before = evening.tariff
    evening.tariff = tariff
    if before is None:
        evening.turn = turn_of(evening)
    evening.save(update_fields=["tariff", "turn"])
    attend(evening)
    done(evening, actor, Verb.CASH_PINNED, _version(before), _version(tariff), _("Anderer Tarif"))


def _version(tariff: Tariff | None) -> dict[str, Any] | None:
    return None if tariff is None else {"version": tariff.version}


def turn_of(evening: Evening) -> int:
    """How many evenings of the club were begun before this one."""
    return Evening.objects.filter(club=evening.club_id, pk__lt=evening.pk).count()


# --- What every change begins and ends with ---------------------------------------------------------------------------


def fresh(evening: Evening) -> Evening:
    """The evening as it is while nobody closes it, or writes to the books: its row first, then those, as whoever closes it."""
    rows = Evening.objects.select_for_update(of=("self",), no_key=True).select_related("club", "tariff", "host")
    found = rows.get(pk=evening.pk)
    hold(found.club)
    return found


def lock(evening: Evening, actor: Actor) -> Evening:
    """The same, where it may be changed. Raises EveningIsDropped, NotCharged, EveningIsClosed."""
    evening = fresh(evening)
    refuse(evening, actor)
    return evening


def refuse(evening: Evening, actor: Actor) -> None:
    if evening.dropped:
        raise EveningIsDropped
    if evening.tariff_id is None:
        raise NotCharged
    if not (evening.is_open or actor.treasurer or actor.admin):
        raise EveningIsClosed


# Eight parameters: the row of the history, and what the books say of it.
def done(
    evening: Evening,
    actor: Actor,
    verb: Verb,
    before: dict[str, Any] | None,
    after: dict[str, Any] | None,
    cause: str,
    subject: object = None,
    key: UUID | None = None,
) -> None:
    subject = subject or evening.pk
    record(club=evening.club, actor=actor, verb=verb, subject=subject, before=before, after=after, click=key)
    post_evening(evening, actor=actor, cause=cause)
