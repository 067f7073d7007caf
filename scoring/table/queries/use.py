"""How often a club has played what can be entered: what is used most is asked first."""

from __future__ import annotations

from collections import Counter

from scoring.play.models import Evening, Game

# So many evenings tell how a club plays now; more of them would only cost.
LAST = 5


def use_before(evening: Evening) -> Counter[str]:
    """In how many games of the club's last evenings each kind and special point was entered, in one query. The evening itself
    is left out: nothing changes its place while it is played."""
    last = Evening.objects.filter(club=evening.club_id, held_on__lte=evening.held_on).exclude(pk=evening.pk)
    games = Game.objects.filter(
        round__table__evening__in=last.order_by("-held_on", "-pk").values("pk")[:LAST],
        form=Game.Form.PLAYED,
        deleted=False,
    )
    used: Counter[str] = Counter()
    for facts in games.values_list("facts", flat=True):
        used[facts["kind"]] += 1
        for field in ("re_specials", "kontra_specials", "game_specials"):
            used.update(facts.get(field, {}).keys())
    return used
