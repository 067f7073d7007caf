"""The page that seats people for a new evening, as its form works without a script: one tap after the other, a new name in
place, and what is refused without being lost."""

from __future__ import annotations

import datetime
import re
from typing import Any
from uuid import uuid4

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from scoring.club.actions import Actor
from scoring.evenings.actions import close_evening
from scoring.models import Change, Evening, Player, Seat, Table, Verb
from tests import today
from tests.factories import Cast, make_player, make_rule_set
from tests.pages import flat
from tests.table.views.asking import seen_by

NEW = reverse("evening_new", args=["karo"])


@pytest.fixture
def scorer(cast: Cast) -> Client:
    return seen_by(cast.scorer)


def sent_by(page: HttpResponse) -> dict[str, str]:
    """What the form sends whatever button is tapped, but the name that is typed."""
    html = flat(page)
    sent = dict(re.findall(r'<input type="(?:hidden|date)" name="(\w+)" value="([^"]+)"', html))
    rules = re.search(r'name="rule_set".*?value="(\d+)" selected', html)
    return sent | ({"rule_set": rules[1]} if rules else {})


def seated(page: HttpResponse) -> list[str]:
    """Who sits there by the fields of the form."""
    sent = sent_by(page)
    return [sent[name] for name in sorted(sent) if name.startswith("seat_")]


def chips(page: HttpResponse) -> list[tuple[str, str]]:
    """Every person that can be tapped, with the number or letter beside the name."""
    outside = re.sub(r"<template>.*?</template>", "", flat(page))
    return re.findall(r'<button class="chip".*?aria-hidden="true">(.)</span>(.*?)<span', outside)


def faults(page: HttpResponse) -> list[str]:
    return re.findall(
        r'(?:<p class="fault" role="alert">|class="invalid-feedback"><p [^>]*><strong>)(.*?)<', flat(page)
    )


def tap(client: Client, page: HttpResponse, **button: Any) -> HttpResponse:
    answer: HttpResponse = client.post(NEW, {"proposed": ""} | sent_by(page) | button)
    return answer


def people(cast: Cast) -> list[Player]:
    return [seat.player for seat in Seat.objects.filter(round__table=cast.table).order_by("place")]


def line_up(table: Table) -> list[str]:
    return list(Seat.objects.filter(round__table=table).order_by("place").values_list("player__name", flat=True))


def test_nobody_sits_there_and_the_last_line_up_is_one_tap(scorer: Client, cast: Cast) -> None:
    make_player(cast.club, "Aaron")
    page = scorer.get(NEW)
    assert seated(page) == []
    assert chips(page) == [("Ä", "Ärmel"), ("B", "Bodo"), ("Ç", "Çelik"), ("Ö", "Özlem"), ("A", "Aaron")]
    answer = tap(scorer, page, line_up=",".join(str(player.pk) for player in people(cast)))
    table = Table.objects.latest("pk")
    assert answer.headers["Location"] == reverse("table", args=["karo", table.pk])
    assert line_up(table) == ["Ärmel", "Bodo", "Çelik", "Özlem"]


def test_a_tap_gives_the_next_place_and_another_takes_it_away(scorer: Client, cast: Cast) -> None:
    first, second, third, fourth = people(cast)
    page = scorer.get(NEW)
    for player in (third, first, second):
        page = tap(scorer, page, tap=player.pk)
        assert (page.status_code, faults(page)) == (200, [])
    assert chips(page) == [("2", "Ärmel"), ("3", "Bodo"), ("1", "Çelik"), ("Ö", "Özlem")]
    assert "<strong>Çelik gibt, dann Ärmel, Bodo.</strong><span>Noch eine Person, dann geht es los.</span>" in flat(
        page
    )
    page = tap(scorer, page, tap=first.pk)
    assert chips(page) == [("Ä", "Ärmel"), ("2", "Bodo"), ("1", "Çelik"), ("Ö", "Özlem")]
    for player in (fourth, first):
        page = tap(scorer, page, tap=player.pk)
    assert Evening.objects.filter(club=cast.club).count() == 1
    assert tap(scorer, page, begin="1").status_code == 302
    assert line_up(Table.objects.latest("pk")) == ["Çelik", "Bodo", "Özlem", "Ärmel"]


