"""What was played, and which entries are refused: the facts of one line of the sheet as plain data, judged field by
field, with a German sentence for each fault that says what to do. Nothing here knows what a game is worth.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

from scoring.rules import labels

if TYPE_CHECKING:
    from scoring.rules.settings import RuleSettings

Party = Literal["re", "kontra"]
Values = Mapping[str, object]

PARTNER_KINDS: Final = ("normal", "hochzeit", "armut")
QUIET_SOLOS: Final = ("stille_hochzeit", "hochzeit_allein")
ANNOUNCED_SOLOS: Final = (
    "damensolo",
    "bubensolo",
    "koenigssolo",
    "fleischlos",
    "trumpfsolo",
    "farbsolo_kreuz",
    "farbsolo_pik",
    "farbsolo_herz",
    "damen_buben_solo",
    "asse_solo",
    "zehner_solo",
    "grossspiel",
)
SOLO_KINDS: Final = QUIET_SOLOS + ANNOUNCED_SOLOS
KINDS: Final = PARTNER_KINDS + SOLO_KINDS

SAID: Final = ("none", "said", "no90", "no60", "no30", "schwarz")
SAID_INDEX: Final = {said: index for index, said in enumerate(SAID)}

# How many of each special point one game can hold, both parties together.
SPECIALS: Final = {
    "fuchs": 2,
    "karlchen": 1,
    "karlchen_gefangen": 2,
    "doppelkopf": 4,
    "fuchs_am_ende": 1,
    "fuchs_am_ende_gefangen": 2,
    "dulle_gefangen": 2,
    "herzstich": 1,
}
# Only one card makes the last trick.
EXCLUSIVE: Final = frozenset({"karlchen", "fuchs_am_ende"})

# A result is one of these zones of Re's eyes. Inside a zone no rule set tells two games apart, so a band is as good
# as exact eyes. The last zone is 120:120 once more, for the rule that asks whose Ansage came last.
RE_NO_TRICK: Final = 0
RE_NO_EYES: Final = 1
TIE: Final = 6
KONTRA_NO_EYES: Final = 11
KONTRA_NO_TRICK: Final = 12
TIE_RE_LAST: Final = 13
ZONE_EYES: Final = (0, 0, 1, 30, 60, 90, 120, 121, 151, 181, 211, 240, 240, 120)
ZONES: Final = len(ZONE_EYES)
BANDS: Final = {
    "0": RE_NO_TRICK,
    "1-29": 2,
    "30-59": 3,
    "60-89": 4,
    "90-119": 5,
    "120": TIE,
    "121-150": 7,
    "151-180": 8,
    "181-210": 9,
    "211-239": 10,
    "240": KONTRA_NO_TRICK,
}
ALL_EYES: Final = 240
_ZONE_OF_EYES: Final = (
    [RE_NO_TRICK]
    + [max(zone for zone in range(2, 11) if ZONE_EYES[zone] <= eyes) for eyes in range(1, ALL_EYES)]
    + [KONTRA_NO_TRICK]
)
_BAND_OF_ZONE: Final = {zone: band for band, zone in BANDS.items()} | {
    RE_NO_EYES: "0",
    KONTRA_NO_EYES: "240",
    TIE_RE_LAST: "120",
}

_FRAME_FIELDS: Final = frozenset({"table", "dealer", "out", "rules", "starts_bock", "bock"})
_PLAYED_ONLY: Final = frozenset(
    [
        "kind",
        "duty",
        "re",
        "eyes",
        "band",
        "no_trick",
        "re_said",
        "kontra_said",
        "last_said",
        "re_specials",
        "kontra_specials",
    ]
)
_SHORT_ONLY: Final = frozenset({"winners", "base", "solo"})
PLAYED_FIELDS: Final = _FRAME_FIELDS | _PLAYED_ONLY
SHORT_FIELDS: Final = _FRAME_FIELDS | _SHORT_ONLY
FORMS: Final = ("played", "short", "penalty", "correction", "redeal")

MOST_STARTED: Final = 99
MOST_POINTS: Final = 100_000
LONGEST_REASON: Final = 200
_NOTHING: Final[Mapping[str, int]] = {}
_ABSENT: Final[Any] = object()


def _(text: str) -> str:
    """Marks a German sentence for translation; the page that shows it translates."""
    return text


class SeatNumber(int):
    """A seat, counted from 0, in a sentence: whoever knows who sits there says their name instead."""

    def __str__(self) -> str:
        return f"Platz {int(self)}"


class Sentence(NamedTuple):
    """One sentence for people: a German template in the manner of `%`, and the values to fill it with."""

    text: str
    values: Values = {}

    def __str__(self) -> str:
        return self.text % self.values if self.values else self.text

    def naming(self, people: Sequence[object]) -> Sentence:
        """The same about `people`, by seat, instead of their seats."""
        named = {name: people[held] if isinstance(held, SeatNumber) else held for name, held in self.values.items()}
        return Sentence(self.text, named)


class Refused(ValueError):
    """Facts or settings that cannot be. `fields` maps each faulty field to its sentence; `line` is the number of the
    line of the sheet (from 0) where a whole sheet was judged.
    """

    def __init__(self, fields: Mapping[str, Sentence], line: int | None = None) -> None:
        super().__init__("; ".join(f"{field}: {sentence}" for field, sentence in fields.items()))
        self.fields = dict(fields)
        self.line = line

    def naming(self, people: Sequence[object]) -> Refused:
        """The same with the people of the table in its sentences."""
        return Refused({field: sentence.naming(people) for field, sentence in self.fields.items()}, self.line)


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
        return _BAND_OF_ZONE[self.zone]

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
        zone = _ZONE_OF_EYES[eyes]
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

Faults = dict[str, Sentence]


def whole_number(value: object, lowest: int, highest: int) -> bool:
    """Is this an int (no bool, no float) from lowest to highest?"""
    return type(value) is int and lowest <= value <= highest


def judge_table(value: object) -> Sentence | None:
    """What is wrong with this number of people at the table, None if nothing."""
    if whole_number(value, 4, 8):
        return None
    return Sentence(_("Bitte angeben, wie viele am Tisch sitzen: eine Zahl von 4 bis 8."))


def judge_kind(value: object, rules: RuleSettings | None) -> Sentence | None:
    """What is wrong with this kind of game (under this rule set, where it is known), None if nothing."""
    if not isinstance(value, str) or value not in KINDS:
        # Repeated only where it is a text: of lists in lists there may be more than Python can print.
        name = value if isinstance(value, str) else "?"
        return Sentence(_("Bitte eine bekannte Spielart wählen; „%(kind)s“ gibt es nicht."), {"kind": name})
    if rules is not None and value not in rules.kinds:
        return Sentence(
            _("Diese Regeln kennen die Spielart „%(kind)s“ nicht. Bitte eine andere wählen."),
            {"kind": labels.KINDS[value]},
        )
    return None


def is_short(data: Collection[str]) -> bool:
    """Is an entry with these fields meant as short form?"""
    return "kind" not in data and not _SHORT_ONLY.isdisjoint(data)


def _judge(data: Mapping[str, Any], rules: RuleSettings, dealer: Any) -> GameFacts | ShortFacts:
    faults: Faults = {}
    table = data.get("table", rules.table)
    if (fault := judge_table(table)) is not None:
        faults["table"] = fault
    elif table != rules.table:
        rules = rules.at(table)
    short = is_short(data)
    if not short:
        if "kind" not in data:
            faults["kind"] = Sentence(_("Bitte die Spielart wählen."))
        elif (fault := judge_kind(data["kind"], None if faults else rules)) is not None:
            faults["kind"] = fault
    if faults:
        raise Refused(faults)

    _judge_fields(data, SHORT_FIELDS if short else PLAYED_FIELDS, _PLAYED_ONLY if short else _SHORT_ONLY, faults)
    dealer = _judge_dealer(data.get("dealer", dealer), data, rules, faults)
    starts_bock = _judge_starts_bock(data.get("starts_bock", 0), rules, faults)
    bock = _judge_bock(data, rules, faults)
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
    out = _judge_out(data, rules, dealer, faults)
    re = _judge_re(data, rules, entry.solo, out, faults)
    eyes, zone = _judge_result(data, faults)
    zone = _judge_no_trick(data, rules, zone, faults)
    said = [_judge_said(data.get(field, "none"), field, rules, faults) for field in ("re_said", "kontra_said")]
    zone = _judge_last_said(data, said, zone, entry.asks_last, faults)
    specials = _judge_specials(data, rules, zone, faults)
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
    out = _judge_out(data, rules, dealer, faults)
    solo = data.get("solo", False)
    if type(solo) is not bool:
        faults["solo"] = Sentence(_("Bitte mit Ja oder Nein angeben, ob es ein Solo war."))
    base = data.get("base")
    if not whole_number(base, 0, MOST_POINTS):
        faults["base"] = Sentence(
            _("Bitte die Punkte vor Bock als ganze Zahl von 0 bis %(most)s angeben."), {"most": MOST_POINTS}
        )
    winners = _judge_winners(data, rules, solo is True, out, faults)
    if faults or winners is None or out is None or type(base) is not int:
        return None
    losers = tuple(seat for seat in range(rules.table) if seat not in winners and seat not in out)
    return ShortFacts(rules.table, dealer, out, winners, losers, base, solo, starts_bock, bock)


def _judge_fields(data: Iterable[str], known: Collection[str], other_form: Collection[str], faults: Faults) -> None:
    for field in data:
        if field in known:
            continue
        if field in other_form:
            faults[field] = Sentence(
                _("„%(field)s“ gehört zur anderen Form der Eingabe. Bitte weglassen oder jene Form wählen."),
                {"field": field},
            )
        else:
            faults[str(field)] = Sentence(
                _("Das Feld „%(field)s“ gibt es nicht. Bitte weglassen."), {"field": str(field)}
            )


def _judge_dealer(dealer: Any, data: Mapping[str, Any], rules: RuleSettings, faults: Faults) -> int | None:
    if dealer is None and "dealer" not in data:
        return None
    if whole_number(dealer, 0, rules.table - 1):
        return int(dealer)
    faults["dealer"] = _seat_sentence(rules.table)
    return None


def _judge_starts_bock(value: object, rules: RuleSettings, faults: Faults) -> int:
    if type(value) is not int or not 0 <= value <= MOST_STARTED:
        faults["starts_bock"] = Sentence(
            _("Bitte angeben, wie viele Böcke das Spiel auslöst: eine Zahl von 0 bis %(most)s."), {"most": MOST_STARTED}
        )
    elif value and not rules.by_hand:
        faults["starts_bock"] = Sentence(
            _("Nach diesen Regeln wird kein Bock von Hand ausgelöst. Bitte 0 lassen oder die Regeln ändern.")
        )
    else:
        return value
    return 0


def _judge_bock(data: Mapping[str, Any], rules: RuleSettings, faults: Faults) -> int | None:
    if "bock" not in data:
        return None
    level = data["bock"]
    if type(level) is not int or level < 0:
        faults["bock"] = Sentence(_("Bitte die Bockstufe als ganze Zahl ab 0 angeben."))
    elif level > rules.cap == 0:
        faults["bock"] = Sentence(_("Diese Regeln kennen keinen Bock. Bitte 0 angeben oder das Feld weglassen."))
    elif level > rules.cap:
        faults["bock"] = Sentence(
            _("Die höchste Bockstufe dieser Regeln ist %(cap)s. Bitte höchstens diese angeben."), {"cap": rules.cap}
        )
    else:
        return level
    return None


def _seat_sentence(table: int) -> Sentence:
    return Sentence(
        _("Bitte einen Platz von 0 bis %(last)s angeben; am Tisch sitzen %(table)s."),
        {"last": table - 1, "table": table},
    )


def _judge_seats(value: object, table: int, field: str, faults: Faults) -> tuple[int, ...] | None:
    """Distinct seats of the table in ascending order, or None with the fault noted."""
    if not isinstance(value, (list, tuple)):
        faults[field] = Sentence(_("Bitte die Plätze als Liste von Zahlen angeben."))
    elif not all(whole_number(seat, 0, table - 1) for seat in value):
        faults[field] = Sentence(
            _("Bitte nur Plätze von 0 bis %(last)s angeben; am Tisch sitzen %(table)s."),
            {"last": table - 1, "table": table},
        )
    elif len(set(value)) < len(value):
        faults[field] = Sentence(_("Ein Platz ist doppelt genannt. Bitte jeden nur einmal angeben."))
    else:
        return tuple(sorted(value))
    return None


def _judge_out(
    data: Mapping[str, Any], rules: RuleSettings, dealer: int | None, faults: Faults
) -> tuple[int, ...] | None:
    if "out" in data:
        out = _judge_seats(data["out"], rules.table, "out", faults)
        if out is not None and len(out) != rules.sitters:
            faults["out"] = (
                Sentence(_("Bitte genau %(count)s Aussetzende angeben."), {"count": rules.sitters})
                if rules.sitters
                else Sentence(_("An diesem Tisch spielen alle mit. Bitte niemanden als aussetzend angeben."))
            )
            return None
        return out
    if not rules.sitters:
        return ()
    if dealer is not None:
        out = rules.out_by_dealer.get(dealer)
        if out is not None:
            return out
    if not rules.out_by_dealer:
        faults["out"] = Sentence(_("Bitte angeben, wer aussetzt; an diesem Tisch folgt es nicht aus dem Geber."))
    elif "dealer" not in faults:
        faults["dealer"] = Sentence(_("Bitte angeben, wer gibt; daraus folgt, wer aussetzt."))
    return None


def _judge_re(
    data: Mapping[str, Any], rules: RuleSettings, solo: bool, out: tuple[int, ...] | None, faults: Faults
) -> tuple[int, ...] | None:
    if "re" not in data:
        faults["re"] = Sentence(_("Bitte angeben, wer Re spielt."))
        return None
    re = _judge_seats(data["re"], rules.table, "re", faults)
    if re is None:
        return None
    _judge_both_out_and_in(data, re, out, "re", faults)
    if solo:
        if len(re) == 1:
            return re
        faults["re"] = Sentence(_("Ein Solo spielt genau eine Person. Bitte nur sie als Re angeben."))
        return None
    return _judge_partners(re, rules, "re", faults)


def _judge_partners(seats: tuple[int, ...], rules: RuleSettings, field: str, faults: Faults) -> tuple[int, ...] | None:
    """A party of a partner game: two of four, or the even or odd seats where six or eight play."""
    if rules.playing == 4:
        if len(seats) == 2:
            return seats
        faults[field] = Sentence(_("Zu einer Partei gehören zwei. Bitte genau zwei Plätze angeben."))
    elif seats in (tuple(range(0, rules.table, 2)), tuple(range(1, rules.table, 2))):
        return seats
    else:
        faults[field] = Sentence(
            _("Hier spielen die geraden gegen die ungeraden Plätze. Bitte eine der Reihen angeben.")
        )
    return None


def _judge_winners(
    data: Mapping[str, Any], rules: RuleSettings, solo: bool, out: tuple[int, ...] | None, faults: Faults
) -> tuple[int, ...] | None:
    if "winners" not in data:
        faults["winners"] = Sentence(_("Bitte angeben, wer gewonnen hat."))
        return None
    winners = _judge_seats(data["winners"], rules.table, "winners", faults)
    if winners is None:
        return None
    _judge_both_out_and_in(data, winners, out, "winners", faults)
    if not solo:
        return _judge_partners(winners, rules, "winners", faults)
    if len(winners) in (1, rules.playing - 1):
        return winners
    faults["winners"] = Sentence(
        _("Ein Solo gewinnt die Person allein oder alle %(others)s anderen. Bitte so angeben."),
        {"others": rules.playing - 1},
    )
    return None


def _judge_both_out_and_in(
    data: Mapping[str, Any], party_seats: tuple[int, ...], out: tuple[int, ...] | None, party: str, faults: Faults
) -> None:
    """Who sits out cannot play: named `out` where somebody said so, else the party, since the dealer decides."""
    seats = sorted(set(party_seats) & set(out or ()))
    if not seats:
        return
    if "out" in data:
        faults["out"] = Sentence(
            _("%(person)s setzt aus und spielt zugleich mit. Bitte eins von beidem ändern."),
            {"person": SeatNumber(seats[0])},
        )
    else:
        faults[party] = Sentence(
            _("%(person)s setzt aus, weil der Geber feststeht. Bitte andere Personen oder den Geber ändern."),
            {"person": SeatNumber(seats[0])},
        )


def _judge_result(data: Mapping[str, Any], faults: Faults) -> tuple[int | None, int | None]:
    """Re's eyes where exact, and the zone they lie in."""
    if "eyes" not in data and "band" not in data:
        faults["eyes"] = Sentence(_("Bitte die Augen von Re oder ihren Bereich angeben."))
        return None, None
    zone = None
    eyes = data.get("eyes")
    if "eyes" in data:
        if type(eyes) is int and 0 <= eyes <= ALL_EYES:
            zone = _ZONE_OF_EYES[eyes]
        else:
            faults["eyes"] = Sentence(_("Bitte die Augen von Re als ganze Zahl von 0 bis 240 angeben."))
        if "band" in data:
            faults["band"] = Sentence(_("Bitte entweder die genauen Augen oder den Bereich angeben, nicht beides."))
        return eyes, zone
    band = data["band"]
    if isinstance(band, str) and band in BANDS:
        return None, BANDS[band]
    faults["band"] = Sentence(_("Bitte einen dieser Bereiche angeben: %(bands)s."), {"bands": ", ".join(BANDS)})
    return None, None


