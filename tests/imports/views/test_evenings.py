"""Correcting imported evenings, and the defaults of the next evening after an import."""

from __future__ import annotations

import datetime
import re

import pytest
from django.http import HttpResponse
from django.urls import reverse

from scoring.evenings.queries import get_last_line_up, get_newest_rule_set
from scoring.imports.queries import FRIDAY, find_usual_weekday
from scoring.models import Change, Evening, Import, Player, Season, Table, TableResult, Verb
from scoring.table.queries import count_special_points
from tests.factories import PEOPLE, add_game, make_club, make_player, make_rule_set, make_table, make_user
from tests.html import flat
from tests.imports.examples import GAMES
from tests.imports.uploads import Desk, everything, verified
from tests.months import close, make_season

pytestmark = pytest.mark.django_db

DIFFERS = "Dadurch zählt anders als veröffentlicht:"
AGREES = "Dadurch zählt wieder wie veröffentlicht:"
LIST = "Datum;Anton;Berta\n1.3.24;3;-3\n8.3.24;5;-5\n"


@pytest.fixture
def desk(db: None) -> Desk:
    club = make_club(slug="karo")
    return Desk(club, make_user("anna", club, ["admin"]))


def address_of(evening: Evening) -> str:
    return reverse("evening_correction", args=["karo", evening.pk])


def test_an_evening_is_corrected_and_moved_and_the_list_keeps_its_history(desk: Desk) -> None:
    zora = make_player(desk.club, "Zora")
    file = desk.bring_and_take(LIST)
    evening = Evening.objects.get(held_on="2024-03-08")
    anton, berta = (Player.objects.get(name=name).pk for name in ("Anton", "Berta"))
    values = {"held_on": "2024-03-09", f"points_{anton}": "4", f"points_{berta}": "", f"points_{zora.pk}": "-4"}
    before = everything()
    response = desk.client.post(address_of(evening), values)
    html = flat(response)
    assert "Der Tag: 08.03.2024 wird 09.03.2024" in html and "nicht da → −4" in html
    assert everything() == before
    assert "schon einen Abend" not in html
    there = flat(desk.client.post(address_of(evening), {**values, "held_on": "2024-03-01"}))
    assert "An diesem Tag gibt es im Club schon einen Abend; dieser kommt dazu." in there
    seen = response.context["form"].fingerprint
    assert desk.client.post(address_of(evening), {**values, f"points_{anton}": "7", "save": "1", "seen": seen}).status_code == 422
    assert everything() == before
    assert desk.client.post(address_of(evening), {**values, "save": "1", "seen": seen}).status_code == 302
    results = TableResult.objects.filter(table__evening__held_on="2024-03-09")
    assert dict(results.values_list("player__name", "points")) == {"Anton": 4, "Zora": -4}
    assert verified().startswith("Alles stimmt")
    history = flat(desk.client.get("/c/karo/history/"))
    assert "Abend berichtigt" in history and "09.03.2024" in history
    desk.undo(file)
    file.refresh_from_db()
    assert file.undone_at is None, "what was corrected is not thrown away with the list"
    assert Change.objects.filter(verb=Verb.EVENING_MENDED).count() == 1


def test_an_evening_is_removed_after_asking_and_the_rest_goes_with_the_list(desk: Desk) -> None:
    before = everything()
    file = desk.bring_and_take(LIST)
    evening = Evening.objects.get(held_on="2024-03-08")
    html = flat(desk.client.post(address_of(evening), {"remove": "1"}))
    assert "Der Abend vom 08.03.2024 zählt dann nirgends mehr." in html and Evening.objects.count() == 2
    assert desk.client.post(address_of(evening), {"remove": "1", "sure": "1"}).status_code == 302
    assert list(Evening.objects.values_list("held_on", flat=True)) == [datetime.date(2024, 3, 1)]
    assert "Abend einer Datei entfernt" in flat(desk.client.get("/c/karo/history/"))
    desk.undo(file)
    assert everything() == before
    assert set(Change.objects.values_list("verb", flat=True)) >= {Verb.EVENING_REMOVED, Verb.IMPORT_UNDONE}


