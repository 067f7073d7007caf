"""What one cell says: a heading, a day, points, an amount of euros, or that a player was not there."""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from django.utils import timezone
from django.utils.translation import gettext as _
from openpyxl.utils import get_column_letter

from scoring.core.dates import FIRST_YEAR
from scoring.core.text import text_key, tidy
from scoring.rules.judge import MAX_POINTS

from .file_formats import UNCALCULATED, Rows

# The headings stand among the first rows.
HEADINGS: Final = 30


def cell_of(row: Sequence[str], index: int) -> str:
    """Empty where the row is shorter."""
    return row[index] if index < len(row) else ""


def below(rows: Rows, head: int) -> Iterator[tuple[int, list[str]]]:
    """Every row below the headings that holds anything, with its number."""
    return ((index + 1, row) for index, row in enumerate(rows) if index > head and any(row))


def column_name(index: int) -> str:
    """What a spreadsheet calls this column, counted from 0."""
    return str(get_column_letter(index + 1))

# --- Words ------------------------------------------------------------------------------------------------------------


DAYS: Final = frozenset({"tag", "abend", "spieltag", "spielabend", "wann"})
# A column of them says when.
DAY_HEADINGS: Final = DAYS | {"datum", "date"}
TOTALS: Final = re.compile(
    r"^(summe(?!rs?\b)|sum\b|gesamt|total|quersumme|zwischens(umme|tand)|endstand|ubertrag|uebertrag|saldo\b|monatss(umme|tand)"
    r"|jahress(umme|tand)|halbjahr|quartal|probe|kontroll|pru(e?)f(summe|zahl|ung|spalte)|check|diff\b|differenz|[σ∑]|vortrag|start\b|(punkte|spiel|gesamt|anfangs)?stand\b)"
)
OTHERS: Final = re.compile(
    r"^(nr\.?|nummer|#|spiele?( gespielt)?|runden?|umlauf|ort|wo|bei|geber|gastgeber(in)?|gibt|bock|wert|was|art|spielart"
    r"|bemerkung(en)?|notiz(en)?|kommentare?|legende|platz|rang|platzierung|sieger|gewinner|solo|abende|anwesen.*|saison|jahr|monat"
    r"|wochentag|tag|woche|kw|kalenderwoche"
    r"|uhrzeit|beginn|ende|dauer|stunden|std\.?|tisch( ?nr\.?)?|teilnehmer|mitspieler|personen|anzahl.*"
    r"|(geld|bier|wein|schnaps|flaschen?|strafen?|getranke?|essen|spenden?|topf|pott|kasse|sparschwein|beitrag)( .*)?"
    r"|\w*(geld|kasse|topf|strafe|beitrag|zahlung|verzehr|getranke)|betrag|einsatz|euro|€|zu zahlen"
    r"|einnahmen?|ausgaben?|soll|haben|buchung(stext)?|text"
    r"|punkte?|pkte?\.?|punktzahl|ergebnis|schnitt|durchschnitt|o(/.*| (je|pro) .*)?|siege|soli"
    r"|(plus|minus)(punkte)?|(beste|hochste|schlechteste|niedrigste)[rs]?( .*)?|max(imum)?|min(imum)?\.?"
    r"|(sieg)?quote|prozent|%|teilnahmen|spieler|wer)$"
)
# Words that are a name as well: a column called so is of a person where its rows sum to zero with it alone.
ALSO_NAMES: Final = frozenset({"max", "ende", "wein", "bock", "platz", "sieger", "haben"})
# What a row says beside the evenings: of how many, how good, in which place.
ASIDE: Final = re.compile(
    r"^(o(/.*| (je|pro) .*)?|(durch)?schnitt.*|mittel(wert)?|abende|anzahl.*|spiele|siege.*|soli|teilnahmen|anwesen.*"
    r"|platz|platzierung|rang|punkte (je|pro) .*|bester.*|schlechtester.*|quote|max(imum)?|min(imum)?|median)$"
)
# What stands before or behind a name to say its place.
PLACE_OF: Final = re.compile(r"^[0-9]{1,2}[.)] *(?=[^\W\d])|(?<=\w) *\([0-9]{1,2}\.?\)$")
# What all headings may have before or behind the names to say that these are points.
OF_POINTS: Final = re.compile(r"^(?:punkte|pkte?\.?) +|[ ,]*[(\[]?\b(?:punkte|pkte?\.?)[)\]]?$", re.IGNORECASE)
# Headings say so where somebody came along; brackets around a whole name say the same.
GUEST: Final = re.compile(
    r"^[(\[](?P<name>[^()\[\]]+)[)\]]$|^(?i:gast)[ :]*[(\[](?P<of>[^()\[\]]+)[)\]]$"
    r"|(?<=\w)[ ,]+[(\[]?(?:gast|g\.)[)\]]?$|(?<=\w)\((?:gast|g\.?)\)$"
)
# Beside a column of points: the same person's sum so far.
SUM_OF: Final = re.compile(r"[ (]+(ges\.?|gesamt|summe|total|stand|kum\.?|kumuliert|σ)\)?$")
# As well: something else of the same person.
BESIDE_OF: Final = re.compile(r"[ (]+(€|euro?|cent|geld|betrag|spiele|siege|soli|solos|platz|rang)\)?$")
# What totals begin with, above the first evening.
START: Final = re.compile(r"(ubertrag|uebertrag|vortrag|saldo|start|(punkte|spiel|anfangs)?stand)\b")
# A sum may be said behind its day.
OF_A_DAY: Final = "0123456789.,:/-() "
# Who was there, where nothing else is said.
PRESENT: Final = frozenset({"ja", "nein", "true", "false", "wahr", "falsch", "da", "anwesend"})
# Headings above a column of names.
NAMES: Final = frozenset(
    {"name", "namen", "spieler", "spielerin", "spieler/in", "person", "mitspieler", "teilnehmer", "mitglied", "wer"}
)
# Headings of points beside each other under one name, and of what a standing of somebody says.
POINT_HEADINGS: Final = frozenset(
    {"punkte", "punkt", "pkt", "pkt.", "pkte", "pkte.", "punktzahl", "ergebnis", "points", "score", "stand", "+/-"}
)
# The same above the points of a long table, where more may stand around the word.
OF_EACH: Final = re.compile(
    r"^((spiel)?punkt\w*|pkte?)\b.*|^(ergebnis|score|wertung)\b.*|^(total|summe|gesamt)$"
    r"|^(gesamtpunkte|(gesamt|zwischen|spiel)?stand)$|^[+]/-$"
)
STANDING: Final = re.compile(
    r"^(abende?|spiele?|punkte?|pkte?\.?|punktzahl|ergebnis|siege|soli.*|teilnahmen|o(/.*| (je|pro) .*)?|schnitt)$"
)
# How a round calls its evenings, before or behind the number.
CALLED: Final = r"(?:abend|spieltag|spielabend|doppelkopfabend|dokoabend|termin|treffen|woche)"


