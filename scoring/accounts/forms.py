from __future__ import annotations

import datetime
from collections.abc import Iterator
from typing import Any, Final

from crispy_forms.layout import Fieldset, Submit
from django import forms
from django.contrib.auth import authenticate
from django.contrib.auth import forms as auth_forms
from django.contrib.auth.models import AnonymousUser, User
from django.contrib.auth.validators import UnicodeUsernameValidator
from django.core.exceptions import NON_FIELD_ERRORS, ValidationError
from django.core.validators import MaxLengthValidator
from django.db.models import Q
from django.http import HttpRequest, QueryDict
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.accounts.models import MAX_USES, JoinLink
from scoring.accounts.passwords import MAX_PASSWORD, GuessableValidator, list_club_names, validate_first_password
from scoring.accounts.queries import list_players_without_login
from scoring.club.actions import TooManyPasswords
from scoring.club.forms import LOGIN_LENGTH, RolesForm
from scoring.club.models import INVITATION_PERIOD, ROLES
from scoring.club.queries import find_login
from scoring.core.formats import NAME_ATTRS
from scoring.core.forms import DayInput, WholeField, build_post_helper
from scoring.core.names import login_key

BUSY: Final = "busy"  # the error code of TooManyPasswords: the input may be valid
MAX_DAYS: Final = 90  # an older link to join may have been forgotten and be found by a stranger
NO_PLAYER: Final = "none"  # the choice of a user who is no player of the club


class LoginForm(auth_forms.AuthenticationForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].label = gettext_lazy("Anmeldename")
        self.fields["username"].widget.attrs |= {"autocorrect": "off", "spellcheck": "false"}
        limit_length(self.username_field.max_length, self.fields["username"])
        limit_length(MAX_PASSWORD, self.fields["password"])
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
        """Return the stored spelling of the name, so that wrong passwords of all spellings are counted together."""
        typed: str = self.cleaned_data["username"]
        user = find_login(typed)
        return user.get_username() if user else login_key(typed)

    def clean(self) -> dict[str, Any]:
        try:
            return super().clean()
        except TooManyPasswords as refused:
            raise ValidationError(str(refused), code=BUSY) from refused


