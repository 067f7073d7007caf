"""Which section of the help belongs to which address of the site."""

from __future__ import annotations

import pytest
from django.urls import URLPattern

from scoring import urls
from scoring.help import rules
from scoring.help.rules import SECTIONS, section_of
from tests.test_layers import TOPICS

TOPIC_OF = {
    pattern.name: pattern.callback.__module__.split(".")[1]
    for pattern in urls.urlpatterns
    if isinstance(pattern, URLPattern) and pattern.name
}


@pytest.mark.parametrize(
    ("address", "section"),
    [
        ("club", "help"),
        ("members", "people"),
        ("join_links", "people"),
        ("found", "people"),
        ("evening_new", "evening"),
        ("table", "evening"),
        ("seats", "evening"),
        ("game", "correcting"),
        ("game_insert", "correcting"),
        ("history", "correcting"),
        ("evening_close", "closing"),
        ("result", "closing"),
        ("month", "month"),
        ("season_new", "month"),
        ("cash", "kasse"),
        ("evening_cash", "kasse"),
        ("tariff_questions", "kasse"),
        ("standings", "list"),
        ("player", "list"),
        ("imports", "old-list"),
        ("import", "old-list"),
        ("rule_set_questions", "rules"),
        ("table_rules", "rules"),
        ("login", "trouble"),
        ("devices", "trouble"),
        ("privacy", "help"),
    ],
)
def test_a_page_has_the_section_that_explains_it(address: str, section: str) -> None:
    assert section_of(TOPIC_OF[address], address) == section


def test_only_what_is_there_is_named() -> None:
    assert set(rules._OF_TOPIC) <= set(TOPICS)
    assert set(rules._OF_ADDRESS) <= set(TOPIC_OF)
    assert {*rules._OF_TOPIC.values(), *rules._OF_ADDRESS.values()} <= set(SECTIONS)
