"""What an admin says of a new invitation by link, and what somebody types who joins by it."""

from __future__ import annotations

import datetime
from typing import Any, Final

from crispy_forms.layout import Fieldset, Submit
from django import forms
from django.contrib.auth.forms import SetPasswordMixin, UsernameField
from django.contrib.auth.models import AnonymousUser, User
from django.contrib.auth.validators import UnicodeUsernameValidator
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.club.actions.people import ROLES
from scoring.club.forms import LOGIN_LENGTH, RolesForm
from scoring.club.queries import INVITED_FOR
from scoring.core.formats import NAME_ATTRS
from scoring.core.forms import DayInput, WholeField, build_post_helper
from scoring.logins.forms.account import refuse_beyond
from scoring.logins.forms.passwords import LONGEST, GuessableValidator, names_in, refuse_weak

from .models import MOST, JoinLink
from .queries import free_people

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
    ends_on = forms.DateField(
        label=gettext_lazy("Gilt bis"), widget=DayInput()
    )

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
