"""What is refused about a rule set."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext_lazy as _

from scoring.core.errors import ActionRefused, TypedWrong

from .models import RuleSet


@dataclass(eq=False)
class NewerVersion(ActionRefused):
    """Somebody else changed the rule set since it was read; `newest` is what it is now."""

    sentence = _("Inzwischen gibt es eine neuere Fassung. Noch einmal speichern ersetzt, was darin steht.")

    newest: RuleSet


class RuleSetNameTaken(TypedWrong):
    sentence = _("Ein Regelwerk dieses Namens gibt es schon. Bitte einen anderen wählen.")


class NothingDiffers(ActionRefused):
    sentence = _("Sie haben nichts geändert.")
