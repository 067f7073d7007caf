"""Adapt a line to other rules than its own. Entries that the other rules do not know or give no points for are left out, because
without them it is the same game. A line that lacks a needed entry is refused as usual."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from scoring.rules import labels
from scoring.rules.constants import SPECIAL_FIELDS
from scoring.rules.parsing import move_game_specials
from scoring.rules.settings import RuleSettings
from scoring.rules.validation import Refused, Sentence, _

ANNOUNCEMENT_FIELDS: Final = ("re_said", "kontra_said")
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
# Missing entries of a game, by the field that the rules refuse.
MISSING: Final[Mapping[str, Sentence]] = {
    "re": OTHER_PARTIES,
    "winners": OTHER_PARTIES,
    "out": OTHER_PARTIES,
    "eyes": Sentence(_("Nach diesen Regeln entscheiden die Augen. Sie stehen nicht dabei.")),
    "band": Sentence(_("Nach diesen Regeln müssen die Augen genau angegeben sein.")),
    "winner": Sentence(_("Nach diesen Regeln wird angegeben, wer gewonnen hat. Das steht nicht dabei.")),
    "no_trick": Sentence(_("Ein Stich ohne Augen: Ohne Neunen gibt es keinen.")),
    "last_said": Sentence(_("Bei 120 zu 120 entscheidet nach diesen Regeln, wer zuletzt angesagt hat. Das steht nicht dabei.")),
}


def adapt(
    facts: Mapping[str, Any], dealer: int | None, own: RuleSettings, other: RuleSettings
) -> tuple[dict[str, Any], frozenset[str]]:
    """Return the facts of a game of `own` rules for `other` rules, and the names of the entries that were left out."""
    adapted, surplus = move_game_specials(facts, other), set[str]()
    for special in _find_unusable(adapted, other):
        surplus.add(labels.special_name(special, own.special_names))
        for field in SPECIAL_FIELDS:
            if special in adapted.get(field, {}):
                adapted[field] = {key: count for key, count in adapted[field].items() if key != special}
    kind = adapted.get("kind")
    if kind is not None and kind not in other.kinds and own.like[kind] in other.kinds:
        kind = adapted["kind"] = own.like[kind]
    if kind in other.kinds:
        rule = other.entry_rules[bool(adapted.get("duty"))][kind]
        if adapted.get("duty") and not rule.may_be_duty:
            del adapted["duty"]
            surplus.add(DUTY)
            rule = other.entry_rules[False][kind]
        if not rule.announcements:
            surplus |= {ANNOUNCEMENTS for field in ANNOUNCEMENT_FIELDS if adapted.pop(field, "none") != "none"}
            adapted.pop("last_said", None)
        for field in (() if rule.eyes else ("eyes", "band", "no_trick")) + (() if rule.winner else ("winner",)):
            adapted.pop(field, None)
    if adapted.get("starts_bock") and not other.bock_by_hand:
        del adapted["starts_bock"]
        surplus.add(STARTED)
    if "out" not in adapted and (own.sitters or other.sitters):
        adapted["out"] = list(own.out_by_dealer[dealer]) if own.sitters else []
    return adapted, frozenset(surplus)


def explain_missing(refused: Refused, facts: Mapping[str, Any], own: RuleSettings) -> list[Sentence]:
    """Return why the other rules refuse a game of `own` rules, for readers who cannot change the game."""
    if "kind" in refused.fields:
        return [Sentence(UNKNOWN_KIND, {"kind": labels.kind_name(facts["kind"], own.kind_names)})]
    return list({why.text: why for field, why in MISSING.items() if field in refused.fields}.values())


def use_own_names(why: Sentence, own: RuleSettings) -> Sentence:
    """Return a sentence of other rules about a game of `own` rules, with the names that the own rules give."""
    names = {"kind": own.kind_names, "special": own.special_names}
    return Sentence(why.text, {field: names.get(field, {}).get(str(held), held) for field, held in why.values.items()})


def _find_unusable(facts: Mapping[str, Any], other: RuleSettings) -> set[str]:
    """Return the special points of a game that these rules do not have, or not for this party, or not as often."""
    found = set[str]()
    for field in SPECIAL_FIELDS:
        most = other.max_specials[field]
        found |= {special for special, count in facts.get(field, {}).items() if count > most.get(special, -1)}
    re, kontra = facts.get("re_specials", {}), facts.get("kontra_specials", {})
    both = re.keys() & kontra.keys() - found
    return found | {special for special in both if re[special] + kontra[special] > other.specials[special].most}
