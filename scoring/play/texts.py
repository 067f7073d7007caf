"""Describe lines of the sheet, their steps, their Bock and the effects of a change in words."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from scoring.core.errors import ActionRefused
from scoring.core.formats import format_day, format_points, format_signed, mark_as_name, translate_sentence, yes_or_no
from scoring.play.models import Game
from scoring.play.queries import NextGame, Row, Sheet, Sources, build_sheet
from scoring.play.replay import Effect, OutcomeValues
from scoring.rules import labels
from scoring.rules.constants import RAMSCH, SPECIAL_FIELDS, SPECIAL_PREFIX
from scoring.rules.goals import Reason, other_party
from scoring.rules.parsing import GameFacts, ShortFacts
from scoring.rules.reasons import explain
from scoring.rules.settings import RuleSettings
from scoring.rules.sheet import LineResult
from scoring.rules.steps import get_bock_factor
from scoring.rules.validation import Refused, Sentence
from scoring.rulesets.texts.settings import get_special_name


def get_bock_sign(rules: RuleSettings, level: int) -> str:
    """Return the effect of this Bock level: ×4, or +2 if it adds points."""
    return f"+{level * rules.bock_add}" if rules.effect == "add" else f"×{get_bock_factor(rules, level)}"


def describe_sources(sources: Sources) -> str:
    """Name the games that started a Bock by number; those of an earlier evening with its day."""
    return ", ".join(_describe_source(day, numbers) for day, numbers in sources.items())


def describe_open_sources(following: NextGame) -> str:
    """Name the games that started the Bock games to come; if they follow one another, each with the number of its games."""
    runs = following.bock_runs
    if len(runs) > 1 and sum(left for _source, left in runs) == len(following.levels):
        return ", ".join(f"{left} {describe_sources(source)}" for source, left in runs)
    return describe_sources(following.bock_from)


def _describe_source(day: datetime.date | None, numbers: Sequence[int]) -> str:
    values = {"games": ", ".join(map(str, numbers))}
    if day is None:
        return ngettext("aus Spiel %(games)s", "aus den Spielen %(games)s", len(numbers)) % values
    values["day"] = format_day(day)
    text = ngettext("aus dem Abend vom %(day)s, Spiel %(games)s", "aus dem Abend vom %(day)s, Spiele %(games)s", len(numbers))
    return text % values


def describe_carried(sheet: Sheet) -> str:
    """Say which open Bock games of an earlier evening went on on this sheet; empty if there were none."""
    table = sheet.records.row.carries_on
    if table is None or not sheet.carried:
        return ""
    levels = ngettext("noch %(n)s Bockspiel", "noch %(n)s Bockspiele", len(sheet.carried)) % {"n": len(sheet.carried)}
    values = {"day": format_day(table.evening.held_on), "left": levels, "source": describe_sources(sheet.carried_from)}
    return _("Übrige Böcke vom %(day)s gingen hier weiter: %(left)s, %(source)s.") % values


# Who won how much in a game with parties; `each` for a solo whose opponents all get the same.
WON: Final = {
    "re_won": gettext_noop("Re gewinnt {n}"),
    "kontra_won": gettext_noop("Kontra gewinnt {n}"),
    "re_won_alone": gettext_noop("Solo gewinnt {n}"),
    "kontra_won_alone": gettext_noop("Gegner gewinnen {n}"),
    "re_won_each": gettext_noop("Solo gewinnt {n}, Gegner je {each}"),
    "kontra_won_each": gettext_noop("Gegner gewinnen je {each}, Solo {n}"),
    "nobody_won": gettext_noop("Niemand gewinnt"),
}
# The side that has the points of a step.
_FOR: Final = {**labels.SIDES, "ramsch": {"re": gettext_noop("einen"), "kontra": gettext_noop("andere")}}
_SIGNED: Final = ("points", "others")


def describe_line(values: Mapping[str, Any], seat: Callable[[int], str], rules: RuleSettings | None) -> dict[str, str]:
    """Return the typed values of a line by label. Without rules, own kinds and special points have their keys."""
    facts = values["facts"]
    texts: dict[str, str] = {}
    if values["form"] != Game.Form.PLAYED:
        texts[_("Zeile")] = str(Game.Form(values["form"]).label)
    if values["dealer"] is not None:
        texts[_get_label("dealer")] = seat(values["dealer"])
    if rules and rules.like.get(facts.get("kind")) == RAMSCH:
        texts[_get_label("kind")] = _describe_fact("kind", facts["kind"], seat, rules)
        texts[_get_ramsch_label(facts["winner"])] = _describe_fact("re", facts["re"], seat, rules)
        facts = {key: value for key, value in facts.items() if key not in ("re", "winner")}
    alone = len(facts.get("re", ())) == 1
    texts |= {_get_label(key, alone): _describe_fact(key, facts[key], seat, rules, alone) for key in labels.FACTS if key in facts}
    if values["note"]:
        texts[_get_label("note")] = values["note"]
    return texts


def describe_line_briefly(values: Mapping[str, Any], seat: Callable[[int], str], rules: RuleSettings | None) -> str:
    """Return the main facts of a line: the kind of game and its people, with the eyes if they were typed."""
    facts = values["facts"]
    people = ", ".join(_describe_fact(key, facts[key], seat, rules) for key in ("re", "winners", "seat", "points") if key in facts)
    kind = facts.get("kind")
    if kind:
        people = f"{_get_side_name('re', False) if kind == 'normal' else _describe_fact('kind', kind, seat, rules)} {people}"
    eyes = _describe_fact("band", facts["band"], seat, rules) if facts.get("band") is not None else ""
    if facts.get("eyes") is not None:
        eyes = _("%(eyes)s Augen") % {"eyes": facts["eyes"]}
    return " · ".join(filter(None, [people.strip(), eyes]))


def _get_label(key: str, alone: bool = False) -> str:
    return _(labels.FACTS_ALONE[key] if alone and key in labels.FACTS_ALONE else labels.FACTS[key])


def _get_side_name(party: str, alone: bool) -> str:
    return _((labels.ALONE if alone else labels.PARTIES)[party])


def _get_ramsch_label(winner: str) -> str:
    """Return the label of the one who lost a Ramsch, or took everything."""
    return _("Alles gemacht hat") if winner == "re" else _("Verloren hat")


def _describe_fact(key: str, value: Any, seat: Callable[[int], str], rules: RuleSettings | None, alone: bool = False) -> str:
    match key:
        case "kind":
            return _(labels.kind_name(value, rules.kind_names if rules else {}))
        case "re" | "out" | "winners":
            return ", ".join(seat(place) for place in value)
        case "seat":
            return seat(value)
        case "re_said" | "kontra_said":
            return _(labels.SAID[value])
        case "band":
            return _(labels.BANDS[value])
        case "no_trick" | "last_said" | "winner":
            return _("niemand") if value == "none" else _get_side_name(value, alone)
        case "re_specials" | "kontra_specials" | "game_specials":
            return describe_specials(value, rules)
        case "points":
            return ", ".join(seat(place) + f" {got:+d}".replace("-", "−") for place, got in enumerate(value) if got)
    if isinstance(value, bool):
        return yes_or_no(value)
    return str(value)


def describe_specials(counts: Mapping[str, int], rules: RuleSettings | None) -> str:
    """Name special points with their counts in the order of the rules; without rules by their keys."""
    own = rules.special_names if rules else {}
    return ", ".join(
        get_special_name(special, own) + (f" ×{counts[special]}" if counts[special] > 1 else "")
        for special in dict.fromkeys([*labels.SPECIALS, *own, *counts])
        if counts.get(special)
    )


def describe_winner(row: Row) -> str:
    """Return who won how much; empty without parties."""
    facts, winner = row.result.facts, row.result.outcome.winner
    if not isinstance(facts, GameFacts) or facts.like == RAMSCH:
        return ""
    if not winner:
        return _(WON["nobody_won"])
    if not facts.solo:
        return _(WON[f"{winner}_won"]).format(n=format_points(row.value))
    got = row.result.outcome.points
    own, others = got[facts.re[0]], {one for seat, one in enumerate(got) if one and seat not in facts.re}
    if len(others) != 1:
        return _(WON[f"{winner}_won_alone"]).format(n=format_points(row.value))
    won, lost = (format_points, format_signed) if winner == "re" else (format_signed, format_points)
    return _(WON[f"{winner}_won_each"]).format(n=won(own), each=lost(others.pop()))


class StepLine(NamedTuple):
    """A step in words; `value` is the winners' value after it."""

    label: str
    party: str
    amount: str
    value: str

    def __str__(self) -> str:
        return f"{self.label}: {self.amount}" if self.amount else self.label


