"""The collection of house rules as its page shows it, and the words by which the settings form is searched."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from scoring.core.formats import format_signed
from scoring.core.text import ASCII_SPELLINGS, text_key
from scoring.rules import labels
from scoring.rules.constants import ALL_EYES, RAMSCH
from scoring.rules.settings import resolve
from scoring.rules.settings_schema import BY_FIELD

from .recipes import COMMON, RECIPES, TOPICS
from .settings import Terms

Data = Mapping[str, Any]

# Each rule: `number`, `common`, `topic`, and `ways` to set it: `rules`, settings over a preset, and `games`, an evening in order.
COLLECTION: Final[list[dict[str, Any]]] = json.loads((Path(__file__).parents[1] / "recipes.json").read_text(encoding="utf-8"))

# The sides of a Ramsch, which has no parties.
_IN_RAMSCH: Final = {"re": gettext_noop("den einen"), "kontra": gettext_noop("jeden anderen")}


def search_recipes(search: str) -> list[tuple[str, list[Data]]]:
    """Return the rules that contain all words of `search`, by title of their topic. ä is found as a and as ae."""
    words = text_key(search).split()
    found = [rule for rule in COLLECTION if all(word in _get_searched_text(rule) for word in words)]
    by_topic = [(_(title), [build_recipe(rule) for rule in found if rule["topic"] == topic]) for topic, title in TOPICS.items()]
    return [(title, rules) for title, rules in by_topic if rules]


def build_recipe(rule: Data) -> Data:
    """Return a rule for the page: its number and title, how common it is, and the `ways` to set it (how, the preset of the example,
    and its games as sentences). Without any, `why_not` says why."""
    title, _also, *hows = map(_, RECIPES[rule["number"]])
    ways = [
        {
            "how": how,
            "base": _(labels.PRESETS[way["rules"]["base"]]),
            "games": [render_example(game, way["rules"]) for game in way["games"]],
        }
        for how, way in zip(hows, rule["ways"], strict=False)
    ]
    return {
        "number": rule["number"],
        "title": title,
        "common": _(COMMON[rule["common"]]),
        "ways": ways,
        "why_not": "" if ways else hows[0],
    }


def _get_searched_text(rule: Data) -> str:
    text = "\n".join(map(_, (TOPICS[rule["topic"]], *RECIPES[rule["number"]])))
    return f"{text_key(text)}\n{text_key(text.translate(ASCII_SPELLINGS))}"


def render_example(game: Data, rules: Data) -> str:
    """Return a game with its result in a sentence: "Re sagt Re und gewinnt mit 155 Augen: 4 Punkte für Re." """
    terms, is_ramsch = Terms(resolve(rules)), rules.get("per_kind", {}).get(game.get("kind"), {}).get("like") == RAMSCH
    course = [_("neu gegeben")] if "redeal" in game else _render_winner(game, terms, is_ramsch)
    result = _render_result(game["expect"], terms, is_ramsch)
    text = f"{', '.join(course)}: {'; '.join(result)}."
    return text[0].upper() + text[1:]


def _render_winner(game: Data, terms: Terms, is_ramsch: bool) -> list[str]:
    entry, winner, eyes = list(_render_entry(game, terms)), game["expect"]["winner"], game.get("eyes")
    if is_ramsch:
        return [*entry, _("einer macht alles") if winner == "re" else _("einer verliert")]
    if winner is None and eyes is not None:
        return [*entry, _("niemand gewinnt mit %(re)s zu %(kontra)s Augen") % {"re": eyes, "kontra": ALL_EYES - eyes}]
    won = _("gewinnt")
    if eyes is not None:
        won = _("gewinnt mit %(eyes)s Augen") % {"eyes": eyes if winner == "re" else ALL_EYES - eyes}
    if entry and entry[-1] == _render_announcement(winner, game):
        return [*entry[:-1], _("%(said)s und %(won)s") % {"said": entry[-1], "won": won}]
    return [*entry, f"{_(labels.PARTIES[winner])} {won}"]


def _render_entry(game: Data, terms: Terms) -> Iterator[str]:
    """Yield the parts of the entry besides the result, without default values."""
    if "table" in game:
        yield _("%(people)s am Tisch, Sitz %(seat)s gibt") % {"people": game["table"], "seat": game["dealer"] + 1}
    if game["kind"] != "normal":
        kind = terms.get_word(game["kind"])
        yield _("%(kind)s als Pflichtsolo") % {"kind": kind} if game.get("duty") else kind
    yield from filter(None, (_render_announcement(party, game) for party in labels.PARTIES))
    if "last_said" in game:
        yield _("zuletzt %(party)s") % {"party": _(labels.PARTIES[game["last_said"]])}
    for party, name in labels.PARTIES.items():
        if specials := game.get(f"{party}_specials"):
            yield f"{_(name)}: {_render_specials(specials, terms)}"
    if "game_specials" in game:
        yield _render_specials(game["game_specials"], terms)
    if "starts_bock" in game:
        yield f"{_(labels.FACTS['starts_bock'])}: {game['starts_bock']}"


def _render_specials(counts: Mapping[str, int], terms: Terms) -> str:
    names = {key: terms.get_special(key) for key in counts}
    return " + ".join(f"{count} × {names[key]}" if count > 1 else names[key] for key, count in counts.items())


def _render_announcement(party: str, game: Data) -> str:
    said, name = game.get(f"{party}_said"), labels.PARTIES[party]
    if said is None:
        return ""
    words = name if said == "said" else labels.SAID[said]
    return _("%(party)s sagt %(said)s") % {"party": _(name), "said": _(words)}


def _render_result(expect: Data, terms: Terms, is_ramsch: bool) -> Iterator[str]:
    value, level, started = expect["value"], expect.get("bock"), expect.get("bock_started")
    worth = terms.format_amount(abs(value))
    parties = _IN_RAMSCH if is_ramsch else labels.PARTIES
    party = _(parties["re" if value > 0 else "kontra"])
    yield _("%(amount)s für %(party)s") % {"amount": worth, "party": party} if value else worth
    if "points" in expect:
        yield _("auf dem Zettel %(points)s") % {"points": ", ".join(map(format_signed, expect["points"]))}
    if level is not None:
        yield _("auf Bockstufe %(level)s") % {"level": level} if level else _("kein Bockspiel")
    if started is not None:
        yield (
            ngettext("danach %(games)s Bockspiel", "danach %(games)s Bockspiele", started) % {"games": started}
            if started
            else _("danach kein neuer Bock")
        )


def get_search_words(key: str) -> str:
    """Return other words for a setting, a key of its Bock (`bock__<key>`), or all rows by kind of game (`per_kind`)."""
    rules = (RECIPES[rule["number"]][:2] for rule in COLLECTION if key in list_settings_of(rule))
    return "; ".join(_(text) for text in (BY_FIELD[key].search, *(text for texts in rules for text in texts)) if text)


def list_settings_of(rule: Mapping[str, Any]) -> set[str]:
    return {key for way in rule["ways"] for key in _keys(way["rules"])}


def _keys(rules: Mapping[str, Any]) -> Iterator[str]:
    """Yield the settings of one way to set a rule, without those that only start its example."""
    for key in rules:
        if key == "bock" and "per_kind" not in rules:
            bock = [key for key in rules["bock"] if key != "triggers" or rules["bock"]["triggers"] != ["manual"]]
            yield from (f"bock__{key}" for key in bock if key != "length" or len(bock) == 1)
            if not bock:
                yield "bock__triggers"
        elif key not in ("base", "bock") and (key != "kinds" or "per_kind" not in rules):
            yield key


def contains_words(wanted: str, *texts: str) -> bool:
    text = text_key(" ".join(texts))
    return all(word in text for word in text_key(wanted).split())
