"""Parse one line of the sheet into facts. judge.py refuses invalid fields; the worth of a game is computed in outcome.py."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Final, NamedTuple

from . import judge
from .constants import (
    ALL_EYES,
    ANNOUNCED_SOLOS,
    BAND_OF_ZONE,
    PLAYED_FIELDS,
    PLAYED_ONLY,
    RAMSCH,
    RE_LAST,
    SAID_INDEX,
    SHORT_FIELDS,
    SHORT_ONLY,
    SPECIAL_FIELDS,
    ZONE_OF_EYES,
    ZONES,
)
from .judge import MAX_POINTS, MAX_REASON_LENGTH
from .settings import EntryRules, RuleSettings
from .validation import Faults, Refused, Sentence, _, whole_number

_NOTHING: Final[Mapping[str, int]] = {}


class GameFacts(NamedTuple):
    """The valid facts of one game. Seats are numbered from 0; `re`, `kontra` and `out` ascend. `eyes` are Re's, None if only the
    band or the `winner` is known. `bock` is the level set by hand, None if the chain decides. `like` is the built-in kind (or
    `ramsch`) that an own kind is like, else the kind itself."""

    table: int
    dealer: int | None
    out: tuple[int, ...]
    kind: str
    like: str
    duty: bool
    re: tuple[int, ...]
    kontra: tuple[int, ...]
    eyes: int | None
    no_trick: str | None
    re_said: str
    kontra_said: str
    last_said: str | None
    re_specials: Mapping[str, int]
    kontra_specials: Mapping[str, int]
    game_specials: Mapping[str, int]
    winner: str | None
    starts_bock: int
    bock: int | None
    zone: int
    # The number of the case of announcements and zone (see RE_LAST).
    case: int

    @property
    def band(self) -> str | None:
        """The band of the result, one of BANDS; None for a game decided without eyes."""
        return BAND_OF_ZONE.get(self.zone)

    @property
    def solo(self) -> bool:
        """Return whether this is a solo. A Ramsch is none, though one plays against all others."""
        return len(self.re) == 1 and self.like != RAMSCH

    @property
    def soloist(self) -> int | None:
        return self.re[0] if self.solo else None


class ShortFacts(NamedTuple):
    """The winners and `base`, the points before Bock. Parties and eyes are unknown."""

    table: int
    dealer: int | None
    out: tuple[int, ...]
    winners: tuple[int, ...]
    losers: tuple[int, ...]
    base: int
    solo: bool
    starts_bock: int
    bock: int | None

    @property
    def soloist(self) -> int | None:
        if not self.solo:
            return None
        return self.winners[0] if len(self.winners) == 1 else self.losers[0]


class OtherFacts(NamedTuple):
    """A line that is no game: a penalty or a correction with its points, or Neu gegeben without points, with the seat that caused
    it if known."""

    reason: str
    points: tuple[int, ...] = ()
    seat: int | None = None


LineFacts = GameFacts | ShortFacts | OtherFacts


def parse_line(form: str, data: Mapping[str, Any], rules: RuleSettings, dealer: int | None = None) -> LineFacts:
    """Return the facts of a line of any form (FORMS) at a table of `rules.table` people. Raise Refused by field."""
    if form in ("played", "short"):
        return parse_game(data, rules, dealer)
    if form in ("penalty", "correction"):
        return _parse_points(data, rules, dealer)
    if form == "redeal":
        return _parse_redeal(data, rules, dealer)
    raise Refused({"form": Sentence(_("Diese Art von Zeile gibt es nicht: „%(form)s“."), {"form": str(form)})})


# Each replay parses a whole sheet. So values that are plainly valid are taken at once; judge.py checks only the others.
def parse_game(data: Mapping[str, Any], rules: RuleSettings, dealer: int | None = None) -> GameFacts | ShortFacts:
    """Return the facts; `data` may have a `table` and a `dealer`. Raise Refused with a sentence for every faulty field."""
    faults: Faults = {}
    table = data.get("table", rules.table)
    if type(table) is not int or table != rules.table:
        if (fault := judge.check_table(table)) is not None:
            faults["table"] = fault
        else:
            rules = rules.at(table)
    kind = data.get("kind")
    short = kind is None and is_short(data)
    if not short and (faults or type(kind) is not str or kind not in rules.kinds):
        judge.check_kind(data, rules, not faults, faults)
    if faults:
        raise Refused(faults)
    known = SHORT_FIELDS if short else PLAYED_FIELDS
    if not known.issuperset(data):
        judge.check_fields(data, known, PLAYED_ONLY if short else SHORT_ONLY, faults)
    dealer = data.get("dealer", dealer)
    if dealer is None:
        if "dealer" in data:
            judge.check_dealer(dealer, rules, faults)
    elif type(dealer) is not int or not 0 <= dealer < table:
        dealer = judge.check_dealer(dealer, rules, faults)
    out: tuple[int, ...] | None = ()
    if "out" in data:
        out = _get_plain_seats(data["out"])
        if out not in rules.parties:
            out = judge.check_out(data, rules, dealer, faults)
    elif rules.sitters:
        out = rules.out_by_dealer.get(dealer) or judge.check_out(data, rules, dealer, faults)
    starts_bock = judge.check_starts_bock(data["starts_bock"], rules, faults) if "starts_bock" in data else 0
    bock = judge.check_bock(data["bock"], rules, faults) if "bock" in data else None
    facts = (_parse_short if short else _parse_played)(data, rules, dealer, out, starts_bock, bock, faults)
    if faults or facts is None:
        raise Refused(faults)
    return facts


def is_short(data: Collection[str]) -> bool:
    return "kind" not in data and not SHORT_ONLY.isdisjoint(data)


# Seven parameters: what both forms have in common is parsed before.
def _parse_played(
    data: Mapping[str, Any], rules: RuleSettings, dealer: int | None, out: tuple[int, ...] | None,
    starts_bock: int, bock: int | None, faults: Faults,
) -> GameFacts | None:  # fmt: skip
    get = data.get
    kind = data["kind"]
    duty = _parse_duty(data["duty"], rules.entry_rules[0][kind], faults) if "duty" in data else False
    entry = rules.entry_rules[duty][kind]
    seats = _get_plain_seats(get("re"))
    sides = rules.parties[out].get(seats) if seats and out is not None else None
    if sides is None or (len(sides[0]) == 1) is not entry.alone:
        seats = judge.check_re(data, rules, entry.alone, out, faults)
        sides = rules.parties[out][seats] if out is not None and seats and not faults else ((), ())
    re, kontra = sides

    eyes = get("eyes")
    if type(eyes) is int and 0 <= eyes <= ALL_EYES and entry.eyes and "band" not in data and "winner" not in data:
        zone: int | None = ZONE_OF_EYES[eyes]
    else:
        zone = judge.check_result(data, entry, faults)
    if "no_trick" in data:
        zone = judge.check_no_trick(data, rules, entry, zone, faults)

    re_said, kontra_said = get("re_said", "none"), get("kontra_said", "none")
    re_index = SAID_INDEX.get(re_said, -1) if type(re_said) is str else -1
    kontra_index = SAID_INDEX.get(kontra_said, -1) if type(kontra_said) is str else -1
    if re_index < 0 or kontra_index < 0 or not entry.announcements:
        re_index = judge.check_said(re_said, "re_said", entry, faults)
        kontra_index = judge.check_said(kontra_said, "kontra_said", entry, faults)
    last_said = get("last_said")
    re_last = 0
    if re_index and kontra_index or "last_said" in data:
        judge.check_last_said(data, entry, re_index, kontra_index, zone, faults)
        if last_said == "re" and kontra_index:
            re_last = RE_LAST

    re_specials = kontra_specials = game_specials = _NOTHING
    if "re_specials" in data or "kontra_specials" in data or "game_specials" in data:
        re_specials, kontra_specials, game_specials = judge.check_specials(data, rules, zone, faults)
    if faults or out is None or zone is None:
        return None
    return GameFacts(
        rules.table, dealer, out, kind, entry.like, duty, re, kontra, eyes, get("no_trick"), re_said, kontra_said,
        last_said, re_specials, kontra_specials, game_specials, get("winner"), starts_bock, bock,
        zone, (re_index * 6 + kontra_index) * ZONES + zone + re_last,
    )  # fmt: skip


def _get_plain_seats(seats: Any) -> tuple[int, ...] | None:
    if type(seats) is list:
        for seat in seats:
            if type(seat) is not int:
                return None
        return tuple(seats)
    return None


def _parse_duty(value: object, entry: EntryRules, faults: Faults) -> bool:
    if type(value) is not bool:
        faults["duty"] = Sentence(_("Bitte mit Ja oder Nein angeben, ob es ein Pflichtsolo war."))
    elif value and entry.like not in ANNOUNCED_SOLOS:
        faults["duty"] = Sentence(_("Nur ein angesagtes Solo kann ein Pflichtsolo sein. Bitte das Häkchen entfernen."))
    elif value and not entry.may_be_duty:
        faults["duty"] = Sentence(_("Diese Regeln kennen kein Pflichtsolo. Bitte das Häkchen entfernen."))
    else:
        return value
    return False


def _parse_short(
    data: Mapping[str, Any], rules: RuleSettings, dealer: int | None, out: tuple[int, ...] | None,
    starts_bock: int, bock: int | None, faults: Faults,
) -> ShortFacts | None:  # fmt: skip
    solo, base = data.get("solo", False), data.get("base")
    if type(solo) is not bool:
        faults["solo"] = Sentence(_("Bitte mit Ja oder Nein angeben, ob es ein Solo war."))
    if not whole_number(base, 0, MAX_POINTS):
        faults["base"] = Sentence(_("Bitte die Punkte vor Bock als ganze Zahl von 0 bis %(most)s angeben."), {"most": MAX_POINTS})
    winners = judge.check_winners(data, rules, solo is True, out, faults)
    if faults or winners is None or out is None or type(base) is not int:
        return None
    losers = tuple([seat for seat in range(rules.table) if seat not in winners and seat not in out])
    return ShortFacts(rules.table, dealer, out, winners, losers, base, solo, starts_bock, bock)


def _parse_points(data: Mapping[str, Any], rules: RuleSettings, dealer: int | None) -> OtherFacts:
    faults: Faults = {}
    judge.check_fields(data, ("points", "reason"), (), faults)
    if dealer is not None:
        judge.check_dealer(dealer, rules, faults)
    points = data.get("points")
    if (
        not isinstance(points, (list, tuple))
        or len(points) != rules.table
        or not all(whole_number(entry, -MAX_POINTS, MAX_POINTS) for entry in points)
    ):
        faults["points"] = Sentence(
            _("Bitte für jeden der %(table)s Sitze eine ganze Zahl als Punkte angeben."), {"table": rules.table}
        )
    reason = _parse_reason(data, faults)
    if not reason.strip() and "reason" not in faults:
        faults["reason"] = Sentence(_("Bitte den Grund angeben."))
    if faults:
        raise Refused(faults)
    return OtherFacts(reason, points=tuple(points or ()))


def _parse_redeal(data: Mapping[str, Any], rules: RuleSettings, dealer: int | None) -> OtherFacts:
    faults: Faults = {}
    judge.check_fields(data, ("seat", "reason"), (), faults)
    if dealer is not None:
        judge.check_dealer(dealer, rules, faults)
    seat = data.get("seat")
    if seat is not None and not whole_number(seat, 0, rules.table - 1):
        faults["seat"] = judge.seat_sentence(rules.table)
    reason = _parse_reason(data, faults)
    if faults:
        raise Refused(faults)
    return OtherFacts(reason, seat=seat)


def _parse_reason(data: Mapping[str, Any], faults: Faults) -> str:
    reason = data.get("reason", "")
    if not isinstance(reason, str):
        faults["reason"] = Sentence(_("Bitte den Grund als Text angeben."))
        return ""
    if len(reason) > MAX_REASON_LENGTH:
        faults["reason"] = Sentence(_("Bitte den Grund kürzer fassen, in höchstens %(most)s Zeichen."), {"most": MAX_REASON_LENGTH})
    return reason


# The same game is always stored in the same way, so that it is recognised when it is sent again.
_DEFAULTS: Final[Mapping[str, Any]] = {
    "duty": False,
    "re_said": "none",
    "kontra_said": "none",
    "starts_bock": 0,
    "re_specials": {},
    "kontra_specials": {},
    "game_specials": {},
}
_SEATS: Final = ("out", "re", "winners")


def move_game_specials(facts: Mapping[str, Any], rules: RuleSettings) -> dict[str, Any]:
    """Move special points that now belong to the game and count nothing from the parties to it, unless the rules refuse the
    counts."""
    moved = dict(facts)
    for special, row in rules.specials.items():
        if row.of != "game" or row.counts:
            continue
        fields = {field: moved[field] for field in SPECIAL_FIELDS if isinstance(moved.get(field), Mapping)}
        counts = [specials[special] for specials in fields.values() if special in specials]
        if all(type(count) is int for count in counts) and 0 < sum(counts) <= row.most:
            moved |= {field: {key: n for key, n in specials.items() if key != special} for field, specials in fields.items()}
            moved["game_specials"] = {**moved.get("game_specials", {}), special: sum(counts)}
    return moved


def normalize_facts(facts: Mapping[str, Any]) -> dict[str, Any]:
    """Return valid facts without default values and special points of count 0, seats ascending."""
    normalized = {}
    for field, value in facts.items():
        if field in _SEATS:
            value = sorted(value)
        elif field in SPECIAL_FIELDS:
            value = {special: count for special, count in value.items() if count}
        if field not in _DEFAULTS or value != _DEFAULTS[field]:
            normalized[field] = value
    return normalized