# --- Amounts ----------------------------------------------------------------------------------------------------------


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
_FRACTION_OF_CENTS: Final = re.compile(r"[.,](?!00?$)[0-9]{1,2}$")
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
    return bool(CURRENCY.search(text) or _FRACTION_OF_CENTS.search(text))


def is_surely_euros(text: str) -> bool:
    """With two digits behind the comma, or the sign of its currency."""
    return bool(CURRENCY.search(text) or _CENTS.search(text))


# --- Cells ------------------------------------------------------------------------------------------------------------


# Two digits of a year: from here on they are of the century before.
LAST_CENTURY: Final = 70
# Days as a spreadsheet counts them, 1954 to 2119; other whole numbers are no days.
EXCEL_EPOCH: Final = datetime.date(1899, 12, 30)
EXCEL_DAYS: Final = range(20_000, 80_000)
# Who was not there is said by these words, whatever stands around and between them: "n. da", "(fehlt)", "fehlt entsch."
_ABSENT: Final = frozenset(
    {
        *(
            "fehlt",
            "fehlte",
            "abwesend",
            "abw",
            "entschuldigt",
            "unentschuldigt",
            "entsch",
            "unentsch",
            "ent",
            "abgesagt",
        ),
        *("abgemeldet", "krank", "kr", "urlaub", "url", "verhindert", "verh", "verreist", "pause"),
        *("nichtda", "nda", "nd", "nichtdabei", "nichtanwesend", "na", "nv", "nb", "ka", *"xaefku"),
    }
)
_NOTHING: Final = re.compile(r"[-‐-―−./*·_()]*|={2,}")
_ZERO: Final = re.compile(r"(?:±|\+/?-)0")

