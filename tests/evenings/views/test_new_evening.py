"""The form of a new evening without a script: taps, new names, refusals that keep the input, proposed games and days."""

from __future__ import annotations

import datetime
import re
from html import unescape
from typing import Any
from uuid import uuid4

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from scoring.club.actions import Actor
from scoring.evenings.actions import add_table, close_evening
from scoring.models import Change, Evening, Player, Seat, Table, Verb
from scoring.play.queries import read_records
from tests import fake_clock
from tests.factories import Cast, add_game, make_bock_table, make_player, make_rule_set, make_table
from tests.html import flat
from tests.table.views.asking import get_form_data, get_table_url

NEW = reverse("evening_new", args=["karo"])


def read_form(page: HttpResponse) -> dict[str, str]:
    """Return the fields that every button sends, without the typed name."""
    html = flat(page)
    sent = dict(re.findall(r'<input type="(?:hidden|date)" name="(\w+)" value="([^"]+)"', html))
    rules = re.search(r'name="rule_set".*?value="(\d+)" selected', html)
    return sent | ({"rule_set": rules[1]} if rules else {})


def list_seats(page: HttpResponse) -> list[str]:
    sent = read_form(page)
    return [sent[name] for name in sorted(sent) if name.startswith("seat_")]


def list_chips(page: HttpResponse) -> list[tuple[str, str]]:
    """Return the chips as the number or letter, and the name."""
    outside = re.sub(r"<template>.*?</template>", "", flat(page))
    return re.findall(r'<button class="chip".*?aria-hidden="true">(.)</span>(.*?)<span', outside)


def list_errors(page: HttpResponse) -> list[str]:
    return re.findall(r'(?:<p class="fault" role="alert">|class="invalid-feedback"><p [^>]*><strong>)(.*?)<', flat(page))


def tap(client: Client, page: HttpResponse, **button: Any) -> HttpResponse:
    answer: HttpResponse = client.post(NEW, {"proposed": ""} | read_form(page) | button)
    return answer


def people(cast: Cast) -> list[Player]:
    return [seat.player for seat in Seat.objects.filter(round__table=cast.table).order_by("place")]


def list_line_up(table: Table) -> list[str]:
    return list(Seat.objects.filter(round__table=table).order_by("place").values_list("player__name", flat=True))


def test_no_seat_is_taken_and_the_last_line_up_needs_one_tap(scorer: Client, cast: Cast) -> None:
    make_player(cast.club, "Aaron")
    page = scorer.get(NEW)
    assert list_seats(page) == []
    assert list_chips(page) == [("Ä", "Ärmel"), ("B", "Bodo"), ("Ç", "Çelik"), ("Ö", "Özlem"), ("A", "Aaron")]
    last = ",".join(str(player.pk) for player in people(cast))
    answers = [tap(scorer, page, line_up=last) for _tap in range(2)]
    table = Table.objects.latest("pk")
    same = [answer.headers["Location"] for answer in answers]
    assert same == [reverse("table", args=["karo", table.pk])] * 2, "a second tap opens no second evening"
    assert Evening.objects.filter(club=cast.club).count() == 2
    assert list_line_up(table) == ["Ärmel", "Bodo", "Çelik", "Özlem"]


def test_a_tap_takes_the_next_seat_and_a_second_frees_it(scorer: Client, cast: Cast) -> None:
    first, second, third, fourth = people(cast)
    page = scorer.get(NEW)
    for player in (third, first, second):
        page = tap(scorer, page, tap=player.pk)
        assert (page.status_code, list_errors(page)) == (200, [])
    assert list_chips(page) == [("2", "Ärmel"), ("3", "Bodo"), ("1", "Çelik"), ("Ö", "Özlem")]
    told = "<strong>Çelik gibt, dann Ärmel, Bodo.</strong><span>Noch eine Person, dann geht es los.</span>"
    assert told in flat(page)
    page = tap(scorer, page, tap=first.pk)
    assert list_chips(page) == [("Ä", "Ärmel"), ("2", "Bodo"), ("1", "Çelik"), ("Ö", "Özlem")]
    for player in (fourth, first):
        page = tap(scorer, page, tap=player.pk)
    assert Evening.objects.filter(club=cast.club).count() == 1
    assert tap(scorer, page, begin="1").status_code == 302
    assert list_line_up(Table.objects.latest("pk")) == ["Çelik", "Bodo", "Özlem", "Ärmel"]


