"""Read the dues of members. A month is charged by the tariff that the club had at its end."""

from __future__ import annotations

import datetime
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID, uuid5

from django.db.models import F, Q, Sum
from django.utils import timezone

from scoring.cash.ledger.queries import get_first_open_day, get_month_days, hash_shown
from scoring.cash.models import Attendance, DuesStatus, Entry, Kind, Leg, Tariff
from scoring.cash.rules.money import DueLeg, build_member_account
from scoring.cash.tariff.queries import get_current_tariff
from scoring.club.models import Change, Club, Player, Verb
from scoring.club.queries import get_merged_players
from scoring.core.dates import get_this_month, list_months_between
from scoring.play.models import Evening

from .rules import Payer, build_dues_legs

_OF_NOBODY: Final = UUID(int=0)
# The time for which a member is new.
_LATELY: Final = datetime.timedelta(days=60)


def list_members(club: Club) -> list[Player]:
    """List the members by name, also those who left; no guests."""
    members = Player.objects.filter(club=club, guest=False, merged_into=None, erased_on=None)
    return list(members.order_by("name_key", "pk"))


def get_statuses(club: Club) -> Mapping[int, list[DuesStatus]]:
    """Return the statuses of each person, the earliest month first."""
    found: dict[int, list[DuesStatus]] = defaultdict(list)
    for row in DuesStatus.objects.filter(player__club=club).order_by("month"):
        found[row.player_id].append(row)
    return found


def get_status(rows: list[DuesStatus], month: str) -> DuesStatus:
    """Return the row that holds in a month; an unsaved one of full dues without any."""
    return next((row for row in reversed(rows) if row.month <= month), DuesStatus(status=DuesStatus.Status.FULL))


def build_dues_key(month: str, number: int) -> UUID:
    """Build the key of entry number `number` (from 0) of the dues of a month."""
    return uuid5(_OF_NOBODY, f"dues/{month}/{number}")


@dataclass(frozen=True)
class Due:
    """The dues of a month before booking, as the entry number `number` of this month."""

    month: str
    tariff: Tariff
    number: int
    legs: list[DueLeg]
    people: Mapping[int, Player]

    @property
    def key(self) -> UUID:
        return build_dues_key(self.month, self.number)

    @property
    def sums(self) -> list[tuple[Player, int]]:
        """List the people who owe something with their dues, by name."""
        owed = {leg.account: leg.cents for leg in self.legs}
        accounts = [(player, build_member_account(pk)) for pk, player in self.people.items()]
        return [(player, owed[account]) for player, account in accounts if account in owed]

    @property
    def total(self) -> int:
        return sum(cents for _player, cents in self.sums)

    @property
    def seen(self) -> str:
        """Return a hash, by which a request proves that these dues were shown."""
        return hash_shown((self.legs, self.number, self.tariff.pk))


def get_standing_dues(club: Club, month: str) -> Entry | None:
    """Return the entry of the dues of a month that was not reversed."""
    entries = Entry.objects.filter(club=club, kind=Kind.DUES, month=month, number__isnull=False, reversed_by=None)
    return entries.order_by("-pk").first()


def get_due(club: Club, month: str) -> Due | None:
    """Return the dues to book of a month; None if there are none, or if the month has not begun or is closed."""
    return next((due for due in list_dues(club) if due.month == month), None)


