"""What was played: the facts of one line of the sheet as plain data, and how they are read from what was typed. What
cannot be is refused field by field, as judge.py says. Nothing here knows what a game is worth.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from . import judge
from .allowed import whole_number
from .codes import (
    ALL_EYES,
    ANNOUNCED_SOLOS,
    BAND_OF_ZONE,
    BANDS,
    KONTRA_NO_TRICK,
    PLAYED_FIELDS,
    PLAYED_ONLY,
    RE_NO_TRICK,
    SAID,
    SAID_INDEX,
    SHORT_FIELDS,
    SHORT_ONLY,
    TIE,
    TIE_RE_LAST,
    ZONE_OF_EYES,
    ZONES,
)
from .judge import MOST_POINTS, MOST_STARTED
from .refused import Faults, Refused, Sentence
from .settings import RuleSettings

_NOTHING: Final[Mapping[str, int]] = {}
_ABSENT: Final[Any] = object()


def _(text: str) -> str:
    """Marks a German sentence for translation; the page that shows it translates."""
    return text


class GameFacts(NamedTuple):
    """One game as played, judged and complete. Seats are numbered from 0; `re`, `kontra` and `out` ascend. `eyes` are
    Re's, None where only the band is known. `no_trick` is what was typed. `bock` is the level set by hand, None when
    the chain decides.
    """

    table: int
    dealer: int | None
    out: tuple[int, ...]
    kind: str
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
    starts_bock: int
    bock: int | None
    zone: int
    # Which of the cases of announcements and zone this is: (re_said * 6 + kontra_said) * ZONES + zone.
    case: int

    @property
    def band(self) -> str:
        """The band of the result, one of BANDS."""
        return BAND_OF_ZONE[self.zone]

    @property
    def solo(self) -> bool:
        """Does one seat play against all others?"""
        return len(self.re) == 1

    @property
    def soloist(self) -> int | None:
        """The seat that plays alone, None in a partner game."""
        return self.re[0] if len(self.re) == 1 else None


class ShortFacts(NamedTuple):
    """One game in the short form: who won and `base`, the points before Bock. Parties and eyes are unknown."""

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
        """The seat that played alone, None in a partner game."""
        if not self.solo:
            return None
        return self.winners[0] if len(self.winners) == 1 else self.losers[0]


class PointsFacts(NamedTuple):
    """A penalty or a correction by hand: points per seat, and why."""

    points: tuple[int, ...]
    reason: str


class RedealFacts(NamedTuple):
    """Neu gegeben: no points; the seat that asked for it where known, and why."""

    seat: int | None
    reason: str


LineFacts = GameFacts | ShortFacts | PointsFacts | RedealFacts


def read_line(form: str, data: Mapping[str, Any], rules: RuleSettings, dealer: int | None = None) -> LineFacts:
    """The facts of a line of any form (FORMS) at a table of `rules.table` people. Raises Refused by field."""
    if form in ("played", "short"):
        return read_game(data, rules, dealer)
    if form in ("penalty", "correction"):
        return _read_points(data, rules, dealer)
    if form == "redeal":
        return _read_redeal(data, rules, dealer)
    raise Refused({"form": Sentence(_("Diese Art von Zeile gibt es nicht: „%(form)s“."), {"form": str(form)})})


def read_game(data: Mapping[str, Any], rules: RuleSettings, dealer: int | None = None) -> GameFacts | ShortFacts:
    """The facts of one game from the object somebody entered. `data` may name its own `table` (else `rules.table`)
    and its own `dealer` (else the one given). Raises Refused with a sentence for every faulty field.
    """
    try:
        facts = _read_quickly(data, rules, dealer)
    except (KeyError, TypeError):
        facts = None
    return facts or _judge(data, rules, dealer)


def _read_quickly(data: Mapping[str, Any], rules: RuleSettings, dealer: Any) -> GameFacts | ShortFacts | None:
    """The facts of an unremarkable game, or None (KeyError, TypeError) where something has to be looked at closely.

    It takes nothing that `_judge` would refuse; it exists because a sheet is read again with every replay.
    """
    get = data.get
    table = get("table", rules.table)
    if type(table) is not int:
        return None
    if table != rules.table:
        rules = rules.at(table)

    dealer = get("dealer", dealer)
    if dealer is None:
        if "dealer" in data:
            return None
    elif type(dealer) is not int or not 0 <= dealer < table:
        return None
    out = get("out", _ABSENT)
    if out is not _ABSENT:
        out = tuple(sorted(_plain_seats(out)))
    elif rules.sitters:
        out = rules.out_by_dealer[dealer]
    else:
        out = ()

    starts_bock, bock = 0, None
    if "starts_bock" in data:
        starts_bock = data["starts_bock"]
        if type(starts_bock) is not int or starts_bock and not (rules.by_hand and 0 < starts_bock <= MOST_STARTED):
            return None
    if "bock" in data:
        bock = data["bock"]
        if type(bock) is not int or not 0 <= bock <= rules.cap:
            return None
    if "kind" in data:
        return _read_played_quickly(data, rules, dealer, out, starts_bock, bock)
    return _read_short_quickly(data, rules, dealer, out, starts_bock, bock)


def _plain_seats(seats: Any) -> tuple[int, ...]:
    """Seats as they stand; TypeError for anything but a list of whole numbers."""
    if type(seats) is not list:
        raise TypeError
    for seat in seats:
        if type(seat) is not int:
            raise TypeError
    return tuple(seats)


def _read_played_quickly(
    data: Mapping[str, Any], rules: RuleSettings, dealer: int | None, out: tuple[int, ...], starts_bock: int, bock: Any
) -> GameFacts | None:
    get = data.get
    kind = data["kind"]
    entry = rules.entries[kind]
    re, kontra = rules.parties[out][_plain_seats(data["re"])]
    if (len(re) == 1) is not entry.solo or not PLAYED_FIELDS.issuperset(data):
        return None

    eyes = no_trick = last_said = None
    duty = False
    if "eyes" not in data:
        zone = BANDS[data["band"]]
    else:
        eyes = data["eyes"]
        if type(eyes) is not int or not 0 <= eyes <= ALL_EYES or "band" in data:
            return None
        zone = ZONE_OF_EYES[eyes]
    if "no_trick" in data:
        no_trick = data["no_trick"]
        if not (no_trick == "re" and zone == RE_NO_TRICK or no_trick == "kontra" and zone == KONTRA_NO_TRICK):
            return None

    re_said, kontra_said = get("re_said", "none"), get("kontra_said", "none")
    re_index, kontra_index = SAID_INDEX[re_said], SAID_INDEX[kontra_said]
    if (re_index or kontra_index) and not rules.announcements:
        return None
    if "last_said" in data:
        last_said = data["last_said"]
        if not (last_said == "re" and re_index or last_said == "kontra" and kontra_index):
            return None
        if zone == TIE and last_said == "re" and re_index == kontra_index == 1:
            zone = TIE_RE_LAST
    elif zone == TIE and entry.asks_last and re_index == kontra_index == 1:
        return None

    re_specials, kontra_specials = get("re_specials", _NOTHING), get("kontra_specials", _NOTHING)
    if type(re_specials) is not dict or type(kontra_specials) is not dict:
        return None
    if (re_specials or kontra_specials) and not _plain_specials(re_specials, kontra_specials, rules, zone):
        return None
    if "duty" in data:
        duty = data["duty"]
        if type(duty) is not bool or duty and not entry.may_be_duty:
            return None
    return GameFacts(
        rules.table, dealer, out, kind, duty, re, kontra, eyes, no_trick, re_said, kontra_said, last_said,
        re_specials, kontra_specials, starts_bock, bock, zone, (re_index * 6 + kontra_index) * ZONES + zone,
    )  # fmt: skip


def _read_short_quickly(
    data: Mapping[str, Any], rules: RuleSettings, dealer: int | None, out: tuple[int, ...], starts_bock: int, bock: Any
) -> ShortFacts | None:
    winners, base, solo = _plain_seats(data["winners"]), data["base"], data.get("solo", False)
    if type(base) is not int or not 0 <= base <= MOST_POINTS or not SHORT_FIELDS.issuperset(data):
        return None
    if solo is not True and solo is not False:
        return None
    # Whoever wins is one side of a possible game: alone or together with partners, or all but the soloist.
    sides = rules.parties[out]
    if winners in sides:
        winners, losers = sides[winners]
    else:
        winners = tuple(sorted(winners))
        losers = tuple([seat for seat in range(rules.table) if seat not in winners and seat not in out])
        if losers not in sides or sides[losers][1] != winners:
            return None
    if solo is not (len(winners) == 1 or len(losers) == 1):
        return None
    return ShortFacts(rules.table, dealer, out, winners, losers, base, solo, starts_bock, bock)


def _plain_specials(re: Mapping[str, int], kontra: Mapping[str, int], rules: RuleSettings, zone: int) -> bool:
    """Are these special points beyond doubt possible? False also where only a closer look can tell."""
    most = rules.special_most
    for special, count in re.items():
        if type(count) is not int or not 0 < count <= most[special]:
            return False
    for special, count in kontra.items():
        if type(count) is not int or count < 1 or count + re.get(special, 0) > most[special]:
            return False
    if ("karlchen" in re or "karlchen" in kontra) and ("fuchs_am_ende" in re or "fuchs_am_ende" in kontra):
        return False
    return not (re and zone == RE_NO_TRICK or kontra and zone == KONTRA_NO_TRICK)


# --- The judge: every refusal, by field -------------------------------------------------------------------------------


def _judge(data: Mapping[str, Any], rules: RuleSettings, dealer: Any) -> GameFacts | ShortFacts:
    faults: Faults = {}
    table = data.get("table", rules.table)
    if (fault := judge.table(table)) is not None:
        faults["table"] = fault
    elif table != rules.table:
        rules = rules.at(table)
    short = judge.is_short(data)
    if not short:
        if "kind" not in data:
            faults["kind"] = Sentence(_("Bitte die Spielart wählen."))
        elif (fault := judge.kind(data["kind"], None if faults else rules)) is not None:
            faults["kind"] = fault
    if faults:
        raise Refused(faults)

    judge.fields(data, SHORT_FIELDS if short else PLAYED_FIELDS, PLAYED_ONLY if short else SHORT_ONLY, faults)
    dealer = judge.dealer(data.get("dealer", dealer), data, rules, faults)
    starts_bock = judge.starts_bock(data.get("starts_bock", 0), rules, faults)
    bock = judge.bock(data, rules, faults)
    facts = (
        _judge_short(data, rules, dealer, starts_bock, bock, faults)
        if short
        else _judge_played(data, rules, dealer, starts_bock, bock, faults)
    )
    if faults or facts is None:
        raise Refused(faults)
    return facts


def _judge_played(
    data: Mapping[str, Any], rules: RuleSettings, dealer: int | None, starts_bock: int, bock: int | None, faults: Faults
) -> GameFacts | None:
    kind = data["kind"]
    entry = rules.entries[kind]
    out = judge.out(data, rules, dealer, faults)
    re = judge.re(data, rules, entry.solo, out, faults)
    eyes, zone = judge.result(data, faults)
    zone = judge.no_trick(data, rules, zone, faults)
    said = [judge.said(data.get(field, "none"), field, rules, faults) for field in ("re_said", "kontra_said")]
    zone = judge.last_said(data, said, zone, entry.asks_last, faults)
    specials = judge.specials(data, rules, zone, faults)
    duty = data.get("duty", False)
    if type(duty) is not bool:
        faults["duty"] = Sentence(_("Bitte mit Ja oder Nein angeben, ob es ein Pflichtsolo war."))
    elif duty and kind not in ANNOUNCED_SOLOS:
        faults["duty"] = Sentence(_("Nur ein angesagtes Solo kann ein Pflichtsolo sein. Bitte das Häkchen entfernen."))
    elif duty and not entry.may_be_duty:
        faults["duty"] = Sentence(_("Diese Regeln kennen kein Pflichtsolo. Bitte das Häkchen entfernen."))
    if faults or re is None or out is None or zone is None or said[0] is None or said[1] is None:
        return None
    re_side, kontra_side = rules.parties[out][re]
    return GameFacts(
        rules.table, dealer, out, kind, duty, re_side, kontra_side, eyes, data.get("no_trick"),
        SAID[said[0]], SAID[said[1]], data.get("last_said"), *specials, starts_bock, bock,
        zone, (said[0] * 6 + said[1]) * ZONES + zone,
    )  # fmt: skip


def _judge_short(
    data: Mapping[str, Any], rules: RuleSettings, dealer: int | None, starts_bock: int, bock: int | None, faults: Faults
) -> ShortFacts | None:
    out = judge.out(data, rules, dealer, faults)
    solo = data.get("solo", False)
    if type(solo) is not bool:
        faults["solo"] = Sentence(_("Bitte mit Ja oder Nein angeben, ob es ein Solo war."))
    base = data.get("base")
    if not whole_number(base, 0, MOST_POINTS):
        faults["base"] = Sentence(
            _("Bitte die Punkte vor Bock als ganze Zahl von 0 bis %(most)s angeben."), {"most": MOST_POINTS}
        )
    winners = judge.winners(data, rules, solo is True, out, faults)
    if faults or winners is None or out is None or type(base) is not int:
        return None
    losers = tuple(seat for seat in range(rules.table) if seat not in winners and seat not in out)
    return ShortFacts(rules.table, dealer, out, winners, losers, base, solo, starts_bock, bock)


def _read_points(data: Mapping[str, Any], rules: RuleSettings, dealer: int | None) -> PointsFacts:
    faults: Faults = {}
    judge.fields(data, ("points", "reason"), (), faults)
    judge.dealer(dealer, data, rules, faults)
    points = data.get("points")
    if (
        not isinstance(points, (list, tuple))
        or len(points) != rules.table
        or not all(whole_number(entry, -MOST_POINTS, MOST_POINTS) for entry in points)
    ):
        faults["points"] = Sentence(
            _("Bitte für jeden der %(table)s Plätze eine ganze Zahl als Punkte angeben."), {"table": rules.table}
        )
    reason = judge.reason(data, faults)
    if not reason.strip() and "reason" not in faults:
        faults["reason"] = Sentence(_("Bitte den Grund angeben."))
    if faults:
        raise Refused(faults)
    return PointsFacts(tuple(points or ()), reason)


def _read_redeal(data: Mapping[str, Any], rules: RuleSettings, dealer: int | None) -> RedealFacts:
    faults: Faults = {}
    judge.fields(data, ("seat", "reason"), (), faults)
    judge.dealer(dealer, data, rules, faults)
    seat = data.get("seat")
    if seat is not None and not whole_number(seat, 0, rules.table - 1):
        faults["seat"] = judge.seat_sentence(rules.table)
    reason = judge.reason(data, faults)
    if faults:
        raise Refused(faults)
    return RedealFacts(seat, reason)
