"""How amounts are written: points, euros and numbers with something behind them; and what a cell that is none of them may have been
meant to be."""

from __future__ import annotations

import re
from typing import Final

from django.utils.translation import gettext as _

MINUS: Final = str.maketrans(dict.fromkeys("‐‑‒–—―−﹣－", "-"))
POINTS: Final = re.compile(r"^[+-]?(?:[0-9]{1,9}|[1-9][0-9]{0,2}(?:[.'][0-9]{3})+)(?:[.,]0{1,2})?$")
NUMBER: Final = re.compile(r"^[+-]?(?:[0-9]+|[0-9]{1,3}(?:[.'][0-9]{3})+)(?:[.,][0-9]+|\.)?$")
EUROS: Final = re.compile(r"^([+-]?)([0-9]{1,6}|[0-9]{1,3}(?:\.[0-9]{3})+(?=,))(?:[.,]([0-9]{1,2}))?$")
CURRENCY: Final = re.compile("€|euro?", re.IGNORECASE)
# What may stand behind points: a star, the number of a note, "P." or "Punkte", a place or a remark in brackets, the mark of a solo
# or of another kind of game.
_MARK: Final = r"(?:s|soli?|b|bock|h|hz|hochzeit|r|re|kontra|a|armut|g|gast)\.?"
BESIDE: Final = re.compile(
    rf"(?<=[0-9]) *(?:[*¹²³]+|\([0-9]{{1,2}}\.\)|p(?:\.|kte?\.?|unkte?)?|{_MARK}|\((?=[^()]*[^\W\d])[^()]*\))$",
    re.IGNORECASE,
)
# A star may stand in front of them as well.
FRONT: Final = re.compile(r"^\*+ *(?=[+-]?[0-9])")
_MARKED: Final = re.compile(rf"[+-]?[0-9]+ *({_MARK})", re.IGNORECASE)
# A fraction, and one of cents; nothing behind the comma is none.
_FRACTION: Final = re.compile(r"[.,](?!00?$)[0-9]{1,2}$")
_CENTS: Final = re.compile(r"[.,](?!00$)[0-9]{2}$")
# A number with something else behind it, or in front, or its minus.
_NUMBER_AND: Final = re.compile(r"([+-]?[0-9]+) *(?P<beside>[^0-9.,:/+=-][^0-9]*)")
_AND_NUMBER: Final = re.compile(r"(?P<beside>[^\W\d]\.?) *([+-]?[0-9]+)")
_MINUS_BEHIND: Final = re.compile(r"([0-9]+)-")


def why_no_points(text: str, said: str) -> str:
    """The sentence about a cell that should be points, with what it may have been meant to be."""
    about = {"text": text}
    if EUROS.match(CURRENCY.sub("", said)) and (CURRENCY.search(said) or said[-3:-2] in (".", ",")):
        return _("„%(text)s“ ist keine ganze Zahl; Beträge in Euro gehen nur unter Regeln, die in Cent zählen") % about
    if EUROS.match(said):
        sentence = _(
            "„%(text)s“ ist keine ganze Zahl; sind es Euro, bitte Regeln wählen, die in Cent zählen; sind es halbe Punkte, "
            "bitte in der Datei alle Punkte verdoppeln"
        )
        return sentence % about
    if POINTS.match(said.removeprefix("(").removesuffix(")")):
        sentence = _(
            "„%(text)s“ ist keine ganze Zahl; Klammern können ein Minus oder einen Gast meinen, bitte ohne sie schreiben"
        )
        return sentence % about
    if found := _MINUS_BEHIND.fullmatch(said):
        sentence = _("„%(text)s“ ist keine ganze Zahl; ist es ein Minus, bitte „-%(number)s“ schreiben")
        return sentence % {**about, "number": found[1]}
    plain = text.translate(MINUS)
    if found := _NUMBER_AND.fullmatch(plain):
        sentence = _(
            "„%(text)s“ ist keine ganze Zahl; ist %(number)s gemeint, bitte „%(beside)s“ löschen oder in Klammern setzen"
        )
        return sentence % {**about, "number": found[1], "beside": found["beside"].strip()}
    if found := _AND_NUMBER.fullmatch(plain):
        sentence = _("„%(text)s“ ist keine ganze Zahl; ist %(number)s gemeint, bitte „%(beside)s“ in Klammern dahinter setzen")
        return sentence % {**about, "number": found[2], "beside": found["beside"]}
    return _("„%(text)s“ ist keine ganze Zahl") % about


def mark_in(text: str) -> str:
    """The letters that stand behind points and are not read, as the mark of a solo; empty where there are none."""
    found = _MARKED.fullmatch(text.translate(MINUS))
    return found[1] if found else ""


def is_of_cents(text: str) -> bool:
    """A number with a fraction that is not nothing, or with the sign of its currency."""
    return bool(CURRENCY.search(text) or _FRACTION.search(text))


def is_surely_euros(text: str) -> bool:
    """With two digits behind the comma, or the sign of its currency."""
    return bool(CURRENCY.search(text) or _CENTS.search(text))
