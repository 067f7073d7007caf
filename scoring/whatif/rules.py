"""Prepares a line for other rules than its own. Entries that the other rules do not know or give no points for are left
out, because without them it is the same game. Who played stays, whatever the other rules say of the seats. A line that
lacks what they need is refused as always."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from scoring.rules import labels
from scoring.rules.constants import SPECIAL_FIELDS
from scoring.rules.parsing import move_game_specials
from scoring.rules.settings import RuleSettings
from scoring.rules.validation import Refused, Sentence, _

SAID_FIELDS: Final = ("re_said", "kontra_said")
ANNOUNCEMENTS: Final = _("Ansagen")
DUTY: Final = _("Pflichtsolo")
STARTED: Final = _("Bock selbst eingetragen")
UNKNOWN_KIND: Final = _("Die Spielart „%(kind)s“ gibt es nach diesen Regeln nicht.")
OTHER_PARTIES: Final = Sentence(_("Nach diesen Regeln spielen an einem so großen Tisch andere zusammen."))
# Why a line has no worth by other rules, whatever these are.
SHORT_FORM: Final = Sentence(
    _("Nur in der Kurzform aufgeschrieben: Was sie nach anderen Regeln wert wären, lässt sich nicht sagen.")
)
OTHER_UNIT: Final = Sentence(_("Von Hand eingetragen, in der anderen Einheit."))
NO_GAMES: Final = Sentence(_("Ohne Einzelspiele übernommen."))
# What a game lacks, by the field that the rules refuse.
LACKING: Final[Mapping[str, Sentence]] = {
    "re": OTHER_PARTIES,
    "winners": OTHER_PARTIES,
    "out": OTHER_PARTIES,
    "eyes": Sentence(_("Nach diesen Regeln entscheiden die Augen. Sie stehen nicht dabei.")),
    "band": Sentence(_("Nach diesen Regeln müssen die Augen genau angegeben sein.")),
    "winner": Sentence(_("Nach diesen Regeln wird angegeben, wer gewonnen hat. Das steht nicht dabei.")),
    "no_trick": Sentence(_("Ein Stich ohne Augen: Ohne Neunen gibt es keinen.")),
    "last_said": Sentence(
        _("Bei 120 zu 120 entscheidet nach diesen Regeln, wer zuletzt angesagt hat. Das steht nicht dabei.")
    ),
}


class Fitted(NamedTuple):
    """The facts as the other rules take them, and the names of what they have no use for."""

    facts: Mapping[str, Any]
    surplus: frozenset[str]


def fit(facts: Mapping[str, Any], dealer: int | None, own: RuleSettings, other: RuleSettings) -> Fitted:
    """The facts of a game of `own` rules for `other` ones, both at its table."""
    fitted, surplus = move_game_specials(facts, other), set[str]()
    for special in _no_use(fitted, other):
        surplus.add(labels.special_name(special, own.special_names))
        for field in SPECIAL_FIELDS:
            if special in fitted.get(field, {}):
                fitted[field] = {key: count for key, count in fitted[field].items() if key != special}
    kind = fitted.get("kind")
    if kind is not None and kind not in other.kinds and own.like[kind] in other.kinds:
        kind = fitted["kind"] = own.like[kind]
    if kind in other.kinds:
        asked = other.entry_rules[bool(fitted.get("duty"))][kind]
        if fitted.get("duty") and not asked.may_be_duty:
            del fitted["duty"]
            surplus.add(DUTY)
            asked = other.entry_rules[False][kind]
        if not asked.announcements:
            surplus |= {ANNOUNCEMENTS for field in SAID_FIELDS if fitted.pop(field, "none") != "none"}
            fitted.pop("last_said", None)
        for field in (() if asked.eyes else ("eyes", "band", "no_trick")) + (() if asked.winner else ("winner",)):
            fitted.pop(field, None)
    if fitted.get("starts_bock") and not other.bock_by_hand:
        del fitted["starts_bock"]
        surplus.add(STARTED)
    if "out" not in fitted and (own.sitters or other.sitters):
        fitted["out"] = list(own.out_by_dealer[dealer]) if own.sitters else []
    return Fitted(fitted, frozenset(surplus))


def lacking(refused: Refused, facts: Mapping[str, Any], own: RuleSettings) -> list[Sentence]:
    """What the other rules missed in a game of `own` ones, as somebody reads it who cannot change the game any more."""
    if "kind" in refused.fields:
        return [Sentence(UNKNOWN_KIND, {"kind": labels.kind_name(facts["kind"], own.kind_names)})]
    return list({why.text: why for field, why in LACKING.items() if field in refused.fields}.values())


def called(why: Sentence, own: RuleSettings) -> Sentence:
    """What other rules say of a game of `own` ones: these alone know what their kinds and special points are called."""
    names = {"kind": own.kind_names, "special": own.special_names}
    return Sentence(why.text, {field: names.get(field, {}).get(str(held), held) for field, held in why.values.items()})


def _no_use(facts: Mapping[str, Any], other: RuleSettings) -> set[str]:
    """The special points of a game that these rules do not have, have for somebody else, or not so often."""
    found = set[str]()
    for field in SPECIAL_FIELDS:
        most = other.max_specials[field]
        found |= {special for special, count in facts.get(field, {}).items() if count > most.get(special, -1)}
    re, kontra = facts.get("re_specials", {}), facts.get("kontra_specials", {})
    both = re.keys() & kontra.keys() - found
    return found | {special for special in both if re[special] + kontra[special] > other.specials[special].most}
