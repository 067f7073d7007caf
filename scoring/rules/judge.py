"""Check the fields of an entry: return the value, and for a fault add a German sentence to `faults` that says what to do."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any, Final

from . import labels
from .constants import (
    ALL_EYES,
    BANDS,
    BY_HAND,
    EXCLUSIVE,
    KINDS,
    KONTRA_NO_EYES,
    KONTRA_NO_TRICK,
    RE_NO_EYES,
    RE_NO_TRICK,
    SAID,
    SAID_INDEX,
    TIE,
    ZONE_OF_EYES,
)
from .settings import EntryRules, RuleSettings
from .validation import Faults, SeatNumber, Sentence, _, whole_number

MAX_STARTED: Final = 99
MAX_POINTS: Final = 100_000
MAX_REASON_LENGTH: Final = 200


def check_table(value: object) -> Sentence | None:
    if whole_number(value, 4, 8):
        return None
    return Sentence(_("Bitte angeben, wie viele am Tisch sitzen: eine Zahl von 4 bis 8."))


def check_kind(data: Mapping[str, Any], rules: RuleSettings | None, here: bool, faults: Faults) -> None:
    """Check that the kind exists; `here`: and is in these rules at this size of table."""
    value = data.get("kind")
    # Only a text is repeated in the sentence: deeply nested lists cannot be printed.
    name = value if isinstance(value, str) else "?"
    own = rules.kind_names if rules is not None else {}
    if "kind" not in data:
        faults["kind"] = Sentence(_("Bitte die Spielart wählen."))
    elif value != name or name not in KINDS and name not in own:
        faults["kind"] = Sentence(_("Bitte eine bekannte Spielart wählen; „%(kind)s“ gibt es nicht."), {"kind": name})
    elif rules is not None and here and name not in rules.kinds:
        faults["kind"] = Sentence(
            _("Diese Regeln kennen die Spielart „%(kind)s“ nicht. Bitte eine andere wählen."),
            {"kind": labels.kind_name(name, own)},
        )


def check_fields(data: Iterable[str], known: Collection[str], other_form: Collection[str], faults: Faults) -> None:
    for field in data:
        if field in known:
            continue
        if field in other_form:
            faults[field] = Sentence(
                _("„%(field)s“ gehört zur anderen Form der Eingabe. Bitte weglassen oder jene Form wählen."),
                {"field": field},
            )
        else:
            faults[str(field)] = Sentence(_("Das Feld „%(field)s“ gibt es nicht. Bitte weglassen."), {"field": str(field)})


def check_dealer(dealer: Any, rules: RuleSettings, faults: Faults) -> int | None:
    if type(dealer) is int and 0 <= dealer < rules.table:
        return dealer
    faults["dealer"] = seat_sentence(rules.table)
    return None


def check_starts_bock(value: object, rules: RuleSettings, faults: Faults) -> int:
    if type(value) is not int or not 0 <= value <= MAX_STARTED:
        faults["starts_bock"] = Sentence(
            _("Bitte angeben, wie viele Böcke das Spiel auslöst: eine Zahl von 0 bis %(most)s."), {"most": MAX_STARTED}
        )
    elif value and not rules.bock_by_hand:
        faults["starts_bock"] = Sentence(
            _("Nach diesen Regeln wird kein Bock selbst eingetragen. Bitte 0 lassen oder die Regeln ändern.")
        )
    else:
        return value
    return 0


def check_bock(level: object, rules: RuleSettings, faults: Faults) -> int | None:
    if type(level) is not int or level < 0:
        faults["bock"] = Sentence(_("Bitte die Bockstufe als ganze Zahl ab 0 angeben."))
    elif rules.cap == 0 and level > 0:
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
        _("Bitte einen Sitz von 0 bis %(last)s angeben; am Tisch sitzen %(table)s."),
        {"last": table - 1, "table": table},
    )


def _check_seats(value: object, table: int, field: str, faults: Faults) -> tuple[int, ...] | None:
    if not isinstance(value, (list, tuple)):
        faults[field] = Sentence(_("Bitte die Sitze als Liste von Zahlen angeben."))
    elif not all(whole_number(seat, 0, table - 1) for seat in value):
        faults[field] = Sentence(
            _("Bitte nur Sitze von 0 bis %(last)s angeben; am Tisch sitzen %(table)s."),
            {"last": table - 1, "table": table},
        )
    elif len(set(value)) < len(value):
        faults[field] = Sentence(_("Ein Sitz ist doppelt genannt. Bitte jeden nur einmal angeben."))
    else:
        return tuple(sorted(value))
    return None


def check_out(data: Mapping[str, Any], rules: RuleSettings, dealer: int | None, faults: Faults) -> tuple[int, ...] | None:
    if "out" in data:
        out = _check_seats(data["out"], rules.table, "out", faults)
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


def check_re(
    data: Mapping[str, Any], rules: RuleSettings, solo: bool, out: tuple[int, ...] | None, faults: Faults
) -> tuple[int, ...] | None:
    if "re" not in data:
        faults["re"] = Sentence(_("Bitte angeben, wer Re spielt."))
        return None
    re = _check_seats(data["re"], rules.table, "re", faults)
    if re is None:
        return None
    _check_sitting_out(data, re, out, "re", faults)
    if solo:
        if len(re) == 1:
            return re
        faults["re"] = Sentence(_("Ein Solo spielt genau eine Person. Bitte nur sie als Re angeben."))
        return None
    return _check_partners(re, rules, "re", faults)


def _check_partners(seats: tuple[int, ...], rules: RuleSettings, field: str, faults: Faults) -> tuple[int, ...] | None:
    """Check a party of a partner game: two of four, or the even or odd seats where six or eight play."""
    if rules.playing == 4:
        if len(seats) == 2:
            return seats
        if field == "re":
            faults[field] = Sentence(_("Re sind immer zwei: bitte genau zwei antippen."))
        else:
            faults[field] = Sentence(_("Gewonnen haben immer zwei: bitte genau zwei antippen."))
    elif seats in (tuple(range(0, rules.table, 2)), tuple(range(1, rules.table, 2))):
        return seats
    else:
        faults[field] = Sentence(_("Hier spielen die geraden gegen die ungeraden Sitze. Bitte eine der Reihen angeben."))
    return None


def check_winners(
    data: Mapping[str, Any], rules: RuleSettings, solo: bool, out: tuple[int, ...] | None, faults: Faults
) -> tuple[int, ...] | None:
    if "winners" not in data:
        faults["winners"] = Sentence(_("Bitte angeben, wer gewonnen hat."))
        return None
    winners = _check_seats(data["winners"], rules.table, "winners", faults)
    if winners is None:
        return None
    _check_sitting_out(data, winners, out, "winners", faults)
    if not solo:
        return _check_partners(winners, rules, "winners", faults)
    if len(winners) in (1, rules.playing - 1):
        return winners
    faults["winners"] = Sentence(
        _("Ein Solo gewinnt die Person allein oder alle %(others)s anderen. Bitte so angeben."),
        {"others": rules.playing - 1},
    )
    return None


def _check_sitting_out(
    data: Mapping[str, Any], party_seats: tuple[int, ...], out: tuple[int, ...] | None, party: str, faults: Faults
) -> None:
    """Check that no player sits out. The fault is added to `out` if that was typed, otherwise to the party."""
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


def check_result(data: Mapping[str, Any], entry: EntryRules, faults: Faults) -> int | None:
    """Return the zone of Re's eyes, or of `winner` if that is given."""
    if not entry.eyes:
        for field in ("eyes", "band", "no_trick"):
            if field in data:
                faults[field] = Sentence(_("Diese Spielart kennt keine Augen. Bitte nur angeben, wer gewonnen hat."))
    if "winner" in data:
        zone = _check_winner(data, entry, faults)
        if zone is not None or not entry.eyes or (entry.winner and not {"eyes", "band"} & data.keys()):
            return zone
    elif not entry.eyes:
        faults["winner"] = Sentence(_("Bitte angeben, wer gewonnen hat."))
        return None
    if "eyes" not in data and "band" not in data:
        faults["eyes"] = Sentence(_("Bitte die Augen von Re oder ihren Bereich angeben."))
        return None
    if "eyes" in data:
        if "band" in data:
            faults["band"] = Sentence(_("Bitte entweder die genauen Augen oder den Bereich angeben, nicht beides."))
        eyes = data["eyes"]
        if type(eyes) is int and 0 <= eyes <= ALL_EYES:
            return ZONE_OF_EYES[eyes]
        faults["eyes"] = Sentence(_("Bitte die Augen von Re als ganze Zahl von 0 bis 240 angeben."))
        return None
    band = data["band"]
    if not isinstance(band, str) or band not in BANDS:
        faults["band"] = Sentence(_("Bitte einen dieser Bereiche angeben: %(bands)s."), {"bands": ", ".join(BANDS)})
        return None
    if band in entry.refused_bands:
        faults["band"] = Sentence(_("An der unteren Grenze dieses Bereichs zählt es anders. Bitte die Augen angeben."))
    return BANDS[band]


