"""A line as other rules than its own can take it: what they give no points for or do not know goes, since without it they
judge the same game; who played stays, whatever they say of the seats. What they lack instead is refused as ever."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from scoring.rules import labels
from scoring.rules.codes import SPECIAL_FIELDS
from scoring.rules.settings import RuleSettings


def _(text: str) -> str:
    """Marks a German text for translation; the page that shows it translates."""
    return text


SAID_FIELDS: Final = ("re_said", "kontra_said")
ANNOUNCEMENTS: Final = _("Ansagen")
DUTY: Final = _("Pflichtsolo")
STARTED: Final = _("Bock von Hand ausgelöst")


class Fitted(NamedTuple):
    """The facts as the other rules take them, and the names of what they have no use for."""

    facts: Mapping[str, Any]
    surplus: frozenset[str]


def fit(facts: Mapping[str, Any], dealer: int | None, own: RuleSettings, other: RuleSettings) -> Fitted:
    """The facts of a game of `own` rules for `other` ones, both at its table."""
    fitted, surplus = dict(facts), set[str]()
    for special in _no_use(facts, other):
        surplus.add(labels.special_name(special, own.special_names))
        for field in SPECIAL_FIELDS:
            if special in fitted.get(field, {}):
                fitted[field] = {key: count for key, count in fitted[field].items() if key != special}
    kind = fitted.get("kind")
    if kind is not None and kind not in other.kinds and own.like[kind] in other.kinds:
        kind = fitted["kind"] = own.like[kind]
    if kind in other.kinds:
        entry = other.entries[bool(fitted.get("duty"))][kind]
        if fitted.get("duty") and not entry.may_be_duty:
            del fitted["duty"]
            surplus.add(DUTY)
            entry = other.entries[False][kind]
        if not entry.announcements:
            surplus |= {ANNOUNCEMENTS for field in SAID_FIELDS if fitted.pop(field, "none") != "none"}
            fitted.pop("last_said", None)
        for field in (() if entry.eyes else ("eyes", "band", "no_trick")) + (() if entry.winner else ("winner",)):
            fitted.pop(field, None)
    if fitted.get("starts_bock") and not other.by_hand:
        del fitted["starts_bock"]
        surplus.add(STARTED)
    if "out" not in fitted and (own.sitters or other.sitters):
        fitted["out"] = list(own.out_by_dealer[dealer]) if own.sitters else []
    return Fitted(fitted, frozenset(surplus))


def _no_use(facts: Mapping[str, Any], other: RuleSettings) -> set[str]:
    """The special points of a game that these rules do not have, have for somebody else, or not so often."""
    found = set[str]()
    for field in SPECIAL_FIELDS:
        most = other.special_most[field]
        found |= {special for special, count in facts.get(field, {}).items() if count > most.get(special, -1)}
    re, kontra = facts.get("re_specials", {}), facts.get("kontra_specials", {})
    both = re.keys() & kontra.keys() - found
    return found | {special for special in both if re[special] + kontra[special] > other.specials[special].most}
