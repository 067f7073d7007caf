"""The steps to the value of a game in order, with its special points (sections 2.2, 9, 11 and 13)."""

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
    """Return all steps of a game in the order of section 13."""
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
    """Return Re's value after each step, from 0: add counts + for Re and - for Kontra, times multiplies."""
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
    """Return a step that adds; none without points or without a party."""
    return [{"code": code, "party": party, "add": points}] if points and party else []


def times(code: str, factor: int) -> list[Step]:
    return [{"code": code, "times": factor}] if factor != 1 else []


def is_fixed(settings: Settings, verdict: Verdict) -> bool:
    """Return whether the step `cowardice` replaces most of the others.

    Question: special points that it leaves are read as both their lines and their doublings.
    """
    return verdict.coward is not None and settings["cowardice"]["then"] != "loses"


# Steps that add


def plain_lines(line: Line, settings: Settings, verdict: Verdict) -> list[Step]:
    """Return the steps that add, without special points, Gegen die Alten and the solo point."""
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
    """Return party, limit and count of the limits that count: the winner's, or both parties' without a winner."""
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
    """Return whether a party is under a limit; with `re_limit_more` also Re with exactly 90, 60 or 30."""
    more = settings["re_limit_more"] if party == "re" and limit else 0
    return is_under(party, limit + more, line, settings)


def limit_points(limit: int, settings: Settings) -> int:
    return by_step(settings["limit"], str(limit))


def absage_points(absage: str, settings: Settings) -> int:
    return by_step(settings["absage"], absage)


def by_step(worth: Any, key: str) -> int:
    """Return the points of a limit or step; 0 for a factor."""
    return worth.get(key, 0) if isinstance(worth, dict) else worth


def factor_of(worth: Any) -> int:
    return worth.get("times", 1) if isinstance(worth, dict) else 1


def said_worth(party: str, line: Line, settings: Settings, winner: str) -> dict[str, int]:
    """Return the worth of Re or Kontra: the same for both, or by party, by result, or by who announced first."""
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
    """Return party, Absage and favoured party: the winner, or with `costs` the party that kept or broke it.

    Question: with `costs` no winner is needed, so with `net` these steps stay without a winner.
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
    """Return the steps of a party that got 120 eyes against no90, 90 against no60, 60 against no30, 30 against schwarz."""
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
    """Return the solo point of its kinds, and of kinds that are like them.

    Question: an own kind like Ramsch may be named, and then has its solo point.
    """
    point = settings["solo_point"]
    if not point or is_fixed(settings, verdict):
        return []
    kinds = {line["kind"], like_of(line["kind"], settings)}
    return add("solo_point", verdict.winner, point["points"]) if kinds & set(point["kinds"]) else []


# Steps that multiply


def doublings(line: Line, settings: Settings, verdict: Verdict) -> list[Step]:
    """Return the steps that multiply, without Bock; without a winner only that of the kind."""
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
    """Return the factor of a lost announcement."""
    lost, loser = settings["lost_announcement"], OTHER[winner]
    holds = {"ansage": has_said(loser, line), "absage": absagen_of(loser, line), "re": loser == "re" and has_said("re", line)}
    return times("lost_announcement", lost["times"]) if lost and holds[lost["when"]] else []


def kind_doubling(line: Line, settings: Settings) -> list[Step]:
    """Return the factor of the kind: `times` of its row, else `solo_times` in a solo."""
    if is_solo(line, settings):
        return times("solo", settings["solo_times"] if settings["times"] is None else settings["times"])
    return times("kind", settings["times"] or 1)


def bock_step(settings: Settings, winner: str | None, level: int) -> list[Step]:
    """Return the step of the Bock: a factor by level, or points by level for the winner."""
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
    """Return the step that gives the excess over the highest value to the other party."""
    value, highest = fold(steps), settings["highest"]
    if highest is None or abs(value) <= highest:
        return []
    return add("highest", "kontra" if value > 0 else "re", abs(value) - highest)


def negative_step(steps: list[Step], settings: Settings, winner: str | None) -> list[Step]:
    value = fold(steps)
    loses = (winner == "re" and value < 0) or (winner == "kontra" and value > 0)
    return [{"code": "negative", "times": 0}] if loses and settings["negative"] == "zero" else []


def row_of(code: str, settings: Settings) -> dict[str, Any]:
    """Return the row of a special point with all columns; a number is its points."""
    given = settings["specials"][code]
    row = given if isinstance(given, dict) else {"points": given}
    most = row.get("most", MOST_SPECIALS.get(code, 1))
    return {"most": most, "most_party": most, "kinds": None, "of": "party", **row}


def step_code(code: str) -> str:
    return code if code in MOST_SPECIALS else f"special:{code}"


def earned(line: Line, settings: Settings, winner: str | None) -> list[tuple[str | None, str, int]]:
    """Return favoured party, special point and count for each special point that counts in this game."""
    sides = [("re_specials", "re"), ("kontra_specials", "kontra"), ("game_specials", winner)]
    return [
        (party, code, count)
        for field, party in sides
        for code, count in line.get(field, {}).items()
        if count and counts(code, line, settings)
    ]


def counts(code: str, line: Line, settings: Settings) -> bool:
    """Return whether a special point counts: by its own kinds, else in partner games, and in solos by `specials_in_solo`."""
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
    """Return whether a special point counts by the kind of solo; an own one counts like `fuchs`."""
    if any(word in ORDINARY_TRUMPS for word in words):
        return True
    if any(word in FARBSOLI for word in words):
        return code in IN_FARBSOLO
    return code == "doppelkopf"


def worth(count: int, points: Any) -> int:
    """Return count times points, or the sum of the first `count` numbers of a list whose last one is repeated."""
    if isinstance(points, list):
        return sum(points[min(index, len(points) - 1)] for index in range(count))
    return count * points


def special_lines(line: Line, settings: Settings, winner: str | None, word: str) -> list[Step]:
    """Return one step per special point and field that is added or paid. Those of the game go to the winner, if any."""
    steps = []
    for party, code, count in earned(line, settings, winner):
        points = row_of(code, settings)["points"]
        if party and not isinstance(points, dict) and worth(count, points):
            steps.append({"code": step_code(code), "party": party, word: worth(count, points)})
    return steps


def special_doublings(line: Line, settings: Settings, winner: str | None) -> list[Step]:
    """Return one step per special point and field that multiplies."""
    steps = []
    for _, code, count in earned(line, settings, winner):
        points = row_of(code, settings)["points"]
        if isinstance(points, dict) and points["times"] > 1:
            steps.append({"code": step_code(code), "times": points["times"] ** count})
    return steps
