"""Setting up a season and changing it: what is refused, and what stays once a month of it is closed."""

from __future__ import annotations

import datetime
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.utils import timezone

from scoring.club.actions import Actor
from scoring.league.actions import ClosedMonthsStay, CountingStays, SeasonChanged, SeasonsOverlap, change_season
from scoring.league.queries.books import read_books
from scoring.league.queries.months import pending
from scoring.league.queries.news import league_today, wrong_waits
from scoring.models import Change, Club, RuleSet, Season, Verb
from scoring.rules.validation import Refused
from scoring.rulesets.actions import rename_rule_set
from tests.factories import add_game, make_club, make_rule_set, make_table
from tests.months import close, make_season, shown

pytestmark = pytest.mark.django_db

MARCH, APRIL = "2026-03", "2026-04"


def told(season: Season, **kw: Any) -> dict[str, Any]:
    known = {key: getattr(season, key) for key in ("name", "first_day", "last_day", "unit", "settings", "version")}
    return {"season": season, "actor": Actor(), **known, **kw}


def test_seasons_of_one_unit_do_not_overlap(club: Club) -> None:
    make_season(club, "Eins", datetime.date(2026, 1, 1), datetime.date(2026, 6, 30))
    make_season(club, "Cent", unit="cents")
    other = make_season(club, "Zwei", datetime.date(2026, 7, 1), datetime.date(2026, 12, 31))
    with pytest.raises(SeasonsOverlap):
        make_season(club, "Drei", datetime.date(2026, 6, 30), datetime.date(2026, 6, 30))
    with pytest.raises(SeasonsOverlap):
        change_season(**told(other, first_day=datetime.date(2026, 6, 1)))
    make_season(make_club("Pik"), "Eins")


@pytest.mark.parametrize(
    ("kw", "field"),
    [
        ({"name": " "}, "name"),
        ({"name": "x" * 61}, "name"),
        ({"name": "A\u202eB"}, "name"),
        ({"name": "Eins"}, "__all__"),
        ({"last_day": datetime.date(2025, 12, 31)}, "__all__"),
        ({"last_day": datetime.date(2029, 12, 31)}, "last_day"),
        ({"unit": "euros"}, "unit"),
    ],
)
def test_what_a_season_cannot_be(club: Club, kw: dict[str, Any], field: str) -> None:
    make_season(club, "Eins", datetime.date(2024, 1, 1), datetime.date(2024, 12, 31))
    with pytest.raises(ValidationError) as refused:
        make_season(club, **kw)
    assert field in refused.value.message_dict


def test_settings_are_judged(club: Club) -> None:
    with pytest.raises(Refused) as refused:
        make_season(club, counting="luck")
    assert list(refused.value.fields) == ["counting"]
    assert not Season.objects.exists()


def test_a_change_is_recorded_and_a_stale_one_refused(season: Season, admin: User) -> None:
    changed = change_season(**told(season, actor=Actor(admin), settings={**season.settings, "best": 1}))
    assert (changed.version, changed.settings["best"]) == (2, 1)
    change = Change.objects.latest("pk")
    assert (change.verb, change.before["settings"]["best"], change.after["settings"]["best"]) == (
        Verb.SEASON_CHANGED, None, 1,
    )  # fmt: skip
    with pytest.raises(SeasonChanged):
        change_season(**told(season, name="Anders"))
    change_season(**told(changed))
    assert Change.objects.latest("pk").pk == change.pk, "the same again is no change"


def test_closed_months_stay_in_their_season(season: Season) -> None:
    close(season, MARCH)
    for kw in ({"first_day": datetime.date(2026, 3, 10)}, {"unit": "cents"}, {"last_day": datetime.date(2026, 2, 28)}):
        with pytest.raises(ClosedMonthsStay):
            change_season(**told(season, **kw))
    change_season(**told(season, first_day=datetime.date(2026, 3, 1), last_day=datetime.date(2026, 4, 2)))


