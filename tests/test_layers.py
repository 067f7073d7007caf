"""One direction: each layer imports only from those to its left, the rules know no Django, the site knows no rule.

rules <- core <- models <- errors <- queries <- actions <- access <- words <- imports <- forms, tables, exports <- demo
<- views, commands <- urls
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
LAYERS = [
    {"rules"},
    {"core"},
    {"models"},
    {"errors"},
    {"queries"},
    {"actions"},
    {"access"},
    {"words"},
    {"imports"},
    {"forms", "tables", "exports", "templatetags"},
    {"demo"},
    {"views", "management"},
    {"urls", "apps"},
]
# Migrations may use what stands beside the models: the functions behind their fields and constraints.
LEVEL = {name: level for level, names in enumerate(LAYERS) for name in names}
LEVEL["migrations"] = LEVEL["queries"]
# Whether the history of an archive can be told is seen by telling it, as it is taken in.
ALLOWED = {("scoring.actions.archive", "scoring.words.history.entries")}


def module_name(path: Path) -> str:
    """`scoring/models/play.py` is scoring.models.play, and a package is called like its folder."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports(path: Path, name: str) -> Iterator[str]:
    """Every module that a file imports, wherever in the file, relative names made absolute.

    `from scoring import models` names the package and the thing: both are given.
    """
    package = name.split(".") if path.name == "__init__.py" else name.split(".")[:-1]
    for node in ast.walk(ast.parse(path.read_text(), str(path))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            origin = ".".join([*base, *([node.module] if node.module else [])])
            yield from (f"{origin}.{alias.name}" for alias in node.names)


def sources(folder: str) -> list[Path]:
    return sorted(path for path in (ROOT / folder).rglob("*.py"))


def layer(module: str) -> str | None:
    """The layer of a module of the app: scoring.models.play belongs to models; scoring itself to none."""
    parts = module.split(".")
    return parts[1] if parts[0] == "scoring" and len(parts) > 1 else None


def offences(path: Path, name: str) -> Iterator[str]:
    """What this file of the app imports and must not."""
    own = layer(name)
    if own is None:
        return
    for target in imports(path, name):
        other = layer(target)
        if target.split(".")[0] == "clubledger":
            yield f"{name} imports {target}: the game does not know the site it runs in"
        elif (name, target) in ALLOWED:
            continue
        elif other is not None and other != own and not (other in LEVEL and LEVEL[other] < LEVEL[own]):
            yield f"{name} imports {target}: {other} is not left of {own}"


@pytest.mark.parametrize("path", sources("scoring"), ids=module_name)
def test_a_module_imports_only_from_its_left(path: Path) -> None:
    name = module_name(path)
    assert layer(name) is None or layer(name) in LEVEL, f"{name} belongs to no layer: say where it stands in this test"
    assert list(offences(path, name)) == []


@pytest.mark.parametrize("path", sources("scoring/rules"), ids=module_name)
def test_the_rules_know_no_django(path: Path) -> None:
    name = module_name(path)
    foreign = [target for target in imports(path, name) if target.split(".")[0] in {"django", "clubledger"}]
    assert foreign == []


@pytest.mark.parametrize("path", sources("clubledger"), ids=module_name)
def test_the_site_knows_no_rule(path: Path) -> None:
    name = module_name(path)
    assert [target for target in imports(path, name) if target.split(".")[0] == "scoring"] == []


@pytest.mark.parametrize(
    ("name", "source", "forbidden"),
    [
        ("scoring.models.play", "from scoring.rules.facts import Refused", False),
        ("scoring.models.play", "from .people import Club", False),
        ("scoring.models.play", "from ..queries import sheet", True),
        ("scoring.models.play", "def late():\n    from scoring.actions.games import enter", True),
        ("scoring.rules.facts", "import scoring.models", True),
        ("scoring.forms.games", "from scoring import tables", True),
        ("scoring.views.games", "from scoring import access, forms", False),
        ("scoring.queries.sheet", "from clubledger.settings import VAR", True),
        ("scoring.queries.sheet", "from scoring.utils import anything", True),
    ],
)
def test_this_test_can_fail(tmp_path: Path, name: str, source: str, forbidden: bool) -> None:
    path = tmp_path / f"{name.rsplit('.', 1)[1]}.py"
    path.write_text(source)
    assert bool(list(offences(path, name))) is forbidden
