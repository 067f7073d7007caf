"""The forms of one's own login: logging in, choosing a new password, asking for a link to one, and the address for that mail. What
is too long to be a name or a password is refused before it is looked up, hashed or counted."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from crispy_forms.layout import Field, Submit
from django import forms
from django.contrib.auth import authenticate
from django.contrib.auth.forms import AuthenticationForm, PasswordChangeForm, PasswordResetForm, SetPasswordForm
from django.contrib.auth.models import User
from django.core.exceptions import NON_FIELD_ERRORS, ValidationError
from django.core.validators import MaxLengthValidator
from django.db.models import Q
from django.http import HttpRequest, QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.club.errors import TooManyPasswords
from scoring.club.queries import login_called
from scoring.core.forms import build_post_helper
from scoring.core.names import login_key

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
                "Name und Passwort passen nicht zusammen. Beim Passwort bitte auf Groß- und Kleinschreibung achten."
            ),
            "inactive": gettext_lazy("Dieser Zugang ist gesperrt."),
        }
        self.helper = build_post_helper(
            "username", "password", Submit("login", _("Anmelden"), css_class="btn-primary w-100"), tag=False
        )

    def clean_username(self) -> str:
        """The name as it is stored, so that wrong passwords count for one login however it is typed."""
        typed: str = self.cleaned_data["username"]
        user = login_called(typed)
        return user.get_username() if user else login_key(typed)

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
        self.helper = build_post_helper(
            Field("old_password"),
            Field("new_password1"),
            Field("new_password2"),
            Submit("change", _("Passwort ändern"), css_class="btn-primary w-100"),
        )

    def clean_old_password(self) -> str:
        typed: str = self.cleaned_data["old_password"]
        require_password(self, self.request, self.user, typed)
        return typed

    def validate_password_for_user(self, user: User, *args: Any) -> None:
        """What is wrong with the new password is said where it is typed first."""
        super().validate_password_for_user(user, "new_password1")


class ForgottenForm(PasswordResetForm):
    """Who wants a link to a new password: the name of a login, or the address of its mail."""

    email = forms.CharField(
        label=gettext_lazy("Anmeldename oder E-Mail-Adresse"),
        max_length=254,
        widget=forms.TextInput(attrs={"autocomplete": "username", "autocapitalize": "none", "spellcheck": "false"}),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.helper = build_post_helper("email", Submit("ask", _("Link schicken"), css_class="btn-primary w-100"))

    def get_users(self, email: str) -> Iterator[User]:
        """Where it is sent to is what stands with the login, never what was typed. A database may take a letter for another
        one, such as an "ı" for an "i"."""
        named = login_called(email)
        wanted = Q(pk=named and named.pk) | Q(email__iexact=email)
        for user in User.objects.filter(wanted, is_active=True).exclude(email=""):
            if user == named or user.email.casefold() == email.casefold():
                yield user


class ResetForm(SetPasswordForm):  # type: ignore[type-arg]  # generic for mypy alone
    """The new password twice, for whoever has a link to it."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        refuse_beyond(LONGEST, *self.fields.values())
        self.fields["new_password1"].help_text = GuessableValidator().get_help_text()
        self.fields["new_password2"].help_text = ""
        self.helper = build_post_helper(
            "new_password1", "new_password2", Submit("set", _("Passwort setzen"), css_class="btn-primary w-100")
        )

    def validate_password_for_user(self, user: User, *args: Any) -> None:
        """What is wrong with the new password is said where it is typed first."""
        super().validate_password_for_user(user, "new_password1")


class MailForm(forms.Form):
    """The address to which a link to a new password goes, or none; whoever changes it has the password."""

    email = forms.EmailField(label=gettext_lazy("E-Mail-Adresse"), max_length=254, required=False)
    password = forms.CharField(
        label=gettext_lazy("Passwort"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )

    def __init__(self, data: QueryDict | None, request: HttpRequest, user: User) -> None:
        super().__init__(data, initial={"email": user.email})
        self.request, self.user = request, user
        refuse_beyond(LONGEST, self.fields["password"])
        self.fields["email"].widget.attrs["autocomplete"] = "email"
        self.helper = build_post_helper("email", "password", Submit("save", _("Speichern"), css_class="btn-primary w-100"))

    def clean_password(self) -> str:
        typed: str = self.cleaned_data["password"]
        require_password(self, self.request, self.user, typed)
        return typed


def require_password(form: forms.BaseForm, request: HttpRequest, user: User, typed: str) -> None:
    """Whoever changes a login has its password. A wrong one counts as one at the login does. Raises ValidationError; where too
    many are compared now, the form says so."""
    try:
        known = authenticate(request, username=user.get_username(), password=typed)
    except TooManyPasswords as refused:
        form.add_error(None, ValidationError(str(refused), code=BUSY))
        return
    if known is None:
        raise ValidationError(PasswordChangeForm.error_messages["password_incorrect"], code="password_incorrect")


def is_busy(form: forms.BaseForm) -> bool:
    """Whether the same would be accepted a few seconds later."""
    return form.has_error(NON_FIELD_ERRORS, BUSY)


def refuse_beyond(length: int | None, *fields: forms.Field) -> None:
    """What is longer is refused before it is looked up, hashed or counted."""
    for field in fields:
        field.validators.append(MaxLengthValidator(length))
        field.widget.attrs["maxlength"] = str(length)
