"""From our own workbook to evenings: each table under the rules that somebody confirmed, each game in the short form, since
the file says who won but not how. What no game of these rules explains stands as a correction, so that the totals are the
file's in any case."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from django.utils.translation import gettext as _

from scoring.actions.imports import Line, NewRules, Sitting
from scoring.models import Game
from scoring.models.play import SEATS
from scoring.rules.facts import LONGEST_REASON
from scoring.rules.settings import PRESETS, RuleSettings

from .book import BETWEEN, OwnBook, Paper, Told, attending
from .lines import game_of
from .reading import Odd, Reading, Remark

LONGEST_NOTE: Final = Game._meta.get_field("note").max_length or 0
# So many games tell by which rules they were counted.
SAMPLE: Final = 400


class BookRules(NamedTuple):
    """A rule set as the file calls it; `games`: there are any by it."""

    name: str
    unit: str
    games: bool


def rules_of(book: OwnBook) -> list[BookRules]:
    """The rule sets that were played by, in their order."""
    found: dict[str, BookRules] = {}
    for paper in _played(book):
        games = bool(paper.lines) or (paper.rules in found and found[paper.rules].games)
        found[paper.rules] = BookRules(paper.rules, paper.unit, games)
    return list(found.values())


def nearest_preset(book: OwnBook, rules: BookRules) -> str:
    """The preset of this unit that explains most of the games."""
    tables = [paper for paper in _played(book) if paper.rules == rules.name and len(paper.sums) in SEATS]
    games = [(paper, line) for paper in tables for line in paper.lines if line.number][:SAMPLE]
    explained: Counter[str] = Counter()
    for preset in PRESETS:
        settings = RuleSettings.from_data(NewRules("", preset).settings)
        if settings.unit == rules.unit:
            explained[preset] = sum(
                _game(line, list(paper.sums), settings.at(len(paper.sums))) is not None for paper, line in games
            )
    return max(explained, key=lambda preset: explained[preset])


def read_own(book: OwnBook, rules: Mapping[str, RuleSettings]) -> Reading:
    """Every evening with all its tables. `rules` by their names in the file, without Bock: what a game brought is known,
    and what of it was Bock does not matter any more."""
    reading = Reading(faults=list(book.faults))
    for evening in book.evenings:
        further = False
        for paper in evening:
            if paper.sums:
                reading.sittings.append(_sitting(reading, paper, rules, further))
                further = True
            else:
                reading.left_out.append(Remark(paper.row, _("ist ein Tisch ohne Spiele"), paper.sheet))
    return reading


def _played(book: OwnBook) -> list[Paper]:
    return [paper for evening in book.evenings for paper in evening if paper.sums]


def _sitting(reading: Reading, paper: Paper, rules: Mapping[str, RuleSettings], further: bool) -> Sitting:
    lines: list[Line] = []
    if paper.without_games and (total := sum(paper.sums.values())):
        reading.odd.append(Odd(paper.row, paper.day, total))
    elif len(paper.sums) in SEATS:
        lines = _lines(reading, paper, rules[paper.rules].at(len(paper.sums)))
    elif paper.lines:
        sentence = _("ist ein Tisch mit mehr Personen, als an einem sitzen: Seine Punkte kommen ohne Einzelspiele")
        reading.left_out.append(Remark(paper.row, sentence, paper.sheet))
    return Sitting(paper.day, paper.sums, lines, paper.place, paper.number, further, paper.rules)


def _lines(reading: Reading, paper: Paper, rules: RuleSettings) -> list[Line]:
    """The lines of a table; none where somebody played whom no game could be counted for: with the sums alone they were
    there all the same."""
    told = [(line, _line(paper, line, rules)) for line in paper.lines]
    counted = {part.person for line, ours in told if ours and ours.is_game for part in line.parts if part.played}
    if attending(paper) - counted:
        sentence = _(
            "ist ein Tisch, dessen Spiele zu keinen dieser Regeln passen: Seine Punkte kommen ohne Einzelspiele"
        )
        reading.left_out.append(Remark(paper.row, sentence, paper.sheet))
        return []
    for line, ours in told:
        if ours is None:
            reading.left_out.append(Remark(line.row, _("ist ohne Punkte"), paper.sheet))
        elif line.number and not ours.is_game:
            reading.by_hand.append(f"{paper.sheet}/{line.row}")
    return [ours for _line, ours in told if ours]


def _line(paper: Paper, told: Told, rules: RuleSettings) -> Line | None:
    """A row of the evening, None where it brought nobody anything and is no game."""
    seats = list(paper.sums)
    if told.number is not None:
        game = _game(told, seats, rules)
        if game is not None:
            dealer = seats.index(told.dealer) if told.dealer in seats else None
            return Line(Game.Form.SHORT, game, dealer, BETWEEN.join(told.what)[:LONGEST_NOTE])
    elif not told.parts:
        return None
    penalty = any(part.form == Game.Form.PENALTY for part in told.parts)
    reason = BETWEEN.join(told.what if told.number else told.what[1:])
    points = [told.brought.get(person, 0) for person in seats]
    return Line(
        Game.Form.PENALTY if penalty else Game.Form.CORRECTION,
        {"points": points, "reason": reason[:LONGEST_REASON] or _("übernommen")},
    )


def _game(told: Told, seats: Sequence[int], rules: RuleSettings) -> dict[str, Any] | None:
    played = {part.person for part in told.parts if part.played}
    won = {part.person for part in told.parts if part.won}
    return game_of(
        [told.brought.get(person, 0) for person in seats],
        [seat for seat, person in enumerate(seats) if person not in played],
        [seat for seat, person in enumerate(seats) if person in won],
        any(part.solo for part in told.parts),
        rules,
    )
