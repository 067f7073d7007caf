"""The input of one line of the sheet: as a form with pills, and as JSON. Both become the facts that the rules read."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any, Final
from uuid import UUID, uuid4

from django import forms
from django.utils.html import format_html
from django.utils.translation import get_language, gettext_lazy, gettext_noop
from django.utils.translation import gettext as _

from scoring.core.errors import ActionRefused
from scoring.core.text import parse_whole
from scoring.play.models import SEATS, Game
from scoring.rules import labels
from scoring.rules.constants import BANDS, PARTNER_KINDS, RAMSCH, SAID, SPECIAL_FIELDS, SPECIAL_PREFIX, SPECIALS
from scoring.rules.judge import MAX_REASON_LENGTH, MAX_STARTED
from scoring.rules.settings import RuleSettings
from scoring.rules.validation import Refused, Sentence
from scoring.rulesets.texts.settings import get_special_name
from scoring.table.actions.games import Typed

# The word "solo" has no room on the pills: it is hidden there, but screen readers say it.
_SOLO = re.compile(r"(.+?)((?:es|s)?[- ]?solo)", re.IGNORECASE)
PARTIES = [(party, gettext_lazy(name)) for party, name in labels.PARTIES.items()]


class KindPills(forms.RadioSelect):
    """The pills for the kind of game, with attributes for the scripts where a kind differs from most games."""

    def __init__(self, rules: RuleSettings) -> None:
        super().__init__()
        self.rules = rules

    def create_option(self, name: str, value: Any, *args: Any, **kwargs: Any) -> dict[str, Any]:
        option: dict[str, Any] = super().create_option(name, value, *args, **kwargs)
        asked = self.rules.entry_rules[0][value]
        if asked.like not in PARTNER_KINDS and (solo := _SOLO.fullmatch(str(option["label"]))):
            option["label"] = format_html('<span>{}<small class="ending">{}</small></span>', *solo.groups())
        if asked.winner:
            option["attrs"]["data-end"] = RAMSCH if asked.like == RAMSCH else "both" if asked.eyes else "hand"
        if not asked.announcements:
            option["attrs"]["data-silent"] = True
        if asked.may_be_duty:
            option["attrs"]["data-duty"] = True
        return option


@lru_cache(maxsize=64)
def build_pill_fields(rules: RuleSettings, used: frozenset[tuple[str, int]], _language: str | None) -> Mapping[str, forms.Field]:
    """Return the form fields that follow from the rules, by name. `used` counts how often each special point was entered.

    All forms with the same arguments share the fields and must not change them; their labels depend on the language."""
    often = dict(used)
    by_name = sorted(rules.kinds, key=lambda kind: rules.kind_names.get(kind, ""))
    kinds = [(kind, rules.kind_names.get(kind) or _(labels.KINDS[kind])) for kind in labels.sort_kinds(by_name)]
    fields: dict[str, forms.Field] = {
        "kind": forms.ChoiceField(choices=kinds, required=False, widget=KindPills(rules), initial="normal"),
        "winner": build_radio_field([("", _("nach Augen")), *PARTIES], initial=""),
        "duty": forms.BooleanField(required=False, label=_("als Pflichtsolo")),
        "band": build_radio_field([(band, _(labels.BANDS[band])) for band in BANDS], initial=""),
    }
    for party, label in PARTIES:
        # The highest announcement comes first.
        said = [(said, label if said == "said" else _(labels.SAID[said])) for said in reversed(SAID)]
        fields[f"{party}_said"] = build_radio_field(said, initial="none")
    for earner, mosts in list_specials(rules, often).items():
        for special, most in mosts.items():
            name = get_special_field(earner, special)
            if earner == "game" and most == 1:
                fields[name] = forms.BooleanField(required=False, label=get_special_name(special, rules.special_names))
            else:
                fields[name] = build_radio_field([(str(n), str(n)) for n in range(most + 1)], initial="0")
    fields["last_said"] = build_radio_field([("", _("weiß nicht")), *PARTIES], initial="")
    fields["no_trick"] = build_radio_field([("", _("wie die Augen sagen")), ("none", _("ein Stich ohne Augen"))], initial="")
    return fields


def build_radio_field(choices: Iterable[tuple[str, Any]], initial: str) -> forms.ChoiceField:
    return forms.ChoiceField(choices=list(choices), required=False, widget=forms.RadioSelect, initial=initial)


def get_special_field(earner: str, special: str) -> str:
    """Return the field name of a special point of re, kontra or game. The prefix keeps own ones apart from other fields."""
    return f"{earner}_{special}" if special in SPECIALS else f"{earner}_{SPECIAL_PREFIX}{special}"


def list_specials(rules: RuleSettings, used: Mapping[str, int]) -> dict[str, dict[str, int]]:
    """Return the special points that can be entered for Re, Kontra and the game, each with its maximum. The most used come
    first, then built-in ones, then own ones by name."""
    own = sorted(rules.special_names.keys() - SPECIALS.keys(), key=lambda special: rules.special_names[special])
    specials = sorted([*SPECIALS, *own], key=lambda special: -used.get(special, 0))
    return {
        field.removesuffix("_specials"): {
            special: rules.max_specials[field][special] for special in specials if special in rules.max_specials[field]
        }
        for field in SPECIAL_FIELDS
    }


PARTY_FIELDS = ("re_said", "kontra_said")
# The band of the other side for each band: the list is symmetric.
OTHER_SIDE = dict(zip(BANDS, reversed(BANDS), strict=True))
# The number of pills for Bocks by hand, if a game can start several.
MOST_BOCKS = 3
# The fields of a JSON entry that are no facts.
ENVELOPE = ("key", "after", "round", "people", "version", "confirm", "form", "dealer", "note")
NO_KEY = gettext_noop("Der Schlüssel muss eine UUID sein.")
UNKNOWN_FIELD = gettext_noop("Das Feld „%(field)s“ gibt es nicht. Bitte weglassen.")
NO_PEOPLE = gettext_noop("Bitte die Personen am Tisch als Liste ihrer Nummern angeben, höchstens acht.")
# More fields than any line has. The answer names each unknown field, so their number is limited.
MOST_FIELDS = 50
# The penalties of the tournament rules: points of the offender, points of all others, the usual reason, and whether a deal is
# used up.
PENALTIES: Final = {
    "3": (-3, 1, gettext_lazy("Regelverstoß"), False),
    "12": (-12, 4, gettext_lazy("Spiel ungültig"), True),
}


class LineForm(forms.Form):
    """The fields of every line. None is required, because the rules report what is missing."""

    form = forms.ChoiceField(choices=Game.Form.choices, required=False, widget=forms.HiddenInput)
    key = forms.CharField(required=False, widget=forms.HiddenInput)
    after = forms.CharField(required=False, widget=forms.HiddenInput)
    round = forms.CharField(required=False, widget=forms.HiddenInput)
    version = forms.CharField(required=False, widget=forms.HiddenInput)
    dealer = forms.CharField(required=False, widget=forms.HiddenInput)
    note = forms.CharField(required=False, max_length=200, label=gettext_lazy("Bemerkung"))

    def parse(self) -> Typed:
        """Return what was typed. Raise Refused."""
        if not self.is_valid():
            raise Refused({field: Sentence("%(text)s", {"text": texts[0]}) for field, texts in self.errors.items()})
        data = self.cleaned_data
        form = data["form"] or Game.Form.PLAYED
        fields = {**data, "form": form, "dealer": self.parse_dealer(data), "confirm": self.data.get("confirm")}
        return build_typed(self.build_facts(data), fields)

    def build_facts(self, data: Mapping[str, Any]) -> dict[str, Any]:
        raise NotImplementedError

    def parse_dealer(self, data: Mapping[str, Any]) -> Any:
        return _parse_number(data["dealer"]) if data["dealer"] else None


class GameForm(LineForm):
    """The form for a game, with pills or in the short form."""

    eyes = forms.CharField(required=False, max_length=3)
    side = forms.ChoiceField(choices=PARTIES, required=False, widget=forms.RadioSelect, initial="re")
    base = forms.CharField(required=False, max_length=6)
    solo = forms.BooleanField(required=False, label=gettext_lazy("Es war ein Solo"))

    def __init__(
        self,
        *args: Any,
        rules: RuleSettings,
        people: Iterable[tuple[int, Any]],
        sitting_out: list[int] | None = None,
        used: Counter[str] | None = None,
        **kwargs: Any,
    ) -> None:
        """Build the form; `people` are the playing seats with names, `sitting_out` was entered, `used` counts special points."""
        super().__init__(*args, **kwargs)
        self.rules = rules
        self.sitting_out = sitting_out
        self.counts = list_specials(rules, used or {})
        kinds = [asked for kinds in rules.entry_rules for asked in kinds.values()]
        self.announcements = any(asked.announcements for asked in kinds)
        self.asks_winner = any(asked.winner for asked in kinds)
        self.has_ramsch = RAMSCH in rules.like.values()
        self.asks_out = rules.asks_out
        # Every other seat plays together in each partner game.
        self.fixed_parties = rules.playing > 4
        # Which announcement came last, in some games or whenever both sides announced something.
        self.asks_answer = any(asked.asks_answer for asked in kinds)
        self.asks_last = self.asks_answer or any(asked.asks_last for asked in kinds)
        self.fields |= build_pill_fields(rules, frozenset((used or {}).items()), get_language())
        seats = [(str(seat), str(player)) for seat, player in people]
        for field in ("re", "winners", "out"):
            boxes = forms.MultipleChoiceField(choices=seats, required=False, widget=forms.CheckboxSelectMultiple)
            self.fields[field] = boxes
        rows = [", ".join(name for _seat, name in seats[start::2]) for start in (0, 1)]
        self.fields["row"] = build_radio_field([("0", rows[0]), ("1", rows[1])], initial="")
        most = 1 if rules.per_game == "one" else MOST_BOCKS
        # A script can have entered more than the pills offer; a correction of such a line keeps the number.
        standing = parse_whole(str((self.data if self.is_bound else self.initial).get("starts_bock"))) or 0
        bocks = sorted({*range(most + 1), min(standing, MAX_STARTED)})
        yes = _("ja") if bocks == [0, 1] else "1\u00a0×"
        counts = [(str(n), (_("nein"), yes)[n] if n < 2 else f"{n}\u00a0×") for n in bocks]
        self.fields["starts_bock"] = build_radio_field(counts, initial="0")

    @property
    def is_ramsch(self) -> bool:
        return self.rules.like.get(self["kind"].value()) == RAMSCH

    @property
    def partner_kinds(self) -> list[Any]:
        return [radio for radio in self["kind"] if self.rules.like[radio.data["value"]] in PARTNER_KINDS]

    @property
    def solo_kinds(self) -> list[Any]:
        return [solo for solo in self["kind"] if self.rules.like[solo.data["value"]] not in PARTNER_KINDS]

    @property
    def asks_solo(self) -> bool:
        """Return whether the game is a Vorführung whose kind of solo is not selected yet."""
        return bool(self["kind"].value() == "")

    @property
    def special_rows(self) -> list[dict[str, Any]]:
        """Return name, maximum, and (label, label in a solo, field) of each party of the special points of the parties."""
        return [
            {
                "name": get_special_name(special, self.rules.special_names),
                "most": self.rules.specials[special].most,
                "parties": [
                    (label, _(labels.ALONE[party]), self[get_special_field(party, special)])
                    for party, label in PARTIES
                    if special in self.counts[party]
                ],
            }
            for special in {**self.counts["re"], **self.counts["kontra"]}
        ]

    @property
    def game_chips(self) -> list[Any]:
        """Return the fields of the special points of the game that can be earned once."""
        return [self[get_special_field("game", special)] for special, most in self.counts["game"].items() if most == 1]

    @property
    def game_rows(self) -> list[dict[str, Any]]:
        """Return the special points of the game that can be earned several times, with their fields."""
        return [
            {"name": get_special_name(special, self.rules.special_names), "field": self[get_special_field("game", special)]}
            for special, most in self.counts["game"].items()
            if most > 1
        ]

    @property
    def chosen_solo(self) -> str:
        """Return the name of the selected solo; empty in a partner game."""
        kind = self["kind"].value()
        if self.asks_solo:
            return _("Welches Solo?")
        if self.rules.like.get(kind, PARTNER_KINDS[0]) in PARTNER_KINDS:
            return ""
        return self.rules.kind_names.get(kind) or _(labels.KINDS[kind])

    def build_facts(self, data: Mapping[str, Any]) -> dict[str, Any]:
        out = {} if self.sitting_out is None else {"out": self.sitting_out}
        if self.asks_out:
            out = {"out": [int(seat) for seat in data["out"]]}
        bocks = {"starts_bock": _parse_number(data["starts_bock"])} if data["starts_bock"] not in ("", "0") else {}
        if data["form"] == Game.Form.SHORT:
            winners = self._list_party(data, "winners", data["solo"])
            return {"winners": winners, "base": _parse_number(data["base"]), "solo": data["solo"], **out, **bocks}
        re = self._list_party(data, "re", self.rules.like.get(data["kind"]) not in PARTNER_KINDS)
        facts: dict[str, Any] = {"re": re, **out}
        if data["kind"]:
            facts["kind"] = data["kind"]
        facts |= {field: data[field] or "none" for field in PARTY_FIELDS}
        facts |= self._build_result(data)
        facts |= {field: data[field] for field in ("winner", "last_said", "no_trick") if data[field]}
        for earner, counts in self.counts.items():
            if counts:
                typed = {special: data[get_special_field(earner, special)] for special in counts}
                facts[f"{earner}_specials"] = {special: int(n or 0) for special, n in typed.items()}
        # The checkbox is there for every solo, but counts only if the solo can be a Pflichtsolo.
        if data["duty"]:
            facts["duty"] = True
        return facts | bocks

    def _list_party(self, data: Mapping[str, Any], field: str, solo: bool) -> list[int]:
        """Return the marked seats; with fixed parties the seats of the selected row."""
        if self.fixed_parties and not solo and data["row"]:
            return list(range(int(data["row"]), self.rules.table, 2))
        return [int(seat) for seat in data[field]]

    def _build_result(self, data: Mapping[str, Any]) -> dict[str, Any]:
        """Return eyes or band as Re's. Exact eyes take precedence over a band."""
        by_kontra = data["side"] == "kontra"
        if data["eyes"]:
            eyes = _parse_number(data["eyes"])
            return {"eyes": 240 - eyes if by_kontra and isinstance(eyes, int) else eyes}
        if data["band"]:
            return {"band": OTHER_SIDE[data["band"]] if by_kontra else data["band"]}
        return {}


