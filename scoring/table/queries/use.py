"""How often a club has played what its rule sets can have of their own: what is used most is asked first."""

from __future__ import annotations

from collections import Counter

from scoring.play.models import Game, Table

# The newest games tell how a club plays now; more of them would only cost.
NEWEST = 200


def use_of(table: Table) -> Counter[str]:
    """How many of the club's newest games had each kind and special point, in one query. The sheet of the table itself is
    left out: nothing changes its place during an evening."""
    games = Game.objects.filter(round__table__evening__club=table.evening.club_id, form=Game.Form.PLAYED, deleted=False)
    used: Counter[str] = Counter()
    for facts in games.exclude(round__table=table).order_by("-entered_at").values_list("facts", flat=True)[:NEWEST]:
        used[facts["kind"]] += 1
        for field in ("re_specials", "kontra_specials", "game_specials"):
            used.update(facts.get(field, {}).keys())
    return used