def test_a_year_that_was_not_finished_is_refused(scorer: Client, cast: Cast) -> None:
    seats = ",".join(str(player.pk) for player in people(cast))
    refused = scorer.post(NEW, sent_by(scorer.get(NEW)) | {"held_on": "0026-03-06", "line_up": seats})
    assert refused.status_code == 422 and Evening.objects.filter(club=cast.club).count() == 1
    assert faults(refused) == ["Bitte einen Tag ab 1950 angeben."]


def test_too_few_are_told_so_where_they_sit(scorer: Client, cast: Cast) -> None:
    page = tap(scorer, tap(scorer, scorer.get(NEW), tap=people(cast)[0].pk), begin="1", place="hier")
    assert page.status_code == 422
    assert faults(page) == ["An einen Tisch gehören vier bis acht verschiedene Personen dieses Clubs."]
    assert (seated(page), 'value="hier"' in flat(page)) == ([str(people(cast)[0].pk)], True)


def test_a_new_name_is_a_guest_once_the_evening_begins(scorer: Client, cast: Cast) -> None:
    first, second, third, _fourth = people(cast)
    page = scorer.get(NEW)
    for player in (first, second):
        page = tap(scorer, page, tap=player.pk)
    page = tap(scorer, page, add="1", newcomer="  Sabine   K. ")
    assert seated(page) == [str(first.pk), str(second.pk), "+Sabine K."]
    assert chips(page)[-1] == ("3", "Sabine K.")
    page = tap(scorer, page, tap=third.pk)
    assert "Neu, als Gast: Sabine K." in flat(page)
    assert not Player.objects.filter(name="Sabine K.").exists()

    answers = [tap(scorer, page, begin="1") for _tap in range(2)]

    guest = Player.objects.get(name="Sabine K.")
    assert guest.guest
    assert line_up(Table.objects.latest("pk")) == ["Ärmel", "Bodo", "Sabine K.", "Çelik"]
    assert Change.objects.filter(verb=Verb.PLAYER_ADDED, subject_id=str(guest.pk), actor=cast.scorer).count() == 1
    assert answers[0].headers["Location"] == answers[1].headers["Location"], "a second tap begins nothing"
    assert Evening.objects.filter(club=cast.club).count() == 2


def test_a_name_that_is_only_typed_counts(scorer: Client, cast: Cast) -> None:
    page = scorer.get(NEW)
    for player in people(cast)[:3]:
        page = tap(scorer, page, tap=player.pk)
    assert tap(scorer, page, begin="1", newcomer="Sabine").status_code == 302
    assert line_up(Table.objects.latest("pk")) == ["Ärmel", "Bodo", "Çelik", "Sabine"]


def test_a_name_that_the_club_has_is_that_person(scorer: Client, cast: Cast) -> None:
    """Somebody who can be tapped, and somebody who had left and is back."""
    gone = make_player(cast.club, "Gero", left_on=datetime.date(2026, 1, 1))
    page = scorer.get(NEW)
    for name in ("bodo", "GERO", "Ärmel", "Çelik", "bodo"):
        page = tap(scorer, page, add="1", newcomer=name)
    assert faults(page) == []
    assert tap(scorer, page, begin="1").status_code == 302
    assert line_up(Table.objects.latest("pk")) == ["Bodo", "Gero", "Ärmel", "Çelik"]
    assert Player.objects.get(name="Gero") == gone


