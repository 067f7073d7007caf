"""Erases a person: their name goes everywhere, and what they played stays, to the digit. This is the one place that rewrites
what is written once: the text and the file of a published month (their old hashes stay in `former`), and rows of the history.
The new files of many months take seconds, so they are made before anything is locked; then all is written at once. If anything
happened in the club meanwhile, nothing is written, and they are made anew."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import count
from typing import Any, Final

from django.db import transaction
from django.db.models import Count, Max, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.archive.models import WaitingArchive
from scoring.club.actions import Actor, NameErased, record
from scoring.club.models import Change, Club, Player, Verb
from scoring.core.errors import ActionRefused
from scoring.core.names import name_key
from scoring.imports.models import Import
from scoring.league.actions import BuildFile
from scoring.league.models import MonthClosing, Season, Supplement
from scoring.league.queries.books import compute_hash, parse_content, serialize_content
from scoring.privacy.queries.erasing import (
    GONE,
    Mention,
    Traces,
    Words,
    mentions_in,
    reports_in,
    reworded,
    traces_of,
    words_for,
)
from scoring.whatif.models import WhatIfRun

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
