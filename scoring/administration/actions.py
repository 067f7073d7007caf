"""Found and delete clubs, erase the name of a person, and delete rows that are no longer needed."""

from __future__ import annotations

import datetime
import json
import logging
import secrets
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from hashlib import sha256
from itertools import chain, count
from typing import Any, Final

from axes.handlers.proxy import AxesProxyHandler
from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Count, Max, Model, Q, QuerySet
from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.accounts.actions import delete_login
from scoring.accounts.models import FoundingLink, JoinLink, LoginWithoutClub, Session
from scoring.archive.models import WaitingArchive
from scoring.archive.queries import build_archive
from scoring.cash.ledger.posting import lock_books
from scoring.club.actions import IN_DEMO, NAME_ERASED, Actor, add_player, record, save_login
from scoring.club.models import (
    IDENTIFYING_FIELDS,
    INVITATION_PERIOD,
    VISITOR_MARK,
    Change,
    Club,
    Invitation,
    Player,
    Verb,
    is_visitor,
)
from scoring.club.queries import get_change_stamp
from scoring.core.database import snapshot
from scoring.core.errors import ActionRefused
from scoring.core.mails import mail_members
from scoring.core.names import name_key
from scoring.imports.actions import MAX_WAITING_TIME, hidden_slug, hide_club
from scoring.imports.models import Import
from scoring.league.actions import BuildFile
from scoring.league.models import MonthClosing, Season, Supplement
from scoring.league.queries.books import compute_hash, parse_content, serialize_content
from scoring.play.replay import lock_club
from scoring.rulesets.actions import found_club
from scoring.rulesets.models import RuleSet
from scoring.table.models import LateEntry

from . import queries

# --- Founding ---------------------------------------------------------------------------------------------------------

class LinkOverMeanwhile(ActionRefused):
    sentence = gettext_lazy(
        "Der Link zum Gründen gilt inzwischen nicht mehr. Was hier steht, bleibt: Bitte einen neuen in einem zweiten Fenster "
        "dieses Browsers öffnen, dann hier noch einmal gründen."
    )
    status = 410


SECRET_BYTES: Final = 16
_MAX_SLUG: Final = 35  # characters of a slug, so that a number fits behind it


@transaction.atomic
def make_founding_link() -> str:
    """Return the secret of a new link, which is not stored. An earlier link ends."""
    secret = secrets.token_urlsafe(SECRET_BYTES)
    FoundingLink.objects.all().delete()
    FoundingLink.objects.create(digest=queries.hash_secret(secret))
    return secret


@transaction.atomic
def found_by_link(
    *, link: int, founder: User, name: str, people: Sequence[str], own: str = "", begin: Callable[..., RuleSet]
) -> RuleSet:
    """Found a club of these people (names) and return its rule set. The first of them is the `founder`, perhaps not stored yet.
    `begin` is `begin_with_answers`, or `begin_with_preset` for the preset `own`.
    Raise LinkOverMeanwhile, LoginTaken, ValidationError (by field), ActionRefused for a demo visitor."""
    if is_visitor(founder):
        raise ActionRefused(IN_DEMO, status=403)
    # A second request at the same time waits here and then finds no link.
    if not queries.list_valid_links().filter(pk=link).delete()[0]:
        raise LinkOverMeanwhile
    return _found(founder, name, people, own, begin)


@transaction.atomic
def found_openly(
    *, founder: User, name: str, people: Sequence[str], own: str = "", begin: Callable[..., RuleSet]
) -> RuleSet:
    """Found a club like `found_by_link`, without a link. Raise ActionRefused if this founder has founded one of this name."""
    if is_visitor(founder):
        raise ActionRefused(IN_DEMO, status=403)
    if founder.pk:
        User.objects.select_for_update().get(pk=founder.pk)
        if Club.objects.filter(memberships__user=founder, name=name, founded_openly_at__isnull=False).exists():
            raise ActionRefused(_("Diesen Club haben Sie schon gegründet. Nach dem Anmelden finden Sie ihn."))
    rule_set = _found(founder, name, people, own, begin)
    # Later than all log entries of the founding itself; see `list_unused_clubs`.
    rule_set.club.founded_openly_at = timezone.now()
    rule_set.club.save(update_fields=["founded_openly_at"])
    return rule_set


