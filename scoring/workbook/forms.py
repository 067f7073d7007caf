"""What the file of a club holds: all time, a season or a year. A GET form, so that a selection is an address."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from crispy_forms.bootstrap import StrictButton
from django import forms
from django.utils.translation import gettext as _

from scoring.core.forms import build_filter_helper

from .queries import Span


class SpanForm(forms.Form):
    """One choice, `span`."""

    def __init__(self, *args: Any, spans: Sequence[Span], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._spans = {span.key: span for span in spans}
        self.fields["span"] = forms.ChoiceField(label=_("Zeitraum"), required=False, choices=_choices(spans))
        choose = StrictButton(_("Auswählen"), type="submit", css_class="btn-outline-secondary")
        self.helper = build_filter_helper("span", choose)

    @property
    def chosen(self) -> Span | None:
        """None where there is no such season or year."""
        return self._spans[self.cleaned_data["span"]] if self.is_valid() else None


def _choices(spans: Sequence[Span]) -> list[tuple[str, Any]]:
    """All time, then seasons and years, each under what they are: most seasons are called a season already."""
    seasons = [(span.key, span.season.name) for span in spans if span.season]
    years = [(span.key, str(span.year)) for span in spans if span.year]
    groups = [(_("Saisons"), seasons), (_("Jahre"), years)]
    return [("", _("alle Zeit")), *((name, offered) for name, offered in groups if offered)]
