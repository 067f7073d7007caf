"""What was done at a table, in the words of the history: to its lines, to who sits there, to how many games are planned. And
what is said of a line right after it was entered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from scoring.cash.words.charged import closed_in_kasse
from scoring.club.models import Change, Verb
from scoring.club.texts import (
    ChangeFormat,
    ChangeFormats,
    LabeledValues,
    Names,
    Values,
    format_table_and_day,
    get_person_name,
)
from scoring.core.formats import format_day, format_month, translate_sentence
from scoring.play.models import Evening, Game
from scoring.play.queries import Row, Sheet
from scoring.play.texts import describe_line, describe_line_briefly
from scoring.rules.parsing import parse_game
from scoring.rules.settings import RuleSettings
from scoring.rules.sheet import find_oddities
from scoring.rules.validation import Refused
from scoring.rulesets.texts.rule_sets import render_rule_set
from scoring.table.actions.games import Saved, Typed
from scoring.table.models.late import LateEntry
from scoring.table.queries.closed import ClosedMonth
from scoring.table.rules.remarks import remarks


def what_was_done(change: Change) -> str:
    """The verb in words; a line of the sheet that is no game is not called one."""
    values = change.after or change.before or {}
    line, done = _OTHER_LINES.get(values.get("form", "")), _LINE_VERBS.get(change.verb)
    return _(done) % {"line": _(line)} if line and done else change.done


def games_done(change: Change, numbers: Collection[int]) -> str:
    """The verb in words, with the numbers of the games that it was done to."""
    done = _LINE_VERBS.get(change.verb)
    if not done or not numbers:
        return what_was_done(change)
    first, last = min(numbers), max(numbers)
    games = _("Spiele %(first)s–%(last)s") if first < last else _("Spiel %(number)s")
    return _(done) % {"line": games % {"first": first, "last": last, "number": first}}


def remark_lines(sheet: Sheet, row: Row) -> list[str]:
    """What is odd about a line that was taken all the same, in the reader's language."""
    lines = []
    if row.in_turn:
        lines.append(
            _("Gegeben hat %(dealer)s; an der Reihe wäre %(turn)s gewesen.")
            % {"dealer": row.dealer, "turn": row.in_turn}
        )
    return lines + [translate_sentence(remark) for remark in remarks(row.result, sheet.table.rule_set.rules)]


def closed_lines(months: Iterable[ClosedMonth]) -> list[str]:
    """Which closed months a change touches, and what becomes of it there."""
    return [closed_in_league(month, season) if season else closed_in_kasse(month) for month, season in months]


def closed_in_league(month: str, season: str) -> str:
    said = {"month": format_month(month), "season": season}
    return _("%(month)s ist in der Liga „%(season)s“ abgeschlossen: Über einen Nachtrag entscheidet ein Verwalter.") % said


# Asked once before a game is saved, by the codes of rules/parsing.py.
ODD: Final = {
    "foxes": gettext_noop("Mehr als zwei Füchse?"),
    "karlchen": gettext_noop("Mehr als zwei Kreuz-Buben?"),
    "last_trick": gettext_noop("Der letzte Stich bei beiden?"),
    "doppelkopf": gettext_noop("So wenige Augen mit Doppelkopf?"),
    "eyes": gettext_noop("So wenige Augen?"),
    "sides": gettext_noop("Abgesagt und selbst darunter: Seiten vertauscht?"),
    "second_duty": gettext_noop("Noch ein Pflichtsolo derselben Person?"),
    "free_solo": gettext_noop("Ein Lustsolo vor dem Pflichtsolo?"),
}


def odd_lines(typed: Typed, rules: RuleSettings, owing: Collection[int]) -> list[str]:
    """What is possible and yet odd about a game under the rules of its table; what is impossible is said by saving it.
    `owing` are the seats that owed a Pflichtsolo before it."""
    if typed.form != Game.Form.PLAYED:
        return []
    try:
        facts = parse_game(typed.facts, rules, typed.dealer)
    except Refused:
        return []
    return [_(ODD[code]) for code in find_oddities(facts, rules, owing)]


def odd_question() -> str:
    """Behind what is odd."""
    return _("Wenn es stimmt, noch einmal tippen.")


def later_lines(saved: Saved) -> list[str]:
    """On which evenings that carry the open Bock games of this one on something changed as well."""
    evenings = [effect.records.table.evening for effect in saved.effects]
    own = saved.records.table.evening_id
    return [
        ngettext(
            "Am Abend vom %(day)s ändert sich dadurch %(n)s Zeile.",
            "Am Abend vom %(day)s ändern sich dadurch %(n)s Zeilen.",
            lines,
        )
        % {"day": format_day(evening.held_on), "n": lines}
        for evening, lines in Counter(evenings).items()
        if evening.pk != own
    ]


