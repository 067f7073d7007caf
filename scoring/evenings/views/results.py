"""After the last game: the result as a page, as a text for the group chat and as a picture, and the sheets on paper."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from scoring.cash.excel import write_evening
from scoring.cash.queries.facts import read_facts
from scoring.cash.words.charged import bills
from scoring.club.access import Access, Role
from scoring.core.database import snapshot
from scoring.core.limits import limit_slow_work
from scoring.core.responses import attachment
from scoring.evenings.access import get_evening
from scoring.evenings.drawing import draw_curve, draw_picture
from scoring.evenings.excel import evening_workbook
from scoring.evenings.queries.results import EveningResult, named, read_result
from scoring.evenings.queries.sheets import read_evening
from scoring.play.queries import list_signers


@require_safe
def result(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    evening, access = get_evening(request, slug, pk, Role.EVENINGS)
    with snapshot():
        found, signed = read_result(evening), list_signers(evening) if access.member else []
    named(found, access.names)
    context = {
        "access": access,
        "section": "evenings",
        "evening": evening,
        "signed": signed,
        "several": len(found.sheets) > 1,
        "has_sheets": bool(found.sheets),
        "tables": [sheet.table for sheet in found.sheets],
        "rankings": [(ranking, [(sheet, draw_curve(sheet)) for sheet in ranking.sheets]) for ranking in found.rankings],
        "text": _chat_text(access, found) if access.member else "",
        "title": _("Ergebnis") + f" {access.club.name}",
        "pictures": _pictures(access, found),
    }
    return render(request, "scoring/evenings/result.html", context)


@require_safe
@never_cache
def result_text(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """The text as a file, for whoever has neither a share sheet nor a clipboard."""
    evening, access = get_evening(request, slug, pk, Role.READER)
    with snapshot():
        text = _chat_text(access, read_result(evening))
    return attachment(text.encode(), "txt", _("Ergebnis"), access.club.name, evening.held_on.isoformat())


@require_safe
@never_cache
def result_picture(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """The ranking in one unit (`?unit=`, else that of the first table) as an SVG."""
    evening, access = get_evening(request, slug, pk, Role.READER)
    with snapshot():
        rankings = read_result(evening).rankings
    asked = request.GET.get("unit", rankings[0].unit)
    ranking = next((ranking for ranking in rankings if ranking.unit == asked), None)
    if ranking is None:
        raise Http404(_("Das gibt es hier nicht."))
    context = {"picture": draw_picture(ranking, access.club.name, evening)}
    return render(request, "scoring/picture.svg", context, content_type="image/svg+xml")


@require_safe
def paper(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """The sheets as a club pins them up: in playing order, each on pages of its own. Where only results are known there
    are none."""
    evening, access = get_evening(request, slug, pk, Role.READER)
    with snapshot():
        sheets, signed = read_evening(evening).sheets, list_signers(evening)
    if not sheets:
        return redirect("result", slug, pk)
    # On each sheet sign those who sat there; all of them as long as nobody has signed.
    papers = [(sheet, [player for player in sheet.players if not signed or player in signed]) for sheet in sheets]
    context = {"access": access, "section": "evenings", "evening": evening, "papers": papers, "signed": signed}
    return render(request, "scoring/evenings/paper.html", context)


def _pictures(access: Access, found: EveningResult) -> list[tuple[str, str, str]]:
    """The picture of each ranking: its address, what its file is called, and what it shows."""
    at = reverse("result_picture", args=[access.club.slug, found.evening.pk])
    name = f"{access.club.slug}-{found.evening.held_on.isoformat()}"
    shows = _("Das Ergebnis als Bild: Rangliste und Verlauf wie oben.")
    return [
        (f"{at}?unit={ranking.unit}", f"{name}-{ranking.unit}" if place else name, shows)
        for place, ranking in enumerate(found.rankings)
        if ranking.places
    ]


def _chat_text(access: Access, found: EveningResult) -> str:
    return render_to_string("scoring/evenings/chat.txt", {"access": access, "result": found}).strip() + "\n"


@require_safe
@never_cache
def evening_excel(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    evening, access = get_evening(request, slug, pk, Role.READER)
    with limit_slow_work():
        with snapshot():
            sheets = read_evening(evening)
            costs = bills(read_facts(evening), evening.tariff) if evening.tariff and not evening.dropped else []
        workbook = evening_workbook(sheets)
        if costs:
            title = _("Was der Abend kostet, %(day)s") % {"day": date_format(evening.held_on, "SHORT_DATE_FORMAT")}
            write_evening(workbook, title, costs)
        body = workbook.as_bytes()
    return attachment(body, "xlsx", _("Abend"), access.club.name, evening.held_on.isoformat())
