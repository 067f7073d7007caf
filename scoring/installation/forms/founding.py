"""What somebody types to found a club: its name, who plays, by which rules, and the login of whoever founds it."""

from __future__ import annotations

from typing import Any, Final

from crispy_forms.layout import Submit
from django import forms
from django.contrib.auth.forms import SetPasswordMixin, UsernameField
from django.contrib.auth.models import AnonymousUser, User
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.accounts.forms import require_password
from scoring.accounts.passwords import MAX_PASSWORD, validate_first_password
from scoring.club.models import Club
from scoring.core.forms import build_post_helper
from scoring.core.text import tidy
from scoring.installation.access import ASKED
from scoring.rules import labels
from scoring.rules.settings import PRESETS
from scoring.rulesets.forms.rule_sets import QuestionsForm

_LOGIN: Final = ("username", "password1", "password2")


def _password(label: Any) -> forms.CharField:
    """What was typed comes back with a fault elsewhere: two passwords by thumb are not typed twice."""
    attrs = {"class": "form-control", "autocomplete": "new-password", "maxlength": str(MAX_PASSWORD)}
    widget = forms.PasswordInput(render_value=True, attrs=attrs)
    return forms.CharField(label=label, strip=False, max_length=MAX_PASSWORD, widget=widget)


class AddressForm(forms.Form):
    """The mail address to which a link goes that opens the founding page."""

    email = forms.EmailField(
        label=gettext_lazy("E-Mail-Adresse"), max_length=254, widget=forms.EmailInput(attrs={"autocomplete": "email"})
    )

    def __init__(self, data: Any = None) -> None:
        super().__init__(data)
        self.helper = build_post_helper("email", Submit("ask", _("Link schicken"), css_class="btn-primary w-100"))


class FoundingForm(SetPasswordMixin, QuestionsForm):  # type: ignore[type-arg]  # Django's class takes no argument
    """The questions of a club that begins, before it does. Whoever is logged in (`user`) founds it with that login; a new login
    gets the mail address that was confirmed (`address`). So does a login without one, if the link was asked for where it is
    logged in, and by its password: else somebody could send their own link to others, and then ask for a new password."""

    club_name = forms.CharField(
        label=gettext_lazy("Name des Clubs"),
        max_length=Club._meta.get_field("name").max_length,
        validators=Club._meta.get_field("name").validators,
        widget=forms.TextInput(attrs={"class": "form-control", "autocomplete": "off", "autofocus": True}),
    )
    username = UsernameField(
        label=gettext_lazy("Anmeldename"),
        max_length=User._meta.get_field("username").max_length,
        validators=User._meta.get_field("username").validators,
        widget=forms.TextInput(
            attrs={
                "class": "form-control",
                "autocomplete": "username",
                "autocapitalize": "none",
                "autocorrect": "off",
                "spellcheck": "false",
            }
        ),
    )
    password1 = _password(gettext_lazy("Passwort"))
    password2 = _password(gettext_lazy("Passwort noch einmal"))
    password = forms.CharField(
        label=gettext_lazy("Passwort"),
        strip=False,
        max_length=MAX_PASSWORD,
        widget=forms.PasswordInput(
            render_value=True, attrs={"class": "form-control", "autocomplete": "current-password", "maxlength": str(MAX_PASSWORD)}
        ),
    )

    def __init__(
        self, data: Any = None, *, request: HttpRequest, user: User | AnonymousUser, address: str = ""
    ) -> None:
        super().__init__(data, club=Club(), founding=True)
        self.request, self.user, self.address = request, user, address
        self.adds_address = isinstance(user, User) and not user.email and bool(address) and request.session.get(ASKED) == address
        self.fields["people"].label = _("Wer spielt mit? Je Zeile ein Name, zuerst der eigene.")
        self.fields["name"].label = _("Name dieser Regeln")
        self.fields["people"].widget.attrs["rows"] = 4
        self.fields["password1"].help_text = _("Mindestens zehn Zeichen, am besten ein Satz aus vier Wörtern.")
        self.order_fields(["club_name", "people", *_LOGIN, "password"])
        self.has_login = user.is_authenticated
        for name in _LOGIN if self.has_login else ():
            del self.fields[name]
        if not self.adds_address:
            del self.fields["password"]

    def is_taken(self, name: str) -> bool:
        """The club has the presets from its first moment, under their names."""
        return name in {labels.PRESETS[preset].name for preset in PRESETS}

    def clean_club_name(self) -> str:
        return tidy(self.cleaned_data["club_name"])

    def clean_password(self) -> str:
        typed: str = self.cleaned_data["password"]
        if isinstance(self.user, User) and "count" not in self.data:
            require_password(self, self.request, self.user, typed)
        return typed

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        if not self.has_login:
            self.validate_passwords()
            self._validate_strength(cleaned)
        return cleaned

    def _validate_strength(self, cleaned: dict[str, Any]) -> None:
        around = [cleaned.get("club_name", ""), *cleaned.get("people", [])]
        try:
            if password := cleaned.get("password1"):
                validate_first_password(password, cleaned.get("username", ""), around)
        except ValidationError as weak:
            self.add_error("password1", weak)

    @property
    def login_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in (*_LOGIN, "password") if name in self.fields]
