"""When the demo's clubs met and what happened there: two seasons of Thursdays, who came, how many games, and the slips
that happen at a real table. Everything is done by the actions, so it obeys what they obey and stands in the history."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any, Final
from uuid import UUID

from django.db import transaction

from scoring.club.actions.history import Actor
from scoring.club.actions.people import add_new_login, add_player, change_player
from scoring.club.models.history import Change, Verb
from scoring.club.models.people import Club, Player
from scoring.evenings.actions import close_evening, open_evening, reopen_evening
from scoring.play.models import Evening, Game, Table
from scoring.play.queries.deal import next_deal
from scoring.play.queries.records import read_records
from scoring.rules.deal import Proposal
from scoring.rules.settings import RuleSettings
from scoring.rulesets.actions.rule_sets import add_rule_set
from scoring.rulesets.models import RuleSet
from scoring.table.actions.games import Saved, Typed, add_game, add_games, correct_game, delete_game, undo

from .cast import FOUNDED, HERZDAME, HOLIDAY_HOME, KREUZ_DAME, MISCOUNT, NOTES, PENALTY, REDEALS, Cast, Day, Person
from .deals import Facts, in_bands, play, play_short
from .kasse import Kasse
from .league import HERE, League

SEED: Final = 20241003
FIRST: Final = Day(2024, 10, 3)
LAST: Final = Day(2026, 10, 29)
WEEK: Final = datetime.timedelta(days=7)
BEGINS: Final = datetime.time(19, 30)
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


@dataclass(frozen=True)
class Plan:
    """One evening to be played. `written` says how it is kept: eyes, bands, or short; `extra` is the line of another
    form that falls into it; `stops` leaves it open in the middle."""

    held_on: Day
    rules: str
    people: tuple[Person, ...]
    games: int
    place: str
    written: str = "eyes"
    extra: str = ""
    stops: bool = False


@dataclass
class Staff:
    """A club with everything that its evenings need."""

    club: Club
    rng: Random
    players: dict[str, Player]
    rules: dict[str, RuleSet]
    admin: Actor
    scorer: Actor


@transaction.atomic
def invent() -> list[dict[str, str]]:
    """Both clubs, all or nothing. Answers the logins: login, password and role of each."""
    staff, logins = found(KREUZ_DAME, Random(SEED))  # noqa: S311  # nosec B311  # invented games, no secrets
    league = League(staff.club, staff.admin, lambda after, at: set_clock(staff.club, after, at, staff.rng))
    kasse = Kasse(staff.club, staff.players, staff.admin, league.at)
    for plan in seasons(KREUZ_DAME, staff.rng):
        league.reach(plan.held_on)
        kasse.reach(plan.held_on)
        play_evening(staff, plan, kasse.fine)
    farewell(staff, KREUZ_DAME)
    small, more = found(HERZDAME, Random(SEED + 1))  # noqa: S311  # nosec B311  # as above
    for plan in fridays(HERZDAME, small.rng):
        play_evening(small, plan)
    return [*logins, *more]


def found(cast: Cast, rng: Random) -> tuple[Staff, list[dict[str, str]]]:
    """The club with its rules, logins and people, before its first evening."""
    club = Club.objects.create(name=cast.name, slug=cast.slug, **dict.fromkeys(cast.shows, True))
    users, logins = {}, []
    for login in cast.logins:
        member, password = add_new_login(club=club, actor=Actor(), login=login.login, roles=login.roles)
        users[login.player] = member.user
        logins.append({"login": login.login, "password": password, "role": login.role})
    admin, scorer = (
        Actor(users[login.player], admin="admin" in login.roles)
        for login in (cast.logins[0], cast.logins[1 % len(cast.logins)])
    )
    rules = {
        kind.name: add_rule_set(club=club, actor=admin, preset=kind.preset, name=kind.name, settings=kind.settings)
        for kind in cast.rules
    }
    players = {
        person.name: add_player(
            club=club,
            actor=admin,
            name=person.name,
            guest=person.guest,
            joined_on=person.joined_on,
            user=users.get(person.name),
        )
        for person in cast.people
    }
    set_clock(club, 0, datetime.datetime.combine(FOUNDED, BEGINS, HERE), rng)
    return Staff(club, rng, players, rules, admin, scorer), logins


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
            set_clock(staff.club, before, datetime.datetime.combine(person.left_on, BEGINS, HERE), staff.rng)


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
        )


def fridays(cast: Cast, rng: Random) -> Iterator[Plan]:
    """A private round with few evenings, always the same five people."""
    for day in (Day(2026, 6, 12), Day(2026, 9, 11), Day(2026, 10, 9)):
        people = who_comes(rng, cast.people, day, len(cast.people))
        yield Plan(held_on=day, rules=cast.rules[0].name, people=people, games=15, place="")


def _holidays(day: Day) -> bool:
    summer = (day.month, day.day) >= (7, 10) and day.month <= 8
    return summer or (day.month, day.day) >= (12, 19) or (day.month, day.day) <= (1, 6)


def who_comes(rng: Random, people: Sequence[Person], day: Day, seats: int) -> tuple[Person, ...]:
    """The keener the likelier; in the order they happen to sit."""
    there = [
        person
        for person in people
        if (person.joined_on or day) <= day and (person.left_on is None or person.left_on >= day)
    ]
    drawn = sorted(((rng.random() ** (1 / person.keen), person) for person in there), key=lambda draw: -draw[0])
    coming = [person for _, person in drawn[:seats]]
    rng.shuffle(coming)
    return tuple(coming)


def play_evening(staff: Staff, plan: Plan, fine: Callable[[Evening, Actor], None] | None = None) -> None:
    """Open it, enter its games with everything that goes wrong and whom it was to `fine`, close it, and put the clock back."""
    before = last_change(staff.club)
    table = open_evening(
        club=staff.club,
        actor=staff.scorer,
        held_on=plan.held_on,
        rule_set=staff.rules[plan.rules],
        players=[staff.players[person.name] for person in plan.people],
        place=plan.place,
    )
    phone = Phone(staff, plan, table)
    for number in range(plan.games):
        if number == plan.games // 2:
            phone.extra_line()
        phone.game(number)
    phone.ink()
    if fine is not None:
        fine(table.evening, staff.scorer)
    if not plan.stops:
        close_evening(evening=table.evening, actor=staff.scorer)
        if plan.extra == "afterthought":
            phone.afterthought(table.evening)
    set_clock(staff.club, before, datetime.datetime.combine(plan.held_on, BEGINS, HERE), staff.rng)


class Phone:
    """The phone on the table for one evening: what was typed, and what had to be put right. Games that nothing happened to
    are pencilled in first and entered together, before anything is put right: one replay instead of many."""

    def __init__(self, staff: Staff, plan: Plan, table: Table) -> None:
        self.rng, self.plan, self.table, self.scorer = staff.rng, plan, table, staff.scorer
        self.admin = staff.admin
        self.rules: RuleSettings = table.rule_set.rules.at(len(plan.people))
        self.skills = [person.skill for person in plan.people]
        self.records = read_records(table)
        self.pencilled: list[tuple[UUID, Typed]] = []

    def game(self, number: int) -> None:
        """One game, and the slips that come with typing."""
        deal = next_deal(self.records)
        facts = self._facts(number, deal)
        slip = self.rng.random()
        if slip < 0.02 and "eyes" in facts:
            typo = self._enter("played", {**facts, "eyes": 240 - facts["eyes"]}, deal.dealer)
            self._correct(typo.game, facts)
            return
        if slip < 0.03:
            self._take_back(self._enter(self._form, facts, deal.dealer))
        elif slip < 0.037:
            self._delete(self._enter(self._form, facts, deal.dealer).game)
        elif slip < 0.04 and number:
            self.ink()
            self._take_back(self._delete(self.records.games[-1]))
        self._pencil(self._form, facts, deal.dealer, self.rng.choice(NOTES) if self.rng.random() < 0.03 else "")
        if slip > 0.98 and number > 5 and self._form == "played":
            self.ink()
            self._remember_an_announcement(self.records.games[-4:-1])

    def extra_line(self) -> None:
        """A line that is no game."""
        people = len(self.plan.people)
        if self.plan.extra == "redeal":
            dealer = next_deal(self.records).dealer
            self._enter("redeal", {"seat": self.rng.randrange(people), "reason": self.rng.choice(REDEALS)}, dealer)
        elif self.plan.extra == "penalty":
            offender = self.rng.randrange(people)
            points = [1 - people if seat == offender else 1 for seat in range(people)]
            self._enter("penalty", {"points": points, "reason": PENALTY}, None)
        elif self.plan.extra == "correction":
            seats = self.rng.sample(range(people), 2)
            points = [{seats[0]: 2, seats[1]: -2}.get(seat, 0) for seat in range(people)]
            self._enter("correction", {"points": points, "reason": MISCOUNT}, None)

    def afterthought(self, evening: Evening) -> None:
        """Next morning somebody sees a mistake, and the admin puts it right."""
        reopen_evening(evening=evening, actor=self.admin)
        self._remember_an_announcement(self.records.games[3:], self.admin)
        close_evening(evening=evening, actor=self.admin)

    def ink(self) -> None:
        """Enter what is pencilled in."""
        if self.pencilled:
            self.records = add_games(table=self.table, actor=self.scorer, lines=self.pencilled)
            self.pencilled = []

    @property
    def _form(self) -> str:
        return "short" if self.plan.written == "short" else "played"

    def _facts(self, number: int, deal: Proposal) -> Facts:
        if self.plan.stops and number == self.plan.games - 1:
            # The running table shows an open Bock: somebody has just lost an announced game.
            seats = [seat for seat in range(self.rules.table) if seat != deal.dealer]
            return {"kind": "normal", "re": sorted(seats[:2]), "eyes": 113, "re_said": "said"}
        if self.plan.written == "short":
            return play_short(self.rng, self.rules, self.skills, deal)
        facts = play(self.rng, self.rules, self.skills, deal)
        return in_bands(facts, self.rules, deal.dealer) if self.plan.written == "bands" else facts

    def _pencil(self, form: str, facts: Facts, dealer: int, note: str) -> None:
        """A game to be entered with others; who deals next depends on it already."""
        key = self._key()
        self.pencilled.append((key, Typed(form, facts, dealer, note)))
        line = Game(key=key, round=self.records.rounds[-1], form=form, dealer=dealer, facts=facts)
        self.records = replace(self.records, games=[*self.records.games, line])

    def _enter(self, form: str, facts: Facts, dealer: int | None) -> Saved:
        self.ink()
        last = self.records.last
        return self._did(
            add_game(
                table=self.table,
                actor=self.scorer,
                key=self._key(),
                after=last.key if last else None,
                typed=Typed(form, facts, dealer),
            )
        )

    def _key(self) -> UUID:
        return UUID(int=self.rng.getrandbits(128), version=4)

    def _correct(self, game: Game, facts: Facts, actor: Actor | None = None) -> Saved:
        typed = Typed(game.form, facts, game.dealer, game.note)
        return self._did(
            correct_game(table=self.table, actor=actor or self.scorer, key=game.key, version=game.version, typed=typed)
        )

    def _take_back(self, saved: Saved) -> None:
        if saved.change is not None:
            self._did(undo(table=self.table, actor=self.scorer, change_id=saved.change.pk))

    def _delete(self, game: Game) -> Saved:
        return self._did(delete_game(table=self.table, actor=self.scorer, key=game.key, version=game.version))

    def _remember_an_announcement(self, games: Sequence[Game], actor: Actor | None = None) -> None:
        """Everybody had heard it, nobody had typed it. Now and then they find that it was another game."""
        silent = [game for game in games if game.form == "played" and "re_said" not in game.facts]
        if not silent or not self.rules.announcements:
            return
        saved = self._correct(silent[0], {**silent[0].facts, "re_said": "said"}, actor)
        if self.rng.random() < 0.3 and actor is None:
            self._take_back(saved)

    def _did(self, saved: Saved) -> Saved:
        self.records = saved.records
        return saved


def last_change(club: Club) -> int:
    return Change.objects.filter(club=club).order_by("-pk").values_list("pk", flat=True).first() or 0


def set_clock(club: Club, after: int, begin: datetime.datetime, rng: Random) -> None:
    """Put the clock of every change since `after` back to the evening it is told of. An action always happens now, and
    nothing but these times is written past the actions: they are as invented as the rest."""
    now = begin
    changes = list(Change.objects.filter(club=club, pk__gt=after).order_by("pk"))
    games: dict[Any, datetime.datetime] = {}
    for change in changes:
        now += _later(change, rng)
        change.at = now
        if change.verb == Verb.GAME_ADDED:
            games[UUID(change.subject_id)] = now
        if change.verb == Verb.EVENING_CLOSED:
            Evening.objects.filter(pk=change.subject_id).update(closed_at=now)
    Change.objects.bulk_update(changes, ["at"])
    entered = [Game(key=key, entered_at=at) for key, at in games.items()]
    Game.objects.bulk_update(entered, ["entered_at"])


def _later(change: Change, rng: Random) -> datetime.timedelta:
    """How long after the change before: a game takes its time, and what is seen next morning a night."""
    match change.verb:
        case Verb.GAME_ADDED:
            return datetime.timedelta(minutes=rng.randint(5, 9))
        case Verb.EVENING_REOPENED:
            return datetime.timedelta(hours=11)
    return datetime.timedelta(minutes=1)