class NewPasswordForm(auth_forms.PasswordChangeForm):
    """The old password once, the new one twice. A wrong old one is counted like one at the login."""

    def __init__(self, *args: Any, request: HttpRequest, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.request = request
        limit_length(MAX_PASSWORD, *self.fields.values())
        self.fields["new_password1"].help_text = GuessableValidator().get_help_text()
        self.helper = build_post_helper(*self.fields, Submit("change", _("Passwort ändern"), css_class="btn-primary w-100"))

    def clean_old_password(self) -> str:
        return require_password(self, self.request, self.user, self.cleaned_data["old_password"])

    def validate_password_for_user(self, user: User, *args: Any) -> None:
        super().validate_password_for_user(user, "new_password1")


class ForgottenPasswordForm(auth_forms.PasswordResetForm):
    email = forms.CharField(
        label=gettext_lazy("Anmeldename oder E-Mail-Adresse"),
        max_length=254,
        widget=forms.TextInput(attrs={"autocomplete": "username", "autocapitalize": "none", "spellcheck": "false"}),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.helper = build_post_helper("email", Submit("ask", _("Link schicken"), css_class="btn-primary w-100"))

    def get_users(self, email: str) -> Iterator[User]:
        """Yield the logins to mail to, at the stored address. Compared in Python: databases may take "ı" for "i"."""
        by_name = find_login(email)
        matches = Q(pk=by_name and by_name.pk) | Q(email__iexact=email)
        for user in User.objects.filter(matches, is_active=True).exclude(email=""):
            if user == by_name or user.email.casefold() == email.casefold():
                yield user


class ResetForm(auth_forms.SetPasswordForm):  # type: ignore[type-arg]  # generic for mypy alone
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        limit_length(MAX_PASSWORD, *self.fields.values())
        self.fields["new_password1"].help_text = GuessableValidator().get_help_text()
        self.fields["new_password2"].help_text = ""
        self.helper = build_post_helper(*self.fields, Submit("set", _("Passwort setzen"), css_class="btn-primary w-100"))

    def validate_password_for_user(self, user: User, *args: Any) -> None:
        super().validate_password_for_user(user, "new_password1")


class MailForm(forms.Form):
    email = forms.EmailField(label=gettext_lazy("E-Mail-Adresse"), max_length=254, required=False)
    password = forms.CharField(
        label=gettext_lazy("Passwort"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )

    def __init__(self, data: QueryDict | None, request: HttpRequest, user: User) -> None:
        super().__init__(data, initial={"email": user.email})
        self.request, self.user = request, user
        limit_length(MAX_PASSWORD, self.fields["password"])
        self.fields["email"].widget.attrs["autocomplete"] = "email"
        self.helper = build_post_helper(*self.fields, Submit("save", _("Speichern"), css_class="btn-primary w-100"))

    def clean_password(self) -> str:
        return require_password(self, self.request, self.user, self.cleaned_data["password"])


def require_password(form: forms.BaseForm, request: HttpRequest, user: User, typed: str) -> str:
    """Return the password of a user who changes the login, and count a wrong one. Raise ValidationError.
    If too many passwords are hashed now, add that error to the form instead."""
    try:
        authenticated = authenticate(request, username=user.get_username(), password=typed)
    except TooManyPasswords as refused:
        form.add_error(None, ValidationError(str(refused), code=BUSY))
        return typed
    if authenticated is None:
        raise ValidationError(auth_forms.PasswordChangeForm.error_messages["password_incorrect"], code="password_incorrect")
    return typed


def is_busy(form: forms.BaseForm) -> bool:
    """Return whether the form was refused only because too many passwords are hashed now."""
    return form.has_error(NON_FIELD_ERRORS, BUSY)


def limit_length(length: int | None, *fields: forms.Field) -> None:
    """Refuse longer input before it is looked up, hashed or counted."""
    for field in fields:
        field.validators.append(MaxLengthValidator(length))
        field.widget.attrs["maxlength"] = str(length)


class JoinLinkForm(RolesForm):
    most_uses = WholeField(
        label=gettext_lazy("Für wie viele"),
        min_value=1,
        max_value=MAX_USES,
        initial=1,
        help_text=gettext_lazy("So viele können mit demselben Link beitreten."),
    )
    ends_on = forms.DateField(label=gettext_lazy("Gilt bis"), widget=DayInput())

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["ends_on"].initial = timezone.localdate() + INVITATION_PERIOD
        submit = Submit("save", _("Link machen"), css_class="btn-primary w-100")
        self.helper = build_post_helper("most_uses", "ends_on", Fieldset(_("Rechte"), *ROLES), submit)

    def clean_ends_on(self) -> datetime.date:
        day: datetime.date = self.cleaned_data["ends_on"]
        today = timezone.localdate()
        if not today <= day <= today + datetime.timedelta(days=MAX_DAYS):
            raise ValidationError(_("Bitte einen Tag von heute an bis in %(days)s Tagen.") % {"days": MAX_DAYS}, code="invalid")
        return day

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if cleaned.get("admin") and cleaned.get("most_uses", 1) > 1:
            self.add_error("most_uses", _("Ein Link, der jemanden zum Verwalter macht, gilt nur für eine Person."))
        return cleaned


class JoinForm(auth_forms.SetPasswordMixin, forms.Form):  # type: ignore[type-arg]  # generic for mypy alone
    """The player of the club to be joined as, and a new login with its password unless a user is logged in."""

    login = auth_forms.UsernameField(
        label=gettext_lazy("Anmeldename"),
        max_length=LOGIN_LENGTH,
        validators=[UnicodeUsernameValidator()],
        help_text=gettext_lazy("Buchstaben, Ziffern und @ . + - _, ohne Leerzeichen."),
    )
    new_password1, new_password2 = auth_forms.SetPasswordMixin.create_password_fields(
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
            limit_length(MAX_PASSWORD, self.fields["new_password1"], self.fields["new_password2"])
        people = list_players_without_login(link.club)
        if people:
            choices = [("", _("– bitte wählen –")), *((str(one.pk), one.name) for one in people)]
            self.fields["person"] = forms.ChoiceField(
                label=_("Wer sind Sie?"),
                choices=[*choices, (NO_PLAYER, _("Ich stehe nicht in dieser Liste"))],
                widget=forms.Select(attrs=NAME_ATTRS),
            )
        self.order_fields(["person"])
        self.helper = build_post_helper(*self.fields, Submit("join", _("Beitreten"), css_class="btn-primary w-100"))

    @property
    def player_id(self) -> int | None:
        choice = self.cleaned_data.get("person", NO_PLAYER)
        return None if choice == NO_PLAYER else int(choice)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if "new_password1" in self.fields:
            self.validate_passwords("new_password1", "new_password2")
            if password := cleaned.get("new_password1"):
                try:
                    validate_first_password(password, cleaned.get("login", ""), list_club_names([self.link.club]))
                except ValidationError as error:
                    self.add_error("new_password1", error)
        return cleaned
