"""Book what a treasurer types or a member reports, count the cash box, and add accounts of the club's own."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Final
from uuid import UUID

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from scoring.cash.models import CashCount, Entry, Heading, Kind, Report
from scoring.cash.rules.money import DueLeg, build_leg_pair, build_member_account
from scoring.club.actions import Actor, lock_club, record
from scoring.club.models import Club, Player, Verb
from scoring.club.queries import get_merge_target
from scoring.core.errors import ActionRefused, InvalidInput
from scoring.core.text import build_code, text_key, tidy
from scoring.play.models import Evening

from .posting import (
    DAY_TO_COME,
    KEY_BOOKED,
    REASON_NEEDED,
    SHORTEST_REASON,
    get_late_day,
    lock_books,
    post,
    reverse,
)
from .queries import get_balances, get_first_open_day, list_openings

BOX_CHANGED: Final = _("Inzwischen ist etwas gebucht worden. Bitte den neuen Bestand ansehen und noch einmal vergleichen.")


def book(
    *,
    club: Club,
    actor: Actor,
    key: UUID,
    kind: Kind,
    cents: int,
    date: datetime.date,
    person: Player | None = None,
    other: Player | None = None,
    box: str = "",
    heading: str = "",
    reason: str = "",
    evening: Evening | None = None,
) -> Entry:
    """Book what a treasurer types, an amount above 0. `box` is "cash" or "bank", for TRANSFER the one that the money leaves.
    `heading` is the code of an account of income or expense, for OPENING "cash", "bank", or "open" or "credit" of `person`.
    `other` is a second player: for SETTLE the one who receives the payment of `person`, for HANDOVER the one who takes over
    the debt of `person`. Raise what `post` raises."""
    payer, receiver = (build_member_account(player.pk) if player else "" for player in (person, other))
    up, down = _get_accounts(kind, payer, receiver, box, heading)
    legs = build_leg_pair(kind, up, cents, down)
    return post(club=club, actor=actor, key=key, kind=kind, date=date, legs=legs, reason=reason, evening=evening)


def take_back(*, entry: Entry, actor: Actor, key: UUID, reason: str) -> Entry:
    """Reverse an entry by hand, on the day of `get_late_day`. Raise ActionRefused for the cost of an evening."""
    if entry.kind == Kind.EVENING:
        raise ActionRefused(_("Was ein Abend kostet, folgt aus dem Abend: Bitte dort berichtigen, dann bucht die Kasse selbst."))
    return reverse(entry=entry, actor=actor, key=key, date=get_late_day(entry.club, entry), reason=reason)


def _get_accounts(kind: Kind, person: str, other: str, box: str, heading: str) -> tuple[str, str]:
    """Return the account that goes up, and the one that goes down."""
    match kind:
        case Kind.PAYMENT:
            return box, person
        case Kind.PAYOUT:
            return person, box
        case Kind.INCOME:
            return box, heading
        case Kind.EXPENSE:
            return heading, box
        case Kind.OUTLAY:
            return heading, person
        case Kind.FINE:
            return person, "income:fines"
        case Kind.JOINING:
            return person, "income:joining"
        case Kind.SETTLE | Kind.HANDOVER:
            # The payer owes less, the receiver more; so does the person who takes a debt over.
            return other, person
        case Kind.WAIVE:
            return "expense:waived", person
        case Kind.TRANSFER:
            return ("bank", "cash") if box == "cash" else ("cash", "bank")
        case Kind.OPENING if heading == "credit":
            return "equity:opening", person
        case Kind.OPENING:
            return (person if heading == "open" else heading), "equity:opening"
    raise ValueError(f"Entries of the kind {kind} are not typed.")


@transaction.atomic
def book_opening(
    *, club: Club, actor: Actor, key: UUID, date: datetime.date, amounts: Mapping[str, int]
) -> Entry:
    """Book the opening balance: the cents by account, of a person below 0 for a credit. The same key again returns what is
    stored."""
    lock_books(club)
    standing = list_openings(club).first()
    if standing is not None and standing.key != key:
        raise ActionRefused(
            _("Ein Anfangsbestand ist schon gebucht. Was fehlt, bitte einzeln buchen, oder erst stornieren, was dasteht.")
        )
    against = {"equity:opening": -sum(amounts.values())}
    legs = [DueLeg(Kind.OPENING, account, cents) for account, cents in {**amounts, **against}.items() if cents]
    return post(club=club, actor=actor, key=key, kind=Kind.OPENING, date=date, legs=legs)


@transaction.atomic
def report_payment(
    *, player: Player, actor: Actor, key: UUID, cents: int, box: str, date: datetime.date, note: str = ""
) -> Report:
    """Store a payment that a member reports. The same key with the same content again returns what is stored."""
    lock_books(player.club)
    values = {"player": player, "cents": cents, "box": box, "date": date, "note": tidy(note)}
    if date > timezone.localdate():
        raise InvalidInput(DAY_TO_COME, field="date")
    standing = Report.objects.filter(club=player.club_id, key=key).select_related("club", "player").first()
    if standing and all(getattr(standing, name) == value for name, value in values.items()):
        return standing
    if standing or Entry.objects.filter(club=player.club_id, key=key).exists():
        raise InvalidInput(_("Das ist so schon gemeldet, mit anderen Angaben. Bitte die Seite neu laden."))
    report = Report(club=player.club, key=key, reported_by=actor.login, **values)
    report.full_clean(exclude=["reported_by", "decided_by"])
    report.save()
    return report


@transaction.atomic
def withdraw_report(*, report: Report, actor: Actor) -> Report:
    """Withdraw a reported payment. A second call changes nothing."""
    return _decide(report, actor, Report.State.WITHDRAWN)


@transaction.atomic
def refuse_report(*, report: Report, actor: Actor, reason: str) -> Report:
    if len(tidy(reason)) < SHORTEST_REASON:
        raise InvalidInput(REASON_NEEDED, field="reason")
    return _decide(report, actor, Report.State.REFUSED, tidy(reason))


@transaction.atomic
def confirm_report(*, report: Report, actor: Actor) -> Entry:
    """Book a reported payment; a second call returns its entry. A payment of a closed month is booked on the first open day."""
    report = _decide(report, actor, Report.State.CONFIRMED)
    first = get_first_open_day(report.club)
    person = get_merge_target(report.player)
    return Entry.objects.filter(club=report.club_id, key=report.key).first() or book(
        club=report.club,
        actor=actor,
        key=report.key,
        kind=Kind.PAYMENT,
        cents=report.cents,
        date=max(report.date, first) if first else report.date,
        person=person,
        box=report.box,
        reason=report.note,
    )


def _decide(report: Report, actor: Actor, state: Report.State, reason: str = "") -> Report:
    lock_books(report.club)
    report = Report.objects.select_related("club", "player").get(pk=report.pk)
    if report.state == state:
        return report
    if report.state != Report.State.WAITING:
        raise ActionRefused(_("Über diese Zahlung ist schon entschieden."))
    report.state, report.reason = state, reason
    report.decided_at, report.decided_by = timezone.now(), actor.login
    report.save()
    return report


@transaction.atomic
def count_cash(
    *, club: Club, actor: Actor, key: UUID, cents: int, booked: int, counter: Player, witness: Player, reason: str = ""
) -> CashCount:
    """Store a count and book its difference today; `booked` is what the page showed. The same key returns what is stored."""
    lock_books(club)
    if standing := CashCount.objects.filter(club=club, key=key).select_related("entry").first():
        content = standing.cents, standing.booked, standing.counter_id, standing.witness_id
        if content != (cents, booked, counter.pk, witness.pk):
            raise InvalidInput(KEY_BOOKED)
        return standing
    if counter == witness:
        raise InvalidInput(_("Gezählt wird zu zweit: Bitte jemand anderen als Zeugen wählen."), field="witness")
    if get_balances(club).get("cash", 0) != booked:
        raise ActionRefused(BOX_CHANGED)
    entry = _post_difference(club, actor, key, cents - booked, reason)
    count = CashCount(club=club, key=key, cents=cents, booked=booked, counter=counter, witness=witness, entry=entry)
    count.full_clean()
    count.save()
    after = {"cents": cents, "booked": booked}
    record(club=club, actor=actor, verb=Verb.CASH_COUNTED, subject=count.pk, after=after)
    return count


def _post_difference(club: Club, actor: Actor, key: UUID, cents: int, reason: str) -> Entry | None:
    if cents == 0:
        return None
    other = "income:surplus" if cents > 0 else "expense:shortage"
    day, legs = get_late_day(club, None), build_leg_pair(Kind.COUNT, "cash", cents, other)
    return post(club=club, actor=actor, key=key, kind=Kind.COUNT, date=day, legs=legs, reason=reason)


@transaction.atomic
def add_heading(*, club: Club, actor: Actor, side: str, name: str, taken: dict[str, str]) -> Heading:
    """Add an account of income or expense. `taken` maps the codes of the built-in accounts to their names."""
    lock_club(club)
    name = tidy(name)
    known = taken | dict(Heading.objects.filter(club=club).values_list("code", "name"))
    if any(code.startswith(f"{side}:") and text_key(other) == text_key(name) for code, other in known.items()):
        raise InvalidInput(_("So heißt schon eine Art. Bitte einen anderen Namen wählen."), field="name")
    codes = {code.removeprefix(f"{side}:") for code in known if code.startswith(f"{side}:")}
    heading = Heading(club=club, code=f"{side}:{build_code(name, codes)}", name=name)
    heading.full_clean()
    heading.save()
    record(club=club, actor=actor, verb=Verb.CASH_HEADING_ADDED, subject=heading.pk, after={"code": heading.code})
    return heading
