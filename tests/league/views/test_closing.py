"""A month is closed after a preview; its files, and what becomes of a correction later."""

from __future__ import annotations

import datetime
import json
import re

import pytest
from django.utils import timezone

from scoring.club.actions import Actor
from scoring.evenings.actions import close_evening
from scoring.league.queries.books import hash_of
from scoring.models import MonthClosing, Season, Supplement
from tests.factories import Cast, add_game, make_table
from tests.league.views.march import MARCH, one_more_game, page, seen_by, text
from tests.months import close, make_season, seen

pytestmark = pytest.mark.django_db


@pytest.fixture
def season(cast: Cast) -> Season:
    """One closed evening in March, of the cast's table."""
    close_evening(evening=cast.table.evening, actor=Actor(cast.scorer))
    return make_season(cast.club)


# --- Closing ----------------------------------------------------------------------------------------------------------


def test_a_month_is_closed_after_a_preview(cast: Cast, season: Season) -> None:
    client = seen_by(cast.admin)
    preview = client.get(page(season, f"{MARCH}/close/")).content.decode()
    (token,) = re.findall(r'name="seen" value="([0-9a-f]{64})"', preview)
    done = client.post(page(season, f"{MARCH}/close/"), {"seen": token, "confirmed": "on"})
    assert (done.status_code, done["Location"]) == (302, page(season))
    closing = MonthClosing.objects.get()
    said = text(seen_by(cast.reader).get(page(season)))
    assert re.search(r"Abgeschlossen am .* von anna ", said)
    assert closing.content_sha256 in said
    assert closing.file_sha256 in said
    assert "Vorläufig" not in said
    assert "Monat abgeschlossen März 2026, Saison Fassung: 1" in text(client.get("/c/karo/history/"))


def test_what_changed_since_the_preview_is_shown_again(cast: Cast, season: Season) -> None:
    client, token = seen_by(cast.admin), seen(season, MARCH)
    one_more_game(cast)
    answer = client.post(page(season, f"{MARCH}/close/"), {"seen": token, "confirmed": "on"})
    assert answer.status_code == 409
    assert "Bitte noch einmal ansehen, was veröffentlicht würde." in text(answer)
    assert seen(season, MARCH) in answer.content.decode(), "once more is enough"
    assert not MonthClosing.objects.exists()


def test_an_open_evening_is_named_and_confirmed(cast: Cast) -> None:
    season, client = make_season(cast.club), seen_by(cast.admin)
    assert "Der Abend vom 6. März 2026 läuft noch." in text(client.get(page(season, f"{MARCH}/close/")))
    refused = client.post(page(season, f"{MARCH}/close/"), {"seen": seen(season, MARCH)})
    assert refused.status_code == 422
    assert "Bitte ankreuzen" in text(refused)
    for running in (True, False):
        month = client.get(page(season))
        assert ("Noch läuft ein Abend." in text(month), b'class="btn wide btn-primary"' in month.content) == (
            running,
            not running,
        )
        type(cast.table.evening).objects.update(closed_at=timezone.now())


def test_an_earlier_month_comes_first(cast: Cast, season: Season) -> None:
    add_game(make_table(cast.club, held_on=datetime.date(2026, 4, 3)))
    said = text(seen_by(cast.admin).get(page(season, "2026-04/close/")))
    assert "Erst März 2026 abschließen" in said
    answer = seen_by(cast.admin).post(page(season, "2026-04/close/"), {"seen": seen(season, "2026-04"), "confirmed": 1})
    assert answer.status_code == 409


def test_files_of_a_closed_month_are_those_that_were_published(cast: Cast, season: Season) -> None:
    closing = close(season, MARCH, cast.admin)
    one_more_game(cast)
    client = seen_by(cast.reader)
    for end in (f"{MARCH}/excel/", f"{MARCH}/1/excel/"):
        answer = client.get(page(season, end))
        assert hash_of(answer.content) == closing.file_sha256
    assert 'filename="liga-karo-eins-2026-03-1.xlsx"' in answer["Content-Disposition"]
    data = client.get(page(season, f"{MARCH}/1/data/"))
    assert (data["Content-Type"], hash_of(data.content)) == ("application/json", closing.content_sha256)
    assert json.loads(data.content)["rows"][0]["name"] == "Ärmel"


# --- After the closing ------------------------------------------------------------------------------------------------


