"""One line of the sheet as it is typed: the form with its pills, and the same thing as JSON. Both become the facts the
rules read; what the rules refuse comes back by field and nothing typed is lost."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final
from uuid import UUID, uuid4

from django import forms
from django.utils.functional import cached_property
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
from scoring.table.actions.games import Typed


@dataclass(eq=False)
class FieldTwice(ActionRefused):
    """A field stands twice in one object of what was sent as JSON: nobody can say which one was meant."""

    status = 400

    field: str

    def __str__(self) -> str:
        return _("Das Feld „%(field)s“ steht zweimal da. Bitte nur einmal schicken.") % {"field": self.field}


# What every solo is called has no room among the others: it is there for the ear, and where one solo is named.
_SOLO = re.compile(r"(.+?)((?:es|s)?[- ]?solo)", re.IGNORECASE)
PARTIES = [(party, gettext_lazy(name)) for party, name in labels.PARTIES.items()]


class KindPills(forms.RadioSelect):
    """The kinds of game, each with what the scripts ask of it where that is not what most games are asked."""

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
def pill_fields(
    rules: RuleSettings, used: frozenset[tuple[str, int]], _language: str | None
) -> Mapping[str, forms.Field]:
    """The fields that follow from the rules, by name, and how often everything was `used`: the same for every form that asks for
    these, and never changed. What is called differently in another language is another one."""
    often = dict(used)
    by_name = sorted(rules.kinds, key=lambda kind: rules.kind_names.get(kind, ""))
    kinds = [(kind, rules.kind_names.get(kind) or _(labels.KINDS[kind])) for kind in labels.sort_kinds(by_name)]
    fields: dict[str, forms.Field] = {
        "kind": forms.ChoiceField(choices=kinds, required=False, widget=KindPills(rules), initial="normal"),
        "winner": radio([("", _("nach Augen")), *PARTIES], initial=""),
        "duty": forms.BooleanField(required=False, label=_("als Pflichtsolo")),
        "band": radio([(band, _(labels.BANDS[band])) for band in BANDS], initial=""),
    }
    for party, label in PARTIES:
        # A ladder: the highest one on top.
        said = [(said, label if said == "said" else _(labels.SAID[said])) for said in reversed(SAID)]
        fields[f"{party}_said"] = radio(said, initial="none")
    for earner, mosts in asked_specials(rules, often).items():
        for special, most in mosts.items():
            name = special_field(earner, special)
            if earner == "game" and most == 1:
                fields[name] = forms.BooleanField(required=False, label=special_name(rules, special))
            else:
                fields[name] = radio([(str(n), str(n)) for n in range(most + 1)], initial="0")
    fields["last_said"] = radio([("", _("weiß nicht")), *PARTIES], initial="")
    fields["no_trick"] = radio([("", _("wie die Augen sagen")), ("none", _("ein Stich ohne Augen"))], initial="")
    return fields


def special_name(rules: RuleSettings, special: str) -> str:
    return rules.special_names.get(special) or _(labels.SPECIALS[special].name)


def radio(choices: Iterable[tuple[str, Any]], initial: str) -> forms.ChoiceField:
    return forms.ChoiceField(choices=list(choices), required=False, widget=forms.RadioSelect, initial=initial)


def special_field(earner: str, special: str) -> str:
    """The field of a special point; `earner` is re, kontra or game. Own ones may be called like another field."""
    return f"{earner}_{special}" if special in SPECIALS else f"{earner}_{SPECIAL_PREFIX}{special}"


def asked_specials(rules: RuleSettings, used: Mapping[str, int]) -> dict[str, dict[str, int]]:
    """Of Re, Kontra and the game: which special points can stand there and how many of each, those used most first, then
    the built-in ones, then own ones by name."""
    own = sorted(rules.special_names.keys() - SPECIALS.keys(), key=lambda special: rules.special_names[special])
    specials = sorted([*SPECIALS, *own], key=lambda special: -used.get(special, 0))
    return {
        field.removesuffix("_specials"): {
            special: rules.max_specials[field][special] for special in specials if special in rules.max_specials[field]
        }
        for field in SPECIAL_FIELDS
    }


TYPED_BY_PARTY = ("re_said", "kontra_said")
# A band of one side is a band of the other: the list of them reads the same from both ends.
OTHER_SIDE = dict(zip(BANDS, reversed(BANDS), strict=True))
# How many Böcke by hand there are pills for, where a game can start more than one.
MOST_BOCKS = 3
# What stands beside the facts in a JSON entry.
ENVELOPE = ("key", "after", "round", "people", "version", "confirm", "form", "dealer", "note")
NO_KEY = gettext_noop("Der Schlüssel muss eine UUID sein.")
NO_PEOPLE = gettext_noop("Bitte die Personen am Tisch als Liste ihrer Nummern angeben, höchstens acht.")
# More fields than any line has, counting those that it could not have: each unknown one is named in the answer.
MOST_FIELDS = 50


@dataclass(frozen=True)
class Envelope:
    """What a phone sends: the key made there, the line it follows, the round it was typed for and who sat there (by id, in
    seating order), the version a correction saw."""

    typed: Typed
    key: UUID | None
    after: UUID | None
    line_up: int | None
    version: int
    confirmed: bool
    people: Sequence[int] = ()


class LineForm(forms.Form):
    """What every line of the sheet carries, whatever stands in it. Nothing is required here: what is missing is the
    rules' to say."""

    form = forms.ChoiceField(choices=Game.Form.choices, required=False, widget=forms.HiddenInput)
    key = forms.CharField(required=False, widget=forms.HiddenInput)
    after = forms.CharField(required=False, widget=forms.HiddenInput)
    round = forms.CharField(required=False, widget=forms.HiddenInput)
    version = forms.CharField(required=False, widget=forms.HiddenInput)
    dealer = forms.CharField(required=False, widget=forms.HiddenInput)
    note = forms.CharField(required=False, max_length=200, label=gettext_lazy("Bemerkung"))

    def envelope(self) -> Envelope:
        """What was typed, as facts. Raises Refused where the envelope is broken."""
        if not self.is_valid():
            raise Refused({field: Sentence("%(text)s", {"text": texts[0]}) for field, texts in self.errors.items()})
        data = self.cleaned_data
        typed = Typed(
            form=data["form"] or Game.Form.PLAYED,
            facts=self.facts(data),
            dealer=self.dealer_typed(data),
            note=data["note"],
        )
        return read_envelope(typed, {**data, "confirm": self.data.get("confirm")})

    def facts(self, data: Mapping[str, Any]) -> dict[str, Any]:
        raise NotImplementedError

    def dealer_typed(self, data: Mapping[str, Any]) -> Any:
        return _number(data["dealer"]) if data["dealer"] else None


