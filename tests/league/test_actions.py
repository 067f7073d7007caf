"""Seasons, closed months and supplements: what is refused, and that nothing published ever changes."""

from __future__ import annotations

import datetime
import json
import random
import re
import threading
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import connection
from django.utils import timezone

from scoring.club.actions import Actor
from scoring.core.errors import ActionRefused, InvalidInput
from scoring.evenings.actions import close_evening
from scoring.league.actions import (
    SeasonChanged,
    change_season,
)
from scoring.league.queries.books import compute_hash, find_damaged_closings, read_books, serialize_content
from scoring.league.queries.months import compare_with_published, find_earlier_open_month, list_changes_since_closing
from scoring.league.queries.news import find_wrong_waits, get_league_today
from scoring.league.queries.seasons import read_season_table
from scoring.models import Change, Club, Game, MonthClosing, Player, RuleSet, Season, Table, Verb
from scoring.play.queries import read_records
from scoring.rules.validation import Refused
from scoring.rulesets.actions import rename_rule_set
from scoring.table.actions.games import Typed, delete_game
from scoring.table.actions.games import add_game as add_game_action
from tests.factories import add_game, make_club, make_rule_set, make_table, make_user
from tests.months import (
    add_supplement_to,
    close,
    correct,
    get_first_game,
    get_results,
    hash_preview,
    make_season,
    make_two_evenings,
    read_month,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def club() -> Club:
    return make_club(slug="karo")


@pytest.fixture
def admin(club: Club) -> User:
    return make_user("anna", club, ["admin"])


@pytest.fixture
def season(club: Club) -> Season:
    return make_two_evenings(club)

MARCH, APRIL = "2026-03", "2026-04"


def get_fields(season: Season, **kw: Any) -> dict[str, Any]:
    known = {key: getattr(season, key) for key in ("name", "first_day", "last_day", "unit", "settings", "version")}
    return {"season": season, "actor": Actor(), **known, **kw}


def test_seasons_of_one_unit_do_not_overlap(club: Club) -> None:
    make_season(club, "Eins", datetime.date(2026, 1, 1), datetime.date(2026, 6, 30))
    make_season(club, "Cent", unit="cents")
    other = make_season(club, "Zwei", datetime.date(2026, 7, 1), datetime.date(2026, 12, 31))
    with pytest.raises(ActionRefused, match="In diesen Tagen gibt es schon eine Saison"):
        make_season(club, "Drei", datetime.date(2026, 6, 30), datetime.date(2026, 6, 30))
    with pytest.raises(ActionRefused, match="In diesen Tagen gibt es schon eine Saison"):
        change_season(**get_fields(other, first_day=datetime.date(2026, 6, 1)))
    make_season(make_club("Pik"), "Eins")


def test_an_invalid_season_is_refused_at_its_field(club: Club) -> None:
    make_season(club, "Eins", datetime.date(2024, 1, 1), datetime.date(2024, 12, 31))
    for kw, field in (
        ({"name": " "}, "name"),
        ({"name": "Eins"}, "__all__"),
        ({"last_day": datetime.date(2025, 12, 31)}, "__all__"),
        ({"last_day": datetime.date(2029, 12, 31)}, "last_day"),
        ({"unit": "euros"}, "unit"),
    ):
        with pytest.raises(ValidationError) as invalid:
            make_season(club, **kw)
        assert field in invalid.value.message_dict
    with pytest.raises(Refused) as refused:
        make_season(club, counting="luck")
    assert list(refused.value.fields) == ["counting"]
    assert Season.objects.count() == 1


def test_a_change_is_logged_and_an_outdated_one_refused(season: Season, admin: User) -> None:
    changed = change_season(**get_fields(season, actor=Actor(admin), settings={**season.settings, "best": 1}))
    assert (changed.version, changed.settings["best"]) == (2, 1)
    change = Change.objects.latest("pk")
    assert (change.verb, change.before["settings"]["best"], change.after["settings"]["best"]) == (
        Verb.SEASON_CHANGED, None, 1,
    )  # fmt: skip
    with pytest.raises(SeasonChanged):
        change_season(**get_fields(season, name="Anders"))
    change_season(**get_fields(changed))
    assert Change.objects.latest("pk").pk == change.pk, "the same again is no change"


def test_closed_months_stay_in_their_season(season: Season) -> None:
    close(season, MARCH)
    for kw in ({"first_day": datetime.date(2026, 3, 10)}, {"unit": "cents"}, {"last_day": datetime.date(2026, 2, 28)}):
        with pytest.raises(ActionRefused, match="Abgeschlossene Monate bleiben"):
            change_season(**get_fields(season, **kw))
    change_season(**get_fields(season, first_day=datetime.date(2026, 3, 1), last_day=datetime.date(2026, 4, 2)))


def test_the_counting_stays_once_a_month_is_closed(season: Season) -> None:
    """Points of one month and averages of another cannot be added up."""
    averages = {**season.settings, "counting": "average"}
    season = change_season(**get_fields(season, settings=averages))
    season = change_season(**get_fields(season, settings={**averages, "counting": "points"}))
    close(season, MARCH)
    for counting in ("average", "places"):
        with pytest.raises(ActionRefused, match="verschiedener Wertungen"):
            change_season(**get_fields(season, settings={**averages, "counting": counting, "places": [5, 3, 2]}))


def test_other_settings_leave_a_closed_month_alone(season: Season) -> None:
    close(season, MARCH)
    before = read_month(season, MARCH)
    season = change_season(**get_fields(season, settings={**season.settings, "best": 1, "min_evenings": 3}))
    assert read_month(season, MARCH) == before
    assert compare_with_published(read_books(season), MARCH)[1] == []


def test_two_leagues_at_once_need_different_rule_sets(club: Club) -> None:
    """A table counts in one of them; the start page shows both."""
    today = timezone.localdate()
    sets = [make_rule_set(club, "ddv", name=name) for name in ("Turnier", "Haus")]
    both = [make_season(club, f"Liga {one.name}", today.replace(day=1), today, rule_sets=[one.name]) for one in sets]
    for one, eyes in zip(sets, (130, 200), strict=True):
        add_game(make_table(club, held_on=today, rule_set=one), re=[0, 1], eyes=eyes)
    shown = get_league_today(club)["months"]
    best = {season: max(row["result"] for row in month["rows"]) for season, month in shown}
    assert set(best) == set(both)
    assert best[both[0]] < best[both[1]], "each with its own table"
    for sets_of_it in ([], ["Haus", "Anderes"]):
        with pytest.raises(ActionRefused, match="In diesen Tagen gibt es schon eine Saison"):
            make_season(club, "Noch eine", today, today, rule_sets=sets_of_it)


def test_a_season_follows_a_renamed_rule_set(season: Season, admin: User) -> None:
    """Open months keep their results, published ones do not differ, and another rule set with the old name does not count.

    Both log entries belong to one click.
    """
    own = RuleSet.objects.get(club=season.club)
    season = change_season(**get_fields(season, settings={**season.settings, "rule_sets": [own.name]}))
    other = make_season(season.club, "Andere", rule_sets=[make_rule_set(season.club, name="Fremd").name])
    add_game(make_table(season.club, rule_set=own, held_on=datetime.date(2026, 4, 3)))
    close(season, MARCH)
    april = read_month(season, APRIL)["rows"]
    for name in ("Turnier", "Liga"):
        rename_rule_set(rule_set=own, actor=Actor(admin), name=name)
    add_game(make_table(season.club, rule_set=make_rule_set(season.club, name="ddv"), held_on=datetime.date(2026, 3, 7)))
    now = Season.objects.get(pk=season.pk)
    assert (now.settings["rule_sets"], now.version) == (["Liga"], season.version + 2)
    assert read_month(now, APRIL)["rows"] == april != []
    assert read_month(now, MARCH)["settings"]["rule_sets"] == ["ddv"], "as it was published"
    counted, differing = compare_with_published(read_books(now), MARCH)
    assert (counted["settings"]["rule_sets"], differing) == (["Liga"], [])
    assert find_wrong_waits() == [] == [one for one in get_league_today(season.club)["news"] if one.undecided]
    other.refresh_from_db()
    assert (other.settings["rule_sets"], other.version) == (["Fremd"], 1)
    told_so, renamed = Change.objects.filter(verb__in=(Verb.SEASON_CHANGED, Verb.RULES_RENAMED)).order_by("-pk")[:2]
    assert (told_so.verb, told_so.click, told_so.actor) == (Verb.SEASON_CHANGED, renamed.click, admin)
    assert [one["settings"]["rule_sets"] for one in (told_so.before, told_so.after)] == [["Turnier"], ["Liga"]]


# --- Closing ----------------------------------------------------------------------------------------------------------


def test_a_closed_month_is_text_and_file_with_their_hashes(season: Season, admin: User) -> None:
    Player.objects.filter(name="Bodo").update(user=admin)
    closing = close(season, MARCH, admin)
    content = json.loads(closing.content)
    # Each evening: Re wins 1; a solo with 180 eyes wins 1, keine 90 1, three times.
    assert get_results(content) == {"Çelik": 1000, "Ärmel": -200, "Bodo": -200, "Özlem": -600}
    assert (content["version"], content["closed_by"], content["club"]) == (1, "Bodo", "Karo Eins"), "the name in the club"
    assert closing.content_sha256 == compute_hash(closing.content)
    assert closing.file_sha256 == compute_hash(bytes(closing.file))
    assert bytes(closing.file).startswith(b"PK")
    change = Change.objects.latest("pk")
    assert (change.verb, change.subject_id, change.after["version"]) == (Verb.MONTH_CLOSED, str(closing.pk), 1)
    assert find_damaged_closings() == []


def test_a_month_that_is_not_over_and_an_open_evening_need_a_confirmation(season: Season, club: Club) -> None:
    table = make_table(club, held_on=datetime.date(2026, 3, 27))
    add_game(table)
    with pytest.raises(InvalidInput, match="trotzdem abgeschlossen"):
        close(season, MARCH, confirmed=False)
    assert json.loads(close(season, MARCH).content)["evenings"][-1]["open"] is True
    today = datetime.date.today()
    cents = make_season(club, "Cent", today - datetime.timedelta(9), today + datetime.timedelta(9), "cents")
    table = make_table(club, held_on=today, preset="klassisch")
    add_game(table)
    close_evening(evening=table.evening, actor=Actor())
    with pytest.raises(InvalidInput, match="trotzdem abgeschlossen"):
        close(cents, f"{today:%Y-%m}", confirmed=False)


def test_only_the_month_of_the_preview_is_published(season: Season) -> None:
    preview = hash_preview(season, MARCH)
    correct(get_first_game(season), eyes=200)
    with pytest.raises(ActionRefused, match="Inzwischen hat sich etwas geändert"):
        close(season, MARCH, seen=preview)
    assert not MonthClosing.objects.exists()


def test_months_are_closed_in_their_order(season: Season, club: Club) -> None:
    add_game(make_table(club, held_on=datetime.date(2026, 4, 3)))
    with pytest.raises(ActionRefused, match="Ein früherer Monat"):
        close(season, APRIL)
    assert find_earlier_open_month(read_books(season), APRIL) == MARCH
    with pytest.raises(ActionRefused, match="noch niemand gespielt"):
        close(season, "2026-02")
    close(season, MARCH)
    close(season, APRIL)


def test_a_closed_month_without_differences_cannot_be_closed_again(season: Season) -> None:
    close(season, MARCH)
    with pytest.raises(ActionRefused, match="seither ist nichts anders"):
        close(season, MARCH)
    with pytest.raises(ActionRefused, match="An den Ergebnissen dieses Monats"):
        add_supplement_to(season, MARCH)
    with pytest.raises(ActionRefused, match="An den Ergebnissen dieses Monats"):
        add_supplement_to(season, APRIL)


def test_nothing_changes_or_deletes_what_was_published(season: Season, admin: User) -> None:
    closing = close(season, MARCH, admin)
    admin.delete()
    kept = MonthClosing.objects.get()
    assert (kept.content, bytes(kept.file), kept.closed_by) == (closing.content, bytes(closing.file), None)
    correct(get_first_game(season), eyes=200)
    told_later = add_supplement_to(season, MARCH)
    for row in (closing, told_later):
        with pytest.raises(TypeError):
            row.save()
        with pytest.raises(TypeError):
            row.delete()
        with pytest.raises(TypeError):
            type(row).objects.filter(pk=row.pk).update(content="{}")
        with pytest.raises(TypeError):
            type(row).objects.all().delete()


def test_a_damaged_closing_is_found(season: Season) -> None:
    close(season, MARCH)
    with connection.cursor() as cursor:
        cursor.execute("UPDATE scoring_monthclosing SET content = content || ' '")
    assert [closing.month for closing in find_damaged_closings(season.club)] == [MARCH]
    assert find_damaged_closings(make_club("Pik")) == []


@pytest.mark.parametrize(
    "changes", [pytest.param(12, id="short"), pytest.param(500, id="long", marks=pytest.mark.soak)]
)
def test_a_closed_month_never_changes_with_its_games(
    season: Season, admin: User, changes: int, client: Any
) -> None:
    """Random corrections, deletions and new games, with people renamed and the season changed in between: text, file and
    page stay as they were, byte for byte."""
    close(season, MARCH, admin)
    client.force_login(make_user("rita", season.club))
    base = f"/c/karo/seasons/{season.pk}/{MARCH}/"

    def published() -> list[Any]:
        row = MonthClosing.objects.values_list("content", "content_sha256", "file", "file_sha256").get()
        pages = [client.get(base + end).content for end in ("", "excel/", "1/", "1/excel/", "1/data/")]
        # The undecided months are shown above the published content.
        pages[0] = b" ".join(re.sub(rb'<div class="panel conflict.*?</div>', b"", pages[0], flags=re.DOTALL).split())
        return [bytes(part) if not isinstance(part, str) else part for part in row] + pages

    before, dice = published(), random.Random(7)
    tables = list(Table.objects.filter(evening__club=season.club))
    for number in range(changes):
        table = dice.choice(tables)
        games = list(Game.objects.filter(round__table=table, deleted=False).select_related("round__table"))
        match dice.choice(["correct", "correct", "delete", "add", "rename"]):
            case "correct" if games:
                correct(dice.choice(games), re=dice.sample(range(4), 2), eyes=dice.randint(1, 239))
            case "delete" if len(games) > 1:
                game = dice.choice(games)
                delete_game(table=table, actor=Actor(admin=True), key=game.key, version=game.version)
            case "rename":
                player = dice.choice(list(Player.objects.filter(club=season.club)))
                player.name, player.guest = f"Neu {number}", dice.random() < 0.3
                player.save()
            case _:
                last = read_records(table).last
                typed = Typed("played", {"kind": "normal", "re": [0, 2], "eyes": dice.randint(1, 239)}, None)
                after = last.key if last else None
                key = uuid4()
                add_game_action(table=table, actor=Actor(admin=True), key=key, after=after, typed=typed)
        if number % 50 == 0:
            assert published() == before
    assert compare_with_published(read_books(season), MARCH)[1], "the changes would change the month"
    assert published() == before


# --- At the same time -------------------------------------------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
def test_two_admins_close_a_month_once() -> None:
    club = make_club()
    add_game(make_table(club, rule_set=make_rule_set(club)))
    season = make_season(club)
    preview, start = hash_preview(season, MARCH), threading.Barrier(2)
    refused: list[ActionRefused] = []

    def press() -> None:
        start.wait()
        try:
            close(season, MARCH, seen=preview)
        except ActionRefused as error:
            refused.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=press) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert MonthClosing.objects.count() == 1
    assert [str(error) for error in refused] == ["Der Monat ist abgeschlossen, und seither ist nichts anders."]
    assert serialize_content(json.loads(MonthClosing.objects.get().content)) == MonthClosing.objects.get().content


