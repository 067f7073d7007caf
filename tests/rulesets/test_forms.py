"""The form of every setting: stored settings come back unchanged, and faults are shown at their field."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.rules import labels
from scoring.rules.constants import KINDS, SOLO_KINDS, SPECIALS
from scoring.rules.settings import PRESETS, RuleSettings, get_preset_data, resolve
from scoring.rules.settings_schema import (
    BOCK,
    BY_FIELD,
    DEFAULTS,
    IN_ROWS,
    LIMITS,
    MAX_CAP,
    MAX_HIGHEST,
    MAX_NUMBER,
    RE_KONTRA_BY,
    SETTINGS,
)
from scoring.rules.sheet import Line, fold
from scoring.rulesets.forms.inputs import Part, build_row_inputs
from scoring.rulesets.forms.settings import SettingsForm
from tests.effort import LONG, examples
from tests.rules.random_games import random_rules
from tests.rulesets.settings_form import submit

Data = dict[str, Any]
AMOUNT = st.integers(0, MAX_NUMBER)


def some(values: Sequence[Any], least: int = 0) -> st.SearchStrategy[list[Any]]:
    """Draw any of these values, in their order."""
    return st.sets(st.sampled_from(list(values)), min_size=least).map(lambda chosen: [v for v in values if v in chosen])


def by_party(values: Iterable[str]) -> st.SearchStrategy[Any]:
    one = st.sampled_from(list(values))
    two = st.fixed_dictionaries({"partner": one, "solo": one}).filter(lambda pair: pair["partner"] != pair["solo"])
    return one | two


def four_of(people: int) -> st.SearchStrategy[list[int]]:
    four = st.sets(st.integers(0, people - 1), min_size=4, max_size=4).map(sorted)
    return four if people == 7 else four | st.just(list(range(people)))


A_BOCK = st.fixed_dictionaries(
    {
        # The older trigger of the Herzstich is offered only to a rule set that has it.
        "triggers": some([trigger for trigger in labels.TRIGGERS if trigger != "herzstich"]),
        "length": st.sampled_from(["table", "deal"]) | st.integers(1, 99),
        "cap": st.integers(1, MAX_CAP),
        "effect": st.sampled_from(["all", "game"]) | st.builds(lambda n: {"add": n}, AMOUNT),
        **{key: st.sampled_from(list(one.choices)) for key, one in BOCK.items() if one.choices and one.needed},
    },
    optional={
        key: st.sampled_from([value for value in one.choices if value != one.default])
        for key, one in BOCK.items()
        if one.choices and not one.needed
    },
)
ANSAGE = st.builds(lambda n: {"add": n}, AMOUNT) | st.builds(lambda n: {"times": n}, st.integers(1, 9))
TIMES = st.builds(lambda n: {"times": n}, st.integers(1, 4))


def by_step(*steps: str) -> st.SearchStrategy[Any]:
    return AMOUNT | TIMES | st.dictionaries(st.sampled_from(steps), AMOUNT, min_size=1)


EVERY = {
    **{key: st.sampled_from(list(one.choices)) for key, one in SETTINGS.items() if one.choices and one.needed},
    **{key: by_party(one.choices) for key, one in SETTINGS.items() if one.split},
    **dict.fromkeys(("won", "gegen_die_alten"), AMOUNT),
    "limit": by_step("90", "60", "30", "0"),
    "absage": by_step("no90", "no60", "no30", "schwarz"),
    "kinds": some(KINDS, least=1),
    "limits": some(LIMITS),
    "re_kontra": st.none()
    | ANSAGE
    | st.sampled_from(RE_KONTRA_BY).flatmap(lambda two: st.fixed_dictionaries(dict.fromkeys(two, ANSAGE))),
    "gegen_in": some(list(labels.GEGEN_IN)),
    "specials": st.dictionaries(st.sampled_from(list(SPECIALS)), AMOUNT),
    "solo_point": st.just(0)
    | st.fixed_dictionaries(
        {"points": AMOUNT, "kinds": some(SOLO_KINDS), "when": st.sampled_from(list(SETTINGS["gegen_when"].choices))}
    ),
    "lost_announcement": st.none()
    | st.fixed_dictionaries({"times": st.integers(1, 9), "when": st.sampled_from(["ansage", "absage", "re"])}),
    "deal_stays": some(list(labels.DEAL_STAYS)),
    "seating": st.fixed_dictionaries({}, optional={str(people): four_of(people) for people in (6, 7, 8)}),
    "duty_solo": st.none() | st.builds(lambda n: {"rounds": n}, st.integers(1, 99)),
    "bock": st.none() | A_BOCK,
}
# What may be left out, never as it is then.
LATER = {
    **{
        key: st.sampled_from([value for value in one.choices if value != one.default])
        for key, one in SETTINGS.items()
        if one.choices and not one.needed
    },
    "against": AMOUNT.filter(lambda n: n != 1),
    "cowardice": st.fixed_dictionaries({"levels": st.integers(2, 5), "then": st.sampled_from(["loses", "nobody"]) | AMOUNT}),
    "lost_times": st.integers(2, 9),
    "highest": st.integers(1, MAX_HIGHEST),
}
COMPLETE = st.fixed_dictionaries(EVERY, optional={**LATER, "text": st.text("abc \n", min_size=1).map(lambda t: f"A{t}.")})
AT_A_SIZE = st.fixed_dictionaries(EVERY, optional=LATER)


def get_data(wanted: Data) -> Data:
    """Return the data of the form of these settings."""
    fields = {field.name: field.value() for field in SettingsForm(settings=wanted)}
    return {name: "" if value is None else value for name, value in fields.items()}


def test_the_strategy_and_the_rows_know_every_setting() -> None:
    assert set(build_row_inputs(get_preset_data("ddv"))) == {*IN_ROWS, "name"}
    assert set(EVERY) == SETTINGS.keys() - DEFAULTS.keys()
    assert {*LATER, "text", "per_kind"} == set(DEFAULTS)
    assert {key for key, one in BOCK.items() if not one.choices} == {"triggers", "length", "cap", "effect"}


@given(COMPLETE)
@settings(max_examples=examples(150), deadline=None)
def test_an_unchanged_form_returns_the_stored_settings(stored: Data) -> None:
    RuleSettings.from_data(stored)
    form = submit({**stored, "at": {}})
    assert form.is_valid(), form.errors
    assert form.settings == {**stored, "at": {}}
    assert form.changed_data == []


@pytest.mark.parametrize("rules", [*PRESETS, *range(examples(60))])
def test_an_unchanged_form_returns_presets_stored_rows_and_own_kinds(rules: str | int) -> None:
    """A number is the seed of a random rule set."""
    stored = resolve(rules if isinstance(rules, str) else random_rules(random.Random(rules)))
    RuleSettings.from_data(stored)
    for people in (None, 4, 5, 6, 7, 8) if LONG else (None, 5, 6, 8):
        form = submit(stored, people)
        assert form.is_valid(), form.errors
        assert form.settings == stored
        assert form.changed_data == []


@given(COMPLETE, COMPLETE)
@settings(max_examples=examples(60), deadline=None)
def test_any_rule_set_can_be_typed_over_any_other(stored: Data, wanted: Data) -> None:
    form = submit({**stored, "at": {}}, **get_data(wanted))
    assert form.is_valid(), form.errors
    assert form.settings == {**wanted, "at": {}}


@given(COMPLETE, AT_A_SIZE, st.integers(4, 8))
@settings(max_examples=examples(60), deadline=None)
def test_changes_at_one_size_of_table_are_stored_under_this_size(stored: Data, wanted: Data, people: int) -> None:
    """The unit, and whether Bock is carried to the next evening, are the same at all tables."""
    wanted = {**wanted, "unit": stored["unit"]}
    if wanted["bock"]:
        carry = stored["bock"]["carry"] if stored["bock"] else False
        wanted["bock"] = {**wanted["bock"], "carry": carry}
    form = submit({**stored, "at": {}}, people, **get_data(wanted))
    assert form.is_valid(), form.errors
    wanted, base = {**DEFAULTS, **wanted}, {**DEFAULTS, **stored}
    differing = {key: value for key, value in wanted.items() if value != base[key] and key != "text"}
    assert form.settings == {**stored, "at": {str(people): differing} if differing else {}}


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_can_be_typed_from_the_tournament_rules(preset: str) -> None:
    wanted, typed_in = get_preset_data(preset), get_preset_data("ddv")
    for people in (None, 6, 7, 8):
        there = {**wanted, **wanted["at"].get(str(people), {})}
        form = submit(typed_in, people, **get_data(there))
        assert form.is_valid(), form.errors
        typed_in = form.settings
    # A row with only points is stored as a number.
    numbers = {
        key: row["points"] if isinstance(row, dict) and [*row] == ["points"] else row for key, row in wanted["specials"].items()
    }
    assert typed_in == {**wanted, "specials": numbers}


def test_a_removed_own_kind_is_removed_from_the_kinds() -> None:
    nullo = {"name": "Nullo", "like": "fleischlos"}
    stored = resolve({"base": "ddv", "per_kind": {"nullo": nullo, "solo": {"won": 2}}, "kinds": ["normal", "nullo"]})
    form = submit(stored, per_kind__nullo="False")
    assert form.is_valid(), form.errors
    assert form.settings == {**stored, "kinds": ["normal"], "per_kind": {"solo": {"won": 2}}}


def test_an_invalid_stored_name_is_refused_at_its_field() -> None:
    stored = resolve({"base": "ddv", "specials": {"gans": {"name": "Ga\u200bns", "points": 1}}})
    form = submit(stored)
    assert set(form.errors) == {"specials__gans-name"}
    assert submit(stored, **{"specials__gans-name": "Gans"}).is_valid()


def test_a_name_that_is_taken_is_refused() -> None:
    kind = {"per_kind__0-name": "Damensolo", "per_kind__0-like": "ramsch"}
    form = submit(get_preset_data("ddv"), **{"specials__0-name": "fuchs Gefangen"}, **kind)
    assert set(form.errors) == {"specials__0-name", "per_kind__0-name"}


def test_asking_for_one_more_row_shows_its_initial_values_and_saves_nothing() -> None:
    stored = get_preset_data("ddv")
    form = submit(stored, **{"won": "7", "specials__0-name": "Gans", "row_word": "solo", "row_key": "lost_times"})
    assert form.unfinished
    assert [form[f"per_kind__solo-{name}"].value() for name in ("lost_times-set", "lost_times")] == [True, "1"]
    assert form.rows.shown_pairs == ["solo.lost_times"]
    again = submit(stored, add="special", **{"specials__0-name": "Gans"})
    assert (again["specials__1-points"].value(), again["specials__1-how"].value()) == ("1", "points")
    assert again.unfinished and again.is_valid(), again.errors


def test_a_new_special_point_gets_a_unique_key() -> None:
    stored = resolve({"base": "ddv", "specials": {"gans": {"name": "Ente", "points": 1}}})
    form = submit(stored, **{"specials__0-name": "  Gans  ", "specials__0-how": "2", "specials__0-most": "3"})
    assert form.is_valid(), form.errors
    gans = {"name": "Gans", "points": {"times": 2}, "most": 3}
    assert form.settings["specials"] == {**stored["specials"], "gans_2": gans}
    for name, key in {"Fuchs": "fuchs_2", "3 Könige!": "koenige", "猫": "eigen"}.items():
        form = submit(get_preset_data("ddv"), **{"specials__0-name": name})
        assert form.is_valid(), form.errors
        assert key in form.settings["specials"]


def test_a_solo_that_is_multiplied_twice_has_a_note() -> None:
    form = SettingsForm(settings=resolve({"base": "ddv", "solo_times": 2}))
    lines = {setting.key: setting for _title, lines in form.sections for setting in lines}
    assert lines["solo_times"].notes == [
        "Ein gewonnenes Solo, das 1 wert ist, bringt dem Solisten 6 und kostet jeden Gegner 2.",
        "Achtung: „Solo zählt“ und „Der Solist bekommt“ vervielfachen beide.",
    ]


def test_settings_at_other_sizes_are_shown_and_not_changed() -> None:
    klassisch = get_preset_data("klassisch")
    form = submit(klassisch, kontra_121__partner="always")
    assert form.is_valid(), form.errors
    assert form.settings == {**klassisch, "kontra_121": {"partner": "always", "solo": "never"}}
    elsewhere = {setting.key: setting.elsewhere for _title, lines in form.sections for setting in lines}
    assert elsewhere["deck"] == ["Mit 8 am Tisch: Gespielt wird mit 64 Karten."]
    assert elsewhere["won"] == []


def names_in(part: Part) -> list[str]:
    return [part.field.name, *(name for _radio, beside in part.options for one in beside for name in names_in(one))]


def test_every_setting_and_every_key_of_bock_is_on_the_page_once() -> None:
    form = SettingsForm(settings=get_preset_data("anleitung"))
    lines = [setting for _title, lines in form.sections for setting in lines]
    assert {setting.key for setting in lines} == {*SETTINGS, *(f"bock__{key}" for key in BOCK)} - {"per_kind"}
    fields = [name for setting in lines for part in setting.parts for name in names_in(part)]
    settings = form.current
    rows = [*form.specials.build_fields("", settings["specials"]), *form.rows.build_fields("", settings.get("per_kind", {}))]
    assert sorted([*fields, *rows]) == sorted(form.fields)
    assert all(setting.name and setting.explained.endswith(".") and setting.sentence.endswith(".") for setting in lines)


def test_every_choice_can_be_made() -> None:
    """Several settings at once: the first choice of each, then the second, and so on."""
    choices = {key: list(one.choices) for key, one in BY_FIELD.items() if one.choices and one.needed}
    for number in range(max(map(len, choices.values()))):
        wanted = {key: values[number % len(values)] for key, values in choices.items()}
        fields = {f"{key}__solo" if BY_FIELD[key].split else key: str(value) for key, value in wanted.items()}
        form = submit(resolve({"base": "anleitung"}), **fields)
        assert form.is_valid(), form.errors
        for key, value in wanted.items():
            held = form.settings["bock"][key[6:]] if key.startswith("bock__") else form.settings[key]
            assert (held["solo"] if isinstance(held, dict) else held) == value
            assert type(held) is dict or type(held) is type(value)


def test_a_changed_line_stands_open_and_says_what_was_typed() -> None:
    form = submit(get_preset_data("ddv"), won="3", bock="yes")
    lines = {setting.key: setting for _title, lines in form.sections for setting in lines}
    assert {key for key, setting in lines.items() if setting.open} == {"won", "bock"}
    assert lines["won"].sentence == "Ein gewonnenes Spiel zählt 3 Punkte."
    assert lines["bock"].sentence == "Bock gibt es."


@pytest.mark.parametrize(
    ("field", "instead"),
    [
        ("won", {"won": "-1"}),
        ("won", {"won": ""}),
        ("won", {"won": "viel"}),
        ("won", {"won": str(MAX_NUMBER + 1)}),
        ("deck", {"deck": "32"}),
        ("kinds", {"kinds": []}),
        ("kinds", {"kinds": ["skat"]}),
        ("re_kontra__add", {"re_kontra": "add", "re_kontra__add": ""}),
        ("re_kontra__times", {"re_kontra": "times", "re_kontra__times": "0"}),
        ("re_kontra__times", {"re_kontra": "times", "re_kontra__times": "10"}),
        ("limit__times", {"limit": "times", "limit__times": "5"}),
        ("absage__by__no90", {"absage": "by", "absage__by__no90": "-1"}),
        ("cowardice__levels", {"cowardice": "yes", "cowardice__levels": "1"}),
        ("highest__n", {"highest": "yes", "highest__n": ""}),
        ("specials__fuchs-points", {"specials__fuchs-points": "-1"}),
        ("specials__fuchs-points", {"specials__fuchs-points": ""}),
        ("specials__fuchs-points", {"specials__fuchs-points": "5, zehn"}),
        ("specials__fuchs-most_party", {"specials__fuchs-most_party": "3"}),
        ("specials__0-name", {"specials__0-points": "5"}),
        ("specials__0-name", {"specials__0-name": "a\u202eb"}),
        ("per_kind__0-name", {"per_kind__0-won-set": "on"}),
        ("per_kind__0-like", {"per_kind__0-name": "Nullo"}),
        ("solo_point__points", {"solo_point": "yes", "solo_point__points": ""}),
        ("lost_announcement__ansage", {"lost_announcement": "ansage", "lost_announcement__ansage": ""}),
        ("duty_solo__rounds", {"duty_solo": "yes", "duty_solo__rounds": "0"}),
        ("seating__6", {"seating__6": ["0", "1"]}),
        ("seating__7", {"seating__7": [str(seat) for seat in range(7)]}),
        ("seating__8", {"seating__6": [str(seat) for seat in range(6)], "seating__8": ["0"]}),
        ("bock__cap", {"bock": "yes", "bock__cap": "17"}),
        ("bock__length__n", {"bock": "yes", "bock__length": "number", "bock__length__n": ""}),
        ("bock__effect__n", {"bock": "yes", "bock__effect": "add", "bock__effect__n": ""}),
        ("bock__overlap", {"bock": "yes", "bock__overlap": "add"}),
    ],
)
def test_a_fault_is_shown_at_its_field(field: str, instead: Data) -> None:
    form = submit(get_preset_data("ddv"), gegen_die_alten="7", **instead)
    assert not form.is_valid()
    assert set(form.errors) == {field}
    lines = {setting.key: setting for _title, lines in form.sections for setting in lines}
    faulty = [key for key, setting in lines.items() if setting.faulty]
    assert faulty == ([] if field.startswith("per_kind") else [next(k for k in reversed(lines) if field.startswith(k))])
    assert form.kinds_faulty == field.startswith("per_kind")
    assert form["gegen_die_alten"].value() == "7"
    assert lines["gegen_die_alten"].open


def test_a_herzstich_that_starts_a_bock_is_offered_with_0_points() -> None:
    stored = resolve({"base": "ddv", "bock": {"triggers": ["herzstich"]}})
    form = submit(stored, specials__herzstich="on")
    assert form.is_valid(), form.errors
    assert form.settings["specials"] == {**stored["specials"], "herzstich": 0}
    lines = {setting.key: setting for _title, lines in SettingsForm(settings=stored).sections for setting in lines}
    assert len(lines["bock__triggers"].notes) == 1


@pytest.mark.parametrize(
    ("held", "offered"),
    [
        ([], ["special:herzstich"]),
        (["special:herzstich"], ["special:herzstich"]),
        (["herzstich"], ["herzstich"]),
        (["herzstich", "special:herzstich"], ["herzstich", "special:herzstich"]),
    ],
)
def test_the_herzstich_is_offered_once(held: list[str], offered: list[str]) -> None:
    stored = resolve({"base": "ddv", "specials": {"herzstich": 1}, "bock": {"triggers": held}})
    fields = SettingsForm(settings=stored).fields["bock__triggers"]
    assert sorted(key for key, _name in fields.choices if "herzstich" in key) == offered
    form = submit(stored, bock__cap="3")
    assert form.is_valid(), form.errors
    assert form.settings["bock"]["triggers"] == held


@pytest.mark.parametrize(
    ("trigger", "gone", "name"),
    [("special:hirsch", "specials__hirsch", "Hirsch"), ("kind:ramsch_2", "per_kind__ramsch_2", "Nullo")],
)
def test_removing_a_trigger_of_the_bock_is_refused_at_the_triggers(trigger: str, gone: str, name: str) -> None:
    own = {"hirsch": {"name": "Hirsch", "points": 1}}
    kinds = {"ramsch_2": {"name": "Nullo", "like": "fleischlos"}}
    stored = resolve({"base": "ddv", "specials": own, "per_kind": kinds, "bock": {"triggers": ["redeal", trigger]}})
    form = submit(stored, **{gone: "False"})
    assert form.errors == {
        "bock__triggers": [
            f"„{name}“ löst noch einen Bock aus, ist aber in diesem Regelwerk nicht angekreuzt. Bitte auch hier "
            "wegnehmen oder dort ankreuzen."
        ]
    }
    lines = {setting.key: setting for _title, lines in form.sections for setting in lines}
    assert [key for key, setting in lines.items() if setting.faulty] == ["bock__triggers"]
    assert lines["bock__triggers"].open
    assert submit(stored, **{gone: "False", "bock__triggers": ["redeal"]}).is_valid()


def test_removing_the_only_kind_of_a_special_point_is_refused() -> None:
    kinds = {"ramsch_2": {"name": "Nullo", "like": "fleischlos"}}
    specials = {"gans": {"name": "Gans", "points": 1, "kinds": ["ramsch_2"]}}
    form = submit(resolve({"base": "ddv", "specials": specials, "per_kind": kinds}), per_kind__ramsch_2="False")
    ((_field, (fault,)),) = form.errors.items()
    assert fault == "„Nullo“ gibt es in diesem Regelwerk nicht. Bitte weglassen oder angeben, was es ist."


GANS = {"name": "Gans", "points": 1, "kinds": ["armut"]}
NEVER = "„Gans“ zählt nie: In keinem Spiel, das es hier gibt, wird er gerechnet."


def notes(stored: dict[str, Any], **instead: Any) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """Return the notes on settings and on special points once this was typed."""
    form = submit(stored, **instead)
    assert form.is_valid(), form.errors
    lines = {line.key: line.notes for _title, lines in form.sections for line in lines if line.notes}
    for key in ("solo_times", "soloist_share"):
        lines.pop(key)
    assert lines.get("duty_solo") == lines.get("kinds")
    lines.pop("duty_solo", None)
    lines.pop("specials_in_solo", None)
    return lines, {row["key"]: row["notes"] for row in form.special_rows if row["notes"]}


def test_a_special_point_that_can_never_count_has_a_note() -> None:
    ddv = get_preset_data("ddv")
    with_armut = [*ddv["kinds"], "armut"]
    typed_in = {"specials__0-name": " Gans ", "specials__0-kinds": ["duty"]}
    assert notes(ddv, **typed_in) == ({}, {})
    assert notes(ddv, **typed_in, duty_solo="no") == ({"kinds": [NEVER]}, {"0": [NEVER]})
    stored = resolve({"base": "ddv", "kinds": with_armut, "specials": {"gans": GANS}})
    assert notes(stored) == ({}, {})
    assert notes(stored, kinds=ddv["kinds"]) == ({"kinds": [NEVER]}, {"gans": [NEVER]})
    # A special point without points and one that was removed have no note.
    assert notes(stored, kinds=ddv["kinds"], **{"specials__gans-points": "0"}) == ({}, {})
    assert notes(stored, kinds=ddv["kinds"], specials__gans="False") == ({}, {})


def test_special_points_of_a_club_that_plays_only_solos_have_notes_if_solos_have_none() -> None:
    solos = resolve({"base": "ddv", "kinds": ["damensolo"], "specials_in_solo": "all"})
    assert notes(solos) == ({}, {})
    lines, rows = notes(solos, specials_in_solo="none")
    assert set(rows) == set(solos["specials"])
    row_notes = [note for row in rows.values() for note in row]
    # The kinds have the same notes.
    assert sorted(lines["kinds"]) == sorted(row_notes)
    assert notes(solos, specials_in_solo="by_kind")[1].keys() == {key for key in solos["specials"] if key != "doppelkopf"}


def test_an_amount_that_is_never_reached_has_a_note() -> None:
    typed_in = {"specials__0-name": "Gans", "specials__0-points": "5, 10"}
    once = ["„Gans“ gibt es höchstens 1-mal im Spiel: Die Zahlen dahinter zählen nie."]
    assert notes(get_preset_data("ddv"), **typed_in) == ({}, {"0": once})
    assert notes(get_preset_data("ddv"), **typed_in, **{"specials__0-most": "2"}) == ({}, {})


def test_a_trigger_by_a_missing_kind_of_game_has_a_note() -> None:
    bock = resolve({"base": "ddv", "bock": {"triggers": ["kind:armut", "kind:solo", "kind:duty"]}})
    says = ["Nach „Armut“ gibt es nie Bock: Dieses Spiel gibt es hier nicht."]
    assert notes(bock) == ({"bock__triggers": says, "kinds": says}, {})
    assert notes(bock, kinds=[*bock["kinds"], "armut"]) == ({}, {})
    duty = notes(bock, kinds=[*bock["kinds"], "armut"], duty_solo="no")[0]["bock__triggers"]
    assert duty == ["Nach „Pflichtsolo“ gibt es nie Bock: Dieses Spiel gibt es hier nicht."]


def test_a_new_own_kind_is_shown_as_a_sentence() -> None:
    typed_in = {"per_kind__0-name": "Nullo", "per_kind__0-like": "fleischlos", "per_kind__0-won-set": "on", "per_kind__0-won": "4"}
    (row,) = submit(get_preset_data("ddv"), **typed_in).kind_rows
    assert row["sentence"] == "Nullo, gespielt wie Fleischloses Solo: Ein gewonnenes Spiel zählt 4 Punkte."
    (row,) = submit(get_preset_data("ddv")).kind_rows
    assert row["sentence"] == "Eine eigene Spielart dazunehmen"


def test_one_ramsch_is_offered_once() -> None:
    kinds = {"mau": {"name": "Ramsch", "like": "ramsch"}}
    stored = resolve({"base": "ddv", "kinds": ["normal", "mau"], "per_kind": kinds})
    assert list(SettingsForm(settings=stored).words.values()).count("Ramsch") == 1
    stored["per_kind"] = {"mau": {"name": "Mauer", "like": "ramsch"}, "schieber": {"name": "Schieberamsch", "like": "ramsch"}}
    assert list(SettingsForm(settings=stored).words.values()).count("Ramsch") == 1


@pytest.mark.parametrize("levels", [2, 5])
def test_the_note_on_cowardice_shows_that_winning_is_a_level(levels: int) -> None:
    coward = resolve({"base": "ddv", "cowardice": {"levels": levels, "then": "loses"}})
    (note,) = notes(coward)[0]["cowardice"]
    eyes, fewer = map(int, re.findall("mit ([0-9]+) Augen", note))
    rules = RuleSettings.from_data(coward)
    games = [{"kind": "normal", "re": [0, 1], "eyes": held, **said} for held in (eyes, fewer) for said in ({}, {"re_said": "said"})]
    played = fold([Line("played", range(4), 3, facts) for facts in games], rules)
    assert [one.outcome.winner for one in played] == ["kontra", "re", "re", "re"]
    assert f"{levels} Stufen" in note


def test_a_trigger_by_a_missing_announcement_has_a_note() -> None:
    bock = resolve({"base": "ddv", "bock": {"triggers": ["lost_re", "both_said", "tie_120"]}})
    assert notes(bock) == ({}, {})
    says = ["Ohne Ansagen löst das nie Bock aus: Re gesagt und verloren, Re und Kontra gesagt."]
    assert notes(bock, re_kontra="none") == ({"bock__triggers": says}, {})


JUCKEL = {"name": "Juckel", "points": 1}
GEHT_RUM = {"farbsolo_herz": {"name": "Herz geht rum"}}


def test_a_name_of_a_built_in_kind_or_special_point_is_typed_and_stored() -> None:
    named = resolve({"base": "ddv", "specials": {"fuchs": JUCKEL}, "per_kind": GEHT_RUM})
    plain = get_preset_data("ddv")
    unchanged = submit(named)
    assert unchanged.is_valid(), unchanged.errors
    assert unchanged.settings == named
    typed = submit(plain, **{"specials__fuchs-name": " Juckel "})
    assert typed.is_valid(), typed.errors
    assert typed.settings == {**plain, "specials": {**plain["specials"], "fuchs": JUCKEL}}
    solo = "per_kind__farbsolo_herz-name"
    chosen = submit(plain, **{"shown": ["farbsolo_herz.name"], solo: "Herz geht rum", f"{solo}-set": "on"})
    assert chosen.is_valid(), chosen.errors
    assert chosen.settings == {**plain, "per_kind": GEHT_RUM}
    taken = submit(plain, **{"specials__fuchs-name": "karlchen"})
    assert [*taken.errors] == ["specials__fuchs-name"]
