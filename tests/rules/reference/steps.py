"""Decides the steps to the value of a game, in the order in which they are folded (sections 2.2, 11 and 13)."""

from __future__ import annotations

from typing import Any

from tests.rules.reference.constants import (
    AGAINST,
    FARBSOLI,
    IN_FARBSOLO,
    LIMIT_CODE,
    LIMIT_OF,
    MOST_SPECIALS,
    ORDINARY_TRUMPS,
    OTHER,
    Line,
    Settings,
    Step,
)
from tests.rules.reference.game import (
    absagen_of,
    eyes_of,
    group_of,
    has_count,
    has_said,
    is_solo,
    is_tie,
    is_under,
    like_of,
    words_of,
)
from tests.rules.reference.winner import Verdict


def steps_of(line: Line, settings: Settings, verdict: Verdict, level: int) -> list[Step]:
    """The whole order of a game, as section 13 lists it."""
    winner, when = verdict.winner, settings["specials_when"]
    pays = special_lines(line, settings, winner, "pay") if when == "paid" else []
    if winner is None and settings["nobody_wins"] == "zero":
        return pays
    gegen, solo_point = gegen_line(line, settings, verdict), solo_point_line(line, settings, verdict)
    specials = special_lines(line, settings, winner, "add")
    gegen_when = settings["gegen_when"]
    solo_when = settings["solo_point"]["when"] if solo_point else "before"

    def placed(place: str) -> list[Step]:
        return (gegen if gegen_when == place else []) + (solo_point if solo_when == place else [])

    def special_at(place: str) -> list[Step]:
        return specials if when == place else []

    bock, effect = bock_step(settings, winner, level), (settings["bock"] or {}).get("effect")
    steps = plain_lines(line, settings, verdict) + placed("before")
    steps += bock if effect == "game" else []
    steps += special_at("before") + doublings(line, settings, verdict) + placed("bock_only") + special_at("bock_only")
    steps += bock if effect == "all" else []
    steps += placed("after") + special_at("after")
    steps += bock if isinstance(effect, dict) else []
    steps += highest_step(steps, settings)
    return steps + negative_step(steps, settings, winner) + pays


def course(steps: list[Step]) -> list[int]:
    """What the value is after each step, from 0 as Re sees it: add counts + for Re and - for Kontra, times multiplies."""
    values = [0]
    for step in steps:
        if "add" in step:
            values.append(values[-1] + (step["add"] if step["party"] == "re" else -step["add"]))
        elif "times" in step:
            values.append(values[-1] * step["times"])
    return values


def fold(steps: list[Step]) -> int:
    return course(steps)[-1]


def add(code: str, party: str | None, points: int) -> list[Step]:
    """A line, left out where it is worth nothing or where nobody is there to get it."""
    return [{"code": code, "party": party, "add": points}] if points and party else []


def times(code: str, factor: int) -> list[Step]:
    return [{"code": code, "times": factor}] if factor != 1 else []


def is_fixed(settings: Settings, verdict: Verdict) -> bool:
    """Whether the line `cowardice` stands for nearly everything.

    Question: special points that it leaves are read as both their lines and their doublings.
    """
    return verdict.coward is not None and settings["cowardice"]["then"] != "loses"


# Lines


def plain_lines(line: Line, settings: Settings, verdict: Verdict) -> list[Step]:
    """The lines that are no special points, but for gegen die Alten and the solo point."""
    winner = verdict.winner
    if is_fixed(settings, verdict):
        return add("cowardice", winner, settings["cowardice"]["then"])
    steps = [] if is_tie(line) and not settings["won_at_120"] else add(won_code(verdict), winner, settings["won"])
    for party, limit, count in limits_counted(line, settings, verdict):
        steps += add(LIMIT_CODE[limit], party, count * limit_points(limit, settings))
    for party in ("re", "kontra"):
        if winner and has_said(party, line):
            steps += add(f"{party}_said", winner, said_worth(party, line, settings, winner).get("add", 0))
    for party, absage, to in announced_steps(line, settings, winner):
        steps += add(f"{party}_{absage}", to, absage_points(absage, settings))
    for party in ("re", "kontra"):
        steps += against_lines(party, line, settings)
    return steps


def won_code(verdict: Verdict) -> str:
    return "cowardice" if verdict.coward else "won"


def limits_counted(line: Line, settings: Settings, verdict: Verdict) -> list[tuple[str, int, int]]:
    """(party it favours, limit, how often) for the limits that count: the winner's, or with nobody winning both's."""
    found = []
    for party in ("re", "kontra"):
        if verdict.winner not in (party, None):
            continue
        loser, missed = OTHER[verdict.coward or party], []
        if verdict.winner and not verdict.coward:
            missed = [LIMIT_OF[absage] for absage in absagen_of(loser, line)]
        for limit in settings["limits"]:
            reached = is_at_limit(loser, limit, line, settings)
            count = {
                "reached": int(reached),
                "reached_or_missed": int(reached or limit in missed),
                "reached_and_missed": int(reached) + int(limit in missed),
            }[settings["limit_counts"]]
            if count:
                found.append((party, limit, count))
    return found


