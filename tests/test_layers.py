"""Two directions: a topic imports only from topics to its left, and inside a topic a layer only from layers to its left. The rules
know no Django, the site knows no rule. What types ignore says why, and a word is one thing."""

from __future__ import annotations

import ast
import importlib
import re
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import FunctionType

import pytest

ROOT = Path(__file__).parent.parent
TOPICS = (
    "rules", "core", "club", "accounts", "rulesets", "play", "cash", "table", "evenings", "league",
    "standings", "players", "whatif", "exports", "imports", "archive", "administration",
    "site", "demo",
)  # fmt: skip
LAYERS = [
    {"rules"}, {"models"}, {"laws"}, {"errors"}, {"metrics"}, {"names", "queries"}, {"posting", "replay"},
    {"actions", "passwords"}, {"access", "verify"}, {"texts"}, {"reading"},
    {"forms", "exports", "workbook", "charts", "tables"}, {"views"},
]  # fmt: skip
# The folders inside a topic, each with layers of its own; the order of the layers holds across them.
FOLDERS = {"cash": {"tariff", "ledger", "evening", "dues", "months", "settling"}}
LEVEL = {name: level for level, names in enumerate(LAYERS) for name in names}
# Plain modules side by side: no layers.
FLAT = {"rules", "core", "demo"}
# They gather the topics, and stand above all of them.
ABOVE = {"admin", "models", "urls", "apps", "management", "templatetags", "migrations"}
# Django finds a command and a migration by its module, and asks for these names.
NAMED_BY_DJANGO = {"Command", "Migration"}
# What Django and Python document in spite of the name.
PUBLIC = {"_asdict", "_base_manager", "_default_manager", "_exit", "_fields", "_make", "_meta", "_replace", "_state"}
WITHOUT_REASON = re.compile(r"# type: ignore(?!\[[^]]+\] +# )")
MARKS_A_SENTENCE = re.compile(r"^django\.utils\.translation\.n?p?gettext|^scoring\.rules\.validation\._$")
# What the glossary tells apart: each is defined once, at the start of a line.
WORDS = ("Entry", "Evening", "Line", "Outcome", "Row", "Sheet", "Worth", "fold")
DEFINED = re.compile(rf"^(?:class |def )?({'|'.join(WORDS)})(?:\(| = |:)", re.MULTILINE)


def module_name(path: Path) -> str:
    """`scoring/play/models.py` is scoring.play.models, and a package is called like its folder."""
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


def sources(*folders: str) -> list[Path]:
    return sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))


def topic(module: str) -> str | None:
    """The topic of a module of the app: scoring.play.models belongs to play; scoring itself to none."""
    parts = module.split(".")
    return parts[1] if parts[0] == "scoring" and len(parts) > 1 else None


def layer(module: str) -> str | None:
    """The layer of a module in its topic, None for the topic itself or a folder of it."""
    parts = module.split(".")
    if len(parts) < 3 or parts[1] in FLAT:
        return None
    inner = parts[3:] if parts[2] in FOLDERS.get(parts[1], ()) else parts[2:]
    return inner[0] if inner else None


def offences(path: Path, name: str) -> Iterator[str]:
    """What this file of the app imports and must not."""
    own = topic(name)
    for target in imports(path, name):
        other = topic(target)
        if target.split(".")[0] == "clubledger":
            yield f"{name} imports {target}: the game does not know the site it runs in"
        elif own is None or own in ABOVE or other is None:
            continue
        elif other not in TOPICS:
            yield f"{name} imports {target}: {other} is no topic"
        elif TOPICS.index(other) > TOPICS.index(own):
            yield f"{name} imports {target}: {other} is not left of {own}"
        elif other == own and _is_backwards(layer(name), layer(target)):
            yield f"{name} imports {target}: {layer(target)} is not left of {layer(name)}"


def _is_backwards(own: str | None, other: str | None) -> bool:
    return own in LEVEL and other in LEVEL and own != other and LEVEL[other] >= LEVEL[own]


def test_a_module_imports_only_from_its_left() -> None:
    for path in sources("scoring"):
        name = module_name(path)
        own = topic(name)
        assert own is None or own in ABOVE or own in TOPICS, f"{name} belongs to no topic: say where it stands in this test"
        assert layer(name) is None or own in ABOVE or layer(name) in LEVEL, f"{name} is no layer of its topic"
    assert [offence for path in sources("scoring") for offence in offences(path, module_name(path))] == []


def imported(paths: Iterable[Path]) -> Iterator[tuple[str, str]]:
    """Return each import as the names of a module and of what it imports."""
    return ((name, target) for path in paths for name in [module_name(path)] for target in imports(path, name))


def rules() -> list[Path]:
    """Return the modules called `rules`, and those in a folder of that name."""
    return [path for path in sources("scoring") if "rules" in path.relative_to(ROOT).with_suffix("").parts]


def test_the_rules_know_no_django() -> None:
    assert [pair for pair in imported(rules()) if pair[1].split(".")[0] in {"django", "clubledger"}] == []


def test_loading_the_rules_loads_no_django_and_no_other_layer() -> None:
    modules = {module_name(path) for path in rules()}
    packages = {module.rsplit(".", depth)[0] for module in modules for depth in range(1, module.count(".") + 1)}
    code = f"import sys, importlib; [importlib.import_module(m) for m in {modules!r}]; print(*sorted(sys.modules))"
    loaded = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    assert "scoring.rules.outcome" in modules
    assert not [name for name in loaded if name.split(".")[0] in ("django", "clubledger")]
    assert {name for name in loaded if name.startswith("scoring")} == modules | packages