def test_impossible_values_are_refused_at_their_field(desk: Desk) -> None:
    desk.bring_and_take(LIST)
    evening = Evening.objects.get(held_on="2024-03-08")
    anton = Player.objects.get(name="Anton").pk
    for values, sentence in (
        ({"held_on": "2999-01-01"}, "Dieser Tag liegt in der Zukunft. Bitte einen Tag bis morgen ("),
        ({"held_on": "1949-12-31"}, "Bitte einen Tag ab 1950 angeben."),
        ({f"points_{anton}": "viel"}, "„viel“ ist keine ganze Zahl."),
        ({f"points_{player.pk}": "" for player in Player.objects.all()}, "Bitte den Abend entfernen."),
    ):
        response = desk.client.post(address_of(evening), values)
        assert response.status_code == 422 and sentence in flat(response)


def test_games_are_corrected_at_their_table(desk: Desk) -> None:
    desk.bring_and_take(GAMES)
    evening = Evening.objects.first()
    assert "Die berichtigt man am Tisch." in flat(desk.client.get(address_of(evening)))
    response = desk.client.post(address_of(evening), {"held_on": "2024-02-29"})
    seen = response.context["form"].fingerprint
    assert desk.client.post(address_of(evening), {"held_on": "2024-02-29", "save": "1", "seen": seen}).status_code == 302
    evening.refresh_from_db()
    assert evening.held_on == datetime.date(2024, 2, 29)
    Table.objects.update(imported=None)
    Import.objects.all().delete()
    html = flat(desk.client.get(address_of(evening)))
    assert "Die berichtigt man am Tisch." in html and "Abend entfernen" not in html


def test_the_form_is_linked_on_three_pages(desk: Desk) -> None:
    """The form is linked on the page of the file, on the result of the evening, and at a table with games."""
    own = make_table(desk.club, [make_player(desk.club, name) for name in "ABCD"])
    for values, games in ((LIST, False), (GAMES, True)):
        file = desk.bring_and_take(values)
        evenings = Evening.objects.filter(tables__imported=file)
        page = desk.client.get(reverse("import", args=["karo", file.pk])).content.decode()
        assert [address_of(evening) in page for evening in evenings] == [True, True]
        evening = evenings[0]
        assert address_of(evening) in desk.client.get(reverse("result", args=["karo", evening.pk])).content.decode()
        at_table = desk.client.get(reverse("evening", args=["karo", evening.pk]), follow=True).content.decode()
        assert address_of(evening) in at_table and ('id="sheet' in at_table) is games
    assert address_of(own.evening) not in page
    assert address_of(own.evening) in desk.client.get(reverse("result", args=["karo", own.evening.pk])).content.decode()


# --- Of a published month ---------------------------------------------------------------------------------------------


def close_march(desk: Desk, values: str = LIST) -> tuple[Season, Import]:
    """Create a season with a published March and two imported evenings, and mark its messages as read."""
    file = desk.bring_and_take(values)
    season = make_season(desk.club, "Saison 24", datetime.date(2024, 1, 1), datetime.date(2024, 12, 31))
    close(season, "2024-03")
    return season, file


def correct(desk: Desk, evening: Evening, **values: str) -> str:
    """Post the correction and return the messages of the next page."""
    seen = desk.client.post(address_of(evening), values).context["form"].fingerprint
    return get_messages(desk.client.post(address_of(evening), {**values, "save": "1", "seen": seen}, follow=True))


def get_messages(response: HttpResponse) -> str:
    values = re.findall(r'<p class="alert[^>]*role="status">.*?</p>', response.content.decode(), re.DOTALL)
    return " ".join(map(text_of, values))


