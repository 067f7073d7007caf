"""Test Bock at the table, and Bock games carried on from an earlier evening."""

from __future__ import annotations

import datetime
import io
import re
from html import unescape
from typing import Any

import openpyxl
import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django.utils.html import strip_tags

from scoring.club.actions import Actor
from scoring.evenings.actions import close_evening, discard_evening
from scoring.models import Evening, Game, RuleSet, Table
from scoring.play.queries import read_records, read_sheet
from tests.client import visit
from tests.factories import Cast, add_game, make_player, make_rule_set, make_table
from tests.html import flat, unmarked
from tests.table.views.asking import build_entry, get_form_data, get_game_url, get_games_url, get_table_url, send
from tests.table.views.test_live import Watcher

LOST = {"kind": "normal", "re": [0, 1], "eyes": 100, "re_said": "said"}


@pytest.fixture
def table(cast: Cast) -> Table:
    return make_table(cast.club, rule_set=make_rule_set(cast.club, "anleitung"))


def by_hand(cast: Cast, **bock: object) -> Table:
    rules = {"triggers": ["manual"], "per_game": "each", **bock}
    return make_table(cast.club, rule_set=make_rule_set(cast.club, "anleitung", "Hand", bock=rules))


def head(client: Client, table: Table) -> str:
    return re.search(r'data-head="bock"[^>]*>([^<]*)<', flat(client.get(get_table_url(table))))[1]


def heading(client: Client, game: object) -> str:
    page = client.get(get_game_url(game)).content.decode()
    found = re.findall(r"<h1.*?</h1>", page, re.S)[:1] + re.findall(r'<span class="bock-sign">.*?</span>', page, re.S)
    return " ".join(re.sub(r"<[^>]*>", "", unescape(" ".join(found))).split())


def test_the_head_says_how_many_are_left_and_who_started_them(scorer: Client, table: Table) -> None:
    add_game(table, form="penalty", points=[-3, 1, 1, 1], reason="Nicht bedient")
    before = add_game(table).game
    assert head(scorer, table) == ""
    assert "starts_bock" not in get_form_data(scorer.get(get_table_url(table))), "these rules start none by hand"
    following = send(scorer, get_games_url(table), build_entry(before, **LOST)).json()["next"]
    assert (following["bock"], following["bock_from"], following["bock_runs"]) == ([1, 1, 1, 1], [2], [[2, 4]])
    assert following["bock_origin"] == "aus Spiel 2"
    assert head(scorer, table) == "Bock: noch 4 aus Spiel 2"
    lost = Game.objects.filter(round__table=table).latest("position")
    assert "<dt>Bringt</dt><dd>4 Bockspiele</dd>" in unescape(scorer.get(get_game_url(lost)).content.decode())
    add_game(table, **LOST)
    assert head(scorer, table) == "Bock: noch 7: 3 aus Spiel 2, 4 aus Spiel 3", "the later Bock comes second"
    for _ in range(3):
        bock = add_game(table).game
    assert head(scorer, table) == "Bock: noch 4 aus Spiel 3"
    assert heading(scorer, bock) == "Spiel 6 Bock ×2 aus Spiel 2"


def test_parallel_bocks_come_from_several_games(scorer: Client, cast: Cast) -> None:
    table = by_hand(cast, overlap="stack", cap=4)
    add_game(table, starts_bock=1)
    add_game(table, starts_bock=1)
    assert head(scorer, table) == "Bock: noch 4 (×4) aus den Spielen 1, 2"
    game = add_game(table).game
    assert heading(scorer, game) == "Spiel 3 Bock ×4 aus den Spielen 1, 2"


def test_a_bock_by_hand_is_one_pill(scorer: Client, cast: Cast) -> None:
    table = by_hand(cast)
    sent = get_form_data(scorer.get(get_table_url(table))) | {"re": ["0", "1"], "eyes": ["130"]}
    assert sent["starts_bock"] == ["0"]
    assert scorer.post(get_games_url(table), sent | {"starts_bock": ["1"]}).status_code == 302
    assert head(scorer, table) == "Bock: noch 4 aus Spiel 1"


@pytest.mark.parametrize(("per_game", "standing", "pills"), [("one", 0, "01"), ("one", 3, "013"), ("each", 0, "0123")])
def test_there_is_a_pill_for_each_possible_number_of_bocks(
    scorer: Client, cast: Cast, per_game: str, standing: int, pills: str
) -> None:
    game = add_game(by_hand(cast, per_game=per_game), starts_bock=standing).game
    page = scorer.get(get_game_url(game)).content.decode()
    assert re.findall(r'name="starts_bock" value="(\d)"', page) == list(pills)
    fewer = f"Selbst eingetragen sind {standing} Böcke; nach diesen Regeln hat nur einer begonnen."
    assert (fewer in unescape(page)) == (standing > 1)


