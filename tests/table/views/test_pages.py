"""Test the pages without a script: entering games and other lines, own rules, what a request may be, and query counts."""

from __future__ import annotations

import re
from typing import Any
from uuid import uuid4

import pytest
from django.conf import settings
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils.html import strip_tags

from scoring.models import Game, Table
from scoring.play.queries import read_records, read_sheet
from scoring.play.replay import derive, read_stored, write_derived
from tests.client import visit
from tests.factories import Cast, add_game, make_rule_set, make_table
from tests.html import flat, unmarked
from tests.table.views.asking import (
    KEY,
    NORMAL,
    build_entry,
    find_fault,
    get_form_data,
    get_game_url,
    get_games_url,
    get_table_url,
    list_keys,
    send,
)

# --- The form without a script --------------------------------------------------------------------------------------


def test_an_entry_by_hand(scorer: Client, cast: Cast) -> None:
    sent = get_form_data(scorer.get(get_table_url(cast.table)))
    found = (sent["form"], sent["after"], sent["dealer"], sent["kind"])
    assert found == (["played"], [str(cast.game.key)], ["1"], ["normal"])
    sent |= {"re": ["1", "2"], "side": ["kontra"], "band": ["90-119"], "re_said": ["no90"], "re_fuchs": ["1"], "note": ["Ei"]}
    response = scorer.post(get_games_url(cast.table), sent)
    assert (response.status_code, response["Location"]) == (302, get_table_url(cast.table))
    game = Game.objects.get(pk=sent["key"][0])
    facts = {"kind": "normal", "re": [1, 2], "band": "121-150", "re_said": "no90", "re_specials": {"fuchs": 1}}
    assert (game.facts, game.note, game.dealer, game.entered_by) == (facts, "Ei", 1, cast.scorer)
    again = scorer.post(get_games_url(cast.table), sent, follow=True)
    assert "Dieses Spiel war schon gespeichert." in again.content.decode()
    assert len(list_keys(cast.table)) == 2
    page = scorer.get(get_table_url(cast.table))
    assert "Rückgängig" in page.content.decode()
    following = get_form_data(page)
    assert following["key"] != sent["key"]
    exact = following | {"re": ["0", "1"], "band": ["0"], "eyes": ["100"], "side": ["kontra"]}
    assert scorer.post(get_games_url(cast.table), exact).status_code == 302
    said = "exact eyes count before a band and for the side they were typed for"
    assert Game.objects.get(pk=exact["key"][0]).facts == {"kind": "normal", "re": [0, 1], "eyes": 140}, said
    keyless = scorer.post(get_games_url(cast.table), exact | {"key": [""]})
    assert (keyless.status_code, "Schlüssel (UUID)" in keyless.content.decode()) == (422, True)


def test_a_refused_entry_keeps_all_that_was_typed(scorer: Client, cast: Cast) -> None:
    sent = get_form_data(scorer.get(get_table_url(cast.table)))
    sent |= {"kind": ["damensolo"], "duty": ["on"], "re": ["0", "2"], "eyes": ["999"], "side": ["kontra"]}
    sent |= {"re_said": ["no60"], "kontra_fuchs": ["2"], "note": ['<Ei> & "Speck"']}
    page = scorer.post(get_games_url(cast.table), sent)
    assert page.status_code == 422
    assert "Ein Solo spielt genau eine Person" in find_fault(page, "re")
    assert "von 0 bis 240" in find_fault(page, "eyes")
    assert find_fault(page, "kind") == find_fault(page, "note") == ""
    kept = get_form_data(page)
    sent.pop("csrfmiddlewaretoken"), kept.pop("csrfmiddlewaretoken")
    assert kept == sent
    assert list_keys(cast.table) == [str(cast.game.key)]
    penalty = get_form_data(scorer.get(f"{get_table_url(cast.table)}?form=penalty&penalty=3&seat=1"))
    for field, value, name in (("points_1", "viel", "points"), ("points_1", "1.5", "points"), ("reason", "  ", "reason")):
        page = scorer.post(get_games_url(cast.table), penalty | {field: [value]})
        assert (page.status_code, bool(find_fault(page, name)), get_form_data(page)["points_2"]) == (422, True, ["1"])


