"""The end of an evening: planned games, forced and owed Pflichtsoli, and closing with the names of those present."""

from __future__ import annotations

import re
from html import unescape

from django.test import Client
from django.urls import reverse

from scoring.club.actions import Actor
from scoring.evenings.actions import add_table, close_evening
from scoring.models import Change, Evening, Table
from scoring.play.queries import read_records
from tests.factories import Cast, add_game, make_bock_table, make_rule_set, make_table
from tests.html import flat
from tests.table.views.asking import get_form_data, get_table_url


def get_text(html: str) -> str:
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]*>", "", html)))


def get_close_address(table: Table) -> str:
    return reverse("evening_close", args=["karo", table.evening_id])


def test_a_planned_evening_shows_its_progress(scorer: Client, cast: Cast) -> None:
    people = read_records(cast.table).current
    fields = {f"seat_{place}": player.pk for place, player in enumerate(people)}
    fields |= {"rule_set": cast.table.rule_set_id, "held_on": "2026-04-01", "planned_games": "20"}
    answer = scorer.post(reverse("evening_new", args=["karo"]), fields)
    table = Table.objects.latest("pk")
    assert (answer["Location"], table.planned_games) == (get_table_url(table), 20)
    add_game(table)
    assert "Spiel 2 von 20" in get_text(scorer.get(get_table_url(table)).content.decode())
    assert "von 20" not in get_text(scorer.get(get_table_url(cast.table)).content.decode())


def test_the_player_of_a_forced_solo_is_shown_and_preset(scorer: Client, cast: Cast) -> None:
    rules = make_rule_set(cast.club, "ddv", "kurz", duty_solo={"rounds": 1})
    table = make_table(cast.club, 5, rule_set=rules)
    for dealer in range(5):
        page = scorer.get(get_table_url(table))
        assert '<span class="bock-sign" hidden>Vorführung' in flat(page)
        assert "Pflichtsolo noch: alle" in get_text(page.content.decode())
        add_game(table, re=[(dealer + 1) % 5, (dealer + 2) % 5])
    page = scorer.get(get_table_url(table))
    assert "Vorführung: Bodo" in get_text(page.content.decode())
    assert "Pflichtsolo noch: alle anderen" in get_text(page.content.decode())
    for said in ("gibt: Ärmel", "spielt aus: Bodo", "sitzt aus: Ärmel"):
        assert said in get_text(page.content.decode())
    assert '<span class="quiet" hidden>an der Reihe:' in flat(page), "a forced solo is no deal out of turn"
    sent = get_form_data(page)
    assert (sent["re"], sent["duty"], sent["dealer"], sent["kind"]) == (["1"], ["on"], ["0"], [""])
    assert "Welches Solo?" in get_text(page.content.decode()), "it is not preset as a normal game with Bodo as Re"
    assert '<div class="tiles alone preset"' in flat(page), "he is not shown as tapped"
    answer = scorer.post(reverse("games", args=["karo", table.pk]), sent | {"band": "151-180"})
    assert (answer.status_code, "Bitte die Spielart wählen." in get_text(answer.content.decode())) == (422, True)
    scorer.post(reverse("games", args=["karo", table.pk]), sent | {"band": "151-180", "kind": "damensolo"})
    page = get_text(scorer.get(get_table_url(table)).content.decode())
    assert "Vorführung: Çelik" in page
    assert "Pflichtsolo noch: Ärmel, Özlem, Željko" in page, "her solo is forced, the others still owe one"


def test_after_the_planned_games_the_result_is_offered(scorer: Client, cast: Cast) -> None:
    table = make_table(cast.club)
    Table.objects.filter(pk=table.pk).update(planned_games=2)
    result = f'id="complete" href="{reverse("result", args=["karo", table.evening_id])}"'
    heads = []
    for _game in range(4):
        page = scorer.get(get_table_url(table))
        [head] = re.findall(r'<span data-head="number">(.*?)</span>', flat(page))
        heads.append((head, f"{result} hidden>" not in flat(page)))
        add_game(table)
    running, over = ["Spiel 1 von 2", "Spiel 2 von 2"], ["Alle 2 gespielt", "Alle 3 gespielt"]
    assert heads == [*((head, False) for head in running), *((head, True) for head in over)]


def test_the_head_of_a_closed_evening_has_no_next_game(scorer: Client, cast: Cast) -> None:
    table = make_bock_table(cast.club)
    add_game(table, re=[1, 2], eyes=100, re_said="said")

    def head() -> str:
        html = scorer.get(get_table_url(table)).content.decode()
        return get_text(html.partition('id="head"')[2].partition("</details>")[0])

    assert "Spiel 6" in head() and "Bock: noch 5" in head()
    close_evening(evening=table.evening, actor=Actor())
    assert "5 Spiele Fr, 6. März" in head()
    for said in ("Spiel 6", "Bock", "gibt", "spielt aus"):
        assert said not in head(), said


def test_an_owed_solo_is_a_warning_and_closing_is_possible(scorer: Client, cast: Cast) -> None:
    table = make_table(cast.club)
    add_game(table, kind="damensolo", duty=True, re=[2])
    people, rules = read_records(table).current, make_rule_set(cast.club, "vln")
    add_table(evening=table.evening, actor=Actor(), rule_set=rules, players=people)
    page = get_text(scorer.get(get_close_address(table)).content.decode())
    assert "Tisch 1: Pflichtsolo noch zu spielen: Ärmel, Bodo, Özlem. Abschließen geht trotzdem." in page
    assert "Tisch 2:" not in page
    assert scorer.post(get_close_address(table)).status_code == 302
    assert not Evening.objects.get(pk=table.evening_id).is_open


def test_the_players_present_are_stored_in_the_history(scorer: Client, cast: Cast) -> None:
    people = read_records(cast.table).current
    html = scorer.get(get_close_address(cast.table)).content.decode()
    boxes = re.findall(r'name="present"[^>]*value="(\d+)"[^>]*checked|name="present"[^>]*checked[^>]*value="(\d+)"', html)
    assert {int(a or b) for a, b in boxes} == {player.pk for player in people}
    other = read_records(cast.other_table).current[0]
    assert scorer.post(get_close_address(cast.table), {"present": [other.pk]}).status_code == 422
    assert Evening.objects.get(pk=cast.table.evening_id).is_open
    scorer.post(get_close_address(cast.table), {"present": [people[0].pk, people[2].pk]})
    change = Change.objects.get(verb="evening.closed")
    assert sorted(change.after["players"]) == [people[0].pk, people[2].pk]
    history = get_text(scorer.get(reverse("history", args=["karo"])).content.decode())
    assert "Abgezeichnet von" in history
    assert "Ärmel, Çelik" in history
