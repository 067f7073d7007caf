"""The forms of one's own login: logging in, choosing a new password, asking for a link to one, and the address for that mail. What
is too long to be a name or a password is refused before it is looked up, hashed or counted."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from typing import Any, Final

from crispy_forms.layout import Field, Fieldset, Submit
from django import forms
from django.contrib.auth import authenticate
from django.contrib.auth.forms import (
    AuthenticationForm,
    PasswordChangeForm,
    PasswordResetForm,
    SetPasswordForm,
    SetPasswordMixin,
    UsernameField,
)
from django.contrib.auth.models import AnonymousUser, User
from django.contrib.auth.validators import UnicodeUsernameValidator
from django.core.exceptions import NON_FIELD_ERRORS, ValidationError
from django.core.validators import MaxLengthValidator
from django.db.models import Q
from django.http import HttpRequest, QueryDict
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.accounts.models import MOST, JoinLink
from scoring.accounts.passwords import LONGEST, GuessableValidator, names_in, refuse_weak
from scoring.accounts.queries import free_people
from scoring.club.actions.people import ROLES
from scoring.club.errors import TooManyPasswords
from scoring.club.forms import LOGIN_LENGTH, RolesForm
from scoring.club.queries import INVITED_FOR, login_called
from scoring.core.formats import NAME_ATTRS
from scoring.core.forms import DayInput, WholeField, build_post_helper
from scoring.core.names import login_key

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
        self.helper = build_post_helper(
            "email", "password", Submit("save", _("Speichern"), css_class="btn-primary w-100")
        )

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


# An invitation that lies about longer is forgotten, and found by somebody else.
LONGEST_DAYS: Final = 90
# What somebody says who is none of the people of the club.
NOBODY: Final = "none"


class JoinLinkForm(RolesForm):
    """For how many, until when, and with which rights."""

    most_uses = WholeField(
        label=gettext_lazy("Für wie viele"),
        min_value=1,
        max_value=MOST,
        initial=1,
        help_text=gettext_lazy("So viele können mit demselben Link beitreten."),
    )
    ends_on = forms.DateField(label=gettext_lazy("Gilt bis"), widget=DayInput())

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["ends_on"].initial = timezone.localdate() + INVITED_FOR
        self.helper = build_post_helper(
            "most_uses",
            "ends_on",
            Fieldset(_("Rechte"), *ROLES),
            Submit("save", _("Link machen"), css_class="btn-primary w-100"),
        )

    def clean_ends_on(self) -> datetime.date:
        day: datetime.date = self.cleaned_data["ends_on"]
        today = timezone.localdate()
        if not today <= day <= today + datetime.timedelta(days=LONGEST_DAYS):
            raise ValidationError(
                _("Bitte einen Tag von heute an bis in %(days)s Tagen.") % {"days": LONGEST_DAYS}, code="invalid"
            )
        return day

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if cleaned.get("admin") and cleaned.get("most_uses", 1) > 1:
            self.add_error("most_uses", _("Ein Link, der jemanden zum Verwalter macht, gilt nur für eine Person."))
        return cleaned


class JoinForm(SetPasswordMixin, forms.Form):  # type: ignore[type-arg]  # generic for mypy alone
    """Login and password of somebody who has none here yet, and who of the club they are. Whoever is logged in says only
    the last."""

    login = UsernameField(
        label=gettext_lazy("Anmeldename"),
        max_length=LOGIN_LENGTH,
        validators=[UnicodeUsernameValidator()],
        help_text=gettext_lazy("Buchstaben, Ziffern und @ . + - _, ohne Leerzeichen."),
    )
    new_password1, new_password2 = SetPasswordMixin.create_password_fields(
        label1=gettext_lazy("Passwort"), label2=gettext_lazy("Passwort noch einmal")
    )

    def __init__(self, *args: Any, link: JoinLink, user: User | AnonymousUser, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.link = link
        if user.is_authenticated:
            for name in ("login", "new_password1", "new_password2"):
                del self.fields[name]
        else:
            self.fields["login"].widget.attrs |= {"autocorrect": "off", "spellcheck": "false"}
            self.fields["new_password1"].help_text = GuessableValidator().get_help_text()
            self.fields["new_password2"].help_text = ""
            refuse_beyond(LONGEST, self.fields["new_password1"], self.fields["new_password2"])
        people = free_people(link.club)
        if people:
            choices = [("", _("– bitte wählen –")), *((str(one.pk), one.name) for one in people)]
            self.fields["person"] = forms.ChoiceField(
                label=_("Wer sind Sie?"),
                choices=[*choices, (NOBODY, _("Ich stehe nicht in dieser Liste"))],
                widget=forms.Select(attrs=NAME_ATTRS),
            )
        self.order_fields(["person"])
        self.helper = build_post_helper(*self.fields, Submit("join", _("Beitreten"), css_class="btn-primary w-100"))

    @property
    def person(self) -> int | None:
        """The id of the person they say they are."""
        said = self.cleaned_data.get("person", NOBODY)
        return None if said == NOBODY else int(said)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if "new_password1" in self.fields:
            self.validate_passwords("new_password1", "new_password2")
            if password := cleaned.get("new_password1"):
                try:
                    refuse_weak(password, cleaned.get("login", ""), names_in([self.link.club]))
                except ValidationError as error:
                    self.add_error("new_password1", error)
        return cleaned
