"""Invent games that are legal under the rules of their table, and plausible: better players win more points."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate
from random import Random
from typing import Any, Final

from scoring.rules.constants import ANNOUNCED_SOLOS, QUIET_SOLOS
from scoring.rules.parsing import GameFacts, parse_game
from scoring.rules.settings import RuleSettings
from scoring.rules.sheet import Proposal

Facts = dict[str, Any]

# The weights of the kinds of games.
KINDS: Final = {
    "normal": 150,
    "hochzeit": 11,
    "armut": 6,
    "stille_hochzeit": 2,
    "hochzeit_allein": 1,
    "damensolo": 3,
    "bubensolo": 2,
    "trumpfsolo": 4,
    "fleischlos": 2,
    "farbsolo_kreuz": 1,
    "farbsolo_herz": 1,
    "koenigssolo": 1,
    "asse_solo": 1,
}
# The probabilities of the special points in a game.
SPECIALS: Final = {
    "fuchs": 0.16,
    "karlchen": 0.08,
    "doppelkopf": 0.09,
    "karlchen_gefangen": 0.03,
    "fuchs_am_ende": 0.02,
    "dulle_gefangen": 0.03,
    "herzstich": 0.1,
}
# The announcements as (limit, code, probability). With a hand of at least the limit Re makes it, with a hand of at most the limit
# Kontra. `hand` is how many eyes more than 123 Re can expect.
RE_SAYS: Final = ((61, "no60", 0.6), (33, "no90", 0.6), (11, "said", 0.6))
KONTRA_SAYS: Final = ((-70, "no60", 0.5), (-43, "no90", 0.6), (-14, "said", 0.55))
# Eyes: the standard deviations of how good a hand is and of how the cards lie, and the effect of a difference of 1 in skill.
HAND, CARDS, SKILL = 22, 11, 10


def invent_game(written: str, rng: Random, rules: RuleSettings, skills: Sequence[float], deal: Proposal) -> Facts:
    """Return the facts of a game at this table, `written` in eyes, in bands or in the short form; `skills` are by seat."""
    if written == "short":
        return _invent_short_game(rng, rules, skills, deal)
    facts = _invent_full_game(rng, rules, skills, deal)
    return _convert_to_band(facts, rules, deal.dealer) if written == "bands" else facts


def _invent_full_game(rng: Random, rules: RuleSettings, skills: Sequence[float], deal: Proposal) -> Facts:
    playing = [seat for seat in range(rules.table) if seat not in (deal.out or ())]
    kind, duty, soloist = _choose_kind(rng, rules, playing, deal)
    if kind in ANNOUNCED_SOLOS or kind in QUIET_SOLOS:
        re = [rng.choice(playing) if soloist is None else soloist]
    else:
        re = sorted(rng.sample(playing, 2))
    hand = rng.gauss(0, HAND) + _get_advantage(skills, re, playing)
    eyes = min(max(round(123 + hand + rng.gauss(0, CARDS)), 14), 229)
    facts: Facts = {"kind": kind, "re": re, "eyes": eyes}
    if duty:
        facts["duty"] = True
    if rules.announcements:
        facts |= _choose_announcements(rng, hand)
    facts |= _choose_specials(rng, rules, kind)
    if rules.bock_by_hand and rng.random() < 0.01:
        facts["starts_bock"] = 1
    return facts


def _invent_short_game(rng: Random, rules: RuleSettings, skills: Sequence[float], deal: Proposal) -> Facts:
    game = _invent_full_game(rng, rules, skills, deal)
    others = [seat for seat in range(rules.table) if seat not in (deal.out or ()) and seat not in game["re"]]
    facts: Facts = {
        "winners": game["re"] if game["eyes"] > 120 else others,
        "base": 1 + (abs(game["eyes"] - 120) > 30) + rng.choice((0, 0, 0, 1, 1, 2, 3)),
    }
    if len(game["re"]) == 1:
        facts["solo"] = True
    return facts


def _convert_to_band(facts: Facts, rules: RuleSettings, dealer: int) -> Facts:
    read = parse_game(facts, rules, dealer)
    if not isinstance(read, GameFacts):
        return facts
    return {field: value for field, value in facts.items() if field != "eyes"} | {"band": read.band}


def _get_advantage(skills: Sequence[float], re: Sequence[int], playing: Sequence[int]) -> float:
    """Return how many eyes more Re wins because of the skills, which may be negative, and 12 for the good cards of a soloist."""
    kontra = [seat for seat in playing if seat not in re]
    ours, theirs = (sum(skills[seat] for seat in side) / len(side) for side in (re, kontra))
    return SKILL * (ours - theirs) + (12 if len(re) == 1 else 0)


def _choose_kind(rng: Random, rules: RuleSettings, playing: Sequence[int], deal: Proposal) -> tuple[str, bool, int | None]:
    """Return the kind of game, whether it is a Pflichtsolo, and who has to play it."""
    if deal.soloist is not None:
        return _choose_solo(rng, rules), True, deal.soloist
    owing = [seat for seat in deal.owing if seat in playing]
    if owing and rng.random() < 0.16:
        return _choose_solo(rng, rules), True, rng.choice(owing)
    kinds, weights = _weigh_kinds(rules)
    return rng.choices(kinds, cum_weights=weights)[0], False, None


@lru_cache
def _weigh_kinds(rules: RuleSettings) -> tuple[list[str], list[int]]:
    kinds = [kind for kind in KINDS if kind in rules.kinds]
    return kinds, list(accumulate(KINDS[kind] for kind in kinds))


def _choose_solo(rng: Random, rules: RuleSettings) -> str:
    solos = [kind for kind in KINDS if kind in rules.kinds and kind in ANNOUNCED_SOLOS]
    return rng.choices(solos, [KINDS[kind] for kind in solos])[0]


def _choose_announcements(rng: Random, hand: float) -> Facts:
    announced: Facts = {}
    for at_least, what, often in RE_SAYS:
        if hand >= at_least and rng.random() < often:
            announced["re_said"] = what
            break
    for at_most, what, often in KONTRA_SAYS:
        if hand <= at_most and rng.random() < often:
            announced["kontra_said"] = what
            break
    if not announced and rng.random() < 0.04:
        announced[rng.choice(("re_said", "kontra_said"))] = "said"
    return announced


def _choose_specials(rng: Random, rules: RuleSettings, kind: str) -> Facts:
    """Return the special points: each at most once, and only one of the two for the last trick."""
    sides: dict[str, dict[str, int]] = {"re_specials": {}, "kontra_specials": {}, "game_specials": {}}
    last_trick = False
    for special, often in _list_special_chances(rules, kind):
        if rng.random() >= often:
            continue
        if special in ("karlchen", "fuchs_am_ende"):
            if last_trick:
                continue
            last_trick = True
        side = rng.choice(("re_specials", "kontra_specials"))
        sides["game_specials" if rules.specials[special].of == "game" else side][special] = 1
    return {field: counts for field, counts in sides.items() if counts}


@lru_cache
def _list_special_chances(rules: RuleSettings, kind: str) -> list[tuple[str, float]]:
    counting = [special for special in SPECIALS if special in rules.specials and rules.special_counts(special, kind)]
    return [(special, SPECIALS[special]) for special in counting]