def test_more_bocks_than_there_are_pills_survive_a_correction(scorer: Client, cast: Cast) -> None:
    table = by_hand(cast)
    game = add_game(table, starts_bock=7).game
    sent = get_form_data(scorer.get(get_game_url(game)))
    assert sent["starts_bock"] == ["7"]
    shown = scorer.post(get_game_url(game), sent | {"eyes": ["160"]})
    assert shown.status_code == 200
    assert scorer.post(get_game_url(game), get_form_data(shown) | {"confirm": "1"}).status_code == 302
    game.refresh_from_db()
    assert game.facts["starts_bock"] == 7


def test_the_preview_of_a_correction_shows_the_changed_chain(scorer: Client, table: Table) -> None:
    first = add_game(table).game
    for _ in range(5):
        add_game(table)
    sent = get_form_data(scorer.get(get_game_url(first))) | {"eyes": ["100"], "re_said": ["said"]}
    lines = effects(scorer.post(get_game_url(first), sent))
    assert lines[0] == "Spiel 1: bisher 1 (Re), jetzt 8 (Kontra), bringt 4 Bockspiele"
    assert lines[1:5] == [f"Spiel {n}: bisher 1, jetzt 2 (Bock ×2)" for n in (2, 3, 4, 5)]
    assert not any(line.startswith("Spiel 6") for line in lines)


DAY = datetime.date(2026, 3, 13)


@pytest.fixture
def rules(cast: Cast) -> RuleSet:
    return make_rule_set(cast.club, "anleitung", "Wir", bock={"carry": True})


@pytest.fixture
def first(cast: Cast, rules: RuleSet) -> Table:
    """Return the table of the last evening, with three open Bock games."""
    table = make_table(cast.club, rule_set=rules, held_on=DAY)
    add_game(table, **LOST)
    add_game(table)
    return Table.objects.get(pk=table.pk)


def text(response: Any) -> str:
    return re.sub(r"\s+", " ", unescape(response.content.decode()))


def sent_by(page: Any) -> dict[str, Any]:
    """Return what a browser would send from the form for a new table. If no player is seated, take the last line-up that the
    page offers."""
    forms = re.findall(r"<form.*?</form>", page.content.decode(), re.S)
    (form,) = (form for form in forms if 'name="seat_0"' in form)
    sent: dict[str, Any] = {}
    for tag in re.findall(r"<input[^>]*>", form):
        found = dict(re.findall(r'([a-z-]+)="([^"]*)"', tag))
        if found["type"] != "checkbox" or re.search(r"\schecked\b", tag):
            sent[found["name"]] = unescape(found.get("value", "on" if found["type"] == "checkbox" else ""))
    for name, options in re.findall(r'<select name="(\w+)".*?>(.*?)</select>', form, re.S):
        chosen = re.search(r'<option value="([^"]*)" selected', options)
        sent[name] = chosen[1] if chosen else ""
    last = re.search(r'name="line_up" value="([\d,]+)"', form)
    if last and not sent["seat_0"]:
        sent |= {f"seat_{place}": pk for place, pk in enumerate(last[1].split(","))}
    return sent


def as_offered(client: Client, address: str, **changes: Any) -> dict[str, Any]:
    """Return what the untouched form sends, with these changes."""
    return sent_by(client.get(address)) | changes


NEW = reverse("evening_new", args=["karo"])


def newest() -> Table:
    return Table.objects.latest("pk")


def test_a_new_evening_offers_open_bock_games_as_a_ticked_box(scorer: Client, first: Table) -> None:
    page = scorer.get(NEW)
    assert "Böcke vom 13.03.2026 gehen weiter: noch 3" in text(page)
    sent = as_offered(scorer, NEW)
    assert (sent["carry"], sent["offered"]) == ("on", str(first.pk))
    unticked = {name: value for name, value in sent.items() if name != "carry"}
    assert sent_by(scorer.post(NEW, sent | {"draw": "1"}))["carry"] == "on", "a draw keeps the box as it was"
    assert "carry" not in sent_by(scorer.post(NEW, unticked | {"draw": "1"}))
    assert scorer.post(NEW, unticked).status_code == 302
    assert (newest().carries_on, head(scorer, newest())) == (None, "")
    discard_evening(evening=newest().evening, actor=Actor())
    assert scorer.post(NEW, sent).status_code == 302
    assert newest().carries_on == first
    assert head(scorer, newest()) == "Bock: noch 3 aus dem Abend vom 13.03.2026, Spiel 1"
    assert "Böcke vom 13.03.2026 gehen" not in text(scorer.get(NEW)), "another table carries them on"