def _check_winner(data: Mapping[str, Any], entry: EntryRules, faults: Faults) -> int | None:
    winner = data["winner"]
    if not entry.winner:
        faults["winner"] = Sentence(_("Dieses Spiel entscheiden die Augen. Bitte den Gewinner weglassen."))
    elif winner not in ("re", "kontra"):
        faults["winner"] = Sentence(_("Bitte angeben, wer gewonnen hat: re oder kontra."))
    elif entry.eyes and ("eyes" in data or "band" in data):
        faults["winner"] = Sentence(_("Bitte entweder die Augen oder den Gewinner angeben, nicht beides."))
    else:
        return BY_HAND[winner]
    return None


def check_no_trick(data: Mapping[str, Any], rules: RuleSettings, entry: EntryRules, zone: int | None, faults: Faults) -> int | None:
    party = data["no_trick"]
    if not entry.eyes:
        return zone
    if "winner" in data:
        faults["no_trick"] = Sentence(_("Wo der Gewinner feststeht, zählen keine Stiche. Bitte weglassen."))
    elif party not in ("re", "kontra", "none"):
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
            _("Eine Partei mit Augen hat auch einen Stich gemacht. Bitte die Augen oder die Angabe ohne Stich ändern.")
        )
    return zone


def check_said(value: object, field: str, entry: EntryRules, faults: Faults) -> int:
    if not isinstance(value, str) or value not in SAID_INDEX:
        faults[field] = Sentence(_("Bitte eine dieser Ansagen angeben: %(said)s."), {"said": ", ".join(SAID)})
        return 0
    if value != "none" and not entry.announcements:
        faults[field] = Sentence(_("Diese Regeln kennen keine Ansagen. Bitte keine angeben."))
        return 0
    return SAID_INDEX[value]