# Folded, so without umlauts' dots; "maerz" and "marz" are both März.
_MONTHS: Final = (
    ("jan", "januar", "january", "janner", "jaenner"),
    ("feb", "februar", "february", "feber"),
    ("mar", "marz", "mrz", "maerz", "maer", "march"),
    ("apr", "april"),
    ("mai", "may"),
    ("jun", "juni", "june"),
    ("jul", "juli", "july"),
    ("aug", "august"),
    ("sep", "sept", "september"),
    ("okt", "oktober", "oct", "october"),
    ("nov", "november"),
    ("dez", "dezember", "dec", "december"),
)
MONTHS: Final = {name: number for number, names in enumerate(_MONTHS, 1) for name in names}
_ROMANS: Final = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii")
ROMANS: Final = {name: number for number, name in enumerate(_ROMANS, 1)}
_APOSTROPHES: Final = str.maketrans(dict.fromkeys("’‘´`", "'"))
# A time of the day says nothing about the day, nor does a remark in brackets unless another day stands there.
_TIME: Final = re.compile(
    r"(?:(?<=[0-9])t|(?<![0-9]))[0-9]{1,2}"
    r"(?::[0-9]{2}(?::[0-9]{2}(?:\.[0-9]+)?)?(?:z|[+-][0-9]{2}:?[0-9]{2})?(?: ?uhr\b)?|(?:\.[0-9]{2})? ?(?:uhr|h)\b)"
)
# A time with its zone, at which it may be another day here.
_ZONED: Final = re.compile(
    r"(?:(?<=[0-9])t|(?<![0-9:]))(?P<hour>[01]?[0-9]|2[0-3]):(?P<minute>[0-5][0-9])(?::[0-5][0-9](?:[.,][0-9]+)?)?"
    r" ?(?:z|(?:utc|gmt)?(?P<sign>[+-])(?P<hours>[01][0-9])(?::?(?P<minutes>[0-5][0-9]))?|utc|gmt)(?![\w:])"
)
_REMARK: Final = re.compile(r"\((?![^()]*[0-9][./-] ?[0-9])[^()]*\)|\[(?![^\[\]]*[0-9][./-] ?[0-9])[^\[\]]*\]")
# What may stand before a day without making anybody doubt that it is one.
_BEFORE: Final = re.compile(
    r"^\W*(?:(?:mo|di|mi|do|fr|sa|so|(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch|sonnabend)(?:s|abend)?\b\W*)?"
    r"(?:(?:den|der|am|vom)\b\W*)?$"
)
_CALLED: Final = re.compile(rf"^{CALLED}(?: (?:den|der|am|vom))? $")
# The number of an evening in front of its day, and the night between two days, which is of the first.
_NTH: Final = re.compile(
    rf"^(?:[0-9]{{1,4}}[.)]? *{CALLED}|(?:{CALLED}|nr\.?|#|kw) *(?:nr\.? *)?[0-9]{{1,4}}[.)]?|[0-9]{{1,4}}\))"
    r"(?=[ ,;:(/–-])(?:[ ,;:(/–-]|\b(?:am|vom|den)\b)*(?=.*[0-9])"
)
_FULL: Final = re.compile(r"[0-9]{1,2}\. ?[0-9]{1,2}\. ?(?:[0-9]{4}|[0-9]{2})$|[0-9]{4}-[0-9]{2}-[0-9]{2}$")
_COMMAS: Final = re.compile(r"\b([0-9]{1,2}), ?([0-9]{1,2}), ?([0-9]{4}|[0-9]{2})\b")
_DOTS: Final = re.compile(r"(?<=[0-9])\.{2,}(?=[0-9])")
_BETWEEN: Final = re.compile(r"(?<=[0-9.]) ?(?:-|–|bis|/|auf) ?(?=[a-z]{0,10},? ?[0-9])")
# Who comes to a weekend is there on its first day.
_LONGEST: Final = datetime.timedelta(days=3)
_NIGHT: Final = re.compile(r"([0-9]{1,2})\./([0-9]{1,2})\.(?= ?[0-9a-z])")
# As in English: the month, the day, the year; and the endings of numbers.
_MONTH_DAY: Final = re.compile(r"\b([a-z]+)\.? ([0-9]{1,2})(?:st|nd|rd|th)?,? ([0-9]{4})\b")
_ENDING: Final = re.compile(r"(?<=[0-9])(?:st|nd|rd|th)\b")
_WEEK: Final = re.compile(
    r"(?:kw|kalenderwoche|w(?:oche)?(?= *[0-9]{1,2} *[/-]))\.? *([0-9]{1,2})(?:(?: *[./-] *| +)'?([0-9]{4}|[0-9]{2}))?"
    r"|([0-9]{1,2})\. *(?:kw|kalenderwoche)(?: *[./-] *| *)'?([0-9]{4}|[0-9]{2})?"
    r"|(?P<year>[0-9]{4})-?w(?P<week>[0-9]{1,2})"
)
_SIGNS: Final = ("+", "-", "−", "–", "—")
# The year first; day, month and year with blanks between; with a year or without; the month as a word or a Roman number.
_YEAR_FIRST: Final = re.compile(r"([0-9]{4})( ?[./-] ?| )([0-9]{1,2})\2([0-9]{1,2})")
_TOGETHER: Final = re.compile(r"[0-9]{8}")
_BLANKS: Final = re.compile(r"([0-9]{1,2}) ([0-9]{1,2}) ([0-9]{4}|[0-9]{2})")
_NUMBERS: Final = re.compile(
    r"([0-9]{1,2}) ?[./-] ?([0-9]{1,2})(?:(?: ?[./-] ?'?| '?(?=[0-9]{4}))([0-9]{4}|[0-9]{2})|\.)?"
)
_WORDS: Final = re.compile(r"([0-9]{1,2})[. /-]{0,2}([a-z]+)(?:[. /-]{0,2}'?([0-9]{4}|[0-9]{2})|\.)?")
_ROMAN: Final = re.compile(r"([0-9]{1,2})(?:\. ?|/|-)([ivx]+)(?:[. /-]{1,2}'?([0-9]{4}|[0-9]{2})|\.)")
_FRACTION: Final = re.compile(r"[.,](?:[0-9]{2}|[1-9])$")