def _judge_no_trick(data: Mapping[str, Any], rules: RuleSettings, zone: int | None, faults: Faults) -> int | None:
    """The zone once it is known who made a trick."""
    if "no_trick" not in data:
        return zone
    party = data["no_trick"]
    if party not in ("re", "kontra", "none"):
        faults["no_trick"] = Sentence(_("Bitte angeben, wer keinen Stich gemacht hat: re, kontra oder none."))
    elif party == "none":
        if not rules.nines:
            faults["no_trick"] = Sentence(
                _("Ohne Neunen hat jeder Stich Augen. Bitte angeben, welche Partei keinen Stich gemacht hat.")
            )
        elif "band" in data and zone in (RE_NO_TRICK, KONTRA_NO_TRICK):
            faults["no_trick"] = Sentence(
                _("Dieser Bereich heißt: ohne Stich. Bitte für einen Stich ohne Augen die genauen Augen angeben.")
            )
        elif zone == RE_NO_TRICK:
            return RE_NO_EYES
        elif zone == KONTRA_NO_TRICK:
            return KONTRA_NO_EYES
    elif zone is not None and zone != (RE_NO_TRICK if party == "re" else KONTRA_NO_TRICK):
        faults["no_trick"] = Sentence(
            _("Wer Augen hat, hat auch einen Stich gemacht. Bitte die Augen oder die Angabe ohne Stich ändern.")
        )
    return zone


