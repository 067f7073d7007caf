"""The collection of house rules: sentences, example games with their results, and search."""

from __future__ import annotations

import json
import re
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

from scoring.rules.score_lines import LineScorer
from scoring.rules.settings import get_preset_data
from scoring.rulesets.forms.settings import SettingsForm
from scoring.rulesets.texts.collection import (
    COLLECTION,
    contains_words,
    list_settings_of,
    render_example,
    search_recipes,
)
from scoring.rulesets.texts.recipes import COMMON, RECIPES, TOPICS
from tests.factories import Cast
from tests.rulesets.settings_form import fill

DOCUMENT = Path(__file__).parents[2] / "docs" / "recipes.md"
# Three at the table, one person's points, and what a month or an evening makes of the games: no rule set says that.
CANNOT_BE_SET = [39, 40, 70, 72]
# Nothing has to be set for them: the parties are entered as they are in the end, and a correction is a line of its own.
NEEDS_NO_SETTING = [36, 41]


def test_there_are_73_rules_and_four_of_them_cannot_be_set() -> None:
    assert [rule["number"] for rule in COLLECTION] == list(RECIPES) == list(range(1, 74))
    assert [rule["number"] for rule in COLLECTION if not rule["ways"]] == CANNOT_BE_SET
    assert {rule["topic"] for rule in COLLECTION} == set(TOPICS)
    assert {rule["common"] for rule in COLLECTION} == set(COMMON)


def test_every_way_has_a_sentence_and_a_game_and_a_rule_without_ways_a_reason() -> None:
    for rule in COLLECTION:
        _title, _also, *hows = RECIPES[rule["number"]]
        assert len(hows) == max(len(rule["ways"]), 1), rule["number"]
        assert all(way["games"] for way in rule["ways"]), rule["number"]


def test_the_example_games_have_the_expected_results() -> None:
    for rule in COLLECTION:
        for way in rule["ways"]:
            evening = LineScorer()
            for game in way["games"]:
                expect = game["expect"]
                (answer,) = map(json.loads, evening.answers([json.dumps({**game, "rules": way["rules"]})]))
                assert {key: answer.get(key) for key in expect} == expect, (rule["number"], answer)


def test_an_example_is_a_sentence() -> None:
    rule = {rule["number"]: rule["ways"] for rule in COLLECTION}
    ways = [way for number in (1, 35, 45, 56, 62, 68) for way in rule[number]]
    sentences = [render_example(game, way["rules"]) for way in ways for game in way["games"]]
    assert sentences == [
        "Re sagt Re und gewinnt mit 155 Augen: 3 Punkte für Re.",
        "Re sagt Re und gewinnt mit 155 Augen: 4 Punkte für Re.",
        "Ramsch, Jungfrau, einer verliert: 6 Punkte für jeden anderen; auf dem Zettel +6, +6, −18, +6.",
        "Re: Fuchs von Fuchs, Re gewinnt mit 130 Augen: 3 Punkte für Re.",
        "Damensolo, Re: Fuchs von Fuchs, Re gewinnt mit 130 Augen: 1 Punkt für Re; auf dem Zettel +3, −1, −1, −1.",
        "Armut, Re: Armut geklappt, Re gewinnt mit 130 Augen: 2 Punkte für Re.",
        "Hochzeit allein, Kontra: Hochzeit nicht gefunden, Re gewinnt mit 130 Augen: 0 Punkte; auf dem Zettel 0, 0, 0, 0.",
        "4 × Tuck, Kontra gewinnt mit 140 Augen: 7 Punkte für Kontra.",
        "Kontra gewinnt mit 50 Augen: 4 Punkte für Kontra.",
        "Re sagt Re und gewinnt mit 190 Augen: 5 Punkte für Re.",
        "Re: Fuchs gefangen, Kontra gewinnt mit 50 Augen: 2 Punkte für Kontra.",
        "Niemand gewinnt mit 190 zu 50 Augen: 0 Punkte.",
        "Neu gegeben: 0 Punkte; auf dem Zettel 0, 0, 0, 0; kein Bockspiel; danach 4 Bockspiele.",
        "Re gewinnt mit 130 Augen: 2 Punkte für Re; auf Bockstufe 1.",
    ]


def numbers(found: list[tuple[str, list[Any]]]) -> list[int]:
    return sorted(recipe["number"] for _title, rules in found for recipe in rules)