def test_too_few_people_are_refused_and_stay_seated(scorer: Client, cast: Cast) -> None:
    page = tap(scorer, tap(scorer, scorer.get(NEW), tap=people(cast)[0].pk), begin="1", place="hier")
    assert page.status_code == 422
    assert list_errors(page) == ["An einen Tisch gehören vier bis acht verschiedene Personen dieses Clubs."]
    assert (list_seats(page), 'value="hier"' in flat(page)) == ([str(people(cast)[0].pk)], True)


def test_a_new_name_becomes_a_guest_when_the_evening_opens(scorer: Client, cast: Cast) -> None:
    first, second, third, _fourth = people(cast)
    page = scorer.get(NEW)
    for player in (first, second):
        page = tap(scorer, page, tap=player.pk)
    page = tap(scorer, page, add="1", newcomer="  Sabine   K. ")
    assert list_seats(page) == [str(first.pk), str(second.pk), "+Sabine K."]
    assert list_chips(page)[-1] == ("3", "Sabine K.")
    page = tap(scorer, page, tap=third.pk)
    assert "Neu, als Gast: Sabine K." in flat(page)
    assert not Player.objects.filter(name="Sabine K.").exists()
    answers = [tap(scorer, page, begin="1") for _tap in range(2)]
    guest = Player.objects.get(name="Sabine K.")
    assert guest.guest
    assert list_line_up(Table.objects.latest("pk")) == ["Ärmel", "Bodo", "Sabine K.", "Çelik"]
    assert Change.objects.filter(verb=Verb.PLAYER_ADDED, subject_id=str(guest.pk), actor=cast.scorer).count() == 1
    assert answers[0].headers["Location"] == answers[1].headers["Location"], "a second tap opens no evening"
    assert Evening.objects.filter(club=cast.club).count() == 2


def test_the_name_of_a_player_seats_that_player(scorer: Client, cast: Cast) -> None:
    """An active player, and one who had left and is back."""
    gone = make_player(cast.club, "Gero", left_on=datetime.date(2026, 1, 1))
    page = scorer.get(NEW)
    for name in ("bodo", "GERO", "Ärmel", "Çelik", "bodo"):
        page = tap(scorer, page, add="1", newcomer=name)
    assert list_errors(page) == []
    assert tap(scorer, page, begin="1").status_code == 302
    assert list_line_up(Table.objects.latest("pk")) == ["Bodo", "Gero", "Ärmel", "Çelik"]
    assert Player.objects.get(name="Gero") == gone


def test_an_invalid_name_is_an_error_of_its_field_and_stays(scorer: Client, cast: Cast) -> None:
    first, before = scorer.get(NEW), Player.objects.count()
    four = {f"seat_{place}": player.pk for place, player in enumerate(people(cast))}
    for name in ("x" * 41, "ver\u202ekehrt", "\u200b", "a\x00b"):
        page = tap(scorer, first, begin="1", newcomer=name, **four)
        assert page.status_code == 422
        assert page.context["form"].errors.keys() == {"newcomer"}
        assert page.context["form"]["newcomer"].value() == name
        assert (len(list_seats(page)), '<details id="new-name" open>' in flat(page)) == (4, True)
    for name in ("+", "+\u202e", "+" + "x" * 41):
        page = tap(scorer, first, begin="1", **four, seat_7=name)
        assert (page.status_code, bool(page.context["form"].seat_errors)) == (422, True)
    assert Player.objects.count() == before
    assert Evening.objects.filter(club=cast.club).count() == 1


def test_a_ninth_name_finds_no_seat(scorer: Client, cast: Cast) -> None:
    page = scorer.get(NEW)
    for number in range(8):
        page = tap(scorer, page, add="1", newcomer=f"Gast {number}")
    assert flat(page).count('aria-pressed="true"') == 8
    assert flat(page).count('aria-pressed="false" disabled') == 4 + 1, "the four players, and the chip of the template"
    page = tap(scorer, page, begin="1", newcomer="Neunte")
    assert list_errors(page) == ["An einen Tisch gehören vier bis acht verschiedene Personen dieses Clubs."]
    assert page.context["form"]["newcomer"].value() == "Neunte"


def test_a_player_who_left_meanwhile_can_be_removed_by_a_tap(scorer: Client, cast: Cast) -> None:
    page = scorer.get(NEW)
    for player in people(cast):
        page = tap(scorer, page, tap=player.pk)
    gone, *others = people(cast)
    make_player(cast.club, "Fünfte")
    Player.objects.filter(pk=gone.pk).update(left_on=datetime.date(2026, 3, 7))
    page = tap(scorer, page, begin="1")
    assert (page.status_code, list_chips(page)[-1]) == (422, ("1", "Unbekannt"))
    page = tap(scorer, page, tap=gone.pk)
    assert list_seats(page) == [str(player.pk) for player in others]


