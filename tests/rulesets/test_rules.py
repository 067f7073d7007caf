"""The five questions: what each answer sets, and what the sample games are then worth."""

from __future__ import annotations

from typing import Any

import pytest

from scoring.rules.settings import PRESETS, RuleSettings, get_preset_data
from scoring.rules.sheet import Line, fold
from scoring.rulesets.rules import (
    CARDS,
    CHARLIE,
    DUTY,
    HERZSTICH,
    LENGTHS,
    LOST,
    OVERLAPS,
    PROPOSED,
    RE_KONTRA,
    SOLO,
    TRIGGERS,
    WHEN,
    Answers,
    build_settings,
    compute_announced_worth,
    compute_armut_worth,
    compute_bock_worths,
    compute_lost_worths,
    compute_solo_worth,
    compute_special_worth,
    count_duty_games,
    count_lost_bocks,
    get_answers,
)

ANSWERS = Answers(
    cards="nines",
    re_kontra="add",
    lost="once",
    solo="each",
    duty="none",
    specials=["fuchs", "karlchen"],
    own=[],
    text="",
    when="before",
    triggers=["lost_solo"],
    length="table",
    overlap="fill",
)


def test_the_proposed_answers_make_the_preset() -> None:
    assert build_settings(get_answers(get_preset_data(PROPOSED))) == get_preset_data(PROPOSED)


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_answers_the_questions(preset: str) -> None:
    answers = get_answers(get_preset_data(preset))
    assert get_answers(build_settings(answers)) == answers


@pytest.mark.parametrize(
    "change",
    [
        *({"cards": code} for code in CARDS),
        *({"re_kontra": code} for code in RE_KONTRA),
        *({"lost": code} for code in LOST),
        *({"solo": code} for code in SOLO),
        *({"duty": code} for code in DUTY),
        *({"when": code} for code in WHEN),
        *({"triggers": [code]} for code in TRIGGERS),
        *({"triggers": ["manual"], "length": code} for code in LENGTHS),
        *({"triggers": ["manual"], "overlap": code} for code in OVERLAPS),
        {"specials": [], "own": ["Schweinchen"], "triggers": []},
        {"specials": [CHARLIE, "karlchen_gefangen"]},
        {"text": "Die zweite Dulle sticht die erste."},
    ],
    ids=str,
)
def test_settings_made_of_answers_give_the_same_answers(change: dict[str, Any]) -> None:
    answers = ANSWERS._replace(**change)
    settings = build_settings(answers)
    RuleSettings.from_data(settings)
    found = get_answers(settings)
    if not answers.triggers:
        # Without Bock its length is not stored.
        found = found._replace(length=answers.length, overlap=answers.overlap)
    assert found == answers


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("Schweinchen", "schweinchen"),
        ("7 Gänse!", "gaense"),
        ("Fuchs", "fuchs_2"),
        ("♥", "eigen"),
        ("x" * 40, "x" * 30),
        ("Am Ende – ein Ärger", "am_ende_ein_aerger"),
    ],
)
def test_an_own_special_point_gets_its_key_from_its_name(name: str, key: str) -> None:
    settings = build_settings(ANSWERS._replace(specials=[], own=[name], triggers=[]))
    assert settings["specials"] == {key: {"name": name, "points": 1, "most": 2}}
    RuleSettings.from_data(settings)


def test_two_names_with_the_same_letters_are_two_special_points() -> None:
    settings = build_settings(ANSWERS._replace(specials=[], own=["Sau!", "Sau?"], triggers=[]))
    assert list(settings["specials"]) == ["sau", "sau_2"]


def test_a_bock_after_the_herzstich_adds_the_special_point() -> None:
    settings = build_settings(ANSWERS._replace(triggers=[HERZSTICH]))
    assert settings["specials"]["herzstich"] == {"points": 0, "of": "game"}
    settings = build_settings(ANSWERS._replace(specials=["herzstich"], triggers=[HERZSTICH]))
    assert settings["specials"] == {"herzstich": 1}