def build_first_entry(dealer: int, soloist: int | None, after: UUID | None, round_id: int, form: str) -> dict[str, Any]:
    """Return the initial values for the next game. In a Vorführung the soloist is marked, and the kind of solo is left open."""
    return {
        "form": form,
        "key": uuid4(),
        "after": after or "",
        "round": round_id,
        "dealer": dealer,
        "kind": "normal" if soloist is None else "",
        "side": "re",
        "re": [] if soloist is None else [str(soloist)],
        "duty": soloist is not None,
    }


def build_initial(game: Game) -> dict[str, Any]:
    """Return the initial values of the form that corrects a line."""
    facts = game.facts
    initial = {field: value for field, value in facts.items() if not field.endswith("_specials")}
    # With fixed parties, a party is a row of seats.
    side = [] if facts.get("solo") else facts.get("re") or facts.get("winners") or []
    if len(side) > 2:
        initial |= {"row": str(side[0]), "re": [], "winners": []}
    for field in SPECIAL_FIELDS:
        earner = field.removesuffix("_specials")
        initial |= {get_special_field(earner, special): n for special, n in facts.get(field, {}).items()}
    initial |= {f"points_{seat}": points for seat, points in enumerate(facts.get("points", ()))}
    return initial | {
        "form": game.form,
        "version": game.version,
        "round": game.round_id,
        "dealer": "" if game.dealer is None else game.dealer,
        "note": game.note,
        "side": "re",
        "dealt": game.dealer is not None,
        "reason": facts.get("reason", ""),
        "seat": "" if facts.get("seat") is None else str(facts["seat"]),
    }


