"""The meaning of one cell: a heading, a day, points, euros, or the mark of an absent player.
Nothing is guessed: a cell that is none of what its column holds is refused with a sentence."""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import Final, NamedTuple

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from openpyxl.utils import get_column_letter

from scoring.core.dates import FIRST_YEAR
from scoring.core.text import text_key, tidy
from scoring.rules.judge import MAX_POINTS

from .file_formats import UNCALCULATED, Rows

# The headings are in one of the first rows.
HEADING_ROWS: Final = 30


def get_cell(row: Sequence[str], index: int) -> str:
    return row[index] if index < len(row) else ""


def iter_rows_below(rows: Rows, head: int) -> Iterator[tuple[int, list[str]]]:
    """Yield the filled rows below the headings, each with its number."""
    return ((index + 1, row) for index, row in enumerate(rows) if index > head and any(row))


def find_headings(rows: Rows, words: Collection[str]) -> Iterator[tuple[int, int]]:
    """Yield each of the first rows with one of these headings, as text keys, and the first column that has it."""
    for head, row in enumerate(rows[:HEADING_ROWS]):
        if (index := next((index for index, cell in enumerate(row) if text_key(cell) in words), None)) is not None:
            yield head, index


def format_column(index: int) -> str:
    """Return the letters by which a spreadsheet names this column, counted from 0."""
    return str(get_column_letter(index + 1))


# --- Words ------------------------------------------------------------------------------------------------------------

