"""The pages about players: their content, links, rights and queries."""

from __future__ import annotations

import datetime
import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.urls import reverse

from scoring.club.actions import Actor
from scoring.evenings.actions import close_evening
from scoring.models import Change, Club, Evening, Player, Verb
from scoring.players import views
from scoring.players.actions import merge_players
from tests.client import visit
from tests.factories import Cast, add_game, make_player, make_rule_set, make_table, own_rules
from tests.html import flat, unmarked

pytestmark = pytest.mark.django_db


def get_address(name: str, *args: Any) -> str:
    return reverse(name, args=["karo", *args])


def read_page(user: User | None, address: str, status: int = 200) -> str:
    response = visit(user).get(address)
    assert response.status_code == status
    return flat(response)


def strip_page(html: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", unmarked(html)).split())


def get_player(name: str) -> Player:
    return Player.objects.get(name=name, club__slug="karo")


def test_a_page_tells_of_games_announcements_records_and_companions(cast: Cast) -> None:
    add_game(cast.table, kind="damensolo", re=[1], eyes=80, re_said="no90")
    solo = cast.table.rounds.get().games.get(facts__kind="damensolo")
    add_game(cast.table, form="short", winners=[1, 3], base=2)
    html = read_page(cast.reader, get_address("player", get_player("Bodo").pk))
    said = strip_page(html)
    assert "Damensolo" in said
    assert "keine 90 0 1" in said
    assert "ohne Angabe (Kurzform)" in said
    assert "1 Spiel steht in der Kurzform" in said
    assert f'href="{get_address("game", cast.table.pk, solo.key)}"' in html
    assert f'href="{get_address("result", cast.table.evening_id)}"' in html
    assert re.search(r'role="img"\s+aria-label="\s*06.03.2026:\s', html)
    assert f'href="{get_address("player", get_player("Çelik").pk)}"' in html


def test_a_page_says_the_place_and_of_what(cast: Cast) -> None:
    for one in range(3):
        add_game(make_table(cast.club, held_on=datetime.date(2026, 4, 1 + one)), re=[1, 2], eyes=150)
    html = read_page(cast.reader, get_address("player", get_player("Bodo").pk))
    assert "Platz 1 von 4 der ewigen Liste" in strip_page(html)
    assert re.search(rf'<a [^>]*href="{get_address("standings")}"\s+aria-label="Ewige Liste">', html), "the way back"
    assert "<polyline" in html and "<tspan>" not in html, "a single curve needs no name"
    compared = f"{get_address('compare', get_player('Bodo').pk)}?other={get_player('Çelik').pk}"
    assert "<tspan>Bodo" in read_page(cast.reader, compared)
    guest = make_player(cast.club, "Zora", guest=True)
    assert "ewigen Liste" not in strip_page(read_page(cast.reader, get_address("player", guest.pk)))


def test_special_points_stand_by_how_often_and_by_name_and_only_where_there_are_some(cast: Cast) -> None:
    where = get_address("player", get_player("Bodo").pk)
    assert "Sonderpunkt" not in read_page(cast.reader, where)
    table = make_table(cast.club, rule_set=own_rules(cast.club), held_on=datetime.date(2026, 4, 3))
    add_game(table, re=[0, 1], re_specials={"gans": 2}, kontra_specials={"karlchen": 1}, game_specials={"hirsch": 1})
    add_game(table, re=[2, 3], kontra_specials={"gans": 1, "fuchs": 1})
    said = strip_page(read_page(cast.reader, where))
    assert "Sonderpunkt Anzahl in Spielen Gans 3 2 Fuchs gefangen 1 1 Hirsch 1 1 Gezählt ist" in said


def test_a_curve_over_time_has_a_text_alternative(cast: Cast) -> None:
    add_game(make_table(cast.club, held_on=datetime.date(2026, 4, 3)), re=[1, 2], eyes=200)
    html = read_page(cast.reader, get_address("player", get_player("Bodo").pk))
    assert re.search(r'aria-label="Punkte über die Zeit. Am Ende:\s+Bodo \d+', html)
    assert re.search(r"06.03.2026 03.04.2026 Summe am 03.04.2026 Bodo [−\d]+", strip_page(html)), (
        "the days at the foot, and the last point"
    )


def test_the_evenings_of_a_curve_are_figures_on_pages(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(views, "EVENINGS_ON_PAGE", 2)
    for day in range(1, 4):
        add_game(make_table(cast.club, held_on=datetime.date(2026, 4, day)), re=[1, 2], eyes=130)
    where = get_address("player", get_player("Bodo").pk)
    html = read_page(cast.reader, where)
    assert "4 Abende als Zahlen" in html
    assert "03.04.2026 +1 4 02.04.2026 +1 3" in strip_page(html)
    assert '<details class="fold" id="evenings">' in html
    second = read_page(cast.reader, f"{where}?page=2")
    assert "01.04.2026 +1 2 06.03.2026 +1 1" in strip_page(second)
    assert '<details class="fold" id="evenings" open>' in second
    both = read_page(cast.reader, f"{get_address('compare', get_player('Bodo').pk)}?other={get_player('Ärmel').pk}")
    assert re.search(r"03.04.2026 \+1 4 [+−]1 [−\d]+", strip_page(both))


def test_visitors_of_a_public_club_see_figures_but_no_sheets_and_no_logins(cast: Cast) -> None:
    Club.objects.filter(slug="karo").update(shows_list=True)
    close_evening(evening=cast.table.evening, actor=Actor(cast.scorer))
    Player.objects.filter(name="Bodo").update(user=cast.reader)
    html = read_page(None, get_address("player", get_player("Bodo").pk))
    assert "/tables/" not in html
    assert "/evenings/" not in html
    assert "rita" not in html
    assert "Bestes Spiel" in html
    quiet = make_player(cast.club, "Nie Dagewesen")
    assert "Nie Dagewesen" not in html
    read_page(cast.stranger, get_address("player", quiet.pk), 404)
    read_page(cast.stranger, get_address("compare", quiet.pk), 404)


def test_two_side_by_side(cast: Cast) -> None:
    where = get_address("compare", get_player("Ärmel").pk)
    html = read_page(cast.reader, f"{where}?other={get_player('Bodo').pk}")
    assert "zusammen 1 1 100,0 % 1" in strip_page(html)
    assert "Spiele 1 1" in strip_page(html)
    assert "noch nie im selben Spiel" not in html
    for invalid in ("", "x", str(Player.objects.filter(club__slug="pik").first().pk), str(get_player("Ärmel").pk)):
        html = read_page(cast.reader, f"{where}?other={invalid}")
        assert 'class="fault"' in html
        assert "Miteinander" not in html


def test_points_and_cents_are_chosen_between(cast: Cast) -> None:
    add_game(make_table(cast.club, preset="klassisch"), eyes=150)
    where = get_address("player", get_player("Bodo").pk)
    assert '<option value="points" selected>' in read_page(cast.reader, where)
    cents = read_page(cast.reader, f"{where}?unit=cents")
    assert '<option value="cents" selected>' in cents
    assert "Cent 5" in strip_page(cents)
    # 1 point and 5 cents are never 6
    assert "6" not in re.findall(r"(?:Punkte|Cent) (\d+)", strip_page(cents))


def test_the_matrix(cast: Cast) -> None:
    html = read_page(cast.reader, get_address("matrix"))
    assert "100,0 % 1/1 +1" in strip_page(html)
    against = read_page(cast.reader, f"{get_address('matrix')}?against=1&year=2026")
    assert "Wer gegen wen" in against
    assert "100,0 % 1/1 +1" in strip_page(against)
    assert "steht niemand auf der Liste" in read_page(cast.reader, f"{get_address('matrix')}?until=1999-01-01")


def test_what_if_shows_both_lists_and_what_is_missing(cast: Cast) -> None:
    add_game(cast.table, kind="damensolo", re=[2], eyes=150)
    short = add_game(cast.table, form="short", winners=[1, 3], base=2).game
    rules = make_rule_set(cast.club, "anleitung")
    changes = Change.objects.count()
    html = read_page(cast.reader, f"{get_address('whatif')}?rules={rules.pk}&all=1")
    assert "2 Spiele gewertet. 1 Zeile lässt sich nicht werten und fehlt auf beiden Seiten." in strip_page(html)
    assert "Ganze Liste: Platz" in html
    assert "verbraucht ein Bockspiel und löst keinen Bock aus" in html
    assert "Nur in der Kurzform" in html
    assert f'href="{get_address("game", cast.table.pk, short.key)}"' in html
    assert Change.objects.count() == changes
    assert "found" not in visit(cast.reader).get(f"{get_address('whatif')}?rules=0").context
    result = read_page(cast.reader, get_address("result", cast.table.evening_id))
    link = re.search(r'href="([^"]*what-if[^"]*)"', result)[1]
    assert "2 Spiele" in strip_page(read_page(cast.reader, link)) or "3 Spiele gewertet" in strip_page(read_page(cast.reader, link))


def test_what_if_says_what_the_rules_do_not_know_and_does_not_ask_to_change_it(cast: Cast) -> None:
    Evening.objects.filter(pk=cast.table.evening_id).update(place="Zum Ochsen")
    own = make_rule_set(cast.club, "anleitung", "Vom Blatt", bock={"triggers": ["manual"]})
    table = make_table(cast.club, rule_set=own, held_on=datetime.date(2026, 4, 3))
    add_game(table, re_specials={"dulle_gefangen": 1}, starts_bock=1)
    add_game(table, kind="armut")
    html = read_page(cast.reader, f"{get_address('whatif')}?rules={cast.table.rule_set_id}&all=1")
    said = strip_page(html)
    assert "nur ohne: Bock selbst eingetragen (1 Spiel), Dulle gefangen (1 Spiel)." in said
    assert "1 Zeile: Die Spielart „Armut“ gibt es nach diesen Regeln nicht." in said
    assert "Bitte" not in said
    assert "Ganze Liste: Platz" in said
    without = strip_page(
        read_page(cast.reader, f"{get_address('whatif')}?rules={cast.table.rule_set_id}&evening={cast.table.evening_id}")
    )
    assert "ddv · alle Regelwerke · Abend vom 06.03.2026, Zum Ochsen" in without
    assert "ddv · alle Regelwerke · alle Jahre" in said
    assert "Ganze Liste: Platz" not in without
    assert "Was diese Regeln nicht kennen" not in without


def test_merging_after_a_look_and_taking_apart(cast: Cast) -> None:
    """The page of a merged player leads to the player at the end of the chain."""
    people = [get_player(name) for name in ("Ärmel", "Çelik", "Özlem")]
    other = make_player(cast.club, "Bodo B.")
    add_game(make_table(cast.club, [other, *people], held_on=datetime.date(2026, 4, 3)), eyes=200)
    client, bodo = visit(cast.admin), get_player("Bodo")
    where = get_address("merge", other.pk)
    seen = client.get(f"{where}?into={bodo.pk}").content.decode()
    assert "1 Abend von Bodo B. geht an Bodo." in strip_page(seen)
    assert not Change.objects.filter(verb=Verb.PLAYER_MERGED).exists()
    assert client.post(where, {"into": bodo.pk}).headers["Location"] == get_address("player", bodo.pk)
    assert client.get(get_address("player", other.pk)).headers["Location"] == get_address("player", bodo.pk)
    first = make_player(cast.club, "Eins")
    merge_players(player=first, into=make_player(cast.club, "Zwei"), actor=Actor())
    merge_players(player=get_player("Zwei"), into=get_player("Ärmel"), actor=Actor())
    assert client.get(get_address("player", first.pk)).headers["Location"] == get_address("player", get_player("Ärmel").pk)
    assert client.get(where).status_code == 302
    assert client.get(get_address("player_edit", other.pk)).status_code == 302
    html = client.get(get_address("player", bodo.pk)).content.decode()
    assert "Früher auch als Bodo B. geführt." in unmarked(html)
    assert get_address("unmerge", other.pk) in html
    assert "Bodo B." not in read_page(cast.reader, get_address("player", bodo.pk))
    assert "Bodo B." not in read_page(cast.reader, get_address("players"))
    assert client.post(get_address("unmerge", other.pk)).headers["Location"] == get_address("player", other.pk)
    assert "sind wieder zwei Personen" in client.get(get_address("player", other.pk)).content.decode()


def test_merging_players_who_sat_together_is_refused_with_a_sentence(cast: Cast) -> None:
    client, where = visit(cast.admin), get_address("merge", get_player("Bodo").pk)
    assert "saßen schon zusammen" in client.get(f"{where}?into={get_player('Ärmel').pk}").content.decode()
    response = client.post(where, {"into": get_player("Ärmel").pk})
    assert response.status_code == 409
    assert "saßen schon zusammen" in response.content.decode()
    assert client.post(where, {"into": get_player("Bodo").pk}).status_code == 422


def test_names_are_escaped(cast: Cast) -> None:
    Player.objects.filter(name="Bodo").update(name="<b>Bodo</b>")
    for where in (
        get_address("player", get_player("Ärmel").pk),
        get_address("player", get_player("<b>Bodo</b>").pk),
        get_address("matrix"),
        f"{get_address('compare', get_player('Ärmel').pk)}?other={get_player('<b>Bodo</b>').pk}",
    ):
        html = visit(cast.reader).get(where).content.decode()
        assert "<b>" not in html
        assert "&lt;b&gt;Bodo" in html


def test_the_page_tells_years_partners_and_the_average(cast: Cast) -> None:
    for day in (datetime.date(2024, 5, 3), datetime.date(2025, 5, 3)):
        table = make_table(cast.club, 4, held_on=day)
        for _ in range(10):
            add_game(table, re=[0, 1])
    bodo = visit(cast.reader).get(get_address("player", get_player("Bodo").pk)).content.decode()
    for told in ("Nach Saison und Jahr", "?year=2024", "Ø/Spiel über die Zeit", "mit zwei anderen je 20"):
        assert told in bodo, told
    for _ in range(20):
        add_game(table, re=[1, 2], eyes=90)
    bodo = " ".join(visit(cast.reader).get(get_address("player", get_player("Bodo").pk)).content.decode().split())
    best, worst = bodo.split("Am besten zusammen mit")[1].split("Am schlechtesten zusammen mit")
    assert ">Ärmel</bdi>" in best
    assert ">Çelik</bdi></a> · −2,00 aus 20 Spielen" in worst