def parse_entry(body: bytes) -> Typed:
    """Parse a line sent as JSON: the facts, and beside them the fields of ENVELOPE. Raise Refused."""
    data = parse_object(body)
    facts = {field: value for field, value in data.items() if field not in ENVELOPE}
    form = data.get("form") or (Game.Form.SHORT if "winners" in facts else Game.Form.PLAYED)
    return build_typed(facts, {**data, "form": form})


def parse_object(body: bytes) -> dict[str, Any]:
    """Parse the JSON object of a request. Raise Refused, or ActionRefused if a field stands twice."""
    try:
        data = json.loads(body, object_pairs_hook=_build_object)
    except (ValueError, RecursionError):
        data = None
    if not isinstance(data, dict):
        raise Refused({"line": Sentence(gettext_noop("Bitte genau ein JSON-Objekt schicken."))})
    if len(data) > MOST_FIELDS:
        raise Refused({"line": Sentence(gettext_noop("So viele Felder hat keine Zeile. Bitte nur ihre eigenen schicken."))})
    return data


def _build_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    for field, value in pairs:
        if field in fields:
            # Its value would be ambiguous.
            twice = _("Das Feld „%(field)s“ steht zweimal da. Bitte nur einmal schicken.") % {"field": field}
            raise ActionRefused(twice, status=400)
        fields[field] = value
    return fields


