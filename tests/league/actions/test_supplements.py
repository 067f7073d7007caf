"""A correction after the closing becomes a supplement in the open month, or another version of the closed one."""

from __future__ import annotations

import datetime
import json
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError

from scoring.club.actions import Actor
from scoring.league.actions import MonthHasSupplement, NoOpenMonth, NothingToPublish, NothingToSupplement
from scoring.league.queries.books import read_books
from scoring.league.queries.months import pending
from scoring.league.queries.seasons import season_table
from scoring.models import Change, Club, MonthClosing, Player, Season, Supplement, Verb
from scoring.play.queries import read_records
from scoring.table.actions.games import Typed
from scoring.table.actions.games import add_game as add_game_action
from tests.factories import add_game, make_table
from tests.league.actions.march import correct, first_game, points
from tests.months import close, make_season, shown, supplement

pytestmark = pytest.mark.django_db

MARCH, APRIL = "2026-03", "2026-04"


def test_a_correction_becomes_a_supplement_in_the_open_month(season: Season, club: Club, admin: User) -> None:
    close(season, MARCH)
    add_game(make_table(club, held_on=datetime.date(2026, 4, 3)))
    march, april = shown(season, MARCH), points(shown(season, APRIL))
    correct(first_game(season), eyes=200)
    # Re with 200 eyes wins keine 90 and keine 60 as well: 3 points instead of 1.
    expected = {"Ärmel": 200, "Bodo": 200, "Çelik": -200, "Özlem": -200}
    now, differences = pending(read_books(season), MARCH)
    assert {line["name"]: line["difference"] for line in differences} == expected

    told_later = supplement(season, MARCH, admin, "Ergebnis falsch abgelesen")
    assert (told_later.about, told_later.month) == (MARCH, APRIL)
    assert shown(season, MARCH) == march
    content = shown(season, APRIL)
    assert points(content) == {name: april[name] + expected[name] for name in april}
    assert content["supplements"][0] | {"changes": 0} == {
        "about": MARCH, "reason": "Ergebnis falsch abgelesen", "changes": 0,
    }  # fmt: skip
    assert content["supplements"][0]["changes"], "the change that led to it is named"
    assert pending(read_books(season), MARCH)[1] == []
    assert Change.objects.latest("pk").verb == Verb.MONTH_SUPPLEMENTED

    # The season has the sum as if it had been right from the start.
    table = season_table(read_books(season))
    assert {table.names[row.player]: row.total for row in table.rows} == {
        name: points(now)[name] + april[name] for name in april
    }
    with pytest.raises(MonthHasSupplement):
        correct(first_game(season), eyes=100)
        close(season, MARCH)
    again = supplement(season, MARCH)
    # With 100 eyes Re loses 2, gegen die Alten among them, where it had won 3.
    assert {line["difference"] for line in json.loads(again.content)["differences"]} == {-500, 500}


def test_a_supplement_is_published_with_its_month(season: Season, club: Club) -> None:
    close(season, MARCH)
    correct(first_game(season), eyes=200)
    supplement(season, MARCH)
    april = close(season, APRIL)
    assert len(json.loads(april.content)["rows"]) == 4, "nobody played, four have a supplement"
    assert {row["why"] for row in json.loads(april.content)["rows"]} == {"no_evening"}
    correct(first_game(season), eyes=130)
    assert supplement(season, MARCH).month == "2026-05"


def test_or_the_month_is_published_again(season: Season, admin: User) -> None:
    first = close(season, MARCH)
    correct(first_game(season), eyes=200)
    second = close(season, MARCH, admin)
    new = json.loads(second.content)
    assert (second.version, new["version"]) == (2, 2)
    assert {line["name"]: line["difference"] for line in new["differences"]} == {
        "Ärmel": 200, "Bodo": 200, "Çelik": -200, "Özlem": -200,
    }  # fmt: skip
    bodo = next(line for line in new["differences"] if line["name"] == "Bodo")
    assert bodo["evenings"] == [{"held_on": "2026-03-06", "before": [-1, 2], "after": [1, 2]}]
    assert (bodo["before"], bodo["after"]) == ({"rank": 2, "result": -200}, {"rank": 2, "result": 0})
    assert shown(season, MARCH) == new
    assert MonthClosing.objects.get(version=1).content == first.content
    with pytest.raises(NothingToPublish):
        close(season, MARCH)


def test_the_last_month_of_a_season_has_no_supplement(club: Club) -> None:
    season = make_season(club, last_day=datetime.date(2026, 3, 31))
    table = make_table(club)
    add_game(table)
    close(season, MARCH)
    add_game(table)
    with pytest.raises(NoOpenMonth):
        supplement(season, MARCH)
    assert close(season, MARCH).version == 2


def test_details_that_change_no_result_are_no_supplement(season: Season, club: Club) -> None:
    """Two games more that cancel each other out."""
    close(season, MARCH)
    table = first_game(season).round.table
    for re in ([0, 1], [2, 3]):
        last = read_records(table).last
        typed = Typed("played", {"kind": "normal", "re": re, "eyes": 130}, None)
        add_game_action(table=table, actor=Actor(admin=True), key=uuid4(), after=last.key, typed=typed)
    differences = pending(read_books(season), MARCH)[1]
    assert [line["difference"] for line in differences] == [0, 0, 0, 0]
    with pytest.raises(NothingToSupplement):
        supplement(season, MARCH)
    assert close(season, MARCH).version == 2


def test_a_reason_is_asked_for(season: Season) -> None:
    close(season, MARCH)
    correct(first_game(season), eyes=200)
    for reason in ("", " ", "x" * 201, "a\u202eb"):
        with pytest.raises(ValidationError) as refused:
            supplement(season, MARCH, reason=reason)
        assert "reason" in refused.value.message_dict
    assert not Supplement.objects.exists()


def test_a_guest_who_joins_later_changes_no_closed_month(season: Season) -> None:
    Player.objects.filter(name="Bodo").update(guest=True)
    close(season, MARCH)
    Player.objects.update(guest=False)
    assert pending(read_books(season), MARCH)[1] == []
    assert "Bodo" not in points(shown(season, MARCH))
