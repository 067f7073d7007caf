"""What is refused while somebody enters and corrects at the table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from scoring.club.models import Player
from scoring.core.errors import ActionRefused, InvalidInput
from scoring.play.models import Game


@dataclass(eq=False)
class AnotherGameFirst(ActionRefused):
    """Behind the game that was named, another one stands already: `standing`. `last` is the one to name instead."""

    sentence = _("Inzwischen steht schon ein anderes Spiel auf dem Zettel. Ist das dasselbe Spiel?")

    standing: Game | None
    last: Game | None


@dataclass(eq=False)
class FieldTwice(ActionRefused):
    """A field stands twice in one object of what was sent as JSON: nobody can say which one was meant."""

    status = 400

    field: str

    def __str__(self) -> str:
        return _("Das Feld „%(field)s“ steht zweimal da. Bitte nur einmal schicken.") % {"field": self.field}


class KeyUsed(InvalidInput):
    """The key of a new game belongs to another one already."""

    sentence = _("Hier ist schon ein anderes Spiel gespeichert. Bitte die Seite neu laden.")


@dataclass(eq=False)
class StaleVersion(ActionRefused):
    """Somebody else changed the game since it was read."""

    sentence = _("Jemand anderes hat dieses Spiel inzwischen geändert. Bitte beide Fassungen vergleichen.")

    standing: Game


class GameIsDeleted(ActionRefused):
    sentence = _("Dieses Spiel wurde inzwischen gestrichen.")


class LinkIsOver(ActionRefused):
    """Whoever held the link hands in new lines for some days; those that stand are others' by then."""

    sentence = _("Der Link für den Tisch gilt nicht mehr: Was auf dem Zettel steht, ändert nur noch, wer angemeldet ist.")


class TooManyLate(ActionRefused):
    sentence = _("An diesem Tisch wartet schon zu viel auf eine Entscheidung. Bitte den Verwalter fragen.")


class LateEntryDecided(ActionRefused):
    sentence = _("Darüber hat inzwischen schon jemand entschieden.")


class NothingToUndo(ActionRefused):
    sentence = _("Das lässt sich nicht mehr rückgängig machen: danach ist schon etwas anderes geschehen.")


class NowhereToMove(ActionRefused):
    """Past the first or the last line of the sheet."""

    sentence = _("Dort ist der Zettel zu Ende: Weiter lässt sich das nicht verschieben.")


@dataclass(eq=False)
class PeopleMissing(ActionRefused):
    """Across a change of line-up, where not everybody sits whom the line needs."""

    missing: Sequence[Player]

    def __str__(self) -> str:
        return ngettext(
            "Verschieben geht nicht: %(names)s sitzt dort nicht am Tisch. Bitte hier streichen und dort neu eintragen.",
            "Verschieben geht nicht: %(names)s sitzen dort nicht am Tisch. Bitte hier streichen und dort neu eintragen.",
            len(self.missing),
        ) % {"names": ", ".join(map(str, self.missing))}


class AlreadySeated(ActionRefused):
    sentence = _("Unter diesem Namen sitzt schon jemand am Tisch.")


@dataclass(eq=False)
class SeatedMeanwhile(ActionRefused):
    """Other people sit at the table by now than those in whose place somebody was to sit down: `current`, in seating order."""

    current: Sequence[Player]

    def __str__(self) -> str:
        names = ", ".join(map(str, self.current))
        return _("Inzwischen hat sich am Tisch etwas geändert. Dort sitzen jetzt: %(names)s.") % {"names": names}


class LineUpChanged(ActionRefused):
    """Seats were typed for people who sit there no more, and none of whose lines says where the new one belongs."""

    sentence = _(
        "Die Leute, für die das getippt ist, sitzen nicht mehr so am Tisch, und auf dem Zettel steht nichts von ihnen. "
        "Bitte verwerfen und für die eintragen, die jetzt dort sitzen."
    )
