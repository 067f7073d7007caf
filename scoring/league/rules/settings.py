"""What a season may set: how its months and itself are counted, and what else it asks for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NotRequired, TypedDict

from scoring.rules.validation import Check, Refused, Sentence, _, find_faults, number, one_of, or_null


class Deduction(TypedDict):
    """What whoever played fewer `games` loses for each that is missing."""

    games: int
    hundredths: int


class Settings(TypedDict):
    """How the months of a season are counted, and the season itself; `few_games` is ROOT, a deduction or nothing."""

    counting: str
    places: list[int]
    best: int | None
    min_evenings: int
    min_games: int
    few_games: str | Deduction | None
    guests: bool
    tie_breaks: list[str]
    rule_sets: list[str]
    season: str
    season_places: list[int]
    season_best: NotRequired[int | None]
    season_min_evenings: NotRequired[int]


COUNTINGS: Final = ("points", "average", "places")
SEASONS: Final = ("sum", "places")
TIE_BREAKS: Final = ("points", "average", "wins", "best", "evenings", "games")
ROOT: Final = "root"
MOST_POINTS: Final = 10_000
MOST_PLACES: Final = 60
MOST_EVENINGS: Final = 31
MOST_MONTHS: Final = 60
MOST_EVENINGS_OF_SEASON: Final = 366
MOST_GAMES: Final = 9_999

DEFAULT: Final[Settings] = {
    "counting": "points",
    "places": [],
    "best": None,
    "min_evenings": 0,
    "min_games": 0,
    "few_games": None,
    "guests": False,
    "tie_breaks": ["average", "wins"],
    "rule_sets": [],
    "season": "sum",
    "season_places": [],
    "season_best": None,
    "season_min_evenings": 0,
}
# What seasons of earlier versions do not say: it was as it is by default.
_LATER: Final = {"season_best", "season_min_evenings"}


def _places(value: Any) -> Sentence | None:
    """Points by place, the best first: none of them more than the one before."""
    if not isinstance(value, list) or len(value) > MOST_PLACES:
        return Sentence(_("Bitte Punkte für höchstens %(most)s Plätze angeben."), {"most": MOST_PLACES})
    for points in value:
        if (fault := number(0, MOST_POINTS)(points)) is not None:
            return fault
    if value != sorted(value, reverse=True):
        return Sentence(_("Ein besserer Platz darf nicht weniger bringen als ein schlechterer."))
    return None


def _few_games(value: Any) -> Sentence | None:
    if value in (None, ROOT):
        return None
    if not isinstance(value, Mapping) or set(value) != {"games", "hundredths"}:
        return Sentence(_("Bitte angeben, ab wie vielen Spielen und wie viel je fehlendem Spiel abgezogen wird."))
    return number(1, MOST_GAMES)(value["games"]) or number(1, 100 * MOST_POINTS)(value["hundredths"])


def _tie_breaks(value: Any) -> Sentence | None:
    if not isinstance(value, list) or any(entry not in TIE_BREAKS for entry in value):
        return Sentence(_("Bitte bei Gleichstand nur das vergleichen, was angeboten wird."))
    if len(set(value)) < len(value):
        return Sentence(_("Bei Gleichstand ist zweimal dasselbe zu vergleichen. Bitte jedes nur einmal angeben."))
    return None


def _names(value: Any) -> Sentence | None:
    if isinstance(value, list) and all(isinstance(name, str) and name for name in value):
        return None
    return Sentence(_("Bitte Regelwerke des Clubs angeben."))


_CHECKS: Final[dict[str, Check]] = {
    "counting": one_of(*COUNTINGS),
    "places": _places,
    "best": or_null(number(1, MOST_EVENINGS)),
    "min_evenings": number(0, MOST_EVENINGS),
    "min_games": number(0, MOST_GAMES),
    "few_games": _few_games,
    "guests": one_of(True, False),
    "tie_breaks": _tie_breaks,
    "rule_sets": _names,
    "season": one_of(*SEASONS),
    "season_places": _places,
    "season_best": or_null(number(1, MOST_MONTHS)),
    "season_min_evenings": number(0, MOST_EVENINGS_OF_SEASON),
}


def judge_league(data: object) -> dict[str, Sentence]:
    """What is wrong with the settings of a season, by setting."""
    if not isinstance(data, Mapping):
        return {"settings": Sentence(_("Das sind keine Einstellungen."))}
    if faults := find_faults(data, _CHECKS, needed=_CHECKS.keys() - _LATER):
        return faults
    missing = Sentence(_("Bitte angeben, was der erste Platz bringt, der zweite und so weiter."))
    if data["counting"] == "places" and not data["places"]:
        faults["places"] = missing
    if data["season"] == "places" and not data["season_places"]:
        faults["season_places"] = missing
    if data["few_games"] == ROOT and data["counting"] != "average":
        faults["few_games"] = Sentence(_("Gewichtet werden kann nur der Schnitt je Spiel."))
    return faults


def league_settings(data: Any) -> Settings:
    """The settings, judged. Raises Refused by setting."""
    if faults := judge_league(data):
        raise Refused(faults)
    settings: Settings = data
    return settings
