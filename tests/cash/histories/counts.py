"""How often each step of the long random histories was tried and how often it succeeded, kept from run to run: each run adds one
line to `var/histories.jsonl`, and `python -m tests.cash.histories.counts` adds the lines up, database by database. A run that a
broken law ended is in no sum."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from pathlib import Path

from django.db import connection

KEPT = Path(__file__).parents[3] / "var" / "histories.jsonl"
# So often each step succeeds at least in so many histories.
OFTEN, OF = 500, 2000


def keep(histories: int, steps: int, tried: Counter[str], done: Counter[str]) -> None:
    """Add what one run did."""
    line = {"database": connection.vendor, "histories": histories, "steps": steps, "tried": tried, "done": done}
    KEPT.parent.mkdir(exist_ok=True)
    with KEPT.open("a") as file:
        file.write(json.dumps(line) + "\n")


def seldom(histories: int, tried: Counter[str], done: Counter[str]) -> dict[str, int]:
    """The steps that did not succeed often enough for so many histories."""
    return {name: done[name] for name in sorted(tried) if done[name] * OF < OFTEN * histories}


def main() -> None:
    of_database: dict[str, Counter[str]] = defaultdict(Counter)
    for line in map(json.loads, KEPT.read_text().splitlines()):
        found = of_database[line["database"]]
        found["runs"] += 1
        found["histories"] += line["histories"]
        found.update({f"{said} {name}": times for said in ("tried", "done") for name, times in line[said].items()})
    for database, found in sorted(of_database.items()):
        tried, done = (
            Counter({what.removeprefix(f"{said} "): times for what, times in found.items() if what.startswith(f"{said} ")})
            for said in ("tried", "done")
        )
        print(f"{database}: {found['histories']} histories in {found['runs']} runs")
        for name in sorted(tried, key=lambda name: done[name]):
            print(f"  {name:24} tried {tried[name]:7}  succeeded {done[name]:7}")
        print(f"  too seldom for {OFTEN} of {OF}: {seldom(found['histories'], tried, done) or 'none'}")


if __name__ == "__main__":
    main()
