"""A rule set in sentences: all its settings, the house rules to print, differences, notes for the editor, log entries."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.club.models import Change, Verb
from scoring.club.texts import ChangeFormat, ChangeFormats, LabeledValues, Names, Values
from scoring.rules.constants import ANNOUNCED_TRIGGERS, KIND_PREFIX
from scoring.rules.settings import (
    PRESETS,
    RuleSettings,
    get_preset_data,
    get_settings_at,
    get_solo_worth,
    list_idle_specials,
    list_idle_triggers,
    list_idle_words,
    list_unannounced_triggers,
    list_unreached_points,
    list_used_words,
)
from scoring.rules.settings_schema import BY_FIELD, DEFAULTS, SECTIONS, SETTINGS, is_worth_points
from scoring.rules.sheet import Line, fold
from scoring.rules.validation import Refused

from .recipes import DOCUMENTS
from .settings import (
    Terms,
    format_amount,
    get_limit_name,
    join_words,
    render_lines,
)


def list_differences(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the differences of two complete rule sets in the order of their sections, one section together."""
    old, new = _index(before), _index(after)
    # A removed sentence stands before the one that replaces it.
    keys = dict.fromkeys([*old, *new])
    titles = list(dict.fromkeys(title for title, _key in (*new, *old)))
    return [
        {"title": key[0], "before": old.get(key), "after": new.get(key)}
        for key in sorted(keys, key=lambda key: titles.index(key[0]))
        if old.get(key) != new.get(key)
    ]


def _index(settings: Mapping[str, Any]) -> dict[tuple[str, str], str]:
    return {(title, key): sentence for title, sentences in list_sections(settings) for key, sentence in sentences}


# The title of a section, and its sentences, each with the key of its setting.
Section = tuple[str, list[tuple[str, str]]]


def list_sections(settings: Mapping[str, Any]) -> list[Section]:
    """Return a sentence for every setting, by section, without optional ones at their default. Other sizes come last."""
    shown = {key for key in settings if key not in DEFAULTS or settings[key] != DEFAULTS[key]}
    found = [
        (_(title), [line for key in keys if key in shown for line in render_lines(key, settings)])
        for title, keys in SECTIONS.items()
    ]
    for table, other in sorted(settings.get("at", {}).items()):
        merged = get_settings_at(settings, table)
        keys = [key for key in SETTINGS if key in other]
        # Whether Bock is carried to the next evening is the same at all sizes.
        lines = [line for key in keys for line in render_lines(key, merged) if line[0] != "bock.carry"]
        if "bock" in other:
            lines.append(("bock.open", str(_OTHER_SIZE)))
        found.append((_("Mit %(people)s am Tisch gilt stattdessen") % {"people": table}, lines))
    return found


def list_house_rules(settings: Mapping[str, Any]) -> list[Section]:
    """Return the sections to be read at the table: without settings that cannot matter at any size or in any kind of game."""
    settings = _remove_impossible_everywhere(settings)
    sizes = [settings, *(get_settings_at(settings, size) for size in settings.get("at", {}))]
    games = [*sizes, *({**size, **row} for size in sizes for row in size.get("per_kind", {}).values())]

    def matters(key: str) -> bool:
        setting = BY_FIELD.get(key.replace(".", "__"))
        return setting is None or setting.matters is None or any(map(setting.matters, games))

    def add_example(key: str, sentence: str) -> tuple[str, str]:
        return key, f"{sentence} {_against_example(settings)}".strip() if key == "against_absage" else sentence

    sections = list_sections(settings)
    found = [(title, [add_example(*line) for line in lines if matters(line[0])]) for title, lines in sections]
    return [(title, lines) for title, lines in found if lines]


_MISSED: Final = {"kind": "normal", "re": [0, 1], "eyes": 115, "re_said": "no60"}


def _against_example(settings: Mapping[str, Any]) -> str:
    """Return an example of a game with and without the points against an Absage; "" if they make no difference."""
    both = (settings, {**settings, "against_absage": "off"})
    try:
        worths = [-fold([Line("played", range(4), 3, _MISSED)], RuleSettings.from_data(one))[0].outcome.value for one in both]
    except Refused:
        return ""
    if worths[0] == worths[1]:
        return ""
    unit = settings["unit"]
    return _(
        "Beispiel: Re sagt keine 60 und holt 115 Augen, Kontra also 125: %(with)s für Kontra, ohne diese Regel %(without)s."
    ) % {"with": format_amount(worths[0], unit), "without": format_amount(worths[1], unit)}


