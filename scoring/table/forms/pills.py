"""The pills of the entry: what each is called, and what the scripts are told with it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from django import forms
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.rules import labels
from scoring.rules.constants import BANDS, PARTNER_KINDS, RAMSCH, SAID, SPECIAL_FIELDS, SPECIAL_PREFIX, SPECIALS
from scoring.rules.settings import RuleSettings

# What every solo is called has no room among the others: it is there for the ear, and where one solo is named.
_SOLO = re.compile(r"(.+?)((?:es|s)?[- ]?solo)", re.IGNORECASE)
PARTIES = [(party, gettext_lazy(name)) for party, name in labels.PARTIES.items()]


class KindPills(forms.RadioSelect):
    """The kinds of game, each with what the scripts ask of it where that is not what most games are asked."""

    def __init__(self, rules: RuleSettings) -> None:
        super().__init__()
        self.rules = rules

    def create_option(self, name: str, value: Any, *args: Any, **kwargs: Any) -> dict[str, Any]:
        option: dict[str, Any] = super().create_option(name, value, *args, **kwargs)
        asked = self.rules.entry_rules[0][value]
        if asked.like not in PARTNER_KINDS and (solo := _SOLO.fullmatch(str(option["label"]))):
            option["label"] = format_html('<span>{}<small class="ending">{}</small></span>', *solo.groups())
        if asked.winner:
            option["attrs"]["data-end"] = RAMSCH if asked.like == RAMSCH else "both" if asked.eyes else "hand"
        if not asked.announcements:
            option["attrs"]["data-silent"] = True
        if asked.may_be_duty:
            option["attrs"]["data-duty"] = True
        return option


@lru_cache(maxsize=64)
def pill_fields(
    rules: RuleSettings, used: frozenset[tuple[str, int]], _language: str | None
) -> Mapping[str, forms.Field]:
    """The fields that follow from the rules, by name, and how often everything was `used`: the same for every form that asks for
    these, and never changed. What is called differently in another language is another one."""
    often = dict(used)
    by_name = sorted(rules.kinds, key=lambda kind: rules.kind_names.get(kind, ""))
    kinds = [(kind, rules.kind_names.get(kind) or _(labels.KINDS[kind])) for kind in labels.sort_kinds(by_name)]
    fields: dict[str, forms.Field] = {
        "kind": forms.ChoiceField(choices=kinds, required=False, widget=KindPills(rules), initial="normal"),
        "winner": radio([("", _("nach Augen")), *PARTIES], initial=""),
        "duty": forms.BooleanField(required=False, label=_("als Pflichtsolo")),
        "band": radio([(band, _(labels.BANDS[band])) for band in BANDS], initial=""),
    }
    for party, label in PARTIES:
        # A ladder: the highest one on top.
        said = [(said, label if said == "said" else _(labels.SAID[said])) for said in reversed(SAID)]
        fields[f"{party}_said"] = radio(said, initial="none")
    for earner, mosts in asked_specials(rules, often).items():
        for special, most in mosts.items():
            name = special_field(earner, special)
            if earner == "game" and most == 1:
                fields[name] = forms.BooleanField(required=False, label=special_name(rules, special))
            else:
                fields[name] = radio([(str(n), str(n)) for n in range(most + 1)], initial="0")
    fields["last_said"] = radio([("", _("weiß nicht")), *PARTIES], initial="")
    fields["no_trick"] = radio([("", _("wie die Augen sagen")), ("none", _("ein Stich ohne Augen"))], initial="")
    return fields


def special_name(rules: RuleSettings, special: str) -> str:
    return rules.special_names.get(special) or _(labels.SPECIALS[special].name)


def radio(choices: Iterable[tuple[str, Any]], initial: str) -> forms.ChoiceField:
    return forms.ChoiceField(choices=list(choices), required=False, widget=forms.RadioSelect, initial=initial)


def special_field(earner: str, special: str) -> str:
    """The field of a special point; `earner` is re, kontra or game. Own ones may be called like another field."""
    return f"{earner}_{special}" if special in SPECIALS else f"{earner}_{SPECIAL_PREFIX}{special}"


def asked_specials(rules: RuleSettings, used: Mapping[str, int]) -> dict[str, dict[str, int]]:
    """Of Re, Kontra and the game: which special points can stand there and how many of each, those used most first, then
    the built-in ones, then own ones by name."""
    own = sorted(rules.special_names.keys() - SPECIALS.keys(), key=lambda special: rules.special_names[special])
    specials = sorted([*SPECIALS, *own], key=lambda special: -used.get(special, 0))
    return {
        field.removesuffix("_specials"): {
            special: rules.max_specials[field][special] for special in specials if special in rules.max_specials[field]
        }
        for field in SPECIAL_FIELDS
    }