def text_of(html: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", html).split())


def test_a_correction_names_every_published_month_it_changes(desk: Desk) -> None:
    """The months before and after the move are named, and the return to the published state."""
    april = "Datum;Anton;Berta\n5.4.24;1;-1\n"
    season, _brought = close_march(desk)
    desk.bring_and_take(april, "april.csv")
    close(season, "2024-04")
    evening = Evening.objects.get(held_on="2024-03-08")
    anton = Player.objects.get(name="Anton").pk
    berta = Player.objects.get(name="Berta").pk
    first, second = "März 2024", "April 2024"
    assert correct(desk, evening, held_on="2024-05-02") == f"Der Abend ist berichtigt. {DIFFERS} {first}", "left it"
    assert correct(desk, evening, held_on="2024-04-09") == f"Der Abend ist berichtigt. {DIFFERS} {second}", "came to it"
    moved = correct(desk, evening, held_on="2024-03-08")
    assert moved == f"Der Abend ist berichtigt. {AGREES} {first} , {second}"
    assert correct(desk, evening, **{f"points_{anton}": "9", f"points_{berta}": "-9"}).endswith(f"{DIFFERS} {first}")
    other = Evening.objects.get(held_on="2024-04-05")
    assert correct(desk, other, held_on="2024-04-06") == "Der Abend ist berichtigt.", "a month counts its evenings, not its days"
    removed = get_messages(desk.client.post(address_of(evening), {"remove": "1", "sure": "1"}, follow=True))
    assert removed == f"Der Abend ist entfernt. {DIFFERS} {first}"
    assert verified().startswith("Alles stimmt")


def test_a_list_that_comes_or_goes_says_which_published_months_it_concerns(desk: Desk) -> None:
    season, file = close_march(desk)
    more = desk.bring("Datum;Anton;Berta\n9.3.24;1;-1\n2.4.24;1;-1\n", "more.csv")
    form = desk.look(more).context["form"]
    taken = desk.client.post(more, {**form.data, "seen": form.fingerprint, "take": "1"}, follow=True)
    assert f"{DIFFERS} März 2024" in get_messages(taken) and "April" not in get_messages(taken)
    latest = Import.objects.latest("imported_at")
    assert f"{AGREES} März 2024" in get_messages(desk.client.post(f"/c/karo/imports/{latest.pk}/undo/", follow=True))
    assert f"{DIFFERS} März 2024" in get_messages(desk.client.post(f"/c/karo/imports/{file.pk}/undo/", follow=True))
    season.refresh_from_db()
    assert list(season.waits["undecided"]) == ["2024-03"]


# --- Defaults of the next evening -------------------------------------------------------------------------------------


EVENINGS = "Datum;Anton;Berta;Cäsar;Dora\n" + "".join(f"{day:02}.09.2026;3;3;-3;-3\n" for day in (1, 8, 15, 22, 29))


def test_the_own_rules_and_people_are_proposed_after_later_imports(desk: Desk) -> None:
    own = make_rule_set(desk.club, "hausrunde")
    table = make_table(desk.club, rule_set=own, held_on=datetime.date(2026, 1, 9))
    add_game(table, re_specials={"fuchs": 1})
    file = desk.bring_and_take(GAMES.replace(".24", ".26"), rule_set="new")
    desk.bring_and_take(EVENINGS, rule_set=file.tables.first().rule_set_id)
    rule_set, people = get_last_line_up(desk.club)
    assert (rule_set, [one.name for one in people]) == (own, list(PEOPLE[:4]))
    form = desk.client.get("/c/karo/evenings/new/").context["form"]
    assert form.initial["rule_set"] == own and "place" not in form.initial
    assert find_usual_weekday(desk.club) == FRIDAY
    later = make_table(desk.club, rule_set=own, held_on=datetime.date(2026, 10, 1)).evening
    assert count_special_points(later) == {"fuchs": 1}, "the evenings before it were imported"


def test_a_club_that_has_not_played_yet_is_proposed_its_own_rules(desk: Desk) -> None:
    own = make_rule_set(desk.club, "hausrunde")
    for text in (GAMES, EVENINGS):
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

