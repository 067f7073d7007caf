"""Found and delete clubs, erase the name of a person, and delete rows that are no longer needed."""

from __future__ import annotations

import datetime
import json
import logging
import secrets
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from itertools import chain, count
from typing import Any, Final

from axes.handlers.proxy import AxesProxyHandler
from django.conf import settings
from django.contrib.auth.models import User
from django.core.mail import send_mail
from django.db import transaction
from django.db.models import Count, Max, Model, Q, QuerySet
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, override

from scoring.accounts.actions import delete_login
from scoring.accounts.models import JoinLink, LoginWithoutClub, Session
from scoring.archive.errors import ArchiveOutdated
from scoring.archive.models import WaitingArchive
from scoring.archive.queries import club_archive
from scoring.cash.actions.posting import hold
from scoring.club.actions import Actor, NameErased, NotInDemo, add_player, record, save_login
from scoring.club.models import VISITOR_MARK, Change, Club, Player, Verb, is_visitor
from scoring.club.queries import get_change_stamp
from scoring.core.database import snapshot
from scoring.core.errors import ActionRefused
from scoring.core.names import name_key
from scoring.imports.actions.hidden import hidden, hide
from scoring.imports.actions.lists import KEPT
from scoring.imports.models import Import
from scoring.league.actions import BuildFile
from scoring.league.models import MonthClosing, Season, Supplement
from scoring.league.queries.books import compute_hash, parse_content, serialize_content
from scoring.play.actions import lock_club
from scoring.rulesets.actions import found_club
from scoring.rulesets.models import RuleSet
from scoring.table.models import LateEntry
from scoring.whatif.models import WhatIfRun

from .models import FoundingLink
from .queries import (
    EMPTY_FOR,
    GONE,
    Mention,
    Traces,
    Words,
    digest_of,
    forgettable,
    mentions_in,
    open_links,
    reports_in,
    reworded,
    traces_of,
    unused_clubs,
    words_for,
)

# --- Refusals ---------------------------------------------------------------------------------------------------------


class FoundingLinkOver(ActionRefused):
    """Used, too old, replaced by another, or never one: nobody learns which."""

    sentence = gettext_lazy(
        "Der Link zum Gründen gilt nicht mehr: Jeder gilt einmal, eine Woche lang, und nur, bis es einen neuen gibt. "
        "Einen neuen hat, wer diese Seite betreibt."
    )
    status = 410


class LinkOverMeanwhile(ActionRefused):
    """A link that was valid when somebody opened the form, and has ended since."""

    sentence = gettext_lazy(
        "Der Link zum Gründen gilt inzwischen nicht mehr. Was hier steht, bleibt: Bitte einen neuen in einem zweiten Fenster "
        "dieses Browsers öffnen, dann hier noch einmal gründen."
    )
    status = 410


class FoundedAlready(ActionRefused):
    """The second tap of the same founder."""

    sentence = gettext_lazy("Diesen Club haben Sie schon gegründet. Nach dem Anmelden finden Sie ihn.")


class EnoughMails(ActionRefused):
    """As many mails with a link went to one recipient today as may."""

    sentence = gettext_lazy(
        "An diese Adresse ging heute schon mehrmals ein Link. Bitte auch unter Spam nachsehen, sonst morgen wiederkommen."
    )
    status = 429


class EnoughToday(ActionRefused):
    """As many clubs were founded without a link today, or mails sent for that, as one address or all of them may."""

    sentence = gettext_lazy(
        "Von hier lässt sich heute kein Club mehr gründen: Je Tag geht das nur wenige Male. Bitte morgen wiederkommen."
    )
    status = 429


# --- Founding ---------------------------------------------------------------------------------------------------------


SECRET_BYTES: Final = 16
# Of a slug, so that a number has room behind it.
_LONGEST: Final = 35


@transaction.atomic
def make_founding_link() -> str:
    """The secret of a new link, which is kept nowhere. Whatever link there was ends."""
    secret = secrets.token_urlsafe(SECRET_BYTES)
    FoundingLink.objects.all().delete()
    FoundingLink.objects.create(digest=digest_of(secret))
    return secret


@transaction.atomic
def found_by_link(
    *,
    link: int,
    founder: User,
    name: str,
    people: Sequence[str],
    own: str = "",
    begin: Callable[..., RuleSet],
) -> RuleSet:
    """Found a club of these people and return its rule set. The first of them is the `founder`, who runs it; a founder who is
    not stored yet becomes a login. `begin` is `begin_with_answers` or `begin_with_preset` with the rules to play by, `own` the
    preset if it is one. Raises LinkOverMeanwhile, LoginTaken, ValidationError (by field)."""
    if is_visitor(founder):
        raise NotInDemo
    # Of two at the same time the second one waits here, and then finds nothing to take away.
    if not open_links().filter(pk=link).delete()[0]:
        raise LinkOverMeanwhile
    return _found(founder, name, people, own, begin)


