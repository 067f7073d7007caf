"""The filter of the history, and the forms to erase a name, keep the history, and found or delete a club."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from functools import reduce
from operator import or_
from typing import Any, Final

from crispy_forms.bootstrap import StrictButton
from crispy_forms.layout import Submit
from django import forms
from django.contrib.auth.forms import SetPasswordMixin, UsernameField
from django.contrib.auth.models import AnonymousUser, User
from django.core.exceptions import ValidationError
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.accounts.forms import require_password
from scoring.accounts.passwords import MAX_PASSWORD, validate_first_password
from scoring.club.models import Change, Club, Membership, Player, Verb
from scoring.core.formats import NAME_ATTRS
from scoring.core.forms import ListFilterForm, build_filter_helper, build_filter_layout, build_post_helper
from scoring.core.names import matches_search
from scoring.core.text import text_key, tidy, validate_plain
from scoring.play.models import Evening, Game
from scoring.rulesets.forms.rule_sets import QuestionsForm

from .access import ASKED

# The kinds of changes, with the beginnings of their verbs (club/models.py).
KINDS: Final[Mapping[str, tuple[Any, tuple[str, ...]]]] = {
    "games": (gettext_lazy("Spiele"), ("game.",)),
    "tables": (gettext_lazy("Sitzordnung und Regeln eines Tisches"), ("table.", "rules.moved")),
    "evenings": (gettext_lazy("Abende"), ("evening.",)),
    "people": (gettext_lazy("Personen"), ("player.",)),
    "rights": (gettext_lazy("Rechte und Einladungen"), ("member.", "link.")),
    "rules": (gettext_lazy("Regelwerke"), ("rules.",)),
    "league": (gettext_lazy("Liga"), ("season.", "month.")),
    "cash": (gettext_lazy("Kasse"), ("cash.",)),
    "lists": (gettext_lazy("Alte Dateien und Archive"), ("import.", "archive.")),
    "club": (gettext_lazy("Was der Club zeigt und aufhebt"), ("club.", "history.")),
}
# Typed texts in log entries: the beginning of the verb, and the keys of the texts.
TYPED: Final = {"game.": ("facts__reason", "note"), "evening.": ("place", "note"), "cash.": ("number",)}


class FilterForm(ListFilterForm):
    def __init__(
        self, *args: Any, people: Iterable[Player], members: Iterable[Membership], evenings: Iterable[Evening], **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.people = {f"person-{player.pk}": player for player in people}
        logins = {player.user_id for player in self.people.values()}
        names = [(key, str(player)) for key, player in self.people.items()]
        names += [(f"login-{one.user_id}", one.user.get_username()) for one in members if one.user_id not in logins]
        days = [(str(evening.pk), date_format(evening.held_on, "SHORT_DATE_FORMAT")) for evening in evenings]
        kinds = [(kind, name) for kind, (name, _verbs) in KINDS.items()]
        self.fields["text"] = forms.CharField(
            label=_("Suche"), required=False, max_length=100, validators=[validate_plain], widget=forms.SearchInput
        )
        for field, label, choices in (
            ("who", _("Person"), names),
            ("evening", _("Abend"), days),
            ("kind", _("Art"), kinds),
        ):
            self.fields[field] = forms.ChoiceField(choices=[("", _("alle")), *choices], label=label, required=False)
        self.fields["who"].widget.attrs |= NAME_ATTRS
        self.helper = build_filter_helper(build_filter_layout(self, *self.fields))

    def filter(self, changes: QuerySet[Change]) -> QuerySet[Change]:
        """Return the selected changes. An invalid choice is ignored and reported at its field."""
        self.is_valid()
        chosen = self.cleaned_data
        if text := chosen.get("text"):
            changes = changes.filter(self._with_text(text))
        if who := chosen.get("who"):
            changes = changes.filter(self._by_or_about(who))
        if evening := chosen.get("evening"):
            changes = changes.filter(Q(table__evening=evening) | Q(verb__startswith="evening.", subject_id=evening))
        if kind := chosen.get("kind"):
            changes = changes.filter(_any(Q(verb__startswith=verb) for verb in KINDS[kind][1]))
        return changes

    def _with_text(self, text: str) -> Q:
        """Return a condition for changes with this text: in their verb, in the name of a person or login, or in a typed text."""
        key = text_key(text)
        labeled = Q(verb__in=[verb for verb in Verb if key in text_key(str(verb.label))])
        labeled |= Q(verb__startswith="game.", after__form__in=[one for one in Game.Form if key in text_key(str(one.label))])
        people = [player for player in self.people.values() if matches_search(player.name, text)]
        return labeled | _about(people) | Q(actor__username__icontains=text) | _any(
            # The order matters: the JSON of other changes is not searched.
            Q(verb__startswith=verbs) & Q(**{f"{side}__isnull": False}) & Q(**{f"{side}__{field}__iregex": re.escape(text)})
            for verbs, fields in TYPED.items()
            for field in fields
            for side in ("before", "after")
        )

    def _by_or_about(self, who: str) -> Q:
        player = self.people.get(who)
        return _about([player]) if player else Q(actor=int(who.removeprefix("login-")))


def _about(people: Collection[Player]) -> Q:
    logins = [player.user_id for player in people if player.user_id]
    subjects = [str(player.pk) for player in people]
    return Q(spoken_as__in=people) | Q(verb__startswith="player.", subject_id__in=subjects) | Q(actor__in=logins)


def _any(conditions: Iterable[Q]) -> Q:
    return reduce(or_, conditions, Q())


class EraseForm(forms.Form):
    texts = forms.BooleanField(
        label=gettext_lazy("Auch in getippten Texten durch „…“ ersetzen, im Verlauf ebenso"),
        required=False,
        initial=True,
    )
    sure = forms.BooleanField(
        label=gettext_lazy("Ich weiß, dass sich das nicht zurücknehmen lässt."),
        error_messages={"required": gettext_lazy("Bitte ankreuzen, dass der Name endgültig entfernt werden soll.")},
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        submit = StrictButton(_("Namen endgültig entfernen"), type="submit", css_class="btn-danger w-100")
        self.helper = build_post_helper("texts", "sure", submit)


class RetentionForm(forms.Form):
    years = forms.IntegerField(
        label=gettext_lazy("Jahre, die der Verlauf bleibt (leer: für immer)"),
        required=False,
        min_value=1,
        max_value=99,
        widget=forms.NumberInput(attrs={"class": "form-control", "inputmode": "numeric"}),
    )


_LOGIN: Final = ("username", "password1", "password2")


def _password(label: Any, autocomplete: str = "new-password") -> forms.CharField:
    """Return a field for a password that keeps its value when another field is refused."""
    attrs = {"class": "form-control", "autocomplete": autocomplete, "maxlength": str(MAX_PASSWORD)}
    widget = forms.PasswordInput(render_value=True, attrs=attrs)
    return forms.CharField(label=label, strip=False, max_length=MAX_PASSWORD, widget=widget)


class AddressForm(forms.Form):
    email = forms.EmailField(
        label=gettext_lazy("E-Mail-Adresse"), max_length=254, widget=forms.EmailInput(attrs={"autocomplete": "email"})
    )

    def __init__(self, data: Any = None) -> None:
        super().__init__(data)
        self.helper = build_post_helper("email", Submit("ask", _("Link schicken"), css_class="btn-primary w-100"))


class FoundingForm(SetPasswordMixin, QuestionsForm):  # type: ignore[type-arg]  # Django's class takes no argument
    """The name, people, rules and founder of a new club. A new login gets the confirmed mail `address`, and so does one that
    has none and requested the link in this session: else a person could send their link to others and reset their passwords."""

    club_name = forms.CharField(
        label=gettext_lazy("Name des Clubs"),
        max_length=Club._meta.get_field("name").max_length,
        validators=Club._meta.get_field("name").validators,
        widget=forms.TextInput(attrs={"class": "form-control", "autocomplete": "off"}),
    )
    username = UsernameField(
        label=gettext_lazy("Anmeldename"),
        max_length=User._meta.get_field("username").max_length,
        validators=User._meta.get_field("username").validators,
        widget=forms.TextInput(attrs={"class": "form-control", "autocorrect": "off", "spellcheck": "false"}),
    )
    password1 = _password(gettext_lazy("Passwort"))
    password2 = _password(gettext_lazy("Passwort noch einmal"))
    password = _password(gettext_lazy("Passwort"), "current-password")

    def __init__(
        self, data: Any = None, *, request: HttpRequest, user: User | AnonymousUser, address: str = ""
    ) -> None:
        super().__init__(data, club=Club(), founding=True)
        self.request, self.user, self.address = request, user, address
        self.adds_address = isinstance(user, User) and not user.email and bool(address) and request.session.get(ASKED) == address
        self.fields["people"].label = _("Wer spielt mit? Je Zeile ein Name, zuerst der eigene.")
        self.fields["name"].label = _("Name dieser Regeln")
        example = _("z. B. %(names)s") % {"names": "Annegret\nBernd\nDörte\nJürgen"}
        self.fields["people"].widget.attrs |= {"rows": 4, "placeholder": example}
        self.fields["password1"].help_text = _("Mindestens zehn Zeichen, am besten ein Satz aus vier Wörtern.")
        self.order_fields(["club_name", "people", *_LOGIN, "password"])
        self.has_login = user.is_authenticated
        for name in _LOGIN if self.has_login else ():
            del self.fields[name]
        if not self.adds_address:
            del self.fields["password"]

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
            around = [cleaned.get("club_name", ""), *cleaned.get("people", [])]
            try:
                if password := cleaned.get("password1"):
                    validate_first_password(password, cleaned.get("username", ""), around)
            except ValidationError as weak:
                self.add_error("password1", weak)
        return cleaned

    @property
    def login_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in (*_LOGIN, "password") if name in self.fields]


class DeleteForm(forms.Form):
    name = forms.CharField(
        label=gettext_lazy("Name des Clubs"),
        widget=forms.TextInput(attrs={"class": "form-control", "autocomplete": "off"}),
    )

    def __init__(self, *args: Any, club: Club, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.club = club

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        if text_key(name) not in (text_key(self.club.name), text_key(self.club.slug)):
            raise forms.ValidationError(_("Bitte den Namen so eingeben: %(name)s.") % {"name": self.club.name})
        return name
