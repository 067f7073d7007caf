"""The months that wait for a decision, stored in the rows of their seasons."""

from __future__ import annotations

import datetime

import pytest
from pytest_django import DjangoAssertNumQueries

from scoring.club.actions import Actor
from scoring.core.errors import InvalidInput
from scoring.evenings.actions import close_evening, reopen_evening
from scoring.league.actions import collect_month_changes, fill_missing_waits
from scoring.league.queries.books import list_seasons, read_books
from scoring.league.queries.news import (
    compute_waits,
    find_wrong_waits,
    get_league_today,
    list_news_before,
    list_undecided,
)
from scoring.models import Club, Player, Season, Table
from scoring.players.actions import merge_players, unmerge_player
from tests.factories import add_game, make_club, make_player, make_rule_set, make_table
from tests.fake_clock import begin
from tests.months import add_supplement_to, close, correct, make_season

pytestmark = pytest.mark.django_db

DAY = datetime.date
ADMIN = Actor(admin=True)


@pytest.fixture
def club(db: None) -> Club:
    return make_club(slug="karo")


def closed_table(club: Club, day: datetime.date, **kw: object) -> Table:
    table = make_table(club, held_on=day, **kw)
    add_game(table, re=[0, 1])
    close_evening(evening=table.evening, actor=Actor())
    return table


def correct_table(table: Table, eyes: int = 200) -> None:
    """Correct the only game of a table."""
    correct(table.rounds.get().games.select_related("round__table").get(), re=[0, 2], eyes=eyes)


def season_of(club: Club, year: int, **kw: object) -> Season:
    return make_season(club, f"Saison {year}", DAY(year, 1, 1), DAY(year, 12, 31), **kw)


def read_news(club: Club) -> dict[str, tuple[list[str], list[str]]]:
    return {one.season.name: (one.undecided, one.due) for one in get_league_today(club).get("news", ())}