def refuse_fields(unknown: Iterable[str]) -> dict[str, Sentence]:
    """Return the faults of these fields of a JSON object, which nothing reads."""
    return {field: Sentence(UNKNOWN_FIELD, {"field": field}) for field in unknown}


def parse_version(body: bytes) -> tuple[int, bool]:
    """Parse a move or a deletion sent as JSON: the version it saw, and whether it is confirmed. Raise Refused."""
    entry = parse_entry(body)
    if faults := refuse_fields(entry.facts):
        raise Refused(faults)
    return entry.version, entry.confirmed


def build_typed(facts: dict[str, Any], data: Mapping[str, Any]) -> Typed:
    """Check the fields of ENVELOPE and report all faults together. Raise Refused."""
    faults: dict[str, Sentence] = {}
    form, dealer, note = data["form"], data.get("dealer"), data.get("note", "")
    if form not in Game.Form.values:
        faults["form"] = Sentence(gettext_noop("Diese Art von Zeile gibt es nicht."))
    if dealer is not None and (type(dealer) is not int or dealer not in range(SEATS[-1])):
        faults["dealer"] = Sentence(gettext_noop("Bitte angeben, welcher Sitz gegeben hat."))
    if not isinstance(note, str):
        faults["note"] = Sentence(gettext_noop("Bitte die Bemerkung als Text angeben."))
    key, after = parse_key(data.get("key")), parse_key(data.get("after"))
    if key is None and data.get("key"):
        faults["key"] = Sentence(NO_KEY)
    if after is None and data.get("after"):
        faults["after"] = Sentence(gettext_noop("Bitte den Schlüssel des Spiels davor angeben, beim ersten leer."))
    version = parse_whole(data.get("version") or 0)
    if version is None:
        faults["version"] = Sentence(gettext_noop("Bitte die Fassung angeben, die berichtigt wird."))
    # 0 is the id of no round: the round was deleted, and `people` says who sat there.
    round_id = None if data.get("round") in (None, "") else parse_whole(data["round"])
    if round_id is None and data.get("round") not in (None, ""):
        faults["round"] = Sentence(gettext_noop("Bitte die Nummer der Sitzordnung angeben, für die das Spiel getippt ist."))
    people = data.get("people") or []
    if not are_people(people):
        faults["people"] = Sentence(NO_PEOPLE)
    if faults or version is None:
        raise Refused(faults)
    confirmed = data.get("confirm") in (True, "1")
    return Typed(form, facts, dealer, note, key, after, round_id, people, version, confirmed)


