"""Make the league of a demo club: seasons, closed months, one that is closed again after a correction, and a supplement."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Sequence
from typing import Any, Final

from django.utils import timezone

from scoring.club.actions import Actor
from scoring.club.models import Club
from scoring.demo.cast import TIME_ZONE, Day, get_day
from scoring.demo.founding import get_last_change
from scoring.league.actions import add_season, add_supplement, close_month
from scoring.league.exports import build_month_file
from scoring.league.models import Season
from scoring.league.queries.books import (
    Month,
    compute_hash,
    get_days,
    get_month,
    list_months,
    read_books,
    serialize_content,
)
from scoring.league.queries.months import build_publication, compare_with_published
from scoring.league.rules import DEFAULT, Settings
from scoring.play.models import Evening, Game
from scoring.table.actions.games import Typed, correct_game

MORNING: Final = datetime.time(10)

SETTINGS: Final[Settings] = {**DEFAULT, "best": 3, "min_evenings": 2, "tie_breaks": ["average", "wins", "best"]}
# The first season of the shared club is counted differently, as an example.
BY_AVERAGE: Final[Settings] = {
    **DEFAULT,
    "counting": "average",
    "few_games": "root",
    "tie_breaks": ["points", "wins"],
    "season": "places",
    "season_places": [10, 8, 6, 5, 4, 3, 2, 1],
}
# Months since the month that was closed again, and since the one whose supplement counts in the last month.
CLOSED_AGAIN, SUPPLEMENTED = 7, 2
REASON: Final = "Ein Re war angesagt und stand nicht auf dem Zettel."


class League:
    """The admin of the league on the first of each month. `years` are the first days of the seasons and their settings."""

    def __init__(
        self,
        club: Club,
        admin: Actor,
        set_clock: Callable[[int, datetime.datetime], None],
        today: Day,
        years: Sequence[tuple[Day, Settings]],
    ) -> None:
        self.club, self.admin, self.set_clock, self.years = club, admin, set_clock, years
        self.seasons: list[Season] = []
        self.open_from: Month = get_month(self.years[0][0])  # the months before it are closed
        self.closed_again = get_month(get_day(today, CLOSED_AGAIN))
        self.supplemented = get_month(get_day(today, SUPPLEMENTED))

    def catch_up(self, day: datetime.date) -> None:
        """Do everything that is due before the evening of this day: begin seasons and close months."""
        for first_day, settings in self.years[len(self.seasons) :]:
            if first_day <= day:
                self.run_at(first_day, self._begin, first_day, settings)
        if get_month(day) == self.open_from:
            return
        for season in self.seasons:
            for month in list_months(season):
                if self.open_from <= month < get_month(day):
                    self._close(season, month)
        self.open_from = get_month(day)

    def _begin(self, first_day: Day, settings: Settings) -> None:
        last_day = get_day(first_day, -12) - datetime.timedelta(days=1)
        years = f"{first_day.year}" if first_day.month == 1 else f"{first_day.year}/{last_day:%y}"
        fields = {"name": f"Saison {years}", "first_day": first_day, "last_day": last_day, "unit": "points", "settings": settings}
        self.seasons.append(add_season(club=self.club, actor=self.admin, **fields))

    def _close(self, season: Season, month: Month) -> None:
        if not build_publication(read_books(season), month)["rows"]:
            return
        first = get_day(Day.fromisoformat(f"{month}-01"), -1)
        self.run_at(first, self._publish, season, month, first)
        if month in (self.closed_again, self.supplemented):
            self.run_at(first + datetime.timedelta(days=2), self._correct, season, month)
        later = first + datetime.timedelta(days=3)
        if month == self.closed_again:
            self.run_at(later, self._publish, season, month, later)
        if month == self.supplemented:
            self.run_at(later, self._supplement, season, month, later)

    def _publish(self, season: Season, month: Month, day: Day) -> None:
        close_month(
            season=season,
            month=month,
            actor=self.admin,
            seen=_hash_preview(season, month),
            confirmed=True,
            build_file=build_month_file,
            at=_get_time(day),
        )

    def _supplement(self, season: Season, month: Month, day: Day) -> None:
        seen, at = _hash_preview(season, month), _get_time(day)
        add_supplement(season=season, month=month, actor=self.admin, seen=seen, reason=REASON, at=at)

    def _correct(self, season: Season, month: Month) -> None:
        """Add a missing announcement to the first game of the month where that changes a result."""
        evenings = Evening.objects.filter(club=self.club, held_on__range=get_days(season, month))
        games = Game.objects.filter(round__table__evening__in=evenings, form="played", deleted=False)
        games = games.select_related("round__table__evening__club", "round__table__rule_set")
        for game in games.order_by("round__table__evening__held_on", "position"):
            if "re_said" in game.facts or "kontra_said" in game.facts:
                continue
            typed = Typed(game.form, {**game.facts, "re_said": "said"}, game.dealer, game.note)
            correct_game(table=game.round.table, actor=self.admin, key=game.key, version=game.version, typed=typed)
            if any(line["difference"] for line in compare_with_published(read_books(season), month)[1]):
                return

    def run_at(self, day: Day, action: Any, *args: Any) -> None:
        before = get_last_change(self.club)
        action(*args)
        self.set_clock(before, _get_time(day))


def _hash_preview(season: Season, month: Month) -> str:
    return compute_hash(serialize_content(build_publication(read_books(season), month)))


def _get_time(day: Day) -> datetime.datetime:
    return min(datetime.datetime.combine(day, MORNING, TIME_ZONE), timezone.now())