def test_news_of_twenty_years_cost_the_start_page_no_query(
    club: Club, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for year in range(2004, 2024):
        season_of(club, year)
    first, last = (Season.objects.get(name=f"Saison {year}") for year in (2004, 2023))
    old, _open = closed_table(club, DAY(2004, 3, 5)), closed_table(club, DAY(2023, 6, 2))
    assert read_news(club) == {"Saison 2023": ([], ["2023-06"]), "Saison 2004": ([], ["2004-03"])}
    close(first, "2004-03")
    assert read_news(club) == {"Saison 2023": ([], ["2023-06"])}
    correct_table(old)
    assert read_news(club) == {"Saison 2023": ([], ["2023-06"]), "Saison 2004": (["2004-03"], [])}
    # Seasons, and of the one of today results, closings, supplements.
    with django_assert_num_queries(4):
        get_league_today(club)
    close(first, "2004-03")
    close(last, "2023-06")
    assert read_news(club) == {} == {one.name: one for one in find_wrong_waits(club)}


def test_a_month_is_due_from_the_day_after_its_last_one(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    season_of(club, 2024)
    closed_table(club, DAY(2024, 3, 1))
    begin(monkeypatch, "2024-03-31")
    assert read_news(club) == {}
    begin(monkeypatch, "2024-04-01")
    assert read_news(club) == {"Saison 2024": ([], ["2024-03"])}


def test_a_missing_stored_answer_is_read_and_filled_by_the_update(club: Club) -> None:
    season, table = season_of(club, 2019), closed_table(club, DAY(2019, 5, 3))
    season_of(club, 2021)
    close(season, "2019-05")
    correct_table(table)
    Season.objects.update(waits=None)
    assert read_news(club) == {"Saison 2019": (["2019-05"], [])}
    fill_missing_waits()
    assert {one.name: one.waits == compute_waits(read_books(one)) for one in Season.objects.all()} == {
        "Saison 2019": True,
        "Saison 2021": True,
    }
    Season.objects.filter(pk=season.pk).update(waits={"undecided": {}, "open": []})
    assert find_wrong_waits(club) == [season], "a wrong stored answer is found"


def test_a_renamed_player_changes_no_waiting_month(club: Club) -> None:
    season, table = season_of(club, 2024), closed_table(club, DAY(2024, 3, 1))
    close(season, "2024-03")
    correct_table(table)
    # The player is now the last of those with the same rank.
    first = Player.objects.filter(club=club).earliest("name_key")
    Player.objects.filter(pk=first.pk).update(name="Zoe", name_key="zoe")
    assert find_wrong_waits(club) == []


def test_the_user_is_told_which_published_months_differ(club: Club) -> None:
    """The message appears whenever the differences of the month change, not when another month of the season changes."""
    season, table = season_of(club, 2024), closed_table(club, DAY(2024, 3, 1))
    other = closed_table(club, DAY(2024, 4, 5))
    close(season, "2024-03")
    march = {(season, "2024-03")}
    for act, differ, agree in (
        (lambda: correct_table(table), march, set()),
        (lambda: correct_table(other), set(), set()),
        (lambda: correct_table(table, 240), march, set()),
        (lambda: reopen_evening(evening=table.evening, actor=ADMIN), set(), set()),
        (lambda: close_evening(evening=table.evening, actor=ADMIN), set(), set()),
        (lambda: correct(table.rounds.get().games.select_related("round__table").get()), set(), march),
    ):
        with collect_month_changes() as heard:
            act()
        assert heard == dict.fromkeys(differ, True) | dict.fromkeys(agree, False)


def test_merged_players_change_only_published_months_with_both(club: Club) -> None:
    season = season_of(club, 2024)
    people = [make_player(club, name) for name in ("Anna", "Bert", "Cleo", "Dora", "Doris")]
    closed_table(club, DAY(2024, 3, 1), players=people[:4])
    closed_table(club, DAY(2024, 4, 5), players=people[:4])
    closed_table(club, DAY(2024, 4, 12), players=[*people[:3], people[4]])
    for month in ("2024-03", "2024-04"):
        close(season, month)
    dora, doris = people[3:]
    with collect_month_changes() as heard:
        merge_players(player=dora, into=doris, actor=ADMIN)
    assert heard == {(season, "2024-04"): True}, "there one row came of two"
    with collect_month_changes() as heard:
        unmerge_player(player=Player.objects.get(pk=dora.pk), actor=ADMIN)
    assert heard == {(season, "2024-04"): False}
    assert find_wrong_waits(club) == []


def test_later_seasons_and_other_leagues_show_earlier_undecided_months(club: Club) -> None:
    sets = [make_rule_set(club, "ddv", name=name) for name in ("Turnier", "Haus")]
    before, beside = (season_of(club, 2023, rule_sets=[one.name]) if one is sets[0] else make_season(
        club, "Haus", DAY(2023, 1, 1), DAY(2024, 12, 31), rule_sets=[one.name]
    ) for one in sets)  # fmt: skip
    after = season_of(club, 2024, rule_sets=["Turnier"])
    table = closed_table(club, DAY(2023, 12, 1), rule_set=sets[0])
    closed_table(club, DAY(2024, 1, 5), rule_set=sets[0])
    close(before, "2023-12")
    correct_table(table)

    def told(season: Season, month: str) -> list[tuple[Season, str]]:
        return list_undecided(list_news_before(read_books(season), month, list_seasons(season.club)))

    undecided = [(before, "2023-12")]
    assert told(after, "2024-01") == told(after, "2024-09") == told(beside, "2024-01") == undecided
    assert told(beside, "2023-12") == told(beside, "2023-11") == told(before, "2023-12") == []
    closed_table(club, DAY(2024, 1, 8), rule_set=sets[1])
    waiting = list_news_before(read_books(beside), "2024-12", list_seasons(club))
    assert [one.season for one in waiting] == [beside, before, after], "the next step of its own season stands first"
    with pytest.raises(InvalidInput, match="trotzdem abgeschlossen"):
        close(after, "2024-01", confirmed=False)
    close(before, "2023-12")
    assert told(after, "2024-01") == []
    close(after, "2024-01", confirmed=False)


def test_a_supplement_decides_an_undecided_month(club: Club) -> None:
    season, table = season_of(club, 2024), closed_table(club, DAY(2024, 3, 1))
    season_of(club, 2025)
    close(season, "2024-03")
    correct_table(table)
    assert read_news(club) == {"Saison 2024": (["2024-03"], [])}
    add_supplement_to(season, "2024-03")
    assert read_news(club) == {"Saison 2024": ([], ["2024-04"])}, "and stands in a month that is over"
