"""A line as other rules than its own can take it: what they give no points for or do not know goes, since without it they
judge the same game; who played stays, whatever they say of the seats. What they lack instead is refused as ever."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from scoring.rules import labels
from scoring.rules.settings import RuleSettings


def _(text: str) -> str:
    """Marks a German text for translation; the page that shows it translates."""
    return text


SAID_FIELDS: Final = ("re_said", "kontra_said")
SPECIAL_FIELDS: Final = ("re_specials", "kontra_specials")
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
    for field in SPECIAL_FIELDS:
        if field in fitted:
            counts = {special: count for special, count in fitted[field].items() if special in other.special_most}
            surplus |= {labels.SPECIALS[special].name for special in fitted[field].keys() - counts.keys()}
            fitted[field] = counts
    if not other.announcements:
        surplus |= {ANNOUNCEMENTS for field in SAID_FIELDS if fitted.pop(field, "none") != "none"}
        fitted.pop("last_said", None)
    if fitted.get("duty") and other.duty_rounds is None:
        del fitted["duty"]
        surplus.add(DUTY)
    if fitted.get("starts_bock") and not other.by_hand:
        del fitted["starts_bock"]
        surplus.add(STARTED)
    if "out" not in fitted and (own.sitters or other.sitters):
        fitted["out"] = list(own.out_by_dealer[dealer]) if own.sitters else []
    return Fitted(fitted, frozenset(surplus))