# What cells hold: whole points, or euros that become cents.
Amounts = Callable[[str], int | None]


class CellRefused(ValueError):
    """A cell that is not what stands in its column; the message is the sentence."""


def read_day(text: str, near: datetime.date | None = None) -> datetime.date:
    """The day that is written here, with a time or a remark beside it or not; where the time has a zone, the day in the time zone
    of the club. One without a year is the one closest to `near`, the day of the row above. Raises CellRefused."""
    said = text_key(text).translate(_APOSTROPHES)
    if zoned := _ZONED.search(said):
        try:
            return _local_day(_day_in(text, said[: zoned.start()] + " " + said[zoned.end() :], near), zoned)
        except OverflowError as error:
            raise _no_day(text) from error
    return _day_in(text, said, near)


def _local_day(day: datetime.date, zoned: re.Match[str]) -> datetime.date:
    """The day here at a time of a day in another zone."""
    ahead = datetime.timedelta(hours=int(zoned["hours"] or 0), minutes=int(zoned["minutes"] or 0))
    zone = datetime.timezone(-ahead if zoned["sign"] == "-" else ahead)
    time = datetime.time(int(zoned["hour"]), int(zoned["minute"]), tzinfo=zone)
    return timezone.localdate(datetime.datetime.combine(day, time))


