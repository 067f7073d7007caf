"""The pages of seasons and months: tables, settings, closing a month, supplements, files and pictures."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Mapping
from types import MappingProxyType
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
from scoring.core.errors import ActionRefused
from scoring.core.formats import format_month
from scoring.core.limits import limit_slow_work
from scoring.core.responses import attachment
from scoring.league.forms import CloseMonthForm, SeasonForm, SupplementForm
from scoring.league.models import MonthClosing, Season
from scoring.league.queries.news import news_before, undecided_among
from scoring.league.tables import ranked_month, ranked_season

from .actions import (
    CountingStays,
    EarlierMonthOpen,
    SeasonChanged,
    add_season,
    add_supplement,
    change_season,
    close_month,
    listening,
)
from .exports import draw_month, draw_season, month_file
from .queries.books import (
    Books,
    as_text,
    content_in,
    current_season,
    days_of,
    get_season,
    gone_evenings,
    hash_of,
    is_over,
    month_of,
    read_books,
    seasons_of,
)
from .queries.months import changes_since, content_of, earlier_open, led_to, open_month, pending, to_publish
from .queries.seasons import month_for, published_only, season_for, season_table
from .rules import Content
from .texts import agree_sentence, differ_sentence, missing_groups, month_text, season_sentences, season_text, what_led

LONGEST_MONTH = datetime.timedelta(31)


@require_safe
def league(request: HttpRequest, slug: str) -> HttpResponse:
    """The season of today."""
    access = get_club(request, slug, Role.MONTHS)
    seasons = list(seasons_of(access.club))
    if current := current_season(seasons):
        return _season_page(request, access, current, seasons)
    return render(request, "scoring/league/none.html", {"access": access, "section": "league"})


@require_safe
def season(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    season, access = get_season(request, slug, pk, Role.MONTHS)
    return _season_page(request, access, season, list(seasons_of(access.club)))


def _season_page(request: HttpRequest, access: Access, season: Season, seasons: list[Season]) -> HttpResponse:
    with snapshot():
        books = read_books(season) if access.member else published_only(read_books(season))
    table = season_table(books)
    shown = season_for(access.names, table)

    def page_of(month: str) -> str:
        return reverse("month", args=[access.club.slug, season.pk, month])

    at = seasons.index(season)
    name_leads = ("player", [access.club.slug, A("player")]) if access.member else None
    context = {
        "access": access,
        "section": "league",
        "season": season,
        "is_current": season == current_season(seasons),
        "others": [other for other in seasons if other.pk != season.pk],
        "later": seasons[at - 1] if at else None,
        "earlier": seasons[at + 1] if at + 1 < len(seasons) else None,
        "table": shown,
        "ranked": ranked_season(shown, books.left, page_of, name_leads, request.GET.get("sort")),
        **(_waiting(books, seasons) if access.member else {}),
        "missing": missing_groups(table) if access.member else [],
        "sentences": season_sentences(season.settings),
        # The same in the addresses of its file and of its table.
        "span": f"season-{season.pk}",
    }
    if access.member and table.rows:
        picture = reverse("season_picture", args=[access.club.slug, season.pk])
        shows = _("Die Tabelle der Saison als Bild.")
        context |= {
            "text": season_text(table),
            "title": f"{season.name} · {access.club.name}",
            "pictures": [(picture, f"{access.club.slug}-{slugify(season.name)}", shows)],
        }
    return render(request, "scoring/league/season.html", context)


def _waiting(books: Books, seasons: list[Season]) -> dict[str, Any]:
    """What waits for a decision: the months of this season, and those of others that lie before its end."""
    every = news_before(books, month_of(books.season.last_day.replace(day=1) + LONGEST_MONTH), seasons)
    return {"waiting": every, "undecided": undecided_among(every)}


@require_safe
@never_cache
def season_picture(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """The table of the season as it stands, as an SVG to send round."""
    season, _access = get_season(request, slug, pk, Role.READER)
    with snapshot():
        table = season_table(read_books(season))
    context = {"picture": draw_season(table)}
    return render(request, "scoring/picture.svg", context, content_type="image/svg+xml")


@require_http_methods(["GET", "HEAD", "POST"])
def season_new(request: HttpRequest, slug: str) -> HttpResponse:
    access = get_club(request, slug, Role.ADMIN)
    form = SeasonForm(request.POST or None, club=access.club)
    if request.method == "POST" and form.is_valid():
        try:
            season = add_season(club=access.club, actor=access.actor, **form.told)
        except (ActionRefused, ValidationError) as refused:
            form.add_error(None, _said(refused))
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
            change_season(season=season, version=version, actor=access.actor, **form.told)
        except SeasonChanged as refused:
            # What was typed stays; saving once more replaces what somebody else saved.
            typed = request.POST.copy()
            typed["version"] = str(season.version)
            form.data = typed
            form.add_error(None, str(refused))
            status = refused.status
        except CountingStays as refused:
            form.add_error("counting", str(refused))
        except (ActionRefused, ValidationError) as refused:
            form.add_error(None, _said(refused))
        else:
            messages.success(request, _("Gespeichert. Was abgeschlossen ist, bleibt, wie es veröffentlicht wurde."))
            return redirect("season", slug, pk)
    context = {"access": access, "section": "league", "form": form, "season": season}
    return render(request, "scoring/league/edit.html", context, status=status if form.errors else 200)


def _said(refused: ActionRefused | ValidationError) -> list[str]:
    return refused.messages if isinstance(refused, ValidationError) else [str(refused)]


MOST_CHANGES = 20


@require_safe
def month(request: HttpRequest, slug: str, pk: int, month: str) -> HttpResponse:
    """The month as it stands: the version that holds where it is closed."""
    access, books = _open(request, slug, pk, month, Role.MONTHS)
    if not access.member and month not in books.latest:
        refuse_outsider(request)
    waiting = _month_waiting(books, month) if access.member else {}
    return _page(request, access, books, content_of(books, month), books.latest.get(month), waiting)


@require_safe
def month_version(request: HttpRequest, slug: str, pk: int, month: str, version: int) -> HttpResponse:
    """One version of a closed month, as it was published."""
    access, books = _open(request, slug, pk, month, Role.MONTHS)
    closing = _version(books, month, version)
    return _page(request, access, books, content_in(closing), closing)


@require_safe
@never_cache
def month_picture(request: HttpRequest, slug: str, pk: int, month: str) -> HttpResponse:
    """The table of the month as it stands, as an SVG to send round."""
    _access, books = _open(request, slug, pk, month, Role.READER)
    context = {"picture": draw_month(content_of(books, month))}
    return render(request, "scoring/picture.svg", context, content_type="image/svg+xml")


@require_safe
@never_cache
def month_excel(request: HttpRequest, slug: str, pk: int, month: str) -> HttpResponse:
    """The file of the month as it stands; of a closed month the one that was published."""
    access, books = _open(request, slug, pk, month, Role.READER)
    closing = books.latest.get(month)
    if closing:
        file = bytes(closing.file)
    else:
        with limit_slow_work():
            file = month_file(content_of(books, month), "")
    return attachment(file, "xlsx", _("Liga"), access.club.name, month)


@require_safe
def version_excel(request: HttpRequest, slug: str, pk: int, month: str, version: int) -> HttpResponse:
    access, books = _open(request, slug, pk, month, Role.READER)
    file = bytes(_version(books, month, version).file)
    return attachment(file, "xlsx", _("Liga"), access.club.name, month, str(version))


@require_safe
def version_data(request: HttpRequest, slug: str, pk: int, month: str, version: int) -> HttpResponse:
    """What the page of a version is made of, the very text that its hash is of."""
    access, books = _open(request, slug, pk, month, Role.READER)
    text = _version(books, month, version).content.encode()
    return attachment(text, "json", _("Liga"), access.club.name, month, str(version))


@require_http_methods(["GET", "HEAD", "POST"])
def month_close(request: HttpRequest, slug: str, pk: int, month: str) -> HttpResponse:
    """Publish a month, after what is published was shown; of a closed month, what differs by now and the choice."""
    access, books = _open(request, slug, pk, month, Role.ADMIN)
    if request.method != "POST":
        return _preview(request, access, books, month)
    form = CloseMonthForm(request.POST)
    form.is_valid()
    try:
        closing = close_month(
            season=books.season,
            month=month,
            actor=access.actor,
            seen=form.cleaned_data.get("seen", ""),
            confirmed=form.cleaned_data["confirmed"],
            as_file=month_file,
        )
    except ActionRefused as refused:
        return _preview(request, access, read_books(books.season), month, refused=refused)
    messages.success(request, _("%(month)s ist abgeschlossen.") % {"month": format_month(closing.month)})
    return redirect("month", slug, pk, month)


@require_POST
def month_supplement(request: HttpRequest, slug: str, pk: int, month: str) -> HttpResponse:
    """Leave a closed month as it is, and count in the open month what differs by now."""
    access, books = _open(request, slug, pk, month, Role.ADMIN)
    form = SupplementForm(request.POST)
    if not form.is_valid():
        return _preview(request, access, books, month, form=form)
    try:
        supplement = add_supplement(
            season=books.season,
            month=month,
            actor=access.actor,
            seen=form.cleaned_data["seen"],
            reason=form.cleaned_data["reason"],
        )
    except ValidationError as refused:
        form.add_error("reason", refused.messages)
        return _preview(request, access, books, month, form=form)
    except ActionRefused as refused:
        return _preview(request, access, read_books(books.season), month, form=form, refused=refused)
    names = {"about": format_month(month), "month": format_month(supplement.month)}
    messages.success(request, _("Der Nachtrag zu %(about)s steht im %(month)s.") % names)
    return redirect("month", slug, pk, supplement.month)


# --- What these pages have in common ----------------------------------------------------------------------------------


def _open(request: HttpRequest, slug: str, pk: int, month: str, role: Role) -> tuple[Access, Books]:
    """The books of the season, for a month that it has; for files as well as for pages one view of everything."""
    season, access = get_season(request, slug, pk, role)
    if days_of(season, month) is None:
        raise Http404(_("Das gibt es hier nicht."))
    with snapshot():
        books = read_books(season)
    return access, books if access.member else published_only(books)


def _version(books: Books, month: str, version: int) -> MonthClosing:
    for closing in books.closings:
        if (closing.month, closing.version) == (month, version):
            return closing
    raise Http404(_("Das gibt es hier nicht."))


def _page(
    request: HttpRequest,
    access: Access,
    books: Books,
    content: Content,
    closing: MonthClosing | None,
    waiting: Mapping[str, Any] = MappingProxyType({}),
) -> HttpResponse:
    month = content["month"]
    played = sorted({month_of(row.held_on) for row in books.results} | set(books.latest))
    latest = books.latest.get(month)
    content = month_for(access.names, content)
    linked = {evening["id"] for evening in content["evenings"]} if access.member else set()
    if closing and access.member:
        linked -= gone_evenings(content)
    context = {
        "access": access,
        "section": "league",
        "season": books.season,
        "content": content,
        "table": ranked_month(content, access.club.slug, linked, request.GET.get("sort")),
        "closing": closing,
        "latest": latest,
        "running": any(evening["open"] for evening in content["evenings"]),
        "versions": [one for one in books.closings if one.month == month],
        "earlier": max((one for one in played if one < month), default=None),
        "later": min((one for one in played if one > month), default=None),
        "led_to": what_led(list(led_to(access.club, content)[:MOST_CHANGES])) if access.member else [],
        **waiting,
    }
    if access.member and content["rows"] and closing == latest:
        picture = reverse("month_picture", args=[access.club.slug, books.season.pk, month])
        shows = _("Die Tabelle des Monats als Bild.")
        context |= {
            "text": month_text(content),
            "title": f"{format_month(month)} · {access.club.name}",
            "pictures": [(picture, f"{access.club.slug}-{month}", shows)],
        }
    return render(request, "scoring/league/month.html", context)


def _month_waiting(books: Books, month: str) -> dict[str, Any]:
    """What somebody has to decide about: this month, and all before it."""
    every = news_before(books, month, seasons_of(books.season.club))
    differs = month in books.latest and pending(books, month)[1]
    return {"undecided": [*undecided_among(every), *([(books.season, month)] if differs else [])], "waiting": every}


def _preview(
    request: HttpRequest,
    access: Access,
    books: Books,
    month: str,
    form: SupplementForm | None = None,
    refused: ActionRefused | None = None,
) -> HttpResponse:
    """What would be published, and what stands against it."""
    content = to_publish(books, month)
    every = news_before(books, month, seasons_of(access.club))
    seen = hash_of(as_text(content))
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
        "table": ranked_month(content, access.club.slug, [one["id"] for one in content["evenings"]], request.GET.get("sort")),
        "closing": closing,
        "seen": seen,
        "form": form,
        "open_evenings": [evening for evening in content["evenings"] if evening["open"]],
        "over": is_over(books.season, month),
        "undecided": undecided_among(every),
        # Of its own season the page says anyway which month comes first.
        "waiting": [news for news in every if news.season != books.season],
        "earlier": earlier_open(books, month) if closing is None else None,
        "supplemented": any(one.about == month for one in books.supplements),
        "moves": any(one["difference"] for one in content.get("differences", ())),
        "target": open_month(books, month) if closing else None,
        "led_to": what_led(list(changes_since(books, month)[:MOST_CHANGES])) if closing else [],
        "refused": refused,
    }
    if isinstance(refused, EarlierMonthOpen):
        context["earlier"] = refused.month
    return render(
        request, "scoring/league/close.html", context, status=refused.status if refused else 422 if form.errors else 200
    )


REFUSED = 400


class MonthsTold:
    """Middleware: the next page that whoever did it sees says so. What was refused has changed nothing."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        with listening() as heard:
            response = self.get_response(request)
        if response.status_code < REFUSED:
            if heard.differ:
                messages.warning(request, differ_sentence(heard.differ))
            if heard.agree:
                messages.info(request, agree_sentence(heard.agree))
        return response