class Explanation(NamedTuple):
    steps: list[StepLine]
    reasons: list[str]
    shares: list[str]
    # The first reason is that a party has more than half of the eyes.
    is_half: bool = False

    @property
    def telling(self) -> list[str]:
        """The reasons that are not obvious from the eyes."""
        return self.reasons[self.is_half :]


def build_explanation(result: LineResult, rules: RuleSettings) -> Explanation:
    """Build the explanation of a line; it is empty if the line is no game. `rules` are those at its table."""
    facts, outcome = result.facts, result.outcome
    if not isinstance(facts, (GameFacts, ShortFacts)):
        return Explanation([], [], [])
    explained = explain(facts, rules, outcome, result.level, result.exempt)
    sides, favoured = labels.SIDES[explained.sides], _FOR[explained.sides]
    sign = -1 if isinstance(facts, GameFacts) and outcome.winner == "kontra" else 1
    value, steps = 0, []
    for step, name in zip(outcome.steps, explained.names, strict=True):
        value = value * step.times + step.plus
        amount = format_signed(step.plus * sign)
        if step.pay:
            amount = _(labels.REASONS[f"step_{explained.payer}"]).format(n=step.pay)
        elif step.times != 1:
            amount = f"×{step.times}" if step.times else ""
        label = _get_step_name(name, rules).replace("{party}", _(sides.get(step.code.partition("_")[0], "")))
        steps.append(StepLine(label, _(favoured[step.party]) if step.party else "", amount, format_points(value * sign)))
    return Explanation(
        steps,
        [_describe_reason(reason, sides) for reason in explained.reasons],
        [_describe_reason(reason, sides) for reason in explained.shares],
        explained.reasons[0]["code"] == "half",
    )


