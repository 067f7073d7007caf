"""What is refused about two people who are to be one, or apart again."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from scoring.core.errors import ActionRefused


class SatTogether(ActionRefused):
    sentence = _("Die beiden saßen schon zusammen an einem Tisch: Sie können nicht dieselbe Person sein.")


class TwoLogins(ActionRefused):
    sentence = _("Beide haben einen Zugang. Bitte erst einen davon unter „Ändern“ wegnehmen.")


class AlreadyMerged(ActionRefused):
    sentence = _("Eine der beiden ist inzwischen schon mit jemandem zusammengeführt.")


class NotMerged(ActionRefused):
    sentence = _("Diese Person ist mit niemandem zusammengeführt.")


class MergeBuiltOn(ActionRefused):
    sentence = _(
        "Seither wurde weiter zusammengeführt oder eine Sitzordnung geändert, oder der Zugang gehört jetzt jemand anderem: "
        "Das lässt sich nicht mehr trennen."
    )
