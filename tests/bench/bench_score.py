"""What scoring costs beside reading and writing: 100,000 distinct games of all five rule sets through the code of
`manage.py score`, against only reading the same lines and writing the same answers; and the scoring alone, on rule
sets made ready beforehand and with no game remembered.
"""

from __future__ import annotations

import gc
import json
import os
import random
import tempfile
from collections.abc import Callable, Iterator
from io import StringIO
from pathlib import Path
from time import process_time
from typing import Any

from scoring.rules.constants import PARTNER_KINDS, SAID, SPECIALS, ZONES
from scoring.rules.outcome import get_kind_scorer, score
from scoring.rules.parsing import GameFacts, parse_game
from scoring.rules.score_lines import LineScorer
from scoring.rules.settings import PRESETS, RuleSettings, get_preset
from scoring.rules.steps import CASES

GAMES = 100_000
ROUNDS = 5
# Beside reading and writing alone: everything, and the scoring alone.
EVERYTHING_LIMIT = 1.6
SCORING_LIMIT = 0.3


def random_lines(count: int, seed: int = 1) -> list[str]:
    """So many distinct legal games as JSON lines, most at tables of four."""
    rng = random.Random(seed)
    lines: dict[str, None] = {}
    while len(lines) < count:
        lines[json.dumps(_random_game(rng))] = None
    return list(lines)


def _random_game(rng: random.Random) -> dict[str, Any]:
    name = rng.choice(PRESETS)
    table = rng.choice((4, 4, 4, 5, 6, 8) if name == "klassisch" else (4, 4, 4, 5))
    rules = get_preset(name).at(table)
    dealer = rng.randrange(table)
    kinds = sorted(rules.kinds)
    kind = rng.choice(kinds) if rng.random() < 0.4 else rng.choice([kind for kind in kinds if kind in PARTNER_KINDS])
    out = rules.out_by_dealer.get(dealer, ())
    size = 1 if kind not in PARTNER_KINDS else rules.playing // 2
    parties = [party for party in sorted(rules.parties[out]) if len(party) == size]
    eyes = rng.randint(0, 240)
    game: dict[str, Any] = {
        "rules": name, "table": table, "dealer": dealer, "kind": kind, "re": list(rng.choice(parties)), "eyes": eyes,
    }  # fmt: skip
    if rules.announcements:
        game |= {party + "_said": rng.choice(SAID) if rng.random() < 0.4 else "none" for party in ("re", "kontra")}
        if rules.entry_rules[False][kind].asks_last and game["re_said"] == game["kontra_said"] == "said":
            game["last_said"] = rng.choice(("re", "kontra"))
    for party, trickless in (("re", 0), ("kontra", 240)):
        if rng.random() < 0.4 and eyes != trickless:
            special = rng.choice([s for s, row in rules.specials.items() if s != "fuchs_am_ende" and row.of != "game"])
            game[party + "_specials"] = {special: 1}
            if SPECIALS[special] == 1 and special in game.get("re_specials", {}) and party == "kontra":
                del game["kontra_specials"]
    return game


def measure() -> Iterator[tuple[str, float, float]]:
    """(name, cost relative to reading and writing alone, limit)."""
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "clubledger.settings")
    django.setup()
    lines = random_lines(GAMES)
    answers = [*map(json.loads, LineScorer().answers(lines))]
    assert len(answers) == GAMES and not any("error" in answer for answer in answers)
    games = [_read(line) for line in lines]
    _make_ready({rules for _facts, rules in games})
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "games.jsonl"
        file.write_text("\n".join(lines) + "\n", encoding="utf-8")
        runs = (lambda: _only_read_and_write(file, answers), lambda: _command(file), lambda: _only_score(games))
        # Taken in turns, so that a busy machine slows all of them alike.
        times = [[_time(run) for run in runs] for _round in range(ROUNDS)]
    alone, everything, scoring = (min(column) * 1e6 / GAMES for column in zip(*times, strict=True))
    yield f"manage.py score ({everything:.1f} of {alone:.1f} µs a game)", everything / alone, EVERYTHING_LIMIT
    yield f"scoring alone, rule sets made ready ({scoring:.1f} µs a game)", scoring / alone, SCORING_LIMIT


def _read(line: str) -> tuple[GameFacts, RuleSettings]:
    data = json.loads(line)
    rules = get_preset(data["rules"]).at(data["table"])
    facts = parse_game(data, rules)
    assert isinstance(facts, GameFacts)
    return facts, rules


def _make_ready(used: set[RuleSettings]) -> None:
    """Works out every case of these rule sets, so that no game finds what an earlier one left."""
    for rules in used:
        for kind in rules.kinds:
            cases = get_kind_scorer(rules, kind).cases
            for number in range(CASES if rules.announcements else ZONES):
                cases[number]


def _only_read_and_write(file: Path, answers: list[dict[str, Any]]) -> None:
    out = StringIO()
    with file.open(encoding="utf-8") as lines:
        for line, answer in zip(lines, answers, strict=True):
            json.loads(line)
            out.write(json.dumps(answer) + "\n")


def _command(file: Path) -> None:
    from django.core.management import call_command

    call_command("score", str(file), stdout=StringIO())


def _only_score(games: list[tuple[GameFacts, RuleSettings]]) -> None:
    for facts, rules in games:
        score(facts, rules, 0)


def _time(run: Callable[[], None]) -> float:
    gc.collect()
    start = process_time()
    run()
    return process_time() - start