def test_a_correction_becomes_a_supplement_in_the_open_month(season: Season, club: Club, admin: User) -> None:
    close(season, MARCH)
    add_game(make_table(club, held_on=datetime.date(2026, 4, 3)))
    march, april = read_month(season, MARCH), get_results(read_month(season, APRIL))
    correct(get_first_game(season), eyes=200)
    # Re with 200 eyes wins keine 90 and keine 60 as well: 3 points instead of 1.
    expected = {"Ärmel": 200, "Bodo": 200, "Çelik": -200, "Özlem": -200}
    now, differences = compare_with_published(read_books(season), MARCH)
    assert {line["name"]: line["difference"] for line in differences} == expected

    told_later = add_supplement_to(season, MARCH, admin, "Ergebnis falsch abgelesen")
    assert (told_later.about, told_later.month) == (MARCH, APRIL)
    assert read_month(season, MARCH) == march
    content = read_month(season, APRIL)
    assert get_results(content) == {name: april[name] + expected[name] for name in april}
    assert content["supplements"][0] | {"changes": 0} == {
        "about": MARCH, "reason": "Ergebnis falsch abgelesen", "changes": 0,
    }  # fmt: skip
    assert content["supplements"][0]["changes"], "the change that led to it is named"
    assert compare_with_published(read_books(season), MARCH)[1] == []
    assert Change.objects.latest("pk").verb == Verb.MONTH_SUPPLEMENTED

    # The season has the same sum as if it had been correct from the start.
    table = read_season_table(read_books(season))
    assert {row["name"]: row["total"] for row in table.rows} == {
        name: get_results(now)[name] + april[name] for name in april
    }
    with pytest.raises(ActionRefused, match="schon einen Nachtrag"):
        correct(get_first_game(season), eyes=100)
        close(season, MARCH)
    again = add_supplement_to(season, MARCH)
    # With 100 eyes Re loses 2, gegen die Alten among them, where it had won 3.
    assert {line["difference"] for line in json.loads(again.content)["differences"]} == {-500, 500}


