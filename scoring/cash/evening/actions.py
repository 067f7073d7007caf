"""Change the facts of an evening, and collect its money. A change of a closed evening is booked in the same transaction.

Most actions lock the evening, then the books, so that the evening cannot be closed in between. They raise EveningIsClosed unless
the actor is a treasurer or admin, ActionRefused for a dropped evening or one without a tariff, and InvalidInput for what does not
fit the evening."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, Final
from uuid import UUID

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from scoring.cash.ledger.posting import get_late_day, lock_books, post
from scoring.cash.ledger.queries import is_closed
from scoring.cash.models import Attendance, Entry, Fine, Kind, Tariff
from scoring.cash.rules.money import build_leg_pair, build_member_account
from scoring.club.actions import Actor, record
from scoring.club.models import Change, Player, Verb
from scoring.club.queries import get_merged_players
from scoring.core.errors import ActionRefused, InvalidInput
from scoring.play.models import Evening, Seat
from scoring.play.replay import EveningIsClosed

from . import queries
from .posting import post_evening
from .rules import MOST_DRINKS

NOT_CHARGED: Final = _("Dieser Abend hat keinen Tarif.")
EVENING_DROPPED: Final = _("Dieser Abend zählt nicht mehr. An ihm ändert sich nichts mehr.")
EVENING_STILL_OPEN: Final = _("Der Abend läuft noch. Kassiert wird, wenn er abgeschlossen ist.")
_FACTS_MEANWHILE: Final = _("Inzwischen hat sich an diesem Abend etwas geändert. Bitte neu ansehen.")
_FINE_DECIDED: Final = _("Darüber hat inzwischen schon jemand entschieden.")


def pin_current_tariff(evening: Evening, tariff: Tariff | None) -> None:
    """Set the tariff of an evening that is just being opened, on its unsaved row."""
    evening.tariff = tariff
    if tariff is not None:
        evening.turn = Evening.objects.filter(club=evening.club_id).count()


def update_attendance(evening: Evening, gone: Sequence[Player] = ()) -> None:
    """Complete the list of a charged evening. Remove each of `gone` without a seat or other record on it."""
    if evening.tariff_id is None:
        return
    lock_books(evening.club)
    merged = get_merged_players(evening.club_id)
    _remove_rows(evening, gone)
    rows = queries.list_attendance(evening)
    Attendance.objects.bulk_create(queries.build_missing_rows(evening, rows, merged))
    # People who were entered as absent and sat down are present.
    absent = [row for row in rows if row.absence]
    seated = {merged.resolve(pk) for pk in _collect_seated_ids(evening)} if absent else set()
    came = [row.pk for row in absent if merged.resolve(row.player_id) in seated]
    if came:
        Attendance.objects.filter(pk__in=came).update(absence="")


def _collect_seated_ids(evening: Evening) -> set[int]:
    return set(Seat.objects.filter(round__table__evening=evening).values_list("player", flat=True))


def _remove_rows(evening: Evening, gone: Sequence[Player]) -> None:
    seated = _collect_seated_ids(evening) if gone else set()
    for player in gone:
        is_named = player.pk in (evening.host_id, evening.bill_paid_by_id)
        bringing = Attendance.objects.filter(evening=evening, brought_by=player)
        fined = Fine.objects.filter(evening=evening, player=player)
        if player.pk not in seated and not is_named and not bringing.exists() and not fined.exists():
            Attendance.objects.filter(evening=evening, player=player, brought_by=None, drinks={}).delete()


@transaction.atomic
def change_attendance(
    *, evening: Evening, actor: Actor, people: Mapping[Player, Attendance], host: Player | None, seen: str
) -> None:
    """Set the host, and guest, absence and bringer of each of `people`, copied from these unsaved rows.

    `seen` is the state of the list that the page showed (`serialize_attendance`). People who are not on it yet come last. Also
    raise ActionRefused if the list changed meanwhile, and InvalidInput by field."""
    evening = _lock_evening(evening, actor)
    rows = {row.player: row for row in queries.list_attendance(evening)}
    if serialize_attendance(evening, rows.values()) != seen:
        raise ActionRefused(_FACTS_MEANWHILE)
    before = _summarize_attendance(evening, rows.values())
    place = max((row.place for row in rows.values()), default=-1)
    for player, values in people.items():
        if player not in rows:
            if player.club_id != evening.club_id or player.merged_into_id:
                raise _build_unlisted_error()
            place += 1
            rows[player] = Attendance(evening=evening, player=player, place=place)
        row = rows[player]
        row.guest, row.absence, row.brought_by = values.guest, values.absence, values.brought_by
    evening.host = host
    _check_attendance(evening, rows)
    for row in rows.values():
        row.full_clean(validate_unique=False, validate_constraints=False)
        row.save()
    evening.save(update_fields=["host"])
    if (after := _summarize_attendance(evening, rows.values())) != before:
        _record_and_post(evening, actor, Verb.CASH_EVENING, before, after, gettext_noop("Anwesenheit geändert"))


# The names of the fields are those of `AttendanceForm`, so that each refusal is shown at its field.
def _check_attendance(evening: Evening, rows: Mapping[Player, Attendance]) -> None:
    played = queries.collect_players(queries.read_facts(evening).lines)
    members = {player for player, row in rows.items() if not row.guest}
    for player, row in rows.items():
        if row.absence and (row.guest or player.pk in played):
            raise InvalidInput(
                _("Diese Person hat gespielt, also war sie da. Bitte erst die Spiele berichtigen."), field=f"as_{player.pk}"
            )
        if row.brought_by and (not row.guest or row.brought_by not in members):
            raise InvalidInput(_("Mitgebracht werden nur Gäste, und nur von Mitgliedern."), field=f"by_{player.pk}")
    if evening.host and (evening.host not in members or rows[evening.host].absence):
        raise InvalidInput(_("Gastgeber kann nur ein Mitglied sein, das da ist."), field="host")


def serialize_attendance(evening: Evening, rows: Any) -> str:
    """Serialize the list; a form sends it back as `seen`."""
    parts = [f"{row.player_id}{row.guest:d}{row.absence}.{row.brought_by_id or ''}" for row in rows]
    return f"{evening.host_id or ''}|{'|'.join(sorted(parts))}"


def _build_unlisted_error() -> InvalidInput:
    return InvalidInput(_("Diese Person steht nicht in der Anwesenheit dieses Abends."), field="player")


def _summarize_attendance(evening: Evening, rows: Any) -> dict[str, Any]:
    by_absence: dict[str, Any] = {"players": []}
    rows = sorted(rows, key=lambda row: row.place)
    for row in rows:
        by_absence.setdefault(row.absence or ("guests" if row.guest else "players"), []).append(row.player_id)
    for row in rows:
        if row.brought_by_id:
            by_absence.setdefault("brought", []).append(row.player_id)
            by_absence.setdefault("bringers", []).append(row.brought_by_id)
    return by_absence | ({"host": evening.host_id} if evening.host_id else {})


@transaction.atomic
def change_drinks(
    *, evening: Evening, actor: Actor, drunk: Mapping[Player, Mapping[str, int]], bill: int | None, paid_by: Player | None
) -> None:
    """Set the drinks of each person in `drunk`, and the bill with its payer (`paid_by` None: the Kasse)."""
    evening = _lock_evening(evening, actor)
    rows = {row.player: row for row in queries.list_attendance(evening)}
    if not {*drunk, *([paid_by] if paid_by else [])} <= rows.keys():
        raise _build_unlisted_error()
    before, was = _summarize_drinks(evening, rows.values()), _get_drinks(evening, rows.values())
    for player, counts in drunk.items():
        rows[player].drinks = {code: count for code, count in counts.items() if count and not rows[player].absence}
        rows[player].save(update_fields=["drinks"])
    evening.bill_cents, evening.bill_paid_by = bill, paid_by if bill else None
    evening.full_clean()
    evening.save(update_fields=["bill_cents", "bill_paid_by"])
    if _get_drinks(evening, rows.values()) != was:
        after = _summarize_drinks(evening, rows.values())
        _record_and_post(evening, actor, Verb.CASH_EVENING, before, after, gettext_noop("Getränke geändert"))


def _get_drinks(evening: Evening, rows: Iterable[Attendance]) -> object:
    return evening.bill_cents, evening.bill_paid_by_id, {row.pk: dict(row.drinks) for row in rows}


def _summarize_drinks(evening: Evening, rows: Iterable[Attendance]) -> dict[str, Any]:
    """Return the drinks for the history: their number in all, and the bill."""
    found: dict[str, Any] = {"drinks": sum(sum(row.drinks.values()) for row in rows), "bill": evening.bill_cents or 0}
    return found | ({"player": evening.bill_paid_by_id} if evening.bill_paid_by_id else {})


@transaction.atomic
def add_drinks(*, evening: Evening, actor: Actor, key: UUID, player: Player, code: str, count: int) -> None:
    """Add drinks of a present person; below 0 remove them, down to 0. The same key again changes nothing."""
    evening = _lock_evening(evening)
    if _is_done(evening, key):
        return
    _check_changeable(evening, actor)
    rows = {row.player: row for row in queries.list_attendance(evening)}
    if player not in rows or rows[player].absence:
        raise _build_unlisted_error()
    if evening.tariff is None or code not in evening.tariff.rules.drinks["list"]:
        raise InvalidInput(_("Dieses Getränk gibt es im Tarif dieses Abends nicht."), field="drink")
    before, row = _summarize_drinks(evening, rows.values()), rows[player]
    row.drinks[code] = min(max(row.drinks.get(code, 0) + count, 0), MOST_DRINKS)
    row.drinks = {drink: many for drink, many in row.drinks.items() if many}
    row.save(update_fields=["drinks"])
    after = _summarize_drinks(evening, rows.values())
    _record_and_post(evening, actor, Verb.CASH_EVENING, before, after, gettext_noop("Getränke geändert"), key=key)


@transaction.atomic
def bring_guest(*, evening: Evening, actor: Actor, key: UUID, guest: Player, bringer: Player) -> None:
    """Set the member who brought a guest. The same key again changes nothing."""
    evening = _lock_evening(evening)
    if _is_done(evening, key):
        return
    _check_changeable(evening, actor)
    rows = {row.player: row for row in queries.list_attendance(evening)}
    if not {guest, bringer} <= rows.keys():
        raise _build_unlisted_error()
    before = _summarize_attendance(evening, rows.values())
    rows[guest].brought_by = bringer
    _check_attendance(evening, rows)
    rows[guest].save(update_fields=["brought_by"])
    after = _summarize_attendance(evening, rows.values())
    _record_and_post(evening, actor, Verb.CASH_EVENING, before, after, gettext_noop("Anwesenheit geändert"), key=key)


def _is_done(evening: Evening, key: UUID) -> bool:
    return Change.objects.filter(club=evening.club_id, verb=Verb.CASH_EVENING, click=key).exists()


@transaction.atomic
def pin_tariff(*, evening: Evening, actor: Actor, tariff: Tariff | None, seen: int | None) -> None:
    """Charge an evening by another version of the tariff, or by none; `seen` is the id that the page showed."""
    evening = _lock_evening(evening)
    if evening.dropped:
        raise ActionRefused(EVENING_DROPPED)
    if evening.tariff_id != seen:
        raise ActionRefused(_FACTS_MEANWHILE)
    if evening.tariff_id == (tariff and tariff.pk):
        return
    if tariff is not None and tariff.club_id != evening.club_id:
        raise ActionRefused(NOT_CHARGED)
    before = evening.tariff
    evening.tariff = tariff
    if before is None:
        evening.turn = count_earlier_evenings(evening)
    evening.save(update_fields=["tariff", "turn"])
    update_attendance(evening)
    was, is_now = ({"version": one.version} if one else None for one in (before, tariff))
    _record_and_post(evening, actor, Verb.CASH_PINNED, was, is_now, gettext_noop("Anderer Tarif"))


def count_earlier_evenings(evening: Evening) -> int:
    return Evening.objects.filter(club=evening.club_id, pk__lt=evening.pk).count()


def _lock_evening(evening: Evening, actor: Actor | None = None) -> Evening:
    """Lock an evening, then the books, as closing it does, and return the fresh row; check that `actor` may change it."""
    rows = Evening.objects.select_for_update(of=("self",), no_key=True).select_related("club", "tariff", "host")
    found = rows.get(pk=evening.pk)
    lock_books(found.club)
    if actor is not None:
        _check_changeable(found, actor)
    return found


def _check_changeable(evening: Evening, actor: Actor) -> None:
    if evening.dropped:
        raise ActionRefused(EVENING_DROPPED)
    if evening.tariff_id is None:
        raise ActionRefused(NOT_CHARGED)
    if not (evening.is_open or actor.treasurer or actor.admin):
        raise EveningIsClosed


def _record_and_post(
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


# The number of late fines that can wait on one evening, and that one link can send, discarded ones included.
MOST: Final = 60
OF_A_LINK: Final = 40


@transaction.atomic
def enter_fine(*, evening: Evening, actor: Actor, key: UUID, player: Player, code: str, amount: int) -> Fine:
    """Enter a fine of the evening's tariff for a person on its list; `amount` is a count, minutes or cents.

    The same key with the same content again returns what is stored."""
    evening = _lock_evening(evening)
    fine = Fine(evening=evening, key=key, player=player, code=code, amount=amount, entered_by=actor.login)
    if standing := _check_fine(fine):
        return standing
    _check_changeable(evening, actor)
    fine.save(force_insert=True)
    _record_fine(evening, actor, fine)
    return fine


@transaction.atomic
def keep_fine(*, evening: Evening, actor: Actor, key: UUID, player: Player, code: str, amount: int) -> Fine:
    """Store a fine that may not be entered any more, to wait for a decision; it costs nothing. Same key: see `enter_fine`."""
    evening = _lock_evening(evening)
    fine = Fine(evening=evening, key=key, player=player, code=code, amount=amount, entered_by=actor.login)
    if standing := _check_fine(fine):
        return standing
    if evening.dropped:
        raise ActionRefused(EVENING_DROPPED)
    waiting = Fine.objects.filter(evening=evening, waits=True)
    sent = Fine.objects.filter(Q(waits=True) | Q(struck=True), by_link=actor.link)
    if waiting.count() >= MOST or (actor.link and sent.count() >= OF_A_LINK):
        raise ActionRefused(_("An diesem Abend wartet schon zu viel auf eine Entscheidung. Bitte den Kassenwart fragen."))
    fine.waits, fine.by_link = True, actor.link
    fine.save(force_insert=True)
    after = _summarize_fine(fine)
    record(club=evening.club, actor=actor, verb=Verb.CASH_FINE_LATE, subject=fine.key, after=after)
    return fine


def _check_fine(fine: Fine) -> Fine | None:
    """Return the same fine if it is stored already; otherwise check it against the tariff and the list, and set its unit."""
    if standing := Fine.objects.filter(key=fine.key).select_related("evening").first():
        if _get_fine_content(standing) != _get_fine_content(fine):
            # The form has no field of this name and shows the sentence on top.
            raise InvalidInput(
                _("Hier ist schon etwas anderes eingetragen. Bitte die Seite neu laden und noch einmal eingeben."), field="fine"
            )
        return standing
    if fine.evening.tariff is None:
        raise ActionRefused(NOT_CHARGED)
    form = fine.evening.tariff.rules.fines.get(fine.code)
    if form is None or form.lost_games:
        raise InvalidInput(_("Dieses Strafgeld gibt es im Tarif dieses Abends nicht."), field="code")
    if not Attendance.objects.filter(evening=fine.evening, player=fine.player_id).exists():
        raise _build_unlisted_error()
    fine.unit, fits, _default = form.amount
    if fits(fine.amount) is not None:
        raise InvalidInput(
            _("So viel geht bei diesem Strafgeld nicht. Bitte die Anzahl, die Minuten oder den Betrag prüfen."), field="amount"
        )
    return None


def _get_fine_content(fine: Fine) -> tuple[object, ...]:
    return fine.evening_id, fine.player_id, fine.code, fine.amount


def _record_fine(evening: Evening, actor: Actor, fine: Fine) -> None:
    after, cause = _summarize_fine(fine), gettext_noop("Strafgeld nachgetragen")
    _record_and_post(evening, actor, Verb.CASH_FINED, None, after, cause, subject=fine.key)


def _summarize_fine(fine: Fine) -> dict[str, Any]:
    return {"player": fine.player_id, "code": fine.code, fine.unit: fine.amount, "evening": fine.evening_id}


@transaction.atomic
def take_in_fine(*, fine: Fine, actor: Actor) -> None:
    """Let a late fine count from now on."""
    evening = _lock_evening(fine.evening, actor)
    if not Fine.objects.filter(key=fine.key, waits=True).update(waits=False):
        raise ActionRefused(_FINE_DECIDED)
    _record_fine(evening, actor, fine)


def discard_fine(*, fine: Fine, actor: Actor) -> None:
    """Discard a late fine, by decision or by its author. It stays, struck out."""
    if not discard_fines(evening=fine.evening, actor=actor, keys=[str(fine.key)]):
        raise ActionRefused(_FINE_DECIDED)


@transaction.atomic
def discard_fines(*, evening: Evening, actor: Actor, keys: Collection[str]) -> int:
    """Discard those of these fines that still wait, and return how many. Fines that arrived meanwhile go on waiting."""
    evening = _lock_evening(evening)
    fines = [fine for fine in Fine.objects.filter(evening=evening, waits=True) if str(fine.key) in keys]
    for fine in fines:
        fine.waits, fine.struck = False, True
        fine.save(update_fields=["waits", "struck"])
        verb = Verb.CASH_FINE_NOT_TAKEN
        record(club=evening.club, actor=actor, verb=verb, subject=fine.key, before=_summarize_fine(fine))
    return len(fines)


@transaction.atomic
def strike_fine(*, fine: Fine, actor: Actor) -> None:
    """Strike a fine out; it stays on the list."""
    evening = _lock_evening(fine.evening, actor)
    if not Fine.objects.filter(key=fine.key, waits=False, struck=False).update(struck=True):
        raise ActionRefused(_("Dieses Strafgeld ist schon gestrichen."))
    before, cause = _summarize_fine(fine), gettext_noop("Strafgeld gestrichen")
    _record_and_post(evening, actor, Verb.CASH_UNFINED, before, None, cause, subject=fine.key)


@transaction.atomic
def collect(*, evening: Evening, actor: Actor, players: Collection[Player], key: UUID) -> list[Entry]:
    """Book for each player a payment or payout of what is unpaid of a closed evening. The same key again books nothing."""
    lock_books(evening.club)
    evening = Evening.objects.select_related("club").get(pk=evening.pk)
    if evening.is_open:
        raise ActionRefused(EVENING_STILL_OPEN)
    facts = queries.read_facts(evening)
    left, booked = queries.compute_unpaid(evening, facts, queries.get_standing_entry(evening)), []
    for player in players:
        rest = left.get(facts.merged.resolve(player.pk), 0)
        own = queries.build_collect_key(key, player.pk)
        if rest == 0 or Entry.objects.filter(club=evening.club, key=own).exists():
            continue
        kind = Kind.PAYMENT if rest > 0 else Kind.PAYOUT
        day, legs = _get_payment_day(evening), build_leg_pair(kind, "cash", rest, build_member_account(player.pk))
        booked.append(post(club=evening.club, actor=actor, key=own, kind=kind, date=day, legs=legs, evening=evening))
    return booked


def _get_payment_day(evening: Evening) -> datetime.date:
    """Return the day of the evening if it was today or yesterday and its month is open; otherwise that of `get_late_day`."""
    today = timezone.localdate()
    was_now = today - datetime.timedelta(days=1) <= evening.held_on <= today
    if was_now and not is_closed(evening.club_id, f"{evening.held_on:%Y-%m}"):
        return evening.held_on
    return get_late_day(evening.club, None)


def preview_change(evening: Evening, change: Callable[[], object]) -> list[queries.CostChange]:
    """Return whom a change of a closed evening costs more or less than is booked: make it, compare, and roll it back."""
    with transaction.atomic():
        was = queries.get_standing_entry(evening)
        change()
        now = Evening.objects.select_related("club", "tariff", "host").get(pk=evening.pk)
        facts = queries.read_facts(now)
        found = queries.compare_costs(facts, was, facts.compute_cost(now.tariff))
        transaction.set_rollback(True)
    return found
