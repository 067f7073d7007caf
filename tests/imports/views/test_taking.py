"""A list is taken in as it was seen, and taken back to what was there before."""

from __future__ import annotations

import datetime
import io
from collections.abc import Callable

import pytest
from django.core.management import call_command
from django.utils import timezone
from django.utils.html import strip_tags

from scoring.club.actions import Actor, change_player
from scoring.models import Change, Evening, Game, Import, MonthClosing, Player, RuleSet, Table, Verb
from scoring.players.actions import merge_players, part_player
from scoring.rulesets.actions import change_rule_set, rename_rule_set
from tests.desk import Desk, everything, verified
from tests.effort import in_soak, some
from tests.factories import add_game, make_club, make_player, make_table, make_user
from tests.imports.lists import GAMES, REAL, column
from tests.months import close, make_season

pytestmark = pytest.mark.django_db


@pytest.fixture
def desk(db: None) -> Desk:
    club = make_club(slug="karo")
    return Desk(club, make_user("anna", club, ["admin"]))


# --- Taking in --------------------------------------------------------------------------------------------------------


def test_nothing_but_what_was_seen_is_taken_in(desk: Desk) -> None:
    address = desk.bring(REAL)
    form = desk.look(address).context["form"]
    other = {column(desk, address, "Anton"): "skip"}
    response = desk.client.post(address, {**form.data, **other, "seen": form.fingerprint, "take": "1"})
    assert "Bitte noch einmal ansehen" in response.content.decode()
    assert not Evening.objects.exists()


def test_a_double_tap_takes_in_once(desk: Desk) -> None:
    address = desk.bring(REAL)
    form = desk.look(address).context["form"]
    data = {**form.data, "seen": form.fingerprint, "take": "1"}
    assert [desk.client.post(address, data).status_code for _tap in range(2)] == [302, 302]
    assert Evening.objects.count() == 90
    assert Change.objects.filter(verb=Verb.IMPORT_TAKEN).count() == 1


def test_the_same_file_again_is_noticed(desk: Desk) -> None:
    file = desk.bring_and_take(REAL)
    html = desk.look(desk.bring(REAL)).content.decode()
    assert "Diese Datei wurde schon am" in html
    assert "An diesen Tagen gibt es im Club schon einen Abend" in html
    desk.undo(file)
    assert "Diese Datei wurde schon am" not in desk.look(desk.bring(REAL)).content.decode()


def test_what_was_read_is_kept_no_longer_than_needed(desk: Desk) -> None:
    first = desk.bring(REAL)
    second = desk.bring(GAMES)
    assert desk.client.get(first).status_code == 404, "another upload replaces the one before"
    Import.objects.update(uploaded_at=timezone.now() - datetime.timedelta(days=2))
    other = Desk(desk.club, make_user("berta", desk.club, ["admin"]))
    third = other.bring(GAMES)
    call_command("tidy", stdout=io.StringIO())
    assert desk.client.get(second).status_code == 404, "a day later nothing is left"
    other.take(third)
    assert Import.objects.get().sheets is None
    fourth = desk.bring(GAMES)
    desk.client.post(f"{fourth}discard/")
    assert desk.client.get(fourth).status_code == 404
    assert Import.objects.count() == 1, "what was taken in is not thrown away"


def test_the_history_tells_it(desk: Desk) -> None:
    file = desk.bring_and_take(REAL, "ewige_liste.csv")
    desk.undo(file)
    html = desk.client.get("/c/karo/history/").content.decode()
    assert "Datei übernommen ewige_liste.csv" in " ".join(strip_tags(html).split())
    assert "Übernahme zurückgenommen ewige_liste.csv" in " ".join(strip_tags(html).split())
    assert "Berta" not in str(list(Change.objects.values_list("before", "after")))


# --- Taking back ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("data", [REAL, GAMES], ids=["evenings", "games"])
def test_taking_back_leaves_what_was_there_before(desk: Desk, data: bytes | str) -> None:
    add_game(make_table(desk.club, [make_player(desk.club, name) for name in ("Zora", "Anton", "Yves", "Xaver")]))
    before = everything()
    file = desk.bring_and_take(data)
    assert everything() != before
    desk.undo(file)
    assert everything() == before
    file.refresh_from_db()
    assert file.undone_at
    assert verified().startswith("Alles stimmt")
    desk.undo(file)
    assert Change.objects.filter(verb=Verb.IMPORT_UNDONE).count() == 1, "it is taken back once"


def test_who_plays_on_stays(desk: Desk) -> None:
    file = desk.bring_and_take(REAL)
    players = list(Player.objects.filter(name__in=["Anton", "Berta", "Cäsar", "Dora"]))
    add_game(make_table(desk.club, players))
    Player.objects.filter(name="Emil").update(user=desk.user)
    desk.undo(file)
    assert set(Player.objects.values_list("name", flat=True)) == {"Anton", "Berta", "Cäsar", "Dora", "Emil"}
    assert Evening.objects.count() == 1


