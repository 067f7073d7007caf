"""Everything a club has as one Excel file, or its tables as CSV: the page where one chooses, and the files. They are made
anew for every download, from one moment of the records."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from crispy_forms.bootstrap import StrictButton
from django import forms
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from scoring.club.access import Access, Role, get_club
from scoring.core.database import snapshot
from scoring.core.forms import build_filter_helper
from scoring.core.limits import limit_slow_work
from scoring.core.responses import attachment
from scoring.standings.queries.selection import Selection
from scoring.standings.tables import with_openings, without_games

from .queries import ClubFile, Span, spans_of
from .workbook import club_tables, club_workbook, one_table, span_title, table_keys


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


@require_safe
def club_file(request: HttpRequest, slug: str) -> HttpResponse:
    access, form, span = _asked(request, slug)
    with snapshot():
        file = ClubFile(access.club, span, access.treasurer)
    context = {
        "access": access,
        "section": "more",
        "form": form,
        "file": file,
        "title": span_title(span),
        "tables": table_keys(file),
        "query": f"?span={span.key}" if span.key else "",
    }
    return render(request, "scoring/exports/club_file.html", context)


@require_safe
@never_cache
def club_excel(request: HttpRequest, slug: str) -> HttpResponse:
    access, _form, span = _asked(request, slug)
    # The games are read while the file is written.
    with limit_slow_work(), snapshot():
        file = ClubFile(access.club, span, access.treasurer)
        marks = [without_games(file.evenings_without_games), with_openings(file.openings, Selection())]
        body = club_workbook(file, [mark for mark in marks if mark]).as_bytes()
    return attachment(body, "xlsx", access.club.name, span_title(span))


@require_safe
@never_cache
def club_csv(request: HttpRequest, slug: str) -> HttpResponse:
    """Every table as CSV, in one archive."""
    access, _form, span = _asked(request, slug)
    with limit_slow_work(), snapshot():
        body = club_tables(ClubFile(access.club, span, access.treasurer)).as_zip()
    return attachment(body, "zip", access.club.name, span_title(span))


@require_safe
@never_cache
def table_csv(request: HttpRequest, slug: str, name: str) -> HttpResponse:
    """One of the tables that the page offers by themselves."""
    access, _form, span = _asked(request, slug)
    with limit_slow_work(), snapshot():
        file = ClubFile(access.club, span, access.treasurer)
        title = table_keys(file).get(name)
        if title is None:
            raise Http404
        body = one_table(file, name).sheets[0].as_bytes()
    return attachment(body, "csv", title, access.club.name, span_title(span))


def _asked(request: HttpRequest, slug: str) -> tuple[Access, SpanForm, Span]:
    """The club and the days that are asked for: without the word, all of them."""
    access = get_club(request, slug, Role.READER)
    form = SpanForm({"span": request.GET.get("span", "")}, spans=spans_of(access.club))
    if form.chosen is None:
        raise Http404
    return access, form, form.chosen
