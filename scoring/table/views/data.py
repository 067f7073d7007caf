"""The table as data for a script: what the page begins with and what every saved line answers. docs/api.md describes
these shapes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final
from uuid import UUID

from django.http import HttpRequest
from django.utils.translation import gettext as _

from scoring.club.access import Access
from scoring.club.models import Change, Player
from scoring.club.queries import get_change_stamp, list_active_players
from scoring.core.errors import ActionRefused
from scoring.core.formats import format_signed, translate_sentence
from scoring.play.models import Game, Table
from scoring.play.queries import Row, Sheet, build_sheet
from scoring.play.replay import Effect
from scoring.play.texts import describe_open_sources, describe_sources
from scoring.rules.constants import SPECIAL_PREFIX, SPECIALS
from scoring.rules.parsing import GameFacts, ShortFacts
from scoring.rules.validation import Refused
from scoring.table.actions.games import ENTERED, AnotherGameFirst, Saved, StaleVersion, undoable
from scoring.table.actions.seats import SeatedMeanwhile, is_line_up_undoable
from scoring.table.forms.games import PENALTIES
from scoring.table.models import LateEntry
from scoring.table.texts import kept_where, label_of, later_lines, remark_lines, what_was_done

# What most lines say; table/lines.js has the same.
USUAL: Final = {"form": "played", "version": 1, "note": "", "soloist": None, "bock": 0, "bock_started": 0, "ends_cycle": False}


def row_data(sheet: Sheet, row: Row) -> dict[str, Any]:
    """One line of the sheet: what was typed and what it came to; seats and points in seating order."""
    game, facts, outcome = row.game, row.result.facts, row.result.outcome
    dealt = facts if isinstance(facts, (GameFacts, ShortFacts)) else None
    return {
        "key": str(game.key),
        "version": game.version,
        "form": game.form,
        "number": row.number,
        "cycle": row.cycle,
        "ends_cycle": row.ends_cycle,
        "table": len(outcome.points),
        "seats": [player.pk for player in sheet.records.line_up(game)],
        "dealer": game.dealer,
        **({} if row.turn is None else {"turn": row.turn}),
        "out": list(dealt.out) if dealt else [],
        "soloist": dealt.soloist if dealt else None,
        "facts": game.facts,
        "note": game.note,
        "winner": outcome.winner,
        "winners": list(outcome.winners),
        "value": outcome.value,
        "points": list(outcome.points),
        "bock": row.result.level,
        "bock_started": row.result.bock_started,
        "label": label_of(row),
    }


def next_data(sheet: Sheet) -> dict[str, Any]:
    """What the next game looks like."""
    following = sheet.next
    return {
        "number": following.number,
        "cycle": following.proposal.cycle,
        "dealer": following.proposal.dealer,
        "leader": following.proposal.leader,
        "out": list(following.proposal.out or ()),
        "owing": list(following.proposal.owing),
        "soloist": following.proposal.soloist,
        "bock": list(following.levels),
        "bock_from": [number for source in following.bock_from if source.day is None for number in source.numbers],
        "bock_runs": [
            [source.numbers[0] if source.day is None else describe_sources([source]), left]
            for source, left in following.bock_runs
        ],
        "bock_origin": describe_open_sources(following),
        "after": str(sheet.records.last.key) if sheet.records.last else "",
        "round": sheet.records.rounds[-1].pk,
    }


def page_data(access: Access, sheet: Sheet) -> dict[str, Any]:
    """Everything the entry page needs to compute and show the table by itself, beside what is the same at all (texts.py)."""
    settings = sheet.table.rule_set.settings
    return {
        "lines": [_row_on_page(sheet, row) for row in sheet.rows],
        "next": next_data(sheet),
        "columns": [player.pk for player in sheet.players],
        "names": _names(access, sheet),
        "seats": [player.pk for player in sheet.records.current],
        "open": sheet.table.evening.is_open,
        "late": late_shown(access, sheet.table),
        "planned": sheet.table.planned_games,
        "chain": _chain(sheet),
        "me": _typist(access, sheet),
        "rules": settings,
        "labels": {
            special if special in SPECIALS else SPECIAL_PREFIX + special: name
            for special, name in own_names(settings, "specials").items()
        },
        "kinds": own_names(settings, "per_kind"),
        "penalties": penalty_choices(sheet),
        "seats_people": access.may_score,
    }


def _row_on_page(sheet: Sheet, row: Row) -> dict[str, Any]:
    """Without what the script knows by itself, 8 % of the page: its key stands in its row, the number of a game
    follows from those before it, and the rest is usual."""
    data = row_data(sheet, row)
    known = {"key"} | ({"number", "label"} if row.number else set())
    return {name: value for name, value in data.items() if name not in known and USUAL.get(name, data) != value}


def _names(access: Access, sheet: Sheet) -> dict[int, str]:
    """Return the names of the players with a column; for a scorer also those of the players who could come."""
    coming = dict(list_active_players(access.club).values_list("pk", "name")) if access.may_score else {}
    return coming | {player.pk: player.name for player in sheet.players}


def own_names(settings: dict[str, Any], key: str) -> dict[str, str]:
    """What a rule set calls its own kinds or special points, at whatever size of table."""
    rows = [rules.get(key, {}) for rules in (settings, *settings.get("at", {}).values())]
    return {name: row["name"] for own in rows for name, row in own.items() if isinstance(row, dict) and "name" in row}


def penalty_choices(sheet: Sheet) -> list[dict[str, Any]]:
    """The penalties of the tournament rules, each two taps away; they are points, so a sheet in cents has none."""
    if sheet.table.rule_set.rules.unit != "points":
        return []
    return [_penalty_data(size, *penalty) for size, penalty in PENALTIES.items()]


def _penalty_data(size: str, lost: int, won: int, reason: Any, dealt: bool) -> dict[str, Any]:
    question = _("%(reason)s: %(lost)s, alle anderen %(won)s. Für wen?")
    legend = question % {"reason": reason, "lost": format_signed(lost), "won": format_signed(won)}
    return {"size": size, "legend": legend, "lost": lost, "won": won, "reason": str(reason), "dealt": dealt}


def _typist(access: Access, sheet: Sheet) -> str:
    """What whoever types here is called, for the next one at this phone."""
    if access.user.is_authenticated:
        return access.user.get_username()
    return next((player.name for player in sheet.players if player.pk == access.spoken_as), "")


def saved_data(saved: Saved, is_new: bool = False) -> dict[str, Any]:
    """The answer to what was done to a line: that line, and the next game. Where a line that stood was changed or a new one
    (`is_new`) stands among people who got up since, it is in the middle of the sheet: all lines, then, as `state_data` has
    them, since what others are worth, their numbers and whose turn it was to deal may have changed."""
    records, last = saved.records, saved.records.last
    is_last = last is not None and last.key == saved.game.key
    is_here = saved.game.round_id == records.rounds[-1].pk if is_new else is_last
    sheet = build_sheet(records, since=len(records.games) - 1 if is_last and is_here else 0)
    row = sheet.find_row(saved.game.key)
    rows = [row for row in sheet.rows if row.game.key == saved.game.key] if is_here else sheet.rows
    is_redeal = is_here and is_new and saved.game.form == Game.Form.REDEAL
    soloist = sheet.next.soloist if is_here and is_new and not sheet.is_full else None
    return {
        "key": str(saved.game.key),
        **({} if is_here else {"keep": 0}),
        "lines": [row_data(sheet, row) for row in rows],
        "next": next_data(sheet),
        "change": saved.change.pk if saved.change else None,
        "remarks": [
            *([] if row is None else remark_lines(sheet, row)),
            *later_lines(saved),
            *([_("Jetzt gibt {name}.").format(name=sheet.next.dealer)] if is_redeal else []),
            *([_("Vorführung: Welches Solo spielt {name}?").format(name=soloist)] if soloist else []),
        ],
    }


def seated_data(sheet: Sheet, key: UUID, players: Sequence[Player]) -> dict[str, Any]:
    """The answer to a new line-up: its people by id, in the order in which they were sent, the number of their round (0: it is
    forgotten by now), and who sits there and has a column."""
    records = sheet.records
    rounds = (line_up.pk for line_up in reversed(records.rounds) if records.line_ups[line_up.pk] == players)
    return {
        "key": str(key),
        "people": [player.pk for player in players],
        "round": next(rounds, 0),
        "next": next_data(sheet),
        "columns": [player.pk for player in sheet.players],
        "seats": [player.pk for player in records.current],
    }


def late_data(entry: LateEntry) -> dict[str, str]:
    """The answer to a line that came too late: it is kept, and where it is now."""
    return {"key": str(entry.key), "late": kept_where(entry)}


def is_json(request: HttpRequest) -> bool:
    return request.content_type == "application/json"


def wants_json(request: HttpRequest) -> bool:
    return is_json(request) or request.get_preferred_type(["text/html", "application/json"]) == "application/json"


def status_of(refused: Refused | ActionRefused) -> int:
    return refused.status if isinstance(refused, ActionRefused) else 422


def refusal_data(sheet: Sheet, refused: Refused | ActionRefused) -> dict[str, Any]:
    """Why nothing was saved: a sentence by field, or one and what is in the way."""
    if isinstance(refused, Refused):
        return {"errors": {field: translate_sentence(found) for field, found in refused.fields.items()}}
    data: dict[str, Any] = {"error": str(refused)}
    if isinstance(refused, (AnotherGameFirst, StaleVersion)):
        row = sheet.find_row(refused.standing.key) if refused.standing else None
        data["standing"] = row_data(sheet, row) if row else None
        data["lines"] = [row_data(sheet, row) for row in sheet.rows]
        data["next"] = next_data(sheet)
    if isinstance(refused, SeatedMeanwhile):
        data["before"] = [player.pk for player in refused.current]
    if isinstance(refused, AnotherGameFirst):
        data["after"] = str(refused.last.key) if refused.last else ""
    return data


def state_tag(access: Access, table: Table, last: Change | None) -> str:
    """The state of a table as an ETag: its last change, what came late, and whether the evening is open. Of an evening that is
    charged everything that is done in the club counts: a game at another table, a fine."""
    late, evening = late_shown(access, table), table.evening
    known: list[object] = [last.pk if last else 0, *([late] if late else [])]
    if evening.tariff_id:
        known.append(f"c{get_change_stamp(evening.club_id)}")
    return f'"{"-".join(map(str, known))}-{"open" if evening.is_open else "closed"}"'


def late_shown(access: Access, table: Table) -> int:
    """How many late entries of the table its page shows: members see them."""
    return table.waiting_late if access.member else 0


def may_undo(access: Access, change: Change) -> bool:
    """Does the button take this back for whoever reads here? Who sits at a table is for those to say who may seat them."""
    return undoable(change) or (access.may_score and is_line_up_undoable(change))


def undo_data(last: Change) -> dict[str, Any]:
    """What the button takes back; the key of the line where one was entered, which a phone can strike out by itself."""
    return {"change": last.pk, "what": what_was_done(last), **({"key": last.subject_id} if last.verb in ENTERED else {})}


def state_data(access: Access, sheet: Sheet, last: Change | None, keep: int) -> dict[str, Any]:
    """What is new to somebody whose first `keep` lines are still right: the lines from there on, the next game, and what
    the button takes back."""
    return {
        "keep": keep,
        "lines": [row_data(sheet, row) for row in sheet.rows[keep:]],
        "next": next_data(sheet),
        "undo": undo_data(last) if last and may_undo(access, last) else None,
        "columns": [player.pk for player in sheet.players],
        "seats": [player.pk for player in sheet.records.current],
        "open": sheet.table.evening.is_open,
        "late": late_shown(access, sheet.table),
        "planned": sheet.table.planned_games,
        "chain": _chain(sheet),
    }


def _chain(sheet: Sheet) -> list[int]:
    """The Bock games that were open before the first line, as score.js folds them: the levels, uncapped."""
    return sheet.records.start(sheet.table.rule_set.rules).count_sides()


def effect_data(effect: Effect) -> dict[str, Any]:
    """What a correction does to one line of this table, or of a later table that carries its Bock games on: value and Bock
    level before and after (null: not on the sheet), and the points of everybody whose points change, by id."""
    sides = (effect.before, effect.after)
    return {
        "key": str(effect.game.key),
        "table": effect.records.table.pk,
        "value": [None if side is None else side.value for side in sides],
        "bock": [None if side is None else side.bock for side in sides],
        "points": [effect.points_before, effect.points_after],
    }
