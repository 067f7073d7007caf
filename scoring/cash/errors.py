"""What is refused about the books, whoever asks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import NamedTuple

from django.utils.translation import gettext_lazy as _

from scoring.club.models import Player
from scoring.core.errors import ActionRefused, InvalidInput

from .models.books import Entry


@dataclass(eq=False)
class KeyBooked(InvalidInput):
    """The key of a new entry belongs to another one already: `standing`."""

    sentence = _("Hier ist schon etwas gebucht. Bitte die Seite neu laden.")

    standing: Entry | None


class NotInTheBooks(InvalidInput):
    """What adds up to nothing, to something else than 0, or to more than anybody has."""

    sentence = _("Das lässt sich so nicht buchen: Was dazukommt, muss an anderer Stelle weggehen.")


class ReasonNeeded(InvalidInput):
    sentence = _("Bitte einen Grund angeben, mit 3 bis 200 Zeichen.")
    field = "reason"


class DayToCome(InvalidInput):
    sentence = _("Gebucht wird höchstens bis heute. Bitte einen früheren Tag angeben.")
    field = "date"


class DayLongAgo(InvalidInput):
    sentence = _("Gebucht wird ab 1950. Bitte die Jahreszahl prüfen.")


class MonthIsClosed(ActionRefused):
    sentence = _("Dieser Monat der Kasse ist abgeschlossen. Bitte einen Tag danach angeben.")
    field = "date"


class AlreadyReversed(ActionRefused):
    sentence = _("Diese Buchung ist schon storniert.")


class ReversalStands(ActionRefused):
    sentence = _("Ein Storno wird nicht storniert. Bitte neu buchen.")


class BeforeItsEntry(InvalidInput):
    sentence = _("Storniert wird eine Buchung frühestens an ihrem eigenen Tag.")


class NewerTariff(ActionRefused):
    sentence = _("Jemand hat den Tarif inzwischen geändert. Bitte neu ansehen.")


class TariffIsTheSame(ActionRefused):
    sentence = _("Der Tarif ist schon so.")


class NotOnThisEvening(InvalidInput):
    """Somebody of another club, or whoever is not on the list of the evening where they have to be."""

    sentence = _("Diese Person steht nicht in der Anwesenheit dieses Abends.")
    field = "player"


@dataclass(eq=False)
class OfOnePerson(InvalidInput):
    """What cannot be said of one `player` of an evening."""

    player: Player


class WhoPlayedWasThere(OfOnePerson):
    sentence = _("Diese Person hat gespielt, also war sie da. Bitte erst die Spiele berichtigen.")


class NoHost(InvalidInput):
    sentence = _("Gastgeber kann nur ein Mitglied sein, das da ist.")


class NotBrought(OfOnePerson):
    sentence = _("Mitgebracht werden nur Gäste, und nur von Mitgliedern.")


class NoSuchFine(InvalidInput):
    sentence = _("Dieses Strafgeld gibt es im Tarif dieses Abends nicht.")
    field = "code"


class NoSuchAmount(InvalidInput):
    """More or less than the form of a fine takes."""

    sentence = _("So viel geht bei diesem Strafgeld nicht. Bitte die Anzahl, die Minuten oder den Betrag prüfen.")
    field = "amount"


class FineKeyUsed(InvalidInput):
    """The key of a new fine belongs to another one."""

    sentence = _("Hier ist schon etwas anderes eingetragen. Bitte die Seite neu laden und noch einmal eingeben.")


class TooManyFinesWait(ActionRefused):
    sentence = _("An diesem Abend wartet schon zu viel auf eine Entscheidung. Bitte den Kassenwart fragen.")


class FineDecided(ActionRefused):
    sentence = _("Darüber hat inzwischen schon jemand entschieden.")


class NoFineHere(InvalidInput):
    """Nothing of this evening is under the key of a fine."""

    sentence = _("Dieses Strafgeld gibt es an diesem Abend nicht.")


class NoSuchDrink(InvalidInput):
    sentence = _("Dieses Getränk gibt es im Tarif dieses Abends nicht.")


class FineStruck(ActionRefused):
    sentence = _("Dieses Strafgeld ist schon gestrichen.")


class FactsMeanwhile(ActionRefused):
    sentence = _("Inzwischen hat sich an diesem Abend etwas geändert. Bitte neu ansehen.")


class NotCharged(ActionRefused):
    sentence = _("Dieser Abend hat keinen Tarif.")


class EveningIsDropped(ActionRefused):
    sentence = _("Dieser Abend zählt nicht mehr. An ihm ändert sich nichts mehr.")


class EveningStillOpen(ActionRefused):
    sentence = _("Der Abend läuft noch. Kassiert wird, wenn er abgeschlossen ist.")


class HeadingTaken(InvalidInput):
    sentence = _("So heißt schon eine Art. Bitte einen anderen Namen wählen.")


class OpeningStands(ActionRefused):
    sentence = _("Ein Anfangsbestand ist schon gebucht. Was fehlt, bitte einzeln buchen, oder erst stornieren, was dasteht.")


class FollowsFromItsEvening(ActionRefused):
    sentence = _("Was ein Abend kostet, folgt aus dem Abend: Bitte dort berichtigen, dann bucht die Kasse selbst.")


class ReportBooked(InvalidInput):
    """The key of a report belongs to something else already."""

    sentence = _("Das ist so schon gemeldet, mit anderen Angaben. Bitte die Seite neu laden.")


class ReportDecided(ActionRefused):
    sentence = _("Über diese Zahlung ist schon entschieden.")


class WitnessNeeded(InvalidInput):
    sentence = _("Gezählt wird zu zweit: Bitte jemand anderen als Zeugen wählen.")
    field = "witness"


class BoxChanged(ActionRefused):
    sentence = _("Inzwischen ist etwas gebucht worden. Bitte den neuen Bestand ansehen und noch einmal vergleichen.")


class MonthNotOver(ActionRefused):
    sentence = _("Dieser Monat ist noch nicht vorbei.")


class EarlierMonthFirst(ActionRefused):
    sentence = _("Ein früherer Monat der Kasse ist noch nicht abgeschlossen. Bitte erst den abschließen.")


class EveningOfMonthOpen(ActionRefused):
    sentence = _("In diesem Monat läuft noch ein Abend. Bitte erst den Abend abschließen.")


class Law(Enum):
    """What holds of sound books, by how it is broken."""

    UNGUARDED = auto()
    NEVER_SEALED = auto()
    NOT_ZERO = auto()
    LEG_BEYOND = auto()
    NUMBER_MISSING = auto()
    NO_MIRROR = auto()
    ACCOUNT_ELSEWHERE = auto()
    ACCOUNT_OF_NOBODY = auto()
    TARIFF_ELSEWHERE = auto()
    PERSON_ELSEWHERE = auto()
    EVENING_ELSEWHERE = auto()
    MONTH_OPEN_BEFORE = auto()
    NOT_ITS_HASH = auto()
    NOT_ITS_ENTRIES = auto()
    NOT_ITS_COST = auto()
    BALANCES_NOT_ZERO = auto()


class Broken(NamedTuple):
    """A law that is broken, and the `values` of its sentence. `club` is said where it could be another one."""

    law: Law
    values: Mapping[str, object] = {}
    club: str = ""


@dataclass(eq=False)
class BooksBroken(ActionRefused):
    """`faults` is what is wrong."""

    sentence = _("Die Bücher stimmen nicht: Bitte erst klären, was hier steht.")

    faults: Sequence[Broken]


class MonthIsClosedAlready(ActionRefused):
    sentence = _("Dieser Monat der Kasse ist schon abgeschlossen.")


class StatementChanged(ActionRefused):
    sentence = _("Inzwischen hat sich etwas geändert. Bitte noch einmal ansehen, was abgeschlossen würde.")


class OwnSignature(ActionRefused):
    sentence = _("Gegenzeichnen kann nur ein anderer Zugang als der, der abgeschlossen hat.")


class SignedAlready(ActionRefused):
    sentence = _("Mit diesem Zugang ist schon gegengezeichnet.")


class NoDues(ActionRefused):
    sentence = _("Für diesen Monat ist kein Beitrag zu buchen.")


class DuesMeanwhile(ActionRefused):
    sentence = _("Inzwischen hat sich etwas geändert. Bitte noch einmal ansehen, was gebucht würde.")


class NoMember(InvalidInput):
    sentence = _("Einen Mitgliedsbeitrag zahlen nur Mitglieder.")
    field = "person"


class NothingToSettle(InvalidInput):
    sentence = _("Hier ist nichts auszugleichen.")


class AmountsMeanwhile(ActionRefused):
    sentence = _("Inzwischen ist etwas gebucht worden. Bitte noch einmal ansehen, wer wem zahlt.")


class SettlementOver(ActionRefused):
    sentence = _("Diese Zeile gilt nicht mehr: Es gibt einen neueren Ausgleich.")