def _day_in(text: str, said: str, near: datetime.date | None) -> datetime.date:
    """The day in what a cell says; `text` is the cell as it stands. Raises CellRefused."""
    said = said.strip()
    if said.isascii() and said.isdecimal() and said[0] != "0" and int(said[:9]) in EXCEL_DAYS:
        return EXCEL_EPOCH + datetime.timedelta(days=int(said))
    if week := _WEEK.fullmatch(said):
        return _monday(text, int(week[1] or week[3] or week["week"]), week[2] or week[4] or week["year"], near)
    if (behind := _NTH.sub("", said)) != said and is_day(behind):
        said = behind
    said = tidy(_REMARK.sub(" ", _TIME.sub(" ", _in_usual_order(said))))
    if (span := _first_of_two(said)) is not None:
        return span
    start = next((index for index, char in enumerate(said) if char in "0123456789"), len(said))
    before, said = said[:start], said[start:]
    found = _parts(said)
    if found is None or before.endswith(_SIGNS) or not _is_remark(said[found.end :]):
        raise _no_day(text)
    usual = bool(_BEFORE.match(before) or (not found.doubtful and _CALLED.match(before)))
    if not usual and (before[-1].isalnum() or found.year is None):
        raise _no_day(text)
    if found.year is None:
        if found.end < len(said) and found.doubtful:
            raise _no_day(text)
        return _closest(text, found.month, found.day, near)
    return _day(text, found.year, found.month, found.day)


def _first_of_two(said: str) -> datetime.date | None:
    """The first of two days with their years, a night or a weekend apart; None where this is something else."""
    parts = said.split(" - ") if " - " in said else _BETWEEN.split(said)
    if len(parts) != 2 or not all(map(_FULL.search, parts)):
        return None
    try:
        first, last = map(read_day, parts)
    except CellRefused:
        return None
    return first if first <= last <= first + _LONGEST else None


def _in_usual_order(said: str) -> str:
    """The day in front of its month where that stands first, and of a night the first of its two days."""
    said = _DOTS.sub(".", _COMMAS.sub(r"\1.\2.\3", said))
    said = _NIGHT.sub(lambda found: f"{found[1]}." if int(found[2]) == int(found[1]) + 1 else found[0], said)
    said = _MONTH_DAY.sub(lambda found: f"{found[2]}. {found[1]} {found[3]}" if found[1] in MONTHS else found[0], said)
    return _ENDING.sub(".", said)


def _monday(text: str, week: int, year: str | None, near: datetime.date | None) -> datetime.date:
    """The first day of a week of the calendar."""
    if year is None and near is None:
        raise CellRefused(_("Bei „%(text)s“ fehlt das Jahr") % {"text": text})
    years = [_century(year)] if year else [near.year + step for step in (-1, 0, 1)] if near else []
    days = [datetime.date.fromisocalendar(of, week, 1) for of in years if 1 <= week <= _weeks(of)]
    if not days or min(days).year < FIRST_YEAR - 1:
        raise CellRefused(_("Den Tag „%(text)s“ gibt es nicht") % {"text": text})
    return min(days, key=lambda day: abs(day - (near or day)))


