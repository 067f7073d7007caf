"""The two pages of the table, put together for every case: the entry above the sheet, and one line with its steps, its
correction and its deletion; with whatever stood in the way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final
from uuid import UUID, uuid4

from django.forms.utils import flatatt
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from scoring.club.access import Access
from scoring.club.models import Player
from scoring.core.errors import ActionRefused
from scoring.core.formats import translate_sentence
from scoring.core.text import parse_whole
from scoring.play.models import SEATS, Game
from scoring.play.queries import (
    GAMES,
    Records,
    Row,
    Sheet,
    get_last_change,
    list_signers,
    propose_before,
    propose_behind,
)
from scoring.play.replay import Effect
from scoring.play.texts import WON, build_explanation, list_facts
from scoring.rules.constants import FOR_SCRIPTS, SPECIAL_FIELDS
from scoring.rules.deal import get_leader, get_sitters
from scoring.rules.validation import Refused, Sentence
from scoring.table.actions.games import AnotherGameFirst, StaleVersion, closes_line_up, may_move
from scoring.table.forms.games import (
    GameForm,
    LineForm,
    PointsForm,
    RedealForm,
    as_typed,
    first_entry,
    line_as_typed,
    penalty_entry,
)
from scoring.table.queries import use_before
from scoring.table.texts import odd_lines, odd_question, preview_lines, remark_lines, what_was_done
from scoring.table.views.cash import cash_context
from scoring.table.views.data import late_shown, may_undo, page_data, penalty_choices, state_tag, status_of, undo_data
from scoring.table.views.late import late_lines

# Fields whose faults the form shows where they were typed; all others stand above it.
SHOWN: Final = [
    "winner",
    "winners",
    "base",
    "solo",
    "kind",
    "duty",
    "re",
    "band",
    "eyes",
    "re_said",
    "kontra_said",
    "last_said",
    "re_specials",
    "kontra_specials",
    "game_specials",
    "no_trick",
    "starts_bock",
    "out",
    "dealer",
    "note",
    "points",
    "reason",
    "seat",
]
# Fields in which people are marked by their seat.
SEATED: Final = ("re", "winners", "row", "out", "seat", *(f"points_{seat}" for seat in range(SEATS[-1])))


@dataclass(frozen=True)
class Trouble:
    """Why an entry was not saved: faults by field, or a conflict with a line that stands; and with which status."""

    refused: Mapping[str, Sentence] = field(default_factory=dict)
    status: int = 200
    conflict: str = ""
    standing: Row | None = None
    hint: str = ""
    # What is odd about it, asked once.
    odd: Sequence[str] = ()

    @classmethod
    def of(cls, error: Refused | ActionRefused, sheet: Sheet) -> Trouble:
        if isinstance(error, Refused):
            return cls(error.fields, status_of(error))
        if isinstance(error, AnotherGameFirst):
            hint = _("Wenn ja: nichts weiter tun, Ihre Eingabe wird nicht gebraucht. Wenn nein: noch einmal eintragen.")
        elif isinstance(error, StaleVersion):
            hint = _(
                "Oben steht, was jetzt gilt, unten Ihre Eingabe. "
                "„Zeigen, was sich ändert“ sagt, was sie daran ersetzt; gespeichert ist sie erst danach."
            )
        else:
            return cls(status=error.status, conflict=str(error))
        standing = sheet.find_row(error.standing.key) if error.standing else None
        return cls(status=error.status, conflict=str(error), standing=standing, hint=hint)


NO_TROUBLE: Final = Trouble()


def standing_row(sheet: Sheet, key: UUID) -> Row:
    """The line with this key, where it stands: somebody may have struck it out since it was fetched."""
    row = sheet.find_row(key)
    if row is None:
        raise Http404(_("Das gibt es hier nicht."))
    return row


def new_form(sheet: Sheet, query: Mapping[str, str]) -> LineForm:
    """The form for the next line; the query may name another dealer, the other form of entry, or a line that is no
    game, a penalty with its points."""
    dealer = _asked_dealer(query.get("dealer"), sheet)
    as_before = next((row.game.form for row in reversed(sheet.rows) if row.game.form in GAMES), Game.Form.PLAYED)
    form = query.get("form")
    form = form if form in Game.Form.values else as_before
    after = sheet.records.last.key if sheet.records.last else None
    soloist = sheet.next.proposal.soloist if dealer == sheet.next.proposal.dealer else None
    initial = first_entry(dealer, soloist, after, sheet.records.rounds[-1].pk, form)
    if form == Game.Form.PENALTY:
        initial |= penalty_entry(query.get("penalty"), parse_whole(query.get("seat")), len(sheet.records.current))
    return form_of(form, sheet.records, sheet.records.current, dealer, initial=initial)


def typed_form(records: Records, data: Mapping[str, str], standing: Game | None) -> LineForm:
    """The form as it was sent, for the next line or for the one that stands."""
    line_up = records.line_up(standing) if standing else records.current
    return form_of(data.get("form"), records, line_up, parse_whole(data.get("dealer")), standing, data=data)


def correction_form(sheet: Sheet, row: Row, asked: int | None) -> LineForm:
    """The form for a line that stands, filled with what was typed; `asked` is another dealer to put in its place."""
    game, line_up = row.game, sheet.records.line_up(row.game)
    if game.form not in GAMES:
        return form_of(game.form, sheet.records, line_up, game.dealer, initial=line_as_typed(game))
    dealer = game.dealer if asked is None or asked >= len(line_up) else asked
    return form_of(game.form, sheet.records, line_up, dealer, game, initial=as_typed(game) | {"dealer": dealer})


def insertion_form(sheet: Sheet, row: Row, behind: bool, query: Mapping[str, str]) -> LineForm:
    """The form for a line beside this one: for the people who sat there, dealt as the lines before it say."""
    line_up = sheet.records.line_up(row.game)
    asked = parse_whole(query.get("dealer"))
    proposed = (propose_behind if behind else propose_before)(sheet.records, row.game).dealer
    dealer = proposed if asked is None or asked >= len(line_up) else asked
    form = query.get("form", Game.Form.PLAYED)
    form = form if form in Game.Form.values else Game.Form.PLAYED
    initial = first_entry(dealer, None, None, row.game.round_id, form)
    return form_of(form, sheet.records, line_up, dealer, initial=initial)


# Eight parameters: each way through the view ends here, with a form, its effects or what went wrong.
def insertion_page(
    request: HttpRequest,
    access: Access,
    sheet: Sheet,
    key: UUID,
    behind: bool,
    form: LineForm | None = None,
    effects: Sequence[Effect] | None = None,
    trouble: Trouble = NO_TROUBLE,
) -> HttpResponse:
    """A forgotten line, to be put before or behind the one that stands there, previewed where `effects` are given."""
    row = standing_row(sheet, key)
    form = form or insertion_form(sheet, row, behind, request.GET)
    line_up = sheet.records.line_up(row.game)
    dealer = parse_whole(str(form["dealer"].value()))
    context = _base(access, sheet, form, trouble) | {
        "row": row,
        "effects": None
        if effects is None
        else [
            *_odd(sheet, form, line_up, (propose_behind if behind else propose_before)(sheet.records, row.game).owing),
            *preview_lines(sheet, effects),
            *_numbers_after(sheet, row, behind, form),
        ],
        "seats": list(enumerate(line_up)),
        "tiles": tiles_of(form, line_up, sheet),
        "worth": worth_data(sheet, line_up, sheet.rows[: sheet.rows.index(row) + behind]),
        "dealer_seat": dealer,
        "inserting": True,
        "behind": behind,
        "action": reverse(
            "game_insert_behind" if behind else "game_insert", args=[access.club.slug, sheet.table.pk, key]
        ),
        "button": _("Einfügen") if effects is not None else _("Zeigen, was sich ändert"),
    }
    return render(request, "scoring/table/insert.html", context, status=trouble.status)


def _numbers_after(sheet: Sheet, row: Row, behind: bool, form: LineForm) -> list[str]:
    """That the games behind a new one are counted anew; nothing where it is no game or the last one."""
    rows = list(sheet.rows)
    number = next((later.number for later in rows[rows.index(row) + behind :] if later.number), None)
    if number is None or form["form"].value() not in GAMES:
        return []
    text = _("Das sind die bisherigen Nummern: Mit dem neuen Spiel wird aus Spiel %(old)s Spiel %(new)s und so weiter.")
    return [text % {"old": number, "new": number + 1}]


def form_of(
    form: str | None,
    records: Records,
    line_up: Sequence[Player],
    dealer: int | None,
    standing: Game | None = None,
    **kwargs: Any,
) -> LineForm:
    """The form for a line of this kind, for these people. Who sits out when `dealer` deals cannot have played, but can
    be punished. Where the line that stands says itself who sat out, that holds as long as nobody else dealt."""
    if form in (Game.Form.PENALTY, Game.Form.CORRECTION):
        return PointsForm(people=enumerate(line_up), **kwargs)
    if form == Game.Form.REDEAL:
        return RedealForm(people=enumerate(line_up), **kwargs)
    rules = records.table.rule_set.rules.at(len(line_up))
    if standing is not None and standing.dealer == dealer and not rules.asks_out:
        said_out = standing.facts.get("out")
    else:
        said_out = None
    out = (get_sitters(rules, dealer) or () if dealer is not None else ()) if said_out is None else said_out
    people = [(seat, player) for seat, player in enumerate(line_up) if seat not in out]
    used = use_before(records.table.evening)
    # Each pill lies in its label, so nothing names them by their ids: 2 % of the page.
    return GameForm(rules=rules, people=people, said_out=said_out, used=used, auto_id=False, **kwargs)


def table_page(
    request: HttpRequest,
    access: Access,
    sheet: Sheet,
    form: LineForm | None,
    trouble: Trouble = NO_TROUBLE,
) -> HttpResponse:
    """The entry above the sheet; without a form the sheet alone."""
    last = get_last_change(sheet.table)
    context = _base(access, sheet, form, trouble) | {
        "action": reverse("games", args=[access.club.slug, sheet.table.pk]),
        "adding": True,
        "button": _("Eintragen und weiter"),
        "state": state_tag(access, sheet.table, last),
        "penalties": penalty_choices(sheet),
        "signed": list_signers(sheet.table.evening),
        "late": late_lines(sheet.records) if late_shown(access, sheet.table) else [],
        "may_decide": access.may_change(sheet.table.evening),
        **cash_context(access, sheet),
    }
    if form is not None:
        context |= _ahead(sheet, form, trouble)
        if last and may_undo(access, last):
            context |= {"undo": last, "undo_what": what_was_done(last), "undo_key": undo_data(last).get("key", "")}
        if isinstance(form, GameForm):
            context["page_data"] = page_data(access, sheet)
    else:
        context |= {"dealer": sheet.next.dealer, "leader": sheet.next.leader, "out": sheet.next.out}
    return render(request, "scoring/table/table.html", context, status=trouble.status)


# Eight parameters: each way through the views of a line ends here, with a form, its effects, what went wrong or a deletion.
def game_page(
    request: HttpRequest,
    access: Access,
    sheet: Sheet,
    key: UUID,
    form: LineForm | None = None,
    effects: Sequence[Effect] | None = None,
    trouble: Trouble = NO_TROUBLE,
    deleting: bool = False,
) -> HttpResponse:
    """One line: its steps, and for those who may change it its correction, previewed where `effects` are given."""
    row = standing_row(sheet, key)
    may_change, may_order = access.may_enter(sheet.table.evening), access.may_change(sheet.table.evening)
    if form is None and may_change and not deleting:
        form = correction_form(sheet, row, parse_whole(request.GET.get("dealer")))
    elif form is not None and isinstance(trouble.standing, Row):
        # Saving once more is meant to replace what stands now.
        _replace(form, version=str(row.game.version))
        _ask_anew(form, row.game.round_id)
    line_up = sheet.records.line_up(row.game)
    context = _base(access, sheet, form, trouble) | {
        "row": row,
        "facts": list_facts(sheet, row),
        "explanation": build_explanation(row.result, row.rules),
        "remarks": remark_lines(sheet, row),
        "effects": None
        if effects is None
        else [*_odd(sheet, form, line_up, propose_before(sheet.records, row.game).owing), *preview_lines(sheet, effects)],
        "later_stay": row is not sheet.rows[-1] and effects and {effect.game.key for effect in effects} == {row.game.key},
        "may_change": may_change,
        "seats": list(enumerate(line_up)),
        "tiles": tiles_of(form, line_up, sheet, corrected=row),
        "worth": worth_data(sheet, line_up, sheet.rows[: sheet.rows.index(row)]),
        "dealer_seat": parse_whole(str(form["dealer"].value())) if form else None,
        "deleting": deleting,
        "may_order": may_order,
        "may_insert_behind": may_order and closes_line_up(sheet.records, row.game),
        "may_move_up": may_order and may_move(sheet.records, row.game.key, up=True),
        "may_move_down": may_order and may_move(sheet.records, row.game.key, up=False),
        "action": reverse("game", args=[access.club.slug, sheet.table.pk, key]),
        "button": _("Berichtigung speichern") if effects is not None else _("Zeigen, was sich ändert"),
    }
    return render(request, "scoring/table/game.html", context, status=trouble.status)


def _odd(sheet: Sheet, form: LineForm | None, line_up: Sequence[Player], owing: Sequence[int]) -> list[str]:
    """The remarks about what is typed, beside what it changes; `owing` are the seats that owe a Pflichtsolo there."""
    return odd_lines(form.envelope().typed, sheet.table.rule_set.rules.at(len(line_up)), owing) if form else []


def _base(access: Access, sheet: Sheet, form: LineForm | None, trouble: Trouble) -> dict[str, Any]:
    refused = trouble.refused
    typed = {name: form[name].value() for name in form.fields} if form else {}
    for name in ("re", "winners", "out"):
        # These fields are of this form alone, unlike its pills.
        if name in refused and isinstance(form, GameForm):
            form.fields[name].widget.attrs["aria-invalid"] = "true"
    return {
        "access": access,
        "section": "evenings",
        "table": sheet.table,
        "speaker": next((player for player in sheet.players if player.pk == access.spoken_as), ""),
        "sheet": sheet,
        "never_played": not (sheet.rows or sheet.records.deleted),
        "form": form,
        "refused": refused,
        "other_faults": [translate_sentence(found) for name, found in refused.items() if name not in SHOWN],
        "conflict": trouble.conflict,
        "standing": trouble.standing,
        "conflict_hint": trouble.hint,
        "odd": [*trouble.odd, odd_question()] if trouble.odd else (),
        "open_said": any(typed.get(name) not in (None, "", "none") for name in ("re_said", "kontra_said", "last_said"))
        or not refused.keys().isdisjoint(("re_said", "kontra_said", "last_said")),
        "open_specials": any(_is_special_typed(name, value) for name, value in typed.items())
        or not refused.keys().isdisjoint(SPECIAL_FIELDS),
        "open_more": bool(typed.get("note") or typed.get("no_trick"))
        or bool(refused.keys() & {"note", "no_trick", "starts_bock"}),
    }


def _is_special_typed(name: str, value: Any) -> bool:
    """Is this a special point, and was any of it typed? A chip has no number."""
    return name.startswith(("re_", "kontra_", "game_")) and (value in (True, "on") or bool(parse_whole(str(value))))


def _ahead(sheet: Sheet, form: LineForm, trouble: Trouble) -> dict[str, Any]:
    """Who deals, leads and sits out in the game being typed, and the form of one tap for a new deal."""
    people, last, round_pk = sheet.records.current, sheet.records.last, sheet.records.rounds[-1].pk
    dealer = _asked_dealer(form["dealer"].value(), sheet)
    rules = sheet.table.rule_set.rules.at(len(people))
    out = get_sitters(rules, dealer)
    soloist = sheet.next.proposal.soloist if dealer == sheet.next.proposal.dealer else None
    lead = get_leader(rules, dealer, out, soloist)
    if trouble.conflict and form.is_bound:
        # Sent once more, the game is meant to stand behind the one that was in the way.
        _replace(form, after=str(last.key) if last else "")
        _ask_anew(form, round_pk)
    return {
        "dealer": people[dealer],
        "dealer_seat": dealer,
        "seats": list(enumerate(people)),
        "tiles": tiles_of(form, people, sheet),
        "turn": sheet.next.dealer if dealer != sheet.next.proposal.dealer else "",
        "leader": None if lead is None else people[lead],
        "out": [people[seat] for seat in out or ()],
        "redeal": first_entry(dealer, None, last.key if last else None, round_pk, Game.Form.REDEAL),
    }


def _ask_anew(form: LineForm, line_up: int) -> None:
    """Where a form was sent for other people than sit there, the seats that were marked are others' now."""
    if form["round"].value() not in (None, "", str(line_up)):
        _replace(form, round=str(line_up), dealer="", **dict.fromkeys(SEATED))


