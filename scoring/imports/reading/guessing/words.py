"""The words of old lists and what they mean: headings of days, names, points and other columns, the words for a row of
sums, and those for a row that is about something else."""

from __future__ import annotations

import re
from typing import Final

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
POINTS: Final = frozenset(
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
