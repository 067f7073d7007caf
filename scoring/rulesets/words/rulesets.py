"""What a rule set says, in sentences: one for each setting, in sections; to be read at the table those alone that have a
meaning. Also what differs between two of them, and what was
done to them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.club.models.history import Change, Verb
from scoring.club.words.changes import Names, Telling, Tellings, Told, Values
from scoring.rules.codes import DEFAULTS
from scoring.rules.settings import RuleSettings

from .bock import bock_sentences
from .kinds import row_sentences
from .settings import sentence


@dataclass(frozen=True)
class SettingDifference:
    """What one setting says in either of two rule sets; None where it says nothing there."""

    title: str
    before: str | None
    after: str | None


def differences(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[SettingDifference]:
    """What two complete rule sets say differently, in the order in which it is told, what has the same title together."""
    old, new = _by_place(before), _by_place(after)
    # What is no longer said stands before what is said instead.
    places = dict.fromkeys([*old, *new])
    titles = list(dict.fromkeys(title for title, _key in (*new, *old)))
    return [
        SettingDifference(place[0], old.get(place), new.get(place))
        for place in sorted(places, key=lambda place: titles.index(place[0]))
        if old.get(place) != new.get(place)
    ]


def _by_place(settings: Mapping[str, Any]) -> dict[tuple[str, str], str]:
    return {(section.title, key): said for section in explain(settings) for key, said in section.sentences}


@dataclass(frozen=True)
class Section:
    """Sentences about one side of a rule set, each with the setting it explains."""

    title: str
    sentences: list[tuple[str, str]]


def explain(settings: Mapping[str, Any]) -> list[Section]:
    """A sentence for every setting of a complete rule set. A setting that may be left out is told only where it differs
    from its default. What differs at tables of other sizes comes last."""
    said = {key for key in settings if key not in DEFAULTS or settings[key] != DEFAULTS[key]}
    found = [Section(str(title), [(key, sentence(key, settings)) for key in keys if key in said]) for title, keys in SECTIONS]
    found.append(Section(_("Einzelne Spiele"), row_sentences(settings)))
    found.append(Section(_("Bock"), bock_sentences(settings)))
    if "text" in said:
        found.append(Section(_("Außerdem"), [("text", sentence("text", settings))]))
    for table, other in sorted(settings.get("at", {}).items()):
        merged = {**settings, **other}
        lines = [(key, sentence(key, merged)) for key in other if key not in ("bock", "per_kind")]
        if "per_kind" in other:
            lines += row_sentences(merged)
        if "bock" in other:
            # Whether evenings go on does not depend on the size of the table.
            lines += [line for line in bock_sentences(merged) if line[0] != "bock.carry"]
            lines.append(("bock.open", str(_OTHER_SIZE)))
        found.append(Section(_("Mit %(people)s am Tisch gilt stattdessen") % {"people": table}, lines))
    return found


def house_rules(settings: Mapping[str, Any]) -> list[Section]:
    """The same to be read at the table: without what has no meaning as the other settings are, at any size of table and in any kind
    of game."""
    sizes = [settings, *({**settings, **other} for other in settings.get("at", {}).values())]
    games = [*sizes, *({**size, **row} for size in sizes for row in size.get("per_kind", {}).values())]

    def matters(key: str) -> bool:
        return key not in _MATTERS or any(_MATTERS[key](game) for game in games)

    found = [Section(one.title, [line for line in one.sentences if matters(line[0])]) for one in explain(settings)]
    return [section for section in found if section.sentences]


_OTHER_SIZE = gettext_lazy(
    "Wechselt am Abend die Zahl am Tisch, bleiben offene Bockspiele offen: Jedes Spiel zählt und verbraucht sie nach dem "
    "Bock seiner Tischgröße; wo es keinen Bock gibt, zählt es einfach und verbraucht keines."
)

SECTIONS = (
    (gettext_lazy("Karten und Spiele"), ("deck", "kinds", "decided", "unit")),
    (gettext_lazy("Wer gewinnt"), ("kontra_121", "tie_120", "schwarz_by", "nobody_wins", "cowardice")),
    (
        gettext_lazy("Was ein Spiel zählt"),
        (
            "won",
            "won_at_120",
            "limits",
            "limit",
            "limit_counts",
            "re_limit_more",
            "gegen_die_alten",
            "gegen_in",
            "gegen_when",
            "lost_times",
            "highest",
        ),
    ),
    (
        gettext_lazy("An- und Absagen"),
        ("re_kontra", "absage", "missed_absage", "against_absage", "against", "lost_announcement"),
    ),
    (gettext_lazy("Sonderpunkte"), ("specials", "specials_when", "specials_in_solo", "special_payer")),
    (gettext_lazy("Solo"), ("solo_times", "soloist_share", "solo_point", "duty_solo")),
    (gettext_lazy("Wer was aufschreibt"), ("counting", "negative", "sitter")),
    (gettext_lazy("Am Tisch"), ("deal_stays", "seating")),
)


def _starts_bock(settings: Mapping[str, Any]) -> bool:
    return bool(settings["bock"] and settings["bock"]["triggers"])


def _multiplies(settings: Mapping[str, Any]) -> bool:
    return _starts_bock(settings) and isinstance(settings["bock"]["effect"], str)


def _may_need_121(settings: Mapping[str, Any]) -> bool:
    return settings["kontra_121"] not in ("never", {"partner": "never", "solo": "never"})


def _can_weigh_more(settings: Mapping[str, Any]) -> bool:
    """Special points can outweigh a game where they are part of its value."""
    return bool(settings["specials"]) and settings["specials_when"] != "paid"


# When a setting has a meaning at all, for those that have none as others are.
_MATTERS: dict[str, Callable[[Mapping[str, Any]], bool]] = {
    "tie_120": _may_need_121,
    **dict.fromkeys(("limit", "limit_counts", "re_limit_more"), lambda settings: bool(settings["limits"])),
    "gegen_die_alten": lambda settings: bool(settings["gegen_in"]),
    "gegen_when": lambda settings: bool(settings["gegen_in"] and settings["gegen_die_alten"]),
    **dict.fromkeys(
        ("absage", "missed_absage", "against_absage", "lost_announcement"),
        lambda settings: settings["re_kontra"] is not None,
    ),
    "against": lambda settings: settings["re_kontra"] is not None and settings["against_absage"] != "off",
    **dict.fromkeys(("specials_when", "specials_in_solo"), lambda settings: bool(settings["specials"])),
    "special_payer": lambda settings: bool(settings["specials"]) and settings["specials_when"] == "paid",
    "negative": _can_weigh_more,
    **dict.fromkeys(("bock.per_game", "bock.length", "bock.overlap", "bock.effect", "bock.carry"), _starts_bock),
    "bock.cap": lambda settings: _starts_bock(settings) and settings["bock"]["overlap"] in ("stack", "fill"),
    **dict.fromkeys(("bock.factor", "bock.drawn"), _multiplies),
    "bock.duty_solo_uses": lambda settings: _starts_bock(settings) and settings["duty_solo"] is not None,
    "deal_stays": lambda settings: settings["deal_stays"] != ["duty_solo"] or settings["duty_solo"] is not None,
}


# --- In the history ---------------------------------------------------------------------------------------------------


def under(values: Values, names: Names) -> Told:
    """By which rule set."""
    return {_("Regelwerk"): _name(names, values["rule_set"])} if values.get("rule_set") else {}


def _name(names: Names, pk: int) -> str:
    rule_set = names["rule_set"].get(pk)
    return str(rule_set) if rule_set else ""


def _told(change: Change, values: Values, names: Names) -> Told:
    """The notes of a rule set: what it was copied from, what it was before, its former name, or by which rules a table was
    valued."""
    if _changed_itself(change):
        return _told_itself(change, values)
    if "name" in values:
        return {_("Name"): values["name"]}
    if change.verb == Verb.RULES_ADDED and values.get("rule_set"):
        return {_("Vorlage"): _name(names, values["rule_set"])}
    return under(values, names)


def _changed_itself(change: Change) -> bool:
    """Was this version changed itself, because nobody had played by it?"""
    return change.verb == Verb.RULES_CHANGED and "settings" in (change.before or {})


def _done(change: Change) -> str:
    if _changed_itself(change):
        return _("Regelwerk geändert, ehe danach gespielt wurde")
    return change.done


def _told_itself(change: Change, values: Values) -> Told:
    """The sentences in which the two sides differ, by section."""
    before, after = ((change.before or {})["settings"], (change.after or {})["settings"])
    for settings in (before, after):
        RuleSettings.from_data(settings)
    told: Told = {}
    for difference in differences(before, after):
        said = difference.before if values is change.before else difference.after
        if said:
            told[difference.title] = f"{told.get(difference.title, '')} {said}".strip()
    return told


def _about(change: Change, names: Names) -> str:
    return _name(names, int(change.subject_id))


CHANGES: Final[Tellings] = dict.fromkeys(
    (Verb.RULES_ADDED, Verb.RULES_CHANGED, Verb.RULES_RENAMED, Verb.RULES_MOVED),
    Telling(_told, _about, _done, subject="rule_set"),
)