def become_new(form: LineForm) -> None:
    """What was typed for a line that is gone can be entered as a new one."""
    _replace(form, key=str(uuid4()))


def _replace(form: LineForm, **values: str | None) -> None:
    """Change fields of a form that was sent, for it to be sent again; what is None is taken out."""
    data = QueryDict(mutable=True)
    data.update(form.data)
    for name, value in values.items():
        if value is None:
            data.pop(name, None)
        else:
            data[name] = value
    form.data = data


def _asked_dealer(asked: object, sheet: Sheet) -> int:
    dealer = parse_whole(str(asked))
    return sheet.next.proposal.dealer if dealer is None or dealer >= len(sheet.records.current) else dealer


@dataclass(frozen=True)
class Tile:
    """One person at the table: `mark` is the box that puts them into the party that is asked for, `total` their points so
    far, `was` what the line that is being corrected brought them."""

    seat: int
    player: Player
    mark: SafeString
    plays: bool
    total: int
    was: int | None


def tiles_of(
    form: LineForm | None, line_up: Sequence[Player], sheet: Sheet, corrected: Row | None = None
) -> list[Tile]:
    """A tile for everybody in seating order; none where the line is no game. Who sits out cannot be marked."""
    if not isinstance(form, GameForm):
        return []
    field = "winners" if form["form"].value() == Game.Form.SHORT else "re"
    marks = {box.data["value"]: box.data["attrs"] for box in form[field]}
    was = {cell.player.pk: cell.points for cell in corrected.cells if not cell.is_idle} if corrected else {}
    mark = '<input type="checkbox" aria-describedby="tile-{}" name="{}" value="{}"{}>'
    return [
        Tile(
            seat,
            player,
            format_html(mark, seat, field, seat, flatatt(marks.get(str(seat), {"disabled": True}))),
            plays=str(seat) in marks,
            total=sheet.totals.get(player.pk, 0),
            was=was.get(player.pk),
        )
        for seat, player in enumerate(line_up)
    ]


def worth_data(sheet: Sheet, line_up: Sequence[Player], before: Sequence[Row]) -> dict[str, Any]:
    """What the phone needs to say what a line behind these would bring its people, as score.js takes it."""
    rule_set = sheet.table.rule_set
    return {
        "rules": {**rule_set.settings, "codes": FOR_SCRIPTS},
        "chain": sheet.records.start(rule_set.rules).count_sides(),
        "before": [
            {
                "form": row.game.form,
                "table": len(row.result.outcome.points),
                "dealer": row.game.dealer,
                "facts": row.game.facts,
            }
            for row in before
        ],
        "names": [player.name for player in line_up],
        "texts": {code: _(text) for code, text in WON.items()},
    }