def _get_step_name(name: str, rules: RuleSettings) -> str:
    """Return the name of a step with {party} not filled in."""
    if name in labels.STEPS and name not in labels.SPECIALS:
        return _(labels.STEPS[name])
    return get_special_name(name.removeprefix(SPECIAL_PREFIX), rules.special_names)


def _describe_reason(reason: Reason, sides: Mapping[str, str]) -> str:
    values = {key: format_signed(value) if key in _SIGNED else value for key, value in reason.items()}
    code, party = reason["code"], reason.get("party", "re")
    if "announced" in reason:
        values["announced"] = _(labels.SAID[reason["announced"]])
    if sides is labels.ALONE and party == "kontra" and f"{code}_them" in labels.REASONS:
        code = f"{code}_them"
    return _(labels.REASONS[code]).format(**values | {"party": _(sides[party]), "other": _(sides[other_party(party)])})


def list_facts(sheet: Sheet, row: Row) -> list[tuple[str, str]]:
    """Return label and text of the typed values that the tiles and the bar above do not show."""
    facts = row.result.facts
    line_up = sheet.records.line_up(row.game)
    lines: list[tuple[str, str]] = []

    def names(seats: Sequence[int]) -> str:
        return mark_as_name(", ".join(str(line_up[seat]) for seat in seats))

    if isinstance(facts, GameFacts):
        duty = " " + _("(Pflichtsolo)") if facts.duty else ""
        lines.append((_get_label("kind"), _(labels.kind_name(facts.kind, row.rules.kind_names)) + duty))
        alone = facts.solo
        if facts.like == RAMSCH:
            lines.append((_get_ramsch_label(facts.winner or ""), names(facts.re)))
        elif facts.winner:
            lines.append((_get_label("winner"), _get_side_name(facts.winner, alone)))
        for party, said in (("re", facts.re_said), ("kontra", facts.kontra_said)):
            if said != "none":
                # Re and Kontra keep their names in a solo.
                name = labels.PARTIES[party] if said == "said" else labels.SAID[said]
                lines.append((_get_label(f"{party}_said", alone), _(name)))
        for field in SPECIAL_FIELDS:
            if counts := getattr(facts, field):
                lines.append((_get_label(field, alone), describe_specials(counts, row.rules)))
    elif isinstance(facts, ShortFacts):
        lines.append((_get_label("winners"), names(facts.winners)))
        lines.append((_get_label("base"), str(facts.base)))
    else:
        if facts.seat is not None:
            lines.append((_get_label("seat"), names([facts.seat])))
        if facts.reason:
            lines.append((_get_label("reason"), facts.reason))
    if isinstance(facts, (GameFacts, ShortFacts)) and facts.starts_bock:
        lines.append((_get_label("starts_bock"), str(facts.starts_bock)))
    if row.result.bock_started:
        lines.append((_("Bringt"), describe_bocks(row.result.bock_started)))
    if row.game.note:
        lines.append((_get_label("note"), row.game.note))
    return lines