DAYS: Final = frozenset({"tag", "abend", "spieltag", "spielabend", "wann"})
# Headings of a column with the days.
DAY_HEADINGS: Final = DAYS | {"datum", "date"}
TOTAL_LABELS: Final = re.compile(
    r"^(summe(?!rs?\b)|sum\b|gesamt|total|quersumme|zwischens(umme|tand)|endstand|ubertrag|uebertrag|saldo\b|monatss(umme|tand)"
    r"|jahress(umme|tand)|halbjahr|quartal|probe|kontroll|pru(e?)f(summe|zahl|ung|spalte)|check|diff\b|differenz|[σ∑]|vortrag|start\b|(punkte|spiel|gesamt|anfangs)?stand\b)"
)
OTHER_HEADINGS: Final = re.compile(
    r"^((lfd\.? ?)?nr\.?|(laufende )?nummer|#|parteipunkte|spielwert|spiele?( gespielt)?|runden?|umlauf|ort|wo|bei|geber"
    r"|gastgeber(in)?|gibt|bock|wert|was|art|spielart|bemerkung(en)?|notiz(en)?|kommentare?|legende|platz|rang|platzierung|sieger|gewinner|solo|abende|anwesen.*|saison|jahr|monat"
    r"|wochentag|tag|woche|kw|kalenderwoche"
    r"|uhrzeit|beginn|ende|dauer|stunden|std\.?|tisch( ?nr\.?)?|teilnehmer|mitspieler|personen|anzahl.*"
    r"|(geld|bier|wein|schnaps|flaschen?|strafen?|getranke?|essen|spenden?|topf|pott|kasse|sparschwein|beitrag)( .*)?"
    r"|\w*(geld|kasse|topf|strafe|beitrag|zahlung|verzehr|getranke)|betrag|einsatz|euro|€|zu zahlen"
    r"|einnahmen?|ausgaben?|soll|haben|buchung(stext)?|text"
    r"|punkte?|pkte?\.?|punktzahl|ergebnis|schnitt|durchschnitt|o(/.*| (je|pro) .*)?|siege|soli"
    r"|(plus|minus)(punkte)?|(beste|hochste|schlechteste|niedrigste)[rs]?( .*)?|max(imum)?|min(imum)?\.?"
    r"|(sieg)?quote|prozent|%|teilnahmen|spieler|wer)$"
)
# Words that are names as well: such a column is a person if the rows sum to zero only with it.
WORDS_AND_NAMES: Final = frozenset({"max", "ende", "wein", "bock", "platz", "sieger", "haben"})
# Labels of rows beside the evenings: how many, how good, which rank.
SUMMARY_LABELS: Final = re.compile(
    r"^(o(/.*| (je|pro) .*)?|(durch)?schnitt.*|mittel(wert)?|abende|anzahl.*|spiele|siege.*|soli|teilnahmen|anwesen.*"
    r"|(be|ge)?zahlt\b.*|zu zahlen\b.*|euro|€"
    r"|platz|platzierung|rang|punkte (je|pro) .*|bester.*|schlechtester.*|quote|max(imum)?|min(imum)?|median)$"
)
# A rank before or after a name.
RANK_BESIDE_NAME: Final = re.compile(r"^[0-9]{1,2}[.)] *(?=[^\W\d])|(?<=\w) *\([0-9]{1,2}\.?\)$")
# A word for points before or after a name.
POINTS_BESIDE_NAME: Final = re.compile(r"^(?:punkte|pkte?\.?) +|[ ,]*[(\[]?\b(?:punkte|pkte?\.?)[)\]]?$", re.IGNORECASE)
# A mark of a guest in a heading; brackets around the whole name mean the same.
GUEST_MARK: Final = re.compile(
    r"^[(\[](?P<name>[^()\[\]]+)[)\]]$|^(?i:gast)[ :]*[(\[](?P<of>[^()\[\]]+)[)\]]$"
    r"|(?<=\w)[ ,]+[(\[]?(?:gast|g\.)[)\]]?$|(?<=\w)\((?:gast|g\.?)\)$"
)
# Another column of the same person.
OTHER_COLUMN_OF_PERSON: Final = re.compile(
    r"[ (]+(ges\.?|gesamt|summe|total|stand|kum\.?|kumuliert|σ|€|euro?|cent|geld|betrag|spiele|siege|soli|solos|platz|rang)\)?$"
)
# The label of the totals above the first evening.
START_LABEL: Final = re.compile(r"(ubertrag|uebertrag|vortrag|saldo|start|(punkte|spiel|anfangs)?stand)\b")
# Characters of a day, which may stand before the word for a sum.
DAY_CHARACTERS: Final = "0123456789.,:/-() "
# Words for attendance, in lists without points.
ATTENDANCE: Final = frozenset({"ja", "nein", "true", "false", "wahr", "falsch", "da", "anwesend"})
# Headings of a column of names.
NAME_HEADINGS: Final = frozenset(
    {"name", "namen", "spieler", "spielerin", "spieler/in", "person", "mitspieler", "teilnehmer", "mitglied", "wer"}
)
# Headings of points, below a name or in a table of totals.
POINT_HEADINGS: Final = frozenset(
    {"punkte", "punkt", "pkt", "pkt.", "pkte", "pkte.", "punktzahl", "ergebnis", "points", "score", "stand", "+/-"}
)
# Headings of points in a long table, with other words around.
POINTS_IN_LONG_TABLE: Final = re.compile(
    r"^((spiel)?punkt\w*|pkte?)\b.*|^(ergebnis|score|wertung)\b.*|^(total|summe|gesamt)$"
    r"|^(gesamtpunkte|(gesamt|zwischen|spiel)?stand)$|^[+]/-$"
)
# Words for an evening, before or after its number.
EVENING_WORD: Final = r"(?:abend|spieltag|spielabend|doppelkopfabend|dokoabend|termin|treffen|woche)"


# --- Amounts ----------------------------------------------------------------------------------------------------------

MINUS: Final = str.maketrans(dict.fromkeys("‐‑‒–—―−﹣－", "-"))
WHOLE_POINTS: Final = re.compile(r"^[+-]?(?:[0-9]{1,9}|[1-9][0-9]{0,2}(?:[.'][0-9]{3})+)(?:[.,]0{1,2})?$")
NUMBER: Final = re.compile(r"^[+-]?(?:[0-9]+|[0-9]{1,3}(?:[.'][0-9]{3})+)(?:[.,][0-9]+|\.)?$")
EUROS: Final = re.compile(r"^([+-]?)([0-9]{1,6}|[0-9]{1,3}(?:\.[0-9]{3})+(?=,))(?:[.,]([0-9]{1,2}))?$")
CURRENCY: Final = re.compile("€|euro?", re.IGNORECASE)
# Text after points: a star, the number of a note, "P." or "Punkte", a rank or a remark in brackets, the mark of a solo or of
# another kind of game.
_MARK: Final = r"(?:s|soli?|b|bock|h|hz|hochzeit|r|re|kontra|a|armut|g|gast)\.?"
AFTER_POINTS: Final = re.compile(
    rf"(?<=[0-9]) *(?:[*¹²³]+|\([0-9]{{1,2}}\.\)|p(?:\.|kte?\.?|unkte?)?|{_MARK}|\((?=[^()]*[^\W\d])[^()]*\))$", re.IGNORECASE
)
# A star before points.
BEFORE_POINTS: Final = re.compile(r"^\*+ *(?=[+-]?[0-9])")
_MARKED: Final = re.compile(rf"[+-]?[0-9]+ *({_MARK})", re.IGNORECASE)
# A fraction, and a fraction of two digits; zeros after the comma do not count.
FRACTION: Final = re.compile(r"[.,](?!00?$)[0-9]{1,2}$")
CENTS: Final = re.compile(r"[.,](?!00$)[0-9]{2}$")
_MINUS_BEHIND: Final = re.compile(r"[0-9]+-")
_NUMBER_AND_TEXT: Final = re.compile(r"(?:[^\W\d]\.? *)?([+-]?[0-9]+)(?: *[^0-9.,:/+=-][^0-9]*)?")