def _judge_said(value: object, field: str, rules: RuleSettings, faults: Faults) -> int | None:
    if not isinstance(value, str) or value not in SAID_INDEX:
        faults[field] = Sentence(_("Bitte eine dieser Ansagen angeben: %(said)s."), {"said": ", ".join(SAID)})
        return None
    if value != "none" and not rules.announcements:
        faults[field] = Sentence(_("Diese Regeln kennen keine Ansagen. Bitte keine angeben."))
        return None
    return SAID_INDEX[value]


def _judge_last_said(
    data: Mapping[str, Any], said: Sequence[int | None], zone: int | None, asks_last: bool, faults: Faults
) -> int | None:
    """The zone once it is known whose Ansage came last."""
    re_said, kontra_said = said
    if "last_said" not in data:
        if asks_last and zone == TIE and re_said == kontra_said == 1:
            faults["last_said"] = Sentence(
                _("Bei 120 zu 120 entscheidet die letzte Ansage. Bitte Re oder Kontra angeben.")
            )
        return zone
    last = data["last_said"]
    if last not in ("re", "kontra"):
        faults["last_said"] = Sentence(_("Bitte angeben, wer zuletzt angesagt hat: re oder kontra."))
    elif (re_said if last == "re" else kontra_said) == 0:
        faults["last_said"] = Sentence(_("Diese Partei hat nichts angesagt. Bitte die andere oder nichts angeben."))
    elif last == "re" and zone == TIE and re_said == kontra_said == 1:
        return TIE_RE_LAST
    return zone


