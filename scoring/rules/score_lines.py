"""Score the lines of `manage.py score`: one JSON object per game with its own rule set. A refused line changes nothing."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any, Final

from . import judge
from .bock import Chain
from .constants import TABLES
from .outcome import Worth, score_points
from .parsing import OtherFacts, is_short, parse_game
from .settings import DEFAULT, PRESETS, RuleSettings, get_preset, resolve
from .sheet import find_oddities, play_game, refuse_too_much
from .steps import encode
from .validation import Faults, Refused, Sentence, _

# Each line may have a rule set of its own; only so many compiled ones are cached.
MAX_CACHED = 64


UNREADABLE = (ValueError, RecursionError)
NO_OBJECT = Sentence(_("Bitte je Zeile genau ein JSON-Objekt angeben."))

_PRESETS_AT = {(name, table): get_preset(name).at(table) for name in PRESETS for table in TABLES}
_PARTY: Final = {party: encode(party) for party in (None, "re", "kontra")}
_decode = json.JSONDecoder().raw_decode


REDEAL_FIELDS = ("redeal", "rules", "table", "dealer")


def parse_object(line: str) -> dict[str, Any]:
    """Return the JSON object of a stripped line. Raise one of UNREADABLE."""
    data, end = _decode(line)
    if type(data) is not dict or end < len(line):
        raise ValueError(line)
    return data


@lru_cache(maxsize=4096)
def _dump_numbers(numbers: tuple[int, ...]) -> str:
    """Return a list of numbers as JSON, which Python writes in the same way."""
    return str([*numbers])


def _dump_answer(outcome: Worth, level: int, started: int, odd: list[str]) -> str:
    winner, winners, value, points, steps = outcome
    step_texts = ", ".join([step.text for step in steps])
    oddities = f', "odd": {encode(odd)}' if odd else ""
    return (
        f'{{"winner": {_PARTY[winner]}, "winners": {_dump_numbers(winners)}, "value": {value}, "points": {_dump_numbers(points)}, '
        f'"steps": [{step_texts}], "bock": {level}, "bock_started": {started}{oddities}}}'
    )


class LineScorer:
    """Scores the games of one file; counts the refused lines, and compiles each rule set once."""

    def __init__(self) -> None:
        self.chain = Chain()
        self.refused = 0
        self._own: dict[str, RuleSettings] = {}

    def answers(self, lines: Iterable[str]) -> Iterator[str]:
        """Yield one answer per line, as JSON; none for a blank line and for `{"evening": "new"}`."""
        for line in lines:
            line = line.strip()
            if not line:
                continue
            try:
                answer = self.answer(parse_object(line))
            except UNREADABLE:
                self.refused += 1
                answer = encode({"error": {"line": str(NO_OBJECT)}})
            if answer is not None:
                yield answer

    def answer(self, data: dict[str, Any]) -> str | None:
        """Return the answer to one object, which is changed; None for the start of a new evening."""
        data.pop("expect", None)
        data.pop("note", None)
        if "evening" in data and data == {"evening": "new"}:
            self.chain = Chain()
            return None
        try:
            rules = self._rules(data)
            if "redeal" in data:
                return self._redeal(data, rules)
            facts = parse_game(data, rules)
            outcome, level, started, chain = play_game(facts, rules, self.chain)
            refuse_too_much(facts, outcome)
        except Refused as refused:
            self.refused += 1
            return encode({"error": {field: str(sentence) for field, sentence in refused.fields.items()}})
        self.chain = chain
        return _dump_answer(outcome, level, started, find_oddities(facts, rules))

    def _redeal(self, data: dict[str, Any], rules: RuleSettings) -> str:
        faults: Faults = {}
        judge.check_fields(data, REDEAL_FIELDS, (), faults)
        if data["redeal"] is not True:
            faults["redeal"] = Sentence(_("Bitte true angeben, wo neu gegeben wurde."))
        if "dealer" in data:
            judge.check_dealer(data["dealer"], rules, faults)
        if faults:
            raise Refused(faults)
        self.chain, started = self.chain.add_redeal(rules)
        return _dump_answer(score_points(OtherFacts(""), rules.table), 0, started, [])

    def _rules(self, data: dict[str, Any]) -> RuleSettings:
        """Return the rule set of a line at its table. Raise Refused for rules, table and kind."""
        given, table = data.get("rules", DEFAULT), data.get("table", 4)
        if type(given) is str and type(table) is int:
            rules = _PRESETS_AT.get((given, table))
            if rules is not None:
                return rules
        faults: Faults = {}
        rules = None
        try:
            rules = self._own_rules(given)
        except Refused as refused:
            faults["rules"] = next(iter(refused.fields.values()))
        if (fault := judge.check_table(table)) is not None:
            faults["table"] = fault
        if rules is not None and not faults:
            return rules.at(table)
        if not is_short(data) and "redeal" not in data:
            judge.check_kind(data, rules, False, faults)
        raise Refused(faults)

    def _own_rules(self, given: object) -> RuleSettings:
        key = repr(given)
        rules = self._own.get(key)
        if rules is None:
            rules = RuleSettings.from_data(resolve(given))
            if len(self._own) == MAX_CACHED:
                del self._own[next(iter(self._own))]
            self._own[key] = rules
        return rules
