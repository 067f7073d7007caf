"""The parts of the entry that follow from the rules alone, each drawn once: what is asked of a game, its drawers, and what is
rare. They are half of the table's page, and the same at every table of a club."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from scoring.rules.refused import Sentence
from scoring.rules.settings import RuleSettings
from scoring.table.forms.games import GameForm

PARTS: Final = ("game", "drawers", "rare")
# What is asked beside these parts.
BESIDE: Final = ("key", "after", "round", "version", "dealer", "note", "re", "winners", "out", "row", "base", "solo")


def drawn_parts(
    form: GameForm, typed: Mapping[str, Any], refused: Mapping[str, Sentence], opened: Mapping[str, bool]
) -> Mapping[str, SafeString]:
    """The HTML of each part of a form, with what is `typed` there. What was sent and comes back is drawn anew, with its faults."""
    if form.is_bound or refused:
        return _draw(form, refused, opened)
    begins = {name: value for name, value in typed.items() if name not in BESIDE}
    told = json.dumps({"used": form.used, "begins": begins, "opened": opened})
    return _drawn(form.rules, told, get_language())


@lru_cache(maxsize=64)
def _drawn(rules: RuleSettings, told: str, _language: str | None) -> Mapping[str, SafeString]:
    """Whatever the parts show comes from these three, so what is kept here is never out of date. The rules are one object for
    each rule set and size of table. `told` is JSON, in which 1 and true are two things."""
    here = json.loads(told)
    form = GameForm(rules=rules, people=(), used=Counter(here["used"]), initial=here["begins"], auto_id=False)
    return _draw(form, {}, here["opened"])


def _draw(form: GameForm, refused: Mapping[str, Sentence], opened: Mapping[str, bool]) -> Mapping[str, SafeString]:
    context = {"form": form, "refused": refused, **opened}
    return {part: render_to_string(f"scoring/table/_{part}.html", context) for part in PARTS}
