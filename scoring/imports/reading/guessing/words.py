"""The words of old lists and what they mean: headings of days, names, points and other columns, the words for a row of
sums, and those for a row that is about something else."""

from __future__ import annotations

import re
from typing import Final

DAYS: Final = frozenset({"tag", "abend", "spieltag", "spielabend", "wann"})
TOTALS: Final = re.compile(
    r"^(summe|sum\b|gesamt|total|quersumme|zwischens(umme|tand)|endstand|ubertrag|uebertrag|saldo\b|monatss(umme|tand)"
    r"|jahress(umme|tand)|halbjahr|quartal|probe|kontrolle|check|differenz|vortrag|start\b|(punkte|spiel|gesamt|anfangs)?stand\b)"
)
OTHERS: Final = re.compile(
    r"^(nr\.?|nummer|#|spiele?|runde|umlauf|ort|wo|geber|gibt|bock|wert|was|art|spielart|bemerkung|notiz|platz|rang"
    r"|sieger|gewinner|solo|abende|anwesend|saison|jahr|monat|wochentag|tag|woche|kw|kalenderwoche|uhrzeit|beginn|ende|dauer"
    r"|tisch( ?nr\.?)?|teilnehmer|mitspieler|personen|anzahl.*|geld|kasse|betrag|einsatz|euro|€|strafe|getranke"
    r"|punkte?|pkte?\.?|punktzahl|ergebnis|schnitt|durchschnitt|o(/.*| (je|pro) .*)?|siege|soli|siegquote|teilnahmen|spieler|wer)$"
)
# What a row says beside the evenings: of how many, how good, in which place.
ASIDE: Final = re.compile(
    r"^(o(/.*| (je|pro) .*)?|(durch)?schnitt.*|mittel(wert)?|abende|anzahl.*|spiele|siege.*|soli|teilnahmen|anwesen.*"
    r"|platz|platzierung|rang|punkte (je|pro) .*|bester.*|schlechtester.*|quote)$"
)
# What stands before or behind a name to say its place.
PLACE_OF: Final = re.compile(r"^[0-9]{1,2}[.)] *(?=[^\W\d])|(?<=\w) *\([0-9]{1,2}\.?\)$")
# Beside a column of points: the same person's sum so far.
SUM_OF: Final = re.compile(r"[ (]+(ges\.?|gesamt|summe|total|stand|kum\.?|kumuliert|σ)\)?$")
# What totals begin with, above the first evening.
START: Final = re.compile(r"(ubertrag|uebertrag|vortrag|saldo|start|(punkte|spiel|anfangs)?stand)\b")
# A sum may be said behind its day.
OF_A_DAY: Final = "0123456789.,:/-() "
# Headings above a column of names.
NAMES: Final = frozenset(
    {"name", "namen", "spieler", "spielerin", "spieler/in", "person", "mitspieler", "teilnehmer", "mitglied", "wer"}
)
# Headings of points beside each other under one name, and of what a standing of somebody says.
POINTS: Final = frozenset({"punkte", "pkt", "pkt.", "punktzahl", "ergebnis", "points", "score", "stand", "+/-"})
STANDING: Final = re.compile(
    r"^(abende?|spiele?|punkte?|pkte?\.?|punktzahl|ergebnis|siege|soli.*|teilnahmen|o(/.*| (je|pro) .*)?|schnitt)$"
)
