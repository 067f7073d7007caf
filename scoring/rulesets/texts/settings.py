"""Each setting of a rule set as a sentence, in the language of the reader."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from scoring.rules import labels
from scoring.rules.constants import KIND_PREFIX, RAMSCH, SPECIAL_PREFIX
from scoring.rules.game_settings import PLAIN_BOCK
from scoring.rules.settings_schema import BOCK, BOCK_DEFAULTS, DEFAULTS, IN_ROWS, SETTINGS, is_worth_points

NORMAL_GAME: Final = gettext_noop("Normalspiel")


class Terms:
    """The words of a rule set: its unit, its names of kinds, special points and triggers, and which special points start a Bock."""

    def __init__(self, settings: Mapping[str, Any]) -> None:
        rows, specials, bock = settings.get("per_kind", {}), settings["specials"], settings["bock"]
        self.unit: str = settings["unit"]
        self.kinds = {word: row["name"] for word, row in rows.items() if "name" in row}
        self.specials = {key: row["name"] for key, row in specials.items() if isinstance(row, Mapping) and "name" in row}
        self.starts = {trigger.removeprefix(SPECIAL_PREFIX) for trigger in (bock["triggers"] if bock else ())}

    def format_amount(self, number: int) -> str:
        return format_amount(number, self.unit)

    def get_word(self, word: str) -> str:
        return get_word_name(word, self.kinds)

    def join_words(self, words: Iterable[str]) -> str:
        return join_words(map(self.get_word, words))

    def get_special(self, special: str) -> str:
        return get_special_name(special, self.specials)

    def get_trigger(self, trigger: str) -> str:
        if trigger.startswith(KIND_PREFIX):
            return _("jedes Spiel „%(kind)s“") % {"kind": self.get_word(trigger.removeprefix(KIND_PREFIX))}
        if trigger.startswith(SPECIAL_PREFIX):
            return _("Sonderpunkt „%(special)s“ eingetragen") % {"special": self.get_special(trigger.removeprefix(SPECIAL_PREFIX))}
        return _(labels.TRIGGERS[trigger])


def format_amount(number: int, unit: str) -> str:
    if unit == "cents":
        return _("%(number)s Cent") % {"number": number}
    return ngettext("%(number)s Punkt", "%(number)s Punkte", number) % {"number": number}


def join_words(words: Iterable[str]) -> str:
    return ", ".join(words) or _("nichts")


def format_when(value: str) -> str:
    return _(labels.WHEN[value])


def get_limit_name(limit: int) -> str:
    return get_announcement_name(f"no{limit}" if limit else "schwarz")


def get_announcement_name(step: str) -> str:
    return _(labels.SAID[step])


def get_word_name(word: str, own: Mapping[str, str]) -> str:
    if word in own:
        return own[word]
    return _(NORMAL_GAME) if word == "normal" else _(labels.SORTS.get(word) or labels.kind_name(word, own))


def get_special_name(special: str, own: Mapping[str, str]) -> str:
    return own.get(special) or _(labels.special_name(special, own))


def _limits(value: list[int], terms: Terms) -> str:
    return _("Diese Stufen zählen: %(limits)s.") % {"limits": join_words(map(get_limit_name, value))}


def _limit(value: Any, terms: Terms) -> str:
    if isinstance(value, int):
        return _("Jede dieser Stufen zählt %(amount)s.") % {"amount": terms.format_amount(value)}
    if "times" in value:
        return _("Jede dieser Stufen multipliziert den Wert mit %(times)s.") % {"times": value["times"]}
    return _("Von den Stufen zählen: %(steps)s.") % {
        "steps": join_words(f"{get_limit_name(int(limit))} {terms.format_amount(n)}" for limit, n in value.items())
    }


def _absage(value: Any, terms: Terms) -> str:
    if isinstance(value, int):
        return _("Jede abgesagte Stufe zählt %(amount)s.") % {"amount": terms.format_amount(value)}
    if "times" in value:
        return _("Jede abgesagte Stufe multipliziert den Wert mit %(times)s.") % {"times": value["times"]}
    return _("Von den abgesagten Stufen zählen: %(steps)s.") % {
        "steps": join_words(f"{get_announcement_name(step)} {terms.format_amount(n)}" for step, n in value.items())
    }


_TWO: Final = {
    "re": gettext_noop("Re %(one)s, Kontra %(other)s."),
    "won": gettext_noop("Re oder Kontra vom Gewinner %(one)s, vom Verlierer %(other)s."),
    "first": gettext_noop("Die erste Ansage von Re und Kontra %(one)s, die Antwort darauf %(other)s."),
}


def _re_kontra(value: Mapping[str, Any], terms: Terms) -> str:
    if "add" in value:
        return _("Re und Kontra zählen je %(amount)s mehr.") % {"amount": terms.format_amount(value["add"])}
    if "times" in value:
        return _("Re zählt den Wert mal %(times)s, Kontra auch.") % value
    by = next(key for key in value if key in _TWO)
    other = next(key for key in value if key != by)
    return _(_TWO[by]) % {"one": _ansage(value[by], terms), "other": _ansage(value[other], terms)}


def _ansage(value: Mapping[str, int], terms: Terms) -> str:
    if "add" in value:
        return _("zählt %(amount)s mehr") % {"amount": terms.format_amount(value["add"])}
    return _("multipliziert den Wert mit %(times)s") % value


def _lost_announcement(value: Mapping[str, Any], terms: Terms) -> str:
    if value["when"] == "ansage":
        return _("Nach angesagtem Re oder Kontra kostet eine Niederlage das %(times)s-Fache.") % value
    if value["when"] == "re":
        return _("Nach angesagtem Re kostet eine Niederlage das %(times)s-Fache; nach Kontra nicht.") % value
    return _("Nach einer Absage kostet eine Niederlage das %(times)s-Fache.") % value


def _cowardice(value: Mapping[str, Any], terms: Terms) -> str:
    if value["then"] == "loses":
        return _("Feigheit: Eine Partei, die %(levels)s Stufen mehr erreicht als angesagt, hat verloren.") % value
    if value["then"] == "nobody":
        return _("Feigheit: Eine Partei, die %(levels)s Stufen mehr erreicht als angesagt, gewinnt nicht; niemand gewinnt.") % value
    return _("Feigheit: Eine Partei, die %(levels)s Stufen mehr erreicht als angesagt, verliert %(amount)s.") % {
        "levels": value["levels"],
        "amount": terms.format_amount(value["then"]),
    }


SPECIAL_OF_LABELS: Final = {
    "party": gettext_noop("wer ihn macht"),
    "re": gettext_noop("nur Re"),
    "kontra": gettext_noop("nur Kontra"),
    "game": gettext_noop("der Gewinner, gleich wer ihn macht"),
}
_FOR_WHOM: Final = {
    "re": gettext_noop("nur für Re"),
    "kontra": gettext_noop("nur für Kontra"),
    "game": gettext_noop("für den Gewinner, gleich wer ihn macht"),
}
_SPECIAL_TIMES: Final = {
    1: gettext_noop("zählt einfach"),
    2: gettext_noop("verdoppelt"),
    3: gettext_noop("verdreifacht"),
    4: gettext_noop("vervierfacht"),
}


def _specials(value: Mapping[str, Any], terms: Terms) -> str:
    each = (_special(special, row, terms) for special, row in value.items())
    return _("Sonderpunkte: %(specials)s.") % {"specials": join_words(each)}


def _special(special: str, row: Any, terms: Terms) -> str:
    row = row if isinstance(row, Mapping) else {"points": row}
    name, idle = terms.get_special(special), not is_worth_points(row)
    if not idle:
        text = _("%(special)s %(amount)s") % {"special": name, "amount": _points(row["points"], terms)}
    elif special in terms.starts:
        text = _("%(special)s löst Bock aus") % {"special": name}
    else:
        text = _("%(special)s wird nur notiert") % {"special": name}
    more = []
    if "most" in row:
        more.append(_("höchstens %(most)s") % row)
    if "most_party" in row:
        more.append(_("je Partei höchstens %(most_party)s") % row)
    if "kinds" in row:
        more.append(_("nur: %(kinds)s") % {"kinds": terms.join_words(row["kinds"])})
    if row.get("of", "party") != "party":
        more.append(_("gleich wer ihn macht") if idle and row["of"] == "game" else _(_FOR_WHOM[row["of"]]))
    return f"{text} ({'; '.join(more)})" if more else text


def _points(value: Any, terms: Terms) -> str:
    if isinstance(value, Mapping):
        return _(_SPECIAL_TIMES[value["times"]])
    if isinstance(value, int):
        return terms.format_amount(value)
    return _("%(first)s, weitere %(more)s") % {
        "first": terms.format_amount(value[0]),
        "more": "/".join(map(str, value[1:] or value)),
    }


def _kinds(value: list[str], terms: Terms) -> str:
    names = (terms.get_word(kind) for kind in labels.sort_kinds(value))
    return _("Es gibt diese Spiele: %(kinds)s.") % {"kinds": join_words(names)}


def _gegen_in(value: list[str], terms: Terms) -> str:
    return _("Gegen die Alten gibt es in: %(kinds)s.") % {"kinds": join_words(_(labels.GEGEN_IN[kind]) for kind in value)}


def _solo_point(value: Any, terms: Terms) -> str:
    return _("Ein gewonnenes Solo bringt %(amount)s, %(when)s, in: %(kinds)s.") % {
        "amount": terms.format_amount(value["points"]),
        "when": format_when(value["when"]),
        "kinds": terms.join_words(value["kinds"]),
    }


def _deal_stays(value: list[str], terms: Terms) -> str:
    return _("Derselbe gibt noch einmal nach: %(lines)s.") % {"lines": join_words(_(labels.DEAL_STAYS[line]) for line in value)}


_AT_A_TABLE: Final = {"6": gettext_noop("zu sechst"), "7": gettext_noop("zu siebt"), "8": gettext_noop("zu acht")}


def _seating(value: Mapping[str, list[int]], terms: Terms) -> str:
    each = []
    for table, offsets in sorted(value.items()):
        if len(offsets) == int(table):
            each.append(_("%(size)s spielen alle") % {"size": _(_AT_A_TABLE[table])})
        else:
            places = join_words(_("Geber") if offset == 0 else str(offset) for offset in offsets)
            each.append(
                _("%(size)s spielen, vom Geber aus gezählt, die Sitze %(places)s")
                % {"size": _(_AT_A_TABLE[table]), "places": places}
            )
    return (
        _("Zu fünft setzt der Geber aus; %(rest)s.") % {"rest": "; ".join(each)}
        if each
        else _("Zu fünft setzt der Geber aus; wer an größeren Tischen aussetzt, steht bei jedem Spiel.")
    )


def _duty_solo(value: Mapping[str, int], terms: Terms) -> str:
    return ngettext(
        "Jeder spielt im ersten Umlauf ein Pflichtsolo; danach wird vorgeführt.",
        "Jeder spielt in den ersten %(rounds)s Umläufen ein Pflichtsolo; danach wird vorgeführt.",
        value["rounds"],
    ) % {"rounds": value["rounds"]}


# The sentences of structured values.
_OTHERS: Final[Mapping[str, Callable[[Any, Terms], str]]] = {
    "kinds": _kinds,
    "limits": _limits,
    "limit": _limit,
    "re_kontra": _re_kontra,
    "absage": _absage,
    "gegen_in": _gegen_in,
    "specials": _specials,
    "solo_point": _solo_point,
    "lost_announcement": _lost_announcement,
    "deal_stays": _deal_stays,
    "seating": _seating,
    "duty_solo": _duty_solo,
    "cowardice": _cowardice,
    "bock": lambda value, terms: _("Bock gibt es."),
    "text": lambda value, terms: value,
}


def render_setting(key: str, settings: Mapping[str, Any]) -> str:
    """Return one setting as a sentence, with amounts in the unit of the rule set; of the Bock only whether there is one."""
    return render_value(key, settings[key] if key in settings else DEFAULTS[key], Terms(settings))


def render_value(key: str, value: Any, terms: Terms) -> str:
    setting = SETTINGS.get(key) or IN_ROWS[key]
    if setting.nothing and not value:
        return _(setting.nothing)
    if key in _OTHERS:
        return _OTHERS[key](value, terms)
    if setting.amount:
        return _(setting.amount) % {"amount": terms.format_amount(value)}
    if setting.factors:
        return _(setting.factors[value != 1]) % {"times": value}
    if setting.split and isinstance(value, Mapping):
        return _("Im Spiel zu zweien: %(partner)s Im Solo: %(solo)s") % {
            "partner": render_value(key, value["partner"], terms),
            "solo": render_value(key, value["solo"], terms),
        }
    when = format_when(value) if value in labels.WHEN else ""
    return _(setting.choices[value]) % {"times": value, "when": when}


def render_lines(key: str, settings: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return the sentences of one setting, each with its key: several of the Bock and of the rows by kind of game."""
    if key == "bock":
        return render_bock(settings)
    return render_rows(settings) if key == "per_kind" else [(key, render_setting(key, settings))]


