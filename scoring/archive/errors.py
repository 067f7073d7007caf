"""Refusals about archives."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext_lazy as _

from scoring.core.errors import ActionRefused, InvalidInput


class ArchiveGone(ActionRefused):
    sentence = _("Hier wartet kein Archiv mehr, oder es ist inzwischen ein anderes. Bitte noch einmal ansehen.")


class ArchiveBuiltOn(ActionRefused):
    sentence = _("In diesem Club hat sich seither etwas geändert: Er lässt sich nicht mehr zurücknehmen.")


class ArchiveOutdated(ActionRefused):
    sentence = _("Das Archiv auf Ihrem Gerät ist nicht der Club, wie er jetzt ist. Bitte zuerst das Archiv herunterladen.")


class ArchiveRefused(InvalidInput):
    """The archive cannot be imported; `faults` are sentences, each with its place in the file."""

    sentence = _("Dieses Archiv lässt sich nicht einlesen.")

    def __init__(self, faults: Sequence[str]) -> None:
        super().__init__()
        self.faults = list(faults)
