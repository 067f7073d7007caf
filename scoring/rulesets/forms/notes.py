"""What is to be known about settings that work together, said beside them while they are edited."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from django.utils.translation import gettext as _

from scoring.rules.settings import (
    RuleSettings,
    get_solo_worth,
    list_idle_specials,
    list_idle_triggers,
    list_idle_words,
    list_unannounced_triggers,
    list_unreached_points,
)
from scoring.rules.validation import Refused
from scoring.rulesets.words.parts import about, limit_name, listed, special_name, trigger_name, word_name


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