def test_nonsense_by_hand(scorer: Client, cast: Cast) -> None:
    sent = get_form_data(scorer.get(get_table_url(cast.table))) | {"re": ["0", "1"], "eyes": ["130"], "version": "1"}
    nonsense = [
        *({"dealer": "²"}, {"dealer": "9" * 5000}, {"dealer": "7"}, {"re": ["²", "x"]}, {"eyes": "²"}, {"eyes": "1000"}),
        *({"eyes": "-5", "side": "kontra"}, {"band": "121-151"}, {"kind": "skat"}, {"kind": ""}, {"note": "x" * 201}),
        *({"note": "\u202e"}, {"re_fuchs": "²"}, {"re_fuchs": "99"}, {"form": "skat"}, {"form": "penalty"}),
        *({"version": "9" * 5000}, {"version": "²"}, {"key": "\x00"}, {"after": "davor"}),
    ]
    for fields in nonsense:
        for address in (get_games_url(cast.table), get_game_url(cast.game)):
            page = scorer.post(address, {**sent, **fields})
            assert page.status_code == 422, fields
            (name, *_side) = fields
            assert name not in ("dealer", "re", "eyes", "band", "kind", "note") or find_fault(page, name)
    assert len(list_keys(cast.table)) == 1


def test_a_conflict_by_hand_asks_and_then_takes_it(scorer: Client, cast: Cast) -> None:
    sent = get_form_data(scorer.get(get_table_url(cast.table))) | {"re": ["2", "3"], "eyes": ["150"], "note": ["meins"]}
    standing = add_game(cast.table, eyes=200)
    page = scorer.post(get_games_url(cast.table), sent)
    assert page.status_code == 409
    html = flat(page)
    assert "Ist das dasselbe Spiel?" in html
    assert "Spiel 2: Ärmel +3, Bodo +3, Çelik −3, Özlem −3" in html
    again = get_form_data(page)
    assert (again["re"], again["eyes"], again["note"], again["key"]) == (["2", "3"], ["150"], ["meins"], sent["key"])
    assert again["after"] == [str(standing.game.key)]
    assert scorer.post(get_games_url(cast.table), again).status_code == 302
    assert list_keys(cast.table)[-1] == sent["key"][0] or sent["key"][0] in list_keys(cast.table)


def test_another_dealer_another_form(scorer: Client, cast: Cast) -> None:
    assert get_form_data(scorer.get(f"{get_table_url(cast.table)}?dealer=3"))["dealer"] == ["3"]
    short = get_form_data(scorer.get(f"{get_table_url(cast.table)}?dealer=2&form=short"))
    assert (short["form"], short["dealer"]) == (["short"], ["2"])
    assert scorer.post(get_games_url(cast.table), short | {"winners": ["0", "1"], "base": ["3"]}).status_code == 302
    assert Game.objects.get(pk=short["key"][0]).facts == {"winners": [0, 1], "base": 3, "solo": False}
    add_game(cast.table, form="redeal")
    assert get_form_data(scorer.get(get_table_url(cast.table)))["form"] == ["short"], "the short form stays selected"
    assert get_form_data(scorer.get(f"{get_table_url(cast.table)}?form=played"))["form"] == ["played"]


