"""What is refused about an evening as a whole."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from scoring.core.errors import ActionRefused


class EveningIsOpen(ActionRefused):
    sentence = _("Der Abend ist noch offen.")


class EveningHasLines(ActionRefused):
    sentence = _("An diesem Abend wurde schon etwas eingetragen. Er bleibt, auch wenn alles gestrichen ist.")


class EveningIsCarriedOn(ActionRefused):
    sentence = _(
        "Ein späterer Abend spielt die offenen Böcke dieses Abends weiter. Bitte das an seinem Tisch zuerst wegnehmen."
    )