@pytest.mark.parametrize("name", ["x" * 41, "ver\u202ekehrt", "\u200b", "a\x00b"])
def test_a_name_that_cannot_be_is_said_at_its_field_and_stays(scorer: Client, cast: Cast, name: str) -> None:
    page = scorer.get(NEW)
    for player in people(cast):
        page = tap(scorer, page, tap=player.pk)
    page = tap(scorer, page, begin="1", newcomer=name)
    assert page.status_code == 422
    assert page.context["form"].errors.keys() == {"newcomer"}
    assert page.context["form"]["newcomer"].value() == name
    assert len(seated(page)) == 4
    assert '<details id="new-name" open>' in flat(page)
    assert Evening.objects.filter(club=cast.club).count() == 1


def test_a_name_that_was_never_typed_into_the_page_is_refused(scorer: Client, cast: Cast) -> None:
    before = Player.objects.count()
    for name in ("+", "+\u202e", "+" + "x" * 41):
        page = tap(
            scorer, scorer.get(NEW), begin="1", seat_7=name, **{f"seat_{n}": p.pk for n, p in enumerate(people(cast))}
        )
        assert (page.status_code, bool(page.context["form"].seat_faults)) == (422, True)
    assert (Evening.objects.filter(club=cast.club).count(), Player.objects.count()) == (1, before)


def test_a_ninth_finds_no_place(scorer: Client, cast: Cast) -> None:
    page = scorer.get(NEW)
    for number in range(8):
        page = tap(scorer, page, add="1", newcomer=f"Gast {number}")
    assert flat(page).count('aria-pressed="true"') == 8
    assert flat(page).count('aria-pressed="false" disabled') == 4 + 1, (
        "the people of the club, and the one of the template"
    )
    page = tap(scorer, page, begin="1", newcomer="Neunte")
    assert faults(page) == ["An einen Tisch gehören vier bis acht verschiedene Personen dieses Clubs."]
    assert page.context["form"]["newcomer"].value() == "Neunte"


def test_who_left_while_people_were_tapped_can_be_tapped_away(scorer: Client, cast: Cast) -> None:
    page = scorer.get(NEW)
    for player in people(cast):
        page = tap(scorer, page, tap=player.pk)
    gone, *others = people(cast)
    make_player(cast.club, "Fünfte")
    Player.objects.filter(pk=gone.pk).update(left_on=datetime.date(2026, 3, 7))
    page = tap(scorer, page, begin="1")
    assert (page.status_code, chips(page)[-1]) == (422, ("1", "Unbekannt"))
    page = tap(scorer, page, tap=gone.pk)
    assert seated(page) == [str(player.pk) for player in others]


def planned_by(page: HttpResponse) -> str:
    """How many games the form says are planned."""
    [field] = re.findall(r'<input type="\w+" name="planned_games"[^>]*>', flat(page))
    return (re.findall(r'value="(\d+)"', field) or [""])[0]


def test_rules_with_a_pflichtsolo_propose_how_many_games_there_are(scorer: Client, cast: Cast) -> None:
    plain = make_rule_set(cast.club, "vln")
    fifth = make_player(cast.club, "Fünfte")
    page, planned = scorer.get(NEW), []
    planned.append(planned_by(page))
    for player in [*people(cast), fifth]:
        page = tap(scorer, page, tap=player.pk, planned_games=planned_by(page))
        planned.append(planned_by(page))
    assert planned == ["24", "", "", "", "24", "30"], "there is no list of fewer than four"
    sent = {"begin": "1", "beside": "1", "planned_games": "30"}
    for change, games in [({}, 30), ({"planned_games": "12"}, 12), ({"planned_games": ""}, None)]:
        scorer.post(NEW, sent_by(page) | sent | change | {"key": str(uuid4())})
        assert Table.objects.latest("pk").planned_games == games
    # Other rules were chosen since, and the number is the one that was proposed.
    scorer.post(NEW, sent_by(page) | sent | {"rule_set": plain.pk, "key": str(uuid4())})
    assert Table.objects.latest("pk").planned_games is None


