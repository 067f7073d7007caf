"""The forms of one's own login: logging in and choosing a new password."""

from __future__ import annotations

from typing import Any

from crispy_forms.helper import FormHelper
from crispy_forms.layout import Field, Layout, Submit
from django.contrib.auth.forms import AuthenticationForm, PasswordChangeForm
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy


class LoginForm(AuthenticationForm):
    """Login name and password; the page that was asked for travels beside it in the template's own form."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].label = gettext_lazy("Anmeldename")
        self.fields["username"].widget.attrs |= {"autocorrect": "off", "spellcheck": "false"}
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


class NewPasswordForm(PasswordChangeForm):
    """The old password once, the new one twice."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.helper = FormHelper()
        self.helper.layout = Layout(
            Field("old_password"),
            Field("new_password1"),
            Field("new_password2"),
            Submit("change", _("Passwort ändern"), css_class="btn-primary w-100"),
        )