def _remove_impossible_everywhere(settings: Mapping[str, Any]) -> Mapping[str, Any]:
    at = {}
    for size, other in settings.get("at", {}).items():
        pared = _remove_impossible(get_settings_at(settings, size))
        at[size] = {key: pared[key] for key in other if key in pared}
    return {**_remove_impossible(settings), "at": at}


def _remove_impossible(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings of one size of table without the kinds and special points that no game there can have."""
    rules = RuleSettings.from_data({key: value for key, value in settings.items() if key != "at"})
    words, idle = list_used_words(rules), list_idle_specials(rules)
    pared = dict(settings)
    starts = Terms(settings).starts
    pared["specials"] = {
        key: row
        for key, row in settings["specials"].items()
        if key not in idle and (is_worth_points(row) or key in starts)
    }
    pared["gegen_in"] = [kind for kind in settings["gegen_in"] if words & _GEGEN_WORDS[kind]]
    pared["deal_stays"] = [line for line in settings["deal_stays"] if _DEALT_AFTER.get(line, "") in {"", *words}]
    if settings["solo_point"]:
        kinds = [kind for kind in settings["solo_point"]["kinds"] if kind in words]
        pared["solo_point"] = {**settings["solo_point"], "kinds": kinds} if kinds else 0
    if "per_kind" in settings:
        pared["per_kind"] = {word: row for word, row in settings["per_kind"].items() if word in words}
    announced = any(rules.entry_rules[duty][kind].announcements for kind in rules.kinds for duty in (False, True))
    if not announced:
        pared["kontra_121"] = _without_announcements(settings["kontra_121"])
    if settings["bock"]:
        holding = [one for one in settings["bock"]["triggers"] if _can_start(one, settings, words, announced)]
        pared["bock"] = {**settings["bock"], "triggers": holding}
    return pared


# The words of games that each value of `gegen_in` and of `deal_stays` is about.
_GEGEN_WORDS: Final = {"partner": {"normal", "hochzeit"}, "armut": {"armut"}, "solo": {"solo"}}
_DEALT_AFTER: Final = {"duty_solo": "duty", "lustsolo": "announced"}


def _without_announcements(value: Any) -> Any:
    """Return the value of `kontra_121` where nothing can be announced."""
    if isinstance(value, Mapping):
        return {sort: _without_announcements(one) for sort, one in value.items()}
    return "always" if value in ("always", "unless_re") else "never"


def _can_start(trigger: str, settings: Mapping[str, Any], words: set[str], announced: bool) -> bool:
    if trigger in ANNOUNCED_TRIGGERS:
        return announced
    if trigger in ("lost_solo", "won_solo"):
        return "solo" in words
    if trigger == "herzstich":
        return trigger in settings["specials"]
    return not trigger.startswith(KIND_PREFIX) or trigger.removeprefix(KIND_PREFIX) in words


_OTHER_SIZE = gettext_lazy(
    "Wechselt am Abend die Zahl am Tisch, bleiben übrige Bockspiele übrig: Jedes Spiel zählt und verbraucht sie nach dem "
    "Bock seiner Tischgröße; wo es keinen Bock gibt, zählt es einfach und verbraucht keines."
)


def render_rule_set(values: Values, names: Names) -> LabeledValues:
    return {_("Regelwerk"): _name(names, values["rule_set"])} if values.get("rule_set") else {}


def _name(names: Names, pk: int) -> str:
    rule_set = names["rule_set"].get(pk)
    return str(rule_set) if rule_set else ""


def _render_notes(change: Change, values: Values, names: Names) -> LabeledValues:
    """Return the notes of a log entry: the source of a copy, the former version or name, or the rules of a table."""
    if _is_edited_in_place(change):
        return _render_edit(change, values)
    if "name" in values:
        return {_("Name"): values["name"]}
    if change.verb == Verb.RULES_ADDED and values.get("rule_set"):
        return {_("Vorlage"): _name(names, values["rule_set"])}
    return render_rule_set(values, names)


def _is_edited_in_place(change: Change) -> bool:
    return change.verb == Verb.RULES_CHANGED and "settings" in (change.before or {})


def _render_verb(change: Change) -> str:
    return _("Regelwerk geändert, ehe danach gespielt wurde") if _is_edited_in_place(change) else change.done


def _render_edit(change: Change, values: Values) -> LabeledValues:
    before, after = ((change.before or {})["settings"], (change.after or {})["settings"])
    for settings in (before, after):
        RuleSettings.from_data(settings)
    notes: LabeledValues = {}
    for difference in list_differences(before, after):
        title, sentence = difference["title"], difference["before" if values is change.before else "after"]
        if sentence:
            notes[title] = f"{notes.get(title, '')} {sentence}".strip()
    return notes


CHANGES: Final[ChangeFormats] = dict.fromkeys(
    (Verb.RULES_ADDED, Verb.RULES_CHANGED, Verb.RULES_RENAMED, Verb.RULES_MOVED),
    ChangeFormat(_render_notes, lambda change, names: _name(names, int(change.subject_id)), _render_verb, subject="rule_set"),
)


def get_document(settings: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the document of the preset that is nearest to these settings, with the readings that they share."""

    def list_differing(preset: str) -> set[str]:
        data = get_preset_data(preset)
        return {key for key in {*settings, *data} if settings.get(key) != data.get(key)}

    preset = min(PRESETS, key=lambda name: len(list_differing(name)))
    if preset not in DOCUMENTS:
        return None
    (name, readings), differing = DOCUMENTS[preset], list_differing(preset)
    shared = [(keys.split(), _(text)) for keys, text in readings.items() if differing.isdisjoint(keys.split())]
    return {"name": _(name), "readings": shared} if shared else None


# Sentences by setting, and by name of a special point.
Notes = tuple[dict[str, list[str]], dict[str, list[str]]]


def list_notes(settings: Mapping[str, Any]) -> Notes:
    """Return notes on settings that work together, for the size of table of these settings; none if they are invalid."""
    try:
        rules = RuleSettings.from_data({key: value for key, value in settings.items() if key != "at"})
    except Refused:
        return {}, {}
    terms = Terms(settings)
    soloist, opponent, multiplied_twice = get_solo_worth(rules)
    solo = [
        _("Ein gewonnenes Solo, das 1 wert ist, bringt dem Solisten %(soloist)s und kostet jeden Gegner %(opponent)s.")
        % {"soloist": soloist, "opponent": opponent}
    ]
    if multiplied_twice:
        solo.append(_("Achtung: „Solo zählt“ und „Der Solist bekommt“ vervielfachen beide."))
    example = [_render_cowardice_note(coward["levels"])] if (coward := rules.settings_for().cowardice) else []
    herzstich = [
        _("Der Herzstich lässt sich noch nicht eintragen. Bei den Sonderpunkten steht er mit 0 Punkten bereit.")
        for _trigger in list_idle_triggers(rules)
    ]
    kinds = [
        _("Nach „%(kind)s“ gibt es nie Bock: Dieses Spiel gibt es hier nicht.")
        % {"kind": terms.get_word(word)}
        for word in list_idle_words(rules)
    ]
    silent = [terms.get_trigger(trigger) for trigger in list_unannounced_triggers(rules)]
    unannounced = [_("Ohne Ansagen löst das nie Bock aus: %(triggers)s.") % {"triggers": join_words(silent)}] if silent else []
    idle = {
        name: _("„%(name)s“ zählt nie: In keinem Spiel, das es hier gibt, wird er gerechnet.") % {"name": name}
        for name in (terms.get_special(key) for key in list_idle_specials(rules))
    }
    specials = {name: [note] for name, note in idle.items()}
    for key in list_unreached_points(rules):
        name, most = terms.get_special(key), rules.specials[key].most
        fewer = _("„%(name)s“ gibt es höchstens %(most)s-mal im Spiel: Die Zahlen dahinter zählen nie.")
        specials.setdefault(name, []).append(fewer % {"name": name, "most": most})
    return (
        {
            "solo_times": solo,
            "soloist_share": solo,
            "cowardice": example,
            "bock__triggers": [*herzstich, *kinds, *unannounced],
            "specials": herzstich,
            "specials_in_solo": list(idle.values()),
            "kinds": [*idle.values(), *kinds],
            "duty_solo": [*idle.values(), *kinds],
        },
        specials,
    )


# The least eyes with which Re reaches a number of levels.
_EYES: Final = {1: 121, 2: 151, 3: 181, 4: 211, 5: 240}


def _render_cowardice_note(levels: int) -> str:
    return _(
        "Der Gewinn zählt als Stufe: Sagt Re nichts an, ist es mit %(eyes)s Augen feige (gewonnen und %(limits)s: "
        "%(levels)s Stufen), mit %(fewer)s Augen nicht. Mit Re ist der Gewinn angesagt."
    ) % {
        "eyes": _EYES[levels],
        "limits": ", ".join(get_limit_name(limit) for limit in (90, 60, 30, 0)[: levels - 1]),
        "levels": levels,
        "fewer": _EYES[levels] - 1,
    }