def explain_no_points(text: str, number: str) -> str:
    """Explain why a cell is not points, with a guess at what it means; `number` is the text without blanks and marks."""
    match = _NUMBER_AND_TEXT.fullmatch(text.translate(MINUS))
    sentence = _("„%(text)s“ ist keine ganze Zahl")
    if EUROS.match(CURRENCY.sub("", number)) and (CURRENCY.search(number) or number[-3:-2] in (".", ",")):
        sentence = _("„%(text)s“ ist keine ganze Zahl; Beträge in Euro gehen nur unter Regeln, die in Cent zählen")
    elif EUROS.match(number):
        sentence = _(
            "„%(text)s“ ist keine ganze Zahl; sind es Euro, bitte Regeln wählen, die in Cent zählen; sind es halbe Punkte, "
            "bitte in der Datei alle Punkte verdoppeln"
        )
    elif WHOLE_POINTS.match(number.removeprefix("(").removesuffix(")")):
        sentence = _("„%(text)s“ ist keine ganze Zahl; Klammern können ein Minus oder einen Gast meinen, bitte ohne sie schreiben")
    elif _MINUS_BEHIND.fullmatch(number):
        sentence = _("„%(text)s“ ist keine ganze Zahl; ist es ein Minus, bitte davor schreiben")
    elif match:
        what_to_do = _("ist %(number)s gemeint, bitte den Rest löschen oder in Klammern dahinter setzen")
        sentence = f"{sentence}; {what_to_do}"
    return sentence % {"text": text, "number": match[1] if match else ""}


def find_mark(text: str) -> str:
    """Return the letters after points that are not read, such as the mark of a solo, or an empty string."""
    match = _MARKED.fullmatch(text.translate(MINUS))
    return match[1] if match else ""


# --- Days -------------------------------------------------------------------------------------------------------------

# Years of two digits from here on are in the 20th century.
LAST_CENTURY: Final = 70
# Python has no day after the year 9999, so there would be no weekend and no year after its last days.
LAST_YEAR: Final = datetime.MAXYEAR - 1
# Days as spreadsheets count them, from 1954 to 2119; other whole numbers are no days.
EXCEL_EPOCH: Final = datetime.date(1899, 12, 30)
EXCEL_DAYS: Final = range(20_000, 80_000)
# Words for an absent player, with any signs around and between them: "n. da", "(fehlt)", "fehlt entsch."
_ABSENT: Final = {
    *("fehlt", "fehlte", "abwesend", "abw", "entschuldigt", "unentschuldigt", "entsch", "unentsch", "ent", "abgesagt"),
    *("abgemeldet", "krank", "kr", "urlaub", "url", "verhindert", "verh", "verreist", "pause"),
    *("nichtda", "nda", "nd", "nichtdabei", "nichtanwesend", "na", "nv", "nb", "ka", *"xaefku"),
}
_NOTHING: Final = re.compile(r"[-‐-―−./*·_()]*|={2,}")
_ZERO: Final = re.compile(r"(?:±|\+/?-)0")

