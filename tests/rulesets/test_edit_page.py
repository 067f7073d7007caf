"""The page on which a rule set is edited: how it helps while something is typed."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client

from scoring.models import RuleSet
from scoring.rules.codes import SPECIALS
from tests.factories import Cast
from tests.typed import typed

pytestmark = pytest.mark.django_db

RULES = "/c/karo/rules/"


@pytest.fixture
def admin(client: Client, cast: Cast) -> Client:
    client.force_login(cast.admin)
    return client


def edit_page(client: Client, rule_set: RuleSet) -> str:
    return client.get(f"{RULES}{rule_set.pk}/edit/").content.decode()


def posted(client: Client, rule_set: RuleSet, **instead: Any) -> str:
    """The page that comes back when the form is sent with something else typed."""
    address = f"{RULES}{rule_set.pk}/edit/"
    form = client.get(address).context["form"]
    return client.post(address, dict(typed(form, **instead).lists())).content.decode()


@pytest.mark.parametrize(
    ("asked", "leads_to"),
    [
        ({"add": "special"}, '<fieldset class="special-row" id="added" tabindex="-1">'),
        ({"add": "kind"}, '<summary id="added">Eine eigene Spielart dazunehmen</summary>'),
        ({"add": "row", "row_word": "solo", "row_key": "won"}, '<div class="kind-line" id="added" tabindex="-1">'),
        ({"add": "row", "row_word": "solo"}, "Bitte in beiden Zeilen etwas wählen."),
    ],
)
def test_a_row_more_is_where_the_page_is_then(admin: Client, cast: Cast, asked: dict[str, str], leads_to: str) -> None:
    page = posted(admin, cast.table.rule_set, **asked)
    assert page.count('id="added"') == 1
    assert leads_to in page
    assert page.count(f'formaction="{RULES}{cast.table.rule_set_id}/edit/#added"') == 3


def test_how_several_numbers_are_typed_is_said_where_they_are(admin: Client, cast: Cast) -> None:
    page = edit_page(admin, cast.table.rule_set)
    hints = re.findall(r'<p class="quiet small mb-2" id="(id_specials__[^"]*-points)_helptext">„5, 10“: der erste 5', page)
    assert len(hints) == len(SPECIALS) + 1
    assert all(re.search(rf'<input[^>]* aria-describedby="{hint}_helptext"[^>]* id="{hint}"', page) for hint in hints)


def test_no_sentence_points_somewhere_else_without_saying_where(admin: Client, cast: Cast) -> None:
    address = f"{RULES}{cast.table.rule_set_id}/edit/"
    pages = [admin.get(page).content.decode() for page in (address, f"{address}?people=6", f"{RULES}recipes/", f"{RULES}questions/")]
    assert not [riddle for page in pages for riddle in re.findall("wie oben gesagt|wie eben|gilt weiter von dort", page)]
    assert "Was hier nicht geändert wird, gilt wie an allen anderen Tischen." in " ".join(pages[1].split())
