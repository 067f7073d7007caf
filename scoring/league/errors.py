"""What is refused about seasons and months."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext_lazy as _

from scoring.core.errors import ActionRefused, InvalidInput


class SeasonsOverlap(ActionRefused):
    sentence = _(
        "In diesen Tagen gibt es schon eine Saison, die in dieser Einheit dieselben Regelwerke zählt. Bitte andere Tage "
        "wählen, oder für jede der beiden Ligen eigene Regelwerke."
    )


class SeasonChanged(ActionRefused):
    sentence = _("Jemand anderes hat die Saison inzwischen geändert. Bitte ansehen und noch einmal speichern.")


class ClosedMonthsStay(ActionRefused):
    sentence = _(
        "Abgeschlossene Monate bleiben mit ihren Tagen und ihrer Einheit in der Saison. Bitte andere Tage wählen."
    )


class CountingStays(ActionRefused):
    sentence = _(
        "In dieser Saison sind schon Monate abgeschlossen, und Ergebnisse verschiedener Wertungen lassen sich nicht "
        "zusammenzählen. Bitte die Saison früher enden lassen und für die neue Wertung eine neue anlegen."
    )


class MonthIsEmpty(ActionRefused):
    sentence = _("In diesem Monat hat noch niemand gespielt.")


@dataclass(eq=False)
class EarlierMonthOpen(ActionRefused):
    """`month` was played in before and is not closed."""

    sentence = _("Ein früherer Monat ist noch nicht abgeschlossen. Bitte erst den abschließen.")

    month: str


class MonthChanged(ActionRefused):
    sentence = _("Inzwischen hat sich etwas geändert. Bitte noch einmal ansehen, was veröffentlicht würde.")


class ConfirmationNeeded(InvalidInput):
    sentence = _(
        "Der Monat ist noch nicht vorbei, ein Abend läuft noch, oder über einen früheren Monat ist noch nicht entschieden. "
        "Bitte ankreuzen, dass trotzdem abgeschlossen wird."
    )


class NothingToPublish(ActionRefused):
    sentence = _("Der Monat ist abgeschlossen, und seither ist nichts anders.")


class MonthHasSupplement(ActionRefused):
    sentence = _("Zu diesem Monat gibt es schon einen Nachtrag. Was sich noch ändert, wird auch ein Nachtrag.")


class NothingToSupplement(ActionRefused):
    sentence = _("An den Ergebnissen dieses Monats ist seither nichts anders.")


class NoOpenMonth(ActionRefused):
    sentence = _("Alle Monate der Saison sind abgeschlossen. Dieser Monat lässt sich neu abschließen.")