# As text keys, without dots on umlauts; "maerz" and "marz" are both März.
_MONTHS: Final = (
    *("jan januar january janner jaenner", "feb februar february feber", "mar marz mrz maerz maer march", "apr april"),
    *("mai may", "jun juni june", "jul juli july", "aug august", "sep sept september", "okt oktober oct october"),
    *("nov november", "dez dezember dec december"),
)
MONTHS: Final = {name: number for number, names in enumerate(_MONTHS, 1) for name in names.split()}
_APOSTROPHES: Final = str.maketrans(dict.fromkeys("’‘´`", "'"))
# A time is ignored, and so is a remark in brackets unless it contains another day.
_TIME: Final = re.compile(
    r"(?:(?<=[0-9])t|(?<![0-9]))[0-9]{1,2}"
    r"(?::[0-9]{2}(?::[0-9]{2}(?:\.[0-9]+)?)?(?:z|[+-][0-9]{2}:?[0-9]{2})?(?: ?uhr\b)?|(?:\.[0-9]{2})? ?(?:uhr|h)\b)"
)
# A time with a time zone, so the local day may be another.
_ZONED: Final = re.compile(
    r"(?:(?<=[0-9])t|(?<![0-9:]))(?P<hour>[01]?[0-9]|2[0-3]):(?P<minute>[0-5][0-9])(?::[0-5][0-9](?:[.,][0-9]+)?)?"
    r" ?(?:z|(?:utc|gmt)?(?P<sign>[+-])(?P<hours>[01][0-9])(?::?(?P<minutes>[0-5][0-9]))?|utc|gmt)(?![\w:])"
)
_REMARK: Final = re.compile(r"\((?![^()]*[0-9][./-] ?[0-9])[^()]*\)|\[(?![^\[\]]*[0-9][./-] ?[0-9])[^\[\]]*\]")
# Text that may stand before a day.
_BEFORE: Final = re.compile(
    r"^\W*(?:(?:mo|di|mi|do|fr|sa|so|(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch|sonnabend)(?:s|abend)?\b\W*)?"
    r"(?:(?:den|der|am|vom)\b\W*)?$"
)
_EVENING_BEFORE: Final = re.compile(rf"^{EVENING_WORD}(?: (?:den|der|am|vom))? $")
# The number of an evening before its day.
_NTH: Final = re.compile(
    rf"^(?:[0-9]{{1,4}}[.)]? *{EVENING_WORD}|(?:{EVENING_WORD}|nr\.?|#|kw) *(?:nr\.? *)?[0-9]{{1,4}}[.)]?|[0-9]{{1,4}}\))"
    r"(?=[ ,;:(/–-])(?:[ ,;:(/–-]|\b(?:am|vom|den)\b)*(?=.*[0-9])"
)
_COMMAS: Final = re.compile(r"\b([0-9]{1,2})(?:, ?|\.\.)([0-9]{1,2})(?:, ?|\.)([0-9]{4}|[0-9]{2})\b")
# The night between two days belongs to the first day.
_NIGHT: Final = re.compile(r"([0-9]{1,2})\./([0-9]{1,2})\.(?= ?[0-9a-z])")
# English days: month, day, year; and the endings of ordinal numbers.
_MONTH_DAY: Final = re.compile(r"\b([a-z]+)\.? ([0-9]{1,2})(?:st|nd|rd|th)?,? ([0-9]{4})\b")
_ENDING: Final = re.compile(r"(?<=[0-9])(?:st|nd|rd|th)\b")
_WEEK: Final = re.compile(
    r"(?:kw|kalenderwoche|w(?:oche)?(?= *[0-9]{1,2} *[/-]))\.? *([0-9]{1,2})(?:(?: *[./-] *| +)'?([0-9]{4}|[0-9]{2}))?"
    r"|([0-9]{1,2})\. *(?:kw|kalenderwoche)(?: *[./-] *| *)'?([0-9]{4}|[0-9]{2})?"
    r"|(?P<year>[0-9]{4})-?w(?P<week>[0-9]{1,2})"
)
_SIGNS: Final = ("+", "-", "−", "–", "—")
# The year first; all digits together; separated by blanks; with or without a year; the month as a word.
_YEAR_FIRST: Final = re.compile(r"([0-9]{4})( ?[./-] ?| )([0-9]{1,2})\2([0-9]{1,2})")
_TOGETHER: Final = re.compile(r"[0-9]{8}")
_BLANKS: Final = re.compile(r"([0-9]{1,2}) ([0-9]{1,2}) ([0-9]{4}|[0-9]{2})")
_NUMBERS: Final = re.compile(r"([0-9]{1,2}) ?[./-] ?([0-9]{1,2})(?:(?: ?[./-] ?'?| '?(?=[0-9]{4}))([0-9]{4}|[0-9]{2})|\.)?")
_WORDS: Final = re.compile(r"([0-9]{1,2})[. /-]{0,2}([a-z]+)(?:[. /-]{0,2}'?([0-9]{4}|[0-9]{2})|\.)?")
_FRACTION: Final = re.compile(r"[.,](?:[0-9]{2}|[1-9])$")


