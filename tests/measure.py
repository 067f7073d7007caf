"""`make measure`: print how large the house is, as a table with the limits that it should keep."""

from __future__ import annotations

import ast
import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
VAGUE = re.compile(r"\b(?:whoever|somebody|nobody|everybody|anybody)\b", re.IGNORECASE)
RIDDLE = re.compile(
    r"(?:what|whatever|who|whoever|whom|whose|which|that|those|these|this|it|they|how|where|when|why|whether|the same|something)\b",
    re.IGNORECASE,
)
VALUE_BASES = {"NamedTuple", "TypedDict"}


def files(pattern: str, *folders: str) -> list[Path]:
    found = sorted(path for folder in folders for path in (ROOT / folder).rglob(pattern))
    return [path for path in found if "migrations" not in path.parts and path.stat().st_size]


def lines(paths: Iterable[Path]) -> int:
    return sum(len(path.read_text().splitlines()) for path in paths)


def nodes(paths: Iterable[Path]) -> Iterator[ast.AST]:
    return (node for path in paths for node in ast.walk(ast.parse(path.read_text())))


def is_value_type(one: ast.ClassDef) -> bool:
    decorators = {name.id for node in one.decorator_list for name in ast.walk(node) if isinstance(name, ast.Name)}
    return "dataclass" in decorators or bool(VALUE_BASES & base_names(one))


def base_names(one: ast.ClassDef) -> set[str]:
    return {base.attr if isinstance(base, ast.Attribute) else getattr(base, "id", "") for base in one.bases}


def exception_names(classes: Iterable[ast.ClassDef]) -> set[str]:
    """Return the classes that are exceptions by their own bases or those of a base."""
    bases = {one.name: base_names(one) for one in classes}
    found = {name for name in bases if any(re.search(r"(?:Error|Exception)$", base) for base in bases[name])}
    while more := {name for name in bases if bases[name] & found} - found:
        found |= more
    return found


def measure() -> Iterator[tuple[str, str, str]]:
    """Yield the name, the figure and the limit of each row."""
    python = files("*.py", "scoring", "clubledger")
    tree = list(nodes(python))
    classes = [node for node in tree if isinstance(node, ast.ClassDef)]
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    docstrings = [text for node in tree if isinstance(node, documented) and (text := ast.get_docstring(node))]
    scripts = files("*.[jt]s", "assets")
    pages = [*files("*.md", "docs"), ROOT / "README.md", ROOT / "LIESMICH.md"]
    english = [page for page in pages if page.name != "LIESMICH.md"]
    vague = sum(len(VAGUE.findall(path.read_text())) for path in [*python, *scripts, *english])
    imports = sum(isinstance(node, ast.Import | ast.ImportFrom) for node in tree)
    statements = sum(isinstance(node, ast.stmt) for node in tree)
    private = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["clubledger"]["private-names"]
    yield "Python lines without tests and migrations", f"{lines(python):,}", "42,000"
    yield "Python files", str(len(python)), "280"
    yield "  of fewer than 40 lines", str(sum(lines([path]) < 40 for path in python)), "0"
    yield "value types", str(sum(map(is_value_type, classes))), "130"
    yield "exception classes", str(len(exception_names(classes))), "40"
    yield "'whoever', 'somebody' and the like", str(vague), "60"
    riddles = sum(bool(RIDDLE.match(text)) for text in docstrings)
    yield "docstrings that begin with a pronoun or question word", f"{riddles / len(docstrings):.1%}", "1%"
    yield "imports among all statements", f"{imports / statements:.1%}", ""
    yield "private names of other packages", str(len(private)), "3"
    yield "template lines", f"{lines(files('*.html', 'templates')):,}", "9,500"
    yield "script lines", f"{lines(scripts):,}", "5,500"
    yield "style lines", f"{lines(files('*.*css', 'assets')):,}", "1,300"
    yield "test lines", f"{lines(files('*.py', 'tests')):,}", "58,000"
    yield "words of README and docs/", f"{sum(len(page.read_text().split()) for page in pages):,}", "32,000"
    topics = Counter[str]()
    for path in python:
        folder = path.relative_to(ROOT).parts
        topics[folder[1] if folder[0] == "scoring" and len(folder) > 2 else folder[0]] += lines([path])
    for topic, many in topics.most_common():
        yield f"  lines of {topic}", f"{many:,}", ""


if __name__ == "__main__":
    for name, figure, limit in measure():
        print(f"{name:<55}{figure:>9}{limit:>9}")
