"""What is refused about founding a club."""

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


class FoundedAlready(ActionRefused):
    """The second tap of the same founder."""

    sentence = _("Diesen Club haben Sie schon gegründet. Nach dem Anmelden finden Sie ihn.")


class EnoughMails(ActionRefused):
    """As many mails with a link went to one recipient today as may."""

    sentence = _(
        "An diese Adresse ging heute schon mehrmals ein Link. Bitte auch unter Spam nachsehen, sonst morgen wiederkommen."
    )
    status = 429


class EnoughToday(ActionRefused):
    """As many clubs were founded without a link today, or mails sent for that, as one address or all of them may."""

    sentence = _("Von hier lässt sich heute kein Club mehr gründen: Je Tag geht das nur wenige Male. Bitte morgen wiederkommen.")
    status = 429
