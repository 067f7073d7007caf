"""Decide who has won, and why: each party has a goal that its eyes reach or not, and Feigheit may turn the result."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from .constants import (
    ABSAGE_EYES,
    ALL_EYES,
    BY_HAND,
    KONTRA_NO_EYES,
    KONTRA_NO_TRICK,
    RE_NO_EYES,
    RE_NO_TRICK,
    SAID,
    TIE,
    ZONE_EYES,
    Party,
)
from .game_settings import GameSettings

_FIRST_ABSAGE: Final = SAID.index("no90")

# The code of a sentence of `labels.REASONS`, with the party and the other values that the sentence needs.
Reason = dict[str, Any]


class Side(NamedTuple):
    """The announcement (index of SAID) and the eyes of one party. A party of a game without eyes is under no limit."""

    said: int
    eyes: int
    schwarz: bool

    def is_under(self, limit: int, more: int = 0) -> bool:
        """Return whether this party has fewer eyes than `limit` + `more`; for limit 0, whether it is schwarz."""
        return self.eyes < limit + more if limit else self.schwarz

    @property
    def absagen(self) -> tuple[str, ...]:
        """The Absagen that this party announced, the later ones including the earlier ones."""
        return SAID[_FIRST_ABSAGE : self.said + 1]


class Result(NamedTuple):
    """The result of a game: the `winner` (None: no party), and why. If the winner by eyes announced too few levels (Feigheit),
    `turned_from` is that party, and `winner` the other one or none; `fixed` is the price that then replaces the other steps."""

    re: Side
    kontra: Side
    winner: Party | None
    by_hand: bool
    tie: bool
    why: tuple[Reason, ...]
    turned_from: Party | None = None
    fixed: int | None = None

    def side(self, party: Party) -> Side:
        return self.re if party == "re" else self.kontra

    def has_kept(self, party: Party, said: str) -> bool:
        return self.side(other_party(party)).is_under(ABSAGE_EYES[said])


def other_party(party: Party) -> Party:
    return "kontra" if party == "re" else "re"


def get_result(game: GameSettings, partner: bool, re_said: int, kontra_said: int, zone: int, re_last: bool) -> Result:
    """Return the result of announcements (indices of SAID) and a zone; `re_last`: of both Ansagen Re's was last."""
    if zone in BY_HAND.values():
        re, kontra = Side(re_said, ALL_EYES, schwarz=False), Side(kontra_said, ALL_EYES, schwarz=False)
        winner: Party | None = "re" if zone == BY_HAND["re"] else "kontra"
        return Result(re, kontra, winner, by_hand=True, tie=False, why=({"code": "by_hand"},))
    eyes = ZONE_EYES[zone]
    by_eyes = game.schwarz_by == "eyes"
    # A zone has Re's lowest eyes; every limit of Kontra's lies on the border of a zone as well.
    re = Side(re_said, eyes, zone == RE_NO_TRICK or zone == RE_NO_EYES and by_eyes)
    kontra = Side(kontra_said, ALL_EYES - eyes, zone == KONTRA_NO_TRICK or zone == KONTRA_NO_EYES and by_eyes)
    winner, why = _decide_winner(game, partner, re, kontra, re_last)
    return _apply_cowardice(game, Result(re, kontra, winner, by_hand=False, tie=zone == TIE, why=why))


def _apply_cowardice(game: GameSettings, result: Result) -> Result:
    """Change the result if the winner announced too few levels (Feigheit)."""
    winner = result.winner
    if winner is None or game.cowardice is None:
        return result
    loser, said = result.side(other_party(winner)), result.side(winner).said
    reached = 1 + sum(loser.is_under(limit) for limit in ABSAGE_EYES.values())
    then, levels, more = game.cowardice["then"], game.cowardice["levels"], reached - said
    # Announcing one level fewer than was reached is never Feigheit, and needs no reason.
    if more < 2:
        return result
    why = (*result.why, {"code": "levels", "party": winner, "reached": reached, "said": said, "more": more})
    if more < levels:
        return result._replace(why=(*why, {"code": "coward_near", "levels": levels}))
    fixed = then if isinstance(then, int) else None
    turned = {"code": f"coward_{then}"} if fixed is None else {"code": "coward_price", "n": fixed}
    return result._replace(
        winner=None if then == "nobody" else other_party(winner),
        why=(*why, {**turned, "levels": levels}),
        turned_from=winner,
        fixed=fixed,
    )


def _decide_winner(
    game: GameSettings, partner: bool, re: Side, kontra: Side, re_last: bool
) -> tuple[Party | None, tuple[Reason, ...]]:
    why: tuple[Reason, ...] = ()
    if game.missed_costs:
        # An Absage changes no goal then; the Ansage in it counts.
        why = ({"code": "costs"},) if re.absagen or kontra.absagen else ()
        re, kontra = (side._replace(said=min(side.said, 1)) for side in (re, kontra))
    if _reaches(re, kontra, 121):
        return "re", (*why, _explain_win("re", re, kontra))
    needs_121, code = _get_kontra_goal(game.kontra_121["partner" if partner else "solo"], re.said, kontra.said, re_last)
    goal = {"code": code, "party": "kontra"}
    if _reaches(kontra, re, 121 if needs_121 else 120):
        at_120 = kontra.eyes == re.eyes and not (re.absagen or kontra.absagen)
        return "kontra", (*why, goal if at_120 else _explain_win("kontra", kontra, re))
    if re.absagen or kontra.absagen:
        return None, ({"code": "both_missed"},)
    if game.tie_120 == "nobody":
        return None, (*why, goal, {"code": "tie_nobody"})
    winner: Party = "re" if game.tie_120 == "re" else "kontra"
    return winner, (*why, goal, {"code": "tie", "party": winner})


def _get_kontra_goal(mode: str, re_said: int, kontra_said: int, re_last: bool) -> tuple[bool, str]:
    """Return whether Kontra needs 121 eyes, and the code of the reason."""
    if mode == "unless_re":
        return (False, "re_said") if re_said else (True, "re_silent")
    if mode == "always" or (mode == "kontra_said" and kontra_said):
        return True, "needs_121" if mode == "always" else "said_121"
    if not kontra_said or mode == "never":
        return False, "needs_120"
    if mode == "only_kontra":
        return (False, "also_said") if re_said else (True, "said_121")
    if not re_said:
        return True, "said_121"
    return (False, "last_re") if re_last else (True, "last_kontra")


def _explain_win(party: Party, own: Side, opponents: Side) -> Reason:
    """Return why a party has won that reached its goal by more than half of the eyes, or by an Absage."""
    if own.absagen:
        return {"code": "kept", "party": party, "announced": own.absagen[-1]}
    if opponents.absagen:
        return {"code": "missed", "party": other_party(party), "announced": opponents.absagen[-1]}
    return {"code": "half", "party": party}


def _reaches(own: Side, opponents: Side, half: int) -> bool:
    """Return whether a party has reached its goal: its own Absage, else to break the opponents' Absage, else `half`."""
    if own.absagen:
        return opponents.is_under(ABSAGE_EYES[own.absagen[-1]])
    if opponents.absagen:
        return not own.is_under(ABSAGE_EYES[opponents.absagen[-1]])
    return own.eyes >= half