def test_a_changed_offer_is_confirmed_again(cast: Cast, scorer: Client, first: Table) -> None:
    """The offer depends on the players: if it changes, the form is shown again and nothing is saved."""
    sent = as_offered(scorer, NEW, seat_3=str(make_player(cast.club, "Gast").pk))
    page = scorer.post(NEW, sent)
    assert page.status_code == 422
    assert "gehen keine übrigen Böcke weiter" in text(page)
    again = sent_by(page)
    assert again["offered"] == "" and "carry" not in again
    back = scorer.post(NEW, again | {"seat_3": as_offered(scorer, NEW)["seat_3"]})
    assert back.status_code == 422 and "Bitte ansehen und noch einmal bestätigen" in text(back)
    assert "Böcke vom 13.03.2026 gehen weiter: noch 3" in text(back)
    assert not Evening.objects.filter(held_on=timezone.localdate()).exists()
    assert scorer.post(NEW, sent_by(back)).status_code == 302
    assert newest().carries_on == first


def test_a_mistake_elsewhere_keeps_the_offer(scorer: Client, first: Table) -> None:
    page = scorer.post(NEW, as_offered(scorer, NEW, planned_games="0"))
    assert page.status_code == 422
    page = scorer.post(NEW, sent_by(page) | {"planned_games": "12"})
    while page.status_code == 422:
        sent = sent_by(page)
        assert sent["carry"] == "on"
        page = scorer.post(NEW, sent)
    assert newest().carries_on == first


def test_another_table_of_an_evening_asks_too(cast: Cast, scorer: Client, first: Table, rules: RuleSet) -> None:
    evening = make_table(cast.club, held_on=DAY + datetime.timedelta(days=7)).evening
    address = reverse("table_new", args=["karo", evening.pk])
    seats = {f"seat_{n}": str(player.pk) for n, player in enumerate(read_records(first).current)}
    asked = scorer.post(address, as_offered(scorer, address, rule_set=str(rules.pk), **seats))
    assert asked.status_code == 422 and "gehen weiter: noch 3" in text(asked)
    assert scorer.post(address, sent_by(asked)).status_code == 302
    assert (newest().carries_on, newest().number) == (first, 2)


# --- At a running table -----------------------------------------------------------------------------------------------


@pytest.fixture
def second(cast: Cast, first: Table, rules: RuleSet) -> Table:
    """Return the table of the next evening, with two games; it carries nothing on yet."""
    table = make_table(cast.club, rule_set=rules, held_on=DAY + datetime.timedelta(days=7))
    for _ in range(2):
        add_game(table)
    return table


def carry_page(table: Table) -> str:
    return reverse("table_carry", args=["karo", table.pk])


def hidden(response: Any, name: str) -> str:
    return re.search(rf'name="{name}" value="([^"]*)"', flat(response))[1]


def put(client: Client, table: Table, earlier: Table | None) -> Any:
    """Select a table, read the preview from the page, and save."""
    shown = client.get(carry_page(table), {"earlier": earlier.pk if earlier else ""})
    sent = {name: hidden(shown, name) for name in ("earlier", "seen")}
    return client.post(carry_page(table), sent)


def effects(response: Any) -> list[str]:
    found = re.search(r'id="effects".*?</div>', unmarked(response.content.decode()), re.S)
    return [strip_tags(line) for line in re.findall(r"<li>(.*?)</li>", unescape(found[0]))]


def test_bock_games_are_carried_on_and_dropped_after_a_preview(cast: Cast, scorer: Client, first: Table, second: Table) -> None:
    assert carry_page(second) in scorer.get(get_table_url(second)).content.decode()
    page = scorer.get(carry_page(second))
    assert "13.03.2026, Tisch 1, Wir: noch 3" in text(page)
    shown = effects(scorer.get(carry_page(second), {"earlier": first.pk}))
    assert shown[:2] == ["Spiel 1: bisher 1, jetzt 2 (Bock ×2)", "Spiel 2: bisher 1, jetzt 2 (Bock ×2)"]
    assert put(scorer, second, first).status_code == 302
    assert head(scorer, second) == "Bock: noch 1 aus dem Abend vom 13.03.2026, Spiel 1"
    game = read_records(second).games[0]
    assert heading(scorer, game) == "Spiel 1 Bock ×2 aus dem Abend vom 13.03.2026, Spiel 1"
    said = "Übrige Böcke vom 13.03.2026 gingen hier weiter: noch 3 Bockspiele, aus dem Abend vom 13.03.2026, Spiel 1."
    assert said in text(scorer.get(get_table_url(second)))
    assert said in text(scorer.get(reverse("paper", args=["karo", second.evening_id])))
    page = text(visit(cast.reader).get(get_table_url(second)))
    assert "gingen hier weiter" in page and "Übrige Böcke weiterspielen" not in page
    file = scorer.get(reverse("evening_excel", args=["karo", second.evening_id])).content
    assert openpyxl.load_workbook(io.BytesIO(file))["Zettel"]["A3"].value == said
    assert put(scorer, second, None).status_code == 302
    assert head(scorer, second) == ""
    history = text(scorer.get(reverse("history", args=["karo"])))
    assert "Übrige Böcke eines früheren Abends" in history and "Tisch 1 am 13.03.2026" in history


