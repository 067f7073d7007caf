"""Refusals of imports that are raised in several places or tested by name."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from scoring.core.errors import ActionRefused, InvalidInput


class ImportTooBig(InvalidInput):
    sentence = _("Das ist zu viel auf einmal. Bitte die Datei teilen, zum Beispiel nach Jahren.")


class RulesHaveBock(InvalidInput):
    sentence = _("Was ein Spiel brachte, steht in der Datei schon mit Bock. Bitte ein Regelwerk ohne Bock wählen.")


class ImportNotTaken(ActionRefused):
    sentence = _("Diese Datei ist nicht übernommen, oder sie ist schon zurückgenommen.")


class ImportBuiltOn(ActionRefused):
    sentence = _(
        "An den übernommenen Abenden hat sich seither etwas geändert, oder etwas anderes hängt an ihnen: "
        "Sie lassen sich nicht mehr zurücknehmen."
    )


class ImportPeopleChanged(ActionRefused):
    sentence = _(
        "Personen oder Regeln dieser Datei wurden seit der Übernahme geändert oder zusammengeführt: "
        "Sie lässt sich nicht mehr zurücknehmen."
    )


class ImportMeanwhile(ActionRefused):
    sentence = _("Personen oder Regeln dieser Datei haben sich inzwischen geändert. Bitte noch einmal ansehen.")


class ImportBookedAlready(ActionRefused):
    sentence = _("Diese Datei ist schon gebucht. Noch einmal gebucht wird nichts.")
