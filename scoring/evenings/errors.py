"""What is refused about an evening as a whole."""

from __future__ import annotations

from django.utils.formats import date_format
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from scoring.core.dates import get_evening_date
from scoring.core.errors import ActionRefused
from scoring.play.models import Evening, Table


class EveningIsOpen(ActionRefused):
    sentence = _("Der Abend läuft noch.")


class EveningHasLines(ActionRefused):
    sentence = _("An diesem Abend wurde schon etwas eingetragen. Er bleibt, auch wenn alles gestrichen ist.")


class EveningIsCarriedOn(ActionRefused):
    sentence = _(
        "Ein späterer Abend spielt die übrigen Böcke dieses Abends weiter. Bitte das an seinem Tisch zuerst wegnehmen."
    )


class CarriedInOrder(ActionRefused):
    """An evening and `other`, which open Bock games link, would change places."""

    sentence = _(
        "Übrige Böcke verbinden diesen Abend mit dem vom %(day)s, und dann läge der spätere vor dem früheren. Bitte das "
        "Weiterspielen zuerst am Tisch wegnehmen."
    )
    field = "held_on"

    def __init__(self, other: Evening) -> None:
        self.other = other

    def __str__(self) -> str:
        return str(self.sentence) % {"day": date_format(self.other.held_on, "SHORT_DATE_FORMAT")}


_ALL = {4: _("vieren"), 5: _("fünfen"), 6: _("sechsen"), 7: _("sieben"), 8: _("achten")}


class RunsAlready(ActionRefused):
    """The same people sit at a `table` of the same day already: another phone began the evening."""

    sentence = _("Heute läuft schon ein Abend mit diesen %(all)s:")

    def __init__(self, table: Table, people: int) -> None:
        self.table, self.people = table, people

    def __str__(self) -> str:
        said = {"all": _ALL[self.people], "day": date_format(self.table.evening.held_on, "SHORT_DATE_FORMAT")}
        if self.table.evening.held_on == get_evening_date():
            return str(self.sentence) % said
        return gettext("Am %(day)s läuft schon ein Abend mit diesen %(all)s:") % said
