"""The laws of the books that are broken, in sentences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from scoring.cash.errors import Broken, Law

BROKEN: Final[Mapping[Law, Promise]] = {
    Law.UNGUARDED: _("Die Bücher der Kasse sind nicht geschützt: %(name)s fehlt."),
    Law.NEVER_SEALED: _("Buchung %(key)s: nie abgeschlossen, zählt nirgends"),
    Law.NOT_ZERO: _("Buchung %(number)s: ihre Zeilen ergeben nicht 0"),
    Law.LEG_BEYOND: _("Buchung %(number)s: eine Zeile über %(cents)s Cent"),
    Law.NUMBER_MISSING: _("%(year)s: die Nummern haben Lücken"),
    Law.NO_MIRROR: _("Buchung %(number)s: nimmt nicht genau eine andere zurück"),
    Law.ACCOUNT_ELSEWHERE: _("Buchung %(number)s: ein Konto eines anderen Clubs"),
    Law.ACCOUNT_OF_NOBODY: _("Konto %(code)s: gehört niemandem aus dem Club"),
    Law.TARIFF_ELSEWHERE: _("Abend vom %(date)s: ein Tarif eines anderen Clubs"),
    Law.PERSON_ELSEWHERE: _("Abend vom %(date)s: jemand aus einem anderen Club"),
    Law.EVENING_ELSEWHERE: _("Buchung %(number)s: ein Abend eines anderen Clubs"),
    Law.MONTH_OPEN_BEFORE: _("%(month)s: ein Monat davor ist nicht abgeschlossen"),
    Law.NOT_ITS_HASH: _("%(month)s: der Abschluss ist nicht, was seine Prüfsumme sagt"),
    Law.NOT_ITS_ENTRIES: _("%(month)s: der Abschluss ist nicht, was die Buchungen ergeben"),
    Law.NOT_ITS_COST: _("Abend vom %(date)s: gebucht ist nicht, was er kostet"),
    Law.BALANCES_NOT_ZERO: _("die Salden der Konten ergeben nicht 0"),
}


def broken(fault: Broken) -> str:
    said = str(BROKEN[fault.law]) % fault.values
    return f"{fault.club}, {said}" if fault.club else said