def test_the_preview_says_what_a_closed_month_would_be_now(cast: Cast, season: Season) -> None:
    close(season, MARCH, cast.admin)
    assert "seither ist nichts anders" in text(seen_by(cast.admin).get(page(season, f"{MARCH}/close/")))
    one_more_game(cast)
    said = text(seen_by(cast.admin).get(page(season, f"{MARCH}/close/")))
    assert "Ärmel : vorher: Platz 1, 1 → jetzt: Platz 1, 4 06.03.2026: 1 → 4" in said
    assert "Was dazu geführt hat" in said
    assert "Spiel eingetragen · Tisch 1 am 06.03.2026" in said


def test_a_supplement_with_its_reason_stands_in_the_open_month(cast: Cast, season: Season) -> None:
    close(season, MARCH, cast.admin)
    one_more_game(cast)
    client, address = seen_by(cast.admin), page(season, f"{MARCH}/supplement/")
    empty = client.post(address, {"seen": seen(season, MARCH), "reason": " "})
    assert (empty.status_code, Supplement.objects.count()) == (422, 0)
    stale = client.post(address, {"seen": "x", "reason": "Ein Spiel fehlte"})
    assert (stale.status_code, Supplement.objects.count()) == (409, 0)
    assert 'value="Ein Spiel fehlte"' in stale.content.decode(), "what was typed is kept"
    done = client.post(address, {"seen": seen(season, MARCH), "reason": "Ein Spiel fehlte"})
    assert (done.status_code, done["Location"]) == (302, page(season, "2026-04/"))
    said = text(seen_by(cast.reader).get(page(season, "2026-04/")))
    assert "Nachtrag zu März 2026: Ein Spiel fehlte" in said
    assert "Nachtrag zu Mär 26 Abende Spiele" in said, "the head of its column"
    assert "– Ärmel 3 3 0 0" in said
    assert "Ohne Platz: in diesem Monat nicht dabei." in said
    assert "Was dazu geführt hat" in said
    told = text(client.get("/c/karo/history/"))
    assert "Nachtrag zu einem Monat März 2026, Saison Zählt im: April 2026 Grund: Ein Spiel fehlte" in told


def test_or_it_is_published_again_with_the_differences_on_the_page(cast: Cast, season: Season) -> None:
    close(season, MARCH, cast.admin)
    first = seen_by(cast.reader).get(page(season, f"{MARCH}/1/"))
    one_more_game(cast)
    client = seen_by(cast.admin)
    client.post(page(season, f"{MARCH}/close/"), {"seen": seen(season, MARCH), "confirmed": "on"})
    said = text(seen_by(cast.reader).get(page(season)))
    assert "von anna Fassung 2 " in said
    assert "Was Fassung 2 anders sagt Ärmel : vorher: Platz 1, 1 → jetzt: Platz 1, 4" in said
    again = text(seen_by(cast.reader).get(page(season, f"{MARCH}/1/")))
    assert "Das ist nicht die letzte Fassung." in again
    table = re.compile(rb"<table.*?</table>", re.DOTALL)
    assert table.findall(seen_by(cast.reader).get(page(season, f"{MARCH}/1/")).content) == table.findall(first.content)
    assert "Monat abgeschlossen März 2026, Saison Fassung: 2" in text(client.get("/c/karo/history/"))


def test_differences_tell_0_from_not_there(cast: Cast) -> None:
    add_game(cast.table, form="penalty", points=[-1, 0, 0, 1], reason="Fehlbedienung")
    season = make_season(cast.club)
    close(season, MARCH, cast.admin)
    add_game(cast.table, eyes=200)
    add_game(make_table(cast.club, list(cast.table.evening.club.players.all()[:4]), held_on=datetime.date(2026, 3, 13)))
    said = text(seen_by(cast.admin).get(page(season, f"{MARCH}/close/")))
    assert "Ärmel : vorher: Platz 2, 0 → jetzt: Platz 2, 4 06.03.2026: 0 → 3 13.03.2026: – → 1" in said
    assert "06.03.2026: −1 → −4 13.03.2026: – → −1" in said
    assert "· −4 Punkte ·" in said


# --- News where people look -------------------------------------------------------------------------------------------