def render_rows(settings: Mapping[str, Any]) -> list[tuple[str, str]]:
    terms = Terms(settings)
    return [(f"per_kind.{word}", render_row(word, row, terms)) for word, row in settings.get("per_kind", {}).items() if row]


def render_row(word: str, row: Mapping[str, Any], terms: Terms) -> str:
    """Return what holds in games of this kind alone, after the name of the kind and what it is like."""
    title = terms.get_word(word)
    if "like" in row and (like := get_word_name(row["like"], {})) != title:
        title = _("%(kind)s, gespielt wie %(like)s") % {"kind": title, "like": like}
    elif "name" in row and "like" not in row:
        title = f"{title} ({get_word_name(word, {})})"
    sentences = [_render_row_value(key, value, terms, row) for key, value in row.items() if key not in ("name", "like")]
    return f"{title}: {' '.join(sentences)}" if sentences else f"{title}."


def _render_row_value(key: str, value: Any, terms: Terms, row: Mapping[str, Any]) -> str:
    if key == "won" and row.get("like") == RAMSCH:
        # A Ramsch usually has a loser, not a winner.
        return _("Verloren zählt %(amount)s.") % {"amount": terms.format_amount(value)}
    return render_value(key, value, terms)


Bock = Mapping[str, Any]


def render_bock_value(key: str, bock: Bock, terms: Terms) -> str:
    bock, setting = {**BOCK_DEFAULTS, **bock}, BOCK[key]
    if setting.nothing and not bock[key]:
        return _(setting.nothing)
    return _BOCK_OTHERS[key](bock, terms) if key in _BOCK_OTHERS else _(setting.choices[bock[key]])


