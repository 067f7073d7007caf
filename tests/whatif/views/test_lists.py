"""The page of a question of What if that takes longer than a page may: how far it has come, found again, and outdated."""

from __future__ import annotations

import datetime

import pytest
from django.test import Client
from django.urls import reverse

from scoring.models import WhatIfRun
from scoring.whatif.actions import runs
from scoring.whatif.views import lists
from tests.factories import Cast, add_game, make_table
from tests.pages import flat

pytestmark = pytest.mark.django_db

WHERE = reverse("whatif", args=["karo"])


@pytest.fixture
def phone(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> Client:
    """A reader of a club with two tables, of which one is valued at once."""
    add_game(make_table(cast.club, held_on=datetime.date(2026, 3, 7)))
    for module in (runs, lists):
        monkeypatch.setattr(module, "AT_ONCE", 1)
    phone = Client()
    phone.force_login(cast.reader)
    return phone


def asked(cast: Cast) -> str:
    return f"{WHERE}?all=on&rules={cast.table.rule_set_id}&unit=points"


def go_on(phone: Client, cast: Cast) -> str:
    """The next table, and the page after it."""
    return flat(phone.post(asked(cast), follow=True))


def test_it_says_how_far_it_has_come_and_then_the_answer(phone: Client, cast: Cast) -> None:
    begun = phone.get(asked(cast))
    assert "0 von 2 Tischen gewertet." in flat(begun)
    assert b'mb-2" open' not in begun.content, "how far it has come is in sight"
    assert not WhatIfRun.objects.exists()
    assert "1 von 2 Tischen gewertet." in go_on(phone, cast)
    page = go_on(phone, cast)
    assert "2 Spiele gewertet." in page
    assert "Tischen gewertet" not in page


def test_it_is_found_again(phone: Client, cast: Cast) -> None:
    go_on(phone, cast)
    assert "noch nicht fertig" in flat(phone.get(WHERE))
    answer = go_on(phone, cast)
    kept = flat(phone.get(WHERE))
    run = WhatIfRun.objects.get()
    assert f'href="?{run.query.replace("&", "&amp;")}"' in phone.get(WHERE).content.decode()
    assert "ddv · alle Regelwerke · alle Jahre" in kept
    assert "noch nicht fertig" not in kept
    assert flat(phone.get(f"{WHERE}?{run.query}")) == answer


def test_what_happened_since_outdates_it(phone: Client, cast: Cast) -> None:
    go_on(phone, cast)
    go_on(phone, cast)
    add_game(cast.table)
    assert "seither hat sich im Club etwas geändert" in flat(phone.get(WHERE))
    page = flat(phone.get(asked(cast)))
    assert "gilt nicht mehr: Seither hat sich im Club etwas geändert." in page
    assert "0 von 2 Tischen gewertet." in page
    assert "Spiele gewertet" not in page
    go_on(phone, cast)
    assert "3 Spiele gewertet." in go_on(phone, cast)


def test_what_cannot_be_asked_is_not_gone_on_with(phone: Client, cast: Cast) -> None:
    other = cast.other_club.rule_sets.first()
    for query in ("", "rules=0", f"rules={other.pk if other else 'x'}", f"rules={cast.table.rule_set_id}&since=nie"):
        assert phone.post(f"{WHERE}?{query}").status_code == 302
    assert not WhatIfRun.objects.exists()