def test_settings_that_no_question_is_about() -> None:
    """After a redeal the same dealer deals again; 115 eyes of Re, who said keine 90, give Kontra nothing but what Re missed."""
    settings = build_settings(ANSWERS)
    assert (settings["deal_stays"], settings["against_absage"]) == (["duty_solo", "redeal"], "off")
    game = {"kind": "normal", "re": [0, 1], "eyes": 115, "re_said": "no90"}
    (played,) = fold([Line("played", range(4), 3, game)], RuleSettings.from_data(settings))
    assert (played.outcome.winner, played.outcome.value) == ("kontra", -5)


def test_without_announcements_nothing_depends_on_one() -> None:
    answers = ANSWERS._replace(re_kontra="none", lost="double", triggers=["lost_announcement", "lost_re", "both_said", "tie_120"])
    settings = build_settings(answers)
    assert (settings["re_kontra"], settings["lost_announcement"]) == (None, None)
    assert settings["bock"]["triggers"] == ["tie_120"]
    assert build_settings(answers._replace(triggers=["lost_re"]))["bock"] is None
    assert (compute_lost_worths(answers), count_lost_bocks(answers)) == (None, (0,))


def test_charlie_renames_the_karlchen() -> None:
    settings = build_settings(ANSWERS._replace(specials=["karlchen", CHARLIE, "karlchen_gefangen"], triggers=[]))
    assert settings["specials"] == {
        "karlchen": {"name": "Charlie", "points": 1},
        "karlchen_gefangen": {"name": "Charlie gefangen", "points": 1},
    }
    RuleSettings.from_data(settings)


def test_the_worth_of_the_sample_games_for_each_answer() -> None:
    """Won and keine 90: 2. Re said 2 or 1 more, or twice as much, or not at all; a special point 1, doubled or not."""
    assert [compute_armut_worth(ANSWERS._replace(cards=code)) for code in CARDS] == [None, 2, None, 2]
    assert [compute_announced_worth(ANSWERS._replace(re_kontra=code)) for code in RE_KONTRA] == [5, 4, 6, 3]

    def by_place(**answers: Any) -> list[int]:
        return [compute_special_worth(ANSWERS._replace(when=code, **answers)) for code in WHEN]

    assert by_place() == [10, 10, 9]
    assert by_place(re_kontra="times") == [12, 10, 9]
    assert by_place(triggers=[], re_kontra="times") == [6, 5, 5]
    assert by_place(re_kontra="none") == [6, 6, 5]
    assert by_place(re_kontra="none", triggers=["lost_re"]) == [3, 3, 3]
    # Lost with gegen and the announcement: 4, twice, and in a Bock.
    assert by_place(lost="double") == by_place(lost="double_re") == [-12, -14, -15]
    # Lost by Re: won, gegen and the announcement; lost by Kontra: without gegen.
    assert [compute_lost_worths(ANSWERS._replace(lost=code)) for code in LOST] == [(4, 3), (8, 6), (8, 3)]
    lost = (["lost_announcement"], ["lost_re"], ["lost_re", "lost_announcement"], ["tie_120"], [])
    assert [count_lost_bocks(ANSWERS._replace(triggers=triggers)) for triggers in lost] == [(4, 4), (4, 0), (4, 4), (0, 0), (0, 0)]
    duty = [count_duty_games(ANSWERS._replace(duty=code), people) for code in ("none", "5", "6") for people in (4, 5)]
    assert duty == [None, None, 24, 30, 28, 35]
    assert [compute_solo_worth(ANSWERS._replace(solo=code)) for code in SOLO] == [(6, -2), (4, -4), (2, -2)]
    lengths = [compute_bock_worths(ANSWERS._replace(length=code), people=5, bocks=1) for code in LENGTHS]
    assert lengths == [[2] * 5, [2] * 4, [2] * 8]
    assert {code: compute_bock_worths(ANSWERS._replace(overlap=code)) for code in OVERLAPS} == {
        "append": [2] * 12, "fill": [2, 4, 4, 4, 4, 2, 2, 2], "stack": [2, 4, 8, 8, 4, 2], "extend": [2] * 6,
        "ignore": [2] * 4,
    }