def _found(founder: User, name: str, people: Sequence[str], own: str, begin: Callable[..., RuleSet]) -> RuleSet:
    if not founder.pk:
        save_login(founder)
    slug = slugify(name)[:_MAX_SLUG].strip("-") or "runde"
    wanted = chain([slug], (f"{slug}-{number}" for number in count(2)))
    free = next(slug for slug in wanted if not Club.objects.filter(slug=slug).exists())
    club, _password = found_club(name=name, slug=free, admin=founder.username, own=own)
    actor = Actor(founder, admin=True)
    add_player(club=club, actor=actor, name=people[0], user=founder)
    return begin(club=club, actor=actor, people=people[1:])


# --- Deleting a club --------------------------------------------------------------------------------------------------

def delete_club(*, club: Club, digest: str) -> None:
    """Delete a club. Raise ActionRefused unless `digest` is the SHA-256 of its archive now, read without the write lock."""
    outdated = ActionRefused(
        _("Das Archiv auf Ihrem Gerät ist nicht der Club, wie er jetzt ist. Bitte zuerst das Archiv herunterladen.")
    )
    with snapshot():
        seen = get_change_stamp(club.pk)
        archive = build_archive(club)
    if sha256(archive).hexdigest() != digest:
        raise outdated
    with hidden_slug() as slug, transaction.atomic():
        lock_club(club)
        if get_change_stamp(club.pk) != seen:
            raise outdated
        hide_club(club, slug)


def delete_unused_club(*, club: Club) -> bool:
    """Delete a club if its day has come and nothing is entered, and return whether it did; the locks wait for what is being
    entered just now. Raise Club.DoesNotExist."""
    with hidden_slug() as slug, transaction.atomic():
        lock_books(lock_club(club))
        if not queries.list_unused_clubs().filter(pk=club.pk, goes_on__lte=timezone.localdate()).exists():
            return False
        hide_club(club, slug)
    return True


# --- Erasing a name ---------------------------------------------------------------------------------------------------

# Attempts while others write to the club, and log entries that are written or deleted at once.
_TRIES: Final = 5
_AT_ONCE: Final = 500


def erase_player(*, player: Player, actor: Actor, texts: bool, as_file: BuildFile) -> Player:
    """Replace the name of a person, and of those merged into them, everywhere in the club, for good; with `texts` also where
    it was typed. No other function changes published months (their old hashes stay in `former`) or the values of log entries.
    All is built before the club is locked, since the Excel file of a month takes seconds, and again if it has changed meanwhile.
    Raise ActionRefused if no name is left, or if others keep writing to the club."""
    for _try in range(_TRIES):
        seen = _get_state(player.club)
        traces = queries.find_traces(player)
        if not traces.people:
            raise ActionRefused(NAME_ERASED)
        words = traces.words if texts else queries.build_words((), ())
        new_names = _list_new_names(player.club, traces)
        updates = list(_list_updates(player.club, traces, new_names, words, texts, as_file))
        history = list(_list_changed_entries(player.club, traces, words))
        if _write(player.club, actor, seen, traces, new_names, updates, history):
            return Player.objects.select_related("club").get(pk=player.pk)
    raise ActionRefused(_("Gerade wird in diesem Club viel eingetragen. Bitte gleich noch einmal versuchen."))


def _get_state(club: Club) -> Mapping[str, Any]:
    """Return the last log entry and their number: if both are the same later, the club has not changed."""
    return Change.objects.filter(club=club).aggregate(last=Max("pk"), rows=Count("pk"))


