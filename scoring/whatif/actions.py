"""Continue a question of What if that takes longer than one request, and value a table by another rule set of its club."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass, replace
from typing import Final
from uuid import uuid4

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from scoring.cash.evening.posting import post_evenings
from scoring.club.actions import Actor, record
from scoring.club.models import Club, Verb
from scoring.club.queries import get_change_stamp
from scoring.core.database import snapshot
from scoring.core.errors import ActionRefused
from scoring.play.actions import TableChanged, lock_open
from scoring.play.models import Game, Table
from scoring.play.queries import Records, build_line
from scoring.play.replay import Effect, list_changed_evenings, preview_replay, replay
from scoring.rules.parsing import move_game_specials, normalize_facts, parse_line
from scoring.rules.validation import Refused, Sentence
from scoring.rulesets.actions import NothingDiffers
from scoring.rulesets.models import RuleSet
from scoring.standings.queries.selection import Selection, tables_in
from scoring.whatif.models import WhatIfRun
from scoring.whatif.queries import AT_ONCE, Valued
from scoring.whatif.rules import called

# So many questions of a club are kept, those that were asked last.
KEPT: Final = 10


def go_on(*, club: Club, query: str, rule_set: RuleSet, selection: Selection) -> None:
    """Value the next tables. Where two go on at once, the second one adds nothing."""
    run, _new = WhatIfRun.objects.get_or_create(club=club, query=query)
    with snapshot():
        seen, done, valued = get_change_stamp(club.pk), 0, Valued(rule_set, selection)
        tables = list(tables_in(club, selection))
        if run.of and run.seen == seen:
            done = run.done
            valued.take(run.sums)
        some = tables[done : done + AT_ONCE]
        valued.value(club, some)
    as_it_was = WhatIfRun.objects.filter(pk=run.pk, seen=run.seen, done=run.done)
    as_it_was.update(seen=seen, done=done + len(some), of=len(tables), sums=valued.sums(), valued_at=timezone.now())
    kept = WhatIfRun.objects.filter(club=club).order_by("-valued_at", "-pk").values_list("pk", flat=True)[:KEPT]
    WhatIfRun.objects.filter(club=club).exclude(pk__in=list(kept)).delete()


class RulesRefuseGames(ActionRefused):
    sentence = _("Nach diesen Regeln lassen sich nicht alle Spiele werten. Bitte erst diese Spiele berichtigen.")
    status = 422


@dataclass(frozen=True)
class Move:
    """What it changes to value a table by another rule set: the lines whose worth or points differ, or the lines that the
    other rules refuse, with the sentences. If any line is refused, nothing can be changed. `seen` is the last change of the
    table that this knows of."""

    effects: list[Effect]
    refused: list[tuple[Game, list[Sentence]]]
    seen: int


def preview_move(*, records: Records, rule_set: RuleSet) -> Move:
    """What valuing the table by this rule set would change; nothing is written."""
    changed = under(records, rule_set)
    if refused := _refused(records, changed):
        return Move([], refused, _last_change(records.table))
    return Move(preview_replay(changed), [], _last_change(records.table))


@transaction.atomic
def move_to_rules(*, table: Table, actor: Actor, rule_set: RuleSet, seen: int) -> list[Effect]:
    """Value the table by another rule set of its club, as it was seen when `seen` was its last change. Answers the
    lines whose worth or points changed. Raises EveningIsClosed, TableChanged, NothingDiffers, RulesRefuseGames."""
    records = lock_open(table, actor)
    if rule_set.club_id != records.table.evening.club_id:
        raise ValueError("A table is valued by a rule set of its own club.")
    if records.table.rule_set_id == rule_set.pk:
        raise NothingDiffers
    if _last_change(records.table) != seen:
        raise TableChanged
    changed = under(records, rule_set)
    if _refused(records, changed):
        raise RulesRefuseGames
    changed.table.save(update_fields=["rule_set"])
    facts = {game.key: game.facts for game in records.games}
    Game.objects.bulk_update([game for game in changed.games if game.facts != facts[game.key]], ["facts"])
    click = uuid4()
    found = replay(changed, actor=actor, click=click)
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
    post_evenings(list_changed_evenings(records, found), actor=actor, cause=str(Verb.RULES_MOVED.label))
    return found


def under(records: Records, rule_set: RuleSet) -> Records:
    """Return the same lines at the same table under another rule set; a Herzstich of a party is of the game where these rules
    ask for no party."""
    table = copy(records.table)
    table.rule_set = rule_set
    games = [copy(game) for game in records.games]
    for game in games:
        facts = move_game_specials(game.facts, rule_set.rules.at(len(records.line_up(game))))
        game.facts = normalize_facts(facts) if facts != game.facts else game.facts
    return replace(records, table=table, games=games)


def _refused(records: Records, changed: Records) -> list[tuple[Game, list[Sentence]]]:
    """The lines of `changed` that cannot stand under its rule set, with what is wrong with each."""
    found = []
    for game in changed.games:
        people, own = records.line_up(game), records.get_rules(game)
        line = build_line(game, len(people))
        try:
            parse_line(line.form, line.facts, changed.table.rule_set.rules.at(line.table), line.dealer)
        except Refused as refused:
            found.append((game, [called(why, own) for why in refused.with_names(people).fields.values()]))
    return found


def _last_change(table: Table) -> int:
    return table.changes.order_by("-id").values_list("pk", flat=True).first() or 0