@transaction.atomic
def found_openly(
    *, founder: User, name: str, people: Sequence[str], own: str = "", begin: Callable[..., RuleSet]
) -> RuleSet:
    """Found a club like `found_by_link`, but without a link. Raises FoundedAlready if this founder has a club of this name that was
    founded so: the button was tapped twice. Raises LoginTaken, ValidationError (by field)."""
    if is_visitor(founder):
        raise NotInDemo
    if founder.pk:
        User.objects.select_for_update().get(pk=founder.pk)
        if Club.objects.filter(memberships__user=founder, name=name, founded_openly_at__isnull=False).exists():
            raise FoundedAlready
    rule_set = _found(founder, name, people, own, begin)
    # Behind all that founding itself writes into the history: what is written later was entered.
    rule_set.club.founded_openly_at = timezone.now()
    rule_set.club.save(update_fields=["founded_openly_at"])
    return rule_set


def _found(founder: User, name: str, people: Sequence[str], own: str, begin: Callable[..., RuleSet]) -> RuleSet:
    if not founder.pk:
        save_login(founder)
    club, _password = found_club(name=name, slug=_free_slug(name), admin=founder.username, own=own)
    actor = Actor(founder, admin=True)
    add_player(club=club, actor=actor, name=people[0], user=founder)
    return begin(club=club, actor=actor, people=people[1:])


def _free_slug(name: str) -> str:
    """The name in an address, with a number where another club has it."""
    slug = slugify(name)[:_LONGEST].strip("-") or "runde"
    wanted = chain([slug], (f"{slug}-{number}" for number in count(2)))
    return next(slug for slug in wanted if not Club.objects.filter(slug=slug).exists())


# --- Deleting a club --------------------------------------------------------------------------------------------------


def delete_club(*, club: Club, taken: str) -> None:
    """Delete a club with everything in it. `taken` is the SHA-256 of the archive that whoever deletes it has. Raises
    ArchiveOutdated where the club would give another one by now. The archive is read without the write lock; every change
    that is made meanwhile stands in the history."""
    with snapshot():
        seen = get_change_stamp(club.pk)
        archive = club_archive(club)
    if sha256(archive).hexdigest() != taken:
        raise ArchiveOutdated
    with hidden() as slug, transaction.atomic():
        lock_club(club)
        if get_change_stamp(club.pk) != seen:
            raise ArchiveOutdated
        hide(club, slug)


def delete_unused_club(*, club: Club) -> bool:
    """Delete a club that was founded without a link, if its day has come and nothing is entered; return whether it was deleted. The
    locks wait for an evening, a file, a login or a booking that is just being entered. Raises Club.DoesNotExist."""
    with hidden() as slug, transaction.atomic():
        hold(lock_club(club))
        if not unused_clubs().filter(pk=club.pk, goes_on__lte=timezone.localdate()).exists():
            return False
        hide(club, slug)
    return True


# --- Erasing a name ---------------------------------------------------------------------------------------------------


# How often it is made anew while others write; and how many rows of the history are written at once.
_TRIES: Final = 5
_AT_ONCE: Final = 500
# What the history keeps of a person that nobody else is like.
_THEIRS: Final = ("joined_on", "rests_from", "rests_until", "user")


class ClubTooBusy(ActionRefused):
    sentence = gettext_lazy("Gerade wird in diesem Club viel eingetragen. Bitte gleich noch einmal versuchen.")


@dataclass(frozen=True)
class _Plan:
    """What is written: the new names by the id of the person, the new values of published rows and of texts, and the rows
    of the history as they will be."""

    called: dict[int, str]
    published: list[tuple[type[MonthClosing | Supplement], int, dict[str, Any]]]
    mentions: list[Mention]
    history: list[Change]


def erase_player(*, player: Player, actor: Actor, texts: bool, as_file: BuildFile) -> Player:
    """Take the name of a person, and of everybody merged into them, out of everything of their club. `texts`: also out of
    what people typed, where it stands as a whole word. Their login stays, but belongs to no person any more. `as_file`
    makes the Excel file of a month anew. This cannot be undone. Raises NameErased where there is no name left,
    ClubTooBusy."""
    for _try in range(_TRIES):
        seen = _state_of(player.club)
        traces = traces_of(player)
        if not traces.people:
            raise NameErased
        plan = _plan(player.club, traces, texts, as_file)
        if _written(player.club, actor, seen, traces, plan):
            return Player.objects.select_related("club").get(pk=player.pk)
    raise ClubTooBusy