def check_last_said(
    data: Mapping[str, Any], entry: EntryRules, re_said: int, kontra_said: int, zone: int | None, faults: Faults
) -> None:
    if "last_said" not in data:
        both = re_said and kontra_said
        if both and entry.asks_answer:
            faults["last_said"] = Sentence(_("Die Antwort zählt anders. Bitte angeben, wer zuletzt angesagt hat."))
        elif both and entry.asks_last and zone == TIE and max(re_said, kontra_said) < entry.last_counts_to:
            faults["last_said"] = Sentence(_("Bei 120 zu 120 entscheidet die letzte Ansage. Bitte Re oder Kontra angeben."))
        return
    last = data["last_said"]
    if last not in ("re", "kontra"):
        faults["last_said"] = Sentence(_("Bitte angeben, wer zuletzt angesagt hat: re oder kontra."))
    elif f"{last}_said" not in faults and not (re_said if last == "re" else kontra_said):
        faults["last_said"] = Sentence(_("Diese Partei hat nichts angesagt. Bitte die andere oder nichts angeben."))


def check_specials(
    data: Mapping[str, Any], rules: RuleSettings, zone: int | None, faults: Faults
) -> tuple[Mapping[str, int], Mapping[str, int], Mapping[str, int]]:
    re, kontra, game = data.get("re_specials", {}), data.get("kontra_specials", {}), data.get("game_specials", {})
    if re or type(re) is not dict:
        re = _check_specials_of(re, "re_specials", rules, faults)
    if kontra or type(kontra) is not dict:
        kontra = _check_specials_of(kontra, "kontra_specials", rules, faults)
    if game or type(game) is not dict:
        game = _check_specials_of(game, "game_specials", rules, faults)
    if re and zone == RE_NO_TRICK and "re_specials" not in faults:
        faults["re_specials"] = _NO_TRICK_NO_SPECIAL
    if kontra and zone == KONTRA_NO_TRICK and "kontra_specials" not in faults:
        faults["kontra_specials"] = _NO_TRICK_NO_SPECIAL
    if re and kontra and not ("re_specials" in faults or "kontra_specials" in faults):
        for special, count in re.items():
            if special in kontra and count + kontra[special] > rules.specials[special].most:
                faults["kontra_specials"] = _too_many(special, rules.specials[special].most, rules)
        if EXCLUSIVE.issubset((*re, *kontra)):
            faults["kontra_specials"] = _ONE_LAST_TRICK
    return re, kontra, game

