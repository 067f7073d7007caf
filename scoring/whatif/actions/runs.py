"""Continues a question of What if that takes longer than one request: some tables at a time, and from the beginning if
anything changed in the club since then. It leaves no trace in the history, because it changes nothing in the club."""

from __future__ import annotations

from typing import Final

from django.utils import timezone

from scoring.club.models import Club
from scoring.club.queries import get_change_stamp
from scoring.core.database import snapshot
from scoring.rulesets.models import RuleSet
from scoring.standings.queries.selection import Selection, tables_in
from scoring.whatif.models import WhatIfRun
from scoring.whatif.queries.lists import AT_ONCE
from scoring.whatif.queries.valued import Valued

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
