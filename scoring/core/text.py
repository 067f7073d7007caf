"""Clean, validate and sort texts that users type; make file names and codes of them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Container
from functools import lru_cache
from typing import Any

from django.core.exceptions import ValidationError
from django.utils.text import slugify
from django.utils.translation import gettext_lazy as _

# From this canonical combining class on are the accents of Latin, Greek and Cyrillic letters; below it are the vowel signs of
# other scripts, without which a name would be another name.
ACCENTS_FROM = 200
UNDECOMPOSED_LETTERS = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "æ": "ae", "œ": "oe", "ı": "i", "þ": "th", "ð": "d"})
ASCII_SPELLINGS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "ß": "ss", "ẞ": "SS"})
# Joiners (they shape letters of Arabic and Indic scripts) and variation selectors: allowed, but names differ by none of them.
IGNORED_CODE_POINTS = {**dict.fromkeys((0x200C, 0x200D)), **dict.fromkeys(range(0xFE00, 0xFE10))}
CODE_LENGTH = 30
# Invisible although Unicode calls them letters or signs: fillers of Hangul, the empty Braille pattern.
INVISIBLE = "\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0"


def tidy(text: str) -> str:
    """Return the text as one line in composed form (NFC), with single spaces."""
    return unicodedata.normalize("NFC", " ".join(text.split()))


@lru_cache(maxsize=4096)  # an old list asks for each of its cells several times
def text_key(text: str) -> str:
    """Return the sort and search key of a text, without case and accents in any script. It may be longer, or empty."""
    parts = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", text).casefold())
    bare = "".join(c for c in parts.translate(IGNORED_CODE_POINTS) if unicodedata.combining(c) < ACCENTS_FROM)
    return tidy(bare.translate(UNDECOMPOSED_LETTERS))


def build_file_name(text: str) -> str:
    """Return a file name of ASCII letters, digits and hyphens; "März" becomes "maerz"."""
    return slugify(unicodedata.normalize("NFC", text).translate(ASCII_SPELLINGS))


def build_code(name: str, taken: Container[str] = ()) -> str:
    """Return a code of a name (small letters, digits, underscores), with a number if it is in `taken`."""
    base = build_file_name(name).replace("-", "_")
    base = (base if base[:1].isalpha() else f"x{base}")[:CODE_LENGTH].rstrip("_")
    code, number = base, 1
    while code in taken:
        number += 1
        ending = f"_{number}"
        code = base[: CODE_LENGTH - len(ending)] + ending
    return code


def validate_plain(text: str) -> None:
    """Refuse control characters, direction overrides and invisible characters. Raise ValidationError."""
    if any(_is_hidden(char) for char in text):
        raise ValidationError(_("Bitte nur sichtbare Zeichen verwenden."), code="invisible")


def _is_hidden(char: str) -> bool:
    if ord(char) in IGNORED_CODE_POINTS:
        return False
    return char in INVISIBLE or unicodedata.category(char) in ("Cc", "Cf", "Cs", "Co", "Cn")


def parse_whole(value: Any) -> int | None:
    """Return a whole number from 0 on, given as an int or ASCII digits, else None. No row has an id of more than 18 digits."""
    if type(value) is int:
        return value if 0 <= value < 10**18 else None
    return int(value) if isinstance(value, str) and re.fullmatch("[0-9]{1,18}", value) else None
