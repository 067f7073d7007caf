"""What is refused about founding a club by a link."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from scoring.core.errors import ActionRefused


class FoundingLinkOver(ActionRefused):
    """Used, too old, replaced by another, or never one: nobody learns which."""

    sentence = _(
        "Der Link zum Gründen gilt nicht mehr: Jeder gilt einmal, eine Woche lang, und nur, bis es einen neuen gibt. "
        "Einen neuen hat, wer diese Seite betreibt."
    )
    status = 410


class LinkOverMeanwhile(ActionRefused):
    """A link that was valid when somebody opened the form, and has ended since."""

    sentence = _(
        "Der Link zum Gründen gilt inzwischen nicht mehr. Was hier steht, bleibt: Bitte einen neuen in einem zweiten Fenster "
        "dieses Browsers öffnen, dann hier noch einmal gründen."
    )
    status = 410
