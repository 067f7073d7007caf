"""What the history says of rules that were changed before anybody had played by them."""

from __future__ import annotations

from typing import Any

import pytest

from scoring.club.words.changes import may_be_told
from scoring.models import Change, Verb
from scoring.rules.settings import get_preset_data
from scoring.rulesets.queries import LOOK_UPS
from scoring.rulesets.texts.rule_sets import CHANGES

SETTINGS = {"settings": get_preset_data("ddv")}


def changed(before: dict[str, Any] | None, after: dict[str, Any] | None) -> Change:
    return Change(verb=Verb.RULES_CHANGED, subject_id="1", before=before, after=after)


def test_rules_that_were_changed_themselves_can_be_told() -> None:
    assert may_be_told(changed({"settings": get_preset_data("vln")}, SETTINGS), CHANGES, LOOK_UPS)


@pytest.mark.parametrize("side", [{"settings": None}, {"settings": {"won": -1}}, {"settings": [[]]}], ids=str)
def test_an_archive_cannot_say_that_they_were_no_rules(side: dict[str, Any]) -> None:
    assert not may_be_told(changed(side, SETTINGS), CHANGES, LOOK_UPS)
    assert not may_be_told(changed(SETTINGS, side), CHANGES, LOOK_UPS)


@pytest.mark.parametrize("side", [None, {}], ids=str)
def test_an_archive_cannot_leave_out_what_became_of_them(side: dict[str, Any] | None) -> None:
    assert not may_be_told(changed(SETTINGS, side), CHANGES, LOOK_UPS)
