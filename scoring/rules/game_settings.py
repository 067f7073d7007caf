"""The settings of one sort of games: those of the rule set, overridden by rows of `per_kind`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from .constants import PARTNER_KINDS, RAMSCH, SAID, SPECIALS
from .settings_schema import BOCK_DEFAULTS, LIMITS

Data = dict[str, Any]

# The Bock of a rule set that adds one to a preset without Bock.
PLAIN_BOCK: Final[Data] = {
    "triggers": [],
    "per_game": "one",
    "length": "table",
    "overlap": "append",
    "cap": 8,
    "effect": "all",
    "duty_solo_uses": True,
    "carry": False,
}


class Special:
    """A complete row of `specials`."""

    def __init__(self, special: str, row: int | Data) -> None:
        row = row if isinstance(row, Mapping) else {"points": row}
        points = row["points"]
        each = points if isinstance(points, (list, tuple)) else () if isinstance(points, Mapping) else (points,)
        # The factor of each, the maximum of a game and of a party, and who can earn it.
        self.times: int = points["times"] if isinstance(points, Mapping) else 1
        self.most = int(row.get("most", SPECIALS.get(special, 1)))
        self.most_party: int = row.get("most_party", self.most)
        self.of: str = row.get("of", "party")
        # The points by count.
        self.points = tuple(sum(each[min(n, len(each) - 1)] for n in range(count)) if each else 0 for count in range(self.most + 1))
        # The words of games in which it counts; None: as `specials_in_solo` says.
        self.kinds = frozenset(row["kinds"]) if "kinds" in row else None
        # Has it a worth? Without one it can only start a Bock.
        self.counts = self.times != 1 or any(self.points)


class GameSettings:
    """The settings that rows of `per_kind` may override. The rows of `words` override the rule set, the last word wins."""

    def __init__(self, data: Data, words: tuple[str, ...] = ()) -> None:
        rows = [data["per_kind"][word] for word in words]
        merged = {**data, **{key: value for row in rows for key, value in row.items()}}
        self.kontra_121 = _split_by_game(merged["kontra_121"])
        self.tie_120: str = merged["tie_120"]
        self.schwarz_by: str = merged["schwarz_by"]
        self.won: int = merged["won"]
        self.limits = tuple(limit for limit in LIMITS if limit in merged["limits"])
        self.limit_points, self.limit_times = _split_by_step(merged["limit"], map(str, LIMITS))
        self.limit_counts: str = merged["limit_counts"]
        self.announcements = merged["re_kontra"] is not None
        re_kontra = merged["re_kontra"] or {"add": 0}
        if "add" in re_kontra or "times" in re_kontra:
            re_kontra = {"re": re_kontra, "kontra": re_kontra}
        # Points and factor by party (re, kontra), by result (won, lost), or by order (first, answer).
        self.re_kontra = {by: (said.get("add", 0), said.get("times", 1)) for by, said in re_kontra.items()}
        self.absage_points, self.absage_times = _split_by_step(merged["absage"], SAID[2:])
        self.against_absage: str = merged["against_absage"]
        self.nobody_wins: str = merged["nobody_wins"]
        self.gegen_die_alten: int = merged["gegen_die_alten"]
        self.gegen_in = frozenset(merged["gegen_in"])
        self.gegen_when: str = merged["gegen_when"]
        self.specials_when: str = merged["specials_when"]
        self.specials_in_solo: str = merged["specials_in_solo"]
        solo_point = merged["solo_point"] or {"points": 0, "kinds": (), "when": "before"}
        self.solo_point: int = solo_point["points"]
        self.solo_point_kinds = frozenset(solo_point["kinds"])
        self.solo_point_when: str = solo_point["when"]
        lost = merged["lost_announcement"] or {"times": 1, "when": "ansage"}
        self.lost_announcement_times: int = lost["times"]
        self.lost_announcement_when: str = lost["when"]
        self.solo_times: int = merged["solo_times"]
        # The factor of the kind itself, None if no row has one.
        self.times: int | None = merged.get("times")
        self.soloist_share: int | str = merged["soloist_share"]
        self.negative: str = merged["negative"]
        self.counting = _split_by_game(merged["counting"])
        self.sitter: str = merged["sitter"]
        self.special_payer: str = merged["special_payer"]
        self.decided: str = merged["decided"]
        self.won_at_120: bool = merged["won_at_120"]
        self.re_limit_more: int = merged["re_limit_more"]
        self.against: int = merged["against"]
        self.missed_costs: bool = merged["missed_absage"] == "costs"
        self.cowardice: Data | None = merged["cowardice"]
        self.lost_times: int = merged["lost_times"]
        self.highest: int | None = merged["highest"]
        self.in_bock: str = merged.get("in_bock", "plays")
        bock = {**BOCK_DEFAULTS, **(data["bock"] or PLAIN_BOCK)}
        if not bock["duty_solo_uses"] and "duty" in words and "in_bock" not in data["per_kind"]["duty"]:
            self.in_bock = "skips"
        self.triggers = frozenset(bock["triggers"])
        self.effect: str = bock["effect"] if isinstance(bock["effect"], str) else "add"
        self.bock_add: int = 0 if isinstance(bock["effect"], str) else bock["effect"]["add"]
        self.bock_factor: int | str = bock["factor"]
        self.drawn_plain: bool = bock["drawn"] == "plain"
        # The CaseTable of each group of kinds (steps.get_cases).
        self.cases: dict[tuple[str, bool, bool], Any] = {}


def _split_by_step(value: int | Data, steps: Iterable[str]) -> tuple[dict[str, int], int]:
    """Return the points of each step, and the factor of all."""
    if isinstance(value, int):
        return dict.fromkeys(steps, value), 1
    if "times" in value:
        return dict.fromkeys(steps, 0), value["times"]
    return {step: value.get(step, 0) for step in steps}, 1


def _split_by_game(value: str | Mapping[str, str]) -> dict[str, str]:
    return {"partner": value, "solo": value} if isinstance(value, str) else dict(value)


def get_sort(like: str) -> str:
    return "partner" if like in PARTNER_KINDS else RAMSCH if like == RAMSCH else "solo"
