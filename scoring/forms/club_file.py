"""What the file of a club holds: all time, a season or a year. A GET form, so that a selection is an address."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from crispy_forms.helper import FormHelper
from crispy_forms.layout import Layout, Submit
from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.queries.club_file import Span


class SpanForm(forms.Form):
    span = forms.ChoiceField(label=gettext_lazy("Zeitraum"), required=False)

    def __init__(self, *args: Any, spans: Sequence[Span], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._spans = {span.key: span for span in spans}
        self.fields["span"].choices = [(span.key, _label(span)) for span in spans]
        self.helper = FormHelper()
        self.helper.form_method = "get"
        self.helper.disable_csrf = True
        self.helper.layout = Layout("span", Submit("", _("Auswählen"), css_class="btn-primary"))

    @property
    def chosen(self) -> Span | None:
        """None where there is no such season or year."""
        return self._spans[self.cleaned_data["span"]] if self.is_valid() else None


def _label(span: Span) -> str:
    if span.season:
        return _("Saison %(name)s") % {"name": span.season.name}
    return _("Jahr %(year)s") % {"year": span.year} if span.year else _("alle Zeit")
