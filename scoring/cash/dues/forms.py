"""Set the dues status of a member from a month on."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from typing import Any, Final

from crispy_forms.bootstrap import InlineRadios
from crispy_forms.layout import Submit
from django import forms
from django.http import QueryDict
from django.utils import timezone
from django.utils.translation import gettext as _

from scoring.cash.forms import build_choice
from scoring.cash.models import DUES_FIELDS, DuesStatus
from scoring.club.models import Player
from scoring.core.formats import format_month
from scoring.core.forms import build_post_helper

# The months to choose from: so many before this one and after it.
_BEFORE: Final = 12
_AFTER: Final = 3


class StatusForm(forms.ModelForm):  # type: ignore[type-arg]  # generic for mypy alone
    field_order = ("person", "status")

    class Meta:
        model = DuesStatus
        fields = tuple(DUES_FIELDS)

    def __init__(self, data: QueryDict | None, *, members: list[Player], initial: dict[str, Any]) -> None:
        super().__init__(data, initial=initial)
        today = timezone.localdate()
        self.by_id = {str(player.pk): player for player in members}
        people = [(pk, str(player)) for pk, player in self.by_id.items()]
        self.fields["person"] = build_choice(_("Wer?"), people, people=True)
        self.fields["status"] = forms.ChoiceField(
            label=_("Beitrag"), choices=DuesStatus.Status.choices, initial="reduced", widget=forms.RadioSelect
        )
        self.fields["month"] = build_choice(_("Ab"), _list_months(today), f"{today:%Y-%m}")
        save = Submit("save", _("Speichern"), css_class="btn-primary w-100")
        self.order_fields(self.field_order)
        self.helper = build_post_helper(*(InlineRadios(name) if name == "status" else name for name in self.fields), save)

    @property
    def player(self) -> Player:
        return self.by_id[self.cleaned_data["person"]]


def _list_months(today: datetime.date) -> Iterator[tuple[str, str]]:
    """List the months to choose from, the latest first."""
    now = today.year * 12 + today.month - 1
    for number in range(now + _AFTER, now - _BEFORE - 1, -1):
        month = f"{number // 12}-{number % 12 + 1:02}"
        yield month, format_month(month)