def _state_of(club: Club) -> Mapping[str, Any]:
    """Every action writes its row: as long as this is the same, nothing has happened in the club."""
    return Change.objects.filter(club=club).aggregate(last=Max("pk"), rows=Count("pk"))


@transaction.atomic
def _written(club: Club, actor: Actor, seen: Mapping[str, Any], traces: Traces, plan: _Plan) -> bool:
    """Whether it was written: nobody may have done anything since `seen`."""
    club = Club.objects.select_for_update(no_key=True).get(pk=club.pk)
    # Whoever closes a month holds its season.
    list(Season.objects.select_for_update(of=("self",)).filter(club=club).order_by("pk").values_list("pk"))
    if _state_of(club) != seen:
        return False
    for player in traces.people:
        player.name, player.user, player.joined_on = plan.called[player.pk], None, None
        player.rests_from = player.rests_until = None
        player.erased_on = timezone.localdate()
        player.save()
    for model, pk, values in plan.published:
        # What was published is written once: a plain set of rows knows nothing of that.
        QuerySet(model).filter(pk=pk).update(**values)
    for mention in plan.mentions:
        QuerySet(type(mention.row)).filter(pk=mention.row.pk).update(**mention.fields)
    Change.objects.bulk_update(plan.history, ["before", "after"], batch_size=_AT_ONCE)
    _throw_away_what_waits(club, traces.words)
    for player in traces.people:
        record(club=club, actor=actor, verb=Verb.PLAYER_ERASED, subject=player.pk)
    return True


def _throw_away_what_waits(club: Club, words: Words) -> None:
    """Files that somebody uploaded and nobody has taken in: lists that hold the name, archives of this very club. And questions of
    What if, which hold what rule sets and their kinds of game are called."""
    for waiting in Import.objects.filter(club=club, imported_at=None):
        if words.are_in(json.dumps(waiting.sheets, ensure_ascii=False)):
            waiting.delete()
    WhatIfRun.objects.filter(club=club).delete()
    WaitingArchive.objects.filter(text__contains=f'"slug": {json.dumps(club.slug)}').delete()


# --- What is to be written --------------------------------------------------------------------------------------------


def _plan(club: Club, traces: Traces, texts: bool, as_file: BuildFile) -> _Plan:
    words = traces.words if texts else words_for((), ())
    called = _new_names(club, traces)
    return _Plan(
        called,
        [
            *((MonthClosing, row.pk, _closing(row, traces, called, words, as_file)) for row in traces.closings),
            *((Supplement, row.pk, _supplement(row, called, words)) for row in traces.supplements),
        ],
        [
            *reports_in(club, traces.words),
            *(one for one in (mentions_in(club, words) if texts else ()) if not isinstance(one.row, Supplement)),
        ],
        list(_history(club, traces, words)),
    )


def _new_names(club: Club, traces: Traces) -> dict[int, str]:
    """A name for each, that nobody of the club has, counted through."""
    taken = set(Player.objects.filter(club=club).values_list("name_key", flat=True))
    names = (_("Gelöschte Person %(number)s") % {"number": number} for number in count(1))
    free = (name for name in names if name_key(name) not in taken)
    return {player.pk: next(free) for player in traces.people}


def _closing(
    row: MonthClosing, traces: Traces, called: Mapping[int, str], words: Words, as_file: BuildFile
) -> dict[str, Any]:
    """A published month without the name, its file made anew, and what its hashes were. It says who closed it: their name
    goes where they are this person."""
    content = _without_name(parse_content(row.content), _as_published(row, called), words)
    by = content["closed_by"]
    if by and (row.closed_by_id in traces.logins or traces.words.without(by) == GONE):
        content["closed_by"] = called[traces.people[0].pk]
    text = serialize_content(content)
    file = as_file(content, compute_hash(text))
    was = {"content_sha256": row.content_sha256, "file_sha256": row.file_sha256, "at": timezone.now().isoformat()}
    return {
        "content": text,
        "content_sha256": compute_hash(text),
        "file": file,
        "file_sha256": compute_hash(file),
        "former": [*row.former, was],
    }


def _supplement(row: Supplement, called: Mapping[int, str], words: Words) -> dict[str, Any]:
    content = _without_name(parse_content(row.content), _as_published(row, called), words)
    return {"content": serialize_content(content), "reason": words.without(row.reason)}


