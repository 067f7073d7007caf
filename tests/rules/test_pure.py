"""The rules, those of every topic, are plain Python: they can be used where no Django is, and their types are strict."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]


def rules() -> list[Path]:
    """Every module of the app called `rules`, and every module in a folder of that name, below ROOT."""
    found = (path.relative_to(ROOT) for path in (ROOT / "scoring").rglob("*.py"))
    return sorted(path for path in found if "rules" in path.with_suffix("").parts)


def module_name(path: Path) -> str:
    return ".".join(path.with_suffix("").parts).removesuffix(".__init__")


def test_the_rules_load_nothing_of_django_nor_of_the_other_layers() -> None:
    modules = {module_name(path) for path in rules()}
    packages = {module.rsplit(".", depth)[0] for module in modules for depth in range(1, module.count(".") + 1)}
    code = f"import sys, importlib; [importlib.import_module(m) for m in {modules!r}]; print(*sorted(sys.modules))"
    loaded = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split()
    assert "scoring.rules.outcome" in modules
    assert not [name for name in loaded if name.split(".")[0] in ("django", "clubledger")]
    assert {name for name in loaded if name.startswith("scoring")} == modules | packages


def test_the_types_of_all_rules_are_checked_strictly() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["mypy"]
    checked = {found.relative_to(ROOT) for pattern in settings["files"] for found in ROOT.glob(pattern)}
    missing = [str(path) for path in rules() if not checked & {path, *path.parents}]
    assert settings["strict"] and not missing, f"name them under tool.mypy in pyproject.toml: {missing}"