def test_what_was_built_on_is_not_taken_back(desk: Desk) -> None:
    file = desk.bring_and_take(GAMES)
    game = Game.objects.filter(form="short").first()
    table = game.round.table
    desk.client.post(f"/c/karo/tables/{table.pk}/games/{game.key}/delete/", {"version": game.version})
    assert Change.objects.filter(verb=Verb.GAME_DELETED).exists()
    before = everything()
    page, undo = f"/c/karo/imports/{file.pk}/", f"/c/karo/imports/{file.pk}/undo/"
    html = desk.client.get(page).content.decode()
    assert "lassen sich nicht mehr zurücknehmen" in html
    assert undo not in html, "what would be refused is not offered"
    assert desk.client.get(undo)["Location"] == page
    desk.client.post(undo)
    assert everything() == before


def renamed(desk: Desk, file: Import) -> None:
    kept = Player.objects.get(name="Anton")
    said = {"guest": kept.guest, "joined_on": None, "left_on": None, "user": None}
    change_player(player=kept, actor=Actor(desk.user), name="Anton Huber", **said)


def merged(desk: Desk, file: Import) -> None:
    merge_players(player=Player.objects.get(name="Anton"), into=make_player(desk.club, "Toni"), actor=Actor(desk.user))


def merged_into(desk: Desk, file: Import) -> None:
    merge_players(player=make_player(desk.club, "Toni"), into=Player.objects.get(name="Anton"), actor=Actor(desk.user))


def handed_over(desk: Desk, file: Import) -> None:
    merge_players(player=Player.objects.get(name="Zora"), into=make_player(desk.club, "Zorro"), actor=Actor(desk.user))


def renamed_rules(desk: Desk, file: Import) -> None:
    rename_rule_set(rule_set=RuleSet.objects.get(name="Übernommen"), actor=Actor(desk.user), name="Früher")


def next_rules(desk: Desk, file: Import) -> None:
    rules = RuleSet.objects.get(name="Übernommen")
    change_rule_set(rule_set=rules, actor=Actor(desk.user), settings={**rules.settings, "won": 2})


@pytest.mark.parametrize("change", [renamed, *some([merged, merged_into, handed_over, renamed_rules, next_rules], 2)])
@pytest.mark.parametrize("data", [GAMES, in_soak("Datum;Anton;Zora\n1.3.24;3;-3\n")], ids=["games", "evenings"])
def test_what_was_changed_since_is_not_thrown_away(
    desk: Desk, change: Callable[[Desk, Import], None], data: str
) -> None:
    make_player(desk.club, "Zora")
    file = desk.bring_and_take(data.replace("Dora", "Zora"), rule_set="new")
    change(desk, file)
    before = everything()
    html = desk.client.post(f"/c/karo/imports/{file.pk}/undo/", follow=True).content.decode()
    assert "wurden seit der Übernahme geändert oder zusammengeführt" in html
    assert everything() == before


def test_a_merge_that_was_taken_apart_or_is_of_others_is_in_nobodys_way(desk: Desk) -> None:
    before = everything()
    file = desk.bring_and_take(REAL)
    anton, toni = Player.objects.get(name="Anton"), make_player(desk.club, "Toni")
    merge_players(player=anton, into=toni, actor=Actor(desk.user))
    part_player(player=anton, actor=Actor(desk.user))
    merge_players(player=make_player(desk.club, "Tono"), into=toni, actor=Actor(desk.user))
    desk.undo(file)
    Player.objects.filter(merged_into=toni).delete()
    toni.delete()
    assert everything() == before


def test_taking_back_asks_first_and_says_what_goes(desk: Desk) -> None:
    make_player(desk.club, "Emil")
    season = make_season(desk.club, "Saison 2024", datetime.date(2024, 1, 1), datetime.date(2024, 12, 31))
    make_season(desk.club, "Um Geld", datetime.date(2024, 1, 1), datetime.date(2024, 12, 31), unit="cents")
    file = desk.bring_and_take(REAL)
    for month in ("2024-01", "2024-02"):
        close(season, month)
    address = f"/c/karo/imports/{file.pk}/undo/"
    linked = "/result/" in desk.client.get(f"/c/karo/seasons/{season.pk}/2024-01/").content.decode()
    before = everything()
    assert f'href="{address}"' in desk.client.get(f"/c/karo/imports/{file.pk}/").content.decode()
    html = desk.client.get(address).content.decode()
    for said in ("90 Abende", "6 Personen", "2 abgeschlossene Monate", "Januar 2024 · Saison 2024", "Februar 2024"):
        assert said in html
    assert "Um Geld" not in html
    assert everything() == before
    html = desk.client.post(address, follow=True).content.decode()
    assert "Was von ihren Monaten veröffentlicht ist, bleibt, wie es ist" in html
    assert desk.client.get(address).status_code == 302
    assert MonthClosing.objects.count() == 2
    month = f"/c/karo/seasons/{season.pk}/2024-01/"
    assert linked and "/result/" not in desk.client.get(month).content.decode()
    html = desk.client.get(f"{month}close/").content.decode()
    assert "In diesem Monat hat jetzt niemand mehr gespielt. Ein leerer Monat wird nicht veröffentlicht." in html


def test_an_evening_with_another_table_is_not_taken_back(desk: Desk) -> None:
    file = desk.bring_and_take(REAL)
    evening = Evening.objects.first()
    Table.objects.create(evening=evening, number=2, rule_set=evening.tables.first().rule_set)
    desk.undo(file)
    assert Evening.objects.count() == 90


def test_a_file_that_waits_cannot_be_taken_back(desk: Desk) -> None:
    address = desk.bring(REAL)
    assert desk.client.post(f"{address}undo/").status_code == 302
    assert Import.objects.get().undone_at is None
