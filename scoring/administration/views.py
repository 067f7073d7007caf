from __future__ import annotations

from functools import partial

import django_tables2 as tables
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import authenticate
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.core.mail import send_mail
from django.db import transaction
from django.db.models import F, OuterRef, Subquery
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from scoring.accounts.actions import save_mail_address
from scoring.accounts.views import log_in_directly
from scoring.archive.views import get_downloaded_digest
from scoring.club.access import Role, get_club, get_own_login, get_own_player, get_player, list_clubs, require_operator
from scoring.club.actions import LoginTaken, TooManyPasswords
from scoring.club.models import Club, Player
from scoring.club.queries import find_player_of_login, get_merge_target, list_changes, list_members, list_people
from scoring.core.database import snapshot
from scoring.core.errors import ActionRefused, show_refusal_in
from scoring.core.formats import fill_in_names, mark_as_name
from scoring.core.limits import limit_slow_work
from scoring.core.mails import send_later
from scoring.core.responses import attachment, retry_later
from scoring.core.tables import paginate
from scoring.league.exports import build_month_file
from scoring.play.models import Evening
from scoring.rulesets.actions import begin_with_answers, begin_with_preset
from scoring.rulesets.models import RuleSet

from .access import (
    ASKED,
    CONFIRMED,
    FOUNDING,
    FoundingLinkOver,
    check_founding_link,
    count_founding,
    count_mail,
    get_confirmed_address,
    get_founding_link,
    make_mail_secret,
)
from .actions import LinkOverMeanwhile, delete_club, erase_player, found_by_link, found_openly, keep_history
from .exports import build_own_data
from .forms import AddressForm, DeleteForm, EraseForm, FilterForm, FoundingForm, RetentionForm
from .queries import find_traces, list_club_sizes, list_deletable_changes, list_mentions, read_installation
from .texts import describe_changes_with_numbers, describe_mention


class ChangesTable(tables.Table):
    change = tables.TemplateColumn(template_name="scoring/administration/_change.html", context_object_name="row")


PER_PAGE = 50


@require_safe
def history(request: HttpRequest, slug: str) -> HttpResponse:
    access = get_club(request, slug, Role.READER)
    evenings = Evening.objects.filter(club=access.club).order_by("-held_on", "-pk")
    form = FilterForm(request.GET, people=list_people(access.club), members=list_members(access.club), evenings=evenings)
    nothing = _("Nichts gefunden.") if form.is_filtered else _("Noch ist nichts eingetragen.")
    person = Player.objects.filter(club=access.club, user=OuterRef("actor")).values("name")
    changes = list_changes(access.club).annotate(person=Subquery(person), undid_at=F("undoes__at"), undone=F("undone_by"))
    table = ChangesTable(form.filter(changes), empty_text=nothing)
    paginate(table, request, PER_PAGE, describe_changes_with_numbers)
    context = {"access": access, "section": "more", "form": form, "table": table}
    return render(request, "scoring/administration/history.html", context)


@require_safe
def privacy(request: HttpRequest, slug: str) -> HttpResponse:
    access = get_club(request, slug, Role.READER)
    me, admins = find_player_of_login(access.club, access.user), list_members(access.club).filter(admin=True)
    context = {"access": access, "section": "more", "me": me, "admins": admins}
    return render(request, "scoring/administration/privacy.html", context)


