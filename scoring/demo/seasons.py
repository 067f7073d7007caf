"""The evenings of the demo's clubs: two seasons of Thursdays, who came, how many games they played, and which evenings were
typed at the table, so that they stand in the history."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Final

from django.db import transaction

from scoring.club.actions.people import change_player
from scoring.play.actions.years import recount

from .cast import HERZDAME, HOLIDAY_HOME, KREUZ_DAME, Cast, Day
from .evenings import write
from .kasse import FINES, Treasurer
from .league import League
from .phone import play_evening
from .plans import WEEK, Plan, begin_of, who_comes
from .staff import Staff, found, last_change, set_clock

SEED: Final = 439
FIRST: Final = Day(2024, 10, 3)
LAST: Final = Day(2026, 10, 29)
# Since then every evening is typed.
LATELY: Final = Day(2026, 9, 1)
# The evening in the holiday home, and what happened on which evening that was no game.
AWAY: Final = 23
EXTRAS: Final = {
    7: "redeal",
    9: "penalty",
    15: "afterthought",
    19: "redeal",
    27: "correction",
    33: "redeal",
    42: "penalty",
    46: "afterthought",
    50: "redeal",
}


@transaction.atomic
def invent() -> list[dict[str, str]]:
    """Both clubs, all or nothing. Answers the logins: login, password and role of each."""
    staff, logins = found(KREUZ_DAME, Random(SEED))  # noqa: S311  # nosec B311  # invented games, no secrets
    league = League(staff.club, staff.admin, lambda after, at: set_clock(staff.club, after, at, staff.rng))
    kasse = Treasurer(staff.club, staff.players, staff.admin, league.at)
    for plan in seasons(KREUZ_DAME, Random(SEED)):  # noqa: S311  # nosec B311  # as above
        league.reach(plan.held_on)
        kasse.reach(plan.held_on)
        if plan.typed:
            play_evening(staff, plan, kasse.fine)
        else:
            write(staff, [plan])
    farewell(staff, KREUZ_DAME)
    small, more = found(HERZDAME, Random(SEED + 1))  # noqa: S311  # nosec B311  # as above
    write(small, list(fridays(HERZDAME, small.rng)))
    for one in (staff, small):
        recount(one.club.pk)
    return [*logins, *more]


def farewell(staff: Staff, cast: Cast) -> None:
    """Who left during the seasons is seen off by the admin."""
    for person in cast.people:
        if person.left_on is not None:
            before = last_change(staff.club)
            change_player(
                player=staff.players[person.name],
                actor=staff.admin,
                name=person.name,
                guest=person.guest,
                joined_on=person.joined_on,
                left_on=person.left_on,
                user=None,
            )
            set_clock(staff.club, before, begin_of(person.left_on), staff.rng)


def seasons(cast: Cast, rng: Random) -> Iterator[Plan]:
    """Thursdays in the pub, not in the holidays and not every week. The first one of a month is a Turnier."""
    days = [FIRST + week * WEEK for week in range((LAST - FIRST) // WEEK + 1)]
    evenings = [day for day in days if day == LAST or not (_holidays(day) or rng.random() < 0.29)]
    for number, day in enumerate(evenings):
        stops, away = day == LAST, number == AWAY
        tournament = day.day <= 7 and not away
        people = who_comes(rng, cast.people, day, 5 if stops or rng.random() < (0.15 if tournament else 0.45) else 4)
        yield Plan(
            held_on=day,
            rules=cast.rules[tournament].name,
            people=people,
            games=11 if stops else 24 if tournament else rng.randint(20, 24),
            place=HOLIDAY_HOME if away else rng.choice(cast.places),
            written="short" if away else "bands" if rng.random() < 0.1 and not tournament else "eyes",
            extra=EXTRAS.get(number, ""),
            stops=stops,
            typed=number in EXTRAS or day in FINES or day >= LATELY,
        )


def fridays(cast: Cast, rng: Random) -> Iterator[Plan]:
    """A private round with few evenings, always the same five people."""
    for day in (Day(2026, 6, 12), Day(2026, 9, 11), Day(2026, 10, 9)):
        people = who_comes(rng, cast.people, day, len(cast.people))
        yield Plan(held_on=day, rules=cast.rules[0].name, people=people, games=15, place="")


def _holidays(day: Day) -> bool:
    summer = (day.month, day.day) >= (7, 10) and day.month <= 8
    return summer or (day.month, day.day) >= (12, 19) or (day.month, day.day) <= (1, 6)