def test_an_invalid_dealer_form_or_penalty_in_the_query_is_ignored(scorer: Client, cast: Cast) -> None:
    for dealer, form in (("", "x"), ("4", ""), ("-1", "%00"), ("²", "Penalty"), ("9" * 5000, ""), ("%00", ""), ("1.0", "x")):
        found = get_form_data(scorer.get(f"{get_table_url(cast.table)}?dealer={dealer}&form={form}"))
        assert (found["dealer"], found["form"]) == (["1"], ["played"])
    for query in ("penalty=4&seat=1", "penalty=3&seat=4", "penalty=3", "seat=1", "penalty=²&seat=²"):
        found = get_form_data(scorer.get(f"{get_table_url(cast.table)}?form=penalty&{query}"))
        assert (found["reason"], found["points_0"]) == ([""], [""])
    cents = flat(scorer.get(f"{get_table_url(make_table(cast.club, preset='klassisch'))}?form=penalty"))
    assert '<fieldset class="by-hand"><legend>Cent</legend>' in cents and "penalty=3" not in cents


def test_with_five_at_the_table_the_dealer_sits_out(cast: Cast) -> None:
    client, table = visit(cast.scorer), make_table(cast.club, 5)
    html = client.get(f"{get_table_url(table)}?dealer=2").content.decode()
    assert re.findall(r'name="re" value="(.)"(?! disabled)', html) == ["0", "1", "3", "4"]
    sent = get_form_data(client.get(f"{get_table_url(table)}?dealer=2")) | {"re": ["0", "2"], "eyes": ["130"]}
    page = client.post(get_games_url(table), sent)
    assert (page.status_code, bool(find_fault(page, "re"))) == (422, True)
    assert client.post(get_games_url(table), sent | {"re": ["0", "3"]}).status_code == 302


@pytest.fixture
def table(cast: Cast) -> Table:
    return make_table(cast.club)


def last(table: Table) -> Game:
    return read_records(table).last


@pytest.mark.parametrize(
    ("people", "size", "seat", "points", "dealer"), [(5, "3", 0, [-3, 1, 1, 1, 1], None), (4, "12", 3, [4, 4, 4, -12], 0)]
)
def test_a_penalty_is_one_tap_that_fills_everything(
    scorer: Client, cast: Cast, people: int, size: str, seat: int, points: list[int], dealer: int | None
) -> None:
    """Also with five players, where the points do not sum to 0. A void game uses up the deal."""
    table = make_table(cast.club, people)
    assert 'href="?form=penalty"' in scorer.get(get_table_url(table)).content.decode()
    offered = " ".join(scorer.get(f"{get_table_url(table)}?form=penalty").content.decode().split())
    href = f"?form=penalty&amp;penalty={size}&amp;seat={seat}"
    assert f'href="{href}"' in offered and re.search(r"<legend[^>]*> ?Punkte ?</legend>", offered)
    sent = get_form_data(scorer.get(get_table_url(table) + href.replace("&amp;", "&")))
    assert scorer.post(get_games_url(table), sent).status_code == 302
    line = last(table)
    assert (line.form, line.facts["points"], line.dealer, bool(line.facts["reason"])) == ("penalty", points, dealer, True)
    following = get_form_data(scorer.get(get_table_url(table)))
    assert following["form"] == ["played"], "after a penalty the next line is a game again"
    assert following["dealer"] == ["0" if dealer is None else "1"]
    corrected = get_form_data(scorer.get(get_game_url(line))) | {"points_1": ["5"], "confirm": ["1"]}
    assert scorer.post(get_game_url(line), corrected).status_code == 302
    assert (last(table).dealer, last(table).facts["points"]) == (dealer, [points[0], 5, *points[2:]])