def _weeks(year: int) -> int:
    return datetime.date(year, 12, 28).isocalendar().week


class _Parts(NamedTuple):
    """A day in its parts, and where it ends in the text. One without its year is `doubtful` beside other words where it
    could as well be a number with a fraction."""

    day: int
    month: int
    year: int | None
    end: int
    doubtful: bool = False


def _parts(said: str) -> _Parts | None:
    """What stands at the beginning of this text, in whichever order and way of writing."""
    if found := _YEAR_FIRST.match(said):
        return _Parts(int(found[4]), int(found[3]), int(found[1]), found.end())
    if found := _TOGETHER.match(said):
        # Where the year stands is never in doubt: no month is called 19 or 20.
        if int(said[4:6]) <= 12:
            return _Parts(int(said[6:8]), int(said[4:6]), int(said[:4]), found.end())
        return _Parts(int(said[:2]), int(said[2:4]), int(said[4:8]), found.end())
    if found := _BLANKS.match(said) or _NUMBERS.match(said):
        month, doubtful = int(found[2]), not found[0].endswith(".")
    elif (found := _WORDS.match(said)) and found[2] in MONTHS:
        month, doubtful = MONTHS[found[2]], False
    elif (found := _ROMAN.match(said)) and found[2] in ROMANS:
        month, doubtful = ROMANS[found[2]], False
    else:
        return None
    return _Parts(int(found[1]), month, _century(found[3]) if found[3] else None, found.end(), doubtful)


def _is_remark(rest: str) -> bool:
    """May this stand behind a day? Nothing with figures in it: they could be of another day."""
    return not rest or not (rest[0].isalnum() or any(char.isdigit() for char in rest))


def _no_day(text: str) -> CellRefused:
    return CellRefused(_("„%(text)s“ ist kein Datum") % {"text": text})


def _century(year: str) -> int:
    number = int(year)
    return number if len(year) == 4 else number + (1900 if number >= LAST_CENTURY else 2000)


def _closest(text: str, month: int, day: int, near: datetime.date | None) -> datetime.date:
    if near is None:
        raise CellRefused(_("Bei „%(text)s“ fehlt das Jahr") % {"text": text})
    days = []
    for year in (near.year - 1, near.year, near.year + 1):
        try:
            days.append(_day(text, year, month, day))
        except CellRefused:
            continue  # the 29th of February
    if not days:
        raise CellRefused(_("Den Tag „%(text)s“ gibt es nicht") % {"text": text})
    return min(days, key=lambda day: abs(day - near))


def _day(text: str, year: int, month: int, day: int) -> datetime.date:
    try:
        found = datetime.date(year, month, day)
    except ValueError as error:
        raise CellRefused(_("Den Tag „%(text)s“ gibt es nicht") % {"text": text}) from error
    if found.year < FIRST_YEAR:
        raise CellRefused(_("„%(text)s“ liegt zu lange zurück") % {"text": text})
    return found


def read_points(text: str) -> int | None:
    """The points that are written here, None where somebody was not there. Raises CellRefused."""
    if is_absent(text):
        return None
    said = _number_in(BESIDE.sub("", FRONT.sub("", text))).translate(_APOSTROPHES)
    if not POINTS.match(said):
        raise CellRefused(why_no_points(text, said))
    return _bounded(text, int(re.sub("[.']", "", re.sub("[.,]0{1,2}$", "", said))))


def read_euros(text: str, most: int = MAX_POINTS) -> int | None:
    """The cents of the amount of euros that is written here, None where somebody was not there. Raises CellRefused."""
    if is_absent(text):
        return None
    found = EUROS.match(CURRENCY.sub("", _number_in(text)))
    if not found:
        raise CellRefused(_("„%(text)s“ ist kein Betrag in Euro") % {"text": text})
    sign, euros, cents = found.groups(default="")
    return _bounded(text, int(sign + euros.replace(".", "") + cents.ljust(2, "0")), most)


