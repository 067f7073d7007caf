"""`manage.py recipes`: prints the collection of house rules with the settings of each, in German, as docs/recipes.md has it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from django.core.management.base import BaseCommand, no_translations
from django.utils.translation import gettext as _

from scoring.rulesets.words.examples import COLLECTION, recipes

INTRODUCTION = """# House rules

The rules of real rounds, each with the settings that make it, or with the reason why it cannot be set. A club finds the
same list under its rule sets, where it can be searched. It is German, like the names of the rules. The settings are
written as `score` takes them ([commands.md](commands.md)), over the preset named as `base`; example games show what they
count, and `tests/rulesets/test_recipes.py` holds every one of them against the rules. This page is what
`manage.py recipes` prints: change `rulesets/recipes.json` or `rulesets/words/recipes.py` and write it anew."""


class Command(BaseCommand):
    requires_system_checks: list[str] = []

    @property
    def help(self) -> str:  # type: ignore[override]  # Django asks it of the command alone
        """What it does, in the language of the moment: a lazy text is none to argparse."""
        return _("Druckt die Sammlung der Hausregeln mit ihren Einstellungen.")

    @no_translations
    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write("\n".join(_page()))


def _page() -> Iterator[str]:
    rules_of = {rule["number"]: [way["rules"] for way in rule["ways"]] for rule in COLLECTION}
    yield INTRODUCTION
    for title, found in recipes(""):
        yield f"\n## {title}"
        for recipe in found:
            yield f"\n### {recipe.number}. {recipe.title}\n\nGespielt {recipe.common}. {recipe.why_not}".rstrip()
            for way, rules in zip(recipe.ways, rules_of[recipe.number], strict=True):
                yield f"\n{way.how}\n\n    {json.dumps(rules, ensure_ascii=False)}\n"
                yield from (f"- {game}" for game in way.games)