def test_what_was_corrected_after_a_closing_stands_wherever_somebody_looks(cast: Cast, season: Season) -> None:
    """Until it is decided: for everybody on the start page, the season's and every later month's, and for whoever corrected
    at once. What can be done about it is shown to an admin."""
    close(season, MARCH, cast.admin)
    told, admin = (
        "März 2026 ist abgeschlossen, und seither hat sich an seinen Spielen etwas geändert.",
        seen_by(cast.admin),
    )
    pages = ("/c/karo/", page(season, ""), page(season), page(season, "2026-04/"), page(season, "2026-05/close/"))
    assert [told in text(admin.get(one)) for one in pages] == [False] * 5
    one_more_game(cast)
    assert told in text(admin.get("/c/karo/")), "also while the evening is open once more"
    close_evening(evening=cast.table.evening, actor=Actor(cast.scorer))
    assert [told in text(admin.get(one)) for one in pages] == [True] * 5
    assert told not in text(admin.get(page(season, "2026-02/"))), "nothing about months to come"
    for one in pages[:4]:
        read = text(seen_by(cast.reader).get(one))
        assert told in read and "Das entscheidet ein Verwalter." in read and "Ansehen und entscheiden" not in read
    assert told not in text(admin.get(page(season, f"{MARCH}/1/"))), "a version is as it was published"
    at_table = text(seen_by(cast.reader).get(f"/c/karo/tables/{cast.table.pk}/"))
    assert told in at_table and "Das entscheidet ein Verwalter." in at_table
    close(season, MARCH, cast.admin)
    assert [told in text(admin.get(one)) for one in pages] == [False] * 5
    assert told not in text(seen_by(cast.reader).get(f"/c/karo/tables/{cast.table.pk}/"))


def test_a_month_is_not_closed_past_an_undecided_one_by_chance(cast: Cast, season: Season) -> None:
    close(season, MARCH, cast.admin)
    april = make_table(cast.club, held_on=datetime.date(2026, 4, 3))
    add_game(april, re=[0, 1])
    close_evening(evening=april.evening, actor=Actor(cast.scorer))
    one_more_game(cast)
    type(cast.table.evening).objects.update(closed_at=timezone.now())
    client, address = seen_by(cast.admin), page(season, "2026-04/close/")
    assert "Über die Änderungen in März 2026 ist noch nicht entschieden." in text(client.get(address))
    for one in ("", "2026-04/"):
        filled = client.get(page(season, one)).content.count(b'<a class="btn btn-primary"')
        assert filled == 1, "first to decide, then to close"
    refused = client.post(address, {"seen": seen(season, "2026-04")})
    assert (refused.status_code, season.monthclosings.filter(month="2026-04").count()) == (422, 0)
    assert client.post(address, {"seen": seen(season, "2026-04"), "confirmed": "on"}).status_code == 302


def test_a_month_that_is_over_is_said_to_be_due(cast: Cast, season: Season) -> None:
    type(cast.table.evening).objects.update(closed_at=timezone.now())
    for one in ("/c/karo/", page(season, "")):
        said = text(seen_by(cast.admin).get(one))
        assert "März 2026 ist vorbei, aber noch nicht abgeschlossen." in said
        assert "Abschließen ›" in said or "Ansehen und abschließen" in said
        read = text(seen_by(cast.reader).get(one))
        assert "vorbei, aber noch nicht" in read and "Abschließen ›" not in read and "Ansehen und" not in read
    assert "Verwalter" not in text(seen_by(cast.reader).get("/c/karo/")), "one line is enough where nothing can be done"
    later = page(season, "2026-05/")
    assert "März 2026 ist vorbei, aber noch nicht abgeschlossen." in text(seen_by(cast.reader).get(later)), (
        "past it as well"
    )
    assert "vorbei, aber noch nicht" not in text(seen_by(cast.admin).get(page(season))), (
        "the month itself has its button"
    )
    beside = make_season(cast.club, "Cent", datetime.date(2026, 1, 1), datetime.date(2026, 12, 31), "cents")
    named = "März 2026 (Saison) ist vorbei, aber noch nicht abgeschlossen."
    for end in ("2026-05/", "2026-05/close/", ""):
        assert named in text(seen_by(cast.admin).get(page(beside, end))), "of another league it is named"
    close(season, MARCH, cast.admin)
    for one in ("/c/karo/", later, page(beside, "")):
        assert "vorbei, aber noch nicht" not in text(seen_by(cast.admin).get(one))


def test_the_page_of_a_season_says_every_month_that_is_over_and_leads_to_the_first(cast: Cast, season: Season) -> None:
    april = make_table(cast.club, held_on=datetime.date(2026, 4, 3))
    add_game(april, re=[0, 1])
    close_evening(evening=april.evening, actor=Actor(cast.scorer))
    admin = seen_by(cast.admin)
    for months in (["März 2026", "April 2026"], ["April 2026"], []):
        shown = admin.get(page(season, ""))
        due = r"(?:\w+ 2026(?= ist vorbei, aber noch nicht abgeschlossen\.)|(?<=Ebenso: )\w+ 2026)"
        assert re.findall(due, text(shown)) == months
        first = [{"März": MARCH, "April": "2026-04"}[months[0].split()[0]]] if months else []
        assert re.findall(r'/seasons/\d+/([\d-]+)/close/"', shown.content.decode()) == first
        if first:
            close(season, first[0], cast.admin)
