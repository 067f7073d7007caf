"""What every refusal is. What the rules of the game refuse is `Refused` and comes from the rules themselves."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _


class ActionRefused(Exception):
    """Something that cannot be done now; `sentence` says what to do instead, `status` says it in HTTP."""

    sentence = _("Das geht so nicht.")
    status = 409

    def __str__(self) -> str:
        return str(self.sentence)