def is_at_limit(party: str, limit: int, line: Line, settings: Settings) -> bool:
    """Under it; where `re_limit_more` says so, Re also with exactly 90, 60, 30."""
    more = settings["re_limit_more"] if party == "re" and limit else 0
    return is_under(party, limit + more, line, settings)


def limit_points(limit: int, settings: Settings) -> int:
    return by_step(settings["limit"], str(limit))


def absage_points(absage: str, settings: Settings) -> int:
    return by_step(settings["absage"], absage)


def by_step(worth: Any, key: str) -> int:
    """One number for each, or a number by limit or step; a doubling is no line."""
    return worth.get(key, 0) if isinstance(worth, dict) else worth


def factor_of(worth: Any) -> int:
    return worth.get("times", 1) if isinstance(worth, dict) else 1


def said_worth(party: str, line: Line, settings: Settings, winner: str) -> dict[str, int]:
    """What Re or Kontra is worth: one amount, or two by party, by whether it has won, or by who said it first."""
    worth = settings["re_kontra"] or {}
    if "re" in worth:
        return worth[party]
    if "won" in worth:
        return worth["won" if winner == party else "lost"]
    if "first" in worth:
        is_answer = has_said(OTHER[party], line) and line["last_said"] == party
        return worth["answer" if is_answer else "first"]
    return worth


def announced_steps(line: Line, settings: Settings, winner: str | None) -> list[tuple[str, str, str | None]]:
    """(party, Absage, whom it favours): the winner; where a missed one only costs, its party if kept, else the other.

    Question: where it costs, nobody need have won, so with `net` these lines are read as staying when nobody has.
    """
    found: list[tuple[str, str, str | None]] = []
    for party in ("re", "kontra"):
        for absage in absagen_of(party, line):
            to = winner
            if settings["missed_absage"] == "costs" and has_count(line):
                to = party if is_kept(party, absage, line, settings) else OTHER[party]
            found.append((party, absage, to))
    return found


def is_kept(party: str, absage: str, line: Line, settings: Settings) -> bool:
    return is_under(OTHER[party], LIMIT_OF[absage], line, settings)


def against_lines(party: str, line: Line, settings: Settings) -> list[Step]:
    """120 eyes against no90, 90 against no60, 60 against no30, 30 against schwarz, for whoever reached it."""
    if settings["against_absage"] == "off" or not has_count(line):
        return []
    absagen = absagen_of(OTHER[party], line)
    reached = [absage for absage in absagen if eyes_of(line)[party] >= AGAINST[absage]]
    if settings["against_absage"] == "highest":
        reached = reached[-1:]
    return [step for absage in reached for step in add(f"against_{absage}", party, settings["against"])]


def gegen_line(line: Line, settings: Settings, verdict: Verdict) -> list[Step]:
    if verdict.winner != "kontra" or is_fixed(settings, verdict):
        return []
    group = group_of(line, settings)
    if like_of(line["kind"], settings) == "armut":
        group = "armut"
    return add("gegen_die_alten", "kontra", settings["gegen_die_alten"]) if group in settings["gegen_in"] else []


def solo_point_line(line: Line, settings: Settings, verdict: Verdict) -> list[Step]:
    """For the kinds it names, and for those that are like them.

    Question: an own kind like Ramsch may be named, and then has its solo point.
    """
    point = settings["solo_point"]
    if not point or is_fixed(settings, verdict):
        return []
    kinds = {line["kind"], like_of(line["kind"], settings)}
    return add("solo_point", verdict.winner, point["points"]) if kinds & set(point["kinds"]) else []


# Doublings


def doublings(line: Line, settings: Settings, verdict: Verdict) -> list[Step]:
    """All but Bock. With nobody winning only that of the solo or the kind."""
    winner, steps = verdict.winner, kind_doubling(line, settings)
    if winner is None:
        return steps
    specials = special_doublings(line, settings, winner)
    if is_fixed(settings, verdict):
        return specials + steps
    before: list[Step] = []
    for party in ("re", "kontra"):
        if has_said(party, line):
            before += times(f"{party}_said", said_worth(party, line, settings, winner).get("times", 1))
    for party, absage, to in announced_steps(line, settings, winner):
        if to == party or settings["missed_absage"] != "costs" or not has_count(line):
            before += times(f"{party}_{absage}", factor_of(settings["absage"]))
    for _, limit, count in limits_counted(line, settings, verdict):
        before += times(LIMIT_CODE[limit], factor_of(settings["limit"]) ** count)
    steps = before + specials + steps
    if winner == "kontra":
        steps += times("lost", settings["lost_times"])
    return steps + lost_announcement_step(line, settings, winner)


