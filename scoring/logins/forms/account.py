"""The forms of one's own login: logging in and choosing a new password. What is too long to be a name or a password is
refused before it is looked up, hashed or counted."""

from __future__ import annotations

from typing import Any, Final

from crispy_forms.helper import FormHelper
from crispy_forms.layout import Field, Layout, Submit
from django import forms
from django.contrib.auth import authenticate
from django.contrib.auth.forms import AuthenticationForm, PasswordChangeForm
from django.contrib.auth.models import User
from django.core.exceptions import NON_FIELD_ERRORS, ValidationError
from django.core.validators import MaxLengthValidator
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.club.errors import TooManyPasswords

from .passwords import LONGEST, GuessableValidator

# By this code views tell that nothing was wrong with what was typed.
BUSY: Final = "busy"


class LoginForm(AuthenticationForm):
    """Login name and password; the page that was asked for travels beside it in the template's own form."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].label = gettext_lazy("Anmeldename")
        self.fields["username"].widget.attrs |= {"autocorrect": "off", "spellcheck": "false"}
        refuse_beyond(self.username_field.max_length, self.fields["username"])
        refuse_beyond(LONGEST, self.fields["password"])
        self.error_messages = {
            "invalid_login": gettext_lazy(
                "Name und Passwort passen nicht zusammen. Bitte auf Groß- und Kleinschreibung achten."
            ),
            "inactive": gettext_lazy("Diese Anmeldung ist gesperrt."),
        }
        self.helper = FormHelper()
        self.helper.form_tag = False
        self.helper.layout = Layout(
            "username", "password", Submit("login", _("Anmelden"), css_class="btn-primary w-100")
        )

    def clean(self) -> dict[str, Any]:
        try:
            return super().clean()
        except TooManyPasswords as refused:
            raise ValidationError(str(refused), code=BUSY) from refused


class NewPasswordForm(PasswordChangeForm):
    """The old password once, the new one twice. A wrong old one counts as a wrong password of a login does."""

    def __init__(self, *args: Any, request: HttpRequest, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.request = request
        refuse_beyond(LONGEST, *self.fields.values())
        self.fields["new_password1"].help_text = GuessableValidator().get_help_text()
        self.helper = FormHelper()
        self.helper.layout = Layout(
            Field("old_password"),
            Field("new_password1"),
            Field("new_password2"),
            Submit("change", _("Passwort ändern"), css_class="btn-primary w-100"),
        )

    def clean_old_password(self) -> str:
        typed: str = self.cleaned_data["old_password"]
        try:
            known = authenticate(self.request, username=self.user.get_username(), password=typed)
        except TooManyPasswords as refused:
            self.add_error(None, ValidationError(str(refused), code=BUSY))
            return typed
        if known is None:
            raise ValidationError(self.error_messages["password_incorrect"], code="password_incorrect")
        return typed

    def validate_password_for_user(self, user: User, *args: Any) -> None:
        """What is wrong with the new password is said where it is typed first."""
        super().validate_password_for_user(user, "new_password1")


def is_busy(form: forms.BaseForm) -> bool:
    """Whether the same would be accepted a few seconds later."""
    return form.has_error(NON_FIELD_ERRORS, BUSY)


def refuse_beyond(length: int | None, *fields: forms.Field) -> None:
    """What is longer is refused before it is looked up, hashed or counted."""
    for field in fields:
        field.validators.append(MaxLengthValidator(length))
        field.widget.attrs["maxlength"] = str(length)