def test_a_penalty_is_corrected_like_every_line(scorer: Client, table: Table) -> None:
    """The correction is previewed, then saved."""
    game = add_game(table, form="penalty", points=[-3, 1, 1, 1], reason="Nicht bedient").game
    page = scorer.get(get_game_url(game))
    assert "Nicht bedient" in page.content.decode()
    sent = get_form_data(page) | {"points_0": ["-12"], "reason": ["Doppelt"]}
    shown = scorer.post(get_game_url(game), sent)
    assert "Ärmel: Summe −3 → −12" in strip_tags(shown.content.decode())
    assert last(table).facts["points"] == [-3, 1, 1, 1]
    assert scorer.post(get_game_url(game), get_form_data(shown) | {"confirm": "1"}).status_code == 302
    assert last(table).facts == {"points": [-12, 1, 1, 1], "reason": "Doppelt"}
    correction = get_form_data(scorer.get(f"{get_table_url(table)}?form=correction"))
    correction |= {"points_0": ["-2"], "points_1": ["−3"], "points_3": ["+7"], "reason": [" Verzählt "]}
    assert scorer.post(get_games_url(table), correction).status_code == 302
    line = last(table)
    said = "both minus signs and empty fields are accepted"
    assert (line.form, line.facts) == ("correction", {"points": [-2, -3, 0, 7], "reason": "Verzählt"}), said


def test_a_new_deal_is_one_tap_and_can_say_who_and_why(scorer: Client, table: Table) -> None:
    html = flat(scorer.get(get_table_url(table)))
    form = re.search(r'<form id="redeal".*?</form>', html, re.S)
    assert form
    sent = dict(re.findall(r'name="(\w+)" value="([^"]*)"', form[0]))
    answer = scorer.post(get_games_url(table), sent, follow=True)
    assert [str(message) for message in answer.context["messages"]] == ["Gespeichert: Neu gegeben.", "Jetzt gibt Ärmel."]
    game = last(table)
    assert (game.form, game.facts) == ("redeal", {})
    said = get_form_data(scorer.get(get_game_url(game))) | {"seat": ["2"], "reason": ["Fünf Könige"], "confirm": ["1"]}
    assert scorer.post(get_game_url(game), said).status_code == 302
    assert last(table).facts == {"seat": 2, "reason": "Fünf Könige"}
    assert "<dt>Wegen</dt><dd>Çelik</dd>" in flat(scorer.get(get_game_url(game)))


OWN: dict[str, Any] = {
    "kinds": ["normal", "hochzeit", "damensolo", "nullo", "jungfrau", "kontrahochzeit"],
    "specials": {
        "gans": {"name": "Gans", "points": 1, "most": 3, "most_party": 2},
        "said": {"name": "Klabautermann", "points": 2, "of": "re"},
        "hirsch": {"name": "Hirsch", "points": {"times": 2}, "of": "game"},
        "tuck": {"name": "Tuck", "points": 1, "of": "game", "most": 2},
    },
    "per_kind": {
        "nullo": {"name": "Nullo", "like": "fleischlos", "decided": "hand", "re_kontra": None},
        "jungfrau": {"name": "Ramsch", "like": "ramsch", "won": 2},
        "kontrahochzeit": {"name": "Kontrahochzeit", "like": "hochzeit"},
        "damensolo": {"decided": "both"},
    },
}


@pytest.fixture
def own(cast: Cast) -> Table:
    return make_table(cast.club, rule_set=make_rule_set(cast.club, "vln", "Eigene", **OWN))


def enter(scorer: Client, table: Table, **fields: object) -> Game:
    """Add a line with the form; return it."""
    form = get_form_data(scorer.get(get_table_url(table)))
    answer = scorer.post(get_games_url(table), form | fields)
    assert answer.status_code == 302, re.findall(r'class="fault"[^>]*>[^<]+', answer.content.decode())
    return Game.objects.filter(round__table=table).latest("position")


def test_own_special_points_are_typed_on_their_side_only(scorer: Client, own: Table) -> None:
    html = scorer.get(get_table_url(own)).content.decode()
    names = set(re.findall(r'name="((?:re|kontra|game)_(?!said)[^"]+)"', html))
    assert {"re_special:gans", "kontra_special:gans", "re_special:said", "game_special:hirsch"} <= names
    assert not names & {"kontra_special:said", "re_special:hirsch", "game_special:gans"}
    assert len(re.findall('name="re_special:gans"', html)) == 3, "none, one or two"
    game = enter(
        scorer, own, re=[0, 1], eyes="155", re_said="said",
        **{"re_special:gans": "2", "re_special:said": "1", "game_special:hirsch": "on", "game_special:tuck": "2"},
    )  # fmt: skip
    assert game.facts["re_specials"] == {"gans": 2, "said": 1}
    assert game.facts["game_specials"] == {"hirsch": 1, "tuck": 2}
    standing = get_form_data(scorer.get(get_game_url(game)))
    assert standing["re_special:gans"] == ["2"] and standing["game_special:tuck"] == ["2"]
    assert "game_special:hirsch" in standing and standing["re_said"] == ["said"]