def _judge_specials(
    data: Mapping[str, Any], rules: RuleSettings, zone: int | None, faults: Faults
) -> tuple[Mapping[str, int], Mapping[str, int]]:
    """Both parties' special points, without those of count 0."""
    fields = ("re_specials", "kontra_specials")
    re, kontra = (_judge_side_specials(data.get(field, {}), field, rules, faults) for field in fields)
    for field, side, without in ((fields[0], re, RE_NO_TRICK), (fields[1], kontra, KONTRA_NO_TRICK)):
        if side and zone == without and field not in faults:
            faults[field] = Sentence(_("Wer keinen Stich macht, verdient keinen Sonderpunkt. Bitte entfernen."))
    if not any(field in faults for field in fields):
        both = {special: re.get(special, 0) + kontra.get(special, 0) for special in {**re, **kontra}}
        if (fault := _too_many(both)) is not None:
            faults["kontra_specials"] = fault
    return re, kontra


def _judge_side_specials(value: object, field: str, rules: RuleSettings, faults: Faults) -> dict[str, int]:
    if not isinstance(value, Mapping):
        faults[field] = Sentence(_("Bitte die Sonderpunkte mit ihrer Anzahl angeben."))
        return {}
    for special, count in value.items():
        if special not in rules.special_most:
            faults[field] = Sentence(
                _("Diese Regeln kennen den Sonderpunkt „%(special)s“ nicht. Bitte entfernen."),
                {"special": labels.SPECIALS[special].name if special in SPECIALS else str(special)},
            )
            return {}
        if type(count) is not int or count < 0:
            faults[field] = Sentence(_("Bitte jeden Sonderpunkt mit einer ganzen Zahl ab 0 angeben."))
            return {}
    side = {special: count for special, count in value.items() if count}
    if (fault := _too_many(side)) is not None:
        faults[field] = fault
    return side


