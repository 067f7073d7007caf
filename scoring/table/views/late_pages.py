"""The pages for entries that came too late. They show each entry in the words of the history, with what it would bring
everybody. Somebody whose link has ended gets a page of their own: it shows only what they handed in, nothing else of the
table."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from scoring.cash.queries.facts import handed_in
from scoring.cash.words.fines import fine_in_words
from scoring.club.access import Access
from scoring.core.database import snapshot
from scoring.core.formats import translate_sentence
from scoring.play.models import Table
from scoring.play.queries import Records, read_records
from scoring.play.texts import describe_line
from scoring.rulesets.models import RuleSet
from scoring.table.actions.late import Waiting, look_through


def late_lines(records: Records) -> list[dict[str, Any]]:
    """Everything that waits at a table, the first to arrive first."""
    return [_line(waiting, records.table.rule_set) for waiting in look_through(records)]


def _line(waiting: Waiting, rule_set: RuleSet) -> dict[str, Any]:
    entry, people = waiting.entry, waiting.people
    typed = {"form": entry.form, "facts": entry.facts, "dealer": entry.dealer, "note": entry.note}
    return {
        "entry": entry,
        "words": describe_line(typed, lambda place: people[place].name, rule_set.rules.at(len(people))).items(),
        "points": [(player, waiting.points[player.pk]) for player in people if player.pk in waiting.points],
        "refused": [translate_sentence(found) for found in waiting.refused.fields.values()] if waiting.refused else [],
        "last": waiting.last,
    }


def ended_page(request: HttpRequest, access: Access, table: Table) -> HttpResponse:
    """The table is shut to this reader: why, and what they handed in since."""
    own = []
    if table.waiting_late:
        with snapshot():
            lines = late_lines(read_records(table))
        own = [line for line in lines if line["entry"].spoken_as_id == access.spoken_as]
    tariff = table.evening.tariff
    sent = handed_in(table.evening, access.spoken_as) if tariff else []
    fines = [fine_in_words(fine, tariff.content if tariff else {}) for fine in sent]
    context = {"access": access, "table": table, "late": own, "fines": fines}
    return render(request, "scoring/table/ended.html", context, status=410)
