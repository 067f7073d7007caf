"""What was done at a table, in the words of the history: to its lines, to who sits there, to how many games are planned."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.club.models.history import Change, Verb
from scoring.club.words.changes import Names, Telling, Tellings, Told, Values, at_table
from scoring.club.words.people import person
from scoring.play.models import Game
from scoring.play.words.lines import line_in_words
from scoring.rulesets.words.rulesets import under


def what_was_done(change: Change) -> str:
    """The verb in words; a line of the sheet that is no game is not called one."""
    values = change.after or change.before or {}
    line, done = _OTHER_LINES.get(values.get("form", "")), _LINE_VERBS.get(change.verb)
    if line is None or done is None:
        return change.get_verb_display()
    return str(done % {"line": line})


def seating(values: Values, names: Names, people: str) -> Told:
    """Under which rules who sits at a table, what is planned there, and whose open Bock games go on."""
    told = under(values, names)
    if values.get("players"):
        told[people] = ", ".join(person(names, pk) for pk in values["players"])
    if "planned_games" in values:
        told[_("Geplante Spiele")] = str(values["planned_games"] or _("so viele, wie es werden"))
    if values.get("carries_on"):
        table = names["carries_on"].get(values["carries_on"])
        told[_("Offene Böcke von")] = at_table(table.number, table.evening.held_on) if table else ""
    return told


def _seated(change: Change) -> str:
    """People whom a line from before put back on the sheet did not sit down again."""
    return change.get_verb_display() if change.before is not None else _("Frühere Sitzordnung wieder auf dem Zettel")


def _at_table(change: Change, values: Values, names: Names) -> Told:
    return seating(values, names, _("Am Tisch"))


def _line(change: Change, values: Values, names: Names) -> Told:
    people = names["round"].get(values["round"], {})
    return line_in_words(values, lambda place: people.get(place) or _("Platz %(place)s") % {"place": place + 1})


def _moved(change: Change, values: Values, names: Names) -> Told:
    """Among whom the line stands: all else stays as it is when it moves, but for the numbers of the seats."""
    people = names["round"].get(values["round"], {})
    return {_("Am Tisch"): ", ".join(people[place] for place in sorted(people))}


_OTHER_LINES = {
    Game.Form.PENALTY: gettext_lazy("Strafe"),
    Game.Form.CORRECTION: gettext_lazy("Berichtigung"),
    Game.Form.REDEAL: gettext_lazy("Neues Geben"),
}
_LINE_VERBS = {
    Verb.GAME_ADDED: gettext_lazy("%(line)s eingetragen"),
    Verb.GAME_INSERTED: gettext_lazy("%(line)s eingefügt"),
    Verb.GAME_MOVED: gettext_lazy("%(line)s verschoben"),
    Verb.GAME_CORRECTED: gettext_lazy("%(line)s berichtigt"),
    Verb.GAME_DELETED: gettext_lazy("%(line)s gestrichen"),
    Verb.GAME_RESTORED: gettext_lazy("%(line)s wiederhergestellt"),
}

CHANGES: Final[Tellings] = {
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
        Telling(_line, done=what_was_done, subject=None),
    ),
    Verb.GAME_MOVED: Telling(_moved, done=what_was_done, subject=None),
    Verb.TABLE_SEATED: Telling(_at_table, done=_seated, subject=None),
    **dict.fromkeys((Verb.TABLE_PLANNED, Verb.TABLE_CARRIES_ON, Verb.TABLE_REVALUED), Telling(_at_table, subject=None)),
}