@transaction.atomic
def _write(
    club: Club,
    actor: Actor,
    seen: Mapping[str, Any],
    traces: queries.Traces,
    new_names: Mapping[int, str],
    updates: Sequence[queries.Update],
    history: Sequence[Change],
) -> bool:
    """Write all that was built; return False if the club has changed since `seen`."""
    club = Club.objects.select_for_update(no_key=True).get(pk=club.pk)
    # Closing a month locks its season.
    list(Season.objects.select_for_update(of=("self",)).filter(club=club).order_by("pk").values_list("pk"))
    if _get_state(club) != seen:
        return False
    blank = Player()
    for player in traces.people:
        player.name, player.erased_on = new_names[player.pk], timezone.localdate()
        for field in IDENTIFYING_FIELDS:
            setattr(player, field, getattr(blank, field))
        player.save()
    for row, values in updates:
        # The default querysets of published months and books refuse updates.
        QuerySet(type(row)).filter(pk=row.pk).update(**values)
    Change.objects.bulk_update(history, ["before", "after"], batch_size=_AT_ONCE)
    _delete_uploads(club, traces.words)
    for player in traces.people:
        record(club=club, actor=actor, verb=Verb.PLAYER_ERASED, subject=player.pk)
    return True


def _delete_uploads(club: Club, words: queries.Words) -> None:
    """Delete waiting lists with the name, archives of this club, and runs of other rules, which have typed names."""
    for waiting in Import.objects.filter(club=club, imported_at=None):
        if words.are_in(json.dumps(waiting.sheets, ensure_ascii=False)):
            waiting.delete()
    WaitingArchive.objects.filter(text__contains=f'"slug": {json.dumps(club.slug)}').delete()


def _list_updates(
    club: Club, traces: queries.Traces, new_names: Mapping[int, str], words: queries.Words, texts: bool, as_file: BuildFile
) -> Iterator[queries.Update]:
    """Yield published months, reports of imports and, with `texts`, typed texts, with their values without the name."""
    for closing in traces.closings:
        yield closing, _build_closing(closing, traces, new_names, words, as_file)
    for supplement in traces.supplements:
        yield supplement, _build_supplement(supplement, new_names, words)
    yield from queries.list_reports(club, traces.words)
    if texts:
        yield from (update for update in queries.list_mentions(club, words) if not isinstance(update[0], Supplement))


def _list_new_names(club: Club, traces: queries.Traces) -> dict[int, str]:
    taken = set(Player.objects.filter(club=club).values_list("name_key", flat=True))
    names = (_("Gelöschte Person %(number)s") % {"number": number} for number in count(1))
    free = (name for name in names if name_key(name) not in taken)
    return {player.pk: next(free) for player in traces.people}


def _build_closing(
    row: MonthClosing, traces: queries.Traces, new_names: Mapping[int, str], words: queries.Words, as_file: BuildFile
) -> dict[str, Any]:
    """Return the values of a published month without the name, also of the admin who closed it, with a new file."""
    content = _rename(queries.remove_names(parse_content(row.content), words), _map_published_ids(row, new_names))
    by = content["closed_by"]
    is_of_person = row.closed_by_id and row.closed_by_id in [player.user_id for player in traces.people]
    if by and (is_of_person or traces.words.without(by) == queries.GONE):
        content["closed_by"] = new_names[traces.people[0].pk]
    text = serialize_content(content)
    file = as_file(content, compute_hash(text))
    former = {"content_sha256": row.content_sha256, "file_sha256": row.file_sha256, "at": timezone.now().isoformat()}
    return {
        "content": text,
        "content_sha256": compute_hash(text),
        "file": file,
        "file_sha256": compute_hash(file),
        "former": [*row.former, former],
    }


def _build_supplement(row: Supplement, new_names: Mapping[int, str], words: queries.Words) -> dict[str, Any]:
    content = _rename(queries.remove_names(parse_content(row.content), words), _map_published_ids(row, new_names))
    return {"content": serialize_content(content), "reason": words.without(row.reason)}


