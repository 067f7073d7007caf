"""Compare names: keys of persons and logins, and spellings that could mean the same name."""

from __future__ import annotations

import re
import unicodedata
from difflib import SequenceMatcher
from functools import lru_cache
from typing import Final

from .text import IGNORED_CODE_POINTS, text_key, tidy

# All apostrophes count as one, and so do all hyphens.
SIGNS: Final = str.maketrans({**dict.fromkeys("’‘‛´`ʹʻʼˈ′＇", "'"), **dict.fromkeys("‐‑‒–—―⁃−﹘﹣－", "-")})
# Small letters that look like a Latin one, small or as capitals.
_CYRILLIC: Final = dict(zip("авеѕіјкмнорсԁтухһԛԝӏ", "abesijkmhopcdtyxhqwl", strict=True))
_GREEK: Final = dict(zip("αβεζηικμνορτυχ", "abezhikmvoptux", strict=True))
_LOOK_ALIKE: Final = str.maketrans({**_CYRILLIC, **_GREEK, "ı": "i", "ɑ": "a", "ɡ": "g"})
_DOUBLED: Final = re.compile(r"(.)\1+")
_SPELLED: Final = "\t"  # separates the sort key from the spelling, where they differ
SIMILARITY: Final = 0.8  # the least ratio of SequenceMatcher for two spellings of one name; equal ones have 1


@lru_cache(maxsize=4096)  # an old list asks for each of its headings several times
def name_key(name: str) -> str:
    """Return the key of a name: it ignores case and kinds of apostrophes and hyphens, not accents. Keys sort like `text_key`."""
    plain = name.translate(SIGNS)
    sorted_by = text_key(plain)
    lower = unicodedata.normalize("NFKC", plain).replace("İ", "i").lower().replace("ς", "σ")
    spelled = tidy(unicodedata.normalize("NFKC", lower).translate(IGNORED_CODE_POINTS)).translate(SIGNS)
    return sorted_by if spelled == sorted_by or not sorted_by else f"{sorted_by}{_SPELLED}{spelled}"


def login_key(login: str) -> str:
    """Return the key of a login, the same for logins that differ by case or look-alike letters only.
    Cyrillic and Greek letters are compared by their small letter: the Greek capital Ν counts as v."""
    small = unicodedata.normalize("NFKC", login).replace("İ", "i").casefold()
    return unicodedata.normalize("NFC", unicodedata.normalize("NFKD", small).translate(_LOOK_ALIKE))


def normalize_spelling(name: str) -> str:
    """Return a name without accents and with "ae", "oe", "ue" as single letters."""
    return text_key(name.translate(SIGNS)).replace("ae", "a").replace("oe", "o").replace("ue", "u")


def are_alike(one: str, other: str) -> bool:
    """Return whether two spellings may mean the same name."""
    first, second = normalize_spelling(one), normalize_spelling(other)
    if _DOUBLED.sub(r"\1", first) == _DOUBLED.sub(r"\1", second) or _have_same_parts(first, second):
        return True
    shorter, longer = sorted((first, second), key=len)
    if len(shorter) > 2 and longer.startswith((f"{shorter} ", f"{shorter}.")):
        return True
    return min(len(first), len(second)) > 3 and SequenceMatcher(None, first, second).ratio() >= SIMILARITY


def matches_search(name: str, search: str) -> bool:
    """Return whether a search finds a name: as a part of it in any spelling, or as a word that is alike."""
    if text_key(search) in text_key(name) or normalize_spelling(search) in normalize_spelling(name):
        return True
    return any(are_alike(part, search) for part in (name, *name.split()))


def put_first_name_first(name: str) -> str:
    """Return "Hans Meier" for "Meier, Hans"."""
    last, _comma, first = name.partition(",")
    return f"{first} {last}".strip()


def _have_same_parts(one: str, other: str) -> bool:
    """Return whether both have the same two words, in any order or with one as an initial ("H. Meier")."""
    first, second = _parts(one), _parts(other)
    if len(first) != 2 or len(second) != 2:
        return False
    letters = [1 in (len(part), len(same)) and part[0] == same[0] for part, same in zip(first, second, strict=True)]
    equal = [part == same for part, same in zip(first, second, strict=True)]
    return sorted(first) == sorted(second) or (letters[0] and equal[1]) or (equal[0] and letters[1])


def _parts(name: str) -> list[str]:
    return re.findall(r"[\w-]+", put_first_name_first(name))
