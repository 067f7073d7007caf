"""The page on which readers choose a span of time, and the workbook of the club or its tables as CSV, from one snapshot."""

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
from scoring.standings.texts import describe_evenings_without_games, describe_openings

from .queries import ClubFile, Span, list_spans
from .workbook import build_club_csv, build_club_workbook, build_table_csv, get_span_title, get_table_titles


class SpanForm(forms.Form):
    """The choice of a span; a GET form, so that a selection has an address."""

    def __init__(self, *args: Any, spans: Sequence[Span], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.spans = {span.key: span for span in spans}
        self.fields["span"] = forms.ChoiceField(label=_("Zeitraum"), required=False, choices=_list_choices(spans))
        choose = StrictButton(_("Auswählen"), type="submit", css_class="btn-outline-secondary")
        self.helper = build_filter_helper("span", choose)


def _list_choices(spans: Sequence[Span]) -> list[tuple[str, Any]]:
    seasons = [(span.key, span.season.name) for span in spans if span.season]
    years = [(span.key, str(span.year)) for span in spans if span.year]
    groups = [(_("Saisons"), seasons), (_("Jahre"), years)]
    return [("", _("alle Zeit")), *((name, choices) for name, choices in groups if choices)]


@require_safe
def club_file(request: HttpRequest, slug: str) -> HttpResponse:
    access, file, form = _parse_request(request, slug)
    context = {
        "access": access,
        "section": "more",
        "form": form,
        "file": file,
        "title": get_span_title(file.span),
        "tables": get_table_titles(file),
        "query": f"?span={file.span.key}" if file.span.key else "",
    }
    return render(request, "scoring/exports/club_file.html", context)


@require_safe
@never_cache
def club_excel(request: HttpRequest, slug: str) -> HttpResponse:
    _access, file, _form = _parse_request(request, slug)
    # The games are read while the file is written.
    with limit_slow_work(), snapshot():
        marks = [describe_evenings_without_games(file.evenings_without_games), describe_openings(file.openings, Selection())]
        body = build_club_workbook(file, [mark for mark in marks if mark]).as_bytes()
    return attachment(body, "xlsx", file.club.name, get_span_title(file.span))


@require_safe
@never_cache
def club_csv(request: HttpRequest, slug: str) -> HttpResponse:
    _access, file, _form = _parse_request(request, slug)
    with limit_slow_work(), snapshot():
        body = build_club_csv(file).as_zip()
    return attachment(body, "zip", file.club.name, get_span_title(file.span))


@require_safe
@never_cache
def export_csv(request: HttpRequest, slug: str, name: str) -> HttpResponse:
    _access, file, _form = _parse_request(request, slug)
    with limit_slow_work(), snapshot():
        title = get_table_titles(file).get(name)
        if title is None:
            raise Http404
        body = build_table_csv(file, name).sheets[0].as_bytes()
    return attachment(body, "csv", title, file.club.name, get_span_title(file.span))


def _parse_request(request: HttpRequest, slug: str) -> tuple[Access, ClubFile, SpanForm]:
    """Return the club and its file for the span of the request, by default of all time. Nothing of the file is read yet."""
    access = get_club(request, slug, Role.READER)
    form = SpanForm({"span": request.GET.get("span", "")}, spans=list_spans(access.club))
    if not form.is_valid():
        raise Http404
    return access, ClubFile(access.club, form.spans[form.cleaned_data["span"]], access.sees_books), form
