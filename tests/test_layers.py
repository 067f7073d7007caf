"""Two directions: a topic imports only from topics to its left, and inside a topic a layer only from layers to its left. The rules
know no Django, the site knows no rule. Files stay short, what types ignore says why, as do many parameters and a late import, and
a word is one thing."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
TOPICS = (
    "rules", "core", "files", "club", "logins", "joining", "rulesets", "play", "cash", "table", "evenings", "league",
    "standings", "strangers", "players", "whatif", "workbook", "imports", "history", "archive", "privacy", "installation",
    "help", "home", "demo",
)  # fmt: skip
LAYERS = [
    {"rules"}, {"models"}, {"errors"}, {"names", "queries"}, {"actions"}, {"access"}, {"words"}, {"reading"},
    {"forms", "excel", "file", "drawing", "tables"}, {"views"},
]  # fmt: skip
LEVEL = {name: level for level, names in enumerate(LAYERS) for name in names}
# Plain modules side by side: no layers.
FLAT = {"rules", "core", "files", "demo"}
# They gather the topics, and stand above all of them.
ABOVE = {"models", "urls", "apps", "management", "templatetags", "migrations"}
MOST_LINES = 400
MOST_MODULES = 16
# A function with more parameters says above itself why, and how many they are.
MOST_PARAMETERS = 6
NUMBERS = {7: "Seven", 8: "Eight", 9: "Nine", 10: "Ten"}
# What is imported inside a function, and why not above.
LATE = {
    "clubledger.apps": "Django is up only then",
    "clubledger.serve": "the site is loaded once its settings are known to be safe and its tables are those of today",
    "clubledger.sqlite": "the package may be missing, and what `sqlite3` means is decided there",
    "clubledger.web.addresses": "the settings read it before anything of Django is there",
    "scoring.apps": "Django has the models only then",
    "scoring.imports.reading.rows": "what reads workbooks takes longer to load than most lists to be read",
}
# Django finds a command and a migration by its module, and asks for these names.
NAMED_BY_DJANGO = {"Command", "Migration"}
WITHOUT_REASON = re.compile(r"# type: ignore(?!\[[^]]+\] +# )")
MARKS_A_SENTENCE = re.compile(r"^django\.utils\.translation\.n?p?gettext|^scoring\.rules\.refused\._$")
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
    """The layer of a module in its topic, None for the topic itself."""
    parts = module.split(".")
    return parts[2] if len(parts) > 2 and parts[1] not in FLAT else None


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


@pytest.mark.parametrize("path", sources("scoring"), ids=module_name)
def test_a_module_imports_only_from_its_left(path: Path) -> None:
    name = module_name(path)
    own = topic(name)
    assert own is None or own in ABOVE or own in TOPICS, f"{name} belongs to no topic: say where it stands in this test"
    assert layer(name) is None or own in ABOVE or layer(name) in LEVEL, f"{name} is no layer of its topic"
    assert list(offences(path, name)) == []


@pytest.mark.parametrize("path", [path for path in sources("scoring") if "rules" in path.relative_to(ROOT).parts], ids=module_name)
def test_the_rules_know_no_django(path: Path) -> None:
    name = module_name(path)
    foreign = [target for target in imports(path, name) if target.split(".")[0] in {"django", "clubledger"}]
    assert foreign == []


@pytest.mark.parametrize("path", sources("clubledger"), ids=module_name)
def test_the_site_knows_no_rule(path: Path) -> None:
    name = module_name(path)
    assert [target for target in imports(path, name) if target.split(".")[0] == "scoring"] == []


@pytest.mark.parametrize("path", [path for path in sources("scoring") if layer(module_name(path)) == "queries"], ids=module_name)
def test_queries_hold_no_sentences(path: Path) -> None:
    """They answer figures and codes; what is said of these stands in words."""
    assert [target for target in imports(path, module_name(path)) if MARKS_A_SENTENCE.search(target)] == []


def test_a_sentence_in_a_query_would_be_found(tmp_path: Path) -> None:
    path = tmp_path / "verify.py"
    for source in ("django.utils.translation import gettext_lazy as _", "scoring.rules.refused import Sentence, _"):
        path.write_text(f"from {source}")
        assert any(map(MARKS_A_SENTENCE.search, imports(path, "scoring.cash.queries.verify")))


def test_no_file_is_long_and_no_folder_full() -> None:
    files = [path for path in sources("scoring", "clubledger") if "migrations" not in path.parts]
    long = [path for path in [*files, *sources("tests")] if len(path.read_text().splitlines()) > MOST_LINES]
    assert [module_name(path) for path in long] == []
    folders = {path.parent for path in files}
    modules = {
        folder: [path for path in files if path.parent == folder and path.stem != "__init__"] for folder in folders
    }
    full = [str(folder.relative_to(ROOT)) for folder, found in modules.items() if len(found) > MOST_MODULES]
    assert full == []


def test_many_parameters_have_a_reason() -> None:
    assert [fault for path in sources("scoring", "clubledger") for fault in unexplained(path.read_text())] == []
    many = "def f(a, b, c, d, e, g, *, h): ..."
    assert unexplained(f"# Seven parameters: so.\n@one\n{many}") == unexplained(many.replace("a, b", "self, b")) == []
    assert unexplained(many) == unexplained(f"# Eight parameters: so.\n{many}") == ["f has 7 parameters"]


def unexplained(source: str) -> list[str]:
    """The functions with many parameters and no comment above them that names their number."""
    return [
        f"{node.name} has {many} parameters"
        for node in functions(source)
        if (many := parameters(node)) > MOST_PARAMETERS
        and not re.search(rf"# {NUMBERS.get(many)} parameters: .+", comment_above(source, node))
    ]


def functions(source: str) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    return [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]


def parameters(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    every = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
    return len([one for one in every if one.arg not in {"self", "cls"}])


def comment_above(source: str, node: ast.FunctionDef | ast.AsyncFunctionDef) -> str:
    first = min([node, *node.decorator_list], key=lambda one: one.lineno).lineno
    above = takewhile(lambda line: line.strip().startswith("#"), reversed(source.splitlines()[: first - 1]))
    return "\n".join(reversed(list(above)))


def test_an_import_stands_above() -> None:
    """Inside a function it would hide a circle."""
    found = {module_name(path) for path in sources("scoring", "clubledger") if imports_late(path.read_text())}
    assert found == set(LATE)
    assert imports_late("def f():\n    if a:\n        import b") and not imports_late("import b\ndef f(): ...")


def imports_late(source: str) -> bool:
    inside = (part for node in functions(source) for part in ast.walk(node))
    return any(isinstance(part, ast.Import | ast.ImportFrom) for part in inside)


def test_an_ignored_type_says_why() -> None:
    texts = {path: path.read_text() for path in sources("scoring", "clubledger")}
    assert [str(path) for path, text in texts.items() if WITHOUT_REASON.search(text)] == []
    assert WITHOUT_REASON.search("x = y  # type: ignore[misc]") and not WITHOUT_REASON.search("x = y  # type: ignore[misc]  # so")


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
        ("scoring.play.models", "from scoring.rules.refused import Refused", False),
        ("scoring.play.models", "from scoring.club.models.people import Club", False),
        ("scoring.play.models", "from .queries import sheet", True),
        ("scoring.play.actions.replay", "def late():\n    from scoring.table.actions.games import enter", True),
        ("scoring.rules.facts", "import scoring.models", True),
        ("scoring.table.forms.games", "from scoring.table import views", True),
        ("scoring.table.forms.games", "from scoring.table.actions.games import Typed", False),
        ("scoring.play.queries.sheet", "from clubledger.settings import VAR", True),
        ("scoring.play.queries.sheet", "from scoring.models import Game", True),
        ("scoring.play.queries.sheet", "from scoring.utils import anything", True),
    ],
)
def test_this_test_can_fail(tmp_path: Path, name: str, source: str, forbidden: bool) -> None:
    path = tmp_path / f"{name.rsplit('.', 1)[1]}.py"
    path.write_text(source)
    assert bool(list(offences(path, name))) is forbidden