def test_a_further_table_has_as_many_games_as_its_rules_propose(scorer: Client, cast: Cast) -> None:
    new = reverse("table_new", args=["karo", cast.table.evening_id])
    sent = {f"seat_{place}": player.pk for place, player in enumerate(people(cast))}
    sent |= {"rule_set": cast.table.rule_set_id, "proposed": planned_by(scorer.get(new))}
    for typed, games in [(sent["proposed"], 24), ("7", 7)]:
        scorer.post(new, sent | {"planned_games": typed})
        assert Table.objects.latest("pk").planned_games == games


def test_the_one_line_says_what_is_behind_it_and_opens_where_something_is_wrong(
    monkeypatch: pytest.MonkeyPatch, scorer: Client, cast: Cast
) -> None:
    today.begin(monkeypatch, "2026-11-26")
    page = flat(scorer.get(NEW))
    assert re.search(
        r'<details class="setting"><summary><span><strong data-said="held_on">Heute, \d+\. \w+</strong>', page
    )
    assert '<span class="quiet" data-said="rest">ddv · 24 Spiele</span>' in page
    sent = sent_by(scorer.get(NEW)) | {"tap": "", "held_on": "2026-04-01", "place": "Zum <Fuchs>"}
    page = flat(scorer.post(NEW, sent))
    assert '<strong data-said="held_on">Mi, 1. April 2026</strong>' in page
    assert '<span class="quiet" data-said="rest">Zum <Fuchs> · ddv</span>' in page
    page = flat(scorer.post(NEW, sent | {"held_on": "gestern"}))
    assert '<details class="setting" open><summary><span><strong data-said="held_on">Datum</strong>' in page


# --- Which day --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("at", "day"),
    [
        ("00:00+01:00", "2026-11-25"),
        ("04:59+01:00", "2026-11-25"),
        ("05:00+01:00", "2026-11-26"),
        ("23:59+01:00", "2026-11-26"),
    ],
)
def test_between_midnight_and_five_the_day_before_is_proposed(
    monkeypatch: pytest.MonkeyPatch, scorer: Client, at: str, day: str
) -> None:
    """By the clock of the club. The page calls the day by its name then, not today."""
    today.begin(monkeypatch, "2026-11-26", at)
    page = scorer.get(NEW)
    assert sent_by(page)["held_on"] == day
    assert ("Heute, 26. November" in flat(page)) is (day == "2026-11-26")
    assert ("Mi, 25. November 2026" in flat(page)) is (day == "2026-11-25")


def test_a_day_later_than_tomorrow_is_refused_at_its_field(
    monkeypatch: pytest.MonkeyPatch, scorer: Client, cast: Cast
) -> None:
    today.begin(monkeypatch, "2026-11-26")
    last = ",".join(str(player.pk) for player in people(cast))
    page = tap(scorer, scorer.get(NEW), held_on="2026-11-28", line_up=last)
    assert faults(page) == ["Dieser Tag liegt in der Zukunft. Bitte einen Tag bis morgen (27.11.2026) angeben."]
    assert tap(scorer, page, held_on="2026-11-27", line_up=last).status_code == 302


def test_a_day_more_than_a_year_before_the_first_evening_is_asked_about_once(scorer: Client, cast: Cast) -> None:
    last = ",".join(str(player.pk) for player in people(cast))
    page = tap(scorer, scorer.get(NEW), held_on="1950-03-06", tap=people(cast)[0].pk)
    assert faults(page) == [], "not while people are tapped"
    page = tap(scorer, page, line_up=last)
    odd = "Dieser Tag liegt mehr als ein Jahr vor dem ersten Abend des Clubs (06.03.2026)."
    odd += " Stimmt das, bitte noch einmal absenden; sonst hier ändern."
    assert (page.status_code, faults(page)) == (422, [odd])
    assert faults(tap(scorer, page, held_on="1951-03-06", begin=1)) == [odd], "another day is asked about again"
    assert tap(scorer, page, begin=1).status_code == 302
    assert str(Evening.objects.latest("pk")) == "06.03.1950"


