"""Finds the encoding of a text file that does not name it: UTF-8 or UTF-16 where the bytes can be nothing else; otherwise
the encoding of Windows, DOS or an old Mac in western Europe, whichever gives words that look like names."""

from __future__ import annotations

import codecs
import re
from itertools import islice
from typing import Final

BYTE_ORDERS: Final = {codecs.BOM_UTF8: "utf-8-sig", codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}
WESTERN: Final = ("cp1252", "cp850", "mac_roman")
GERMAN: Final = frozenset("äöüßÄÖÜ")
# May stand between words and numbers, and those of the second kind inside of a word.
BETWEEN: Final = frozenset("„“”‚‘’‹›«»–—…€§°·×½ \u00a0")
INSIDE: Final = frozenset("’´–\u00ad")
# So many of them tell enough.
SAMPLE: Final = 20_000
_FOREIGN: Final = re.compile(r"[^\x00-\x7f]")


def decoded(data: bytes) -> str | None:
    """The text, None where there is none in these bytes."""
    named = next((encoding for mark, encoding in BYTE_ORDERS.items() if data.startswith(mark)), None)
    if named or (named := _two_bytes_each(data)):
        return _read(data, named)
    return _read(data, "utf-8") or _western(data)


def _read(data: bytes, encoding: str) -> str | None:
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError:
        return None
    return None if "\0" in text else text


def _two_bytes_each(data: bytes) -> str | None:
    """UTF-16 without a mark: of most characters one byte is zero, and it is always the same one."""
    first, second = data[::2], data[1::2]
    if len(data) % 2 or not data:
        return None
    for high, low, encoding in ((first, second, "utf-16-be"), (second, first, "utf-16-le")):
        if 4 * high.count(0) >= 3 * len(high) and not low.count(0):
            return encoding
    return None


def _western(data: bytes) -> str | None:
    """What Windows writes, unless another encoding makes better words of it; bytes that Windows does not know have to make
    some German ones."""
    texts = {encoding: text for encoding in WESTERN if (text := _read(data, encoding)) is not None}
    worths = {encoding: _worth(text) for encoding, text in texts.items()}
    best = max(worths, key=lambda encoding: worths[encoding], default=None)
    if best is None or (WESTERN[0] not in texts and worths[best] <= 0):
        return None
    return texts[best]


def _worth(text: str) -> int:
    """How much the first letters beyond ASCII look like parts of words: two for each German one, two less for each sign
    that cannot stand where it does."""
    return sum(_worth_at(text, found.start()) for found in islice(_FOREIGN.finditer(text), SAMPLE))


def _worth_at(text: str, at: int) -> int:
    char, before, after = text[at], text[at - 1 : at], text[at + 1 : at + 2]
    if not char.isalpha():
        inside = before.isalpha() and after.isalpha()
        return 0 if char in (INSIDE if inside else BETWEEN) else -2
    if char.isupper() and before.isalpha() and (before.islower() or after.islower()):
        return -2
    if char not in GERMAN or not (before.isalpha() or after.isalpha()):
        return 0
    return 2 if char.isupper() or before.isalpha() else 0
