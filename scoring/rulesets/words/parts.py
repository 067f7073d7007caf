"""The parts of which sentences about rule sets are made: amounts, lists, and the names of kinds of game, special points and
limits. A club's own kinds go by the names that its rule set gives them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from scoring.rules import labels
from scoring.rules.constants import KIND_PREFIX, SPECIAL_PREFIX

NORMAL_GAME: Final = gettext_noop("Normalspiel")


class About(NamedTuple):
    """What a sentence has to know of its rule set besides the value: the unit, the names of its own kinds and special points
    by key, and the special points that start a Bock."""

    unit: str
    kinds: Mapping[str, str]
    specials: Mapping[str, str]
    starts: frozenset[str]


def about(settings: Mapping[str, Any]) -> About:
    rows, specials = settings.get("per_kind", {}), settings["specials"]
    return About(
        settings["unit"],
        {word: row["name"] for word, row in rows.items() if "name" in row},
        {key: row["name"] for key, row in specials.items() if isinstance(row, Mapping) and "name" in row},
        frozenset(one.removeprefix(SPECIAL_PREFIX) for one in (settings["bock"] or {"triggers": ()})["triggers"]),
    )


# A value of a setting as a sentence.
Say = Callable[[Any, About], str]


def amount(number: int, unit: str) -> str:
    if unit == "cents":
        return _("%(number)s Cent") % {"number": number}
    return ngettext("%(number)s Punkt", "%(number)s Punkte", number) % {"number": number}


def listed(words: Iterable[str]) -> str:
    return ", ".join(words) or _("nichts")


def worth(template: Any) -> Say:
    """A sentence around an amount."""
    return lambda value, about: template % {"amount": amount(value, about.unit)}


def choice(sentences: Mapping[Any, Any]) -> Say:
    """One sentence for each value the setting can have."""
    return lambda value, about: str(sentences[value])


def both(say: Say) -> Say:
    """One value, or one for partner games and one for solos."""

    def said(value: Any, about: About) -> str:
        if isinstance(value, str):
            return say(value, about)
        return _("Im Spiel zu zweien: %(partner)s Im Solo: %(solo)s") % {
            "partner": say(value["partner"], about),
            "solo": say(value["solo"], about),
        }

    return said


def when(value: str) -> str:
    return _(labels.WHEN[value])


def limit_name(limit: int) -> str:
    """A limit is called like the announcement of it."""
    return said_name(f"no{limit}" if limit else "schwarz")


def said_name(step: str) -> str:
    return _(labels.SAID[step])


def word_name(word: str, own: Mapping[str, str]) -> str:
    """A kind or sort of game as it stands alone."""
    if word in own:
        return own[word]
    return _(NORMAL_GAME) if word == "normal" else _(labels.word_name(word, own))


def special_name(special: str, own: Mapping[str, str]) -> str:
    return own.get(special) or _(labels.special_name(special, own))


def trigger_name(trigger: str, about: About) -> str:
    if trigger.startswith(KIND_PREFIX):
        return _("jedes Spiel „%(kind)s“") % {"kind": word_name(trigger.removeprefix(KIND_PREFIX), about.kinds)}
    if trigger.startswith(SPECIAL_PREFIX):
        return _("Sonderpunkt „%(special)s“ eingetragen") % {
            "special": special_name(trigger.removeprefix(SPECIAL_PREFIX), about.specials)
        }
    return _(labels.TRIGGERS[trigger])
