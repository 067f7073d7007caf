"""The form without a script: what is saved, what it keeps of what was typed, what it asks."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client

from scoring.models import Game
from tests.effort import some
from tests.factories import Cast, add_game, make_table
from tests.pages import flat
from tests.table.views.asking import fault, game_at, games_of, lines, page_of, seen_by, typed

# --- How the table is asked -----------------------------------------------------------------------------------------


@pytest.fixture
def scorer(cast: Cast) -> Client:
    return seen_by(cast.scorer)


# --- The form without a script --------------------------------------------------------------------------------------


def test_an_entry_by_hand(scorer: Client, cast: Cast) -> None:
    sent = typed(scorer.get(page_of(cast.table)))
    assert (sent["form"], sent["after"], sent["dealer"], sent["kind"]) == (
        ["played"],
        [str(cast.game.key)],
        ["1"],
        ["normal"],
    )
    sent |= {
        "re": ["1", "2"],
        "side": ["kontra"],
        "band": ["90-119"],
        "re_said": ["no90"],
        "re_fuchs": ["1"],
        "note": ["Ei"],
    }
    response = scorer.post(games_of(cast.table), sent)
    assert (response.status_code, response["Location"]) == (302, page_of(cast.table))
    game = Game.objects.get(pk=sent["key"][0])
    assert game.facts == {
        "kind": "normal",
        "re": [1, 2],
        "band": "121-150",
        "re_said": "no90",
        "re_specials": {"fuchs": 1},
    }
    assert (game.note, game.dealer, game.entered_by) == ("Ei", 1, cast.scorer)
    page = scorer.get(page_of(cast.table))
    assert typed(page)["key"] != sent["key"]
    assert "Rückgängig" in page.content.decode()


def test_sent_twice_by_hand_it_is_said_that_it_was_there(scorer: Client, cast: Cast) -> None:
    sent = typed(scorer.get(page_of(cast.table))) | {"re": ["0", "1"], "eyes": ["130"]}
    scorer.post(games_of(cast.table), sent)
    page = scorer.post(games_of(cast.table), sent, follow=True)
    assert "Dieses Spiel war schon gespeichert." in page.content.decode()
    assert len(lines(cast.table)) == 2


def test_exact_eyes_count_before_a_band_and_for_the_side_they_were_typed_for(scorer: Client, cast: Cast) -> None:
    sent = typed(scorer.get(page_of(cast.table))) | {
        "re": ["0", "1"],
        "band": ["0"],
        "eyes": ["100"],
        "side": ["kontra"],
    }
    assert scorer.post(games_of(cast.table), sent).status_code == 302
    assert Game.objects.get(pk=sent["key"][0]).facts == {"kind": "normal", "re": [0, 1], "eyes": 140}


def test_a_refused_entry_keeps_all_that_was_typed(scorer: Client, cast: Cast) -> None:
    sent = typed(scorer.get(page_of(cast.table))) | {
        "kind": ["damensolo"],
        "duty": ["on"],
        "re": ["0", "2"],
        "eyes": ["999"],
        "side": ["kontra"],
        "re_said": ["no60"],
        "kontra_fuchs": ["2"],
        "note": ['<Ei> & "Speck"'],
    }
    page = scorer.post(games_of(cast.table), sent)
    assert page.status_code == 422
    assert "Ein Solo spielt genau eine Person" in fault(page, "re")
    assert "von 0 bis 240" in fault(page, "eyes")
    assert fault(page, "kind") == fault(page, "note") == ""
    kept = typed(page)
    sent.pop("csrfmiddlewaretoken"), kept.pop("csrfmiddlewaretoken")
    assert kept == sent
    assert lines(cast.table) == [str(cast.game.key)]


def test_a_fault_of_something_hidden_is_said_above_the_form(scorer: Client, cast: Cast) -> None:
    sent = typed(scorer.get(page_of(cast.table))) | {"re": ["0", "1"], "eyes": ["130"], "key": [""]}
    page = scorer.post(games_of(cast.table), sent)
    assert page.status_code == 422
    assert "Schlüssel (UUID)" in page.content.decode()


@pytest.mark.parametrize(
    ("fields", "name"),
    some(
        [
            ({"dealer": "²"}, "dealer"),
            ({"dealer": "9" * 5000}, "dealer"),
            ({"dealer": "7"}, "dealer"),
            ({"re": ["²", "x"]}, "re"),
            ({"re_fuchs": "²"}, None),
            ({"re_fuchs": "99"}, None),
            ({"eyes": "²"}, "eyes"),
            ({"eyes": "1000"}, "eyes"),
            ({"eyes": "-5", "side": "kontra"}, "eyes"),
            ({"band": "121-151"}, "band"),
            ({"kind": "skat"}, "kind"),
            ({"kind": ""}, "kind"),
            ({"note": "x" * 201}, "note"),
            ({"note": "\u202e"}, "note"),
            ({"form": "skat"}, None),
            ({"form": "penalty"}, None),
            ({"version": "9" * 5000}, None),
            ({"version": "²"}, None),
            ({"key": "\x00"}, None),
            ({"after": "davor"}, None),
        ],
        7,
    ),
)
def test_nonsense_by_hand(scorer: Client, cast: Cast, fields: dict[str, Any], name: str | None) -> None:
    sent = typed(scorer.get(page_of(cast.table))) | {"re": ["0", "1"], "eyes": ["130"]}
    for address in (games_of(cast.table), game_at(cast.game)):
        page = scorer.post(address, {**sent, "version": "1", **fields})
        assert page.status_code == 422
        assert name is None or fault(page, name)
    assert len(lines(cast.table)) == 1


def test_a_conflict_by_hand_asks_and_then_takes_it(scorer: Client, cast: Cast) -> None:
    sent = typed(scorer.get(page_of(cast.table))) | {"re": ["2", "3"], "eyes": ["150"], "note": ["meins"]}
    standing = add_game(cast.table, eyes=200)
    page = scorer.post(games_of(cast.table), sent)
    assert page.status_code == 409
    html = flat(page)
    assert "Ist das dasselbe Spiel?" in html
    assert "Spiel 2: Ärmel +3, Bodo +3, Çelik −3, Özlem −3" in html
    again = typed(page)
    assert (again["re"], again["eyes"], again["note"], again["key"]) == (["2", "3"], ["150"], ["meins"], sent["key"])
    assert again["after"] == [str(standing.game.key)]
    assert scorer.post(games_of(cast.table), again).status_code == 302
    assert lines(cast.table)[-1] == sent["key"][0] or sent["key"][0] in lines(cast.table)


def test_another_dealer_another_form(scorer: Client, cast: Cast) -> None:
    assert typed(scorer.get(f"{page_of(cast.table)}?dealer=3"))["dealer"] == ["3"]
    short = typed(scorer.get(f"{page_of(cast.table)}?dealer=2&form=short"))
    assert (short["form"], short["dealer"]) == (["short"], ["2"])
    assert scorer.post(games_of(cast.table), short | {"winners": ["0", "1"], "base": ["3"]}).status_code == 302
    assert Game.objects.get(pk=short["key"][0]).facts == {"winners": [0, 1], "base": 3, "solo": False}
    add_game(cast.table, form="redeal")
    assert typed(scorer.get(page_of(cast.table)))["form"] == ["short"], "who writes the short form goes on with it"
    assert typed(scorer.get(f"{page_of(cast.table)}?form=played"))["form"] == ["played"]


@pytest.mark.parametrize("dealer", ["", "4", "-1", "²", "x", "9" * 5000, "%00", "1.0"])
def test_a_dealer_or_form_that_is_none_is_not_obeyed(scorer: Client, cast: Cast, dealer: str) -> None:
    for form in ("", "x", "%00", "Penalty"):
        page = scorer.get(f"{page_of(cast.table)}?dealer={dealer}&form={form}")
        assert page.status_code == 200
        assert (typed(page)["dealer"], typed(page)["form"]) == (["1"], ["played"])


def test_with_five_at_the_table_the_dealer_sits_out(cast: Cast) -> None:
    client, table = seen_by(cast.scorer), make_table(cast.club, 5)
    html = client.get(f"{page_of(table)}?dealer=2").content.decode()
    assert re.findall(r'name="re" value="(.)"(?! disabled)', html) == ["0", "1", "3", "4"]
    sent = typed(client.get(f"{page_of(table)}?dealer=2")) | {"re": ["0", "2"], "eyes": ["130"]}
    page = client.post(games_of(table), sent)
    assert (page.status_code, bool(fault(page, "re"))) == (422, True)
    assert client.post(games_of(table), sent | {"re": ["0", "3"]}).status_code == 302


def test_a_new_deal_is_one_tap(scorer: Client, cast: Cast) -> None:
    html = flat(scorer.get(page_of(cast.table)))
    form = re.search(r'<form id="redeal".*?</form>', html, re.S)
    assert form
    sent = dict(re.findall(r'name="([a-z]+)" value="([^"]*)"', form[0]))
    assert scorer.post(games_of(cast.table), sent).status_code == 302
    game = Game.objects.get(pk=sent["key"])
    assert (game.form, game.dealer, game.facts) == ("redeal", 1, {})
