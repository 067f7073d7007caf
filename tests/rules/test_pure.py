"""The rules are plain Python: they can be used where no Django is."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_rules_load_nothing_of_django_nor_of_the_other_layers() -> None:
    modules = [
        f"scoring.rules.{path.stem}" for path in (ROOT / "scoring" / "rules").glob("*.py") if path.stem != "__init__"
    ]
    code = f"import sys, importlib; [importlib.import_module(m) for m in {modules!r}]; print(*sorted(sys.modules))"
    loaded = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split()
    assert set(modules) <= set(loaded)
    assert not [name for name in loaded if name.split(".")[0] in ("django", "clubledger")]
    assert {name for name in loaded if name.startswith("scoring")} == {"scoring", "scoring.rules", *modules}