def get_planned(page: HttpResponse) -> str:
    [field] = re.findall(r'<input type="\w+" name="planned_games"[^>]*>', flat(page))
    return (re.findall(r'value="(\d+)"', field) or [""])[0]


def test_rules_with_a_pflichtsolo_propose_the_number_of_games(scorer: Client, cast: Cast) -> None:
    plain = make_rule_set(cast.club, "vln")
    fifth = make_player(cast.club, "Fünfte")
    page, planned = scorer.get(NEW), []
    planned.append(get_planned(page))
    for player in [*people(cast), fifth]:
        page = tap(scorer, page, tap=player.pk, planned_games=get_planned(page))
        planned.append(get_planned(page))
    assert planned == ["24", "", "", "", "24", "30"], "fewer than four have no proposal"
    sent = {"begin": "1", "beside": "1", "planned_games": "30"}
    for change, games in [({}, 30), ({"planned_games": "12"}, 12), ({"planned_games": ""}, None)]:
        scorer.post(NEW, read_form(page) | sent | change | {"key": str(uuid4())})
        assert Table.objects.latest("pk").planned_games == games
    # Other rules are chosen, and the number is still the proposed one.
    scorer.post(NEW, read_form(page) | sent | {"rule_set": plain.pk, "key": str(uuid4())})
    assert Table.objects.latest("pk").planned_games is None


def test_a_second_table_has_the_proposed_number_of_games(scorer: Client, cast: Cast) -> None:
    new = reverse("table_new", args=["karo", cast.table.evening_id])
    sent = {f"seat_{place}": player.pk for place, player in enumerate(people(cast))}
    sent |= {"rule_set": cast.table.rule_set_id, "proposed": get_planned(scorer.get(new))}
    for typed, games in [(sent["proposed"], 24), ("7", 7)]:
        scorer.post(new, sent | {"planned_games": typed})
        assert Table.objects.latest("pk").planned_games == games


def test_the_summary_shows_the_settings_and_opens_on_errors(monkeypatch: pytest.MonkeyPatch, scorer: Client, cast: Cast) -> None:
    fake_clock.begin(monkeypatch, "2026-11-26")
    page = flat(scorer.get(NEW))
    today_said = r'<details class="setting"><summary><span><strong data-said="held_on">Heute, \d+\. \w+</strong>'
    assert re.search(today_said, page)
    assert '<span class="quiet" data-said="rest">ddv · 24 Spiele</span>' in page
    sent = read_form(scorer.get(NEW)) | {"tap": "", "held_on": "2026-04-01", "place": "Zum <Fuchs>"}
    page = flat(scorer.post(NEW, sent))
    assert '<strong data-said="held_on">Mi, 1. April 2026</strong>' in page
    assert '<span class="quiet" data-said="rest">Zum <Fuchs> · ddv</span>' in page
    page = flat(scorer.post(NEW, sent | {"held_on": "gestern"}))
    assert '<details class="setting" open><summary><span><strong data-said="held_on">Datum</strong>' in page


# --- Which day --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("at", "day"), [("04:59+01:00", "2026-11-25"), ("05:00+01:00", "2026-11-26")])
def test_until_five_the_day_before_is_proposed(monkeypatch: pytest.MonkeyPatch, scorer: Client, at: str, day: str) -> None:
    """By the clock of the club. The page shows the date then instead of today."""
    fake_clock.begin(monkeypatch, "2026-11-26", at)
    page = scorer.get(NEW)
    assert read_form(page)["held_on"] == day
    assert ("Heute, 26. November" in flat(page)) is (day == "2026-11-26")
    assert ("Mi, 25. November 2026" in flat(page)) is (day == "2026-11-25")


def test_a_day_later_than_tomorrow_is_refused_at_its_field(monkeypatch: pytest.MonkeyPatch, scorer: Client, cast: Cast) -> None:
    fake_clock.begin(monkeypatch, "2026-11-26")
    last = ",".join(str(player.pk) for player in people(cast))
    page = tap(scorer, scorer.get(NEW), held_on="2026-11-28", line_up=last)
    assert list_errors(page) == ["Dieser Tag liegt in der Zukunft. Bitte einen Tag bis morgen (27.11.2026) angeben."]
    assert tap(scorer, page, held_on="2026-11-27", line_up=last).status_code == 302