def test_refusals_on_the_page(cast: Cast, scorer: Client, first: Table, second: Table) -> None:
    assert scorer.post(carry_page(second), {"earlier": str(second.pk)}).status_code == 422
    stale = scorer.post(carry_page(second), {"earlier": str(first.pk), "seen": "0-0"})
    assert stale.status_code == 409 and "noch einmal ansehen" in text(stale)
    other = make_table(cast.club, preset="anleitung", held_on=DAY + datetime.timedelta(days=8))
    shown = scorer.get(carry_page(other), {"earlier": first.pk})
    assert "verfallen übrige Bockspiele" in text(shown)
    assert put(scorer, other, first).status_code == 422
    close_evening(evening=second.evening, actor=Actor())
    assert scorer.post(carry_page(second), {"earlier": str(first.pk), "seen": "x"}).status_code == 302
    assert Table.objects.get(pk=second.pk).carries_on is None
    admin = visit(cast.admin)
    assert put(admin, second, first).status_code == 302
    assert Table.objects.get(pk=second.pk).carries_on == first


def test_a_correction_names_the_later_evening(cast: Cast, scorer: Client, first: Table, second: Table) -> None:
    put(scorer, second, first)
    game = read_records(first).games[0]
    typed = get_form_data(scorer.get(get_game_url(game))) | {"eyes": ["130"], "re_said": ["none"]}
    lines = effects(scorer.post(get_game_url(game), typed))
    assert "Abend vom 20.03.2026: Spiel 1: bisher 2 (Bock ×2), jetzt 1" in lines
    assert "Abend vom 20.03.2026: Ärmel: Summe 4 → 2" in lines
    as_json = send(scorer, get_game_url(game), {"version": 1, "kind": "normal", "re": [0, 1], "eyes": 130}).json()
    assert [effect["table"] for effect in as_json["effects"]] == [first.pk] * 2 + [second.pk] * 2
    close_evening(evening=second.evening, actor=Actor())
    closed = scorer.post(get_game_url(game), typed)
    assert any(line.startswith("Abend vom 20.03.2026 (abgeschlossen): Spiel 1") for line in effects(closed))
    refused = scorer.post(get_game_url(game), get_form_data(closed) | {"confirm": ["1"]})
    assert refused.status_code == 409 and "abgeschlossenen Abend vom 20.03.2026" in text(refused)
    assert visit(cast.admin).post(get_game_url(game), get_form_data(closed) | {"confirm": ["1"]}).status_code == 302
    assert not read_sheet(second).next.levels


def test_a_game_added_later_names_the_changed_later_evening(scorer: Client, first: Table, second: Table) -> None:
    add_game(second)
    put(scorer, second, first)
    last = read_records(first).games[-1]
    answer = send(scorer, get_games_url(first), build_entry(after=str(last.key), kind="normal", re=[0, 1], eyes=130)).json()
    assert "Am Abend vom 20.03.2026 ändert sich dadurch 1 Zeile." in answer["remarks"]
    taken_back = scorer.post(reverse("undo", args=["karo", first.pk]), {"change": answer["change"]}, follow=True)
    assert "Am Abend vom 20.03.2026 ändert sich dadurch 1 Zeile." in text(taken_back)


def test_the_phones_of_the_later_evening_notice(cast: Cast, scorer: Client, first: Table, second: Table) -> None:
    watcher = Watcher(second, cast.reader)
    assert watcher.ask() == 200 and watcher.news["chain"] == []
    put(scorer, second, first)
    assert watcher.ask() == 200
    assert (watcher.news["chain"], [line["bock"] for line in watcher.lines]) == ([1, 1, 1], [1, 1])
    assert watcher.ask() == 304
    add_game(first)
    assert watcher.ask() == 200 and watcher.news["chain"] == [1, 1]
    assert watcher.news["next"]["bock"] == []