def _too_many(counts: Mapping[str, int]) -> Sentence | None:
    for special, count in counts.items():
        if count > SPECIALS[special]:
            return Sentence(
                _("So oft gibt es „%(special)s“ in einem Spiel nicht. Bitte zusammen höchstens %(most)s angeben."),
                {"special": labels.SPECIALS[special].name, "most": SPECIALS[special]},
            )
    if counts.keys() >= EXCLUSIVE:
        return Sentence(_("Den letzten Stich macht nur eine Karte: Karlchen oder Fuchs. Bitte eins davon entfernen."))
    return None


def _read_points(data: Mapping[str, Any], rules: RuleSettings, dealer: int | None) -> PointsFacts:
    faults: Faults = {}
    _judge_fields(data, ("points", "reason"), (), faults)
    _judge_dealer(dealer, data, rules, faults)
    points = data.get("points")
    if (
        not isinstance(points, (list, tuple))
        or len(points) != rules.table
        or not all(whole_number(entry, -MOST_POINTS, MOST_POINTS) for entry in points)
    ):
        faults["points"] = Sentence(
            _("Bitte für jeden der %(table)s Plätze eine ganze Zahl als Punkte angeben."), {"table": rules.table}
        )
    reason = _judge_reason(data, faults)
    if not reason.strip() and "reason" not in faults:
        faults["reason"] = Sentence(_("Bitte den Grund angeben."))
    if faults:
        raise Refused(faults)
    return PointsFacts(tuple(points or ()), reason)


def _read_redeal(data: Mapping[str, Any], rules: RuleSettings, dealer: int | None) -> RedealFacts:
    faults: Faults = {}
    _judge_fields(data, ("seat", "reason"), (), faults)
    _judge_dealer(dealer, data, rules, faults)
    seat = data.get("seat")
    if seat is not None and not whole_number(seat, 0, rules.table - 1):
        faults["seat"] = _seat_sentence(rules.table)
    reason = _judge_reason(data, faults)
    if faults:
        raise Refused(faults)
    return RedealFacts(seat, reason)


def _judge_reason(data: Mapping[str, Any], faults: Faults) -> str:
    reason = data.get("reason", "")
    if not isinstance(reason, str):
        faults["reason"] = Sentence(_("Bitte den Grund als Text angeben."))
        return ""
    if len(reason) > LONGEST_REASON:
        faults["reason"] = Sentence(
            _("Bitte den Grund kürzer fassen, in höchstens %(most)s Zeichen."), {"most": LONGEST_REASON}
        )
    return reason
