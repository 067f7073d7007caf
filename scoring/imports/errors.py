"""What is refused about an old list that is brought along."""

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


class EveningBuiltOn(ActionRefused):
    sentence = _("An diesem Abend hat sich seither etwas geändert, oder etwas anderes hängt an ihm: Das geht nicht mehr.")


class ImportPeopleChanged(ActionRefused):
    sentence = _(
        "Personen oder Regeln dieser Datei wurden seit der Übernahme geändert oder zusammengeführt: "
        "Sie lässt sich nicht mehr zurücknehmen."
    )


class OpeningThere(ActionRefused):
    """Somebody of the list has an opening balance already; another one would count everything twice."""

    sentence = _(
        "Für jemanden auf dieser Liste gibt es schon einen Anfangsstand. Bitte den anderen zuerst zurücknehmen, oder die "
        "Person auslassen."
    )


class ImportGone(ActionRefused):
    sentence = _("Diese Datei wurde inzwischen verworfen. Bitte noch einmal hochladen.")


class ImportMeanwhile(ActionRefused):
    """Somebody of the list was merged with somebody else, or is not there any more."""

    sentence = _("Personen oder Regeln dieser Datei haben sich inzwischen geändert. Bitte noch einmal ansehen.")


class ImportBookedAlready(ActionRefused):
    sentence = _("Diese Datei ist schon gebucht. Noch einmal gebucht wird nichts.")


class BooksBuiltOn(ActionRefused):
    sentence = _(
        "Auf diesen Buchungen steht inzwischen anderes: Ein Monat ist über ihnen abgeschlossen, oder eine von ihnen ist "
        "storniert. Zusammen lassen sie sich nicht mehr zurücknehmen; bitte einzeln stornieren."
    )
