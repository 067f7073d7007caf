"""The forms for people and for the logins of a club with what they may do."""

from __future__ import annotations

from typing import Any, ClassVar

from crispy_forms.layout import Fieldset, Submit
from django import forms
from django.contrib.auth.forms import UsernameField
from django.contrib.auth.validators import UnicodeUsernameValidator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.club.models import NAME_LENGTH, PLAYER_FIELDS, ROLES, Membership, Player
from scoring.core.dates import validate_not_in_future
from scoring.core.formats import NAME_ATTRS
from scoring.core.forms import ConfirmingForm, DayInput, build_post_helper
from scoring.core.names import name_key

from .queries import list_assignable_logins
from .texts import build_long_ago_warning

LOGIN_LENGTH = 40


class SearchForm(forms.Form):
    q = forms.CharField(label=gettext_lazy("Name suchen"), max_length=NAME_LENGTH, required=False)


class PlayerForm(ConfirmingForm, forms.ModelForm):  # type: ignore[type-arg]  # generic for mypy alone
    """The fields of a person. The view gives the club with the instance."""

    class Meta:
        model = Player
        fields = tuple(PLAYER_FIELDS)
        widgets: ClassVar = {
            "name": forms.TextInput(attrs={"autocomplete": "off"}),
            "user": forms.Select(attrs=NAME_ATTRS),
            **dict.fromkeys(("joined_on", "left_on", "rests_from", "rests_until"), DayInput()),
        }
        help_texts: ClassVar = {
            "left_on": gettext_lazy("Ausgeschiedene bleiben in allen alten Listen."),
            "rests_from": gettext_lazy("In der Pause gilt kein Abend als versäumt, und Fehlen kostet nichts."),
            "user": gettext_lazy("Mit welchem Zugang diese Person „ich“ ist."),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["joined_on"].validators.append(validate_not_in_future)
        logins: Any = self.fields["user"]
        logins.queryset = list_assignable_logins(self.instance)
        logins.empty_label = _("– keine –")
        submit = Submit("save", _("Speichern") if self.instance.pk else _("Aufnehmen"), css_class="btn-primary w-100")
        self.helper = build_post_helper("sure", *PLAYER_FIELDS, submit)

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        others = Player.objects.filter(club=self.instance.club, name_key=name_key(name))
        if others.exclude(pk=self.instance.pk).exists():
            raise forms.ValidationError(
                _("Diesen Namen gibt es im Club schon, vielleicht anders geschrieben. Bitte einen Zusatz wählen.")
            )
        return name

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        for name in {"joined_on", "left_on"} & set(self.changed_data):
            self.ask_once(name, cleaned.get(name), build_long_ago_warning(self.instance.club, cleaned.get(name)))
        for days in (("joined_on", "left_on"), ("rests_from", "rests_until")):
            # The model would compare the other day with the stored value of a refused one.
            if not self.errors.keys().isdisjoint(days):
                for name in days:
                    cleaned.pop(name, None)
                    setattr(self.instance, name, None)
        return cleaned


class RolesForm(forms.ModelForm):  # type: ignore[type-arg]  # generic for mypy alone
    """The roles of a login, or those that an invitation or a link gives."""

    class Meta:
        model = Membership
        fields = tuple(ROLES)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        submit = Submit("save", _("Speichern"), css_class="btn-primary w-100")
        self.helper = build_post_helper(Fieldset(_("Rechte"), *ROLES), submit)

    @property
    def roles(self) -> list[str]:
        return [role for role in ROLES if self.cleaned_data[role]]


class MemberForm(RolesForm):
    login = UsernameField(
        label=gettext_lazy("Anmeldename"),
        max_length=LOGIN_LENGTH,
        validators=[UnicodeUsernameValidator()],
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}),
        help_text=gettext_lazy("Buchstaben, Ziffern und @ . + - _, ohne Leerzeichen."),
    )
    existing = forms.BooleanField(label=gettext_lazy("Diesen Zugang gibt es schon (aus einem anderen Club)"), required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        submit = Submit("save", _("Aufnehmen"), css_class="btn-primary w-100")
        self.helper = build_post_helper("login", "existing", Fieldset(_("Rechte"), *ROLES), submit)
