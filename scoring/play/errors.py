"""What is refused about anything played, whoever asks: at an evening that is closed, with a wrong line-up, after the table has
changed, with open Bock games that cannot go on."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.formats import date_format
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from scoring.core.errors import ActionRefused, InvalidInput
from scoring.rules.validation import Refused

from .models import Game, Table


class EveningIsClosed(ActionRefused):
    sentence = _("Der Abend ist abgeschlossen. Ein Verwalter kann ihn wieder öffnen.")


@dataclass(eq=False)
class LaterEveningIsClosed(ActionRefused):
    """Bock games that go on there would make its games worth something else."""

    sentence = _(
        "Das ändert auch den abgeschlossenen Abend vom %(day)s, der die übrigen Böcke weiterspielt. "
        "Das kann nur ein Verwalter."
    )

    later: Table

    def __str__(self) -> str:
        return str(self.sentence) % {"day": date_format(self.later.evening.held_on, "SHORT_DATE_FORMAT")}


class CannotCarryOn(InvalidInput):
    sentence = _(
        "Weiterspielen lassen sich nur übrige Böcke eines früheren Abends im selben Club, "
        "wenn beide Regelwerke das vorsehen."
    )


class CarriedOnElsewhere(ActionRefused):
    sentence = _("Diese übrigen Böcke werden schon an einem anderen Tisch weitergespielt.")


class WorthTooMuch(ActionRefused, Refused):
    """`game` would come to more than any game may: the line that was typed, or another one whose Bock it changes."""

    status = 422

    def __init__(self, game: Game, refused: Refused) -> None:
        Refused.__init__(self, refused.fields)
        self.game = game

    def __str__(self) -> str:
        return " ".join(gettext(fault.text) % fault.values for fault in self.fields.values())


class WrongLineUp(ActionRefused):
    sentence = _("An einen Tisch gehören vier bis acht verschiedene Personen dieses Clubs.")


class TableChanged(ActionRefused):
    sentence = _("Am Tisch hat sich inzwischen etwas geändert. Bitte noch einmal ansehen, was sich ändern würde.")
