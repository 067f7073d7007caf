"""One rule set as data: the five presets, a house rule over one of them, and the form in which the pipeline reads it for
one size of table. A rule set is the same flat object everywhere: in presets.json, in a club's store and in the browser.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from copy import deepcopy
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any, Final, NamedTuple

from .allowed import LIMITS, judge_settings
from .codes import ANNOUNCED_SOLOS, PARTNER_KINDS, SPECIALS, TABLES
from .refused import Refused, Sentence

Data = dict[str, Any]

_PRESETS: Final[dict[str, Data]] = json.loads(Path(__file__).with_name("presets.json").read_text(encoding="utf-8"))
PRESETS: Final = tuple(_PRESETS)
DEFAULT: Final = "ddv"

# What a rule set starts from that adds Bock to one without.
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
_MERGED: Final = ("bock", "specials", "seating")

# With `specials_in_solo: by_kind`: the ordinary trumps count everything, a Farbsolo what its trumps allow, the rest the
# Doppelkopf alone (document anleitung).
_ORDINARY_TRUMPS: Final = frozenset({"trumpfsolo", "stille_hochzeit", "hochzeit_allein"})
_IN_FARBSOLO: Final = frozenset({"doppelkopf", "karlchen", "karlchen_gefangen"})


def _(text: str) -> str:
    """Marks a German sentence for translation; the page that shows it translates."""
    return text


# --- Where a rule set comes from --------------------------------------------------------------------------------------


def preset_data(name: str) -> Data:
    """A copy of one of the PRESETS as data. KeyError for any other name."""
    return deepcopy(_PRESETS[name])


def resolve(rules: object) -> Data:
    """The complete data of a rule set: the name of a preset, `{"base": name, …settings}` (bock, specials and seating
    merged key by key, the rest replaced), or an object that is complete already. Raises Refused; the settings
    themselves are judged by `RuleSettings.from_data`.
    """
    if isinstance(rules, str):
        return _base(rules)
    if not isinstance(rules, Mapping):
        raise Refused({"rules": Sentence(_("Bitte die Regeln als Namen oder als Einstellungen angeben."))})
    if "base" not in rules:
        return dict(rules)
    data = _base(rules["base"])
    for key, value in rules.items():
        if key == "base":
            continue
        if key in _MERGED and isinstance(value, Mapping):
            start = data[key] if data[key] is not None else PLAIN_BOCK
            data[key] = {**start, **value}
        else:
            data[key] = value
    # What somebody sets counts at every table, also where the preset makes an exception for six or eight.
    if isinstance(data["at"], dict):
        data["at"] = {size: _without(exceptions, rules) for size, exceptions in data["at"].items()}
    return data


def _without(exceptions: Any, keys: Mapping[str, Any]) -> Any:
    """The exceptions of one size of table but for these keys; anything but an object is left to be judged."""
    if not isinstance(exceptions, dict):
        return exceptions
    return {key: value for key, value in exceptions.items() if key not in keys}


def _base(name: object) -> Data:
    if isinstance(name, str) and name in _PRESETS:
        return preset_data(name)
    raise Refused(
        {
            "rules": Sentence(
                _("Die Regeln „%(name)s“ gibt es nicht. Bitte eine davon wählen: %(presets)s."),
                {"name": str(name), "presets": ", ".join(PRESETS)},
            )
        }
    )


# --- A rule set at one table ------------------------------------------------------------------------------------------


class Entry(NamedTuple):
    """What an entry of one kind of game has to look like."""

    solo: bool
    may_be_duty: bool
    # Is it asked at 120:120 whose Ansage came last?
    asks_last: bool


Sides = tuple[tuple[int, ...], tuple[int, ...]]


class Parties(dict[tuple[int, ...], dict[tuple[int, ...], Sides]]):
    """By who sits out (ascending): every possible Re side -> (Re's seats, Kontra's seats), both ascending. A pair is
    found in either order. KeyError where these seats cannot all sit out.
    """

    def __init__(self, table: int, playing: int) -> None:
        super().__init__()
        self._table = table
        self._playing = playing

    def __missing__(self, out: tuple[int, ...]) -> dict[tuple[int, ...], Sides]:
        players = [seat for seat in range(self._table) if seat not in out]
        if len(players) != self._playing or len(out) + len(players) != self._table:
            raise KeyError(out)
        partners: Iterable[tuple[int, ...]] = combinations(players, 2)
        if self._playing > 4:
            partners = (tuple(players[0::2]), tuple(players[1::2]))
        sides = self[out] = {}
        for re in [*partners, *((seat,) for seat in players)]:
            kontra = tuple(seat for seat in players if seat not in re)
            sides[re] = sides[re[::-1]] = (re, kontra)
        return sides


class RuleSettings:
    """A valid rule set at a table of `table` people, its settings as attributes named as in the data.

    Made by `from_data`; `at(n)` is the same rule set at another table. Two settings of one rule set are the same
    object, so what the pipeline prepares from it is prepared once.
    """

    def __init__(self, data: Data, table: int, tables: dict[int, RuleSettings], cases: dict[Any, Any]) -> None:
        own = data.get("at", {}).get(str(table))
        merged = {**data, **(own or {})}
        self.data = data
        self.table = table
        self._tables = tables
        self._cases_elsewhere = cases
        self.deck: int = merged["deck"]
        self.nines = self.deck > 40
        self.kinds = frozenset(merged["kinds"])
        self.unit: str = merged["unit"]
        self.kontra_121 = _both(merged["kontra_121"])
        self.tie_120: str = merged["tie_120"]
        self.schwarz_by: str = merged["schwarz_by"]
        self.won: int = merged["won"]
        self.limits = tuple(limit for limit in LIMITS if limit in merged["limits"])
        self.limit: int = merged["limit"]
        self.limit_counts: str = merged["limit_counts"]
        self.announcements = merged["re_kontra"] is not None
        re_kontra = merged["re_kontra"] or {}
        self.re_kontra_add: int = re_kontra.get("add", 0)
        self.re_kontra_times: int = re_kontra.get("times", 1)
        self.absage: int = merged["absage"]
        self.against_absage: str = merged["against_absage"]
        self.nobody_wins: str = merged["nobody_wins"]
        self.gegen_die_alten: int = merged["gegen_die_alten"]
        self.gegen_in = frozenset(merged["gegen_in"])
        self.gegen_when: str = merged["gegen_when"]
        self.specials: dict[str, int] = dict(merged["specials"])
        self.special_most = {special: SPECIALS[special] for special in self.specials}
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
        self.soloist_share: int | str = merged["soloist_share"]
        self.negative: str = merged["negative"]
        self.counting = _both(merged["counting"])
        self.sitter: str = merged["sitter"]
        self.special_payer: str = merged["special_payer"]
        self.deal_stays = frozenset(merged["deal_stays"])
        self.duty_rounds: int | None = merged["duty_solo"]["rounds"] if merged["duty_solo"] else None
        self._set_bock(merged["bock"])
        self._set_seats(merged["seating"])
        self.entries = {
            kind: Entry(
                kind not in PARTNER_KINDS,
                kind in ANNOUNCED_SOLOS and self.duty_rounds is not None,
                self.kontra_121["partner" if kind in PARTNER_KINDS else "solo"] == "kontra_last",
            )
            for kind in self.kinds
        }
        # What outcome.py prepares per kind of game, and the cases that kinds share, and tables with the same settings.
        self.prepared: dict[str, Any] = {}
        self.cases: dict[Any, Any] = cases if own is None else {}

    def _set_bock(self, bock: Data | None) -> None:
        self.has_bock = bock is not None
        bock = bock or {**PLAIN_BOCK, "cap": 0}
        self.triggers = frozenset(bock["triggers"])
        self.by_hand = "manual" in self.triggers
        self.per_game: str = bock["per_game"]
        self.bock_length: int | str = bock["length"]
        self.bock_games = bock["length"] if isinstance(bock["length"], int) else self.table
        self.overlap: str = bock["overlap"]
        self.cap: int = bock["cap"]
        self.effect: str = bock["effect"] if isinstance(bock["effect"], str) else "add"
        self.bock_add: int = 0 if isinstance(bock["effect"], str) else bock["effect"]["add"]
        self.duty_solo_uses: bool = bock["duty_solo_uses"]
        # Evenings go on or end whatever the size of the table, so one answer holds for all sizes.
        self.carry: bool = self.data["bock"] is not None and self.data["bock"]["carry"]

    def _set_seats(self, seating: Mapping[str, Iterable[int]]) -> None:
        """Who plays by dealer: all of four, all but the dealer of five, by `seating` from six on."""
        fixed: dict[int, tuple[int, ...] | None] = {4: (0, 1, 2, 3), 5: (1, 2, 3, 4)}
        offsets = fixed.get(self.table)
        if str(self.table) in seating:
            offsets = tuple(sorted(seating[str(self.table)]))
        self.offsets = offsets
        self.playing = len(offsets) if offsets else 4
        self.sitters = self.table - self.playing
        self.out_by_dealer: dict[int | None, tuple[int, ...]] = {}
        # Does it have to be said who sits out?
        self.asks_out = bool(self.sitters and not offsets)
        if offsets and self.sitters:
            for dealer in range(self.table):
                players = {(dealer + offset) % self.table for offset in offsets}
                self.out_by_dealer[dealer] = tuple(seat for seat in range(self.table) if seat not in players)
        self.parties = Parties(self.table, self.playing)

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> RuleSettings:
        """The rule set of complete data (see `resolve`) at a table of four. Raises Refused by setting."""
        faults = judge_settings(data)
        if faults:
            raise Refused(faults)
        tables: dict[int, RuleSettings] = {}
        tables[4] = cls(deepcopy(dict(data)), 4, tables, {})
        return tables[4]

    def at(self, table: int) -> RuleSettings:
        """The same rule set at a table of 4..8 people. KeyError for any other number."""
        rules = self._tables.get(table)
        if rules is None:
            if table not in TABLES:
                raise KeyError(table)
            rules = self._tables[table] = RuleSettings(self.data, table, self._tables, self._cases_elsewhere)
        return rules

    def special_counts(self, special: str, kind: str) -> bool:
        """Does this special point count in this kind of game?"""
        if kind in PARTNER_KINDS or self.specials_in_solo == "all":
            return True
        if self.specials_in_solo == "none":
            return False
        if kind in _ORDINARY_TRUMPS:
            return True
        return special in _IN_FARBSOLO if kind.startswith("farbsolo") else special == "doppelkopf"


def _both(value: str | Mapping[str, str]) -> dict[str, str]:
    """One value for both, or one for partner games and one for solos."""
    return {"partner": value, "solo": value} if isinstance(value, str) else dict(value)


@cache
def preset(name: str) -> RuleSettings:
    """One of the PRESETS, ready. KeyError for any other name."""
    return RuleSettings.from_data(_PRESETS[name])