class GameForm(LineForm):
    """The entry of a game, with its pills or in the short form."""

    eyes = forms.CharField(required=False, max_length=3)
    side = forms.ChoiceField(choices=PARTIES, required=False, widget=forms.RadioSelect, initial="re")
    base = forms.CharField(required=False, max_length=6)
    solo = forms.BooleanField(required=False, label=gettext_lazy("Es war ein Solo"))

    def __init__(
        self,
        *args: Any,
        rules: RuleSettings,
        people: Iterable[tuple[int, Any]],
        said_out: list[int] | None = None,
        used: Counter[str] | None = None,
        **kwargs: Any,
    ) -> None:
        """`rules` at this table, `people` the seats that play with their names; `said_out` who sits out where that was
        said of this one game, against the dealer; `used` how often the club has each special point."""
        super().__init__(*args, **kwargs)
        self.rules = rules
        self.said_out = said_out
        self.used = used or Counter()
        self.fields |= pill_fields(rules, frozenset(self.used.items()), get_language())
        seats = [(str(seat), str(player)) for seat, player in people]
        for field in ("re", "winners", "out"):
            self.fields[field] = forms.MultipleChoiceField(
                choices=seats, required=False, widget=forms.CheckboxSelectMultiple
            )
        rows = [", ".join(name for _seat, name in seats[start::2]) for start in (0, 1)]
        self.fields["row"] = radio([("0", rows[0]), ("1", rows[1])], initial="")
        most = 1 if rules.per_game == "one" else MOST_BOCKS
        # More than the pills offer can have been entered by a script; correcting such a line keeps it.
        standing = parse_whole(str((self.data if self.is_bound else self.initial).get("starts_bock"))) or 0
        bocks = sorted({*range(most + 1), min(standing, MAX_STARTED)})
        yes = _("ja") if bocks == [0, 1] else "1\u00a0×"
        counts = [(str(n), (_("nein"), yes)[n] if n < 2 else f"{n}\u00a0×") for n in bocks]
        self.fields["starts_bock"] = radio(counts, initial="0")

    @cached_property
    def counts(self) -> dict[str, dict[str, int]]:
        return asked_specials(self.rules, self.used)

    def special_name(self, special: str) -> str:
        return special_name(self.rules, special)

    @property
    def announcements(self) -> bool:
        """Is there a kind of game in which something can be announced?"""
        return any(asked.announcements for kinds in self.rules.entry_rules for asked in kinds.values())

    @property
    def asks_winner(self) -> bool:
        """Is there a kind of game for which a winner may be entered?"""
        return any(asked.winner for kinds in self.rules.entry_rules for asked in kinds.values())

    @property
    def has_ramsch(self) -> bool:
        return RAMSCH in self.rules.like.values()

    @property
    def is_ramsch(self) -> bool:
        """Is the kind that is chosen a Ramsch?"""
        return self.rules.like.get(self["kind"].value()) == RAMSCH

    @property
    def asks_out(self) -> bool:
        """Does it have to be said who sits out?"""
        return self.rules.asks_out

    @property
    def fixed_parties(self) -> bool:
        """Does every other seat play together, whatever the cards?"""
        return self.rules.playing > 4

    @property
    def asks_last(self) -> bool:
        """Does it matter in these rules whose Ansage came last?"""
        return self.asks_answer or any(asked.asks_last for kinds in self.rules.entry_rules for asked in kinds.values())

    @property
    def asks_answer(self) -> bool:
        """Does it matter in every game in which both said something?"""
        return any(asked.asks_answer for kinds in self.rules.entry_rules for asked in kinds.values())

    @property
    def partner_kinds(self) -> list[Any]:
        return [radio for radio in self["kind"] if self.rules.like[radio.data["value"]] in PARTNER_KINDS]

    @property
    def solo_kinds(self) -> list[Any]:
        return [solo for solo in self["kind"] if self.rules.like[solo.data["value"]] not in PARTNER_KINDS]

    @property
    def asks_solo(self) -> bool:
        """Whether it is a solo (Vorführung) of which it has yet to be said which one."""
        return bool(self["kind"].value() == "")

    @property
    def special_rows(self) -> list[dict[str, Any]]:
        """For each special point its name, how many there can be, and the parties that can earn it: their name, that in a solo,
        and the pills."""
        return [
            {
                "name": self.special_name(special),
                "most": self.rules.specials[special].most,
                "parties": [
                    (label, _(labels.ALONE[party]), self[special_field(party, special)])
                    for party, label in PARTIES
                    if special in self.counts[party]
                ],
            }
            for special in {**self.counts["re"], **self.counts["kontra"]}
        ]

    @property
    def game_chips(self) -> list[Any]:
        """The special points of the game of which there can be one: a chip each."""
        return [self[special_field("game", special)] for special, most in self.counts["game"].items() if most == 1]

    @property
    def game_rows(self) -> list[dict[str, Any]]:
        """Those of which there can be more, with their counts."""
        return [
            {"name": self.special_name(special), "field": self[special_field("game", special)]}
            for special, most in self.counts["game"].items()
            if most > 1
        ]

    @property
    def chosen_solo(self) -> str:
        """The name of the solo that is chosen, empty in a partner game."""
        kind = self["kind"].value()
        if self.asks_solo:
            return _("Welches Solo?")
        if self.rules.like.get(kind, PARTNER_KINDS[0]) in PARTNER_KINDS:
            return ""
        return self.rules.kind_names.get(kind) or _(labels.KINDS[kind])

    def facts(self, data: Mapping[str, Any]) -> dict[str, Any]:
        if data["form"] == Game.Form.SHORT:
            return self._short(data)
        re = self._party(data, "re", self.rules.like.get(data["kind"]) not in PARTNER_KINDS)
        facts: dict[str, Any] = {"re": re, **self._out(data)}
        if data["kind"]:
            facts["kind"] = data["kind"]
        facts |= {field: data[field] or "none" for field in TYPED_BY_PARTY}
        facts |= self._result(data)
        facts |= {field: data[field] for field in ("winner", "last_said", "no_trick") if data[field]}
        for earner, counts in self.counts.items():
            if counts:
                typed = {special: data[special_field(earner, special)] for special in counts}
                facts[f"{earner}_specials"] = {special: int(n or 0) for special, n in typed.items()}
        # The box stands ready for every solo; it means something only where a Pflichtsolo can be.
        if data["duty"]:
            facts["duty"] = True
        return facts | self._by_hand(data)

    def _short(self, data: Mapping[str, Any]) -> dict[str, Any]:
        winners = self._party(data, "winners", data["solo"])
        short = {"winners": winners, "base": _number(data["base"]), "solo": data["solo"]}
        return short | self._out(data) | self._by_hand(data)

    def _party(self, data: Mapping[str, Any], field: str, solo: bool) -> list[int]:
        """The seats that are marked; where the parties are fixed, those of a row."""
        if self.fixed_parties and not solo and data["row"]:
            return list(range(int(data["row"]), self.rules.table, 2))
        return [int(seat) for seat in data[field]]

    def _out(self, data: Mapping[str, Any]) -> dict[str, Any]:
        if self.asks_out:
            return {"out": [int(seat) for seat in data["out"]]}
        return {} if self.said_out is None else {"out": self.said_out}

    def _result(self, data: Mapping[str, Any]) -> dict[str, Any]:
        """Exact eyes count before a band; both are of the side they were typed for."""
        by_kontra = data["side"] == "kontra"
        if data["eyes"]:
            eyes = _number(data["eyes"])
            return {"eyes": 240 - eyes if by_kontra and isinstance(eyes, int) else eyes}
        if data["band"]:
            return {"band": OTHER_SIDE[data["band"]] if by_kontra else data["band"]}
        return {}

    def _by_hand(self, data: Mapping[str, Any]) -> dict[str, Any]:
        return {"starts_bock": _number(data["starts_bock"])} if data["starts_bock"] not in ("", "0") else {}


