"""Folds names: under which key a person or a login is stored and found, and which spellings could be the same name."""

from __future__ import annotations

import re
import unicodedata
from difflib import SequenceMatcher
from functools import lru_cache
from typing import Final

from .text import IGNORED_CODE_POINTS, text_key, tidy

# Every apostrophe is one, and so is every hyphen.
SIGNS: Final = str.maketrans(
    {
        **dict.fromkeys("’‘‛´`ʹʻʼˈ′＇", "'"),
        **dict.fromkeys("‐‑‒–—―⁃−﹘﹣－", "-"),
    }
)
# Small letters that look like a Latin one, small or as capitals.
_CYRILLIC: Final = dict(zip("авеѕіјкмнорсԁтухһԛԝӏ", "abesijkmhopcdtyxhqwl", strict=True))
_GREEK: Final = dict(zip("αβεζηικμνορτυχ", "abezhikmvoptux", strict=True))
_LOOK_ALIKE: Final = str.maketrans({**_CYRILLIC, **_GREEK, "ı": "i", "ɑ": "a", "ɡ": "g"})
# Behind what a name sorts by stands how it is spelled, where that is something else.
_SPELLED: Final = "\t"
# How alike two spellings of one name are, of what is equal.
SIMILARITY: Final = 0.8


@lru_cache(maxsize=4096)  # an old list asks for each of its headings several times
def name_key(name: str) -> str:
    """Return the key of a name: two names with the same key are one. Upper and lower case, kinds of apostrophes and of hyphens
    are the same, letters with and without accents are not. Keys sort as `text_key` does. The key of nothing is empty."""
    plain = name.translate(SIGNS)
    sorted_by = text_key(plain)
    lower = unicodedata.normalize("NFKC", plain).replace("İ", "i").lower().replace("ς", "σ")
    spelled = tidy(unicodedata.normalize("NFKC", lower).translate(IGNORED_CODE_POINTS)).translate(SIGNS)
    return sorted_by if spelled == sorted_by or not sorted_by else f"{sorted_by}{_SPELLED}{spelled}"


def login_key(login: str) -> str:
    """Return the key of a login: two logins that differ only by case, or by letters that look alike, have the same. The table of
    such letters is short: Cyrillic and Greek ones that look like a Latin letter, one for each (the Greek capital Ν looks like N,
    but counts as V, as its small letter looks). Other scripts, 0 and O, or rn and m are not compared."""
    small = unicodedata.normalize("NFKC", login).replace("İ", "i").casefold()
    return unicodedata.normalize("NFC", unicodedata.normalize("NFKD", small).translate(_LOOK_ALIKE))


def normalize_spelling(name: str) -> str:
    """Return a name as it is compared with other spellings: without accents, "ae" as "a"."""
    return text_key(name.translate(SIGNS)).replace("ae", "a").replace("oe", "o").replace("ue", "u")


def are_alike(one: str, other: str) -> bool:
    """Could these be two spellings of one name?"""
    first, second = normalize_spelling(one), normalize_spelling(other)
    if first == second:
        return True
    if _have_the_same_parts(first, second):
        return True
    shorter, longer = sorted((first, second), key=len)
    if len(shorter) > 2 and longer.startswith((f"{shorter} ", f"{shorter}.")):
        return True
    return min(len(first), len(second)) > 3 and SequenceMatcher(None, first, second).ratio() >= SIMILARITY


def matches_search(name: str, search: str) -> bool:
    """Does a search find this name: is it a part of it in any spelling, or alike to the name or to a word of it?"""
    if text_key(search) in text_key(name) or normalize_spelling(search) in normalize_spelling(name):
        return True
    return any(are_alike(part, search) for part in (name, *name.split()))


def put_first_name_first(name: str) -> str:
    """Return a name with what stands behind its comma first."""
    last, _comma, first = name.partition(",")
    return f"{first} {last}".strip()


def _have_the_same_parts(one: str, other: str) -> bool:
    """ "Meier, Hans" is Hans Meier, and so may be "H. Meier" or "Hans M."."""
    first, second = _parts(one), _parts(other)
    if len(first) != 2 or len(second) != 2:
        return False
    letters = [1 in (len(part), len(same)) and part[0] == same[0] for part, same in zip(first, second, strict=True)]
    equal = [part == same for part, same in zip(first, second, strict=True)]
    return sorted(first) == sorted(second) or (letters[0] and equal[1]) or (equal[0] and letters[1])


def _parts(name: str) -> list[str]:
    return re.findall(r"[\w-]+", put_first_name_first(name))