def kept_where(entry: LateEntry) -> str:
    """Who has what came too late."""
    if entry.table.evening.is_open:
        return _("Der Link für den Tisch gilt nicht mehr. Das Spiel liegt jetzt beim Schreiber des Tisches.")
    return _("Der Abend ist abgeschlossen. Das Spiel liegt jetzt beim Verwalter.")


def fine_kept_where(evening: Evening) -> str:
    """Who has a fine that came too late."""
    if evening.is_open:
        return _("Der Link für den Tisch gilt nicht mehr. Das Strafgeld liegt jetzt beim Schreiber.")
    return _("Der Abend ist abgeschlossen. Das Strafgeld liegt jetzt beim Kassenwart.")


def seating(values: Values, names: Names, people: str) -> LabeledValues:
    """Under which rules who sits at a table, what is planned there, and whose open Bock games go on."""
    told = render_rule_set(values, names)
    if values.get("players"):
        told[people] = ", ".join(get_person_name(names, pk) for pk in values["players"])
    if "planned_games" in values:
        told[_("Geplante Spiele")] = str(values["planned_games"] or _("so viele, wie es werden"))
    if values.get("carries_on"):
        table = names["carries_on"].get(values["carries_on"])
        told[_("Übrige Böcke von")] = format_table_and_day(table.number, table.evening.held_on) if table else ""
    return told


def _seated(change: Change) -> str:
    """People whom a line from before put back on the sheet did not sit down again."""
    return change.done if change.before is not None else _("Frühere Sitzordnung wieder auf dem Zettel")


def who_sits(change: Change, values: Values, names: Names) -> LabeledValues:
    return seating(values, names, _("Am Tisch"))


def _line(change: Change, values: Values, names: Names) -> LabeledValues:
    return describe_line(values, *_seats_and_rules(values, names))


def _line_in_short(change: Change, names: Names) -> str:
    values = change.after or change.before
    return describe_line_briefly(values, *_seats_and_rules(values, names)) if values else ""


def _seats_and_rules(values: Values, names: Names) -> tuple[Callable[[int], str], RuleSettings | None]:
    """Return the function that names a seat of a line, and the rules at its table while that is there."""
    line_up = names["round"].get(values["round"])
    people = line_up.people if line_up else {}

    def seat(place: int) -> str:
        return people.get(place) or _("Sitz %(place)s") % {"place": place + 1}

    return seat, line_up.rules if line_up else None


def _moved(change: Change, values: Values, names: Names) -> LabeledValues:
    """The people of a line that was moved. Everything else stays the same, apart from the numbers of the seats."""
    line_up = names["round"].get(values["round"])
    people = line_up.people if line_up else {}
    return {_("Am Tisch"): ", ".join(people[place] for place in sorted(people))}


_OTHER_LINES: Final[dict[str, str]] = {
    Game.Form.PENALTY: gettext_noop("Strafpunkte"),
    Game.Form.CORRECTION: gettext_noop("Berichtigung"),
    Game.Form.REDEAL: gettext_noop("Neues Geben"),
}
_LINE_VERBS: Final[dict[str, str]] = {
    Verb.GAME_ADDED: gettext_noop("%(line)s eingetragen"),
    Verb.GAME_INSERTED: gettext_noop("%(line)s eingefügt"),
    Verb.GAME_MOVED: gettext_noop("%(line)s verschoben"),
    Verb.GAME_CORRECTED: gettext_noop("%(line)s berichtigt"),
    Verb.GAME_DELETED: gettext_noop("%(line)s gestrichen"),
    Verb.GAME_RESTORED: gettext_noop("%(line)s wiederhergestellt"),
}

CHANGES: Final[ChangeFormats] = {
    **dict.fromkeys(
        (
            Verb.GAME_ADDED,
            Verb.GAME_INSERTED,
            Verb.GAME_CORRECTED,
            Verb.GAME_DELETED,
            Verb.GAME_RESTORED,
            Verb.GAME_CAME_LATE,
            Verb.GAME_NOT_TAKEN,
        ),
        ChangeFormat(_line, _line_in_short, what_was_done, subject=None),
    ),
    Verb.GAME_MOVED: ChangeFormat(_moved, done=what_was_done, subject=None),
    Verb.TABLE_SEATED: ChangeFormat(who_sits, done=_seated, subject=None),
    **dict.fromkeys((Verb.TABLE_PLANNED, Verb.TABLE_CARRIES_ON, Verb.TABLE_REVALUED), ChangeFormat(who_sits, subject=None)),
}