@require_safe
@never_cache
def player_data(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    player, access = get_own_player(request, slug, pk)
    day = timezone.localdate().isoformat()
    with limit_slow_work():
        body = build_own_data(player, access.user)
    return attachment(body, "json", _("Meine Daten"), access.club.name, day)


@require_http_methods(["GET", "HEAD", "POST"])
def history_retention(request: HttpRequest, slug: str) -> HttpResponse:
    """Set how long the history is kept; before it saves, it shows how many rows would be deleted."""
    access = get_club(request, slug, Role.ADMIN)
    posted = request.method == "POST"
    asked = request.POST if posted else request.GET if "years" in request.GET else None
    form = RetentionForm(asked, initial={"years": access.club.keep_history_years})
    context = {"access": access, "section": "more", "form": form}
    if form.is_bound and form.is_valid():
        years = form.cleaned_data["years"]
        if posted:
            keep_history(club=access.club, actor=access.actor, years=years)
            messages.success(request, _("Gespeichert."))
            return redirect("history_retention", slug)
        context |= {"years": years, "asked": True}
        context["going"] = len(list_deletable_changes(access.club, years, timezone.now())) if years else 0
    status = 422 if posted and form.errors else 200
    return render(request, "scoring/administration/history_retention.html", context, status=status)


MAX_MENTIONS = 50  # texts with the name that the page shows


@require_http_methods(["GET", "HEAD", "POST"])
def player_erase(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    player, access = get_player(request, slug, pk, Role.ADMIN)
    if player.merged_into_id:
        return redirect("player_erase", slug, get_merge_target(player).pk)
    form = EraseForm(request.POST if request.method == "POST" else None)
    shown = show_refusal_in(form)
    if form.is_valid():
        with shown:
            with limit_slow_work():
                erased = erase_player(player=player, actor=access.actor, texts=form.cleaned_data["texts"], as_file=build_month_file)
            sentence = _("Der Name ist entfernt: Hier steht jetzt „%(name)s“.")
            messages.success(request, fill_in_names(sentence, name=mark_as_name(erased)))
            return redirect("player", slug, player.pk)
    with snapshot():
        traces = find_traces(player)
        mentions = list(list_mentions(access.club, traces.words)) if traces.people else []
    context = {
        "access": access,
        "section": "more",
        "player": player,
        "form": form,
        "traces": traces,
        "mentions": [describe_mention(row, fields, traces.words) for row, fields in mentions[:MAX_MENTIONS]],
        "more": len(mentions) - MAX_MENTIONS,
    }
    status = shown.status or (422 if form.errors else 200)
    return render(request, "scoring/administration/erase.html", context, status=status)


@require_safe
def installation(request: HttpRequest) -> HttpResponse:
    require_operator(request)
    context = {"clubs": list_club_sizes(), "installation": read_installation()}
    return render(request, "scoring/administration/installation.html", context)


@require_safe
def founding_link(request: HttpRequest, secret: str) -> HttpResponse:
    """Show a preview, also to messengers. It leads to `founding_open`, which no messenger requests."""
    try:
        check_founding_link(request, secret)
    except ActionRefused as refused:
        return _render_refusal(request, refused)
    context = {
        "title": _("Runde oder Club gründen"),
        "sentence": _("Doppelkopf am Tisch aufschreiben. Punkte und Listen entstehen von selbst."),
        "address": reverse("founding_open", args=[secret]),
    }
    return render(request, "scoring/link_preview.html", context)


@require_safe
def founding_open(request: HttpRequest, secret: str) -> HttpResponse:
    """Open the link in this session and redirect at once, so that the secret address is not bookmarked."""
    try:
        request.session.update(check_founding_link(request, secret))
    except ActionRefused as refused:
        return _render_refusal(request, refused)
    return redirect("founding")


@require_http_methods(["GET", "HEAD", "POST"])
def founding(request: HttpRequest) -> HttpResponse:
    """The page to found a club. With `count` in the POST it shows sample games and founds nothing."""
    try:
        link = get_founding_link(request)
    except ActionRefused as refused:
        return _render_refusal(request, refused)
    address = get_confirmed_address(request) if link is None else ""
    if link is None and settings.CAN_MAIL and not address:
        return _ask_for_address(request)
    who = get_own_login(request)
    form = FoundingForm(request.POST if request.method == "POST" else None, request=request, user=who, address=address)
    status = 422
    counted = "count" in request.POST
    if form.is_valid() and not counted:
        new = User(username=form.cleaned_data.get("username", ""), email=address)
        founder = who if isinstance(who, User) else new
        try:
            founded = _found_once(request, link, founder, form)
        except ValidationError as fault:
            form.add_error(None, fault.messages)
        except LoginTaken as refused:
            form.add_error("username", str(refused))
        except TooManyPasswords as busy:
            form.add_error(None, str(busy))
            page = render(request, "scoring/administration/founding.html", {"form": form})
            return retry_later(page, busy.retry_after)
        except ActionRefused as refused:
            form.add_error(None, str(refused))
            status = refused.status
        else:
            if isinstance(founded, Club):
                return redirect("club", founded.slug)
            _log_in_founder(request, founder)
            messages.success(request, fill_in_names(_("Der Club „%(name)s“ ist gegründet."), name=mark_as_name(founded.club)))
            return redirect(reverse("evening_new", args=[founded.club.slug], query={"rule_set": founded.pk}))
    if counted:
        # Missing fields are reported only when the club is to be founded.
        form.errors.clear()
    status = status if form.errors else 200
    return render(request, "scoring/administration/founding.html", {"form": form}, status=status)


def _ask_for_address(request: HttpRequest) -> HttpResponse:
    """Send a link to a typed mail address. The response is the same for every address."""
    form = AddressForm(request.POST if request.method == "POST" else None)
    shown = show_refusal_in(form)
    if form.is_valid():
        address = form.cleaned_data["email"]
        with shown:
            with transaction.atomic():
                count_mail(request, address)
            link = settings.SITE_URL + reverse("founding_link", args=[make_mail_secret(address)])
            text = render_to_string("scoring/administration/founding_email.txt", {"link": link, "site": settings.SITE_URL})
            send_later(partial(send_mail, _("Runde oder Club gründen"), text, None, [address]))
            sentence = _("Ein Link ist unterwegs an %(address)s. Er gilt einen Tag lang.")
            messages.info(request, fill_in_names(sentence, address=mark_as_name(address)))
            request.session[ASKED] = address
            return redirect("founding")
    status = shown.status or (422 if form.errors else 200)
    return render(request, "scoring/administration/address.html", {"form": form}, status=status)


def _found_once(request: HttpRequest, link: int | None, founder: User, form: FoundingForm) -> RuleSet | Club:
    """Found the club and return its rule set; at a second tap return the club that the first one founded."""
    try:
        return _found(request, link, founder, form)
    except TooManyPasswords:
        raise
    except ActionRefused as refused:
        is_second_tap = link is None or isinstance(refused, LinkOverMeanwhile)
        if is_second_tap and (club := _find_founded_club(request, form)):
            return club
        raise


def _found(request: HttpRequest, link: int | None, founder: User, form: FoundingForm) -> RuleSet:
    typed = form.cleaned_data
    if password := typed.get("password1"):
        founder.set_password(password)  # hashed before the transaction, because it takes long
    if preset := typed["source"]:
        begin = partial(begin_with_preset, preset=preset)
    else:
        begin = partial(begin_with_answers, name=typed["name"], settings=form.settings)
    values = {"founder": founder, "name": typed["club_name"], "people": typed["people"], "own": typed["source"], "begin": begin}
    if link is not None:
        return found_by_link(link=link, **values)
    with transaction.atomic():
        count_founding(request)
        rule_set = found_openly(**values)
        if form.adds_address:
            save_mail_address(user=founder, address=form.address)
        return rule_set


def _find_founded_club(request: HttpRequest, form: FoundingForm) -> Club | None:
    """Return the club that the first tap founded, if this is the second one, and log the founder in."""
    typed = form.cleaned_data
    who = get_own_login(request)
    founder = who if isinstance(who, User) else authenticate(request, username=typed["username"], password=typed["password1"])
    club = list_clubs(founder).filter(name=typed["club_name"]).first() if founder else None
    if founder and club:
        _log_in_founder(request, founder)
    return club


def _log_in_founder(request: HttpRequest, founder: User) -> None:
    if request.user != founder:
        log_in_directly(request, founder)
    for name in (FOUNDING, CONFIRMED, ASKED):
        request.session.pop(name, None)


def _render_refusal(request: HttpRequest, refused: ActionRefused) -> HttpResponse:
    context: dict[str, object] = {"heading": _("Hier lässt sich nichts gründen"), "sentence": str(refused)}
    if settings.FOUNDING == "open" and isinstance(refused, FoundingLinkOver):
        sentence = _("Ein Club lässt sich hier auch ohne ihn gründen.")
        context = {"heading": _("Dieser Link gilt nicht mehr"), "sentence": sentence, "again": True}
    return render(request, "scoring/administration/founding_over.html", context, status=refused.status)


@require_http_methods(["GET", "HEAD", "POST"])
def club_delete(request: HttpRequest, slug: str) -> HttpResponse:
    access = get_club(request, slug, Role.ADMIN)
    form = DeleteForm(request.POST if request.method == "POST" else None, club=access.club)
    shown = show_refusal_in(form)
    if form.is_valid():
        with shown:
            delete_club(club=access.club, digest=get_downloaded_digest(request, access.club))
            messages.success(request, fill_in_names(_("Der Club „%(club)s“ ist gelöscht."), club=mark_as_name(access.club.name)))
            return redirect("home")
    goes, taken = list_club_sizes().get(pk=access.club.pk), bool(get_downloaded_digest(request, access.club))
    context = {"access": access, "section": "more", "form": form, "goes": goes, "taken": taken}
    status = shown.status or (422 if form.errors else 200)
    return render(request, "scoring/administration/delete.html", context, status=status)
