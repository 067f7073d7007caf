"""Sentences about rule sets: each value of a setting has its own, and house rules leave out what does not matter."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

from scoring.club.texts import are_describable
from scoring.models import Change, Verb
from scoring.rules.settings import PLAIN_BOCK, PRESETS, RuleSettings, get_preset_data, resolve
from scoring.rules.settings_schema import BOCK, BOCK_DEFAULTS, DEFAULTS, SETTINGS
from scoring.rules.sheet import Line, fold
from scoring.rulesets.texts.collection import COLLECTION
from scoring.rulesets.texts.rule_sets import get_document, list_differences, list_house_rules, list_sections
from scoring.rulesets.texts.settings import render_bock, render_setting


def test_every_setting_of_every_preset_is_a_sentence() -> None:
    for preset in PRESETS:
        lines = [line for _title, sentences in list_sections(get_preset_data(preset)) for line in sentences]
        assert {key.partition(".")[0] for key, _text in lines} == SETTINGS.keys() - DEFAULTS.keys()
        assert all(sentence.endswith(".") and "%(" not in sentence for _key, sentence in lines)
        keys = {key for key, _text in lines}
        assert get_preset_data(preset)["bock"] is None or {f"bock.{key}" for key in BOCK.keys() - BOCK_DEFAULTS.keys()} <= keys


# For each setting values that have different sentences: all of a few, some of many.
VALUES: dict[str, list[Any]] = {key: list(one.choices) for key, one in SETTINGS.items() if one.choices} | {
    "kinds": [["normal"], ["normal", "hochzeit"]],
    "kontra_121": [*SETTINGS["kontra_121"].choices, {"partner": "always", "solo": "never"}],
    "won": [1, 5],
    "limits": [[], [90], [90, 0]],
    "limit": [1, 5, {"times": 2}, {"90": 5}, {"90": 5, "0": 20}],
    "re_kontra": [
        None, {"add": 1}, {"add": 2}, {"times": 2}, {"times": 3}, {"re": {"add": 1}, "kontra": {"times": 2}},
        {"won": {"add": 1}, "lost": {"times": 2}}, {"first": {"add": 1}, "answer": {"times": 2}},
        {"answer": {"add": 1}, "first": {"times": 2}},
    ],
    "absage": [1, 2, {"times": 2}, {"no90": 1}, {"no90": 2}],
    "gegen_die_alten": [1, 2],
    "gegen_in": [[], ["partner"], ["partner", "armut", "solo"]],
    "specials": [
        {}, {"fuchs": 1}, {"fuchs": 2}, {"karlchen": 1}, {"fuchs": {"points": 1, "most": 1}},
        {"fuchs": {"points": 1, "most_party": 1}}, {"fuchs": {"points": [5, 10]}},
        {"fuchs": {"points": {"times": 2}}}, {"fuchs": {"points": 1, "of": "re"}},
        {"fuchs": {"points": 1, "kinds": ["solo"]}}, {"gans": {"name": "Gans", "points": 1}},
    ],
    "solo_point": [
        0,
        {"points": 1, "kinds": ["damensolo"], "when": "after"},
        {"points": 2, "kinds": ["damensolo"], "when": "after"},
        {"points": 1, "kinds": ["bubensolo"], "when": "before"},
    ],
    "lost_announcement": [
        None, {"times": 2, "when": "ansage"}, {"times": 3, "when": "ansage"}, {"times": 2, "when": "absage"},
        {"times": 2, "when": "re"},
    ],
    "counting": [*SETTINGS["counting"].choices, {"partner": "winners", "solo": "losers"}],
    "deal_stays": [[], ["duty_solo"], ["lustsolo", "penalty", "redeal"]],
    "seating": [{}, {"6": [0, 1, 2, 3, 4, 5]}, {"6": [0, 1, 2, 4]}, {"7": [1, 3, 5, 6]}],
    "duty_solo": [None, {"rounds": 1}, {"rounds": 5}],
    "against": [0, 1, 2],
    "cowardice": [
        None, {"levels": 2, "then": "loses"}, {"levels": 3, "then": "loses"}, {"levels": 2, "then": "nobody"},
        {"levels": 2, "then": 3},
    ],
    "lost_times": [1, 2],
    "highest": [None, 10],
    "text": ["", "Schmeißen bei fünf Neunen."],
}


BOCK_VALUES: dict[str, list[Any]] = {key: list(one.choices) for key, one in BOCK.items() if one.choices} | {
    "triggers": [[], ["lost_solo"], ["tie_120", "herzstich", "zero_game", "schwarz", "manual", "lost_announcement"]],
    "length": ["table", "deal", 1, 4],
    "cap": [1, 2, 8],
    "effect": ["all", "game", {"add": 1}, {"add": 2}],
}


def test_the_values_cover_every_setting() -> None:
    assert set(VALUES) == SETTINGS.keys() - {"bock", "per_kind"}
    assert set(BOCK_VALUES) == set(BOCK)


def test_another_value_is_another_sentence() -> None:
    for key, values in VALUES.items():
        rule_sets = [{**get_preset_data("ddv"), key: value} for value in values]
        for settings in rule_sets:
            RuleSettings.from_data(settings)
        assert len({render_setting(key, settings) for settings in rule_sets}) == len(values), key
    for key, values in BOCK_VALUES.items():
        rule_sets = [resolve({"base": "ddv", "bock": {key: value}}) for value in values]
        for settings in rule_sets:
            RuleSettings.from_data(settings)
        lines = {str([line for _title, sentences in list_sections(settings) for line in sentences]) for settings in rule_sets}
        assert len(lines) == len(values), key


def list_sentences() -> Iterator[str]:
    """Yield all sentences of all presets, of all recipes and of the values above, each with its title and key."""
    sets = [get_preset_data(preset) for preset in PRESETS]
    sets += [resolve(way["rules"]) for recipe in COLLECTION for way in recipe["ways"]]
    sets += [{**get_preset_data("ddv"), key: value} for key, values in VALUES.items() for value in values]
    sets += [resolve({"base": "ddv", "bock": {key: value}}) for key, values in BOCK_VALUES.items() for value in values]
    for settings in sets:
        for title, sentences in (*list_sections(settings), *list_house_rules(settings)):
            yield from (f"{title} | {key} | {sentence}" for key, sentence in sentences)


def test_the_sentences_of_the_rule_page_stay_as_they_are() -> None:
    written = (Path(__file__).parent / "sentences.txt").read_text(encoding="utf-8")
    assert "".join(f"{line}\n" for line in dict.fromkeys(list_sentences())) == written


def test_defaults_are_left_out_and_own_names_are_used() -> None:
    sentences = {key: text for _title, lines in list_sections(get_preset_data("ddv")) for key, text in lines}
    assert set(sentences).isdisjoint(DEFAULTS)
    nullo = {"name": "Nullo", "like": "fleischlos", "decided": "hand", "won": 4}
    bock = {"triggers": ["special:gans", "kind:nullo"]}
    own = {"specials": {"gans": {"name": "Gans", "points": [5, 10], "kinds": ["nullo"]}}, "bock": bock}
    settings = resolve(
        {
            "base": "ddv",
            "kinds": ["normal", "nullo", "mau"],
            "per_kind": {"nullo": nullo, "mau": {"name": "Mauer", "like": "ramsch", "won": 3}, "solo": {"lost_times": 2}},
            **own,
        }
    )
    RuleSettings.from_data(settings)
    sentences = get_house_rules(settings)
    assert sentences["kinds"] == "Es gibt diese Spiele: Normalspiel, Nullo, Mauer."
    assert sentences["specials"].endswith("Gans 5 Punkte, weitere 10 (nur: Nullo).")
    assert sentences["per_kind.nullo"] == (
        "Nullo, gespielt wie Fleischloses Solo: Augen werden nicht gezählt; eingetragen wird, wer gewonnen hat. "
        "Ein gewonnenes Spiel zählt 4 Punkte."
    )
    assert sentences["per_kind.mau"] == "Mauer, gespielt wie Ramsch: Verloren zählt 3 Punkte."
    assert sentences["per_kind.solo"] == "Solo: Gewinnt Kontra, zählt das Spiel das 2-Fache."
    assert sentences["bock.triggers"] == "Einen Bock löst aus: Sonderpunkt „Gans“ eingetragen, jedes Spiel „Nullo“."


GANS = {"name": "Gans", "points": 1, "kinds": ["armut"]}
A_BOCK = {**PLAIN_BOCK, "triggers": ["lost_solo"]}
A_PLAIN_BOCK = {**A_BOCK, "drawn": "plain"}
NO_SOLO: dict[str, Any] = {"kinds": ["normal", "hochzeit"], "duty_solo": None, "bock": None}
A_RAMSCH = {"kinds": ["normal", "mau"], "per_kind": {"mau": {"name": "Mauer", "like": "ramsch"}}}


def get_house_rules(settings: dict[str, Any]) -> dict[str, str]:
    return {key: text for _title, lines in list_house_rules(settings) for key, text in lines}


@pytest.mark.parametrize(
    ("key", "without", "with_it"),
    [
        ("special_payer", {}, {"specials_when": "paid"}),
        ("specials_in_solo", {"specials": {}}, {}),
        ("specials_when", {"specials": {}}, {}),
        *((key, {"specials": {"herzstich": 0}}, {"specials": {"herzstich": 1}}) for key in ("specials_when", "negative")),
        ("negative", {"specials_when": "paid"}, {}),
        ("absage", {"re_kontra": None}, {}),
        ("lost_announcement", {"re_kontra": None}, {}),
        ("limit", {"limits": []}, {}),
        ("gegen_when", {"gegen_in": []}, {}),
        ("tie_120", {"kontra_121": "never"}, {"kontra_121": {"partner": "always", "solo": "never"}}),
        ("tie_120", {"kontra_121": "never"}, {"kontra_121": "never", "at": {"6": {"kontra_121": "always"}}}),
        ("bock.duty_solo_uses", {"duty_solo": None}, {}),
        ("bock.cap", {}, {"bock": {**A_BOCK, "overlap": "stack"}}),
        ("bock.length", {"bock": {**A_BOCK, "triggers": []}}, {}),
        ("bock.per_game", {}, {"bock": {**A_BOCK, "triggers": ["tie_120", "lost_solo"]}}),
        ("bock.per_game", {}, {"bock": {**A_BOCK, "triggers": ["manual"]}}),
        ("bock.drawn", {"re_kontra": None, "bock": A_PLAIN_BOCK}, {"bock": A_PLAIN_BOCK}),
        ("schwarz_by", {"re_kontra": None, "limits": [90]}, {}),
        ("nobody_wins", {"re_kontra": None}, {}),
        ("nobody_wins", {"re_kontra": None}, {"re_kontra": None, "kontra_121": "always", "tie_120": "nobody"}),
        ("nobody_wins", {"missed_absage": "costs"}, {"missed_absage": "costs", "cowardice": {"levels": 2, "then": "nobody"}}),
        ("limit_counts", {"re_kontra": None}, {}),
        ("gegen_when", {"bock": None}, {"bock": None, "solo_times": 2}),
        ("specials_when", {"bock": None}, {"bock": None, "re_kontra": {"times": 2}}),
        ("specials_when", {"bock": None}, {"bock": None, "limit": {"times": 2}}),
        ("specials_when", {"bock": None}, {"bock": None, "specials_when": "paid"}),
        ("specials_in_solo", NO_SOLO, {}),
        ("solo_times", NO_SOLO, {}),
        ("solo_point", NO_SOLO, {}),
        ("duty_solo", NO_SOLO, {}),
        ("soloist_share", NO_SOLO, NO_SOLO | A_RAMSCH),
        ("tie_120", {"re_kontra": None}, {"re_kontra": None, "kontra_121": "unless_re"}),
        ("per_kind.armut", {"per_kind": {"armut": {"won": 2}}}, {"per_kind": {"armut": {"won": 2}}, "kinds": ["normal", "armut"]}),
    ],
)
def test_the_house_rules_leave_out_settings_that_do_not_matter(key: str, without: dict[str, Any], with_it: dict[str, Any]) -> None:
    """Each setting is shown only with the second change, not with the first."""
    base = {**get_preset_data("ddv"), "bock": A_BOCK}
    assert key not in get_house_rules(base | without)
    assert key in get_house_rules(base | with_it)


@pytest.mark.parametrize(
    ("settings", "example"),
    [
        ({}, "8 Punkte für Kontra, ohne diese Regel 6 Punkte."),
        ({"against_absage": "highest"}, "7 Punkte für Kontra, ohne diese Regel 6 Punkte."),
        ({"against": 3}, "12 Punkte für Kontra, ohne diese Regel 6 Punkte."),
        ({"re_kontra": {"times": 2}, "unit": "cents"}, "12 Cent für Kontra, ohne diese Regel 8 Cent."),
        ({"against_absage": "off"}, None),
        ({"against": 0}, None),
        ({"kinds": ["damensolo"]}, None),
        # In solos alone there are announcements.
        ({"re_kontra": None, "per_kind": {"solo": {"re_kontra": {"add": 2}}}}, None),
    ],
)
def test_the_points_against_an_absage_have_an_example(settings: dict[str, Any], example: str | None) -> None:
    sentences = get_house_rules({**get_preset_data("ddv"), **settings})
    _sentence, _beispiel, shown = sentences["against_absage"].partition(
        "Beispiel: Re sagt keine 60 und holt 115 Augen, Kontra also 125: "
    )
    assert (shown or None) == example


@pytest.mark.parametrize(
    ("key", "settings", "says"),
    [
        ("deal_stays", {"deal_stays": ["duty_solo", "redeal"]}, "Derselbe gibt noch einmal nach: neu gegeben."),
        ("deal_stays", {"deal_stays": ["duty_solo"]}, "Nach jedem Spiel gibt der Nächste."),
        ("gegen_in", {"gegen_in": ["partner", "armut"]}, "Gegen die Alten gibt es in: Normalspiel und Hochzeit."),
        ("solo_point", {"solo_point": {"points": 1, "kinds": ["koenigssolo"], "when": "after"}}, "Einen Solopunkt gibt es nicht."),
        ("specials", {"specials": {"fuchs": 1, "gans": GANS}}, "Sonderpunkte: Fuchs gefangen 1 Punkt."),
        ("kontra_121", {"re_kontra": None}, "Kontra gewinnt schon mit 120 Augen."),
        (
            "bock.triggers",
            {"re_kontra": None, "bock": {**PLAIN_BOCK, "triggers": ["lost_re", "both_said", "tie_120", "kind:armut", "herzstich"]}},
            "Einen Bock löst aus: 120 zu 120.",
        ),
        ("bock.triggers", {"re_kontra": None, "bock": {**PLAIN_BOCK, "triggers": ["lost_re"]}}, "Nichts löst einen Bock aus."),
    ],
)
def test_the_house_rules_leave_out_games_and_announcements_that_do_not_exist(key: str, settings: dict[str, Any], says: str) -> None:
    """The rule set has no Armut, Königssolo and Pflichtsolo."""
    base = {**get_preset_data("ddv"), "duty_solo": None}
    sentences = get_house_rules(base | settings)
    assert sentences[key] == says
    assert sentences["kinds"] == render_setting("kinds", base)


def test_a_special_point_without_points_says_what_it_is_for() -> None:
    """The house rules show it only if it starts a Bock."""
    herzstich = {"points": 0, "of": "game"}
    settings = {**get_preset_data("ddv"), "specials": {"fuchs": 1, "herzstich": herzstich, "gans": {"name": "Gans", "points": 0}}}
    bock = {"bock": {**PLAIN_BOCK, "triggers": ["special:herzstich"]}}
    sentences = get_house_rules(settings | bock)
    assert sentences["specials"] == "Sonderpunkte: Fuchs gefangen 1 Punkt, Herzstich löst Bock aus (gleich wer ihn macht)."
    assert render_setting("specials", settings) == (
        "Sonderpunkte: Fuchs gefangen 1 Punkt, Herzstich wird nur notiert (gleich wer ihn macht), Gans wird nur notiert."
    )


def test_the_effect_of_bock_excludes_special_points_added_after_the_doubling() -> None:
    settings = {**get_preset_data("ddv"), "bock": A_BOCK}
    effects = [dict(render_bock({**settings, "specials_when": when}))["bock.effect"] for when in ("before", "bock_only", "after")]
    whole = "Ein Bockspiel zählt doppelt, mit allem, was dazukommt."
    assert effects == [whole, whole, "Ein Bockspiel zählt doppelt, nur die Sonderpunkte nicht."]
    assert dict(render_bock({**settings, "specials": {}, "specials_when": "after"}))["bock.effect"] == whole


def test_the_lines_of_a_table_of_six_leave_out_what_it_lacks() -> None:
    six = {"kinds": ["normal", "damensolo"], "gegen_in": ["partner", "armut"]}
    settings = {**get_preset_data("ohne_neunen"), "at": {"6": six}}
    sections = {title: dict(sentences) for title, sentences in list_house_rules(settings)}
    assert sections["Mit 6 am Tisch gilt stattdessen"] == {
        "kinds": "Es gibt diese Spiele: Normalspiel, Damensolo.",
        "gegen_in": "Gegen die Alten gibt es in: Normalspiel und Hochzeit.",
    }


def test_a_bock_at_one_size_may_leave_out_whether_it_goes_on_the_next_evening() -> None:
    six = {key: value for key, value in A_BOCK.items() if key != "carry"}
    settings = {**get_preset_data("ddv"), "bock": {**A_BOCK, "carry": True}, "at": {"6": {"bock": six}}}
    sections = {title: dict(sentences) for title, sentences in list_house_rules(settings)}
    assert "bock.carry" in sections["Bock"]
    assert sections["Mit 6 am Tisch gilt stattdessen"].keys() >= {"bock.triggers", "bock.open"}
    assert "bock.carry" not in sections["Mit 6 am Tisch gilt stattdessen"]


READINGS = {
    "ddv": [["deal_stays"]],
    "ohne_neunen": [["deal_stays"]],
    "anleitung": [
        ["deal_stays"], ["kontra_121", "tie_120"], ["solo_times", "bock"], ["solo_times", "lost_announcement"],
        ["specials_in_solo"], ["soloist_share"], ["nobody_wins"],
    ],
    "vln": [
        ["deal_stays"],
        ["re_kontra", "specials_when", "gegen_when", "solo_point"],
        ["kontra_121", "tie_120"],
        ["missed_absage"],
        ["specials"],
        ["specials_in_solo"],
    ],
    "klassisch": [
        ["deal_stays"], ["limits", "re_limit_more"], ["won", "limit", "gegen_die_alten"], ["special_payer"],
        ["sitter"],
    ],
}


def list_readings(settings: dict[str, Any]) -> list[Any] | None:
    document = get_document(settings)
    return document and [keys for keys, _text in document["readings"]]


@pytest.mark.parametrize("preset", PRESETS)
def test_a_preset_has_the_readings_of_its_document(preset: str) -> None:
    assert list_readings(get_preset_data(preset)) == READINGS.get(preset)


def test_a_reading_that_a_club_changed_is_left_out() -> None:
    changed = resolve({"base": "klassisch", "special_payer": "players", "deal_stays": ["penalty"]})
    assert list_readings(changed) == [["limits", "re_limit_more"], ["won", "limit", "gegen_die_alten"], ["sitter"]]
    assert list_readings(resolve({"base": "ddv", "deal_stays": ["penalty"]})) is None


def test_the_example_of_the_document_is_worth_what_the_reading_says() -> None:
    solo = {"kind": "damensolo", "re": [0], "re_said": "no90"}
    games = [{**solo, "eyes": eyes, "bock": level} for eyes, level in ((154, 1), (140, 0), (140, 1))]
    played = fold([Line("played", range(4), 3, facts) for facts in games], RuleSettings.from_data(get_preset_data("anleitung")))
    assert [one.outcome.value for one in played] == [24, -32, -64]


def test_differences_are_grouped_by_title() -> None:
    before = resolve({"base": "ddv", "highest": 10, "lost_times": 2})
    after = resolve({"base": "ddv", "won": 2, "bock": {"triggers": ["lost_solo"]}, "cowardice": {"levels": 2, "then": "loses"}})
    differences = list_differences(before, after)
    assert next(difference["before"] for difference in differences if difference["title"] == "Bock") == "Bock gibt es nicht."
    titles = [difference["title"] for difference in differences]
    assert [title for title, _group in groupby(titles)] == ["Wer gewinnt", "Was ein Spiel zählt", "Bock"]
    assert titles.count("Was ein Spiel zählt") == 3


VALID = {"settings": get_preset_data("ddv")}


def make_change(before: dict[str, Any] | None, after: dict[str, Any] | None) -> Change:
    return Change(verb=Verb.RULES_CHANGED, subject_id="1", before=before, after=after)


def test_a_log_entry_of_an_edit_in_place_is_shown_unless_its_settings_are_invalid(db: None) -> None:
    assert are_describable([make_change({"settings": get_preset_data("vln")}, VALID)])
    for side in ({"settings": None}, {"settings": {"won": -1}}, {"settings": [[]]}):
        assert not are_describable([make_change(side, VALID)])
        assert not are_describable([make_change(VALID, side)])
    for side in (None, {}):
        assert not are_describable([make_change(VALID, side)])
