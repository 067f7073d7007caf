"""`manage.py recipes`: print the collection of house rules with the settings of each, in German, for docs/recipes.md."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from django.core.management.base import BaseCommand, no_translations
from django.utils.translation import gettext as _

from scoring.rulesets.texts.collection import COLLECTION, search_recipes

INTRODUCTION = """# Hausregeln

So spielen Runden wirklich: zu jeder Regel die Einstellungen, mit denen sie geht, oder der Grund, warum sie sich nicht einstellen
lässt. Im Club steht dieselbe Sammlung unter den Regelwerken, dort auch zum Suchen.

Die Zeilen in geschweiften Klammern sind für den Befehl `score` ([commands.md](commands.md), englisch) und gelten über dem
Regelwerk, das bei `base` steht. `tests/rulesets/test_recipes.py` rechnet jedes Beispiel nach. Diese Seite druckt
`manage.py recipes`; geändert wird `rulesets/recipes.json` oder `rulesets/texts/recipes.py`."""


class Command(BaseCommand):
    requires_system_checks: list[str] = []
    help = _("Druckt die Sammlung der Hausregeln mit ihren Einstellungen.")

    @no_translations
    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write("\n".join(_page()))


def _page() -> Iterator[str]:
    rules_of = {rule["number"]: [way["rules"] for way in rule["ways"]] for rule in COLLECTION}
    yield INTRODUCTION
    for title, found in search_recipes(""):
        yield f"\n## {title}"
        for recipe in found:
            yield "\n### {number}. {title}\n\nGespielt {common}. {why_not}".format(**recipe).rstrip()
            for way, rules in zip(recipe["ways"], rules_of[recipe["number"]], strict=True):
                yield f"\n{way['how']}\n\n    {json.dumps(rules, ensure_ascii=False)}\n"
                yield from (f"- {game}" for game in way["games"])
