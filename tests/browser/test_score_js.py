"""Decides whether the phone scores as the server does: rules/score.ts, loaded into a real browser,
answers 100,000 random games (5,000 in every run), legal and spoiled, as scoring.rules answers them: points, steps, winner, Bock,
the fields that are refused, and what is odd and yet taken. And whether it explains each game in the words of the server: the
steps, why a party has won, how the value becomes points. tests/scripts asks the worked cases.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route

from scoring.play.texts import build_explanation
from scoring.rules.bock import Chain
from scoring.rules.constants import SPECIAL_PREFIX, SPECIALS
from scoring.rules.outcome import score
from scoring.rules.parsing import parse_game
from scoring.rules.score_lines import LineScorer
from scoring.rules.settings import PLAIN_BOCK, RuleSettings, resolve
from scoring.rules.settings_schema import FOR_SCRIPTS
from scoring.rules.sheet import Line as SheetLine
from scoring.rules.sheet import LineResult, find_oddities, fold
from scoring.rules.validation import Refused
from scoring.table.texts import build_words
from scoring.table.views.data import get_own_names
from tests.bundle import bundle
from tests.effort import LONG
from tests.rules.random_games import TOO_HIGH, TOO_HIGH_REFUSED, random_bock, random_evening, spoil

ROOT = Path(__file__).parents[2]
SCRIPTS = ROOT / "assets"
SITE = "http://localhost/"
# Four times 25,000 random games, of which 5,000 are for every run.
SEEDS = (2024, *(pytest.param(seed, marks=pytest.mark.soak) for seed in (2025, 2026, 2027)))
GAMES = 29_000 if LONG else 5_800
LINES = 20
EVENINGS_AT_ONCE = 250
ONE_IN_SPOILED = 8

Line = dict[str, Any]
Answer = dict[str, Any]

# Scores evenings of lines, each with its own rules as on the command line; the chain runs on from line to line.
ANSWER_EVENINGS = """
([evenings, settings, texts, own]) => {
    const told = ({ rules, ...line }, result) => {
        const page = { ...texts, rules: settings[rules], labels: { ...texts.labels, ...own[rules] } };
        const { steps, reasons, shares } = words.explainLine(line, { ...result, bock_started: 0 }, page);
        return { steps, reasons, shares };
    };
    const answer = (evening) => {
        let open = [];
        return evening.map(({ rules, ...line }) => {
            const next = score.follow(line, settings[rules], open);
            open = next.open;
            if (!next.result.error) next.result.told = told({ rules, ...line }, next.result);
            const odd = settings[rules] ? score.findOddities(line, settings[rules]) : [];
            return odd.length ? { ...next.result, odd } : next.result;
        });
    };
    return JSON.stringify(JSON.parse(evenings).map(answer));
}
"""


@pytest.fixture(scope="module")
def phone(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """The page of all tests here: none changes it."""
    page = loaded(browser.new_page(), tmp_path_factory.mktemp("scripts"))
    yield page
    page.close()


def loaded(page: Page, folder: Path) -> Page:
    """A page with nothing but score.ts and what it imports, under the name `score`; and what says it in words as `words`."""
    bundle(folder, [SCRIPTS / "rules" / "score.ts", SCRIPTS / "table" / "words.ts"])

    def serve(route: Route) -> None:
        """The scripts, below an empty page."""
        name = route.request.url.removeprefix(SITE)
        if name:
            route.fulfill(path=folder / name, content_type="text/javascript")
        else:
            route.fulfill(body="<!doctype html><title>score.ts</title>", content_type="text/html")

    page.route(f"{SITE}**", serve)
    page.goto(SITE)
    page.evaluate("async () => { globalThis.score = await import('/assets/rules/score.mjs'); }")
    page.evaluate("async () => { globalThis.words = await import('/assets/table/words.mjs'); }")
    return page


def as_sheet_line(line: Line) -> Line:
    """A line of the command line as the page writes it: what is no fact stands beside the facts."""
    around = {"rules": "ddv", "table": 4, "dealer": None}
    facts = {field: value for field, value in line.items() if field not in {*around, "redeal", "expect", "note"}}
    is_short = "kind" not in line and not {"winners", "base", "solo"}.isdisjoint(line)
    return {
        **{field: line.get(field, default) for field, default in around.items()},
        "form": "redeal" if "redeal" in line else "short" if is_short else "played",
        "facts": facts,
    }


def phone_answers(phone: Page, evenings: list[list[Line]]) -> list[list[Answer]]:
    """As the page has it: with whole rule sets, each named by what it was written as; None for one that is refused."""
    lines = [[as_sheet_line(line) for line in evening] for evening in evenings]
    settings: dict[str, Any] = {}
    own: dict[str, Any] = {}
    for line in (line for evening in lines for line in evening):
        line["rules"] = json.dumps(line["rules"])
        if line["rules"] not in settings:
            settings[line["rules"]] = whole(line["rules"])
            own[line["rules"]] = own_labels(settings[line["rules"]] or {})
    return json.loads(phone.evaluate(ANSWER_EVENINGS, [json.dumps(lines), settings, build_words("de"), own]))


def handed(rules: object) -> dict[str, Any]:
    """A whole rule set as the page hands it over, with the codes. Raises Refused."""
    return {**resolve(rules), "codes": FOR_SCRIPTS}


def own_labels(settings: dict[str, Any]) -> dict[str, str]:
    """What a rule set calls special points itself, as the page hands it over."""
    names = get_own_names(settings, "specials")
    return {special if special in SPECIALS else SPECIAL_PREFIX + special: name for special, name in names.items()}


@cache
def whole(rules: str) -> dict[str, Any] | None:
    try:
        compiled(rules)
        return handed(json.loads(rules))
    except Refused:
        return None


def step_set(steps: list[dict[str, Any]]) -> list[list[tuple[str, Any]]]:
    return sorted(sorted(step.items()) for step in steps)


def comparable(answer: Answer) -> Answer:
    """The names of the refused fields, or everything a game came to with its steps in any order."""
    if "error" in answer:
        return {"error": sorted(answer["error"])}
    return {
        **answer,
        "winners": list(answer["winners"]),
        "points": list(answer["points"]),
        "steps": step_set(answer["steps"]),
        "told": told_in_any_order(answer),
    }


def told_in_any_order(answer: Answer) -> dict[str, list[str]]:
    return {what: sorted(lines) for what, lines in answer.get("told", {}).items()}


@cache
def compiled(rules: str) -> RuleSettings:
    """The rule set of a line, handed over as JSON. Raises Refused."""
    return RuleSettings.from_data(resolve(json.loads(rules)))


def is_tellable(line: Any) -> bool:
    """Can the phone be asked this? It is handed a valid rule set and an object; in JSON it sees no difference between 1.0
    and 1, nor between no dealer and `null`; and a new deal that is written as a field is the command's own."""
    if not isinstance(line, dict) or ("dealer" in line and line["dealer"] is None) or "redeal" in line:
        return False
    if ".0" in json.dumps(line):
        return False
    try:
        compiled(json.dumps(line["rules"]))
    except Refused:
        return False
    return True


