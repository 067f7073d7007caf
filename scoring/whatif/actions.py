"""Value a table by another rule set of its club."""

from __future__ import annotations

from copy import copy
from dataclasses import replace
from typing import Any
from uuid import uuid4

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from scoring.cash.evening.posting import post_evenings
from scoring.club.actions import Actor, record
from scoring.club.models import Verb
from scoring.core.errors import InvalidInput
from scoring.play.models import Game, Table
from scoring.play.queries import Records
from scoring.play.replay import Effect, TableChanged, list_closed_evenings, lock_open, preview_replay, replay
from scoring.rules.parsing import move_game_specials, normalize_facts, parse_line
from scoring.rules.validation import Refused, Sentence
from scoring.rulesets.actions import NothingDiffers
from scoring.rulesets.models import RuleSet
from scoring.whatif.rules import use_own_names


def preview_move(*, records: Records, rule_set: RuleSet) -> dict[str, Any]:
    """Return the effects of another rule set on a table, the lines that it `refused` with the sentences (then there are no
    effects), and the last change of the table that was `seen`. Raise WorthTooMuch."""
    changed = apply_rules(records, rule_set)
    refused = _list_refused(records, changed)
    effects = [] if refused else preview_replay(changed)
    return {"effects": effects, "refused": refused, "seen": _get_last_change(records.table)}


@transaction.atomic
def move_to_rules(*, table: Table, actor: Actor, rule_set: RuleSet, seen: int) -> list[Effect]:
    """Value the table by another rule set of its club, as it was seen when `seen` was its last change. Return the changed lines.
    Raise EveningIsClosed, TableChanged, NothingDiffers, WorthTooMuch, or InvalidInput if the rules refuse a line."""
    records = lock_open(table, actor)
    if rule_set.club_id != records.table.evening.club_id:
        raise ValueError("A table is valued by a rule set of its own club.")
    if records.table.rule_set_id == rule_set.pk:
        raise NothingDiffers
    if _get_last_change(records.table) != seen:
        raise TableChanged
    changed = apply_rules(records, rule_set)
    if _list_refused(records, changed):
        sentence = _("Nach diesen Regeln lassen sich nicht alle Spiele werten. Bitte erst diese Spiele berichtigen.")
        raise InvalidInput(sentence)
    changed.table.save(update_fields=["rule_set"])
    facts = {game.key: game.facts for game in records.games}
    Game.objects.bulk_update([game for game in changed.games if game.facts != facts[game.key]], ["facts"])
    click = uuid4()
    found = replay(changed, actor=actor, click=click)
    club, verb, table = records.table.evening.club, Verb.RULES_MOVED, records.table
    before, after = {"rule_set": table.rule_set_id}, {"rule_set": rule_set.pk}
    record(club=club, actor=actor, verb=verb, subject=rule_set.pk, before=before, after=after, table=table, click=click)
    post_evenings(list_closed_evenings(records, found), actor=actor, cause=str(verb.label))
    return found


def apply_rules(records: Records, rule_set: RuleSet) -> Records:
    """Return the lines under another rule set. A Herzstich of a party becomes one of the game if the rules know no other."""
    table = copy(records.table)
    table.rule_set = rule_set
    games = [copy(game) for game in records.games]
    for game in games:
        facts = move_game_specials(game.facts, rule_set.rules.at(len(records.line_up(game))))
        game.facts = normalize_facts(facts) if facts != game.facts else game.facts
    return replace(records, table=table, games=games)


def _list_refused(records: Records, changed: Records) -> list[tuple[Game, list[Sentence]]]:
    found = []
    for game in changed.games:
        people, own = records.line_up(game), records.get_rules(game)
        try:
            parse_line(game.form, game.facts, changed.get_rules(game), game.dealer)
        except Refused as refused:
            found.append((game, [use_own_names(why, own) for why in refused.with_names(people).fields.values()]))
    return found


def _get_last_change(table: Table) -> int:
    return table.changes.order_by("-id").values_list("pk", flat=True).first() or 0