_ONE_LAST_TRICK: Final = Sentence(_("Den letzten Stich macht nur eine Karte: Karlchen oder Fuchs. Bitte eins davon entfernen."))
_NO_TRICK_NO_SPECIAL: Final = Sentence(_("Eine Partei ohne Stich verdient keinen Sonderpunkt. Bitte entfernen."))


def _check_specials_of(value: object, field: str, rules: RuleSettings, faults: Faults) -> dict[str, int]:
    """Return the special points of one field. Only the first fault is added."""
    if type(value) is not dict:
        faults[field] = Sentence(_("Bitte die Sonderpunkte mit ihrer Anzahl angeben."))
        return {}
    most, zeros = rules.max_specials[field], False
    for special, count in value.items():
        if type(count) is not int or not 0 < count <= most.get(special, 0):
            if (fault := _find_special_fault(special, count, most, rules)) is not None:
                faults[field] = fault
                return {}
            zeros = True
    side = {special: count for special, count in value.items() if count} if zeros else value
    if len(side) > 1 and side.keys() >= EXCLUSIVE and field != "game_specials":
        faults[field] = _ONE_LAST_TRICK
    return side


def _find_special_fault(special: str, count: object, most: Mapping[str, int], rules: RuleSettings) -> Sentence | None:
    args = {"special": labels.special_name(str(special), rules.special_names)}
    if special not in rules.specials:
        return Sentence(_("Diese Regeln kennen den Sonderpunkt „%(special)s“ nicht. Bitte entfernen."), args)
    if special not in most:
        return Sentence(_("Der Sonderpunkt „%(special)s“ gehört nicht hierher. Bitte richtig zuordnen."), args)
    if type(count) is not int or count < 0:
        return Sentence(_("Bitte jeden Sonderpunkt mit einer ganzen Zahl ab 0 angeben."))
    return _too_many(special, most[special], rules) if count else None


def _too_many(special: str, most: int, rules: RuleSettings) -> Sentence:
    return Sentence(
        _("So oft gibt es „%(special)s“ in einem Spiel nicht. Bitte zusammen höchstens %(most)s angeben."),
        {"special": labels.special_name(special, rules.special_names), "most": most},
    )