def are_people(value: Any) -> bool:
    return isinstance(value, list) and len(value) < SEATS.stop and all(type(pk) is int and parse_whole(pk) for pk in value)


def _parse_number(text: Any) -> Any:
    """Return a plain number as an int; any other text unchanged, for the rules to refuse."""
    number = parse_whole(text)
    return text if number is None else number


def parse_key(text: Any) -> UUID | None:
    try:
        return UUID(text) if isinstance(text, str) else None
    except ValueError:
        return None


class PointsForm(LineForm):
    """Points for each player and a reason. They need not sum to 0."""

    reason = forms.CharField(required=False, max_length=MAX_REASON_LENGTH, label=gettext_lazy("Grund"))
    dealt = forms.BooleanField(required=False, label=gettext_lazy("Das Spiel war schon gegeben und zählt als gegeben"))

    def __init__(self, *args: Any, people: Iterable[tuple[int, Any]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.seats = []
        for seat, player in people:
            self.seats.append(seat)
            self.fields[f"points_{seat}"] = forms.CharField(required=False, max_length=7, label=str(player))

    @property
    def rows(self) -> list[Any]:
        return [self[f"points_{seat}"] for seat in self.seats]

    def build_facts(self, data: Mapping[str, Any]) -> dict[str, Any]:
        return {"points": [_parse_signed(data[f"points_{seat}"]) for seat in self.seats], "reason": data["reason"].strip()}

    def parse_dealer(self, data: Mapping[str, Any]) -> Any:
        """Return the dealer only if the line uses up a deal; a line on the sheet keeps its dealer."""
        return super().parse_dealer(data) if data["dealt"] else None


class RedealForm(LineForm):
    """A new deal, with the player at fault and the reason, both optional."""

    reason = forms.CharField(required=False, max_length=MAX_REASON_LENGTH, label=gettext_lazy("Grund"))

    def __init__(self, *args: Any, people: Iterable[tuple[int, Any]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        seats = [(str(seat), str(player)) for seat, player in people]
        self.fields["seat"] = forms.ChoiceField(choices=seats, required=False, widget=forms.RadioSelect)

    def build_facts(self, data: Mapping[str, Any]) -> dict[str, Any]:
        seat = {"seat": int(data["seat"])} if data["seat"] else {}
        return {**seat, "reason": data["reason"].strip()} if data["reason"] else seat


def build_penalty(size: str | None, offender: int | None, people: int) -> dict[str, Any]:
    """Return the initial values for one of PENALTIES against this seat; empty if the query names none."""
    if size not in PENALTIES or offender is None or offender >= people:
        return {}
    lost, won, reason, dealt = PENALTIES[size]
    points = {f"points_{seat}": lost if seat == offender else won for seat in range(people)}
    return {**points, "reason": str(reason), "dealt": dealt}


def _parse_signed(text: str) -> Any:
    """Return a whole number with its sign, 0 if nothing was typed; any other text unchanged, for the rules to refuse."""
    parts = re.fullmatch(r"\s*([+-]?)([0-9]+)\s*", text.replace("−", "-"))
    number = parse_whole(parts[2]) if parts else None
    if number is None:
        return text.strip() or 0
    return -number if parts and parts[1] == "-" else number