def first_entry(dealer: int, soloist: int | None, after: UUID | None, line_up: int, form: str) -> dict[str, Any]:
    """What the form for the next game begins with. Who is made to play a Pflichtsolo (Vorführung) is marked, and which
    solo it is has yet to be said."""
    return {
        "form": form,
        "key": uuid4(),
        "after": after or "",
        "round": line_up,
        "dealer": dealer,
        "kind": "normal" if soloist is None else "",
        "side": "re",
        "re": [] if soloist is None else [str(soloist)],
        "duty": soloist is not None,
    }


def as_typed(game: Game) -> dict[str, Any]:
    """What the form for correcting a line begins with: what was typed."""
    initial = {field: value for field, value in game.facts.items() if not field.endswith("_specials")}
    # Where the parties are fixed, a party is a row of seats.
    side = [] if game.facts.get("solo") else game.facts.get("re") or game.facts.get("winners") or []
    if len(side) > 2:
        initial |= {"row": str(side[0]), "re": [], "winners": []}
    for field in SPECIAL_FIELDS:
        earner = field.removesuffix("_specials")
        initial |= {special_field(earner, special): n for special, n in game.facts.get(field, {}).items()}
    return initial | {
        "form": game.form,
        "version": game.version,
        "round": game.round_id,
        "dealer": "" if game.dealer is None else game.dealer,
        "note": game.note,
        "side": "re",
    }