def test_a_supplement_is_published_with_its_month(season: Season, club: Club) -> None:
    close(season, MARCH)
    correct(get_first_game(season), eyes=200)
    add_supplement_to(season, MARCH)
    april = close(season, APRIL)
    assert len(json.loads(april.content)["rows"]) == 4, "no results, but four supplements"
    assert {row["why"] for row in json.loads(april.content)["rows"]} == {"no_evening"}
    correct(get_first_game(season), eyes=130)
    assert add_supplement_to(season, MARCH).month == "2026-05"


def test_a_correction_is_published_as_the_next_version(season: Season, admin: User) -> None:
    first = close(season, MARCH)
    correct(get_first_game(season), eyes=200)
    second = close(season, MARCH, admin)
    new = json.loads(second.content)
    assert (second.version, new["version"]) == (2, 2)
    assert {line["name"]: line["difference"] for line in new["differences"]} == {
        "Ärmel": 200, "Bodo": 200, "Çelik": -200, "Özlem": -200,
    }  # fmt: skip
    bodo = next(line for line in new["differences"] if line["name"] == "Bodo")
    assert bodo["evenings"] == [{"held_on": "2026-03-06", "before": [-1, 2], "after": [1, 2]}]
    assert (bodo["before"], bodo["after"]) == ({"rank": 2, "result": -200}, {"rank": 2, "result": 0})
    assert read_month(season, MARCH) == new
    assert MonthClosing.objects.get(version=1).content == first.content
    with pytest.raises(ActionRefused, match="seither ist nichts anders"):
        close(season, MARCH)


