"""The pages of What if: the list by other rules, and the page that moves a table to other rules."""

from __future__ import annotations

import datetime
import re

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.html import strip_tags

from scoring.club.actions import Actor
from scoring.evenings.actions import close_evening
from scoring.models import Table
from scoring.whatif import queries
from tests.factories import Cast, add_game, make_rule_set, make_table, own_evening
from tests.html import flat, text

pytestmark = pytest.mark.django_db

WHERE = reverse("whatif", args=["karo"])


def test_all_games_are_valued_in_one_request(client: Client, cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    add_game(make_table(cast.club, held_on=datetime.date(2026, 3, 7)))
    monkeypatch.setattr(queries, "TABLES_AT_ONCE", 1)
    client.force_login(cast.reader)
    question = f"{WHERE}?all=on&rules={cast.table.rule_set_id}&unit=points"
    page = client.get(question)
    assert "2 Spiele gewertet." in flat(page) and b'mb-2" open' not in page.content
    assert client.post(question).status_code == 405
    other = cast.other_club.rule_sets.first()
    for query in ("", "rules=0", f"rules={other.pk if other else 'x'}", f"rules={cast.table.rule_set_id}&since=nie"):
        page = client.get(f"{WHERE}?{query}")
        assert page.status_code == 200 and "gewertet" not in flat(page) and b'mb-2" open' in page.content


RULES = "/c/karo/rules/"


def get_rules_page(table: Table) -> str:
    return f"/c/karo/tables/{table.pk}/rules/"


def test_a_scorer_sees_what_changes_and_then_moves_the_table(client: Client, cast: Cast) -> None:
    client.force_login(cast.scorer)
    other = make_rule_set(cast.club, "ddv", "Dreifach", won=3)
    page = client.get(f"{get_rules_page(cast.table)}?rule_set={other.pk}")
    assert "Spiel 1: bisher 1, jetzt 3" in strip_tags(text(page))
    assert "Ärmel: Summe 1 → 3" in strip_tags(text(page))
    assert "Ein gewonnenes Spiel zählt 3 Punkte." in text(page)
    sent = {"rule_set": other.pk, "seen": page.context["move"]["seen"]}
    response = client.post(get_rules_page(cast.table), sent, follow=True)
    assert "Der Tisch ist jetzt nach „Dreifach“ gewertet." in text(response)
    assert Table.objects.get(pk=cast.table.pk).rule_set == other
    client.force_login(cast.reader)
    history = text(client.get("/c/karo/history/"))
    assert "Tisch nach anderen Regeln gewertet Tisch 1 am 06.03.2026 Dreifach" in " ".join(strip_tags(history).split())


def test_games_that_the_rules_refuse_are_named_and_block(client: Client, cast: Cast) -> None:
    client.force_login(cast.admin)
    add_game(cast.table, re_said="no90", eyes=160)
    other = make_rule_set(cast.club, "klassisch")
    page = client.get(f"{get_rules_page(cast.table)}?rule_set={other.pk}")
    assert "Nach diesen Regeln lassen sich nicht alle Spiele werten." in text(page)
    assert "Spiel 2: " in text(page)
    assert 'name="seen"' not in text(page)
    response = client.post(get_rules_page(cast.table), {"rule_set": other.pk, "seen": page.context["move"]["seen"]})
    assert response.status_code == 422
    assert Table.objects.get(pk=cast.table.pk).rule_set == cast.table.rule_set


def test_refused_games_use_the_names_of_their_own_rules(client: Client, cast: Cast) -> None:
    client.force_login(cast.admin)
    table, other = own_evening(cast.club), make_rule_set(cast.club, "ddv", "Neu", kinds=["normal"])
    add_game(table, re_specials={"gans": 1}, game_specials={"hirsch": 1})
    page = text(client.get(f"{get_rules_page(table)}?rule_set={other.pk}"))
    for name in ("Nullo", "Schieberamsch", "Kleine Armut", "Gans", "Hirsch"):
        assert f"„{name}“" in page
    assert not re.search("„(nullo|schieber|kleine_armut|gans|hirsch)“", page)


def test_a_game_entered_in_between_is_shown_first(client: Client, cast: Cast) -> None:
    client.force_login(cast.scorer)
    other = make_rule_set(cast.club, "vln")
    seen = client.get(f"{get_rules_page(cast.table)}?rule_set={other.pk}").context["move"]["seen"]
    add_game(cast.table)
    response = client.post(get_rules_page(cast.table), {"rule_set": other.pk, "seen": seen})
    assert response.status_code == 409
    assert "Am Tisch hat sich inzwischen etwas geändert." in text(response)


def test_a_scorer_cannot_move_a_table_of_a_closed_evening(client: Client, cast: Cast) -> None:
    other = make_rule_set(cast.club, "vln")
    close_evening(evening=cast.table.evening, actor=Actor(cast.scorer))
    client.force_login(cast.scorer)
    assert "rules/" not in text(client.get(f"/c/karo/tables/{cast.table.pk}/")).partition('id="sheet"')[2]
    for response in (client.get(get_rules_page(cast.table)), client.post(get_rules_page(cast.table), {"rule_set": other.pk})):
        assert response.headers["Location"] == f"/c/karo/tables/{cast.table.pk}/"
    assert Table.objects.get(pk=cast.table.pk).rule_set == cast.table.rule_set


def test_invalid_rules_are_refused(client: Client, cast: Cast) -> None:
    client.force_login(cast.scorer)
    make_rule_set(cast.club, "vln")
    for chosen in ("", "x", "0", "999999", "²", "%00", str(cast.table.rule_set_id), str(cast.other_table.rule_set_id)):
        assert client.post(get_rules_page(cast.table), {"rule_set": chosen, "seen": "0"}).status_code == 422
        assert client.get(get_rules_page(cast.table), {"rule_set": chosen}).status_code == 200