def render_bock_setting(key: str, settings: Mapping[str, Any], terms: Terms) -> str:
    """Return one key of the Bock as a sentence; of a plain Bock if the settings have none."""
    bock = {**BOCK_DEFAULTS, **(settings["bock"] or PLAIN_BOCK)}
    if key == "effect" and bock["effect"] == "all" and settings["specials_when"] == "after" and settings["specials"]:
        return _("Ein Bockspiel zählt %(times)s, nur die Sonderpunkte nicht.") % {"times": _(_BOCK_TIMES[bock["factor"]])}
    return render_bock_value(key, bock, terms)


def render_bock(settings: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return the sentences of the Bock. An optional key is left out while it has its default."""
    bock, terms = settings["bock"], Terms(settings)
    if bock is None:
        return [("bock", render_setting("bock", settings))]
    keys = [key for key in BOCK if bock.get(key, BOCK_DEFAULTS.get(key)) != BOCK_DEFAULTS.get(key)]
    return [(f"bock.{key}", render_bock_setting(key, settings, terms)) for key in keys]


def _triggers(bock: Bock, terms: Terms) -> str:
    return _("Einen Bock löst aus: %(triggers)s.") % {
        "triggers": join_words(terms.get_trigger(trigger) for trigger in bock["triggers"])
    }


def _length(bock: Bock, terms: Terms) -> str:
    value = bock["length"]
    if value == "table":
        return _("Ein Bock dauert so viele Spiele, wie Personen am Tisch sind.")
    if value == "deal":
        return _("Ein Bock dauert so viele Geber, wie Personen am Tisch sind.")
    return ngettext("Ein Bock dauert %(games)s Spiel.", "Ein Bock dauert %(games)s Spiele.", int(value)) % {"games": value}


# The worth of a game at the first level of Bock.
_BOCK_TIMES: Final = {
    2: gettext_noop("doppelt"),
    3: gettext_noop("dreifach"),
    4: gettext_noop("vierfach"),
    "linear": gettext_noop("doppelt"),
}


def _effect(bock: Bock, terms: Terms) -> str:
    value, times = bock["effect"], _(_BOCK_TIMES[bock["factor"]])
    if value == "all":
        return _("Ein Bockspiel zählt %(times)s, mit allem, was dazukommt.") % {"times": times}
    if value == "game":
        return _("Ein Bockspiel zählt %(times)s, aber ohne Sonderpunkte und andere Verdopplungen.") % {"times": times}
    return _("Ein Bockspiel zählt je Stufe %(amount)s mehr.") % {"amount": terms.format_amount(value["add"])}


def _cap(bock: Bock, terms: Terms) -> str:
    if bock["cap"] == 1:
        return _("Mehr als %(times)s zählt kein Bockspiel.") % {"times": _(_BOCK_TIMES[bock["factor"]])}
    return _("Höchstens %(levels)s Böcke wirken auf dasselbe Spiel.") % {"levels": bock["cap"]}


# The sentences of structured values; they can depend on other keys.
_BOCK_OTHERS: Final[Mapping[str, Callable[[Bock, Terms], str]]] = {
    "triggers": _triggers,
    "length": _length,
    "cap": _cap,
    "effect": _effect,
}