def read_json(body: bytes) -> Envelope:
    """An entry sent as JSON: the facts, and beside them key, after, version, form, dealer and note. Raises Refused."""
    data = read_object(body)
    facts = {field: value for field, value in data.items() if field not in ENVELOPE}
    form = data.get("form") or (Game.Form.SHORT if "winners" in facts else Game.Form.PLAYED)
    typed = Typed(form=form, facts=facts, dealer=data.get("dealer"), note=data.get("note", ""))
    return read_envelope(typed, data)


def read_object(body: bytes) -> dict[str, Any]:
    """Return what a client sent as JSON, by field: all such bodies are parsed here. Raises Refused, FieldTwice."""
    try:
        data = json.loads(body, object_pairs_hook=_fields)
    except (ValueError, RecursionError):
        data = None
    if not isinstance(data, dict):
        raise Refused({"line": Sentence(gettext_noop("Bitte genau ein JSON-Objekt schicken."))})
    if len(data) > MOST_FIELDS:
        raise Refused(
            {"line": Sentence(gettext_noop("So viele Felder hat keine Zeile. Bitte nur ihre eigenen schicken."))}
        )
    return data


def _fields(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object of JSON in which every field stands once. Raises FieldTwice."""
    fields: dict[str, Any] = {}
    for field, value in pairs:
        if field in fields:
            raise FieldTwice(field)
        fields[field] = value
    return fields


def read_version(body: bytes) -> tuple[int, bool]:
    """A move or a deletion sent as JSON: the version it saw, and whether it is to be done. Raises Refused."""
    entry = read_json(body)
    if entry.typed.facts:
        unknown = gettext_noop("Das Feld „%(field)s“ gibt es nicht. Bitte weglassen.")
        raise Refused({field: Sentence(unknown, {"field": field}) for field in entry.typed.facts})
    return entry.version, entry.confirmed


def read_envelope(typed: Typed, data: Mapping[str, Any]) -> Envelope:
    """The key, what it follows and the version it saw, all judged together. Raises Refused."""
    faults: dict[str, Sentence] = {}
    if typed.form not in Game.Form.values:
        faults["form"] = Sentence(gettext_noop("Diese Art von Zeile gibt es nicht."))
    if typed.dealer is not None and (type(typed.dealer) is not int or typed.dealer not in range(SEATS[-1])):
        faults["dealer"] = Sentence(gettext_noop("Bitte angeben, welcher Sitz gegeben hat."))
    if not isinstance(data.get("note", ""), str):
        faults["note"] = Sentence(gettext_noop("Bitte die Bemerkung als Text angeben."))
    key, after = read_key(data.get("key")), read_key(data.get("after"))
    if key is None and data.get("key"):
        faults["key"] = Sentence(NO_KEY)
    if after is None and data.get("after"):
        faults["after"] = Sentence(gettext_noop("Bitte den Schlüssel des Spiels davor angeben, beim ersten leer."))
    version = parse_whole(data.get("version") or 0)
    if version is None:
        faults["version"] = Sentence(gettext_noop("Bitte die Fassung angeben, die berichtigt wird."))
    # 0 is nobody's: a line-up that is forgotten, of which `people` says who sat there.
    line_up = None if data.get("round") in (None, "") else parse_whole(data["round"])
    if line_up is None and data.get("round") not in (None, ""):
        faults["round"] = Sentence(
            gettext_noop("Bitte die Nummer der Sitzordnung angeben, für die das Spiel getippt ist.")
        )
    people = data.get("people") or []
    if not are_people(people):
        faults["people"] = Sentence(NO_PEOPLE)
    if faults or version is None:
        raise Refused(faults)
    confirmed = data.get("confirm") in (True, "1")
    return Envelope(typed, key, after, line_up, version, confirmed=confirmed, people=people)


def are_people(value: Any) -> bool:
    """Is this a list of ids, no longer than a line-up can be?"""
    return isinstance(value, list) and len(value) < SEATS.stop and all(type(pk) is int and parse_whole(pk) for pk in value)


def _number(text: Any) -> Any:
    """A plain number as an int; anything else as it came, for the rules to refuse."""
    number = parse_whole(text)
    return text if number is None else number


def read_key(text: Any) -> UUID | None:
    try:
        return UUID(text) if isinstance(text, str) else None
    except ValueError:
        return None


# What the tournament rules give: the offender's points, everybody else's at the table, the usual reason, and whether a
# deal is used up by it.
PENALTIES: Final = {
    "3": (-3, 1, gettext_lazy("Regelverstoß"), False),
    "12": (-12, 4, gettext_lazy("Spiel ungültig"), True),
}


class PointsForm(LineForm):
    """Points for each person and a reason. They need not sum to 0."""

    reason = forms.CharField(required=False, max_length=MAX_REASON_LENGTH, label=gettext_lazy("Grund"))
    dealt = forms.BooleanField(required=False, label=gettext_lazy("Das Spiel war schon gegeben und zählt als gegeben"))

    def __init__(self, *args: Any, people: Iterable[tuple[int, Any]], **kwargs: Any) -> None:
        """`people` are the seats of the table with their names."""
        super().__init__(*args, **kwargs)
        self.seats = []
        for seat, player in people:
            self.seats.append(seat)
            self.fields[f"points_{seat}"] = forms.CharField(required=False, max_length=7, label=str(player))

    @property
    def rows(self) -> list[Any]:
        """The field of every person, in seating order."""
        return [self[f"points_{seat}"] for seat in self.seats]

    def facts(self, data: Mapping[str, Any]) -> dict[str, Any]:
        return {"points": [_signed(data[f"points_{seat}"]) for seat in self.seats], "reason": data["reason"].strip()}

    def dealer_typed(self, data: Mapping[str, Any]) -> Any:
        """A line by hand has no dealer, unless the deal it speaks of counts. What stands keeps the one it has."""
        return super().dealer_typed(data) if data["dealt"] else None


class RedealForm(LineForm):
    """A new deal: whose fault it was and why, where somebody wants to know."""

    reason = forms.CharField(required=False, max_length=MAX_REASON_LENGTH, label=gettext_lazy("Grund"))

    def __init__(self, *args: Any, people: Iterable[tuple[int, Any]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        seats = [(str(seat), str(player)) for seat, player in people]
        self.fields["seat"] = forms.ChoiceField(choices=seats, required=False, widget=forms.RadioSelect)

    def facts(self, data: Mapping[str, Any]) -> dict[str, Any]:
        said = {"seat": int(data["seat"])} if data["seat"] else {}
        return {**said, "reason": data["reason"].strip()} if data["reason"] else said


def penalty_entry(size: str | None, offender: int | None, people: int) -> dict[str, Any]:
    """The points of one of PENALTIES for this seat; nothing where the address names none."""
    if size not in PENALTIES or offender is None or offender >= people:
        return {}
    lost, won, reason, dealt = PENALTIES[size]
    points = {f"points_{seat}": lost if seat == offender else won for seat in range(people)}
    return {**points, "reason": str(reason), "dealt": dealt}


def line_as_typed(game: Game) -> dict[str, Any]:
    """What the form for correcting such a line begins with."""
    facts: Mapping[str, Any] = game.facts
    points: Sequence[int] = facts.get("points", ())
    return {
        "form": game.form,
        "version": game.version,
        "round": game.round_id,
        "dealer": "" if game.dealer is None else game.dealer,
        "note": game.note,
        "dealt": game.dealer is not None,
        "reason": facts.get("reason", ""),
        "seat": "" if facts.get("seat") is None else str(facts["seat"]),
        **{f"points_{seat}": value for seat, value in enumerate(points)},
    }


def _signed(text: str) -> Any:
    """A whole number with its sign, 0 where nothing was typed; anything else as it came, for the rules to refuse."""
    parts = re.fullmatch(r"\s*([+-]?)([0-9]+)\s*", text.replace("−", "-"))
    number = parse_whole(parts[2]) if parts else None
    if number is None:
        return text.strip() or 0
    return -number if parts and parts[1] == "-" else number