def test_own_kinds_stand_among_those_they_are_like(scorer: Client, own: Table) -> None:
    partner, solos = scorer.get(get_table_url(own)).content.decode().split('id="solos"', 1)
    assert "Kontrahochzeit" in partner and "Nullo" not in partner
    labels = re.findall(r"<label.*?</label>", solos.split("</fieldset>", 1)[0], re.S)
    assert {"Nullo", "Ramsch", "Damensolo"} <= {re.sub(r"<[^>]+>", "", label).strip() for label in labels}


def test_a_kind_without_eyes_asks_who_won_or_lost(scorer: Client, own: Table) -> None:
    form = get_form_data(scorer.get(get_table_url(own)))
    refused = scorer.post(get_games_url(own), form | {"kind": "nullo", "re": [0]})
    assert refused.status_code == 422 and find_fault(refused, "winner")
    for facts in ({"kind": "nullo", "re": [0], "winner": "kontra"}, {"kind": "jungfrau", "re": [2], "winner": "kontra"}):
        game = enter(scorer, own, **facts)
        assert game.facts == facts
        assert get_form_data(scorer.get(get_game_url(game)))["winner"] == ["kontra"]
    assert enter(scorer, own, kind="damensolo", re=[2], winner="re").facts["winner"] == "re"
    assert "winner" not in enter(scorer, own, kind="damensolo", re=[2], eyes="130").facts
    html = scorer.get(get_table_url(make_table(own.evening.club))).content.decode()
    assert not re.search(r'name="winner"|name="game_|data-end|data-silent|Ramsch</', html), "fields that other rules lack"


def test_a_ramsch_names_who_lost_or_took_everything(scorer: Client, own: Table) -> None:
    """On its page, in the history and beside the rules: a Ramsch has no Re and no Kontra."""
    lost = enter(scorer, own, kind="jungfrau", re=[2], winner="kontra")
    took = enter(scorer, own, kind="jungfrau", re=[1], winner="re")
    for game, says in ((lost, "Verloren hat"), (took, "Alles gemacht hat")):
        page = unmarked(scorer.get(get_game_url(game)).content.decode())
        person = read_sheet(own).records.line_up(game)[game.facts["re"][0]]
        facts = re.findall(r"<dt>(.*?)</dt><dd>(.*?)</dd>", page.split('<dl class="facts', 1)[1].split("</dl>", 1)[0])
        assert (says, str(person)) in facts
        assert not {name for name, _value in facts} & {"Re", "Kontra", "Gewonnen hat"}
        table = page.split('<table class="steps"', 1)[1].split("</table>", 1)[0]
        assert "<td>andere</td>" in table or "<td>einen</td>" in table
        assert ("<td>Verloren</td>" in table, "<td>Gewonnen</td>" in table) == (game is lost, game is took)
        assert "<td>Re</td>" not in table and "<td>Kontra</td>" not in table
    history = strip_tags(scorer.get("/c/karo/history/").content.decode())
    assert "Verloren hat" in history and "Alles gemacht hat" in history and "Gewonnen hat" not in history


# --- Odd games --------------------------------------------------------------------------------------------------------

FOXES = {"re": [0, 1], "eyes": "130", "re_fuchs": "2", "kontra_fuchs_am_ende": "1"}