def _number_in(text: str) -> str:
    if text == UNCALCULATED:
        raise CellRefused(
            _(
                "Da steht eine Formel ohne ihren Wert; bitte die Datei in Excel oder LibreOffice öffnen, speichern und "
                "neu hochladen"
            )
        )
    said = text.translate(MINUS).replace(" ", "")
    return "0" if _ZERO.fullmatch(said) else said


def _bounded(text: str, points: int, most: int = MAX_POINTS) -> int:
    if abs(points) > most:
        raise CellRefused(_("„%(text)s“ ist zu groß") % {"text": text})
    return points


def _reads(read: Callable[..., object], *cell: object) -> bool:
    try:
        read(*cell)
    except CellRefused:
        return False
    return True


@lru_cache(maxsize=4096)  # each guess about a sheet asks it of every cell
def is_day(text: str) -> bool:
    """Could a day be written here, a year given or not?"""
    return _reads(read_day, text, datetime.date(2000, 1, 1))


def has_year(text: str) -> bool:
    """Is this a day with its year?"""
    return _reads(read_day, text)


def is_points(text: str) -> bool:
    """Could points be written here, or that somebody was not there?"""
    return _reads(read_points, text)


@lru_cache(maxsize=4096)  # as above
def is_absent(text: str) -> bool:
    """Does this say that somebody was not there?"""
    words = re.findall(r"[^\W_]+", text_key(text)) if len(text) < 40 else []
    if not words:
        return bool(_NOTHING.fullmatch(text))
    return not text.startswith(("#", "=")) and (set(words) <= _ABSENT or "".join(words) in _ABSENT)


def is_word(text: str) -> bool:
    """Are these letters that are no day and no number, and more than a mark for who was not there? One letter can be a name."""
    return (
        any(map(str.isalpha, text))
        and "@" not in text
        and not is_day(text)
        and (not is_number(text) or (len(text) == 1 and text not in "xX"))
    )


def is_week(text: str) -> bool:
    """Is this a week of the calendar?"""
    return bool(_WEEK.fullmatch(text_key(text)))


@lru_cache(maxsize=4096)  # as above
def is_number(text: str) -> bool:
    """Is this meant to be a number, or that somebody was not there, whether it can be read as points or not?"""
    if is_absent(text) or text == UNCALCULATED:
        return True
    return bool(NUMBER.match(CURRENCY.sub("", _number_in(BESIDE.sub("", FRONT.sub("", text))))))


def is_amount(text: str) -> bool:
    """Is this a number, and no word for none?"""
    return is_number(text) and not is_absent(text)


def begins_with_number(text: str) -> bool:
    """Is this meant to be a number with something behind it or one letter in front, and no day, hour or part of a hundred?"""
    found = re.match(r"(?:[^\W\d]\.? ?(?=[+-]?[0-9]+$))?\(?[+-]?[0-9]+(?! ?%|[0-9.:/-])", text.translate(MINUS))
    return bool(found) and not is_day(text)


def begins_with_month(text: str) -> bool:
    """Is this the heading of a month, which days stand below?"""
    return text_key(text).split(" ")[0].rstrip(".") in MONTHS


def looks_like_euros(text: str) -> bool:
    """A number with cents or with the sign of its currency; a spreadsheet leaves the last zero away."""
    return bool(CURRENCY.search(text) or _FRACTION.search(text.strip()))


def amount_in(row: Sequence[str], column: int, amounts: Amounts, called: str = "") -> int | None:
    """What a row says in a column. Raises CellRefused, naming the column, by what it is `called` where a sheet was turned over."""
    try:
        return amounts(row[column]) if column < len(row) else None
    except CellRefused as refused:
        where = called or _("Spalte %(column)s") % {"column": column_name(column)}
        raise CellRefused(f"{where}: {refused}") from refused

