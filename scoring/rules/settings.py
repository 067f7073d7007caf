"""Rule sets: the presets, rules based on a preset, and `RuleSettings`, which scoring reads for one size of table."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from copy import deepcopy
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any, Final

from .constants import (
    ANNOUNCED_SOLOS,
    ANNOUNCED_TRIGGERS,
    BANDS_AT_LIMIT,
    IN_FARBSOLO,
    KIND_PREFIX,
    ORDINARY_TRUMPS,
    PARTNER_KINDS,
    QUIET_SOLOS,
    RAMSCH,
    SAID,
    SPECIAL_FIELDS,
    SPECIAL_PREFIX,
    TABLES,
    WORDS,
)
from .game_settings import PLAIN_BOCK, Data, GameSettings, Special, get_sort
from .settings_schema import DEFAULTS, validate_settings
from .validation import Refused, Sentence, _

_PRESETS: Final[dict[str, Data]] = json.loads(Path(__file__).with_name("presets.json").read_text(encoding="utf-8"))
PRESETS: Final = tuple(_PRESETS)
DEFAULT: Final = "ddv"

_MERGED: Final = ("bock", "specials", "seating")


def get_preset_data(name: str) -> Data:
    """Return a copy. Raise KeyError for an unknown name."""
    data = deepcopy(_PRESETS[name])
    return resolve(data) if "base" in data else data


def resolve(rules: object) -> Data:
    """Return complete data from the name of a preset, `{"base": name, …settings}` (bock, specials and seating are merged key by
    key, the rest is replaced), or complete data. Raise Refused; the settings are validated by `RuleSettings.from_data`."""
    if isinstance(rules, str):
        return _get_base(rules)
    if not isinstance(rules, Mapping):
        raise Refused({"rules": Sentence(_("Bitte die Regeln als Namen oder als Einstellungen angeben."))})
    if "base" not in rules:
        return dict(rules)
    data = _get_base(rules["base"])
    for key, value in rules.items():
        if key == "base":
            continue
        if key in _MERGED and isinstance(value, Mapping):
            start = data[key] if data[key] is not None else PLAIN_BOCK
            data[key] = {**start, **value}
        else:
            data[key] = value
    # A setting given here holds for all sizes of table, even where the preset has an exception for six or eight.
    if isinstance(data["at"], dict):
        data["at"] = {size: _drop_keys(exceptions, rules) for size, exceptions in data["at"].items()}
    return data


def get_settings_at(settings: Mapping[str, Any], size: object) -> Data:
    """Return valid settings at one size of table. Whether Bock goes on the next evening is the same at all sizes."""
    other = settings.get("at", {}).get(str(size), {})
    merged = {**settings, **other}
    if other.get("bock"):
        merged["bock"] = {"carry": (settings["bock"] or PLAIN_BOCK)["carry"], **other["bock"]}
    return merged


def _drop_keys(exceptions: Any, keys: Mapping[str, Any]) -> Any:
    """Return the exceptions of one size of table without these keys. Other values than objects are validated later."""
    if not isinstance(exceptions, dict):
        return exceptions
    return {key: value for key, value in exceptions.items() if key not in keys}


def _get_base(name: object) -> Data:
    if isinstance(name, str) and name in _PRESETS:
        return get_preset_data(name)
    raise Refused(
        {
            "rules": Sentence(
                _("Die Regeln „%(name)s“ gibt es nicht. Bitte eine davon wählen: %(presets)s."),
                {"name": str(name), "presets": ", ".join(PRESETS)},
            )
        }
    )


class EntryRules:
    """What an entry of one kind of game may and must say."""

    def __init__(self, rules: RuleSettings, kind: str, duty: bool) -> None:
        # The built-in kind whose rules hold, or `ramsch`.
        self.like = rules.like[kind]
        is_ramsch = self.like == RAMSCH
        game = rules.settings_for(*rules.get_words(kind, duty))
        self.alone = self.like not in PARTNER_KINDS
        self.may_be_duty = self.like in ANNOUNCED_SOLOS and rules.duty_rounds is not None
        self.announcements = game.announcements and not is_ramsch
        # Is `last_said` required at 120:120 if both parties announced, and both less than this index of SAID?
        self.asks_last = game.kontra_121["solo" if self.alone else "partner"] == "kontra_last"
        self.last_counts_to = len(SAID) if game.missed_costs else 2
        # Is `last_said` required in every game in which both parties announced?
        self.asks_answer = "first" in game.re_kontra
        # Are eyes allowed, and is a winner allowed?
        self.eyes = game.decided != "hand" and not is_ramsch
        self.winner = game.decided != "eyes" or is_ramsch
        # Bands that are not exact enough for these rules.
        at_limit = [band for band, limit in BANDS_AT_LIMIT.items() if game.re_limit_more and limit in game.limits]
        self.refused_bands = frozenset(at_limit)


Sides = tuple[tuple[int, ...], tuple[int, ...]]


class PartyLookup(dict[tuple[int, ...], dict[tuple[int, ...], Sides]]):
    """The possible parties by who sits out (ascending): each Re side, in either order -> (Re's seats, Kontra's seats), both
    ascending. KeyError if these seats cannot sit out together."""

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


class RuleSettings(GameSettings):
    """Valid rules at a table of `table` people. `at` and `settings_for` return the same objects, so these are computed once."""

    def __init__(self, data: Data, table: int, tables: dict[int, RuleSettings], games: dict[tuple[str, ...], GameSettings]) -> None:
        own = data.get("at", {}).get(str(table))
        merged = {**DEFAULTS, **data, **(own or {})}
        super().__init__(merged)
        self.data = data
        self.table = table
        self._merged = merged
        self._tables = tables
        self._games_elsewhere = games
        # The settings by the words whose rows hold; tables with the same settings share them.
        self._games = games if own is None else {}
        self._games.setdefault((), self)
        self.deck: int = merged["deck"]
        self.nines = self.deck > 40
        self.kinds = frozenset(merged["kinds"])
        self.unit: str = merged["unit"]
        self.text: str = merged["text"]
        # The built-in kind (or `ramsch`) that each kind is like, and the names given by the rule set.
        rows: Data = merged["per_kind"]
        self.like = {kind: rows[kind]["like"] if kind not in WORDS else kind for kind in self.kinds}
        self.kind_names: dict[str, str] = {word: row["name"] for word, row in rows.items() if "name" in row}
        specials: Data = merged["specials"]
        self.specials = {special: Special(special, row) for special, row in specials.items()}
        # By field of an entry: its special points, and the maximum count of each.
        self.max_specials = {
            field: {
                key: special.most if special.of == "game" else special.most_party
                for key, special in self.specials.items()
                if special.of in whose
            }
            for field, whose in SPECIAL_FIELDS.items()
        }
        self.special_names: dict[str, str] = {
            key: row["name"] for key, row in specials.items() if isinstance(row, Mapping) and "name" in row
        }
        self.deal_stays = frozenset(merged["deal_stays"])
        self.duty_rounds: int | None = merged["duty_solo"]["rounds"] if merged["duty_solo"] else None
        self._set_bock(merged["bock"])
        self._set_seats(merged["seating"])
        # By Pflichtsolo (False, True) and kind.
        self.entry_rules = tuple({kind: EntryRules(self, kind, duty) for kind in self.kinds} for duty in (False, True))
        # The KindScorer of each (outcome.py), in the same way.
        self.scorers: tuple[dict[str, Any], dict[str, Any]] = ({}, {})

    def get_words(self, kind: str, duty: bool = False) -> tuple[str, ...]:
        """Return the words that hold for a game of this kind; the row of a later word overrides earlier ones."""
        like = self.like[kind]
        words = [get_sort(like)]
        if like in QUIET_SOLOS:
            words.append("quiet")
        elif like in ANNOUNCED_SOLOS:
            words.append("announced")
        if like != RAMSCH:
            words.append(like)
        if kind != like:
            words.append(kind)
        return (*words, "duty") if duty else tuple(words)

    def settings_for(self, *words: str) -> GameSettings:
        rows = self._merged["per_kind"]
        skips = not self.duty_solo_uses
        over = tuple(word for word in words if word in rows or word == "duty" and skips)
        games = self._games.get(over)
        if games is None:
            data = {**self._merged, "per_kind": {"duty": {}, **rows}}
            games = self._games[over] = GameSettings(data, over)
        return games

    def _set_bock(self, bock: Data | None) -> None:
        self.has_bock = bock is not None
        bock = bock or {**PLAIN_BOCK, "cap": 0}
        self.bock_by_hand = "manual" in self.triggers
        # The special points that start a Bock, once for each trigger.
        self.special_triggers = [
            trigger.removeprefix(SPECIAL_PREFIX)
            for trigger in sorted(self.triggers)
            if trigger == "herzstich" or trigger.startswith(SPECIAL_PREFIX)
        ]
        self.per_game: str = bock["per_game"]
        self.bock_length: int | str = bock["length"]
        self.bock_games = bock["length"] if isinstance(bock["length"], int) else self.table
        self.overlap: str = bock["overlap"]
        self.cap: int = bock["cap"]
        self.duty_solo_uses: bool = bock["duty_solo_uses"]
        # The same for all sizes of table, since people may come and go before the next evening.
        self.carry: bool = self.data["bock"] is not None and self.data["bock"]["carry"]

    def _set_seats(self, seating: Mapping[str, Iterable[int]]) -> None:
        """Set who plays by dealer: all of four, all but the dealer of five, by `seating` from six on."""
        fixed: dict[int, tuple[int, ...] | None] = {4: (0, 1, 2, 3), 5: (1, 2, 3, 4)}
        offsets = fixed.get(self.table)
        if str(self.table) in seating:
            offsets = tuple(sorted(seating[str(self.table)]))
        self.offsets = offsets
        self.playing = len(offsets) if offsets else 4
        self.sitters = self.table - self.playing
        self.out_by_dealer: dict[int | None, tuple[int, ...]] = {}
        # Must an entry say who sits out?
        self.asks_out = bool(self.sitters and not offsets)
        if offsets and self.sitters:
            for dealer in range(self.table):
                players = {(dealer + offset) % self.table for offset in offsets}
                self.out_by_dealer[dealer] = tuple(seat for seat in range(self.table) if seat not in players)
        self.parties = PartyLookup(self.table, self.playing)

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> RuleSettings:
        """Return the rule set of complete data (see `resolve`) at a table of four. Raise Refused by setting."""
        faults = validate_settings(data)
        if faults:
            raise Refused(faults)
        tables: dict[int, RuleSettings] = {}
        tables[4] = cls(deepcopy(dict(data)), 4, tables, {})
        return tables[4]

    def at(self, table: int) -> RuleSettings:
        """Raise KeyError for another number than 4..8."""
        rules = self._tables.get(table)
        if rules is None:
            if table not in TABLES:
                raise KeyError(table)
            rules = self._tables[table] = RuleSettings(self.data, table, self._tables, self._games_elsewhere)
        return rules

    def special_counts(self, special: str, kind: str, duty: bool = False) -> bool:
        words, kinds = self.get_words(kind, duty), self.specials[special].kinds
        if kinds is not None:
            return not kinds.isdisjoint(words)
        in_solo, like = self.settings_for(*words).specials_in_solo, self.like[kind]
        if like in PARTNER_KINDS or like == RAMSCH or in_solo != "by_kind":
            return like in PARTNER_KINDS or like != RAMSCH and in_solo == "all"
        if not ORDINARY_TRUMPS.isdisjoint(words):
            return True
        return special in IN_FARBSOLO if like.startswith("farbsolo") else special == "doppelkopf"


@cache
def get_preset(name: str) -> RuleSettings:
    """Return a preset at a table of four. Raise KeyError for an unknown name."""
    return RuleSettings.from_data(get_preset_data(name))


def get_solo_worth(rules: RuleSettings) -> tuple[int, int, bool]:
    """Return what a won solo of value 1 brings the soloist and costs each opponent, without the settings of single solos, and
    whether both `solo_times` and `soloist_share` multiply it."""
    game = rules.settings_for("solo")
    value = game.solo_times if game.times is None else game.times
    opponents = rules.playing - 1 + (rules.sitters if game.sitter != "nothing" else 0)
    share = opponents if game.soloist_share == "opponents" else int(game.soloist_share)
    return value * share, value, value != 1 and share != 1


def list_idle_triggers(rules: RuleSettings) -> list[str]:
    """Return the Bock triggers that never hold, because their special point has no row."""
    return [trigger for trigger in ("herzstich",) if trigger in rules.triggers and trigger not in rules.specials]


def list_unannounced_triggers(rules: RuleSettings) -> list[str]:
    """Return the Bock triggers that never hold, because they need an announcement and no game has any."""
    if any(rules.entry_rules[duty][kind].announcements for kind, duty in _list_games(rules)):
        return []
    return [trigger for trigger in ANNOUNCED_TRIGGERS if trigger in rules.triggers]


def list_used_words(rules: RuleSettings) -> set[str]:
    return {word for game in _list_games(rules) for word in rules.get_words(*game)}


def list_idle_words(rules: RuleSettings) -> list[str]:
    """Return the words that are Bock triggers, but hold for no game of this rule set."""
    used = list_used_words(rules)
    words = (trigger.removeprefix(KIND_PREFIX) for trigger in sorted(rules.triggers) if trigger.startswith(KIND_PREFIX))
    return [word for word in words if word not in used]


def list_idle_specials(rules: RuleSettings) -> list[str]:
    """Return the special points with a worth that count in no game of this rule set."""
    worth = [key for key, special in rules.specials.items() if special.counts]
    return [key for key in worth if not any(rules.special_counts(key, *game) for game in _list_games(rules))]


def list_unreached_points(rules: RuleSettings) -> list[str]:
    """Return the special points with an amount for a count that no game can have."""
    points = {key: row["points"] for key, row in rules.data["specials"].items() if isinstance(row, Mapping)}
    return [key for key, each in points.items() if isinstance(each, (list, tuple)) and len(each) > rules.specials[key].most]


def _list_games(rules: RuleSettings) -> list[tuple[str, bool]]:
    """Return the kinds of game with False, and those that can be a Pflichtsolo also with True."""
    return [(kind, duty) for kind in rules.kinds for duty in (False, True) if not duty or rules.entry_rules[True][kind].may_be_duty]
