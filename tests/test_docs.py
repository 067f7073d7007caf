"""The pages of docs/, the README and SECURITY.md name only what is there: files by their path, other pages by a link, in the
glossary what stands in the code and where, and the orders of topics and layers as they are tested. Comments name files that are
there as well."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.test_layers import LAYERS, TOPICS

ROOT = Path(__file__).parent.parent
PAGES = sorted([*ROOT.glob("docs/*.md"), *ROOT.glob("*.md")])
CODE = ("scoring", "clubledger", "tests", "assets")
# A path may begin in one of these: the page says `play/models.py` of what stands below scoring/.
BELOW = ("", *(f"{folder}/" for folder in CODE))
PATH = re.compile(r"[\w./-]+\.(?:py|js|ts|json|jsonl|po|txt|toml|md)\b|^[\w.-]+/[\w./-]+/$")
# `league/queries/months.close`: a name in a module.
NAME_IN = re.compile(r"^([\w/]+/\w+)\.(\w+)$")
LINK = re.compile(r"\]\(([^)#]+)(?:#([^)]*))?\)|\]\(#([^)]*)\)")
# Examples, what an address answers without a file, and what is made when it is needed.
ELSEWHERE = {
    "games.jsonl", "evenings.jsonl", "karo.json", "robots.txt", "var/arriving", "var/heavy", "var/screenshots",
}  # fmt: skip


@cache
def files() -> frozenset[str]:
    """Everything the program and its tests consist of, by its path from the root."""
    found = [path for folder in (*CODE, "built", "docs", "fixtures") for path in (ROOT / folder).rglob("*")]
    return frozenset(str(path.relative_to(ROOT)) for path in [*found, *ROOT.iterdir()])


@cache
def names_of_files() -> frozenset[str]:
    return frozenset(path.rpartition("/")[2] for path in files())


def spans(text: str) -> Iterator[str]:
    """What stands between backticks."""
    return (span for span in re.findall(r"`([^`\n]+)`", text) if not span.startswith(("/", "http")))


def missing_paths(text: str, below: Iterable[str] = BELOW) -> list[str]:
    """The paths in backticks that lead nowhere from any folder of `below`. A name without a folder may stand in any folder."""
    below = tuple(below)
    named = {path.removesuffix("/") for span in spans(text) for path in PATH.findall(span) if not path.startswith("/")}
    return sorted(
        path
        for path in named - ELSEWHERE
        if not any(folder + path in files() for folder in below) and ("/" in path or path not in names_of_files())
    )


def missing_names(text: str) -> list[str]:
    """What is named by its module, as `table/access.get_table`, and does not stand there."""
    named = {span: NAME_IN.match(span) for span in spans(text) if not PATH.match(span)}
    return sorted(span for span, match in named.items() if match and match[2] not in words_of(f"{match[1]}.py"))


def words_of(path: str) -> set[str]:
    """The words of a module, none of one that is not there."""
    found = [ROOT / below / path for below in BELOW if (ROOT / below / path).is_file()]
    return set(re.findall(r"\w+", found[0].read_text())) if found else set()


def anchors(text: str) -> set[str]:
    """What links can lead to: the headings, in lower case, with dashes for spaces and without signs."""
    titles = re.findall(r"^#+ (.+)$", text, flags=re.MULTILINE)
    return {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}


def broken_links(document: Path, text: str) -> list[str]:
    """The links to files that are not there, and to headings that nobody wrote."""
    found = []
    for target, anchor, here in LINK.findall(text):
        if target.startswith(("http", "mailto")):
            continue
        goal = document.parent / target if target else document
        if not goal.exists():
            found.append(target)
        elif (wanted := anchor or here) and wanted not in anchors(text if goal == document else goal.read_text()):
            found.append(f"{target}#{wanted}")
    return found


@pytest.mark.parametrize("document", PAGES, ids=lambda path: path.name)
def test_every_path_and_link_leads_somewhere(document: Path) -> None:
    text = document.read_text()
    assert missing_paths(text) == []
    assert missing_names(text) == []
    assert broken_links(document, text) == []


def strange_words(text: str) -> list[str]:
    """The names in backticks that stand nowhere in the code of the app."""
    return sorted({span for span in spans(text) if not PATH.search(span)} - words_of_the_code())


@cache
def words_of_the_code() -> frozenset[str]:
    """Every word of the Python below scoring/, codes in quotes among them. Migrations remember names that went."""
    sources = (path for path in (ROOT / "scoring").rglob("*.py") if "migrations" not in path.parts)
    return frozenset(word for path in sources for word in re.findall(r"\w+", path.read_text()))


def test_the_architecture_page_has_the_orders_that_hold() -> None:
    text = " ".join((ROOT / "docs" / "architecture.md").read_text().split())
    assert " < ".join(TOPICS) in text
    (order,) = re.findall(r"rules < models.*? < views", text)
    assert [set(level.split(", ")) for level in order.split(" < ")] == LAYERS


def test_the_glossary_names_what_stands_in_the_code() -> None:
    text = (ROOT / "docs" / "glossary.md").read_text()
    assert strange_words(text) == []
    assert misplaced(text) == []


def misplaced(text: str) -> list[str]:
    """What the glossary puts into a Python file that does not define it. A path belongs to the name before it; where the row only
    begins with names, the first path belongs to the first of them, the second to the second."""
    wrong = []
    for row in re.findall(r"^\|(.+?)\|(.+)\|$", text, flags=re.MULTILINE):
        words, name = spans(row[0]), ""
        for span in spans(row[1]):
            if not PATH.match(span):
                name = span
            elif span.endswith(".py") and (owner := name or next(words, "")) and not is_defined(owner, span):
                wrong.append(f"{owner} in {span}")
    return wrong


def is_defined(name: str, path: str) -> bool:
    source = next((ROOT / below / path).read_text() for below in BELOW if (ROOT / below / path).is_file())
    return re.search(rf"^ *(?:class |def )?{name}(?:\(|:| =)", source, flags=re.MULTILINE) is not None


def test_comments_name_files_that_are_there() -> None:
    """A path in a comment may begin in any folder around its file."""
    here = Path(__file__)
    found = [path for folder in CODE for end in ("py", "js", "ts") for path in (ROOT / folder).rglob(f"*.{end}")]
    sources = [path for path in found if path != here]
    wrong = {}
    for path in sources:
        around = {f"{folder}/" for folder in path.relative_to(ROOT).parents}
        if missing := missing_paths(path.read_text(), {*BELOW, *around}):
            wrong[str(path.relative_to(ROOT))] = missing
    assert wrong == {}


def test_this_test_can_fail() -> None:
    assert missing_paths("`play/models.py`, `tests/conftest.py`, `score.ts` and `/etc/clubledger.env`") == []
    wrong = missing_paths("`play/model.py` and `scoring/plays/`, `scored.ts`")
    assert wrong == ["play/model.py", "scored.ts", "scoring/plays"]
    wrong = missing_names("`table/access.get_table`, `table/access.get_chair`, `table/excess.get_table`")
    assert wrong == ["table/access.get_chair", "table/excess.get_table"]
    page = ROOT / "docs" / "testing.md"
    assert broken_links(page, "# One two\n[a](server.md) [b](#one-two) [c](server.md#update)") == []
    wrong = broken_links(page, "[a](serving.md) [b](#one) [c](server.md#updates)")
    assert wrong == ["serving.md", "#one", "server.md#updates"]
    assert strange_words("`Records`, `fold`, `league` and `play/models.py`") == []
    assert strange_words("`Recordings`, `leaguers`") == ["Recordings", "leaguers"]
    assert misplaced("| Zettel | `Sheet` in `play/queries.py` |\n| `MonthRow`, `KasseRow` | one (`imports/rules.py`) |") == [
        "MonthRow in imports/rules.py"
    ]