def test_an_odd_game_is_confirmed_once_and_saved(scorer: Client, cast: Cast) -> None:
    table = make_table(cast.club, rule_set=make_rule_set(cast.club, "ddv", "Füchse", specials={"fuchs_am_ende": 1}))
    asked = scorer.post(get_games_url(table), get_form_data(scorer.get(get_table_url(table))) | FOXES)
    assert asked.status_code == 200 and not Game.objects.filter(round__table=table)
    assert "Mehr als zwei Füchse? Wenn es stimmt" in asked.content.decode()
    again = get_form_data(asked)
    assert (again["re_fuchs"], again["kontra_fuchs_am_ende"], again["re"]) == (["2"], ["1"], ["0", "1"])
    assert scorer.post(get_games_url(table), again | {"odd": "1"}).status_code == 302
    game = Game.objects.get(round__table=table)
    assert game.facts["re_specials"] == {"fuchs": 2}
    corrected = scorer.post(get_game_url(game), get_form_data(scorer.get(get_game_url(game))) | {"eyes": "131"})
    assert "Mehr als zwei Füchse?" in corrected.content.decode(), "a correction says so in its preview"


def test_the_most_used_special_points_come_first(scorer: Client, cast: Cast, own: Table) -> None:
    def order(table: Table) -> list[tuple[str, str]]:
        html = scorer.get(get_table_url(table)).content.decode()
        return list(dict.fromkeys(re.findall(r'name="kind" value="(\w+)"|name="(?:re|game)_(?:special:)?(\w+)" value="2"', html)))

    before = order(own)
    for kind in ("nullo", "nullo", "damensolo"):
        add_game(own, kind=kind, re=[0], winner="re", game_specials={"tuck": 2}, kontra_specials={"gans": 1})
    assert order(own) == before, "the order does not change during an evening"
    elsewhere = make_table(cast.other_club)
    for _ in range(4):
        add_game(elsewhere, re_specials={"fuchs": 1})
    found = order(make_table(cast.club, rule_set=own.rule_set))
    kinds, names = [kind for kind, _special in found if kind], [special for _kind, special in found]
    assert kinds.index("damensolo") < kinds.index("nullo") < kinds.index("jungfrau"), "kinds keep their places"
    assert names.index("gans") < names.index("fuchs"), "another club's games do not count"


# --- Requests -------------------------------------------------------------------------------------------------------


def test_a_form_is_answered_in_the_accepted_type(scorer: Client, cast: Cast) -> None:
    before = cast.game
    for accept, is_json in (
        ("application/json", True),
        ("application/json, text/html;q=0.5", True),
        ("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", False),
        ("*/*", False),
        ("image/png", False),
        ("", False),
        (";;q=x,,/", False),
    ):
        sent = {"key": str(uuid4()), "after": str(before.key), "kind": "normal", "re": ["0", "1"], "eyes": "500"}
        refused = scorer.post(get_games_url(cast.table), sent, headers={"Accept": accept})
        assert refused.status_code == 422
        assert refused["Content-Type"].startswith("application/json" if is_json else "text/html"), accept
        saved = scorer.post(get_games_url(cast.table), {**sent, "eyes": "130"}, headers={"Accept": accept})
        assert saved.status_code == (201 if is_json else 302)
        before = Game.objects.get(key=sent["key"])
    body = {**build_entry(before), "eyes": 500}
    answer = send(scorer, get_games_url(cast.table), body, Accept="text/html")
    assert answer["Content-Type"] == "application/json", "JSON is answered with JSON"


def test_head_is_get_without_the_page(scorer: Client, cast: Cast) -> None:
    for address in (get_table_url(cast.table), get_game_url(cast.game), get_game_url(cast.game, "game_delete")):
        assert (scorer.head(address).status_code, scorer.head(address).content) == (200, b"")