def lost_announcement_step(line: Line, settings: Settings, winner: str) -> list[Step]:
    """The factor of a game that a party lost after announcing, by whose announcement it asks for."""
    lost, loser = settings["lost_announcement"], OTHER[winner]
    holds = {"ansage": has_said(loser, line), "absage": absagen_of(loser, line), "re": loser == "re" and has_said("re", line)}
    return times("lost_announcement", lost["times"]) if lost and holds[lost["when"]] else []


def kind_doubling(line: Line, settings: Settings) -> list[Step]:
    """The factor of the kind: `times` of its row, in a solo else `solo_times`."""
    if is_solo(line, settings):
        return times("solo", settings["solo_times"] if settings["times"] is None else settings["times"])
    return times("kind", settings["times"] or 1)


def bock_step(settings: Settings, winner: str | None, level: int) -> list[Step]:
    """So much times per level, or so many points per level for the winner."""
    if level == 0:
        return []
    bock = settings["bock"]
    if isinstance(bock["effect"], dict):
        return add("bock", winner, bock["effect"]["add"] * level)
    if winner is None and bock.get("drawn") == "plain":
        return []
    return times("bock", bock_factor(bock, level))


def bock_factor(bock: dict[str, Any], level: int) -> int:
    factor = bock.get("factor", 2)
    return level + 1 if factor == "linear" else factor**level


def highest_step(steps: list[Step], settings: Settings) -> list[Step]:
    """Beyond the highest value the excess goes to the other side."""
    value, highest = fold(steps), settings["highest"]
    if highest is None or abs(value) <= highest:
        return []
    return add("highest", "kontra" if value > 0 else "re", abs(value) - highest)


def negative_step(steps: list[Step], settings: Settings, winner: str | None) -> list[Step]:
    value = fold(steps)
    loses = (winner == "re" and value < 0) or (winner == "kontra" and value > 0)
    return [{"code": "negative", "times": 0}] if loses and settings["negative"] == "zero" else []


def row_of(code: str, settings: Settings) -> dict[str, Any]:
    """The row of a special point with all its columns; a number is its points."""
    given = settings["specials"][code]
    row = given if isinstance(given, dict) else {"points": given}
    most = row.get("most", MOST_SPECIALS.get(code, 1))
    return {"most": most, "most_party": most, "kinds": None, "of": "party", **row}


def step_code(code: str) -> str:
    return code if code in MOST_SPECIALS else f"special:{code}"


def earned(line: Line, settings: Settings, winner: str | None) -> list[tuple[str | None, str, int]]:
    """(whom it favours, special point, count) for each field that holds one which counts in this game."""
    sides = [("re_specials", "re"), ("kontra_specials", "kontra"), ("game_specials", winner)]
    return [
        (party, code, count)
        for field, party in sides
        for code, count in line.get(field, {}).items()
        if count and counts(code, line, settings)
    ]


def counts(code: str, line: Line, settings: Settings) -> bool:
    """Its own kinds decide alone; else partner games count it, solos by `specials_in_solo`, a Ramsch not."""
    kinds = row_of(code, settings)["kinds"]
    if kinds is not None:
        return any(word in kinds for word in words_of(line, settings))
    group = group_of(line, settings)
    if group == "ramsch":
        return False
    if group == "partner" or settings["specials_in_solo"] == "all":
        return True
    return settings["specials_in_solo"] == "by_kind" and counts_by_kind(code, words_of(line, settings))


def counts_by_kind(code: str, words: list[str]) -> bool:
    """An own one counts where `fuchs` does."""
    if any(word in ORDINARY_TRUMPS for word in words):
        return True
    if any(word in FARBSOLI for word in words):
        return code in IN_FARBSOLO
    return code == "doppelkopf"


def worth(count: int, points: Any) -> int:
    """c times n, or the sum of the first c numbers of the list, its last one repeated."""
    if isinstance(points, list):
        return sum(points[min(index, len(points) - 1)] for index in range(count))
    return count * points


def special_lines(line: Line, settings: Settings, winner: str | None, word: str) -> list[Step]:
    """One step per special point and field: added, or paid. What is the game's goes to the winner, if there is one."""
    steps = []
    for party, code, count in earned(line, settings, winner):
        points = row_of(code, settings)["points"]
        if party and not isinstance(points, dict) and worth(count, points):
            steps.append({"code": step_code(code), "party": party, word: worth(count, points)})
    return steps


def special_doublings(line: Line, settings: Settings, winner: str | None) -> list[Step]:
    """One step per special point that doubles and field."""
    steps = []
    for _, code, count in earned(line, settings, winner):
        points = row_of(code, settings)["points"]
        if isinstance(points, dict) and points["times"] > 1:
            steps.append({"code": step_code(code), "times": points["times"] ** count})
    return steps
