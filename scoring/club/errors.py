"""What is refused about people, logins and their passwords."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from scoring.core.errors import ActionRefused


class TooManyPasswords(ActionRefused):
    """More passwords are being compared or set than are hashed at once; `retry_after` says after how many seconds."""

    sentence = _("Gerade melden sich zu viele auf einmal an. Bitte in ein paar Sekunden noch einmal versuchen.")
    status = 503
    retry_after = 2


class NotInDemo(ActionRefused):
    """Refused in the demo club of a visitor, and to the visitor's login."""

    sentence = _("In der Demo geht das nicht. Hier wird nur am Tisch ausprobiert; alles andere kann ein eigener Club.")
    status = 403


class LastAdmin(ActionRefused):
    sentence = _("Ein Club braucht mindestens einen Verwalter.")


class LoginTaken(ActionRefused):
    sentence = _(
        "Diesen Anmeldenamen gibt es schon. Wem er gehört, meldet sich zuerst an; sonst bitte einen anderen wählen."
    )


class LoginToInvite(LoginTaken):
    """For an admin, who can."""

    sentence = _(
        "Diesen Anmeldenamen gibt es schon. Bitte einen anderen wählen, oder den vorhandenen Zugang einladen."
    )


class LoginUnknown(ActionRefused):
    sentence = _("Einen Zugang mit diesem Namen gibt es nicht.")


class AlreadyMember(ActionRefused):
    sentence = _("Dieser Zugang gehört schon zum Club.")


class InvitationOver(ActionRefused):
    """Accepted, taken back, too old, replaced by another, or whoever gave it runs the club no more."""

    sentence = _("Diese Einladung gilt nicht mehr. Bitte den Verwalter des Clubs um eine neue.")


class NotAMember(ActionRefused):
    sentence = _("Dieser Zugang gehört nicht zum Club.")


class NameErased(ActionRefused):
    sentence = _("Der Name dieser Person ist entfernt worden. Das bleibt so.")