# The errors of a spreadsheet, and how a German Excel names them.
ERRORS: Final = {
    "#REF!": gettext_noop("#BEZUG!"),
    "#VALUE!": gettext_noop("#WERT!"),
    "#NAME?": gettext_noop("#NAME?"),
    "#DIV/0!": gettext_noop("#DIV/0!"),
    "#N/A": gettext_noop("#NV"),
    "#NUM!": gettext_noop("#ZAHL!"),
    "#NULL!": gettext_noop("#NULL!"),
}
# A parser of cells: whole points, or euros as cents.
ParseAmount = Callable[[str], int | None]


class CellRefused(ValueError):
    """A cell that does not fit its column; the message is the sentence for the user."""

    def __init__(self, sentence: str, column: int | None = None) -> None:
        super().__init__(sentence)
        self.column = column


def read_day(text: str, near: datetime.date | None = None) -> datetime.date:
    """Return the day in a cell, which may also have a time or a remark. Raise CellRefused.
    A time with a zone is converted to local time. A day without a year is the closest to `near`, the day of the row above."""
    key = text_key(text).translate(_APOSTROPHES)
    if zoned := _ZONED.search(key):
        try:
            return _convert_to_local_day(_parse_day(text, key[: zoned.start()] + " " + key[zoned.end() :], near), zoned)
        except OverflowError as error:
            raise _build_no_day(text) from error
    return _parse_day(text, key, near)


def _convert_to_local_day(day: datetime.date, zoned: re.Match[str]) -> datetime.date:
    ahead = datetime.timedelta(hours=int(zoned["hours"] or 0), minutes=int(zoned["minutes"] or 0))
    zone = datetime.timezone(-ahead if zoned["sign"] == "-" else ahead)
    time = datetime.time(int(zoned["hour"]), int(zoned["minute"]), tzinfo=zone)
    return timezone.localdate(datetime.datetime.combine(day, time))


def _parse_day(text: str, key: str, near: datetime.date | None) -> datetime.date:
    """Return the day in the key of a cell; `text` is the original cell, for the error message. Raise CellRefused."""
    key = key.strip()
    if key.isascii() and key.isdecimal() and key[0] != "0" and int(key[:9]) in EXCEL_DAYS:
        return EXCEL_EPOCH + datetime.timedelta(days=int(key))
    if week := _WEEK.fullmatch(key):
        return _compute_monday(text, int(week[1] or week[3] or week["week"]), week[2] or week[4] or week["year"], near)
    if (behind := _NTH.sub("", key)) != key and is_day(behind):
        key = behind
    key = tidy(_REMARK.sub(" ", _TIME.sub(" ", _put_day_first(key))))
    start = next((index for index, char in enumerate(key) if char in "0123456789"), len(key))
    before, key = key[:start], key[start:]
    parts = _split_day(key)
    if parts is None or before.endswith(_SIGNS):
        raise _build_no_day(text)
    rest = key[parts.end :]
    # Digits behind a day could be part of another day.
    has_rest = rest[:1].isalnum() or any(map(str.isdigit, rest)) or (parts.year is None and rest and parts.doubtful)
    usual = _BEFORE.match(before) or (not parts.doubtful and _EVENING_BEFORE.match(before))
    if has_rest or (not usual and (before[-1].isalnum() or parts.year is None)):
        raise _build_no_day(text)
    if parts.year is None:
        return _find_closest(text, parts.month, parts.day, near)
    return _build_day(text, parts.year, parts.month, parts.day)


def _put_day_first(key: str) -> str:
    """Put the day before its month, and reduce a night to its first day."""
    key = _COMMAS.sub(r"\1.\2.\3", key)
    key = _NIGHT.sub(lambda match: f"{match[1]}." if int(match[2]) == int(match[1]) + 1 else match[0], key)
    key = _MONTH_DAY.sub(lambda match: f"{match[2]}. {match[1]} {match[3]}" if match[1] in MONTHS else match[0], key)
    return _ENDING.sub(".", key)


