"""The table as JSON for the scripts: the first state and the answers to requests. docs/api.md describes these objects."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final
from uuid import UUID

from django.http import HttpRequest, JsonResponse
from django.utils.translation import gettext as _

from scoring.club.access import Access
from scoring.club.models import Change, Player
from scoring.club.queries import get_change_stamp, list_active_players
from scoring.core.database import snapshot
from scoring.core.errors import ActionRefused
from scoring.core.formats import format_signed, translate_sentence
from scoring.play.models import Game, Table
from scoring.play.queries import Row, Sheet, build_sheet, read_sheet
from scoring.play.replay import Effect
from scoring.play.texts import describe_open_sources, describe_sources
from scoring.rules.constants import SPECIAL_PREFIX, SPECIALS
from scoring.rules.parsing import GameFacts, ShortFacts
from scoring.rules.validation import Refused
from scoring.table.actions.games import ENTRY_VERBS, AnotherGameFirst, Saved, StaleVersion, is_undoable
from scoring.table.actions.seats import SeatedMeanwhile, is_line_up_undoable
from scoring.table.forms.games import PENALTIES
from scoring.table.texts import (
    describe_done,
    describe_done_games,
    describe_later_evenings,
    describe_remarks,
    get_line_label,
)

# The values of most lines; table/state.ts has the same.
USUAL: Final = {"form": "played", "version": 1, "note": "", "soloist": None, "bock": 0, "bock_started": 0, "ends_cycle": False}


def build_row(sheet: Sheet, row: Row) -> dict[str, Any]:
    """Return a line of the sheet: its content and its result; seats and points in seating order."""
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
        "label": get_line_label(row),
    }


def build_next(sheet: Sheet) -> dict[str, Any]:
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
        "bock_from": list(following.bock_from.get(None, ())),
        "bock_runs": [
            [source[None][0] if None in source else describe_sources(source), left] for source, left in following.bock_runs
        ],
        "bock_origin": describe_open_sources(following),
        "after": str(sheet.records.last.key) if sheet.records.last else "",
        "round": sheet.records.rounds[-1].pk,
    }


def _build_frame(access: Access, sheet: Sheet) -> dict[str, Any]:
    """Return what the page and each piece of news tell beside the lines."""
    return {
        "next": build_next(sheet),
        "columns": [player.pk for player in sheet.players],
        "seats": [player.pk for player in sheet.records.current],
        "open": sheet.table.evening.is_open,
        "late": count_shown_late(access, sheet.table),
        "planned": sheet.table.planned_games,
        # The Bock games that were open before the first line, as score.ts folds them: the levels, without the cap.
        "chain": sheet.records.start(sheet.table.rule_set.rules).count_sides(),
    }


def build_page_data(access: Access, sheet: Sheet) -> dict[str, Any]:
    """Return what the entry page needs to compute and show the table by itself, beside the words that all tables share."""
    settings = sheet.table.rule_set.settings
    # For a scorer also the names of players who could come.
    coming = dict(list_active_players(access.club).values_list("pk", "name")) if access.may_score else {}
    me = next((player.name for player in sheet.players if player.pk == access.spoken_as), "")
    return _build_frame(access, sheet) | {
        "lines": [_build_page_row(sheet, row) for row in sheet.rows],
        "names": coming | {player.pk: player.name for player in sheet.players},
        # The name of the user, which the next user of this phone may see.
        "me": access.user.get_username() if access.user.is_authenticated else me,
        "rules": settings,
        "labels": {
            special if special in SPECIALS else SPECIAL_PREFIX + special: name
            for special, name in get_own_names(settings, "specials").items()
        },
        "kinds": get_own_names(settings, "per_kind"),
        "penalties": list_penalties(sheet),
        "seats_people": access.may_score,
    }


def _build_page_row(sheet: Sheet, row: Row) -> dict[str, Any]:
    """Return a line without its key (in the row of the page), numbers that the script counts, and USUAL values: 8 % of the page."""
    data = build_row(sheet, row)
    known = {"key"} | ({"number", "label"} if row.number else set())
    return {name: value for name, value in data.items() if name not in known and USUAL.get(name, data) != value}


def get_own_names(settings: dict[str, Any], key: str) -> dict[str, str]:
    """Return the own names of kinds or special points of a rule set, for all numbers of players."""
    rows = [rules.get(key, {}) for rules in (settings, *settings.get("at", {}).values())]
    return {name: row["name"] for own in rows for name, row in own.items() if isinstance(row, dict) and "name" in row}


def list_penalties(sheet: Sheet) -> list[dict[str, Any]]:
    """Return the penalties of the tournament rules. A sheet in cents has none."""
    if sheet.table.rule_set.rules.unit != "points":
        return []
    question = _("%(reason)s: %(lost)s, alle anderen am Tisch %(won)s")
    penalties = []
    for size, (lost, won, reason, dealt) in PENALTIES.items():
        legend = question % {"reason": reason, "lost": format_signed(lost), "won": format_signed(won)}
        penalties.append({"size": size, "legend": legend, "lost": lost, "won": won, "reason": str(reason), "dealt": dealt})
    return penalties


def build_saved(saved: Saved, is_new: bool = False) -> dict[str, Any]:
    """Return the answer to a change: that line and the next game, or all lines like `build_state` if others may have changed: a
    changed line before the last, or a new line (`is_new`) of players who sit there no longer."""
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
        "lines": [build_row(sheet, row) for row in rows],
        "next": build_next(sheet),
        "change": saved.change.pk if saved.change else None,
        "remarks": [
            *([] if row is None else describe_remarks(sheet, row)),
            *describe_later_evenings(saved),
            *([_("Jetzt gibt {name}.").format(name=sheet.next.dealer)] if is_redeal else []),
            *([_("Vorführung: Welches Solo spielt {name}?").format(name=soloist)] if soloist else []),
        ],
    }


def build_seated(sheet: Sheet, key: UUID, players: Sequence[Player]) -> dict[str, Any]:
    """Return the answer to a new line-up: the ids of its `players` in the order that was sent, its round (0: it has none any more),
    and the present seats and columns."""
    records = sheet.records
    rounds = (round_.pk for round_ in reversed(records.rounds) if records.line_ups[round_.pk] == players)
    return {
        "key": str(key),
        "people": [player.pk for player in players],
        "round": next(rounds, 0),
        "next": build_next(sheet),
        "columns": [player.pk for player in sheet.players],
        "seats": [player.pk for player in records.current],
    }


def is_json(request: HttpRequest) -> bool:
    return request.content_type == "application/json"


def wants_json(request: HttpRequest) -> bool:
    return is_json(request) or request.get_preferred_type(["text/html", "application/json"]) == "application/json"


def get_status(refused: Refused | ActionRefused) -> int:
    return refused.status if isinstance(refused, ActionRefused) else 422


def answer_refusal(table: Table, refused: Refused | ActionRefused) -> JsonResponse:
    """Answer why nothing was saved: sentences by field, or one sentence and the line that is in the way."""
    data: dict[str, Any] = {"error": str(refused)}
    if isinstance(refused, Refused):
        data = {"errors": {field: translate_sentence(found) for field, found in refused.fields.items()}}
    elif isinstance(refused, (AnotherGameFirst, StaleVersion)):
        with snapshot():
            sheet = read_sheet(table)
        row = sheet.find_row(refused.standing.key) if refused.standing else None
        data["standing"] = build_row(sheet, row) if row else None
        data["lines"] = [build_row(sheet, row) for row in sheet.rows]
        data["next"] = build_next(sheet)
        if isinstance(refused, AnotherGameFirst):
            data["after"] = str(refused.last.key) if refused.last else ""
    elif isinstance(refused, SeatedMeanwhile):
        data["before"] = [player.pk for player in refused.current]
    return JsonResponse(data, status=get_status(refused))


def build_etag(access: Access, table: Table, last: Change | None) -> str:
    """Return the state of a table as an ETag: its last change, number of late entries, and whether the evening is open. With a
    tariff each change in the club counts, for example a game at another table or a fine."""
    late, evening = count_shown_late(access, table), table.evening
    known: list[object] = [last.pk if last else 0, *([late] if late else [])]
    if evening.tariff_id:
        known.append(f"c{get_change_stamp(evening.club_id)}")
    return f'"{"-".join(map(str, known))}-{"open" if evening.is_open else "closed"}"'


def count_shown_late(access: Access, table: Table) -> int:
    """Return the number of late entries that the page shows. Only members see them."""
    return table.waiting_late if access.member else 0


def find_undo(access: Access, sheet: Sheet, last: Change | None) -> dict[str, Any] | None:
    """Return what the undo button undoes, with the key of an added line so that a phone can delete it by itself; None if there
    is nothing, as after the closing of the evening."""
    closed_at = sheet.table.evening.closed_at
    # To undo a change of the line-up needs the right to seat players.
    if last is None or not (is_undoable(last) or (access.may_score and is_line_up_undoable(last))):
        return None
    if closed_at is not None and last.at < closed_at:
        return None
    numbers = [row.number for row in sheet.rows if row.number and str(row.game.key) == last.subject_id]
    if last.verb not in ENTRY_VERBS:
        return {"change": last.pk, "what": describe_done_games(last, numbers)}
    what = _("Spiel %(n)s") % {"n": numbers[0]} if numbers else describe_done(last)
    return {"change": last.pk, "what": what, "key": last.subject_id}


def build_state(access: Access, sheet: Sheet, last: Change | None, keep: int) -> dict[str, Any]:
    """Return the news for a client whose first `keep` lines are up to date."""
    return _build_frame(access, sheet) | {
        "keep": keep,
        "lines": [build_row(sheet, row) for row in sheet.rows[keep:]],
        "undo": find_undo(access, sheet, last),
    }


def build_effect(effect: Effect) -> dict[str, Any]:
    """Return what a correction does to one line of this or a later table: value and Bock level as [before, after] (null: not on the
    sheet), and the changed points before and after by player id."""
    sides = (effect.before, effect.after)
    return {
        "key": str(effect.game.key),
        "table": effect.records.table.pk,
        "value": [None if side is None else side.value for side in sides],
        "bock": [None if side is None else side.bock for side in sides],
        "points": [effect.points_before, effect.points_after],
    }