def test_a_day_over_a_year_before_the_first_evening_needs_a_confirmation(scorer: Client, cast: Cast) -> None:
    last = ",".join(str(player.pk) for player in people(cast))
    page = tap(scorer, scorer.get(NEW), held_on="1950-03-06", tap=people(cast)[0].pk)
    assert list_errors(page) == [], "no question while people are tapped"
    page = tap(scorer, page, line_up=last)
    assert tap(scorer, scorer.get(NEW), held_on="2025-03-06", line_up=last).status_code == 302, "a year before"
    Evening.objects.filter(held_on="2025-03-06").update(held_on="2026-03-07")
    odd = "Dieser Tag liegt mehr als ein Jahr vor dem ersten Abend des Clubs (06.03.2026)."
    odd += " Stimmt das, bitte noch einmal absenden; sonst hier ändern."
    assert (page.status_code, list_errors(page)) == (422, [odd])
    assert list_errors(tap(scorer, page, held_on="1951-03-06", begin=1)) == [odd], "another day needs a new confirmation"
    assert tap(scorer, page, begin=1).status_code == 302
    assert str(Evening.objects.latest("pk")) == "06.03.1950"


# --- Two phones -------------------------------------------------------------------------------------------------------

RUNS = "Heute läuft schon ein Abend mit diesen vieren:"


def list_open_tables(page: HttpResponse) -> list[tuple[str, str]]:
    """Return the sentences about open evenings with the addresses of their tables."""
    shown = re.findall(r'<div class="panel conflict mb-3" role="\w+"([^>]*)>(.*?)</div>', flat(page))
    open_ones = [inside for attributes, inside in shown if not attributes.endswith("hidden")]
    return [re.search(r'<p class="mb-2">(.*?)</p>.*?href="(.*?)"', inside).groups() for inside in open_ones]


def test_a_second_phone_is_sent_to_the_open_evening(monkeypatch: pytest.MonkeyPatch, scorer: Client, cast: Cast) -> None:
    """In the form, for the same people and day only, and on sending; a second evening needs another tap."""
    fake_clock.begin(monkeypatch, "2026-11-26")
    first, second = scorer.get(NEW), scorer.get(NEW)
    assert list_open_tables(first) == [], "the table is of another day"
    last = ",".join(str(player.pk) for player in people(cast))
    assert tap(scorer, first, line_up=last).status_code == 302
    table = reverse("table", args=["karo", Table.objects.latest("pk").pk])
    page = tap(scorer, second, line_up=last)
    assert (page.status_code, list_open_tables(page)) == (409, [(RUNS, table)])
    assert Evening.objects.filter(held_on="2026-11-26").count() == 1
    again = tap(scorer, page, begin=1)
    assert (again.status_code, list_open_tables(again)) == (409, [(RUNS, table)])
    late = scorer.get(NEW)
    assert list_open_tables(late) == [(RUNS, table)]
    assert list_open_tables(tap(scorer, late, line_up=last)) == [(RUNS, table)], "showing it is no confirmation"
    assert tap(scorer, again, beside=1)["Location"] != table
    assert Evening.objects.filter(held_on="2026-11-26").count() == 2


def test_other_people_days_and_closed_evenings_are_no_conflict(monkeypatch: pytest.MonkeyPatch, scorer: Client, cast: Cast) -> None:
    fake_clock.begin(monkeypatch, "2026-11-26")
    sitting = people(cast)
    last = ",".join(str(player.pk) for player in sitting)
    tap(scorer, scorer.get(NEW), line_up=last)
    table = Table.objects.latest("pk")
    five = f"{last},{make_player(cast.club, 'Fünfte').pk}"
    assert tap(scorer, scorer.get(NEW), line_up=five).status_code == 302
    second = reverse("table", args=["karo", Table.objects.latest("pk").pk])
    running = list_open_tables(tap(scorer, scorer.get(NEW), line_up=five))
    assert running == [("Heute läuft schon ein Abend mit diesen fünfen:", second)]
    assert tap(scorer, scorer.get(NEW), line_up=last, held_on="2026-11-25").status_code == 302
    before = tap(scorer, scorer.get(NEW), line_up=last, held_on="2026-11-25")
    ((sentence, _address),) = list_open_tables(before)
    assert sentence == "Am 25.11.2026 läuft schon ein Abend mit diesen vieren:"
    close_evening(evening=table.evening, actor=Actor())
    assert tap(scorer, scorer.get(NEW), line_up=last).status_code == 302


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
