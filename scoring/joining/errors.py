"""What is refused about invitations by link."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from scoring.core.errors import ActionRefused


class JoinLinkOver(ActionRefused):
    """Its day has passed, it was ended or used up, or whoever made it runs the club no more."""

    sentence = _(
        "Diese Einladung gilt nicht mehr: Sie ist abgelaufen, beendet oder schon benutzt. Ein Verwalter des Clubs kann eine"
        " neue machen."
    )
    status = 410


class PersonTaken(ActionRefused):
    sentence = _("Diese Person hat inzwischen einen Zugang. Bitte noch einmal nachsehen.")