def describe_bocks(games: int) -> str:
    return ngettext("%(n)s Bockspiel", "%(n)s Bockspiele", games) % {"n": games}


def describe_effects(sheet: Sheet, effects: Sequence[Effect]) -> list[str]:
    """Return a sentence per changed line and sum, then the same for later evenings that carry on the open Bock games."""
    by_table: dict[int, list[Effect]] = {}
    for effect in effects:
        by_table.setdefault(effect.records.table.pk, []).append(effect)
    lines = _describe_table_effects(sheet, by_table.pop(sheet.table.pk, []), sheet.totals)
    for own in by_table.values():
        later = build_sheet(own[0].records)
        before = {player: total - _get_difference(own, player) for player, total in later.totals.items()}
        evening = later.table.evening
        name = _("Abend vom %(day)s") if evening.is_open else _("Abend vom %(day)s (abgeschlossen)")
        name %= {"day": format_day(evening.held_on)}
        lines += [format_html("<span>{}: {}</span>", name, line) for line in _describe_table_effects(later, own, before)]
    return lines


def _describe_table_effects(sheet: Sheet, effects: Sequence[Effect], totals: Mapping[int, int]) -> list[str]:
    lines: list[str] = []
    for effect in effects:
        name = get_line_name(sheet, effect.game)
        after = _("gestrichen") if effect.after is None else _describe_worth(effect.after, effect)
        if effect.before is None:
            lines.append(_("%(name)s, neu: Wert %(worth)s") % {"name": name, "worth": after})
            continue
        before = _describe_worth(effect.before, effect)
        lines.append(
            format_html(_("{}: <span>bisher {},</span> <span>jetzt <b>{}</b></span>"), name, before, after)
            if before != after
            else _("%(name)s: andere Punkte") % {"name": name}
        )
    return [*lines, *_describe_sums(sheet, effects, totals)]


def describe_refusal(refused: Refused | ActionRefused) -> str:
    if isinstance(refused, Refused):
        return " ".join(translate_sentence(found) for found in refused.fields.values())
    return str(refused)


def describe_refused(sheet: Sheet, refused: Sequence[tuple[Game, Sequence[Sentence]]]) -> list[str]:
    return [
        f"{get_line_name(sheet, game)}: {' '.join(translate_sentence(found) for found in sentences)}" for game, sentences in refused
    ]


def get_line_name(sheet: Sheet, game: Game) -> str:
    """Return the name of a line: "Spiel 3", or its form."""
    row = sheet.find_row(game.key)
    return _("Spiel %(n)s") % {"n": row.number} if row and row.number else game.get_form_display()


def _describe_worth(outcome: OutcomeValues, effect: Effect) -> str:
    """Return the winners' value of a line, with winner, Bock and started Bock games if they change."""
    text = format_points(-outcome.value if outcome.winner == "kontra" and effect.game.form == Game.Form.PLAYED else outcome.value)
    sides = [side for side in (effect.before, effect.after) if side]
    if len({side.winner for side in sides}) > 1:
        alone = len(effect.game.facts.get("re", ())) == 1
        winner = _get_side_name(outcome.winner, alone) if outcome.winner else _("niemand")
        text += f" ({winner})"
    if outcome.bock and len({side.bock for side in sides}) > 1:
        text += f" (Bock {get_bock_sign(effect.records.get_rules(effect.game), outcome.bock)})"
    started = {side.bock_started if side else 0 for side in (effect.before, effect.after)}
    if len(started) > 1 and outcome.bock_started:
        text += ", " + (_("bringt %(bocks)s") % {"bocks": describe_bocks(outcome.bock_started)})
    return text


def _get_difference(effects: Sequence[Effect], player: int) -> int:
    return sum(effect.points_after.get(player, 0) - effect.points_before.get(player, 0) for effect in effects)


def _describe_sums(sheet: Sheet, effects: Sequence[Effect], totals: Mapping[int, int]) -> list[str]:
    lines: list[str] = []
    for player in sheet.players:
        if more := _get_difference(effects, player.pk):
            before, after = format_points(totals[player.pk]), format_points(totals[player.pk] + more)
            html = '{}<span class="visually-hidden">: {}</span> <span class="num">{} → <b>{}</b></span>'
            lines.append(format_html(html, mark_as_name(player), _("Summe"), before, after))
    return lines
