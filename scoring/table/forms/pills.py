"""The pills of the entry: what each is called, and what the scripts are told with it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django import forms

from scoring.rules.codes import RAMSCH, SPECIAL_FIELDS, SPECIAL_PREFIX, SPECIALS
from scoring.rules.settings import RuleSettings


class KindPills(forms.RadioSelect):
    """The kinds of game, each with what the scripts ask of it where that is not what most games are asked."""

    def __init__(self, rules: RuleSettings) -> None:
        super().__init__()
        self.rules = rules

    def create_option(self, name: str, value: Any, *args: Any, **kwargs: Any) -> dict[str, Any]:
        option: dict[str, Any] = super().create_option(name, value, *args, **kwargs)
        asked = self.rules.asked[0][value]
        if asked.winner:
            option["attrs"]["data-end"] = RAMSCH if asked.like == RAMSCH else "both" if asked.eyes else "hand"
        if not asked.announcements:
            option["attrs"]["data-silent"] = True
        return option


def radio(choices: Iterable[tuple[str, Any]], initial: str) -> forms.ChoiceField:
    return forms.ChoiceField(choices=list(choices), required=False, widget=forms.RadioSelect, initial=initial)


def special_field(earner: str, special: str) -> str:
    """The field of a special point; `earner` is re, kontra or game. Own ones may be called like another field."""
    return f"{earner}_{special}" if special in SPECIALS else f"{earner}_{SPECIAL_PREFIX}{special}"


def asked_specials(rules: RuleSettings, used: Mapping[str, int]) -> dict[str, dict[str, int]]:
    """Of Re, Kontra and the game: which special points can stand there and how many of each, those used most first, then
    the built-in ones, then own ones by name."""
    own = sorted(rules.special_names, key=lambda special: rules.special_names[special])
    specials = sorted([*SPECIALS, *own], key=lambda special: -used.get(special, 0))
    return {
        field.removesuffix("_specials"): {
            special: rules.special_most[field][special] for special in specials if special in rules.special_most[field]
        }
        for field in SPECIAL_FIELDS
    }
