"""Which changes the history shows: by whom, on which evening, of which kind. A GET form, so that a selection is an address
that can be passed on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from crispy_forms.layout import Submit
from django import forms
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.club.models.history import Change
from scoring.club.models.people import Membership, Player
from scoring.core.pages import ChoosingForm, chosen_by, side_by_side
from scoring.core.words import UNTRANSLATED
from scoring.play.models import Evening

# What the verbs of these changes begin with (club/models/history.py).
KINDS: Final[Mapping[str, tuple[Any, tuple[str, ...]]]] = {
    "games": (gettext_lazy("Spiele"), ("game.",)),
    "tables": (gettext_lazy("Wer am Tisch sitzt, nach welchen Regeln"), ("table.", "rules.moved")),
    "evenings": (gettext_lazy("Abende"), ("evening.",)),
    "people": (gettext_lazy("Personen"), ("player.",)),
    "rights": (gettext_lazy("Rechte und Einladungen"), ("member.", "link.")),
    "rules": (gettext_lazy("Regelwerke"), ("rules.",)),
    "league": (gettext_lazy("Liga"), ("season.", "month.")),
    "cash": (gettext_lazy("Kasse"), ("cash.",)),
    "lists": (gettext_lazy("Alte Listen und Archive"), ("import.", "archive.")),
    "club": (gettext_lazy("Was der Club zeigt und aufhebt"), ("club.", "history.")),
}


class FilterForm(ChoosingForm):
    """Offers the people and logins of the club, and its evenings."""

    def __init__(
        self, *args: Any, people: Iterable[Player], members: Iterable[Membership], evenings: Iterable[Evening], **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.people = {f"person-{player.pk}": player for player in people}
        logins = {player.user_id for player in self.people.values()}
        names = [(key, str(player)) for key, player in self.people.items()]
        names += [(f"login-{one.user_id}", one.user.get_username()) for one in members if one.user_id not in logins]
        days = [(str(evening.pk), str(evening)) for evening in evenings]
        kinds = [(kind, name) for kind, (name, _verbs) in KINDS.items()]
        for field, label, choices in (
            ("who", _("Von wem oder über wen"), names),
            ("evening", _("Abend"), days),
            ("kind", _("Was geändert wurde"), kinds),
        ):
            self.fields[field] = forms.ChoiceField(choices=[("", _("alle")), *choices], label=label, required=False)
        self.fields["who"].widget.attrs |= UNTRANSLATED
        show = Submit("", _("Anzeigen"), css_class="btn-primary")
        self.helper = chosen_by(side_by_side(*self.fields), show)

    def of(self, changes: QuerySet[Change]) -> QuerySet[Change]:
        """Those of `changes` that were asked for; a choice that does not exist counts as none and is named at its field."""
        self.is_valid()
        chosen = self.cleaned_data
        if who := chosen.get("who"):
            changes = changes.filter(self._of_whom(who))
        if evening := chosen.get("evening"):
            changes = changes.filter(Q(table__evening=evening) | Q(verb__startswith="evening.", subject_id=evening))
        if kind := chosen.get("kind"):
            changes = changes.filter(_any(Q(verb__startswith=verb) for verb in KINDS[kind][1]))
        return changes

    def _of_whom(self, who: str) -> Q:
        """What somebody did by their login or by the link of a table, and what was done about them."""
        player = self.people.get(who)
        if player is None:
            return Q(actor=int(who.removeprefix("login-")))
        about = Q(spoken_as=player) | Q(verb__startswith="player.", subject_id=str(player.pk))
        return about | Q(actor=player.user_id) if player.user_id else about


def _any(conditions: Iterable[Q]) -> Q:
    found = Q()
    for condition in conditions:
        found |= condition
    return found
