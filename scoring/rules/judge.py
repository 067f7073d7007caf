"""Which entries are refused: one field after another, with a German sentence for each fault that says what to do. A judge
answers the value as the facts hold it, or notes the fault and answers nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, Final

from . import labels
from .allowed import whole_number
from .codes import (
    ALL_EYES,
    BANDS,
    EXCLUSIVE,
    KINDS,
    KONTRA_NO_EYES,
    KONTRA_NO_TRICK,
    RE_NO_EYES,
    RE_NO_TRICK,
    SAID,
    SAID_INDEX,
    SHORT_ONLY,
    SPECIALS,
    TIE,
    TIE_RE_LAST,
    ZONE_OF_EYES,
)
from .refused import Faults, SeatNumber, Sentence
from .settings import RuleSettings

MOST_STARTED: Final = 99
MOST_POINTS: Final = 100_000
LONGEST_REASON: Final = 200


def _(text: str) -> str:
    """Marks a German sentence for translation; the page that shows it translates."""
    return text


def table(value: object) -> Sentence | None:
    """What is wrong with this number of people at the table, None if nothing."""
    if whole_number(value, 4, 8):
        return None
    return Sentence(_("Bitte angeben, wie viele am Tisch sitzen: eine Zahl von 4 bis 8."))


def kind(value: object, rules: RuleSettings | None) -> Sentence | None:
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
    return "kind" not in data and not SHORT_ONLY.isdisjoint(data)


def fields(data: Iterable[str], known: Collection[str], other_form: Collection[str], faults: Faults) -> None:
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


def dealer(dealer: Any, data: Mapping[str, Any], rules: RuleSettings, faults: Faults) -> int | None:
    if dealer is None and "dealer" not in data:
        return None
    if whole_number(dealer, 0, rules.table - 1):
        return int(dealer)
    faults["dealer"] = seat_sentence(rules.table)
    return None


def starts_bock(value: object, rules: RuleSettings, faults: Faults) -> int:
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


def bock(data: Mapping[str, Any], rules: RuleSettings, faults: Faults) -> int | None:
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


def seat_sentence(table: int) -> Sentence:
    return Sentence(
        _("Bitte einen Platz von 0 bis %(last)s angeben; am Tisch sitzen %(table)s."),
        {"last": table - 1, "table": table},
    )


def _seats(value: object, table: int, field: str, faults: Faults) -> tuple[int, ...] | None:
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


def out(data: Mapping[str, Any], rules: RuleSettings, dealer: int | None, faults: Faults) -> tuple[int, ...] | None:
    if "out" in data:
        out = _seats(data["out"], rules.table, "out", faults)
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


def re(
    data: Mapping[str, Any], rules: RuleSettings, solo: bool, out: tuple[int, ...] | None, faults: Faults
) -> tuple[int, ...] | None:
    if "re" not in data:
        faults["re"] = Sentence(_("Bitte angeben, wer Re spielt."))
        return None
    re = _seats(data["re"], rules.table, "re", faults)
    if re is None:
        return None
    _both_out_and_in(data, re, out, "re", faults)
    if solo:
        if len(re) == 1:
            return re
        faults["re"] = Sentence(_("Ein Solo spielt genau eine Person. Bitte nur sie als Re angeben."))
        return None
    return _partners(re, rules, "re", faults)


def _partners(seats: tuple[int, ...], rules: RuleSettings, field: str, faults: Faults) -> tuple[int, ...] | None:
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


def winners(
    data: Mapping[str, Any], rules: RuleSettings, solo: bool, out: tuple[int, ...] | None, faults: Faults
) -> tuple[int, ...] | None:
    if "winners" not in data:
        faults["winners"] = Sentence(_("Bitte angeben, wer gewonnen hat."))
        return None
    winners = _seats(data["winners"], rules.table, "winners", faults)
    if winners is None:
        return None
    _both_out_and_in(data, winners, out, "winners", faults)
    if not solo:
        return _partners(winners, rules, "winners", faults)
    if len(winners) in (1, rules.playing - 1):
        return winners
    faults["winners"] = Sentence(
        _("Ein Solo gewinnt die Person allein oder alle %(others)s anderen. Bitte so angeben."),
        {"others": rules.playing - 1},
    )
    return None


def _both_out_and_in(
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


def result(data: Mapping[str, Any], faults: Faults) -> tuple[int | None, int | None]:
    """Re's eyes where exact, and the zone they lie in."""
    if "eyes" not in data and "band" not in data:
        faults["eyes"] = Sentence(_("Bitte die Augen von Re oder ihren Bereich angeben."))
        return None, None
    zone = None
    eyes = data.get("eyes")
    if "eyes" in data:
        if type(eyes) is int and 0 <= eyes <= ALL_EYES:
            zone = ZONE_OF_EYES[eyes]
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


def no_trick(data: Mapping[str, Any], rules: RuleSettings, zone: int | None, faults: Faults) -> int | None:
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


def said(value: object, field: str, rules: RuleSettings, faults: Faults) -> int | None:
    if not isinstance(value, str) or value not in SAID_INDEX:
        faults[field] = Sentence(_("Bitte eine dieser Ansagen angeben: %(said)s."), {"said": ", ".join(SAID)})
        return None
    if value != "none" and not rules.announcements:
        faults[field] = Sentence(_("Diese Regeln kennen keine Ansagen. Bitte keine angeben."))
        return None
    return SAID_INDEX[value]


def last_said(
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


def specials(
    data: Mapping[str, Any], rules: RuleSettings, zone: int | None, faults: Faults
) -> tuple[Mapping[str, int], Mapping[str, int]]:
    """Both parties' special points, without those of count 0."""
    fields = ("re_specials", "kontra_specials")
    re, kontra = (_side_specials(data.get(field, {}), field, rules, faults) for field in fields)
    for field, side, without in ((fields[0], re, RE_NO_TRICK), (fields[1], kontra, KONTRA_NO_TRICK)):
        if side and zone == without and field not in faults:
            faults[field] = Sentence(_("Wer keinen Stich macht, verdient keinen Sonderpunkt. Bitte entfernen."))
    if not any(field in faults for field in fields):
        both = {special: re.get(special, 0) + kontra.get(special, 0) for special in {**re, **kontra}}
        if (fault := _too_many(both)) is not None:
            faults["kontra_specials"] = fault
    return re, kontra


def _side_specials(value: object, field: str, rules: RuleSettings, faults: Faults) -> dict[str, int]:
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


def reason(data: Mapping[str, Any], faults: Faults) -> str:
    reason = data.get("reason", "")
    if not isinstance(reason, str):
        faults["reason"] = Sentence(_("Bitte den Grund als Text angeben."))
        return ""
    if len(reason) > LONGEST_REASON:
        faults["reason"] = Sentence(
            _("Bitte den Grund kürzer fassen, in höchstens %(most)s Zeichen."), {"most": LONGEST_REASON}
        )
    return reason
