"""The columns of the eternal list and the records: what each is called and means, and how a column is added up and rounded."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import Aggregate, Count, Q, Sum
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from scoring.rules.ranking import Figure, rate, round_half_up
from scoring.rulesets.models import RuleSet
from scoring.standings.models import FIGURES, OpeningStanding


@dataclass
class Course:
    """The figures of one player for the columns on demand, by their keys. `sided` games are those with a known party, `winning` and
    `streak` are the lengths of the running and the longest series of wins."""

    best_evening: int | None = None
    worst_evening: int | None = None
    last_evening: datetime.date | None = None
    evening_wins: int = 0
    this_month: int = 0
    sided: int = 0
    re: int = 0
    bock_points: int = 0
    winning: int = 0
    streak: int = 0

    def add_evenings(self, best: int | None, worst: int | None, last: datetime.date | None, won: int) -> None:
        """Add the next evenings; None if none was played."""
        self.best_evening = max((one for one in (self.best_evening, best) if one is not None), default=None)
        self.worst_evening = min((one for one in (self.worst_evening, worst) if one is not None), default=None)
        self.last_evening = last or self.last_evening
        self.evening_wins += won

    def add_wins(self, games: int, wins: int, first: int, most: int, last: int) -> None:
        """Add the next table with games, or the next year: its series of wins at the start, the longest, at the end."""
        self.streak = max(self.streak, self.winning + first, most)
        self.winning = self.winning + games if wins == games else last

    def add_line(self, points: int, party: str, played: bool, won: bool, bock: int) -> None:
        """Add the next line, for a list that counts only some lines of a table."""
        if bock:
            self.bock_points += points
        if played:
            self.sided += party != ""
            self.re += party == "re"
            self.winning = self.winning + 1 if won else 0
            self.streak = max(self.streak, self.winning)


@dataclass(frozen=True)
class Metric:
    """One figure of a player, a column of the list. Its source is `total`, an aggregate of TableResult rows (of Score rows it is
    `of_games`), `part`, a rate of two totals, else the field of `Course` with its key. A rate needs enough of the total
    `games`, unless that is empty. A `percent` is a share of 1, a `day` an ordinal. `in_cents` has the fields that differ in a list
    of cents."""

    key: str
    label: Promise
    meaning: Promise
    total: Aggregate | None = None
    of_games: Aggregate | None = None
    part: tuple[str, str] | None = None
    games: str = "games"
    digits: int = 0
    percent: bool = False
    day: bool = False
    in_cents: Mapping[str, Any] = field(default_factory=dict)

    def compute(self, totals: Mapping[str, int | None], min_games: int = 0) -> Figure:
        """Return the exact figure; None for a rate of nothing or of fewer than `min_games` games."""
        if self.part is None:
            return totals[self.key]
        part, whole = (totals[key] for key in self.part)
        too_few = self.games != "" and (totals[self.games] or 0) < min_games
        return None if too_few or part is None or whole is None else rate(part, whole)

    def round(self, figure: Figure) -> int | Decimal | datetime.date | None:
        """Return the figure as page and file show it; it is rounded only here."""
        if figure is None:
            return None
        if self.day:
            return datetime.date.fromordinal(int(figure))
        if self.part is None:
            return int(figure)
        return round_half_up(figure, self.digits + 2 if self.percent else self.digits)


# The most wanted figures come first, because a phone shows only those beside the name.
METRICS = (
    Metric(
        "points",
        _("Punkte"),
        _("Summe aller Punkte, auch aus Strafpunkten und Berichtigungen."),
        total=Sum("points"),
        of_games=Sum("points"),
        in_cents={"label": _("Cent"), "meaning": _("Summe aller Beträge, auch aus Strafpunkten und Berichtigungen.")},
    ),
    Metric(
        "evenings",
        _("Abende"),
        _("Abende mit mindestens einem Spiel, auch ohne Einzelspiele übernommene und die eines Anfangsstands."),
        total=Count("table__evening", filter=Q(games__gt=0) | Q(table__without_games=True), distinct=True),
        of_games=Count("game__round__table__evening", filter=Q(played=True), distinct=True),
    ),
    Metric(
        "games",
        _("Spiele"),
        _("Gespielte Spiele. Aussetzen zählt nicht."),
        total=Sum("games"),
        of_games=Count("pk", filter=Q(played=True)),
    ),
    Metric(
        "average",
        _("Ø/Spiel"),
        _(
            "Punkte geteilt durch Spiele; was ohne Einzelspiele übernommen ist, zählt nicht mit, ein Anfangsstand nur, wo er "
            "seine Spiele nennt."
        ),
        part=("points_of_games", "games"),
        digits=2,
        in_cents={
            "label": _("Ø Cent/Spiel"),
            "meaning": _(
                "Cent geteilt durch Spiele; was ohne Einzelspiele übernommen ist, zählt nicht mit, ein Anfangsstand nur, wo er "
                "seine Spiele nennt."
            ),
        },
    ),
    Metric(
        "wins",
        _("Siege"),
        _("Spiele, die die eigene Partei gewonnen hat, gleich was sie brachten."),
        total=Sum("wins"),
        of_games=Count("pk", filter=Q(won=True)),
    ),
    Metric(
        "win_rate",
        _("Siegquote"),
        _("Siege geteilt durch Spiele; ein Anfangsstand zählt nur mit, wo er beides nennt."),
        part=("wins_of_games", "games_of_wins"),
        games="games_of_wins",
        digits=1,
        percent=True,
    ),
    Metric(
        "solos_won",
        _("Soli gewonnen"),
        _("Gewonnene eigene Soli, auch stille."),
        total=Sum("solos_won"),
        of_games=Count("pk", filter=Q(solo=True, won=True)),
    ),
    Metric(
        "solos",
        _("Soli gespielt"),
        _("Alle eigenen Soli, auch stille."),
        total=Sum("solos"),
        of_games=Count("pk", filter=Q(solo=True)),
    ),
    Metric(
        "solo_points",
        _("Solopunkte"),
        _("Punkte aus eigenen Soli."),
        total=Sum("solo_points"),
        of_games=Sum("points", filter=Q(solo=True), default=0),
        in_cents={"label": _("Solo-Cent"), "meaning": _("Beträge aus eigenen Soli.")},
    ),
)


# Columns that are shown on demand: figures of a course, or rates.
MORE = (
    Metric(
        "evening_average",
        _("Ø/Abend"),
        _(
            "Punkte geteilt durch Abende, auch ohne Einzelspiele übernommene; wie viele Spiele es waren, ist gleich. Ein "
            "Anfangsstand zählt nur mit, wo er seine Abende nennt."
        ),
        part=("points_of_evenings", "evenings"),
        games="",
        digits=2,
        in_cents={
            "label": _("Ø Cent/Abend"),
            "meaning": _("Cent geteilt durch Abende, auch ohne Einzelspiele übernommene; wie viele Spiele es waren, ist gleich."),
        },
    ),
    Metric(
        "evening_wins",
        _("Abendsiege"),
        _("Abende mit den meisten Punkten von allen. Auch ein geteilter erster Platz ist gewonnen."),
        in_cents={"meaning": _("Abende mit den meisten Cent von allen. Auch ein geteilter erster Platz ist gewonnen.")},
    ),
    Metric(
        "re_rate",
        _("Re-Quote"),
        _("Spiele als Re, auch eigene Soli, geteilt durch alle Spiele, deren Parteien bekannt sind: ohne die Kurzform."),
        part=("re", "sided"),
        digits=1,
        percent=True,
    ),
    Metric(
        "bock_points",
        _("Bockpunkte"),
        _("Punkte aus Spielen, in denen Bock galt."),
        in_cents={"label": _("Bock-Cent"), "meaning": _("Beträge aus Spielen, in denen Bock galt.")},
    ),
    Metric(
        "best_evening",
        _("Bester Abend"),
        _("Die meisten Punkte an einem Abend."),
        in_cents={"meaning": _("Der höchste Betrag an einem Abend.")},
    ),
    Metric(
        "worst_evening",
        _("Schlechtester Abend"),
        _("Die wenigsten Punkte an einem Abend."),
        in_cents={"meaning": _("Der niedrigste Betrag an einem Abend.")},
    ),
    Metric(
        "streak",
        _("Längste Serie"),
        _("Die meisten Siege in Folge, auch über mehrere Abende."),
    ),
    Metric(
        "this_month",
        _("Dieser Monat"),
        _("Punkte seit dem Ersten dieses Monats."),
        in_cents={"meaning": _("Beträge seit dem Ersten dieses Monats.")},
    ),
    Metric(
        "last_evening",
        _("Letzter Abend"),
        _("Wann zuletzt mitgespielt wurde."),
        day=True,
    ),
)

# Totals that no column shows, but a rate needs. Points without their games are in no rate per game, because the number of
# games is not known.
PARTS = {"points_of_games": Sum("points", filter=Q(table__without_games=False), default=0)}
# Totals that differ from others only by what an opening balance adds.
_ALIKE = {"wins_of_games": "wins", "games_of_wins": "games", "points_of_evenings": "points"}


def add_parts(sums: Mapping[str, int | None]) -> dict[str, int | None]:
    return {**sums, **{part: sums[total] for part, total in _ALIKE.items()}}


def get_opening_totals(opening: OpeningStanding) -> dict[str, int]:
    """Return what an opening balance adds to each total, by key. A rate takes a figure only if its other part is known as well."""
    known = {key: getattr(opening, key) for key in FIGURES}
    known |= {
        "points_of_games": None if opening.games is None else opening.points,
        "wins_of_games": None if opening.games is None else opening.wins,
        "games_of_wins": None if opening.wins is None else opening.games,
        "points_of_evenings": None if opening.evenings is None else opening.points,
    }
    return {key: value for key, value in known.items() if value is not None}


def get_totals() -> dict[str, Aggregate]:
    """Return the totals of TableResult rows by key."""
    return {metric.key: metric.total for metric in METRICS if metric.total} | PARTS


def get_totals_of_games() -> dict[str, Aggregate]:
    """Return the same totals of Score rows by key."""
    sums = {metric.key: metric.of_games for metric in METRICS if metric.of_games}
    return sums | {"points_of_games": Sum("points")}


def get_course_figures(course: Course) -> dict[str, int | None]:
    """Return the figures of the columns on demand by key, a day as an ordinal."""
    day = course.last_evening.toordinal() if course.last_evening else None
    return {**vars(course), "last_evening": day}


def list_metrics(unit: str | None, more: bool = False) -> tuple[Metric, ...]:
    """Return the columns of a list in this unit, in their order; `more` includes those on demand."""
    metrics = METRICS + MORE if more else METRICS
    return tuple(replace(metric, **metric.in_cents) for metric in metrics) if unit == RuleSet.Unit.CENTS else metrics


class Spot(NamedTuple):
    """The place of a record: an evening, and its game if it was a single one."""

    day: datetime.date
    evening: int
    table: int | None = None
    game: UUID | None = None


@dataclass
class Record:
    """The highest figure of a kind (`least`: the lowest); `feats` are the players who reached it, each with the first and
    the last spot of it. `signed`: the figure has a sign."""

    key: str
    label: Promise
    meaning: Promise
    signed: bool = False
    least: bool = False
    figure: int | None = None
    feats: list[tuple[int, Spot, Spot]] = field(default_factory=list)

    def takes(self, figure: int) -> bool:
        """Return whether a figure equals or beats the record. A cheap check before `offer`."""
        return self.figure is None or (figure <= self.figure if self.least else figure >= self.figure)

    def offer(self, figure: int, player: int, first: Spot, last: Spot) -> None:
        if not self.takes(figure):
            return
        if figure != self.figure:
            self.figure, self.feats = figure, []
        self.feats.append((player, first, last))


def build_records() -> list[Record]:
    """Return the records in the order of the page, each without a figure."""
    by_evening, by_game = _("Was einer Person ein Abend brachte."), _("Was einer Person ein Spiel brachte.")
    games = _("Spiele nacheinander, auch über mehrere Abende.")
    evenings = _("Von den Abenden, an denen die Person mitspielte.")
    return [
        Record("best_evening", _("Bester Abend"), by_evening, signed=True),
        Record("worst_evening", _("Schlechtester Abend"), by_evening, signed=True, least=True),
        Record("best_game", _("Bestes Spiel"), by_game, signed=True),
        Record("dearest_game", _("Teuerstes Spiel"), by_game, signed=True, least=True),
        Record("solos", _("Meiste Soli an einem Abend"), _("Eigene Soli, auch stille und verlorene.")),
        Record("games_won", _("Meiste Siege in Folge"), games),
        Record("games_lost", _("Meiste Niederlagen in Folge"), games),
        Record("evenings_won", _("Meiste Abendsiege in Folge"), evenings),
        Record("evenings_up", _("Meiste Abende im Plus in Folge"), evenings),
        Record("evenings_there", _("Meiste Abende in Folge dabei"), _("Von allen Abenden, die hier gezählt sind.")),
    ]
