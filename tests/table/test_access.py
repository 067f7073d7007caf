"""Test who may do what at a table: scorers on an open evening, admins on a closed one, a link for games only, readers nothing."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import AnonymousUser
from django.test import Client
from django.urls import reverse

from scoring.club.access import Access
from scoring.club.actions import Actor
from scoring.evenings.actions import close_evening
from scoring.models import Table
from scoring.table.actions.tables import renew_link
from tests.client import visit
from tests.factories import Cast, make_rule_set
from tests.table.views.asking import get_form_data, get_game_url, get_table_url, opened

pytestmark = pytest.mark.django_db

# What a page offers, by the name of its link or button.
ENTER, ADD_LATE, CORRECT, ORDER = "enter", "add late", "correct", "order"
OTHER_RULES, CARRY, LINK, ANOTHER, CLOSE, REOPEN = (
    "table_rules", "table_carry", "table_link", "table_new", "evening_close", "evening_reopen",
)  # fmt: skip
OF_THE_LINES = {ENTER, CORRECT, ORDER, OTHER_RULES, CARRY}
WHILE_OPEN = OF_THE_LINES | {LINK, ANOTHER, CLOSE}


@pytest.fixture
def table(cast: Cast) -> Table:
    """Return a table whose rules let open Bock games be carried on."""
    Table.objects.filter(pk=cast.table.pk).update(rule_set=make_rule_set(cast.club, "anleitung", "Wir", bock={"carry": True}))
    return Table.objects.select_related("evening__club").get(pk=cast.table.pk)


def offered(phone: Client, cast: Cast) -> set[str]:
    """Return what the pages of the table and of its game link to. A page without an answer links to nothing."""
    table, page, game = cast.table, phone.get(get_table_url(cast.table)), phone.get(get_game_url(cast.game))
    of_table, of_game = page.content.decode(), game.content.decode() if game.status_code == 200 else ""
    found = {ENTER} if "Eintragen und weiter" in of_table else {ADD_LATE} if "Ja, nachtragen" in of_table else set()
    found |= {CORRECT} if "Zeigen, was sich ändert" in of_game else set()
    found |= {ORDER} if get_game_url(cast.game, "game_insert") in of_game else set()
    addresses = {name: reverse(name, args=["karo", table.pk]) for name in (OTHER_RULES, CARRY, LINK)}
    addresses |= {name: reverse(name, args=["karo", table.evening_id]) for name in (ANOTHER, CLOSE, REOPEN)}
    return found | {name for name, address in addresses.items() if f'"{address}"' in of_table}


def answered(phone: Client, table: Table) -> set[str]:
    """Return the pages that change a whole table and open by their address."""
    pages = {name: reverse(name, args=["karo", table.pk]) for name in (OTHER_RULES, CARRY)}
    return {name for name, address in pages.items() if phone.get(address).status_code == 200}


@pytest.mark.parametrize(
    ("who", "while_open", "once_closed"),
    [
        ("reader", set(), set()),
        ("treasurer", set(), set()),
        ("scorer", WHILE_OPEN, set()),
        ("admin", WHILE_OPEN, OF_THE_LINES - {ENTER} | {ADD_LATE, REOPEN}),
    ],
)
def test_scorers_change_an_open_evening_and_admins_a_closed_one(
    cast: Cast, table: Table, who: str, while_open: set[str], once_closed: set[str]
) -> None:
    phone = visit(getattr(cast, who))
    assert offered(phone, cast) == while_open
    assert answered(phone, table) == while_open & {OTHER_RULES, CARRY}
    close_evening(evening=table.evening, actor=Actor(cast.scorer))
    assert offered(phone, cast) == once_closed
    assert answered(phone, table) == once_closed & {OTHER_RULES, CARRY}


def test_a_link_enters_and_corrects_until_the_evening_is_closed(cast: Cast, table: Table) -> None:
    phone = opened(renew_link(table=table, actor=Actor(cast.scorer)))
    assert offered(phone, cast) == {ENTER, CORRECT}
    by_link = Access(cast.club, AnonymousUser(), member=False, by_link=True)
    assert by_link.may_enter(table.evening) and not by_link.may_change(table.evening)
    close_evening(evening=table.evening, actor=Actor(cast.scorer))
    assert offered(phone, cast) == set()
    table.evening.refresh_from_db()
    assert not by_link.may_enter(table.evening), "the session still has the link"


def test_a_closed_evening_opens_as_its_result_and_shows_the_form_only_on_request(cast: Cast, table: Table) -> None:
    evening, result_page = (reverse(name, args=["karo", table.evening_id]) for name in ("evening", "result"))
    phones = {who: visit(getattr(cast, who)) for who in ("reader", "scorer", "admin")}
    assert all(phone.get(evening)["Location"] == get_table_url(table) for phone in phones.values())
    close_evening(evening=table.evening, actor=Actor(cast.scorer))
    for who, phone in phones.items():
        assert phone.get(evening)["Location"] == result_page
        result = phone.get(evening, follow=True).content.decode()
        assert f'href="{get_table_url(table)}"' in result and "Zum Zettel" in result
        assert "Eintragen und weiter" not in phone.get(get_table_url(table)).content.decode()
        asked = phone.get(get_table_url(table) + "?form=next").content.decode()
        assert ('id="save"' in asked) == (who == "admin")
        assert "Eintragen und weiter" not in asked, "the button says that it is added afterwards"
        status = phone.post(reverse("evening_discard", args=["karo", table.evening_id])).status_code
        assert status == (302 if who == "admin" else 403)
    assert Table.objects.filter(pk=table.pk).exists(), "games were played"


def test_a_closed_evening_offers_to_undo_only_what_was_added_since(cast: Cast, table: Table) -> None:
    phone, asked = visit(cast.admin), get_table_url(table) + "?form=next"
    assert phone.get(get_table_url(table)).context["undo"]
    close_evening(evening=table.evening, actor=Actor(cast.scorer))
    page = phone.get(asked)
    assert "undo" not in page.context
    sent = get_form_data(page) | {"re": ["0", "1"], "eyes": ["130"]}
    assert phone.post(reverse("games", args=["karo", table.pk]), sent).status_code == 302
    assert phone.get(asked).context["undo"]
