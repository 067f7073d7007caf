"""`python -m tests.bench`: runs every bench of this package and prints one table, which var/bench.json has as well; exit status 1
if a limit is passed."""

from __future__ import annotations

import json
import sys
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

import tests.bench

RESULTS = Path(__file__).resolve().parents[2] / "var" / "bench.json"


def main() -> int:
    """Every `bench_*` module has `measure()`, which yields (name, measured, limit): a ratio, or what the name says."""
    passed, found = True, []
    print(f"{'bench':<60} {'measured':>9} {'limit':>7}")
    for module in sorted(info.name for info in iter_modules(tests.bench.__path__) if info.name.startswith("bench_")):
        for name, measured, limit in import_module(f"tests.bench.{module}").measure():
            found.append({"name": name, "measured": measured, "limit": limit})
            passed = passed and measured <= limit
            print(f"{name:<60} {measured:>9.2f} {limit:>7.2f}{'' if measured <= limit else '  TOO SLOW'}", flush=True)
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text(json.dumps(found, indent=1))
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())