def test_a_year_before_the_first_evening_is_no_question(scorer: Client, cast: Cast) -> None:
    last = ",".join(str(player.pk) for player in people(cast))
    assert tap(scorer, scorer.get(NEW), held_on="2025-03-06", line_up=last).status_code == 302


# --- Two phones -------------------------------------------------------------------------------------------------------

RUNS = "Heute läuft schon ein Abend mit diesen vieren:"


def running(page: HttpResponse) -> list[tuple[str, str]]:
    """What the page says of an evening that runs already, with the address of its table."""
    shown = re.findall(r'<div class="panel conflict mb-3" role="\w+"([^>]*)>(.*?)</div>', flat(page))
    open_ones = [inside for attributes, inside in shown if not attributes.endswith("hidden")]
    return [re.search(r'<p class="mb-2">(.*?)</p>.*?href="(.*?)"', inside).groups() for inside in open_ones]


def test_the_second_phone_hears_of_the_evening_that_runs_already(
    monkeypatch: pytest.MonkeyPatch, scorer: Client, cast: Cast
) -> None:
    """At the form, for these people on this day alone, and once more when it is sent; a second evening takes one more tap."""
    today.begin(monkeypatch, "2026-11-26")
    first, second = scorer.get(NEW), scorer.get(NEW)
    assert running(first) == [], "the table of another day is none of today"
    last = ",".join(str(player.pk) for player in people(cast))
    assert tap(scorer, first, line_up=last).status_code == 302
    table = reverse("table", args=["karo", Table.objects.latest("pk").pk])
    page = tap(scorer, second, line_up=last)
    assert (page.status_code, running(page)) == (409, [(RUNS, table)])
    assert Evening.objects.filter(held_on="2026-11-26").count() == 1
    again = tap(scorer, page, begin=1)
    assert (again.status_code, running(again)) == (409, [(RUNS, table)])
    late = scorer.get(NEW)
    assert running(late) == [(RUNS, table)]
    assert running(tap(scorer, late, line_up=last)) == [(RUNS, table)], "that it was shown is no answer"
    assert tap(scorer, again, beside=1)["Location"] != table
    assert Evening.objects.filter(held_on="2026-11-26").count() == 2


def test_other_people_another_day_and_a_closed_evening_are_no_twins(
    monkeypatch: pytest.MonkeyPatch, scorer: Client, cast: Cast
) -> None:
    today.begin(monkeypatch, "2026-11-26")
    sitting = people(cast)
    last = ",".join(str(player.pk) for player in sitting)
    tap(scorer, scorer.get(NEW), line_up=last)
    table = Table.objects.latest("pk")
    five = f"{last},{make_player(cast.club, 'Fünfte').pk}"
    assert tap(scorer, scorer.get(NEW), line_up=five).status_code == 302
    assert running(tap(scorer, scorer.get(NEW), line_up=five)) == [
        (
            "Heute läuft schon ein Abend mit diesen fünfen:",
            reverse("table", args=["karo", Table.objects.latest("pk").pk]),
        )
    ]
    assert tap(scorer, scorer.get(NEW), line_up=last, held_on="2026-11-25").status_code == 302
    before = tap(scorer, scorer.get(NEW), line_up=last, held_on="2026-11-25")
    assert [said for said, _address in running(before)] == ["Am 25.11.2026 läuft schon ein Abend mit diesen vieren:"]
    close_evening(evening=table.evening, actor=Actor())
    assert tap(scorer, scorer.get(NEW), line_up=last).status_code == 302


def test_the_same_button_twice_is_no_second_evening(
    monkeypatch: pytest.MonkeyPatch, scorer: Client, cast: Cast
) -> None:
    """The key of the page finds the evening that it has begun itself."""
    page, last = scorer.get(NEW), ",".join(str(player.pk) for player in people(cast))
    first, second = (tap(scorer, page, line_up=last) for _tap in range(2))
    assert first["Location"] == second["Location"]