def test_the_last_month_of_a_season_has_no_supplement(club: Club) -> None:
    season = make_season(club, last_day=datetime.date(2026, 3, 31))
    table = make_table(club)
    add_game(table)
    close(season, MARCH)
    add_game(table)
    with pytest.raises(ActionRefused, match="Alle Monate der Saison"):
        add_supplement_to(season, MARCH)
    assert close(season, MARCH).version == 2


def test_a_second_supplement_behind_the_last_month_needs_a_longer_season(season: Season) -> None:
    season = change_season(**get_fields(season, last_day=datetime.date(2026, 4, 30)))
    close(season, MARCH)
    correct(get_first_game(season), eyes=200)
    add_supplement_to(season, MARCH)
    close(season, APRIL)
    correct(get_first_game(season), eyes=130)
    with pytest.raises(ActionRefused, match="schon einen Nachtrag"):
        close(season, MARCH)
    with pytest.raises(ActionRefused, match="um einen Monat verlängern"):
        add_supplement_to(season, MARCH)
    longer = change_season(**get_fields(season, last_day=datetime.date(2026, 5, 31)))
    assert add_supplement_to(longer, MARCH).month == "2026-05"


def test_a_season_that_ends_within_a_month_can_be_extended_for_a_second_supplement(season: Season, club: Club) -> None:
    season = change_season(**get_fields(season, last_day=datetime.date(2026, 4, 15)))
    close(season, MARCH)
    correct(get_first_game(season), eyes=200)
    add_supplement_to(season, MARCH)
    close(season, APRIL)
    correct(get_first_game(season), eyes=130)
    longer = get_fields(season, last_day=datetime.date(2026, 5, 15))
    evening = make_table(club, held_on=datetime.date(2026, 4, 20)).evening
    with pytest.raises(ActionRefused, match="Abgeschlossene Monate bleiben"):
        change_season(**longer)
    type(evening).objects.filter(pk=evening.pk).update(held_on=datetime.date(2026, 4, 10))
    season = change_season(**longer)
    assert add_supplement_to(season, MARCH).month == "2026-05"
    assert Season.objects.get(pk=season.pk).waits["undecided"] == {}
    table = make_table(club, held_on=datetime.date(2026, 4, 20))
    add_game(table)
    assert table.pk in {one.table_id for one in list_changes_since_closing(read_books(season), APRIL)}