@pytest.mark.parametrize(
    ("search", "found"),
    [
        ("", list(range(1, 74))),
        ("Schweinchen", [42]),
        ("Juckel", [4]),
        ("Charly", [4]),
        ("Herz geht rum", [8, 14]),
        ("Hyperschwein", [42]),
        ("Koppeldopf", [43]),
        ("Sprungansage", [53]),
        ("Schwarze Sau", [27, 48]),
        ("gegen Absage", [58, 73]),
        ("Vorbehalt", [27, 29]),
        ("DECKEL", [64, 72]),
        ("feigheit", [62]),
        ("kaffeekraenzchen", [43]),
        ("Kaffeekranzchen", [43]),
        ("schmeissen", [68, 71]),
        ("Schmeißen", [68, 71]),
        ("Herzstich Bock", [14]),
        ("Bock Herzstich", [14]),
        ("Quatsch", []),
    ],
)
def test_a_rule_is_found_by_its_words(search: str, found: list[int]) -> None:
    assert numbers(search_recipes(search)) == found


def test_every_rule_that_can_be_set_is_found_in_the_form_by_each_word_of_its_name() -> None:
    form = SettingsForm(settings=get_preset_data("ddv"))
    texts = {
        line.key: (line.name, line.explained, line.search_words, line.sentence) for _title, lines in form.sections for line in lines
    }
    texts["per_kind"] = (form.kinds_search_words, *(row["sentence"] for row in form.kind_rows))
    assert [rule["number"] for rule in COLLECTION if not list_settings_of(rule)] == sorted([*CANNOT_BE_SET, *NEEDS_NO_SETTING])
    for rule in COLLECTION:
        title, also, *_hows = RECIPES[rule["number"]]
        assert list_settings_of(rule) <= set(texts), rule["number"]
        for word in f"{title} {also}".replace(",", " ").split() if list_settings_of(rule) else ():
            assert any(contains_words(word, *texts[key]) for key in list_settings_of(rule)), (rule["number"], word)


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ("Hintertür", ["negative"]),
        ("Einwurf", ["bock", "bock__triggers"]),
        ("geburtstag", ["bock", "bock__triggers"]),
        ("Doppelbock der Rest", ["bock", "bock__overlap", "bock__cap"]),
        ("trumpfabgabe", ["kinds"]),
        ("Vorführung", ["deal_stays", "duty_solo", "bock__duty_solo_uses"]),
        ("Schneider bis 61", ["limits", "limit", "re_limit_more"]),
        ("Jungfrau", ["specials", "per_kind"]),
        ("Lustsolo verbraucht", ["per_kind"]),
        ("Stuhlbein", ["specials"]),
        ("Genscher", []),
        ("Juckel", ["specials"]),
        ("Charly", ["specials"]),
        ("Herz geht rum", ["specials", "bock", "bock__triggers"]),
        ("Hyperschwein", ["specials"]),
        ("Koppeldopf", ["specials"]),
        ("Sprungansage", ["absage", "re_kontra"]),
        ("Schwarze Sau", ["kinds", "per_kind"]),
        ("gegen Absage", ["re_kontra", "against_absage", "against"]),
        ("Vorbehalt", ["kinds"]),
    ],
)
def test_the_form_finds_settings_by_the_words_of_the_collection(wanted: str, found: list[str]) -> None:
    data = fill(SettingsForm(settings=get_preset_data("ddv")))
    data["find"] = wanted
    lines = dict(SettingsForm(data, settings=get_preset_data("ddv")).search_results)
    assert sorted(lines) == sorted(found)


@pytest.mark.django_db
def test_the_page_shows_all_rules_or_those_found(client: Client, cast: Cast) -> None:
    client.force_login(cast.reader)
    page = client.get("/c/karo/rules/recipes/").content.decode()
    assert [int(n) for n in sorted(re.findall(r'id="rule-(\d+)"', page), key=int)] == list(range(1, 74))
    assert "73 Regeln, die in Clubs gespielt werden; 69 davon lassen sich einstellen." in page
    assert page.count("lässt sich nicht einstellen") == len(CANNOT_BE_SET)
    page = client.get("/c/karo/rules/recipes/", {"q": " schweinchen "}).content.decode()
    assert re.findall(r'id="rule-(\d+)" open', page) == ["42"]
    assert 'value="schweinchen"' in page
    assert "Re: Schweinchen, Re gewinnt mit 130 Augen: 2 Punkte für Re." in page
    page = client.get("/c/karo/rules/recipes/", {"q": "<b>"}).content.decode()
    assert "Keine Regel passt zu „&lt;b&gt;“." in page
    assert 'id="rule-' not in page


@pytest.mark.django_db
def test_the_list_and_the_form_link_to_the_collection(client: Client, cast: Cast) -> None:
    client.force_login(cast.admin)
    for address in ("/c/karo/rules/", f"/c/karo/rules/{cast.table.rule_set_id}/edit/"):
        assert 'href="/c/karo/rules/recipes/"' in client.get(address).content.decode()


def test_the_document_is_what_the_command_prints() -> None:
    written = StringIO()
    call_command("recipes", stdout=written)
    assert DOCUMENT.read_text(encoding="utf-8") == written.getvalue()