def _as_published(row: MonthClosing | Supplement, called: Mapping[int, str]) -> dict[int, str]:
    """The new names by the ids that people have in this text: where it came with an archive, those of elsewhere."""
    if row.ids is None:
        return dict(called)
    return {int(text): called[pk] for text, pk in row.ids["players"].items() if pk in called}


def _without_name(content: Any, called: Mapping[int, str], words: Words) -> Any:
    """Everything that names these people by their new names; all else as it is."""
    return _renamed(reworded(content, words), called)


def _renamed(value: Any, called: Mapping[int, str]) -> Any:
    if isinstance(value, list):
        return [_renamed(one, called) for one in value]
    if not isinstance(value, dict):
        return value
    found = {key: _renamed(one, called) for key, one in value.items()}
    return found | {"name": called[found["player"]]} if "name" in found and found.get("player") in called else found


def _history(club: Club, traces: Traces, words: Words) -> Iterator[Change]:
    """The rows that change: those of the person without login and days, and where the name was typed without it."""
    theirs = Q(verb__startswith="player.", subject_id__in=[str(player.pk) for player in traces.people])
    typed = Q(verb__startswith="game.") | Q(verb=Verb.MONTH_SUPPLEMENTED)
    for change in Change.objects.filter(theirs | typed, club=club).order_by("pk").iterator(chunk_size=2000):
        sides = change.before, change.after
        if change.verb.startswith("player."):
            change.before, change.after = (_without_person(side) for side in sides)
        else:
            change.before, change.after = (reworded(side, words) for side in sides)
        if (change.before, change.after) != sides:
            yield change


def _without_person(values: dict[str, Any] | None) -> dict[str, Any] | None:
    """What the history keeps of a person who has no name any more."""
    return values and values | {key: None for key in _THEIRS if key in values}


# --- Old log entries --------------------------------------------------------------------------------------------------


@transaction.atomic
def keep_history(*, club: Club, actor: Actor, years: int | None) -> Club:
    """Keep the history of logins and entries for so many years from now on, for ever where it is None. Raises
    ValidationError."""
    club = Club.objects.select_for_update().get(pk=club.pk)
    before = club.keep_history_years
    if before == years:
        return club
    club.keep_history_years = years
    club.full_clean()
    club.save(update_fields=["keep_history_years"])
    record(
        club=club,
        actor=actor,
        verb=Verb.HISTORY_KEPT,
        subject=club.pk,
        before={"years": before},
        after={"years": years},
    )
    return club


def forget_old_history(*, now: datetime.datetime) -> int:
    """Delete what the clubs need not keep any more, in short transactions; how many rows went. For the tidying that runs by
    itself: where it is stopped in the middle, the next time goes on."""
    forgotten = 0
    for club in Club.objects.filter(keep_history_years__isnull=False).order_by("pk"):
        going = forgettable(club, club.keep_history_years or 0, now)
        for start in range(0, len(going), _AT_ONCE):
            _forget(going[start : start + _AT_ONCE])
        forgotten += len(going)
    return forgotten


@transaction.atomic
def _forget(pks: list[int]) -> None:
    """These rows; what takes one of them back is among them, or gone already."""
    rows = Change.objects.filter(pk__in=pks)
    rows.update(undoes=None)
    rows.delete()


# --- Tidying ----------------------------------------------------------------------------------------------------------


logger = logging.getLogger(__name__)

# What says until when this installation was used: models, each with the moment of its rows, and which of these count. Sessions, the
# last login and the demo say nothing: a visitor who looks at it while the clock is ahead leaves rows of that day.
STORED: Final[tuple[tuple[type[Model], str, Q], ...]] = (
    (Change, "at", Q(club__demo_until=None)),
    (User, "date_joined", ~Q(username__contains=VISITOR_MARK)),
    (Import, "uploaded_at", Q()),
    (WaitingArchive, "uploaded_at", Q()),
)
# If nothing was stored for longer, the clock may be ahead.
QUIET: Final = datetime.timedelta(days=2)
# A discarded late entry stays for a phone that sends it once more, and so long no phone lies in a drawer with it.
DISCARDED_FOR: Final = datetime.timedelta(weeks=8)
# So long whoever opens an invitation that is over is told so; later there is none.
OVER_FOR: Final = datetime.timedelta(weeks=8)
# So long before it goes an empty club is announced to its founder. It never goes sooner, also where the server was off, or its
# clock was ahead, when the day came.
ANNOUNCED_FOR: Final = datetime.timedelta(days=3)
# Rows that go in one transaction, and the seconds in which others write before the next.
PIECE: Final = 200
PAUSE: Final = 0.1