def random_evenings(rng: random.Random, count: int) -> Iterator[list[Line]]:
    for _ in range(count):
        evening = random_evening(rng, LINES)
        for number, line in enumerate(evening):
            spoiled = spoil(rng, line) if rng.randrange(ONE_IN_SPOILED) == 0 else line
            if spoiled is line or is_tellable(spoiled):
                evening[number] = spoiled
        yield evening


def told_by_server(line: Line, rules: RuleSettings, answer: Answer, before: Chain, chain: Chain) -> dict[str, list[str]]:
    """The explanation of a game as its page has it; whether an open Bock exempt it is noted in the answer."""
    if "redeal" in line:
        return {"steps": [], "reasons": [], "shares": []}
    facts = parse_game({field: value for field, value in line.items() if field not in ("expect", "note")}, rules)
    exempt = before.exempts(facts, rules)
    if exempt:
        answer["isExempt"] = True
    played = LineResult(facts, score(facts, rules, answer["bock"]), answer["bock"], answer["bock_started"], (), chain, exempt)
    told = build_explanation(played, rules)
    return {"steps": list(map(str, told.steps)), "reasons": told.reasons, "shares": told.shares}


def server_answers(evening: list[Line]) -> list[Answer]:
    server = LineScorer()
    answers = []
    for line in evening:
        before = server.chain
        (answer,) = map(json.loads, server.answers([json.dumps(line)]))
        if "error" not in answer:
            rules = compiled(json.dumps(line.get("rules", "ddv"))).at(line.get("table", 4))
            answer["open"] = server.chain.list_levels(rules) if rules.has_bock else []
            answer["told"] = told_by_server(line, rules, answer, before, server.chain)
        answers.append(answer)
    return answers


