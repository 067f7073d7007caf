"""Render the pages of the table: the form above the sheet, and one line with its steps, its correction and its deletion."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final
from uuid import UUID

from django.forms.utils import flatatt
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _

from scoring.club.access import Access
from scoring.club.models import Player
from scoring.core.errors import ActionRefused
from scoring.core.formats import translate_sentence
from scoring.core.text import parse_whole
from scoring.play.models import SEATS, Game
from scoring.play.queries import GAMES, Records, Row, Sheet, get_last_change, list_signers, propose_at
from scoring.play.replay import Effect
from scoring.play.texts import WON, build_explanation, list_facts
from scoring.rules.constants import SPECIAL_FIELDS
from scoring.rules.settings_schema import FOR_SCRIPTS
from scoring.rules.sheet import get_leader, get_sitters
from scoring.rules.validation import Refused
from scoring.table.actions.games import AnotherGameFirst, StaleVersion, closes_line_up, may_move
from scoring.table.forms.games import (
    GameForm,
    LineForm,
    PointsForm,
    RedealForm,
    build_first_entry,
    build_initial,
    build_penalty,
)
from scoring.table.queries import count_special_points, is_untouched
from scoring.table.texts import LACKS, describe_oddities, describe_preview, describe_remarks, get_oddity_question
from scoring.table.views.cash import build_cash_context
from scoring.table.views.data import (
    build_etag,
    build_page_data,
    count_shown_late,
    find_undo,
    get_status,
    list_penalties,
)
from scoring.table.views.late import list_late_lines

# Fields whose faults are shown at the field; all others are shown above the form.
SHOWN: Final = (
    "winner", "winners", "base", "solo", "kind", "duty", "re", "band", "eyes", "re_said", "kontra_said", "last_said",
    "re_specials", "kontra_specials", "game_specials", "no_trick", "starts_bock", "out", "dealer", "note", "points",
    "reason", "seat",
)  # fmt: skip
# Fields that mark players by their seat.
SEATED: Final = ("re", "winners", "row", "out", "seat", *(f"points_{seat}" for seat in range(SEATS[-1])))


def get_standing_row(sheet: Sheet, key: UUID) -> Row:
    """Return the line with this key. Raise Http404 if it was deleted since it was fetched."""
    row = sheet.find_row(key)
    if row is None:
        raise Http404(_("Das gibt es hier nicht."))
    return row


def build_new_form(sheet: Sheet, query: Mapping[str, str]) -> LineForm:
    """Build the form for the next line. The query may name another dealer, the form of the line, or a penalty with its points."""
    dealer = _parse_dealer(query.get("dealer"), sheet)
    as_before = next((row.game.form for row in reversed(sheet.rows) if row.game.form in GAMES), Game.Form.PLAYED)
    form = query.get("form")
    form = form if form in Game.Form.values else as_before
    after = sheet.records.last.key if sheet.records.last else None
    soloist = sheet.next.proposal.soloist if dealer == sheet.next.proposal.dealer else None
    initial = build_first_entry(dealer, soloist, after, sheet.records.rounds[-1].pk, form)
    if form == Game.Form.PENALTY:
        initial |= build_penalty(query.get("penalty"), parse_whole(query.get("seat")), len(sheet.records.current))
    return build_form(form, sheet.records, sheet.records.current, dealer, initial=initial)


def build_typed_form(records: Records, data: Mapping[str, str], standing: Game | None) -> LineForm:
    line_up = records.line_up(standing) if standing else records.current
    return build_form(data.get("form"), records, line_up, parse_whole(data.get("dealer")), standing, data=data)


# Eight parameters: all cases of the view end here, with a form, its effects or a refusal.
def render_insertion_page(
    request: HttpRequest,
    access: Access,
    sheet: Sheet,
    key: UUID,
    behind: bool,
    form: LineForm | None = None,
    effects: Sequence[Effect] | None = None,
    refused: Refused | ActionRefused | None = None,
) -> HttpResponse:
    row = get_standing_row(sheet, key)
    line_up = sheet.records.line_up(row.game)
    proposal = propose_at(sheet.records, row.game, behind)
    if form is None:
        asked, kind = parse_whole(request.GET.get("dealer")), request.GET.get("form", "")
        kind = kind if kind in Game.Form.values else Game.Form.PLAYED
        dealer = proposal.dealer if asked is None or asked >= len(line_up) else asked
        initial = build_first_entry(dealer, None, None, row.game.round_id, kind)
        form = build_form(kind, sheet.records, line_up, dealer, initial=initial)
    described = None
    if effects is not None:
        described = _describe_effects(sheet, form, line_up, proposal.owing, effects)
        # The games behind an inserted game get new numbers.
        number = next((later.number for later in sheet.rows[sheet.rows.index(row) + behind :] if later.number), None)
        if number is not None and form["form"].value() in GAMES:
            text = _("Das sind die bisherigen Nummern: Mit dem neuen Spiel wird aus Spiel %(old)s Spiel %(new)s und so weiter.")
            described.append(text % {"old": number, "new": number + 1})
    context = _build_context(access, sheet, form, refused) | {
        "row": row,
        "effects": described,
        "seats": list(enumerate(line_up)),
        "tiles": list_tiles(form, line_up, sheet),
        "worth": build_worth_data(sheet, line_up, sheet.rows[: sheet.rows.index(row) + behind]),
        "dealer_seat": parse_whole(str(form["dealer"].value())),
        "inserting": True,
        "behind": behind,
        "action": reverse("game_insert_behind" if behind else "game_insert", args=[access.club.slug, sheet.table.pk, key]),
        "button": _("Einfügen") if effects is not None else _("Zeigen, was sich ändert"),
    }
    return render(request, "scoring/table/insert.html", context, status=get_status(refused) if refused else 200)


def build_form(
    form: str | None, records: Records, line_up: Sequence[Player], dealer: int | None, standing: Game | None = None, **kwargs: Any
) -> LineForm:
    """Build the form for a line of these players. Who sits out when `dealer` deals cannot have played, but can get a penalty. If
    a line on the sheet names who sat out, that holds as long as its dealer stays."""
    if form in (Game.Form.PENALTY, Game.Form.CORRECTION):
        return PointsForm(people=enumerate(line_up), **kwargs)
    if form == Game.Form.REDEAL:
        return RedealForm(people=enumerate(line_up), **kwargs)
    rules = records.table.rule_set.rules.at(len(line_up))
    sitting_out = None
    if standing is not None and standing.dealer == dealer and not rules.asks_out:
        sitting_out = standing.facts.get("out")
    out = sitting_out
    if out is None:
        out = () if dealer is None else get_sitters(rules, dealer) or ()
    people = [(seat, player) for seat, player in enumerate(line_up) if seat not in out]
    used = count_special_points(records.table.evening)
    # Each pill lies in its label, so its id is never used; leaving it out saves 2 % of the page.
    return GameForm(rules=rules, people=people, sitting_out=sitting_out, used=used, auto_id=False, **kwargs)


def render_table_page(
    request: HttpRequest,
    access: Access,
    sheet: Sheet,
    form: LineForm | None,
    refused: Refused | ActionRefused | None = None,
    odd: Sequence[str] = (),
) -> HttpResponse:
    """Render the sheet with the form for the next line. `odd` says what is odd about the typed line, to be confirmed once."""
    last = get_last_change(sheet.table)
    context = _build_context(access, sheet, form, refused) | {
        "action": reverse("games", args=[access.club.slug, sheet.table.pk]),
        "adding": True,
        "button": _("Eintragen und weiter") if sheet.table.evening.is_open else _("Nachtragen"),
        "state": build_etag(access, sheet.table, last),
        "penalties": list_penalties(sheet),
        "signed": list_signers(sheet.table.evening),
        "late": list_late_lines(sheet.records) if count_shown_late(access, sheet.table) else [],
        "may_decide": access.may_change(sheet.table.evening),
        "odd": [*odd, get_oddity_question()] if odd else (),
        **build_cash_context(access, sheet),
    }
    if form is not None:
        context |= _build_entry_context(sheet, form, is_conflict=bool(context["conflict"]))
        if undo := find_undo(access, sheet, last):
            context |= {"undo": last, "undo_what": undo["what"], "undo_key": undo.get("key", "")}
        if isinstance(form, GameForm):
            context["page_data"] = build_page_data(access, sheet)
    else:
        context |= {"dealer": sheet.next.dealer, "leader": sheet.next.leader, "out": sheet.next.out}
    return render(request, "scoring/table/table.html", context, status=get_status(refused) if refused else 200)


# Eight parameters: all cases of the views of a line end here, with a form, its effects, a refusal or a deletion.
def render_game_page(
    request: HttpRequest,
    access: Access,
    sheet: Sheet,
    key: UUID,
    form: LineForm | None = None,
    effects: Sequence[Effect] | None = None,
    refused: Refused | ActionRefused | None = None,
    deleting: bool = False,
) -> HttpResponse:
    """Render one line with its steps, and for a reader with the right its correction, with a preview if `effects` are given."""
    row = get_standing_row(sheet, key)
    may_change, may_order = access.may_enter(sheet.table.evening), access.may_change(sheet.table.evening)
    line_up, described = sheet.records.line_up(row.game), None
    if form is None and may_change and not deleting:
        initial, dealer, asked = build_initial(row.game), row.game.dealer, parse_whole(request.GET.get("dealer"))
        if row.game.form in GAMES and asked is not None and asked < len(line_up):
            initial["dealer"] = dealer = asked
        form = build_form(row.game.form, sheet.records, line_up, dealer, row.game, initial=initial)
    elif form is not None and isinstance(refused, StaleVersion):
        # Saving once more replaces the present version.
        replace_fields(form, version=str(row.game.version))
        _clear_marked_seats(form, row.game.round_id)
    if effects is not None:
        described = _describe_effects(sheet, form, line_up, propose_at(sheet.records, row.game).owing, effects)
    context = _build_context(access, sheet, form, refused) | {
        "row": row,
        "facts": list_facts(sheet, row),
        "explanation": build_explanation(row.result, row.rules),
        "remarks": describe_remarks(sheet, row),
        "effects": described,
        "later_stay": row is not sheet.rows[-1] and effects and {effect.game.key for effect in effects} == {row.game.key},
        "may_change": may_change,
        "seats": list(enumerate(line_up)),
        "tiles": list_tiles(form, line_up, sheet, corrected=row),
        "worth": build_worth_data(sheet, line_up, sheet.rows[: sheet.rows.index(row)]),
        "dealer_seat": parse_whole(str(form["dealer"].value())) if form else None,
        "deleting": deleting,
        "may_order": may_order,
        "may_insert_behind": may_order and closes_line_up(sheet.records, row.game),
        "may_move_up": may_order and may_move(sheet.records, row.game.key, up=True),
        "may_move_down": may_order and may_move(sheet.records, row.game.key, up=False),
        "action": reverse("game", args=[access.club.slug, sheet.table.pk, key]),
        "button": _("Berichtigung speichern") if effects is not None else _("Zeigen, was sich ändert"),
    }
    return render(request, "scoring/table/game.html", context, status=get_status(refused) if refused else 200)


def _describe_effects(
    sheet: Sheet, form: LineForm | None, line_up: Sequence[Player], owing: Sequence[int], effects: Sequence[Effect]
) -> list[str]:
    """Describe what is odd about the typed line and what it changes; `owing` are the seats that owe a Pflichtsolo."""
    rules = sheet.table.rule_set.rules.at(len(line_up))
    odd = describe_oddities(form.parse(), rules, owing) if form else []
    return [*odd, *describe_preview(sheet, effects)]


def _build_context(
    access: Access, sheet: Sheet, form: LineForm | None, refused: Refused | ActionRefused | None
) -> dict[str, Any]:
    """Return what all pages of a line show. If it was refused: the faults by field, or the conflict with a line on the sheet."""
    faults = refused.fields if isinstance(refused, Refused) else {}
    standing, hint = None, ""
    if isinstance(refused, AnotherGameFirst):
        hint = _("Wenn ja: nichts weiter tun, Ihre Eingabe wird nicht gebraucht. Wenn nein: noch einmal eintragen.")
        standing = sheet.find_row(refused.standing.key) if refused.standing else None
    elif isinstance(refused, StaleVersion):
        hint = _(
            "Oben steht, was jetzt gilt, unten Ihre Eingabe. "
            "„Zeigen, was sich ändert“ sagt, was sie daran ersetzt; gespeichert ist sie erst danach."
        )
        standing = sheet.find_row(refused.standing.key)
    typed = {name: form[name].value() for name in form.fields} if form else {}
    said = ("re_said", "kontra_said", "last_said")
    specials = [value for name, value in typed.items() if name.startswith(("re_", "kontra_", "game_"))]
    for name in ("re", "winners", "out"):
        # These fields belong to this form alone; its pills are shared.
        if name in faults and isinstance(form, GameForm):
            form.fields[name].widget.attrs["aria-invalid"] = "true"
    return {
        "access": access,
        "section": "evenings",
        "table": sheet.table,
        "speaker": next((player for player in sheet.players if player.pk == access.spoken_as), ""),
        "sheet": sheet,
        # Only members who may score are shown the button for it.
        "never_played": access.member
        and access.may_score
        and not (sheet.rows or sheet.records.deleted)
        and is_untouched(sheet.table.evening),
        "form": form,
        "refused": faults,
        "other_faults": [translate_sentence(found) for name, found in faults.items() if name not in SHOWN],
        "conflict": str(refused) if refused and not faults else "",
        "standing": standing,
        "conflict_hint": hint,
        "odd": (),
        "open_said": any(typed.get(name) not in (None, "", "none") or name in faults for name in said),
        # A special point is a chip, or a number.
        "open_specials": any(value in (True, "on") or parse_whole(str(value)) for value in specials)
        or not faults.keys().isdisjoint(SPECIAL_FIELDS),
        "open_more": bool(typed.get("note") or typed.get("no_trick") or faults.keys() & {"note", "no_trick", "starts_bock"}),
    }


def _build_entry_context(sheet: Sheet, form: LineForm, is_conflict: bool) -> dict[str, Any]:
    people, last, round_pk = sheet.records.current, sheet.records.last, sheet.records.rounds[-1].pk
    dealer = _parse_dealer(form["dealer"].value(), sheet)
    rules = sheet.table.rule_set.rules.at(len(people))
    out = get_sitters(rules, dealer)
    soloist = sheet.next.proposal.soloist if dealer == sheet.next.proposal.dealer else None
    lead = get_leader(rules, dealer, out, soloist)
    if is_conflict and form.is_bound:
        # Sent once more, the game goes behind the line that was in the way.
        replace_fields(form, after=str(last.key) if last else "")
        _clear_marked_seats(form, round_pk)
    return {
        "dealer": people[dealer],
        "dealer_seat": dealer,
        "seats": list(enumerate(people)),
        "tiles": list_tiles(form, people, sheet),
        "turn": sheet.next.dealer if dealer != sheet.next.proposal.dealer else "",
        "leader": None if lead is None else people[lead],
        "out": [people[seat] for seat in out or ()],
        "redeal": build_first_entry(dealer, None, last.key if last else None, round_pk, Game.Form.REDEAL),
    }


def _clear_marked_seats(form: LineForm, round_id: int) -> None:
    """Clear the marked seats of a form that was sent for another round, whose players had other seats."""
    if form["round"].value() not in (None, "", str(round_id)):
        replace_fields(form, round=str(round_id), dealer="", **dict.fromkeys(SEATED))


def replace_fields(form: LineForm, **values: str | None) -> None:
    """Change fields of a submitted form, for it to be sent again; None removes a field."""
    data = QueryDict(mutable=True)
    data.update(form.data)
    for name, value in values.items():
        if value is None:
            data.pop(name, None)
        else:
            data[name] = value
    form.data = data


def _parse_dealer(asked: object, sheet: Sheet) -> int:
    dealer = parse_whole(str(asked))
    return sheet.next.proposal.dealer if dealer is None or dealer >= len(sheet.records.current) else dealer


def list_tiles(
    form: LineForm | None, line_up: Sequence[Player], sheet: Sheet, corrected: Row | None = None
) -> list[dict[str, Any]]:
    """Return a tile for each player in seating order; none if the line is no game. `mark` is the checkbox that puts the player into
    a party (not if they sit out), `total` their points so far, `was` their points of the line that is being corrected."""
    if not isinstance(form, GameForm):
        return []
    field = "winners" if form["form"].value() == Game.Form.SHORT else "re"
    marks = {box.data["value"]: box.data["attrs"] for box in form[field]}
    was = {cell.player.pk: cell.points for cell in corrected.cells if not cell.is_idle} if corrected else {}
    mark = '<input type="checkbox" aria-describedby="tile-{}" name="{}" value="{}"{}>'
    return [
        {
            "seat": seat,
            "player": player,
            "mark": format_html(mark, seat, field, seat, flatatt(marks.get(str(seat), {"disabled": True}))),
            "plays": str(seat) in marks,
            "total": sheet.totals.get(player.pk, 0),
            "was": was.get(player.pk),
        }
        for seat, player in enumerate(line_up)
    ]


def build_worth_data(sheet: Sheet, line_up: Sequence[Player], before: Sequence[Row]) -> dict[str, Any]:
    rule_set = sheet.table.rule_set
    return {
        "rules": {**rule_set.settings, "codes": FOR_SCRIPTS},
        "chain": sheet.records.start(rule_set.rules).count_sides(),
        "before": [
            {"form": one.game.form, "table": len(one.result.outcome.points), "dealer": one.game.dealer, "facts": one.game.facts}
            for one in before
        ],
        "names": [player.name for player in line_up],
        "texts": {code: _(text) for code, text in (WON | LACKS).items()},
    }