@pytest.mark.parametrize("counting", ["average", "places"])
def test_what_is_counted_stays_once_a_month_is_closed(season: Season, counting: str) -> None:
    """Points of one month and averages of another are nothing that can be added up."""
    other = {**season.settings, "counting": counting, "places": [5, 3, 2]}
    season = change_season(**told(season, settings=other))
    season = change_season(**told(season, settings={**other, "counting": "points"}))
    close(season, MARCH)
    with pytest.raises(CountingStays):
        change_season(**told(season, settings=other))


def test_other_settings_leave_a_closed_month_alone(season: Season) -> None:
    close(season, MARCH)
    before = shown(season, MARCH)
    season = change_season(**told(season, settings={**season.settings, "best": 1, "min_evenings": 3}))
    assert shown(season, MARCH) == before
    assert pending(read_books(season), MARCH)[1] == []


def test_two_leagues_at_once_have_rule_sets_of_their_own(club: Club) -> None:
    """A table counts in one of them; the start page shows both."""
    today = timezone.localdate()
    sets = [make_rule_set(club, "ddv", name=name) for name in ("Turnier", "Haus")]
    both = [make_season(club, f"Liga {one.name}", today.replace(day=1), today, rule_sets=[one.name]) for one in sets]
    for one, eyes in zip(sets, (130, 200), strict=True):
        add_game(make_table(club, held_on=today, rule_set=one), re=[0, 1], eyes=eyes)
    shown = league_today(club).months
    best = {season: max(row["result"] for row in month["rows"]) for season, month in shown}
    assert set(best) == set(both)
    assert best[both[0]] < best[both[1]], "each with its own table"
    for sets_of_it in ([], ["Haus", "Anderes"]):
        with pytest.raises(SeasonsOverlap):
            make_season(club, "Noch eine", today, today, rule_sets=sets_of_it)


def test_a_season_counts_by_its_rule_set_whatever_that_is_called(season: Season, admin: User) -> None:
    """Its open months stay as they are, what was published does not look changed by a name, and whoever is called so afterwards
    counts nowhere. Both stand in the history as one click."""
    own = RuleSet.objects.get(club=season.club)
    season = change_season(**told(season, settings={**season.settings, "rule_sets": [own.name]}))
    other = make_season(season.club, "Andere", rule_sets=[make_rule_set(season.club, name="Fremd").name])
    add_game(make_table(season.club, rule_set=own, held_on=datetime.date(2026, 4, 3)))
    close(season, MARCH)
    april = shown(season, APRIL)["rows"]
    for name in ("Turnier", "Liga"):
        rename_rule_set(rule_set=own, actor=Actor(admin), name=name)
    add_game(make_table(season.club, rule_set=make_rule_set(season.club, name="ddv"), held_on=datetime.date(2026, 3, 7)))
    now = Season.objects.get(pk=season.pk)
    assert (now.settings["rule_sets"], now.version) == (["Liga"], season.version + 2)
    assert shown(now, APRIL)["rows"] == april != []
    assert shown(now, MARCH)["settings"]["rule_sets"] == ["ddv"], "as it was published"
    counted, differing = pending(read_books(now), MARCH)
    assert (counted["settings"]["rule_sets"], differing) == (["Liga"], [])
    assert wrong_waits() == [] == [one for one in league_today(season.club).news if one.undecided]
    other.refresh_from_db()
    assert (other.settings["rule_sets"], other.version) == (["Fremd"], 1)
    told_so, renamed = Change.objects.filter(verb__in=(Verb.SEASON_CHANGED, Verb.RULES_RENAMED)).order_by("-pk")[:2]
    assert (told_so.verb, told_so.click, told_so.actor) == (Verb.SEASON_CHANGED, renamed.click, admin)
    assert [one["settings"]["rule_sets"] for one in (told_so.before, told_so.after)] == [["Turnier"], ["Liga"]]