def _compute_monday(text: str, week: int, year: str | None, near: datetime.date | None) -> datetime.date:
    """Return the Monday of a calendar week; without a year it is the closest to `near`. Raise CellRefused."""
    if year is None and near is None:
        raise CellRefused(_("Bei „%(text)s“ fehlt das Jahr") % {"text": text})
    years = [add_century(year)] if year else [near.year + step for step in (-1, 0, 1)] if near else []
    # 28 December is in the last week of its year.
    weeks = {year: datetime.date(year, 12, 28).isocalendar().week for year in years if FIRST_YEAR - 1 <= year <= LAST_YEAR}
    days = [datetime.date.fromisocalendar(year, week, 1) for year, last in weeks.items() if 1 <= week <= last]
    if not days:
        raise CellRefused(_("Den Tag „%(text)s“ gibt es nicht") % {"text": text})
    return min(days, key=lambda day: abs(day - (near or day)))


class _DayParts(NamedTuple):
    """A day at the beginning of a text, which goes on at `end`. A `doubtful` one could be a decimal number if it has no year."""

    day: int
    month: int
    year: int | None
    end: int
    doubtful: bool = False


def _split_day(key: str) -> _DayParts | None:
    """Parse a day at the beginning of this text, in any order and notation."""
    if match := _YEAR_FIRST.match(key):
        return _DayParts(int(match[4]), int(match[3]), int(match[1]), match.end())
    if match := _TOGETHER.match(key):
        # The place of the year is unambiguous: no month is 19 or 20.
        if int(key[4:6]) <= 12:
            return _DayParts(int(key[6:8]), int(key[4:6]), int(key[:4]), match.end())
        return _DayParts(int(key[:2]), int(key[2:4]), int(key[4:8]), match.end())
    if match := _BLANKS.match(key) or _NUMBERS.match(key):
        month, doubtful = int(match[2]), not match[0].endswith(".")
    elif (match := _WORDS.match(key)) and match[2] in MONTHS:
        month, doubtful = MONTHS[match[2]], False
    else:
        return None
    return _DayParts(int(match[1]), month, add_century(match[3]) if match[3] else None, match.end(), doubtful)


def _build_no_day(text: str) -> CellRefused:
    return CellRefused(_("„%(text)s“ ist kein Datum") % {"text": text})


def add_century(year: str) -> int:
    """Return a year of two or four digits as a number."""
    number = int(year)
    return number if len(year) == 4 else number + (1900 if number >= LAST_CENTURY else 2000)


def _find_closest(text: str, month: int, day: int, near: datetime.date | None) -> datetime.date:
    if near is None:
        raise CellRefused(_("Bei „%(text)s“ fehlt das Jahr") % {"text": text})
    days = []
    for year in (near.year - 1, near.year, near.year + 1):
        with suppress(CellRefused):  # 29 February
            days.append(_build_day(text, year, month, day))
    if not days:
        raise CellRefused(_("Den Tag „%(text)s“ gibt es nicht") % {"text": text})
    return min(days, key=lambda day: abs(day - near))


def _build_day(text: str, year: int, month: int, day: int) -> datetime.date:
    try:
        day_ = datetime.date(year, month, day)
    except ValueError as error:
        raise CellRefused(_("Den Tag „%(text)s“ gibt es nicht") % {"text": text}) from error
    if day_.year < FIRST_YEAR:
        raise CellRefused(_("„%(text)s“ liegt zu lange zurück") % {"text": text})
    if day_.year > LAST_YEAR:
        raise CellRefused(_("Der Tag liegt in der Zukunft"))
    return day_


# --- Points and euros -------------------------------------------------------------------------------------------------

def read_points(text: str) -> int | None:
    """Return the points in a cell, None for an absent player. Raise CellRefused."""
    if is_absent(text):
        return None
    number = _strip_marks(text).translate(_APOSTROPHES)
    if not WHOLE_POINTS.match(number):
        raise CellRefused(explain_no_points(text, number))
    return _check_size(text, int(re.sub("[.']", "", re.sub("[.,]0{1,2}$", "", number))))


