"""Somebody has the rules of their round on paper and types them into the form on a phone, setting by setting, over
"Turnier": the worked games then come out as under the preset of that document."""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect
from pytest_django.live_server_helper import LiveServer

from scoring.models import RuleSet
from scoring.rules.score_lines import LineScorer
from scoring.rules.settings import get_preset_data
from scoring.rulesets.forms.settings import SettingsForm
from tests.factories import make_club, make_rule_set, make_user
from tests.phones import another_page, log_in

STATES = "controls => controls.map(({ type, value, checked }) => [type, value, checked])"
MIXED = Path(__file__).parents[2] / "fixtures" / "cases" / "mixed.jsonl"


@pytest.mark.soak
@pytest.mark.parametrize("document", ["anleitung", "vln", "klassisch"])
def test_a_document_is_typed_on_a_phone(page: Page, live_server: LiveServer, document: str) -> None:
    club = make_club(slug="karo")
    rules = make_rule_set(club, "ddv", "Unsere Regeln")
    log_in(page.context, live_server.url, make_user("anna", club, ["admin"]))
    wanted = get_preset_data(document)
    for people in ("", *wanted["at"]):
        page.goto(f"{live_server.url}/c/karo/rules/{rules.pk}/edit/?people={people}")
        type_in(page, SettingsForm(settings={**wanted, **wanted["at"].get(people, {})}))
        with another_page(page):
            page.get_by_role("button", name="Regelwerk speichern").tap()
        expect(page.get_by_role("alert")).to_have_count(0)
    typed = RuleSet.objects.get(pk=rules.pk).settings
    cases = [case for case in map(json.loads, MIXED.read_text().splitlines()) if case.get("rules") == document]
    assert len(cases) > 50
    for case in cases:
        answer, expected = scored({**case, "rules": typed}), case["expect"]
        assert answer == scored(case)
        assert "error" in expected or answer["points"] == expected["points"]


def scored(case: dict[str, Any]) -> dict[str, Any]:
    line = json.dumps({key: value for key, value in case.items() if key != "expect"})
    (answer,) = map(json.loads, LineScorer().answers([line]))
    return dict(answer)


def type_in(page: Page, wanted: SettingsForm) -> None:
    """Every control that says something else than `wanted` is opened and changed, as a thumb would; what the choices made so
    far leave no room for does not show."""
    holds: dict[str, list[str]] = defaultdict(list)
    for name, text in page.evaluate("() => [...new FormData(document.getElementById('settings'))]"):
        holds[name].append(text)
    for field in wanted:
        texts = chosen(field.value())
        if sorted(holds[field.name]) != sorted(texts):
            change(page.locator(f'#settings [name="{field.name}"]'), texts)


def chosen(value: Any) -> list[str]:
    """What a browser sends of a control that holds this."""
    values = value if isinstance(value, list) else [value]
    return ["on" if one is True else "" if one is None else str(one) for one in values if one is not False]


def change(controls: Locator, texts: list[str]) -> None:
    for control, (kind, value, is_on) in zip(controls.all(), controls.evaluate_all(STATES), strict=True):
        if kind in ("radio", "checkbox"):
            # Another pill goes out by itself.
            if is_on != (value in texts) and (kind == "checkbox" or not is_on) and shows(control):
                control.set_checked(value in texts)
        elif not shows(control):
            continue
        elif kind.startswith("select"):
            control.select_option(texts)
        else:
            control.fill(*texts)


def shows(control: Locator) -> bool:
    """Whether it can be seen, after a tap on each fold around it that is closed."""
    for fold in control.locator("xpath=ancestor::details[not(@open)]").all():
        if fold.is_visible():
            fold.locator("> summary").tap()
    return control.is_visible()