def tidy() -> int:
    """Delete all of that, and return how many rows went. If nothing was stored for two days, the clock may be ahead: then only
    failed logins go, and the rest waits until something is stored."""
    now = timezone.now()
    cleared = _clear(AxesProxyHandler.get_implementation().expired(), PIECE)
    newest = _newest_stored()
    if newest is not None and now - newest > QUIET:
        _warn_of_clock(newest)
        return cleared
    return (
        cleared
        + _clear(Session.objects.filter(expire_date__lt=now), PIECE)
        + _clear(LateEntry.objects.filter(discarded=True, arrived_at__lt=now - DISCARDED_FOR), PIECE)
        + _clear(JoinLink.objects.filter(ends_on__lt=(now - OVER_FOR).date()), PIECE)
        + _clear(Import.objects.filter(imported_at=None, tables=None, uploaded_at__lt=now - KEPT), 1)
        + _clear(WaitingArchive.objects.filter(uploaded_at__lt=now - KEPT), 1)
        + _clear_unused_clubs(timezone.localdate(now))
        + _clear_logins(now)
        + forget_old_history(now=now)
    )


def _newest_stored() -> datetime.datetime | None:
    """Return the latest moment of what is stored."""
    found = [model._default_manager.filter(which).aggregate(newest=Max(field))["newest"] for model, field, which in STORED]
    return max((moment for moment in found if moment is not None), default=None)


@lru_cache(maxsize=1)
def _warn_of_clock(newest: datetime.datetime) -> None:
    """Log that tidying waits, once until something else is the newest: a site may be quiet for weeks."""
    logger.warning("Tidying waits: it is more than two days later than the newest thing that is stored. Is the clock right?")


def _clear(rows: QuerySet[Any], piece: int) -> int:
    """Delete these rows, unless they are others by then. Uploads go one by one: each can be large."""
    cleared = 0
    while found := list(rows.values_list("pk", flat=True)[:piece]):
        cleared += rows.filter(pk__in=found).delete()[0]
        if len(found) == piece:
            time.sleep(PAUSE)
    return cleared


def _clear_unused_clubs(today: datetime.date) -> int:
    """Announce which clubs will be deleted because they are empty, and delete those that were announced long enough."""
    for club in unused_clubs().filter(goes_on=None, founded_openly_at__date__lte=today + ANNOUNCED_FOR - EMPTY_FOR):
        _announce(club, today)
    cleared = 0
    for club in unused_clubs().filter(goes_on__lte=today):
        with suppress(Club.DoesNotExist):  # deleted in this moment
            cleared += delete_unused_club(club=club)
        time.sleep(PAUSE)
    return cleared


def _announce(club: Club, today: datetime.date) -> None:
    """Set the day on which an empty club goes, and mail it to its founder in every language. If the mail cannot be sent, the club
    stays, and the next tidying announces it again."""
    goes_on = max(timezone.localdate(club.founded_openly_at) + EMPTY_FOR, today + ANNOUNCED_FOR)
    # Of two processes one announces.
    if not Club.objects.filter(pk=club.pk, goes_on=None).update(goes_on=goes_on) or not (settings.CAN_MAIL and settings.SITE_URL):
        return
    context = {"club": club, "goes_on": goes_on, "site": settings.SITE_URL}
    subjects, texts = [], []
    for language, _name in settings.LANGUAGES:  # nothing is stored of what the founder reads
        with override(language):
            subjects.append(_("Ein leerer Club wird gelöscht"))
            texts.append(render_to_string("scoring/administration/unused_email.txt", context).strip())
    for user in User.objects.filter(memberships__club=club, is_active=True).exclude(email=""):
        try:
            send_mail(" / ".join(subjects), "\n\n--\n\n".join(texts) + "\n", None, [user.email])
        except OSError:
            logger.exception("A mail was not sent.")
            Club.objects.filter(pk=club.pk).update(goes_on=None)


def _clear_logins(now: datetime.datetime) -> int:
    """Notice which logins belong to no club, and delete those of which that was noticed long ago. Whoever runs the
    installation needs no club."""
    LoginWithoutClub.objects.filter(user__memberships__isnull=False).delete()
    noticed = User.objects.filter(memberships=None, without_club=None, is_superuser=False)
    LoginWithoutClub.objects.bulk_create([LoginWithoutClub(user=user) for user in noticed], ignore_conflicts=True)
    long_ago = now - datetime.timedelta(days=settings.LOGINS_WITHOUT_CLUB_DAYS)
    cleared = 0
    for user in User.objects.filter(without_club__since__lt=long_ago):
        try:
            delete_login(user=user)
        except (ActionRefused, User.DoesNotExist):
            continue  # it joined a club in this moment, or somebody else deleted it
        cleared += 1
        time.sleep(PAUSE)
    return cleared