def _map_published_ids(row: MonthClosing | Supplement, new_names: Mapping[int, str]) -> dict[int, str]:
    """Return the new names by the ids in this text. A text from an archive has the ids of another server."""
    if row.ids is None:
        return dict(new_names)
    return {int(text): new_names[pk] for text, pk in row.ids["players"].items() if pk in new_names}


def _rename(value: Any, new_names: Mapping[int, str]) -> Any:
    if isinstance(value, list):
        return [_rename(one, new_names) for one in value]
    if not isinstance(value, dict):
        return value
    renamed = {key: _rename(one, new_names) for key, one in value.items()}
    if "name" in renamed and renamed.get("player") in new_names:
        renamed["name"] = new_names[renamed["player"]]
    return renamed


def _list_changed_entries(club: Club, traces: queries.Traces, words: queries.Words) -> Iterator[Change]:
    """Yield the log entries that change: from entries about the person, login and dates are removed; from typed texts, the name."""
    about = Q(verb__startswith="player.", subject_id__in=[str(player.pk) for player in traces.people])
    typed = Q(verb__startswith="game.") | Q(verb=Verb.MONTH_SUPPLEMENTED)
    for change in Change.objects.filter(about | typed, club=club).order_by("pk").iterator(chunk_size=2000):
        sides = change.before, change.after
        if change.verb.startswith("player."):
            change.before, change.after = (
                side and {key: None if key in IDENTIFYING_FIELDS else value for key, value in side.items()} for side in sides
            )
        else:
            change.before, change.after = (queries.remove_names(side, words) for side in sides)
        if (change.before, change.after) != sides:
            yield change


# --- Old log entries --------------------------------------------------------------------------------------------------

@transaction.atomic
def keep_history(*, club: Club, actor: Actor, years: int | None) -> Club:
    """Set for how many years log entries of logins and games are kept; None is for ever. Raises ValidationError."""
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
    """Delete the log entries that the clubs need no longer keep, in short transactions, and return their number."""
    deleted = 0
    for club in Club.objects.filter(keep_history_years__isnull=False).order_by("pk"):
        pks = queries.list_deletable_changes(club, club.keep_history_years or 0, now)
        for start in range(0, len(pks), _AT_ONCE):
            with transaction.atomic():
                rows = Change.objects.filter(pk__in=pks[start : start + _AT_ONCE])
                rows.update(undoes=None)  # those that undo one of them are included or already deleted
                rows.delete()
        deleted += len(pks)
    return deleted


# --- Tidying ----------------------------------------------------------------------------------------------------------

logger = logging.getLogger(__name__)

# The models that show when the installation was last used: the field with the time, and the rows that count. Sessions, last
# logins and the demo do not count, because a visitor leaves such rows even while the clock is ahead.
STORED: Final[tuple[tuple[type[Model], str, Q], ...]] = (
    (Change, "at", Q(club__demo_until=None)),
    (User, "date_joined", ~Q(username__contains=VISITOR_MARK)),
    (Import, "uploaded_at", Q()),
    (WaitingArchive, "uploaded_at", Q()),
)
QUIET: Final = datetime.timedelta(days=2)  # if nothing was stored for longer than this, the clock may be ahead
DISCARDED_FOR: Final = datetime.timedelta(weeks=8)  # a discarded late entry is kept, in case a phone sends it again
OVER_FOR: Final = datetime.timedelta(weeks=8)  # a link to join is kept, so that its page can say that it has ended
ANNOUNCED_FOR: Final = datetime.timedelta(days=3)  # time for the founder of an empty club before its deletion
# Rows that are deleted in one transaction, and the seconds between two transactions.
BATCH_SIZE: Final = 200
PAUSE: Final = 0.1


