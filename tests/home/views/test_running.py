"""What the start page says of the evening that runs: its day with the year where that is another one, and for how long nobody has
closed it."""

from __future__ import annotations

import datetime
import re

import pytest

from scoring.club.actions import Actor
from scoring.evenings.actions import close_evening
from scoring.models import Evening
from tests import today
from tests.factories import Cast, make_table
from tests.pages import flat
from tests.table.views.asking import seen_by

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("held_on", "says"),
    [
        ("2026-03-06", "Läuft gerade Freitag, 6. März Spiel"),
        ("2026-03-05", "Läuft gerade Donnerstag, 5. März Spiel"),
        ("2026-03-04", "Läuft seit 2 Tagen Mittwoch, 4. März Spiel"),
        ("2025-12-31", "Läuft seit 65 Tagen Mittwoch, 31. Dezember 2025 Spiel"),
    ],
)
def test_the_year_stands_where_it_is_another_one_and_how_long_it_runs_after_two_days(
    cast: Cast, monkeypatch: pytest.MonkeyPatch, held_on: str, says: str
) -> None:
    today.begin(monkeypatch, "2026-03-06")
    Evening.objects.filter(club=cast.other_club).update(held_on=held_on)
    page = flat(seen_by(cast.stranger).get(f"/c/{cast.other_club.slug}/"))
    (hero,) = re.findall(r'<section class="hero".*?Spiel', page)
    assert " ".join(re.sub(r"<[^>]+>", " ", hero).split()) == says


def test_what_runs_stands_above_and_not_among_the_last_evenings_too(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    today.begin(monkeypatch, "2026-03-06")
    closed = make_table(cast.other_club, held_on=datetime.date(2026, 2, 20)).evening
    make_table(cast.other_club, held_on=datetime.date(2025, 12, 31))
    close_evening(evening=closed, actor=Actor())
    page = flat(seen_by(cast.stranger).get(f"/c/{cast.other_club.slug}/"))
    days = re.findall(r"<strong>(\w\w, [^<]*)</strong>", page.partition("Letzte Abende")[2])
    assert days == ["Fr, 20. Februar", "Mi, 31. Dezember 2025"]