def test_the_types_of_all_rules_are_checked_strictly() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["mypy"]
    checked = {found for pattern in settings["files"] for found in ROOT.glob(pattern)}
    missing = [str(path) for path in rules() if not checked & {path, *path.parents}]
    assert settings["strict"] and not missing, f"name them under tool.mypy in pyproject.toml: {missing}"


def test_the_site_knows_no_rule() -> None:
    assert [pair for pair in imported(sources("clubledger")) if pair[1].split(".")[0] == "scoring"] == []


def test_queries_hold_no_sentences() -> None:
    """They answer figures and codes; their sentences are in texts."""
    queries = [path for path in sources("scoring") if layer(module_name(path)) == "queries"]
    assert [pair for pair in imported(queries) if MARKS_A_SENTENCE.search(pair[1])] == []


def test_a_sentence_in_a_query_would_be_found(tmp_path: Path) -> None:
    path = tmp_path / "queries.py"
    for source in ("django.utils.translation import gettext_lazy as _", "scoring.rules.validation import Sentence, _"):
        path.write_text(f"from {source}")
        assert any(map(MARKS_A_SENTENCE.search, imports(path, "scoring.cash.ledger.queries")))


def test_an_ignored_type_says_why() -> None:
    texts = {path: path.read_text() for path in sources("scoring", "clubledger")}
    assert [str(path) for path, text in texts.items() if WITHOUT_REASON.search(text)] == []
    assert WITHOUT_REASON.search("x = y  # type: ignore[misc]") and not WITHOUT_REASON.search("x = y  # type: ignore[misc]  # so")


def test_private_names_of_other_packages_are_listed_with_a_reason() -> None:
    listed = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["clubledger"]["private-names"]
    assert len(listed) <= 3 and all(listed.values())
    trees = [ast.parse(path.read_text()) for path in sources("scoring", "clubledger")]
    own = {name for tree in trees for name in _defined(tree)}
    used = {name for tree in trees for name in _private(tree)}
    assert used - own - PUBLIC | _overridden() == set(listed)
    assert _private(ast.parse("from a import _b\nc._d.e")) == {"_b", "_d"}
    assert "_make_hash_value" in _overridden()


def _private(tree: ast.Module) -> set[str]:
    """Return the private names that a module imports, or reads of anything."""
    read = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    imported = {alias.name for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) for alias in node.names}
    return {name for name in read | imported if name.startswith("_") and not name.startswith("__") and name != "_"}


def _defined(tree: ast.Module) -> Iterator[str]:
    """The names that a module defines: functions, classes, arguments, variables, and attributes of `self`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) and isinstance(node.value, ast.Name):
            yield from [node.attr] * (node.value.id == "self")


def _overridden() -> set[str]:
    """Return the private methods of other packages that classes of ours override."""
    # A start asks the database.
    starts = {"__main__", "asgi", "wsgi"}
    files = [path for path in sources("scoring", "clubledger") if path.stem not in starts]
    modules = [importlib.import_module(module_name(path)) for path in files]
    return {
        name
        for module in modules
        for one in vars(module).values()
        if isinstance(one, type) and one.__module__ == module.__name__
        for name, value in vars(one).items()
        if name.startswith("_") and not name.startswith("__")
        if isinstance(value, FunctionType) and value.__module__ == module.__name__
        for base in one.__mro__[1:]
        if name in vars(base) and base.__module__.split(".")[0] not in ("scoring", "clubledger")
    }


def test_no_two_classes_have_one_name() -> None:
    """A class inside of another is said with that one, and a private one stays in its module."""
    named = Counter(name for path in sources("scoring", "clubledger") for name in classes(path.read_text()))
    twice = {name for name, many in named.items() if many > 1}
    assert twice == NAMED_BY_DJANGO
    assert classes("class A:\n    class Meta: ...\nclass _B: ...\n") == ["A"]


def classes(source: str) -> list[str]:
    """The public ones of a module."""
    return [node.name for node in ast.parse(source).body if isinstance(node, ast.ClassDef) and node.name[0] != "_"]


def test_a_word_is_one_thing() -> None:
    found = [word for path in sources("scoring", "clubledger") for word in DEFINED.findall(path.read_text())]
    assert sorted(found) == sorted(WORDS)


@pytest.mark.parametrize(
    ("name", "source", "forbidden"),
    [
        ("scoring.play.models", "from scoring.rules.validation import Refused", False),
        ("scoring.play.models", "from scoring.club.models import Club", False),
        ("scoring.play.models", "from .queries import sheet", True),
        ("scoring.play.replay", "def late():\n    from scoring.table.actions.games import enter", True),
        ("scoring.rules.parsing", "import scoring.models", True),
        ("scoring.table.forms.games", "from scoring.table import views", True),
        ("scoring.table.forms.games", "from scoring.table.actions.games import Typed", False),
        ("scoring.cash.tariff.views", "from scoring.cash.evening.queries import read_facts", False),
        ("scoring.cash.evening.queries", "from scoring.cash.tariff.actions import change_tariff", True),
        ("scoring.play.queries", "from clubledger.settings import VAR", True),
        ("scoring.play.queries", "from scoring.models import Game", True),
        ("scoring.play.queries", "from scoring.utils import anything", True),
    ],
)
def test_this_test_can_fail(tmp_path: Path, name: str, source: str, forbidden: bool) -> None:
    path = tmp_path / f"{name.rsplit('.', 1)[1]}.py"
    path.write_text(source)
    assert bool(list(offences(path, name))) is forbidden
