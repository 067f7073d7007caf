"""A rule set in sentences: all its settings, the house rules to print, differences, notes for the editor, log entries."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop

from scoring.club.models.history import Change, Verb
from scoring.club.words.changes import Names, Telling, Tellings, Told, Values
from scoring.rules.constants import ANNOUNCED_TRIGGERS, DEFAULTS, KIND_PREFIX, PARTNER_KINDS, RAMSCH
from scoring.rules.settings import (
    PRESETS,
    RuleSettings,
    get_preset_data,
    get_solo_worth,
    list_idle_specials,
    list_idle_triggers,
    list_idle_words,
    list_unannounced_triggers,
    list_unreached_points,
    list_used_words,
)
from scoring.rules.sheet import Line, fold
from scoring.rules.validation import Refused

from .settings import (
    about,
    amount,
    bock_sentences,
    counts,
    limit_name,
    listed,
    row_sentences,
    sentence,
    special_name,
    trigger_name,
    word_name,
)


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
    settings = _pared_everywhere(settings)
    sizes = [settings, *({**settings, **other} for other in settings.get("at", {}).values())]
    games = [*sizes, *({**size, **row} for size in sizes for row in size.get("per_kind", {}).values())]

    def matters(key: str) -> bool:
        return key not in _MATTERS or any(_MATTERS[key](game) for game in games)

    found = [Section(one.title, [line for line in one.sentences if matters(line[0])]) for one in explain(settings)]
    for section in found:
        section.sentences[:] = [
            (key, f"{said} {_against_example(settings)}".strip()) if key == "against_absage" else (key, said)
            for key, said in section.sentences
        ]
    return [section for section in found if section.sentences]


_MISSED: Final = {"kind": "normal", "re": [0, 1], "eyes": 115, "re_said": "no60"}


def _against_example(settings: Mapping[str, Any]) -> str:
    """What a game is worth with the points against an Absage and without them; "" where they add nothing to it."""
    both = (settings, {**settings, "against_absage": "off"})
    try:
        worths = [-fold([Line("played", 4, 3, _MISSED)], RuleSettings.from_data(one))[0].outcome.value for one in both]
    except Refused:
        return ""
    if worths[0] == worths[1]:
        return ""
    unit = settings["unit"]
    return _(
        "Beispiel: Re sagt keine 60 und holt 115 Augen, Kontra also 125: %(with)s für Kontra, ohne diese Regel %(without)s."
    ) % {"with": amount(worths[0], unit), "without": amount(worths[1], unit)}


def _pared_everywhere(settings: Mapping[str, Any]) -> Mapping[str, Any]:
    at = {}
    for size, other in settings.get("at", {}).items():
        pared = _pared({**settings, **other})
        at[size] = {key: pared[key] for key in other if key in pared}
    return {**_pared(settings), "at": at}


def _pared(settings: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of one size of table without the words in them that hold for no game there."""
    rules = RuleSettings.from_data({key: value for key, value in settings.items() if key != "at"})
    words, idle = list_used_words(rules), list_idle_specials(rules)
    pared = dict(settings)
    starts = about(settings).starts
    pared["specials"] = {
        key: row for key, row in settings["specials"].items() if key not in idle and (counts(row) or key in starts)
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


# What a game has to be for each word of `gegen_in`; after which game each word of `deal_stays` speaks of the deal.
_GEGEN_WORDS: Final = {"partner": {"normal", "hochzeit"}, "armut": {"armut"}, "solo": {"solo"}}
_DEALT_AFTER: Final = {"duty_solo": "duty", "lustsolo": "announced"}


def _without_announcements(value: Any) -> Any:
    """What `kontra_121` comes to where nothing is announced."""
    if isinstance(value, Mapping):
        return {sort: _without_announcements(one) for sort, one in value.items()}
    return "always" if value in ("always", "unless_re") else "never"


def _can_start(trigger: str, settings: Mapping[str, Any], words: set[str], announced: bool) -> bool:
    """Return whether a trigger of the Bock can hold."""
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
    return _have_worth(settings) and settings["specials_when"] != "paid"


def _have_worth(settings: Mapping[str, Any]) -> bool:
    """Return whether any special point is more than a reason for a Bock."""
    return any(map(counts, settings["specials"].values()))


def _has_solos(settings: Mapping[str, Any]) -> bool:
    likes = {word: row.get("like", word) for word, row in settings.get("per_kind", {}).items()}
    return any(likes.get(kind, kind) not in (*PARTNER_KINDS, RAMSCH) for kind in settings["kinds"])


def _has_single(settings: Mapping[str, Any]) -> bool:
    """Return whether one plays against all others in some game: a solo or a Ramsch."""
    return _has_solos(settings) or any(row.get("like") == RAMSCH for row in settings.get("per_kind", {}).values())


def _has_absagen(settings: Mapping[str, Any]) -> bool:
    return settings["re_kontra"] is not None


def _schwarz_counts(settings: Mapping[str, Any]) -> bool:
    triggers = settings["bock"]["triggers"] if settings["bock"] else ()
    return 0 in settings["limits"] or _has_absagen(settings) or "schwarz" in triggers or bool(settings.get("cowardice"))


def _nobody_can_win(settings: Mapping[str, Any]) -> bool:
    coward = settings.get("cowardice")
    both_missed = _has_absagen(settings) and settings.get("missed_absage", "loses") == "loses"
    tie = settings["tie_120"] == "nobody" and _may_need_121(settings)
    return both_missed or tie or bool(coward and coward["then"] == "nobody")


def _doubles(settings: Mapping[str, Any]) -> bool:
    """Return whether anything multiplies a game, so that it matters what stands before it and what after it."""
    factors = (settings["solo_times"] if _has_solos(settings) else 1, settings.get("lost_times", 1), settings.get("times", 1))
    said = (settings[key] for key in ("re_kontra", "absage", "limit", "lost_announcement", "specials"))
    return _multiplies(settings) or any(factor > 1 for factor in factors) or any(map(_holds_times, said))


def _holds_times(value: Any) -> bool:
    return isinstance(value, Mapping) and (value.get("times", 1) != 1 or any(map(_holds_times, value.values())))


# When a setting has a meaning at all, for those that have none as others are.
_MATTERS: dict[str, Callable[[Mapping[str, Any]], bool]] = {
    "tie_120": _may_need_121,
    "schwarz_by": _schwarz_counts,
    "nobody_wins": _nobody_can_win,
    **dict.fromkeys(("limit", "re_limit_more"), lambda settings: bool(settings["limits"])),
    "limit_counts": lambda settings: bool(settings["limits"]) and _has_absagen(settings),
    "gegen_die_alten": lambda settings: bool(settings["gegen_in"]),
    "gegen_when": lambda settings: bool(settings["gegen_in"] and settings["gegen_die_alten"]) and _doubles(settings),
    **dict.fromkeys(("absage", "missed_absage", "against_absage", "lost_announcement"), _has_absagen),
    "against": lambda settings: _has_absagen(settings) and settings["against_absage"] != "off",
    "specials_when": lambda settings: (
        _have_worth(settings) and (settings["specials_when"] == "paid" or _doubles(settings))
    ),
    "specials_in_solo": lambda settings: bool(settings["specials"]) and _has_solos(settings),
    **dict.fromkeys(("solo_times", "solo_point", "duty_solo"), _has_solos),
    "soloist_share": _has_single,
    "special_payer": lambda settings: _have_worth(settings) and settings["specials_when"] == "paid",
    "negative": _can_weigh_more,
    **dict.fromkeys(("bock.length", "bock.overlap", "bock.effect", "bock.carry"), _starts_bock),
    "bock.per_game": lambda settings: (
        _starts_bock(settings) and (len(settings["bock"]["triggers"]) > 1 or "manual" in settings["bock"]["triggers"])
    ),
    "bock.cap": lambda settings: _starts_bock(settings) and settings["bock"]["overlap"] in ("stack", "fill"),
    "bock.factor": _multiplies,
    "bock.drawn": lambda settings: _multiplies(settings) and _nobody_can_win(settings),
    "bock.duty_solo_uses": lambda settings: _starts_bock(settings) and settings["duty_solo"] is not None,
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


class Document(NamedTuple):
    """The name of a document, and its readings: the settings that say what was chosen, and the sentences about it."""

    name: str
    readings: Sequence[tuple[Sequence[str], str]]


def readings(settings: Mapping[str, Any]) -> Document | None:
    """The document behind the preset that these settings are nearest to, with the readings that they share with it; None where
    there is none."""
    preset = min(PRESETS, key=lambda name: _distance(settings, get_preset_data(name)))
    if preset not in _DOCUMENTS:
        return None
    document, chosen = _DOCUMENTS[preset], get_preset_data(preset)
    shared = [
        (keys, _(text)) for keys, text in document.readings if all(settings.get(key) == chosen.get(key) for key in keys)
    ]
    return Document(_(document.name), shared) if shared else None


def _distance(one: Mapping[str, Any], other: Mapping[str, Any]) -> int:
    return sum(one.get(key) != other.get(key) for key in {*one, *other})


_ONLY_DEALT_ANEW: Final = gettext_noop(
    "Wer nach dem Neugeben gibt: Dort steht nur, dass neu gegeben wird. Gewählt ist, was üblich ist: Derselbe gibt noch einmal."
)
_MATHEMATIKER: Final = Document(
    gettext_noop("Mathematiker-Doppelkopfregeln"),
    [
        (
            ["deal_stays"],
            gettext_noop(
                "Wer nach dem Neugeben gibt: Nach fünf Königen und nach einer Trumpfabgabe, die niemand nimmt, gibt derselbe "
                "noch einmal. Über anderes Neugeben steht dort nichts; auch dann gibt derselbe."
            ),
        )
    ],
)
_DOCUMENTS: Final[Mapping[str, Document]] = {
    "ddv": _MATHEMATIKER,
    "ohne_neunen": _MATHEMATIKER,
    "anleitung": Document(
        gettext_noop("Anleitung"),
        [
            (["deal_stays"], _ONLY_DEALT_ANEW),
            (
                ["kontra_121", "tie_120"],
                gettext_noop(
                    "120 zu 120, wenn Kontra angesagt ist: Wörtlich genommen gewinnt niemand. Gewählt ist: Re gewinnt, auch "
                    "wenn beide angesagt haben."
                ),
            ),
            (
                ["solo_times", "bock"],
                gettext_noop(
                    "Ein gewonnenes Solo im Bock: Im Beispiel stehen 32 Punkte. Nach den Schritten, die davor stehen, sind es "
                    "12 × 2 = 24; so wird gerechnet."
                ),
            ),
            (
                ["solo_times", "lost_announcement"],
                gettext_noop(
                    "Das verlorene Solo: Im Beispiel hat es 154 Augen und wäre damit gewonnen. Gerechnet wird es als "
                    "verloren: 32 Punkte, im Bock 64."
                ),
            ),
            (
                ["specials_in_solo"],
                gettext_noop(
                    "Sonderpunkte im Farbsolo: Zwei Sätze widersprechen sich. Gewählt ist der genauere: Doppelkopf, Karlchen "
                    "und gefangenes Karlchen zählen."
                ),
            ),
            (
                ["soloist_share"],
                gettext_noop(
                    "Der Anteil des Solisten: Von einem dreifachen steht dort nichts. Er bekommt oder zahlt den Wert einmal; "
                    "ein Solo ergibt deshalb zusammen nicht 0."
                ),
            ),
            (
                ["nobody_wins"],
                gettext_noop(
                    "Verfehlen beide ihre Absage: Dazu steht dort nichts. Gewählt ist: Das Spiel zählt 0, auch ohne "
                    "Sonderpunkte; Bock gibt es trotzdem."
                ),
            ),
        ],
    ),
    "vln": Document(
        gettext_noop("Doppelkopf-Regeln des VLN"),
        [
            (["deal_stays"], _ONLY_DEALT_ANEW),
            (
                ["re_kontra", "specials_when", "gegen_when", "solo_point"],
                gettext_noop(
                    "Die Reihenfolge: „Bei Re / Kontra werden die Punkte verdoppelt, Sonderpunkte werden addiert oder "
                    "subtrahiert.“ Gelesen ist es so: Erst wird verdoppelt, bei Re und Kontra vierfach; dann kommen "
                    "Sonderpunkte, gegen die Alten und Solopunkt dazu."
                ),
            ),
            (
                ["kontra_121", "tie_120"],
                gettext_noop(
                    "120 zu 120, wenn Kontra zuletzt angesagt hat: Kontra braucht dann 121, und für Re steht dort auch 121. "
                    "Gewählt ist: Re gewinnt."
                ),
            ),
            (
                ["missed_absage"],
                gettext_noop("Eine verfehlte Absage: Dazu steht dort nichts. Gewählt ist: Das Spiel ist verloren."),
            ),
            (
                ["specials"],
                gettext_noop("Ein Fuchs, der im letzten Stich gefangen wird, ist zwei Sonderpunkte wert: Beide stehen dort."),
            ),
            (
                ["specials_in_solo"],
                gettext_noop("Sonderpunkte im Solo: Eine Grenze steht dort nicht. Gewählt ist: Alle zählen."),
            ),
        ],
    ),
    "klassisch": Document(
        gettext_noop("Artikel „Doppelkopf“"),
        [
            (
                ["deal_stays"],
                gettext_noop(
                    "Wer nach dem Neugeben gibt: Dazu steht dort nichts. Gewählt ist, was üblich ist: Derselbe gibt noch einmal."
                ),
            ),
            (
                ["limits", "re_limit_more"],
                gettext_noop(
                    "Schneider der Alten: Dort ist nur die Gegenpartei mit weniger als 60 Augen Schneider. Gewählt ist "
                    "dasselbe für beide."
                ),
            ),
            (
                ["won", "limit", "gegen_die_alten"],
                gettext_noop(
                    "Die Beträge: Dort steht „nach Vereinbarung“. Gewählt sind 5 Cent, mit Schneider 10, mit schwarz 15, und 5 "
                    "mehr gegen die Alten."
                ),
            ),
            (
                ["special_payer"],
                gettext_noop("Wer den Fuchs bezahlt: die Kasse oder die andere Partei. Gewählt ist die Kasse."),
            ),
            (
                ["sitter"],
                gettext_noop(
                    "Zu fünft ist der Geber „am Gewinn oder Verlust beteiligt“. Gewählt ist: Er bekommt, was jeder Gewinner "
                    "bekommt, und zählt im Solo als Gegner."
                ),
            ),
        ],
    ),
}


class Notes(NamedTuple):
    """Sentences by setting, and by the name of a special point."""

    settings: dict[str, list[str]]
    specials: dict[str, list[str]]


def notes_of(said: Mapping[str, Any]) -> Notes:
    """What is to be known about these settings at the size of table that they are for; nothing where they cannot be."""
    try:
        rules = RuleSettings.from_data({key: value for key, value in said.items() if key != "at"})
    except Refused:
        return Notes({}, {})
    known = about(said)
    worth = get_solo_worth(rules)
    solo = [
        _("Ein gewonnenes Solo, das 1 wert ist, bringt dem Solisten %(soloist)s und kostet jeden Gegner %(opponent)s.")
        % worth._asdict()
    ]
    if worth.multiplied_twice:
        solo.append(_("Achtung: „Solo zählt“ und „Der Solist bekommt“ vervielfachen beide."))
    example = [_cowardice_note(coward["levels"])] if (coward := rules.settings_for().cowardice) else []
    herzstich = [
        _("Der Herzstich lässt sich noch nicht eintragen. Bei den Sonderpunkten steht er mit 0 Punkten bereit.")
        for _trigger in list_idle_triggers(rules)
    ]
    kinds = [
        _("Nach „%(kind)s“ gibt es nie Bock: Dieses Spiel gibt es hier nicht.") % {"kind": word_name(word, known.kinds)}
        for word in list_idle_words(rules)
    ]
    silent = [trigger_name(trigger, known) for trigger in list_unannounced_triggers(rules)]
    unannounced = [_("Ohne Ansagen löst das nie Bock aus: %(triggers)s.") % {"triggers": listed(silent)}] if silent else []
    idle = {
        name: _("„%(name)s“ zählt nie: In keinem Spiel, das es hier gibt, wird er gerechnet.") % {"name": name}
        for name in (special_name(key, known.specials) for key in list_idle_specials(rules))
    }
    specials = {name: [note] for name, note in idle.items()}
    for key in list_unreached_points(rules):
        name, most = special_name(key, known.specials), rules.specials[key].most
        fewer = _("„%(name)s“ gibt es höchstens %(most)s-mal im Spiel: Die Zahlen dahinter zählen nie.")
        specials.setdefault(name, []).append(fewer % {"name": name, "most": most})
    return Notes(
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


# The eyes with which Re reaches so many levels.
_EYES: Final = {1: 121, 2: 151, 3: 181, 4: 211, 5: 240}


def _cowardice_note(levels: int) -> str:
    """An example that shows that winning is a level itself."""
    return _(
        "Der Gewinn zählt als Stufe: Sagt Re nichts an, ist es mit %(eyes)s Augen feige (gewonnen und %(limits)s: "
        "%(levels)s Stufen), mit %(fewer)s Augen nicht. Mit Re ist der Gewinn angesagt."
    ) % {
        "eyes": _EYES[levels],
        "limits": ", ".join(limit_name(limit) for limit in (90, 60, 30, 0)[: levels - 1]),
        "levels": levels,
        "fewer": _EYES[levels] - 1,
    }
