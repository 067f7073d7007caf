"""Giving a club its rule sets, changing and renaming them, and valuing a table by another one. A version never changes: an edit is
the next version, and a table keeps its own until somebody moves it, having seen what that changes."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass, replace
from typing import Any
from uuid import uuid4

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from scoring.errors.core import ActionRefused
from scoring.errors.play import TableChanged
from scoring.errors.rulesets import NewerVersion, NothingDiffers, RuleSetNameTaken
from scoring.models import Club, Game, RuleSet, Table, Verb
from scoring.models.text import tidy
from scoring.queries.records import Records, line_of
from scoring.rules.facts import read_line
from scoring.rules.refused import Refused, Sentence
from scoring.rules.settings import resolve

from .carry import preview, replay
from .history import record
from .locking import lock_table, refuse_closed
from .replay import Effect


@transaction.atomic
def add_rule_set(
    *, club: Club, actor: User | None, preset: str, name: str, settings: Mapping[str, Any] | None = None
) -> RuleSet:
    """A rule set of the club that begins as this preset, with `settings` laid over it. Raises ValidationError (by
    field), Refused for an unknown preset."""
    rule_set = _save(RuleSet(club=club, name=name, settings=resolve({"base": preset, **(settings or {})})))
    record(club=club, actor=actor, verb=Verb.RULES_ADDED, subject=rule_set.pk, after={"preset": preset, "version": 1})
    return rule_set


@transaction.atomic
def copy_rule_set(*, source: RuleSet, actor: User | None, name: str) -> RuleSet:
    """A rule set of the same club that begins as `source` is. Raises ValidationError by field."""
    rule_set = _save(RuleSet(club=source.club, name=name, settings=source.settings))
    after = {"rule_set": source.pk, "version": 1}
    record(club=source.club, actor=actor, verb=Verb.RULES_ADDED, subject=rule_set.pk, after=after)
    return rule_set


@transaction.atomic
def change_rule_set(*, rule_set: RuleSet, actor: User | None, settings: Mapping[str, Any]) -> RuleSet:
    """The next version of a rule set, seen as `rule_set`, its latest one. The same settings again answer what is
    stored. Raises NewerVersion, NothingDiffers, ValidationError by field."""
    newest = _versions(rule_set).order_by("-version")[0]
    if newest.settings == settings:
        if newest.pk == rule_set.pk:
            raise NothingDiffers
        return newest
    if newest.pk != rule_set.pk:
        raise NewerVersion(newest)
    changed = _save(RuleSet(club=rule_set.club, name=newest.name, version=newest.version + 1, settings=dict(settings)))
    record(
        club=rule_set.club,
        actor=actor,
        verb=Verb.RULES_CHANGED,
        subject=changed.pk,
        before={"rule_set": newest.pk},
        after={"rule_set": changed.pk},
    )
    return changed


@transaction.atomic
def rename_rule_set(*, rule_set: RuleSet, actor: User | None, name: str) -> RuleSet:
    """Another name for all versions of a rule set. Raises RuleSetNameTaken, NothingDiffers, ValidationError by
    field."""
    versions = _versions(rule_set)
    renamed = versions.get(pk=rule_set.pk)
    before, renamed.name = renamed.name, tidy(name)
    renamed.clean_fields()
    if renamed.name == before:
        raise NothingDiffers
    if RuleSet.objects.filter(club=rule_set.club_id, name=renamed.name).exists():
        raise RuleSetNameTaken
    try:
        with transaction.atomic():
            versions.update(name=renamed.name)
    except IntegrityError as error:
        # Another one was given this name since.
        raise RuleSetNameTaken from error
    record(
        club=rule_set.club,
        actor=actor,
        verb=Verb.RULES_RENAMED,
        subject=rule_set.pk,
        before={"name": before},
        after={"name": renamed.name},
    )
    return renamed


def _versions(rule_set: RuleSet) -> QuerySet[RuleSet]:
    """All versions of a rule set, under the name it has now. The rule sets of a club are changed one after another:
    whoever waited here looks again for what is the latest, and what it is called."""
    Club.objects.select_for_update(no_key=True).get(pk=rule_set.club_id)
    name = RuleSet.objects.get(pk=rule_set.pk).name
    return RuleSet.objects.filter(club=rule_set.club_id, name=name)


def _save(rule_set: RuleSet) -> RuleSet:
    rule_set.full_clean(exclude=["unit"])
    rule_set.save()
    return rule_set


# --- A table by other rules -------------------------------------------------------------------------------------------


class RulesRefuseGames(ActionRefused):
    sentence = _("Nach diesen Regeln lassen sich nicht alle Spiele werten. Bitte erst diese Spiele berichtigen.")
    status = 422


@dataclass(frozen=True)
class Move:
    """What valuing a table by another rule set changes: the lines whose worth or points differ, or the lines that the
    other rules refuse, with the sentences; where there is any of these, nothing can be valued. `seen` is the last
    change of the table that this knows of."""

    effects: list[Effect]
    refused: list[tuple[Game, list[Sentence]]]
    seen: int


def preview_move(*, records: Records, rule_set: RuleSet) -> Move:
    """What valuing the table by this rule set would change; nothing is written."""
    changed = under(records, rule_set)
    if refused := _refused(changed):
        return Move([], refused, _last_change(records.table))
    return Move(preview(changed), [], _last_change(records.table))


@transaction.atomic
def move_to_rules(*, table: Table, actor: User | None, as_admin: bool, rule_set: RuleSet, seen: int) -> list[Effect]:
    """Value the table by another rule set of its club, as it was seen when `seen` was its last change. Answers the
    lines whose worth or points changed. Raises EveningIsClosed, TableChanged, NothingDiffers, RulesRefuseGames."""
    records = lock_table(table)
    refuse_closed(records, as_admin)
    if rule_set.club_id != records.table.evening.club_id:
        raise ValueError("A table is valued by a rule set of its own club.")
    if records.table.rule_set_id == rule_set.pk:
        raise NothingDiffers
    if _last_change(records.table) != seen:
        raise TableChanged
    changed = under(records, rule_set)
    if _refused(changed):
        raise RulesRefuseGames
    changed.table.save(update_fields=["rule_set"])
    click = uuid4()
    found = replay(changed, actor=actor, as_admin=as_admin, click=click)
    record(
        club=records.table.evening.club,
        actor=actor,
        verb=Verb.RULES_MOVED,
        subject=rule_set.pk,
        before={"rule_set": records.table.rule_set_id},
        after={"rule_set": rule_set.pk},
        table=records.table,
        click=click,
    )
    return found


def under(records: Records, rule_set: RuleSet) -> Records:
    """The same lines at the same table under another rule set."""
    table = copy(records.table)
    table.rule_set = rule_set
    return replace(records, table=table)


def _refused(records: Records) -> list[tuple[Game, list[Sentence]]]:
    """The lines that cannot stand under the rules of these records, with what is wrong with each."""
    found = []
    for game in records.games:
        people = records.line_up(game)
        line = line_of(game, len(people))
        try:
            read_line(line.form, line.facts, records.table.rule_set.rules.at(line.table), line.dealer)
        except Refused as refused:
            found.append((game, list(refused.naming(people).fields.values())))
    return found


def _last_change(table: Table) -> int:
    return table.changes.order_by("-id").values_list("pk", flat=True).first() or 0