def tidy() -> int:
    """Delete rows that are no longer needed, in batches, and return their number. Several processes may run this at once.
    If nothing was stored for two days, the clock may be ahead: then only failed logins are deleted."""
    now = timezone.now()
    cleared = _clear(AxesProxyHandler.get_implementation().expired(), BATCH_SIZE)
    newest = _newest_stored()
    if newest is not None and now - newest > QUIET:
        _warn_of_clock(newest)
        return cleared
    return (
        cleared
        + _clear(Session.objects.filter(expire_date__lt=now), BATCH_SIZE)
        + _clear(LateEntry.objects.filter(discarded=True, arrived_at__lt=now - DISCARDED_FOR), BATCH_SIZE)
        + _clear(Invitation.objects.filter(created_at__lt=now - INVITATION_PERIOD), BATCH_SIZE)
        + _clear(JoinLink.objects.filter(ends_on__lt=(now - OVER_FOR).date()), BATCH_SIZE)
        + _clear(Import.objects.filter(imported_at=None, tables=None, uploaded_at__lt=now - MAX_WAITING_TIME), 1)
        + _clear(WaitingArchive.objects.filter(uploaded_at__lt=now - MAX_WAITING_TIME), 1)
        + _clear_unused_clubs(timezone.localdate(now))
        + _clear_logins(now)
        + forget_old_history(now=now)
    )


def _newest_stored() -> datetime.datetime | None:
    found = [model._default_manager.filter(which).aggregate(newest=Max(field))["newest"] for model, field, which in STORED]
    return max((moment for moment in found if moment is not None), default=None)


@lru_cache(maxsize=1)
def _warn_of_clock(newest: datetime.datetime) -> None:
    logger.warning("Tidying waits: it is more than two days later than the newest thing that is stored. Is the clock right?")


def _clear(rows: QuerySet[Any], size: int) -> int:
    """Delete these rows in batches of `size`; of uploads, which can be large, one by one."""
    cleared = 0
    while found := list(rows.values_list("pk", flat=True)[:size]):
        cleared += rows.filter(pk__in=found).delete()[0]
        if len(found) == size:
            time.sleep(PAUSE)
    return cleared


def _clear_unused_clubs(today: datetime.date) -> int:
    founded_until = today + ANNOUNCED_FOR - queries.EMPTY_FOR
    for club in queries.list_unused_clubs().filter(goes_on=None, founded_openly_at__date__lte=founded_until):
        _announce(club, today)
    cleared = 0
    for club in queries.list_unused_clubs().filter(goes_on__lte=today):
        with suppress(Club.DoesNotExist):  # already deleted
            cleared += delete_unused_club(club=club)
        time.sleep(PAUSE)
    return cleared


def _announce(club: Club, today: datetime.date) -> None:
    """Set the day of the deletion of an empty club and mail it to the founder. A failed mail is announced again next time."""
    goes_on = max(timezone.localdate(club.founded_openly_at) + queries.EMPTY_FOR, today + ANNOUNCED_FOR)
    # Only one of two processes announces it.
    if not Club.objects.filter(pk=club.pk, goes_on=None).update(goes_on=goes_on) or not (settings.CAN_MAIL and settings.SITE_URL):
        return
    context = {"club": club, "goes_on": goes_on, "site": settings.SITE_URL}
    if not mail_members(club.pk, gettext_lazy("Ein leerer Club wird gelöscht"), "scoring/administration/unused_email.txt", context):
        Club.objects.filter(pk=club.pk).update(goes_on=None)


def _clear_logins(now: datetime.datetime) -> int:
    """Record which logins have no club, and delete those that have none for a long time. Operators need no club."""
    LoginWithoutClub.objects.filter(user__memberships__isnull=False).delete()
    new = User.objects.filter(memberships=None, without_club=None, is_superuser=False)
    LoginWithoutClub.objects.bulk_create([LoginWithoutClub(user=user) for user in new], ignore_conflicts=True)
    long_ago = now - datetime.timedelta(days=settings.LOGINS_WITHOUT_CLUB_DAYS)
    cleared = 0
    for user in User.objects.filter(without_club__since__lt=long_ago):
        try:
            delete_login(user=user)
        except (ActionRefused, User.DoesNotExist):
            continue  # it has just joined a club or was deleted
        cleared += 1
        time.sleep(PAUSE)
    return cleared
