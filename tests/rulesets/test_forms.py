"""The form for every setting: whatever a rule set can hold comes back from it as it was, and what cannot be is refused
where it was typed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import pytest
from django.http import QueryDict
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.rules.allowed import (
    BOCK_CHOICES,
    BOCK_KEYS,
    BY_PARTY_GAME,
    CHOICES,
    GEGEN_IN,
    HIGHEST_CAP,
    KEYS,
    LIMITS,
    MOST,
)
from scoring.rules.codes import DEAL_STAYS, KINDS, SOLO_KINDS, SPECIALS, TRIGGERS
from scoring.rules.settings import PRESETS, RuleSettings, preset_data, resolve
from scoring.rulesets.forms.rule_sets import SettingsForm

Data = dict[str, Any]
AMOUNT = st.integers(0, MOST)


def some(values: Sequence[Any], least: int = 0) -> st.SearchStrategy[list[Any]]:
    """Any of these values, in their order."""
    return st.sets(st.sampled_from(values), min_size=least).map(lambda chosen: [v for v in values if v in chosen])


def by_party(values: Iterable[str]) -> st.SearchStrategy[Any]:
    one = st.sampled_from(list(values))
    two = st.fixed_dictionaries({"partner": one, "solo": one}).filter(lambda pair: pair["partner"] != pair["solo"])
    return one | two


def four_of(people: int) -> st.SearchStrategy[list[int]]:
    four = st.sets(st.integers(0, people - 1), min_size=4, max_size=4).map(sorted)
    return four if people == 7 else four | st.just(list(range(people)))


BOCK = st.fixed_dictionaries(
    {
        "triggers": some(TRIGGERS),
        "length": st.sampled_from(["table", "deal"]) | st.integers(1, 99),
        "cap": st.integers(1, HIGHEST_CAP),
        "effect": st.sampled_from(["all", "game"]) | st.builds(lambda n: {"add": n}, AMOUNT),
        **{key: st.sampled_from(values) for key, values in BOCK_CHOICES.items()},
    }
)
EVERY = {
    **{key: st.sampled_from(values) for key, values in CHOICES.items()},
    **{key: by_party(CHOICES[key]) for key in BY_PARTY_GAME},
    **dict.fromkeys(("won", "limit", "absage", "gegen_die_alten"), AMOUNT),
    "kinds": some(KINDS, least=1),
    "limits": some(LIMITS),
    "re_kontra": st.none()
    | st.builds(lambda n: {"add": n}, AMOUNT)
    | st.builds(lambda n: {"times": n}, st.integers(1, 9)),
    "gegen_in": some(GEGEN_IN),
    "specials": st.dictionaries(st.sampled_from(list(SPECIALS)), AMOUNT),
    "solo_point": st.just(0)
    | st.fixed_dictionaries(
        {"points": AMOUNT, "kinds": some(SOLO_KINDS), "when": st.sampled_from(CHOICES["gegen_when"])}
    ),
    "lost_announcement": st.none()
    | st.fixed_dictionaries({"times": st.integers(1, 9), "when": st.sampled_from(["ansage", "absage"])}),
    "solo_times": st.integers(1, 3),
    "deal_stays": some(DEAL_STAYS),
    "seating": st.fixed_dictionaries({}, optional={str(people): four_of(people) for people in (6, 7, 8)}),
    "duty_solo": st.none() | st.builds(lambda n: {"rounds": n}, st.integers(1, 99)),
    "bock": st.none() | BOCK,
}
COMPLETE = st.fixed_dictionaries(EVERY)


def typed(form: SettingsForm, **instead: Any) -> QueryDict:
    """What a browser sends of this form as it is shown, with something else typed `instead`."""
    data = QueryDict(mutable=True)
    for field in form:
        value = instead.get(field.name, field.value())
        if isinstance(value, (list, tuple)):
            data.setlist(field.name, [str(one) for one in value])
        elif value is not None:
            data[field.name] = str(value)
    return data


def sent(stored: Data, people: int | None = None, **instead: Any) -> SettingsForm:
    """The form of this rule set, sent with something else typed."""
    data = typed(SettingsForm(settings=stored, people=people), **instead)
    return SettingsForm(data, settings=stored, people=people)


def test_the_strategy_knows_every_setting() -> None:
    assert set(EVERY) == set(KEYS)
    assert {*BOCK_CHOICES, "triggers", "length", "cap", "effect"} == set(BOCK_KEYS)


@given(COMPLETE)
@settings(max_examples=150, deadline=None)
def test_what_a_form_shows_is_what_it_gives_back(stored: Data) -> None:
    RuleSettings.from_data(stored)
    form = sent({**stored, "at": {}})
    assert form.is_valid(), form.errors
    assert form.settings == {**stored, "at": {}}
    assert form.changed_data == []


@given(COMPLETE, COMPLETE)
@settings(max_examples=60, deadline=None)
def test_any_rule_set_can_be_typed_over_any_other(stored: Data, wanted: Data) -> None:
    shown = {field.name: field.value() for field in SettingsForm(settings=wanted)}
    form = sent({**stored, "at": {}}, **{name: "" if value is None else value for name, value in shown.items()})
    assert form.is_valid(), form.errors
    assert form.settings == {**wanted, "at": {}}


@given(COMPLETE, COMPLETE, st.integers(4, 8))
@settings(max_examples=60, deadline=None)
def test_what_differs_at_one_size_of_table_is_kept_apart(stored: Data, wanted: Data, people: int) -> None:
    """Everything but the unit, and whether Bock goes on next time, which are the same at all tables."""
    wanted = {**wanted, "unit": stored["unit"]}
    if wanted["bock"]:
        carry = stored["bock"]["carry"] if stored["bock"] else False
        wanted["bock"] = {**wanted["bock"], "carry": carry}
    shown = {field.name: field.value() for field in SettingsForm(settings=wanted)}
    instead = {name: "" if value is None else value for name, value in shown.items()}
    form = sent({**stored, "at": {}}, people, **instead)
    assert form.is_valid(), form.errors
    differing = {key: value for key, value in wanted.items() if value != stored[key]}
    assert form.settings == {**stored, "at": {str(people): differing} if differing else {}}


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("people", [None, 4, 5, 6, 7, 8])
def test_a_preset_comes_back_as_it_was(preset: str, people: int | None) -> None:
    form = sent(preset_data(preset), people)
    assert form.is_valid(), form.errors
    assert form.settings == preset_data(preset)


def test_what_differs_elsewhere_is_told_and_kept() -> None:
    klassisch = preset_data("klassisch")
    form = sent(klassisch, kontra_121__partner="always")
    assert form.is_valid(), form.errors
    assert form.settings == {**klassisch, "kontra_121": {"partner": "always", "solo": "never"}}
    told = {setting.key: setting.elsewhere for _title, lines in form.sections for setting in lines}
    assert told["deck"] == ["Mit 8 am Tisch: Gespielt wird mit 64 Karten."]
    assert told["won"] == []


@pytest.mark.parametrize("preset", ["ddv", "anleitung"])
def test_every_setting_and_every_key_of_bock_is_on_the_page_once(preset: str) -> None:
    form = SettingsForm(settings=preset_data(preset))
    lines = [setting for _title, lines in form.sections for setting in lines]
    assert {setting.key for setting in lines} == {*KEYS, *(f"bock__{key}" for key in BOCK_KEYS)}
    fields = [part.field.name for setting in lines for part in setting.parts]
    assert sorted(fields) == sorted(form.fields)
    assert all(setting.name and setting.explained.endswith(".") and setting.sentence.endswith(".") for setting in lines)


@pytest.mark.parametrize("key", [*CHOICES, *(f"bock__{key}" for key in BOCK_CHOICES)])
def test_every_choice_can_be_made(key: str) -> None:
    stored = resolve({"base": "anleitung"})
    field = f"{key}__solo" if key in BY_PARTY_GAME else key
    for value in CHOICES.get(key) or BOCK_CHOICES[key.removeprefix("bock__")]:
        form = sent(stored, **{field: str(value)})
        assert form.is_valid(), form.errors
        held = form.settings["bock"][key[6:]] if key.startswith("bock__") else form.settings[key]
        assert (held["solo"] if isinstance(held, dict) else held) == value
        assert type(held) is dict or type(held) is type(value)


def test_a_changed_line_stands_open_and_says_what_was_typed() -> None:
    form = sent(preset_data("ddv"), won="3", bock="yes")
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
        ("won", {"won": str(MOST + 1)}),
        ("deck", {"deck": "32"}),
        ("kinds", {"kinds": []}),
        ("kinds", {"kinds": ["skat"]}),
        ("re_kontra__n", {"re_kontra": "add", "re_kontra__n": ""}),
        ("re_kontra__n", {"re_kontra": "times", "re_kontra__n": "0"}),
        ("re_kontra__n", {"re_kontra": "times", "re_kontra__n": "10"}),
        ("specials__fuchs", {"specials__fuchs": "-1"}),
        ("solo_point__points", {"solo_point": "yes", "solo_point__points": ""}),
        ("lost_announcement__times", {"lost_announcement": "ansage", "lost_announcement__times": ""}),
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
def test_what_cannot_be_is_refused_at_its_field(field: str, instead: Data) -> None:
    form = sent(preset_data("ddv"), gegen_die_alten="7", **instead)
    assert not form.is_valid()
    assert set(form.errors) == {field}
    lines = {setting.key: setting for _title, lines in form.sections for setting in lines}
    faulty = [key for key, setting in lines.items() if setting.faulty]
    assert faulty == [next(key for key in lines if field in [part.field.name for part in lines[key].parts])]
    assert form["gegen_die_alten"].value() == "7"
    assert lines["gegen_die_alten"].open


def test_a_wrong_seating_of_one_size_is_refused_at_its_field_too() -> None:
    form = sent(preset_data("ddv"), 6, seating__6=["0", "1"])
    assert not form.is_valid()
    assert set(form.errors) == {"seating__6"}
