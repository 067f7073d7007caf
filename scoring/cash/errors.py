"""What is refused about the books, whoever asks."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from scoring.core.errors import ActionRefused

from .models.books import Entry


class KeyBooked(ActionRefused):
    """The key of a new entry belongs to another one already: `standing`."""

    sentence = _("Unter diesem Schlüssel ist schon etwas anderes gebucht.")
    status = 422

    def __init__(self, standing: Entry) -> None:
        super().__init__()
        self.standing = standing


class NotInTheBooks(ActionRefused):
    """What adds up to nothing, to something else than 0, or to more than anybody has."""

    sentence = _("Das lässt sich so nicht buchen: Was dazukommt, muss an anderer Stelle weggehen.")
    status = 422


class ReasonNeeded(ActionRefused):
    sentence = _("Bitte einen Grund angeben, mit 3 bis 200 Zeichen.")
    status = 422


class DayToCome(ActionRefused):
    sentence = _("Gebucht wird höchstens bis heute. Bitte einen früheren Tag angeben.")
    status = 422


class MonthIsClosed(ActionRefused):
    sentence = _("Dieser Monat der Kasse ist abgeschlossen. Bitte einen Tag danach angeben.")


class AlreadyReversed(ActionRefused):
    sentence = _("Diese Buchung ist schon storniert.")


class ReversalStands(ActionRefused):
    sentence = _("Ein Storno wird nicht storniert. Bitte neu buchen.")


class BeforeItsEntry(ActionRefused):
    sentence = _("Storniert wird eine Buchung frühestens an ihrem eigenen Tag.")
    status = 422
