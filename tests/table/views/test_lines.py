"""Lines that are no games, on pages without a script: penalties in one tap, corrections by hand, a new deal with who and
why, and how each of them is corrected later."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.html import strip_tags

from scoring.models import Game, Table
from scoring.play.queries import read_records
from tests.factories import Cast, add_game, make_rule_set, make_table
from tests.pages import flat
from tests.table.views.asking import fault, game_at, games_of, page_of, seen_by, typed


@pytest.fixture
def scorer(cast: Cast) -> Client:
    return seen_by(cast.scorer)


@pytest.fixture
def table(cast: Cast) -> Table:
    return make_table(cast.club)


def last(table: Table) -> Game:
    game = read_records(table).last
    assert game is not None
    return game


@pytest.mark.parametrize(("preset", "unit"), [("ddv", "Punkte"), ("klassisch", "Cent")])
def test_a_penalty_is_counted_in_the_unit_of_the_sheet(scorer: Client, cast: Cast, preset: str, unit: str) -> None:
    html = flat(scorer.get(f"{page_of(make_table(cast.club, preset=preset))}?form=penalty"))
    assert f'<fieldset class="by-hand"><legend>{unit}</legend>' in html


@pytest.mark.parametrize(
    ("people", "size", "seat", "points", "dealer"),
    [
        (4, "3", 2, [1, 1, -3, 1], None),
        (5, "3", 0, [-3, 1, 1, 1, 1], None),
        (4, "12", 3, [4, 4, 4, -12], 0),
    ],
)
def test_a_penalty_is_one_tap_that_fills_everything(
    scorer: Client, cast: Cast, people: int, size: str, seat: int, points: list[int], dealer: int | None
) -> None:
    """Also with five, where the points do not sum to 0. The void game was dealt: the next one deals."""
    table = make_table(cast.club, people)
    table_page = scorer.get(page_of(table)).content.decode()
    assert 'href="?form=penalty"' in table_page
    offered = scorer.get(f"{page_of(table)}?form=penalty").content.decode()
    href = f"?form=penalty&amp;penalty={size}&amp;seat={seat}"
    assert f'href="{href}"' in offered

    answer = scorer.post(games_of(table), typed(scorer.get(page_of(table) + href.replace("&amp;", "&"))))

    assert answer.status_code == 302
    line = last(table)
    assert (line.form, line.facts["points"], line.dealer) == ("penalty", points, dealer)
    assert line.facts["reason"]
    following = typed(scorer.get(page_of(table)))
    assert following["form"] == ["played"], "after a penalty the next line is a game again"
    assert following["dealer"] == ["0" if dealer is None else "1"]


@pytest.mark.parametrize("query", ["penalty=4&seat=1", "penalty=3&seat=4", "penalty=3", "seat=1", "penalty=²&seat=²"])
def test_a_penalty_that_is_none_fills_nothing(scorer: Client, table: Table, query: str) -> None:
    page = typed(scorer.get(f"{page_of(table)}?form=penalty&{query}"))
    assert (page["reason"], page["points_0"]) == ([""], [""])


def test_a_sheet_in_cents_offers_no_points_of_tournaments(scorer: Client, cast: Cast) -> None:
    table = make_table(cast.club, rule_set=make_rule_set(cast.club, "klassisch"))
    assert "penalty=3" not in scorer.get(f"{page_of(table)}?form=penalty").content.decode()


def test_points_by_hand_take_either_minus_and_nothing_is_nothing(scorer: Client, table: Table) -> None:
    sent = typed(scorer.get(f"{page_of(table)}?form=correction"))
    sent |= {"points_0": ["-2"], "points_1": ["−3"], "points_3": ["+7"], "reason": [" Verzählt "]}
    assert scorer.post(games_of(table), sent).status_code == 302
    line = last(table)
    assert (line.form, line.facts) == ("correction", {"points": [-2, -3, 0, 7], "reason": "Verzählt"})


@pytest.mark.parametrize(
    ("fields", "name"),
    [({"points_1": "viel"}, "points"), ({"points_1": "1.5"}, "points"), ({"reason": "  "}, "reason")],
)
def test_what_is_wrong_is_said_where_it_is_and_nothing_typed_is_lost(
    scorer: Client, table: Table, fields: dict[str, str], name: str
) -> None:
    sent = typed(scorer.get(f"{page_of(table)}?form=penalty&penalty=3&seat=1"))
    sent |= {field: [value] for field, value in fields.items()}
    page = scorer.post(games_of(table), sent)
    assert page.status_code == 422
    assert fault(page, name)
    again = typed(page)
    assert again["points_2"] == ["1"]
    assert not read_records(table).games


def test_a_penalty_is_corrected_like_every_line(scorer: Client, table: Table) -> None:
    """Shown first, then done."""
    game = add_game(table, form="penalty", points=[-3, 1, 1, 1], reason="Nicht bedient").game
    page = scorer.get(game_at(game))
    assert "Nicht bedient" in page.content.decode()
    sent = typed(page) | {"points_0": ["-12"], "reason": ["Doppelt"]}
    shown = scorer.post(game_at(game), sent)
    assert "Ärmel: Summe −3 → −12" in strip_tags(shown.content.decode())
    assert last(table).facts["points"] == [-3, 1, 1, 1]
    assert scorer.post(game_at(game), typed(shown) | {"confirm": "1"}).status_code == 302
    assert last(table).facts == {"points": [-12, 1, 1, 1], "reason": "Doppelt"}


def test_a_void_game_keeps_its_dealer_when_its_points_change(scorer: Client, table: Table) -> None:
    game = add_game(table, form="penalty", dealer=0, points=[-12, 4, 4, 4], reason="Ungültig").game
    sent = typed(scorer.get(game_at(game))) | {"points_1": ["5"], "confirm": ["1"]}
    assert scorer.post(game_at(game), sent).status_code == 302
    assert (last(table).dealer, last(table).facts["points"]) == (0, [-12, 5, 4, 4])


def test_a_new_deal_is_one_tap_and_can_say_who_and_why(scorer: Client, table: Table) -> None:
    html = flat(scorer.get(page_of(table)))
    form = re.search(r'<form id="redeal".*?</form>', html, re.S)
    assert form
    sent = dict(re.findall(r'name="(\w+)" value="([^"]*)"', form[0]))
    answer = scorer.post(games_of(table), sent, follow=True)
    assert [str(message) for message in answer.context["messages"]] == ["Gespeichert: Neu gegeben.", "Jetzt gibt Ärmel."]
    game = last(table)
    assert (game.form, game.facts) == ("redeal", {})

    said = typed(scorer.get(game_at(game))) | {"seat": ["2"], "reason": ["Fünf Könige"], "confirm": ["1"]}
    assert scorer.post(game_at(game), said).status_code == 302
    assert last(table).facts == {"seat": 2, "reason": "Fünf Könige"}
    assert "<dt>Wegen</dt><dd>Çelik</dd>" in flat(scorer.get(game_at(game)))


def test_somebody_elses_line_in_between_is_asked_about(scorer: Client, table: Table) -> None:
    sent = typed(scorer.get(f"{page_of(table)}?form=penalty&penalty=3&seat=1"))
    add_game(table)
    page = scorer.post(games_of(table), sent)
    assert page.status_code == 409
    assert "Ist das dasselbe Spiel?" in page.content.decode()
    assert scorer.post(games_of(table), typed(page)).status_code == 302
    assert [game.form for game in read_records(table).games] == ["played", "penalty"]


def test_a_reader_sees_a_penalty_and_no_form(cast: Cast, table: Table) -> None:
    game = add_game(table, form="penalty", points=[-3, 1, 1, 1], reason="Nicht bedient").game
    html = seen_by(cast.reader).get(reverse("game", args=["karo", table.pk, game.key])).content.decode()
    assert "Nicht bedient" in html
    assert 'class="entry"' not in html
