"""Which changes the history shows: with a text, by whom, on which evening, of which kind. A GET form, so that a selection is an
address that can be passed on."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from typing import Any, Final

from django import forms
from django.db.models import Q, QuerySet
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.club.models import Change, Membership, Player, Verb
from scoring.core.formats import NAME_ATTRS
from scoring.core.forms import ListFilterForm, build_filter_helper, build_filter_layout
from scoring.core.names import matches_search
from scoring.core.text import text_key, validate_plain
from scoring.play.models import Evening, Game

# What the verbs of these changes begin with (club/models.py).
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
# Texts that the history shows as they were typed: what the verbs begin with, and where the text stands.
TYPED: Final = {"game.": ("facts__reason", "note"), "evening.": ("place",), "cash.": ("number",)}


class FilterForm(ListFilterForm):
    """Offers the people and logins of the club, and its evenings."""

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

    def of(self, changes: QuerySet[Change]) -> QuerySet[Change]:
        """Those of `changes` that were asked for; a choice that does not exist counts as none and is named at its field."""
        self.is_valid()
        chosen = self.cleaned_data
        if text := chosen.get("text"):
            changes = changes.filter(self._with_text(text))
        if who := chosen.get("who"):
            changes = changes.filter(self._of_whom(who))
        if evening := chosen.get("evening"):
            changes = changes.filter(Q(table__evening=evening) | Q(verb__startswith="evening.", subject_id=evening))
        if kind := chosen.get("kind"):
            changes = changes.filter(_any(Q(verb__startswith=verb) for verb in KINDS[kind][1]))
        return changes

    def _with_text(self, text: str) -> Q:
        """What is called so, what people did or went through who are called so, and where it was typed."""
        key = text_key(text)
        called = Q(verb__in=[verb for verb in Verb if key in text_key(str(verb.label))])
        called |= Q(verb__startswith="game.", after__form__in=[one for one in Game.Form if key in text_key(str(one.label))])
        people = [player for player in self.people.values() if matches_search(player.name, text)]
        return called | _about(people) | Q(actor__username__icontains=text) | _any(
            # In this order: what is no such change is not looked into.
            Q(verb__startswith=verbs) & Q(**{f"{side}__isnull": False}) & Q(**{f"{side}__{field}__iregex": re.escape(text)})
            for verbs, fields in TYPED.items()
            for field in fields
            for side in ("before", "after")
        )

    def _of_whom(self, who: str) -> Q:
        """What somebody did by their login or by the link of a table, and what was done about them."""
        player = self.people.get(who)
        return _about([player]) if player else Q(actor=int(who.removeprefix("login-")))


def _about(people: Collection[Player]) -> Q:
    logins = [player.user_id for player in people if player.user_id]
    subjects = [str(player.pk) for player in people]
    return Q(spoken_as__in=people) | Q(verb__startswith="player.", subject_id__in=subjects) | Q(actor__in=logins)


def _any(conditions: Iterable[Q]) -> Q:
    found = Q()
    for condition in conditions:
        found |= condition
    return found