@pytest.mark.parametrize("seed", SEEDS)
def test_random_games(phone: Page, seed: int) -> None:
    rng = random.Random(seed)
    refused = solos = levels = odd = 0
    for _ in range(GAMES // (EVENINGS_AT_ONCE * LINES)):
        evenings = list(random_evenings(rng, EVENINGS_AT_ONCE))
        for evening, on_phone in zip(evenings, phone_answers(phone, evenings), strict=True):
            for number, (line, there, here) in enumerate(zip(evening, on_phone, server_answers(evening), strict=True)):
                assert comparable(there) == comparable(here), (
                    f"the game:   {json.dumps(line)}\nthe phone:  {there}\nthe server: {here}\n"
                    f"It is line {number} of this evening:\n" + "\n".join(map(json.dumps, evening[: number + 1]))
                )
                refused += "error" in there
                solos += "error" not in there and line.get("kind", "normal").endswith("solo")
                levels += there.get("bock", 0) > 0
                odd += "odd" in there
    assert refused > GAMES / 20, "hardly a line was refused"
    assert solos > GAMES / 20, "hardly a solo was played"
    assert levels > GAMES / 20, "hardly a game was played in Bock"
    assert odd > GAMES / 100, "hardly a game was odd"


def test_more_than_any_game_may_come_to(phone: Page) -> None:
    (on_phone,) = phone_answers(phone, [TOO_HIGH])
    assert list(map(comparable, on_phone)) == list(map(comparable, server_answers(TOO_HIGH)))
    assert [sorted(answer.get("error", [])) for answer in on_phone] == TOO_HIGH_REFUSED


def test_who_plays_and_who_deals_next(phone: Page) -> None:
    for rules, table, dealer, playing in (
        ("ddv", 4, 2, [0, 1, 2, 3]),
        ("ddv", 5, 1, [0, 2, 3, 4]),
        ("ddv", 6, 0, [1, 2, 4, 5]),
        ("ddv", 7, 3, [1, 2, 4, 6]),
        ("ddv", 8, 0, None),
        ("klassisch", 6, None, [0, 1, 2, 3, 4, 5]),
        ("klassisch", 8, None, [0, 1, 2, 3, 4, 5, 6, 7]),
    ):
        asked = "([table, dealer, rules]) => score.whoPlays(table, dealer, rules)"
        assert phone.evaluate(asked, [table, dealer, handed(rules)]) == playing, (rules, table)
    first = {"form": "played", "dealer": 0, "facts": {"kind": "normal"}}
    for last, dealer in (
        ({"form": "played", "dealer": 3, "facts": {"kind": "normal"}}, 0),
        ({"form": "played", "dealer": 2, "facts": {"kind": "damensolo", "duty": True}}, 2),
        ({"form": "played", "dealer": 2, "facts": {"kind": "damensolo"}}, 3),
        ({"form": "short", "dealer": 1, "facts": {"winners": [0], "base": 1, "solo": True}}, 2),
        ({"form": "penalty", "dealer": None, "facts": {"points": [-3, 1, 1, 1]}}, 1),
    ):
        asked = "([lines, rules]) => score.nextDealer(lines, 4, rules)"
        assert phone.evaluate(asked, [[first, last], handed("ddv")]) == dealer, last


def test_a_solo_is_odd_by_who_owes_a_pflichtsolo(phone: Page) -> None:
    kinds = ["damensolo", "stille_hochzeit", "normal"]
    games = [
        {"kind": kind, "re": [0, 1] if kind == "normal" else [2], "eyes": 130, **({"duty": True} if duty else {})}
        for kind in kinds
        for duty in (False, True)
    ]
    asked, expected = [], []
    for rules in ("ddv", {"base": "ddv", "deal_stays": ["redeal"]}, "vln"):
        compiled_rules = compiled(json.dumps(rules))
        for facts in games:
            for owing in (None, [], [0, 2], [0, 1]):
                line = {"form": "played", "table": 4, "dealer": 0, "facts": facts}
                asked.append([line, handed(rules), owing])
                try:
                    expected.append(find_oddities(parse_game(facts, compiled_rules, 0), compiled_rules, owing))
                except Refused:
                    expected.append([])
    found = phone.evaluate(
        "asked => asked.map(([line, rules, owing]) => score.findOddities(line, rules, owing ?? undefined))", asked
    )
    assert found == expected
    assert {code for codes in found for code in codes} == {"free_solo", "second_duty"}


def test_lines_that_are_no_games_leave_bock_alone(phone: Page) -> None:
    lost = {"kind": "normal", "re": [0, 1], "eyes": 100, "re_said": "said"}
    won = {"kind": "normal", "re": [0, 1], "eyes": 130}
    forms: list[tuple[str, dict[str, Any]]] = [
        ("played", lost),
        ("redeal", {"seat": 1, "reason": "Fünf Könige"}),
        ("penalty", {"points": [-3, 1, 1, 1], "reason": "falsch bedient"}),
        ("correction", {"points": [1, 2], "reason": "zu wenige Plätze"}),
        ("correction", {"points": [100_001, 0, 0, 0], "reason": "zu viel"}),
        ("played", won),
    ]
    lines = [{"form": form, "table": 4, "dealer": None, "facts": facts} for form, facts in forms]
    results, still_open = phone.evaluate(
        "([lines, rules]) => [score.fold(lines, rules), score.openBock(lines, rules)]",
        [lines, handed("anleitung")],
    )
    assert [result.get("points") for result in results] == [
        [-8, -8, 8, 8],
        [0, 0, 0, 0],
        [-3, 1, 1, 1],
        None,
        None,
        [2, 2, -2, -2],
    ]
    assert [list(results[number]["error"]) for number in (3, 4)] == [["points"], ["points"]]
    assert [result.get("bock") for result in results] == [0, 0, 0, None, None, 1]
    assert still_open == [1, 1, 1]


WON, LOST = {"eyes": 130}, {"eyes": 100, "re_said": "said"}
FOLD = """
(evenings) => JSON.stringify(JSON.parse(evenings).map(({ lines, rules, open }) =>
    [score.fold(lines, rules, open), score.openBock(lines, rules, open)]))
"""


def own_bock_by_size(rng: random.Random) -> dict[str, Any]:
    """A rule set with a Bock of its own at five, written out as the page has it."""
    bocks = [PLAIN_BOCK | (random_bock(rng) or {}) | {"triggers": ["manual", "lost_announcement"]} for _ in range(2)]
    return {**resolve("ddv"), "bock": bocks[0], "at": {"5": {"bock": rng.choice([None, bocks[1]])}}}


def test_an_evening_that_begins_with_open_bocks(phone: Page) -> None:
    """What an earlier evening left open, under rules whose Bock differs by the size of the table: both interpreters go on
    alike, the levels that are announced included."""
    rng = random.Random(21)
    told, expected = [], []
    carried = in_bock = 0
    for _ in range(300):
        data = own_bock_by_size(rng)
        rules = RuleSettings.from_data(data)
        chain = Chain()
        for _ in range(3):
            lines = [
                SheetLine("played", range(size), size - 1, {"kind": "normal", "re": [0, 1], **rng.choice([LOST, *[WON] * 3])})
                for size in rng.choices([4, 5], k=10)
            ]
            sent = [{"form": one.form, "table": len(one.people), "dealer": one.dealer, "facts": one.facts} for one in lines]
            told.append({"lines": sent, "rules": handed(data), "open": chain.count_sides()})
            carried += bool(chain.open)
            sheet = fold(lines, rules, chain)
            chain = sheet[-1].chain
            in_bock += sum(line.level > 0 for line in sheet)
            expected.append((sheet, chain.list_levels(rules.at(len(lines[-1].people)))))
    answers = json.loads(phone.evaluate(FOLD, json.dumps(told)))
    for (there, still_open), (sheet, levels) in zip(answers, expected, strict=True):
        assert [(line["points"], line["bock"], line["bock_started"]) for line in there] == [
            (list(line.outcome.points), line.level, line.bock_started) for line in sheet
        ]
        assert still_open == levels
    assert carried > 200 and in_bock > 1000, (carried, in_bock)
