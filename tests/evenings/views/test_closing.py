"""What a table is told towards its end: how far it has come, who is made to play a Pflichtsolo, who still owes one when the
evening closes, and who signed it off."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.test import Client
from django.urls import reverse

from scoring.club.actions import Actor
from scoring.evenings.actions import add_table, close_evening
from scoring.models import Change, Evening, Table
from scoring.play.queries import read_records
from tests.factories import Cast, add_game, make_bock_table, make_rule_set, make_table
from tests.pages import flat
from tests.table.views.asking import page_of, seen_by, typed


@pytest.fixture
def scorer(cast: Cast) -> Client:
    return seen_by(cast.scorer)


def words(html: str) -> str:
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]*>", "", html)))


def closing(table: Table) -> str:
    return reverse("evening_close", args=["karo", table.evening_id])


def test_a_planned_evening_says_how_far_it_is(scorer: Client, cast: Cast) -> None:
    people = read_records(cast.table).current
    fields = {f"seat_{place}": player.pk for place, player in enumerate(people)}
    fields |= {"rule_set": cast.table.rule_set_id, "held_on": "2026-04-01", "planned_games": "20"}
    answer = scorer.post(reverse("evening_new", args=["karo"]), fields)
    table = Table.objects.latest("pk")
    assert (answer["Location"], table.planned_games) == (page_of(table), 20)
    add_game(table)
    assert "Spiel 2 von 20" in words(scorer.get(page_of(table)).content.decode())
    assert "von 20" not in words(scorer.get(page_of(cast.table)).content.decode())


@pytest.mark.parametrize("planned", ["0", "-1", "201", "x"])
def test_a_length_that_cannot_be_is_refused(scorer: Client, cast: Cast, planned: str) -> None:
    address = reverse("evening_new", args=["karo"])
    assert scorer.post(address, {"planned_games": planned}).status_code == 422


def test_who_is_made_to_play_is_said_and_marked(scorer: Client, cast: Cast) -> None:
    rules = make_rule_set(cast.club, "ddv", "kurz", duty_solo={"rounds": 1})
    table = make_table(cast.club, 5, rule_set=rules)
    for dealer in range(5):
        page = scorer.get(page_of(table))
        assert '<span class="bock-sign" hidden>Vorführung' in flat(page)
        assert "Pflichtsolo noch: alle" in words(page.content.decode())
        add_game(table, re=[(dealer + 1) % 5, (dealer + 2) % 5])
    page = scorer.get(page_of(table))
    assert "Vorführung: Bodo" in words(page.content.decode())
    assert "Pflichtsolo noch: alle anderen" in words(page.content.decode())
    for said in ("gibt: Ärmel", "spielt aus: Bodo", "sitzt aus: Ärmel"):
        assert said in words(page.content.decode())
    assert '<span class="quiet" hidden>an der Reihe:' in flat(page), "the one who is made to play is no odd deal"
    sent = typed(page)
    assert (sent["re"], sent["duty"], sent["dealer"], sent["kind"]) == (["1"], ["on"], ["0"], [""])
    assert "Welches Solo?" in words(page.content.decode()), "it is no normal game with Bodo as Re"
    assert '<div class="tiles alone preset"' in flat(page), "he is not shown as if he had been tapped"
    answer = scorer.post(reverse("games", args=["karo", table.pk]), sent | {"band": "151-180"})
    assert (answer.status_code, "Bitte die Spielart wählen." in words(answer.content.decode())) == (422, True)
    scorer.post(reverse("games", args=["karo", table.pk]), sent | {"band": "151-180", "kind": "damensolo"})
    page = words(scorer.get(page_of(table)).content.decode())
    assert "Vorführung: Çelik" in page
    assert "Pflichtsolo noch: Ärmel, Özlem, Željko" in page, "she is made to play: the others owe one besides"


def test_a_list_that_is_full_says_so_and_offers_the_result(scorer: Client, cast: Cast) -> None:
    table = make_table(cast.club)
    Table.objects.filter(pk=table.pk).update(planned_games=2)
    result = f'id="complete" href="{reverse("result", args=["karo", table.evening_id])}"'
    heads = []
    for _game in range(4):
        page = scorer.get(page_of(table))
        [head] = re.findall(r'<span data-head="number">(.*?)</span>', flat(page))
        heads.append((head, f"{result} hidden>" not in flat(page)))
        add_game(table)
    assert heads == [
        ("Spiel 1 von 2", False),
        ("Spiel 2 von 2", False),
        ("Alle 2 gespielt", True),
        ("Alle 3 gespielt", True),
    ]


def test_the_head_of_a_closed_evening_names_no_next_game(scorer: Client, cast: Cast) -> None:
    table = make_bock_table(cast.club)
    add_game(table, re=[1, 2], eyes=100, re_said="said")

    def head() -> str:
        return words(scorer.get(page_of(table)).content.decode().partition('id="head"')[2].partition("</details>")[0])

    assert "Spiel 6" in head() and "Bock: noch 5" in head()
    close_evening(evening=table.evening, actor=Actor())
    assert "5 Spiele Fr, 6. März" in head()
    for said in ("Spiel 6", "Bock", "gibt", "spielt aus"):
        assert said not in head(), said


def test_owing_at_the_end_is_a_warning_and_no_lock(scorer: Client, cast: Cast) -> None:
    table = make_table(cast.club)
    add_game(table, kind="damensolo", duty=True, re=[2])
    add_table(
        evening=table.evening, actor=Actor(), rule_set=make_rule_set(cast.club, "vln"),
        players=read_records(table).current,
    )  # fmt: skip
    page = words(scorer.get(closing(table)).content.decode())
    assert "Tisch 1: Pflichtsolo noch zu spielen: Ärmel, Bodo, Özlem. Abschließen geht trotzdem." in page
    assert "Tisch 2:" not in page
    assert scorer.post(closing(table)).status_code == 302
    assert not Evening.objects.get(pk=table.evening_id).is_open


def test_whoever_was_there_signs_the_sheet_off(scorer: Client, cast: Cast) -> None:
    people = read_records(cast.table).current
    html = scorer.get(closing(cast.table)).content.decode()
    boxes = re.findall(
        r'name="present"[^>]*value="(\d+)"[^>]*checked|name="present"[^>]*checked[^>]*value="(\d+)"', html
    )
    assert {int(a or b) for a, b in boxes} == {player.pk for player in people}
    scorer.post(closing(cast.table), {"present": [people[0].pk, people[2].pk]})
    change = Change.objects.get(verb="evening.closed")
    assert sorted(change.after["players"]) == [people[0].pk, people[2].pk]
    history = words(scorer.get(reverse("history", args=["karo"])).content.decode())
    assert "Abgezeichnet von" in history
    assert "Ärmel, Çelik" in history


def test_nobody_else_signs(scorer: Client, cast: Cast) -> None:
    other = read_records(cast.other_table).current[0]
    assert scorer.post(closing(cast.table), {"present": [other.pk]}).status_code == 422
    assert Evening.objects.get(pk=cast.table.evening_id).is_open