def add_games_without_effect(season: Season) -> None:
    """Add two games to the first evening that cancel each other out."""
    table = get_first_game(season).round.table
    for re_party in ([0, 1], [2, 3]):
        last = read_records(table).last
        typed = Typed("played", {"kind": "normal", "re": re_party, "eyes": 130}, None)
        add_game_action(table=table, actor=Actor(admin=True), key=uuid4(), after=last.key, typed=typed)


def test_details_after_a_supplement_need_no_decision(season: Season) -> None:
    close(season, MARCH)
    correct(get_first_game(season), eyes=200)
    add_supplement_to(season, MARCH)
    add_games_without_effect(season)
    assert [one["difference"] for one in compare_with_published(read_books(season), MARCH)[1]] == [0, 0, 0, 0]
    season.refresh_from_db()
    assert season.waits == {"undecided": {}, "open": [APRIL]}
    assert not any(one.undecided for one in get_league_today(season.club)["news"])
    correct(get_first_game(season), eyes=130)
    assert list(Season.objects.get(pk=season.pk).waits["undecided"]) == [MARCH]


def test_details_that_change_no_result_are_no_supplement(season: Season) -> None:
    close(season, MARCH)
    add_games_without_effect(season)
    differences = compare_with_published(read_books(season), MARCH)[1]
    assert [line["difference"] for line in differences] == [0, 0, 0, 0]
    with pytest.raises(ActionRefused, match="An den Ergebnissen dieses Monats"):
        add_supplement_to(season, MARCH)
    assert close(season, MARCH).version == 2


def test_a_guest_who_joins_later_changes_no_closed_month(season: Season) -> None:
    Player.objects.filter(name="Bodo").update(guest=True)
    close(season, MARCH)
    Player.objects.update(guest=False)
    assert compare_with_published(read_books(season), MARCH)[1] == []
    assert "Bodo" not in get_results(read_month(season, MARCH))
