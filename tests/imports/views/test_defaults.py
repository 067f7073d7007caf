"""An evening that was imported proposes nothing for the next one: no rules, no place, no people, no weekday."""

from __future__ import annotations

import datetime

import pytest

from scoring.evenings.queries import get_last_line_up, get_newest_rule_set
from scoring.imports.queries import FRIDAY, find_usual_weekday
from scoring.models import Evening
from scoring.table.queries import count_special_points
from tests.desk import Desk
from tests.factories import PEOPLE, add_game, make_club, make_rule_set, make_table, make_user
from tests.imports.lists import GAMES

pytestmark = pytest.mark.django_db
EVENINGS = "Datum;Anton;Berta;Cäsar;Dora\n" + "".join(f"{day:02}.09.2026;3;3;-3;-3\n" for day in (1, 8, 15, 22, 29))


@pytest.fixture
def desk(db: None) -> Desk:
    club = make_club(slug="karo")
    return Desk(club, make_user("anna", club, ["admin"]))


@pytest.mark.parametrize("text", [GAMES.replace(".24", ".26"), EVENINGS])
def test_the_own_rules_and_people_are_proposed_after_a_later_import(desk: Desk, text: str) -> None:
    own = make_rule_set(desk.club, "hausrunde")
    table = make_table(desk.club, rule_set=own, held_on=datetime.date(2026, 1, 9))
    add_game(table, re_specials={"fuchs": 1})
    desk.bring_and_take(text, rule_set="new")
    rule_set, people = get_last_line_up(desk.club)
    assert (rule_set, [one.name for one in people]) == (own, list(PEOPLE[:4]))
    form = desk.client.get("/c/karo/evenings/new/").context["form"]
    assert form.initial["rule_set"] == own and "place" not in form.initial
    assert find_usual_weekday(desk.club) == FRIDAY
    later = make_table(desk.club, rule_set=own, held_on=datetime.date(2026, 10, 1)).evening
    assert count_special_points(later) == {"fuchs": 1}, "the five evenings before it were imported"


@pytest.mark.parametrize("text", [GAMES, EVENINGS])
def test_a_club_that_has_not_played_yet_is_proposed_its_own_rules(desk: Desk, text: str) -> None:
    own = make_rule_set(desk.club, "hausrunde")
    desk.bring_and_take(text)
    assert get_last_line_up(desk.club)[0] is None
    assert get_newest_rule_set(desk.club) == own
    assert desk.client.get("/c/karo/evenings/new/").context["form"].initial["rule_set"] == own


def test_one_more_round_of_an_imported_evening_has_its_people_and_the_own_rules(desk: Desk) -> None:
    own = make_rule_set(desk.club, "hausrunde")
    make_table(desk.club, rule_set=own)
    desk.bring_and_take(GAMES)
    evening = Evening.objects.filter(tables__imported__isnull=False).latest("held_on")
    rule_set, people = get_last_line_up(desk.club, evening.pk)
    assert rule_set == own and [one.name for one in people] == ["Anton", "Berta", "Cäsar", "Dora"]