def list_dues(club: Club, until: str = "") -> list[Due]:
    """List the dues to book up to a month, the earliest first, with the same number of queries for any number of months."""
    tariffs = list(Tariff.objects.filter(club=club).order_by("version"))
    if not any(tariff.rules.dues for tariff in tariffs):
        return []
    of_dues = Entry.objects.filter(club=club, kind=Kind.DUES, number__isnull=False)
    times: dict[str, int] = defaultdict(int)
    booked = set()
    for month, reversed_by in of_dues.values_list("month", "reversed_by"):
        times[month] += 1
        booked |= set() if reversed_by else {month}
    members, statuses = list_members(club), get_statuses(club)
    days = Evening.objects.filter(club=club, dropped=False).values_list("held_on", flat=True)
    evenings = Counter(f"{day:%Y-%m}" for day in days)
    found = []
    for month in _list_open_months(club, tariffs[0], until):
        tariff = [one for one in tariffs if _get_day(one) <= get_month_days(month)[1]][-1]
        dues = tariff.rules.dues
        # An evening may still come.
        too_early = dues is not None and dues["when"] == "no_evening" and month >= get_this_month()
        if month in booked or too_early:
            continue
        payers = [
            Payer(str(one.pk), one.guest, get_status(statuses.get(one.pk, []), month).status, one.joined_on, one.left_on)
            for one in members
        ]
        legs = build_dues_legs(get_month_days(month)[0], evenings[month], payers, tariff.rules)
        if legs:
            found.append(Due(month, tariff, times[month], legs, {player.pk: player for player in members}))
    return found


def _list_open_months(club: Club, first: Tariff, until: str) -> list[str]:
    """List the months from the first tariff on that are not closed."""
    start = max(_get_day(first), get_first_open_day(club) or _get_day(first))
    return [month for month in list_months_between(start, timezone.localdate()) if month <= (until or month)]


def list_newcomers(club: Club) -> list[Player]:
    """List recent members who were not charged for joining, if joining costs something since."""
    costing = [tariff for tariff in Tariff.objects.filter(club=club).order_by("version") if tariff.content.get("joining")]
    if not costing or costing[-1] != get_current_tariff(club):
        return []
    since = max(costing[0].made_at, timezone.now() - _LATELY)
    changes = Change.objects.filter(club=club, verb__in=[Verb.PLAYER_ADDED, Verb.PLAYER_CHANGED], at__gt=since)
    came = {int(change.subject_id) for change in changes if _became_member(change)}
    charged = Entry.objects.filter(club=club, kind=Kind.JOINING, number__isnull=False, reversed_by=None)
    paid = set(charged.values_list("legs__account__player", flat=True))
    return [player for player in list_members(club) if player.pk in came - paid and player.left_on is None]


def _became_member(change: Change) -> bool:
    was, now = change.before, change.after or {}
    return not now.get("guest") and (was is None or bool(was.get("guest")))


def _get_day(tariff: Tariff) -> datetime.date:
    return timezone.localdate(tariff.made_at)


_CHARGED_ABSENT = (Attendance.Absence.EXCUSED, Attendance.Absence.UNEXCUSED)


def get_fees_after_leaving(club: Club) -> dict[Player, list[dict[str, Any]]]:
    """Return the booked fees for days after a member left, the earliest first: the ids of "entry" and "evening", the "cents", and
    the "month" of dues or the day ("held_on") of a missed evening. Four queries at most."""
    left = {player.pk: player for player in Player.objects.filter(club=club, left_on__isnull=False, merged_into=None)}
    if not left:
        return {}
    merged = get_merged_players(club.pk)
    after = Q(entry__date__gt=F("account__player__left_on")) | Q(account__player__merged_into__isnull=False)
    legs = Leg.objects.filter(
        after,
        entry__club=club,
        entry__kind__in=(Kind.DUES, Kind.EVENING),
        entry__number__isnull=False,
        entry__reversed_by=None,
    )
    columns = ("account__player", "entry", "entry__month", "entry__evening", "entry__evening__held_on")
    rows = list(legs.order_by("entry__date", "entry__number").values_list(*columns).annotate(Sum("cents")))
    of_evenings = Attendance.objects.filter(evening__in={row[3] for row in rows}, absence__in=_CHARGED_ABSENT)
    absent = {(evening, merged.resolve(player)) for evening, player in of_evenings.values_list("evening", "player")}
    found = defaultdict[Player, list[dict[str, Any]]](list)
    for player, entry, month, evening, held_on, cents in rows:
        who = left.get(merged.resolve(player))
        if who is None or who.left_on is None or cents <= 0:
            continue
        late = held_on > who.left_on and (evening, who.pk) in absent if held_on else month > f"{who.left_on:%Y-%m}"
        if late:
            found[who].append({"entry": entry, "cents": cents, "month": month, "evening": evening, "held_on": held_on})
    return dict(found)