def read_euros(text: str, most: int = MAX_POINTS) -> int | None:
    """Return an amount of euros in cents, None for an absent player. Raise CellRefused."""
    if is_absent(text):
        return None
    match = EUROS.match(CURRENCY.sub("", _strip_number(text)))
    if not match:
        raise CellRefused(_("„%(text)s“ ist kein Betrag in Euro") % {"text": text})
    sign, euros, cents = match.groups(default="")
    return _check_size(text, int(sign + euros.replace(".", "") + cents.ljust(2, "0")), most)


def _strip_marks(text: str) -> str:
    return _strip_number(AFTER_POINTS.sub("", BEFORE_POINTS.sub("", text)))


def _strip_number(text: str) -> str:
    if text == UNCALCULATED:
        raise CellRefused(
            _("Da steht eine Formel ohne ihren Wert; bitte die Datei in Excel oder LibreOffice öffnen, speichern und neu hochladen")
        )
    if is_error(text):
        sentence = _("Da steht der Fehler %(error)s; bitte die Formel in der Datei berichtigen")
        raise CellRefused(sentence % {"error": _(ERRORS.get(text, text))})
    number = text.translate(MINUS).replace(" ", "")
    return "0" if _ZERO.fullmatch(number) else number


def _check_size(text: str, points: int, most: int = MAX_POINTS) -> int:
    if abs(points) > most:
        raise CellRefused(_("„%(text)s“ ist zu groß") % {"text": text})
    return points


def _is_readable(read: Callable[..., object], *cell: object) -> bool:
    try:
        read(*cell)
    except CellRefused:
        return False
    return True


@lru_cache(maxsize=4096)  # called for every cell by each guess about a sheet
def is_day(text: str) -> bool:
    """Return whether this is a day, with or without a year."""
    return _is_readable(read_day, text, datetime.date(2000, 1, 1))


def has_year(text: str) -> bool:
    return _is_readable(read_day, text)


def is_points(text: str) -> bool:
    """Return whether these are points or the mark of an absent player."""
    return _is_readable(read_points, text)


@lru_cache(maxsize=4096)  # as above
def is_absent(text: str) -> bool:
    words = re.findall(r"[^\W_]+", text_key(text)) if len(text) < 40 else []
    if not words:
        return bool(_NOTHING.fullmatch(text))
    return not text.startswith(("#", "=")) and (set(words) <= _ABSENT or "".join(words) in _ABSENT)


def is_word(text: str) -> bool:
    """Return whether this is text: no day, no number, no mark of an absent player. A single letter can be a name."""
    if "@" in text or not any(map(str.isalpha, text)) or is_day(text):
        return False
    return not is_number(text) or (len(text) == 1 and text not in "xX")


def is_week(text: str) -> bool:
    return bool(_WEEK.fullmatch(text_key(text)))


@lru_cache(maxsize=4096)  # as above
def is_number(text: str) -> bool:
    """Return whether this is meant as a number or the mark of an absent player, even if it cannot be read as points."""
    if is_absent(text) or text == UNCALCULATED or is_error(text):
        return True
    return bool(NUMBER.match(CURRENCY.sub("", _strip_marks(text))))


def is_error(text: str) -> bool:
    """Return whether this is an error of a formula, in English or in German."""
    return text in ERRORS or text in ERRORS.values()


def is_amount(text: str) -> bool:
    """Return whether this is a number, and no mark of an absent player."""
    return is_number(text) and not is_absent(text)


def begins_with_number(text: str) -> bool:
    """Return whether this is a number with text after it or one letter before it, and no day, time or percentage."""
    match = re.match(r"(?:[^\W\d]\.? ?(?=[+-]?[0-9]+$))?\(?[+-]?[0-9]+(?! ?%|[0-9.:/-])", text.translate(MINUS))
    return bool(match) and not is_day(text)


def looks_like_euros(text: str) -> bool:
    """Return whether this is a number with cents or a currency sign; spreadsheets drop the last zero."""
    return bool(CURRENCY.search(text) or _FRACTION.search(text.strip()))


def read_amount(row: Sequence[str], column: int, parse: ParseAmount, label: str = "") -> int | None:
    """Return the amount in a column of a row. Raise CellRefused with the `label` of the column, by default its letters."""
    try:
        return parse(row[column]) if column < len(row) else None
    except CellRefused as refused:
        where = label or _("Spalte %(column)s") % {"column": format_column(column)}
        raise CellRefused(f"{where}: {refused}", column) from refused

