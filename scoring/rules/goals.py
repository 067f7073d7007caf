"""Who has won: each party has one goal, which its eyes reach or not; and who could have announced more has perhaps not
won after all (Feigheit). Games that are decided without eyes come here with their winner.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from .codes import (
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


class Side(NamedTuple):
    """What one party said and got. A party of a game without eyes is under no limit."""

    said: int
    eyes: int
    schwarz: bool

    def under(self, limit: int, more: int = 0) -> bool:
        """Has this party stayed under a limit (which lies so many eyes higher); 0 asks whether it is schwarz."""
        return self.eyes < limit + more if limit else self.schwarz

    @property
    def absagen(self) -> tuple[str, ...]:
        """Every step this party announced beyond Re or Kontra."""
        return SAID[_FIRST_ABSAGE : self.said + 1]


class Result(NamedTuple):
    """How a game ended. `winner` is who has won in the end; `turned_from` is who had won before Feigheit gave the game
    to the other party, or to nobody. `fixed` is what Feigheit costs, where that stands for nearly everything.
    """

    re: Side
    kontra: Side
    winner: Party | None
    by_hand: bool
    tie: bool
    turned_from: Party | None = None
    fixed: int | None = None

    def side(self, party: Party) -> Side:
        """What this party said and got."""
        return self.re if party == "re" else self.kontra

    def kept(self, party: Party, said: str) -> bool:
        """Has this party reached a step that it announced?"""
        return self.side(other(party)).under(ABSAGE_EYES[said])


def other(party: Party) -> Party:
    """The other party."""
    return "kontra" if party == "re" else "re"


def result_of(
    game: GameSettings, partner: bool, re_said: int, kontra_said: int, zone: int, re_last: bool
) -> Result:
    """The result of announcements (indices of SAID) and a zone of the eyes; `re_last`: of both Ansagen Re was last."""
    if zone in BY_HAND.values():
        re, kontra = Side(re_said, ALL_EYES, schwarz=False), Side(kontra_said, ALL_EYES, schwarz=False)
        return Result(re, kontra, "re" if zone == BY_HAND["re"] else "kontra", by_hand=True, tie=False)
    eyes = ZONE_EYES[zone]
    by_eyes = game.schwarz_by == "eyes"
    # A zone names Re's lowest eyes; every limit of Kontra's lies on the border of a zone as well.
    re = Side(re_said, eyes, zone == RE_NO_TRICK or zone == RE_NO_EYES and by_eyes)
    kontra = Side(kontra_said, ALL_EYES - eyes, zone == KONTRA_NO_TRICK or zone == KONTRA_NO_EYES and by_eyes)
    winner = _winner(game, partner, re, kontra, re_last)
    result = Result(re, kontra, winner, by_hand=False, tie=zone == TIE)
    if winner is None or game.cowardice is None:
        return result
    loser = result.side(other(winner))
    reached = 1 + sum(loser.under(limit) for limit in ABSAGE_EYES.values())
    if reached - result.side(winner).said < game.cowardice["levels"]:
        return result
    then = game.cowardice["then"]
    return result._replace(
        winner=None if then == "nobody" else other(winner),
        turned_from=winner,
        fixed=then if isinstance(then, int) else None,
    )


def _winner(game: GameSettings, partner: bool, re: Side, kontra: Side, re_last: bool) -> Party | None:
    if game.missed_costs:
        # An Absage is nobody's goal then, but the Ansage in it stands.
        re, kontra = (side._replace(said=min(side.said, 1)) for side in (re, kontra))
    if _reaches(re, kontra, 121):
        return "re"
    needs_121 = _kontra_needs_121(game.kontra_121["partner" if partner else "solo"], re.said, kontra.said, re_last)
    if _reaches(kontra, re, 121 if needs_121 else 120):
        return "kontra"
    if re.absagen or kontra.absagen or game.tie_120 == "nobody":
        return None
    return "re" if game.tie_120 == "re" else "kontra"


def _kontra_needs_121(mode: str, re_said: int, kontra_said: int, re_last: bool) -> bool:
    if mode == "kontra_last":
        return kontra_said > 0 and not re_last
    if mode == "only_kontra":
        return kontra_said > 0 and not re_said
    if mode == "unless_re":
        return not re_said
    return mode == "always" or (mode == "kontra_said" and kontra_said > 0)


def _reaches(own: Side, opponents: Side, half: int) -> bool:
    """Has a party reached its goal: its own Absage, else to break the other's, else half."""
    if own.absagen:
        return opponents.under(ABSAGE_EYES[own.absagen[-1]])
    if opponents.absagen:
        return not own.under(ABSAGE_EYES[opponents.absagen[-1]])
    return own.eyes >= half