def test_requests_need_a_csrf_token(cast: Cast) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(cast.scorer)
    body, form = build_entry(cast.game), {"form": "redeal", "key": KEY, "after": str(cast.game.key)}
    assert send(client, get_games_url(cast.table), body).status_code == 403
    assert client.post(get_games_url(cast.table), form).status_code == 403
    for name in ("game", "game_delete"):
        assert client.post(get_game_url(cast.game, name), {"version": "1", "confirm": "1"}).status_code == 403
    assert client.post(reverse("undo", args=["karo", cast.table.pk]), {"change": "1"}).status_code == 403
    assert list_keys(cast.table) == [str(cast.game.key)]
    client.get(get_table_url(cast.table))
    token = client.cookies[settings.CSRF_COOKIE_NAME].value
    assert send(client, get_games_url(cast.table), body, **{"X-CSRFToken": "x" * 32}).status_code == 403
    assert send(client, get_games_url(cast.table), body, **{"X-CSRFToken": token}).status_code == 201


def test_in_english(scorer: Client, cast: Cast) -> None:
    """Pages, answers and refusals are in the reader's language; typed text stays as it is."""
    english = {"Accept-Language": "en"}
    html = scorer.get(get_table_url(cast.table), headers=english).content.decode()
    assert '<html lang="en">' in html
    assert "Eintragen und weiter" not in html
    for body in ({**NORMAL, "eyes": 241}, {"dealer": True, "note": 5, "after": "x"}, {**NORMAL, "note": "\u202e"}):
        german, other = (
            send(scorer, get_games_url(cast.table), build_entry(cast.game) | body, **headers).json()["errors"]
            for headers in ({}, english)
        )
        assert german.keys() == other.keys()
        assert all(german[field] != other[field] for field in german), other
    conflict = send(scorer, get_games_url(cast.table), build_entry(), **english).json()
    assert "Ist das dasselbe Spiel?" not in conflict["error"]
    assert conflict["standing"]["facts"] == cast.game.facts


@pytest.mark.django_db(transaction=True)
def test_an_ended_session_leads_to_the_login(cast: Cast) -> None:
    """The request deletes the row of the session, which must not happen in a read-only snapshot."""
    for address in (
        get_table_url(cast.table),
        get_game_url(cast.game),
        reverse("evening_excel", args=["karo", cast.table.evening_id]),
    ):
        client = visit(cast.scorer)
        cast.scorer.set_password("Karlchen-am-Ende-3")
        cast.scorer.save()
        assert client.get(address).status_code == 302


# --- Queries --------------------------------------------------------------------------------------------------------


def long_sheet(cast: Cast, games: int, people: int = 4) -> list[Game]:
    """Return the games of a long sheet, stored as the replay stores them. A lost announcement makes all later ones Bock."""
    rule_set = make_rule_set(cast.club, "anleitung", bock={"length": 50})
    where = make_table(cast.club, people, rule_set=rule_set).rounds.get()
    facts = [{"kind": "normal", "re": [2, 3], "eyes": 90 + n} for n in range(games)]
    lines = [Game(round=where, position=1024 * (n + 1), form="played", dealer=0, facts=facts[n]) for n in range(games)]
    Game.objects.bulk_create(lines)
    records = read_records(where.table)
    write_derived(records, read_stored(records), derive(records))
    return lines


def asked(queries: CaptureQueriesContext) -> int:
    """Return the number of queries besides session and user."""
    return len([query for query in queries if not re.search(r"FROM .(scoring_session|auth_user).", query["sql"])])


@pytest.mark.parametrize("games", [10, 40])
def test_the_number_of_queries_does_not_depend_on_the_games(cast: Cast, games: int) -> None:
    """The table with its rights, its lines, the line-ups, the last change; the most used special points, and players who could
    come. A preview also reads the closed months of league and Kasse."""
    last, client = long_sheet(cast, games)[-1], visit(cast.scorer)
    for address, most in ((get_table_url(last.round.table), 6), (get_game_url(last), 4), (get_game_url(last, "game_delete"), 6)):
        with CaptureQueriesContext(connection) as queries:
            assert client.get(address).status_code == 200
        assert asked(queries) == most
