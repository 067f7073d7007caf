"""The pages of seasons and months: tables, settings, closing a month, supplements, files and pictures."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django_tables2.utils import A

from scoring.club.access import Access, Role, get_club, refuse_outsider
from scoring.core.database import snapshot
from scoring.core.errors import ActionRefused, add_refusal_to
from scoring.core.formats import format_month
from scoring.core.limits import limit_slow_work
from scoring.core.responses import attachment
from scoring.league.forms import CloseMonthForm, SeasonForm, SupplementForm
from scoring.league.models import MonthClosing, Season
from scoring.league.queries.news import list_news_before, list_undecided
from scoring.league.tables import build_month_table, build_season_table

from .actions import SeasonChanged, add_season, add_supplement, change_season, close_month, collect_month_changes
from .exports import build_month_file, draw_month, draw_season
from .queries.books import (
    Books,
    compute_hash,
    find_deleted_evenings,
    get_current_season,
    get_days,
    get_month,
    get_season,
    is_over,
    list_seasons,
    read_books,
    read_content,
    serialize_content,
)
from .queries.months import (
    build_publication,
    find_earlier_open_month,
    find_open_month,
    get_content,
    is_supplemented,
    list_changes_since_closing,
    list_open_differences,
    list_published_changes,
)
from .queries.seasons import keep_published, read_season_table, redact_month, redact_season
from .rules import Content
from .texts import (
    list_missing,
    list_season_sentences,
    render_agreeing,
    render_changes,
    render_differing,
    render_month_text,
    render_season_text,
)

LONGEST_MONTH = datetime.timedelta(31)


@require_safe
def league(request: HttpRequest, slug: str) -> HttpResponse:
    access = get_club(request, slug, Role.MONTHS)
    seasons = list(list_seasons(access.club))
    if current := get_current_season(seasons):
        return _render_season(request, access, current, seasons)
    return render(request, "scoring/league/none.html", {"access": access, "section": "league"})


@require_safe
def season(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    season, access = get_season(request, slug, pk, Role.MONTHS)
    return _render_season(request, access, season, list(list_seasons(access.club)))


def _render_season(request: HttpRequest, access: Access, season: Season, seasons: list[Season]) -> HttpResponse:
    with snapshot():
        books = read_books(season) if access.member else keep_published(read_books(season))
    table = read_season_table(books)
    shown = redact_season(access.names, table)
    at = seasons.index(season)
    name_leads = ("player", [access.club.slug, A("player")]) if access.member else None
    context = {
        "access": access,
        "section": "league",
        "season": season,
        "is_current": season == get_current_season(seasons),
        "others": [other for other in seasons if other.pk != season.pk],
        "later": seasons[at - 1] if at else None,
        "earlier": seasons[at + 1] if at + 1 < len(seasons) else None,
        "table": shown,
        "ranked": build_season_table(shown, access.club.slug, books.left, name_leads, request.GET.get("sort")),
        "missing": list_missing(table) if access.member else [],
        "sentences": list_season_sentences(season.settings),
        # The span in the addresses of the workbook and of the standings.
        "span": f"season-{season.pk}",
    }
    if access.member:
        # The months that wait for a decision: those of this season, and earlier ones of others.
        news = list_news_before(books, get_month(season.last_day.replace(day=1) + LONGEST_MONTH), seasons)
        context |= {"waiting": news, "undecided": list_undecided(news)}
    if access.member and table.rows:
        picture = reverse("season_picture", args=[access.club.slug, season.pk])
        shows = _("Die Tabelle der Saison als Bild.")
        context |= {
            "text": render_season_text(table),
            "title": f"{season.name} · {access.club.name}",
            "pictures": [(picture, f"{access.club.slug}-{slugify(season.name)}", shows)],
        }
    return render(request, "scoring/league/season.html", context)


@require_safe
@never_cache
def season_picture(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    season, _access = get_season(request, slug, pk, Role.READER)
    with snapshot():
        table = read_season_table(read_books(season))
    return render(request, "scoring/picture.svg", {"picture": draw_season(table)}, content_type="image/svg+xml")


@require_http_methods(["GET", "HEAD", "POST"])
def season_new(request: HttpRequest, slug: str) -> HttpResponse:
    access = get_club(request, slug, Role.ADMIN)
    form = SeasonForm(request.POST or None, club=access.club)
    if request.method == "POST" and form.is_valid():
        try:
            season = add_season(club=access.club, actor=access.actor, **form.action_values)
        except ValidationError as refused:
            form.add_error(None, refused.messages)
        except ActionRefused as refused:
            add_refusal_to(form, refused)
        else:
            messages.success(request, _("Die Saison „%(name)s“ ist angelegt.") % {"name": season.name})
            return redirect("season", slug, season.pk)
    context = {"access": access, "section": "league", "form": form}
    return render(request, "scoring/league/edit.html", context, status=422 if form.errors else 200)


@require_http_methods(["GET", "HEAD", "POST"])
def season_edit(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    season, access = get_season(request, slug, pk, Role.ADMIN)
    form = SeasonForm(request.POST or None, club=access.club, season=season)
    status = 422
    if request.method == "POST" and form.is_valid():
        version = form.cleaned_data["version"] or 0
        try:
            change_season(season=season, version=version, actor=access.actor, **form.action_values)
        except SeasonChanged as refused:
            # The input stays; saving again replaces the changes of the other admin.
            typed = request.POST.copy()
            typed["version"] = str(season.version)
            form.data = typed
            form.add_error(None, str(refused))
            status = refused.status
        except ValidationError as refused:
            form.add_error(None, refused.messages)
        except ActionRefused as refused:
            add_refusal_to(form, refused)
        else:
            messages.success(request, _("Gespeichert. Was abgeschlossen ist, bleibt, wie es veröffentlicht wurde."))
            return redirect("season", slug, pk)
    context = {"access": access, "section": "league", "form": form, "season": season}
    return render(request, "scoring/league/edit.html", context, status=status if form.errors else 200)


MOST_CHANGES = 20


@require_safe
def month(request: HttpRequest, slug: str, pk: int, month: str) -> HttpResponse:
    """Show a month: its latest version if it is closed, else as it is counted now."""
    access, books = _read_month(request, slug, pk, month, Role.MONTHS)
    if not access.member and month not in books.latest:
        refuse_outsider(request)
    waiting = None
    if access.member:
        # The months that wait for a decision: this one and earlier ones.
        news = list_news_before(books, month, list_seasons(books.season.club))
        differs = month in books.latest and list_open_differences(books, month)
        waiting = {"undecided": [*list_undecided(news), *([(books.season, month)] if differs else [])], "waiting": news}
    return _render_month(request, access, books, get_content(books, month), books.latest.get(month), waiting)


@require_safe
def month_version(request: HttpRequest, slug: str, pk: int, month: str, version: int) -> HttpResponse:
    access, books = _read_month(request, slug, pk, month, Role.MONTHS)
    closing = _get_version(books, month, version)
    return _render_month(request, access, books, read_content(closing), closing)


@require_safe
@never_cache
def month_picture(request: HttpRequest, slug: str, pk: int, month: str) -> HttpResponse:
    _access, books = _read_month(request, slug, pk, month, Role.READER)
    picture = draw_month(get_content(books, month))
    return render(request, "scoring/picture.svg", {"picture": picture}, content_type="image/svg+xml")


@require_safe
@never_cache
def month_excel(request: HttpRequest, slug: str, pk: int, month: str) -> HttpResponse:
    access, books = _read_month(request, slug, pk, month, Role.READER)
    closing = books.latest.get(month)
    if closing:
        file = bytes(closing.file)
    else:
        with limit_slow_work():
            file = build_month_file(get_content(books, month), "")
    return attachment(file, "xlsx", _("Liga"), access.club.name, month)


@require_safe
def version_excel(request: HttpRequest, slug: str, pk: int, month: str, version: int) -> HttpResponse:
    access, books = _read_month(request, slug, pk, month, Role.READER)
    file = bytes(_get_version(books, month, version).file)
    return attachment(file, "xlsx", _("Liga"), access.club.name, month, str(version))


@require_safe
def version_data(request: HttpRequest, slug: str, pk: int, month: str, version: int) -> HttpResponse:
    """Return the published content of a version, the text that its hash is of."""
    access, books = _read_month(request, slug, pk, month, Role.READER)
    text = _get_version(books, month, version).content.encode()
    return attachment(text, "json", _("Liga"), access.club.name, month, str(version))


@require_http_methods(["GET", "HEAD", "POST"])
def month_close(request: HttpRequest, slug: str, pk: int, month: str) -> HttpResponse:
    """Preview and publish a month; of a closed month, show the differences and the choice."""
    access, books = _read_month(request, slug, pk, month, Role.ADMIN)
    if request.method != "POST":
        return _render_preview(request, access, books, month)
    form = CloseMonthForm(request.POST)
    form.is_valid()
    try:
        closing = close_month(
            season=books.season,
            month=month,
            actor=access.actor,
            seen=form.cleaned_data.get("seen", ""),
            confirmed=form.cleaned_data["confirmed"],
            build_file=build_month_file,
        )
    except ActionRefused as refused:
        return _render_preview(request, access, read_books(books.season), month, refused=refused)
    messages.success(request, _("%(month)s ist abgeschlossen.") % {"month": format_month(closing.month)})
    return redirect("month", slug, pk, month)


@require_POST
def month_supplement(request: HttpRequest, slug: str, pk: int, month: str) -> HttpResponse:
    access, books = _read_month(request, slug, pk, month, Role.ADMIN)
    form = SupplementForm(request.POST)
    if not form.is_valid():
        return _render_preview(request, access, books, month, form=form)
    try:
        supplement = add_supplement(season=books.season, month=month, actor=access.actor, **form.cleaned_data)
    except ValidationError as refused:
        form.add_error("reason", refused.messages)
        return _render_preview(request, access, books, month, form=form)
    except ActionRefused as refused:
        return _render_preview(request, access, read_books(books.season), month, form=form, refused=refused)
    names = {"about": format_month(month), "month": format_month(supplement.month)}
    messages.success(request, _("Der Nachtrag zu %(about)s steht im %(month)s.") % names)
    return redirect("month", slug, pk, supplement.month)


def _read_month(request: HttpRequest, slug: str, pk: int, month: str, role: Role) -> tuple[Access, Books]:
    """Return the books of a season for a month that it has, or raise Http404."""
    season, access = get_season(request, slug, pk, role)
    if get_days(season, month) is None:
        raise Http404(_("Das gibt es hier nicht."))
    with snapshot():
        books = read_books(season)
    return access, books if access.member else keep_published(books)


def _get_version(books: Books, month: str, version: int) -> MonthClosing:
    for closing in books.closings:
        if (closing.month, closing.version) == (month, version):
            return closing
    raise Http404(_("Das gibt es hier nicht."))


def _render_month(
    request: HttpRequest,
    access: Access,
    books: Books,
    content: Content,
    closing: MonthClosing | None,
    waiting: Mapping[str, Any] | None = None,
) -> HttpResponse:
    month = content["month"]
    played = sorted({get_month(row.held_on) for row in books.results} | set(books.latest))
    latest = books.latest.get(month)
    content = redact_month(access.names, content)
    linked = {evening["id"] for evening in content["evenings"]} if access.member else set()
    if closing and access.member:
        linked -= find_deleted_evenings(content)
    context = {
        "access": access,
        "section": "league",
        "season": books.season,
        "content": content,
        "table": build_month_table(content, access.club.slug, linked, request.GET.get("sort")),
        "closing": closing,
        "latest": latest,
        "running": any(evening["open"] for evening in content["evenings"]),
        "versions": [one for one in books.closings if one.month == month],
        "earlier": max((one for one in played if one < month), default=None),
        "later": min((one for one in played if one > month), default=None),
        "led_to": render_changes(list(list_published_changes(access.club, content)[:MOST_CHANGES])) if access.member else [],
        **(waiting or {}),
    }
    if access.member and content["rows"] and closing == latest:
        picture = reverse("month_picture", args=[access.club.slug, books.season.pk, month])
        shows = _("Die Tabelle des Monats als Bild.")
        context |= {
            "text": render_month_text(content),
            "title": f"{format_month(month)} · {access.club.name}",
            "pictures": [(picture, f"{access.club.slug}-{month}", shows)],
        }
    return render(request, "scoring/league/month.html", context)


def _render_preview(
    request: HttpRequest,
    access: Access,
    books: Books,
    month: str,
    form: SupplementForm | None = None,
    refused: ActionRefused | None = None,
) -> HttpResponse:
    content = build_publication(books, month)
    news = list_news_before(books, month, list_seasons(access.club))
    seen = compute_hash(serialize_content(content))
    closing = books.latest.get(month)
    if form is None:
        form = SupplementForm(initial={"seen": seen})
    else:
        form.data = dict(form.data.items()) | {"seen": seen}
    context: dict[str, Any] = {
        "access": access,
        "section": "league",
        "season": books.season,
        "content": content,
        "table": build_month_table(content, access.club.slug, [one["id"] for one in content["evenings"]], request.GET.get("sort")),
        "closing": closing,
        "seen": seen,
        "form": form,
        "open_evenings": [evening for evening in content["evenings"] if evening["open"]],
        "over": is_over(books.season, month),
        "undecided": list_undecided(news),
        # The page shows the earlier month of its own season anyway.
        "waiting": [one for one in news if one.season != books.season],
        "earlier": find_earlier_open_month(books, month) if closing is None else None,
        "supplemented": is_supplemented(books, month),
        "moves": any(one["difference"] for one in content.get("differences", ())),
        "target": find_open_month(books, month) if closing else None,
        "led_to": render_changes(list(list_changes_since_closing(books, month)[:MOST_CHANGES])) if closing else [],
        "refused": refused,
    }
    status = refused.status if refused else 422 if form.errors else 200
    return render(request, "scoring/league/close.html", context, status=status)


class PublishedMonthsMiddleware:
    """Tell the user on the next page which published months differ by a successful request, or agree again."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.method in ("GET", "HEAD"):
            return self.get_response(request)
        with collect_month_changes() as changes:
            response = self.get_response(request)
        if response.status_code < HTTPStatus.BAD_REQUEST:
            if differing := [month for month, differs in changes.items() if differs]:
                messages.warning(request, render_differing(differing))
            if agreeing := [month for month, differs in changes.items() if not differs]:
                messages.info(request, render_agreeing(agreeing))
        return response
