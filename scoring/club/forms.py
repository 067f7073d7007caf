"""The forms for people and for the logins of a club with what they may do."""

from __future__ import annotations

from typing import Any

from crispy_forms.layout import Fieldset, Submit
from django import forms
from django.contrib.auth.forms import UsernameField
from django.contrib.auth.validators import UnicodeUsernameValidator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.club.actions import ROLES
from scoring.club.models import NAME_LENGTH, Club, Membership, Player
from scoring.core.dates import validate_not_in_future
from scoring.core.formats import NAME_ATTRS
from scoring.core.forms import ConfirmingForm, build_day_field, build_post_helper
from scoring.core.names import name_key
from scoring.core.text import validate_plain

from .queries import list_assignable_logins
from .texts import build_long_ago_warning

LOGIN_LENGTH = 40


class SearchForm(forms.Form):
    q = forms.CharField(label=gettext_lazy("Name suchen"), max_length=NAME_LENGTH, required=False)


class PlayerForm(ConfirmingForm):
    name = forms.CharField(
        label=gettext_lazy("Name"),
        max_length=NAME_LENGTH,
        validators=[validate_plain],
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    guest = forms.BooleanField(label=gettext_lazy("Gast"), required=False)
    joined_on = build_day_field(gettext_lazy("Dabei seit"), validators=[validate_not_in_future])
    left_on = build_day_field(
        gettext_lazy("Ausgeschieden am"), help_text=gettext_lazy("Ausgeschiedene bleiben in allen alten Listen.")
    )
    rests_from = build_day_field(
        gettext_lazy("Pause ab"), help_text=gettext_lazy("In der Pause gilt kein Abend als versäumt, und Fehlen kostet nichts.")
    )
    rests_until = build_day_field(gettext_lazy("Pause bis"))
    by_initial = forms.BooleanField(label=Player._meta.get_field("by_initial").verbose_name, required=False)

    def __init__(self, *args: Any, club: Club, player: Player | None = None, **kwargs: Any) -> None:
        shown = ("name", "guest", "joined_on", "left_on", "rests_from", "rests_until", "user", "by_initial")
        if player is not None:
            kwargs["initial"] = {name: getattr(player, name) for name in shown}
        super().__init__(*args, **kwargs)
        self.club, self.player = club, player
        self.fields["user"] = forms.ModelChoiceField(
            list_assignable_logins(club, player),
            label=_("Zugang"),
            required=False,
            empty_label=_("– keine –"),
            widget=forms.Select(attrs=NAME_ATTRS),
            help_text=_("Mit welchem Zugang diese Person „ich“ ist."),
        )
        submit = Submit("save", _("Speichern") if player else _("Aufnehmen"), css_class="btn-primary w-100")
        self.helper = build_post_helper("sure", *shown, submit)

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        others = Player.objects.filter(club=self.club, name_key=name_key(name))
        if others.exclude(pk=self.player.pk if self.player else 0).exists():
            raise forms.ValidationError(
                _("Diesen Namen gibt es im Club schon, vielleicht anders geschrieben. Bitte einen Zusatz wählen.")
            )
        return name

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        joined_on, left_on = cleaned.get("joined_on"), cleaned.get("left_on")
        if joined_on and left_on and left_on < joined_on:
            self.add_error("left_on", _("Ausgeschieden ist man erst nach dem Eintritt."))
        rests_from, rests_until = cleaned.get("rests_from"), cleaned.get("rests_until")
        if rests_until and "rests_from" not in self.errors and (rests_from is None or rests_until < rests_from):
            self.add_error("rests_until", _("Das Ende der Pause liegt vor ihrem Anfang."))
        for name in {"joined_on", "left_on"} & set(self.changed_data):
            self.ask_once(name, cleaned.get(name), build_long_ago_warning(self.club, cleaned.get(name)))
        return cleaned


class RolesForm(forms.Form):
    scorer = forms.BooleanField(label=Membership._meta.get_field("scorer").verbose_name, required=False)
    treasurer = forms.BooleanField(label=Membership._meta.get_field("treasurer").verbose_name, required=False)
    admin = forms.BooleanField(label=Membership._meta.get_field("admin").verbose_name, required=False)

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
