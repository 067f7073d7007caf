"""Each setting of a rule set as a sentence, in the language of the reader."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop, ngettext

from scoring.rules import labels
from scoring.rules.constants import BOCK_DEFAULTS, DEFAULTS, KIND_PREFIX, RAMSCH, SPECIAL_PREFIX
from scoring.rules.game_settings import PLAIN_BOCK

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


def _limits(value: list[int], about: About) -> str:
    if not value:
        return _("Keine Stufe unter der Hälfte zählt.")
    return _("Diese Stufen zählen: %(limits)s.") % {"limits": listed(map(limit_name, value))}


def _limit(value: Any, about: About) -> str:
    if isinstance(value, int):
        return _("Jede dieser Stufen zählt %(amount)s.") % {"amount": amount(value, about.unit)}
    if "times" in value:
        return _("Jede dieser Stufen multipliziert den Wert mit %(times)s.") % {"times": value["times"]}
    each = {limit_name(int(limit)): points for limit, points in value.items()}
    return _("Von den Stufen zählen: %(steps)s.") % {"steps": _by_step(each, about)}


def _absage(value: Any, about: About) -> str:
    if isinstance(value, int):
        return _("Jede abgesagte Stufe zählt %(amount)s.") % {"amount": amount(value, about.unit)}
    if "times" in value:
        return _("Jede abgesagte Stufe multipliziert den Wert mit %(times)s.") % {"times": value["times"]}
    each = {said_name(step): points for step, points in value.items()}
    return _("Von den abgesagten Stufen zählen: %(steps)s.") % {"steps": _by_step(each, about)}


def _by_step(each: Mapping[str, int], about: About) -> str:
    return listed(f"{name} {amount(points, about.unit)}" for name, points in each.items())


_TWO: Final = {
    "re": gettext_lazy("Re %(one)s, Kontra %(other)s."),
    "won": gettext_lazy("Re oder Kontra vom Gewinner %(one)s, vom Verlierer %(other)s."),
    "first": gettext_lazy("Die erste Ansage von Re und Kontra %(one)s, die Antwort darauf %(other)s."),
}


def _re_kontra(value: Mapping[str, Any] | None, about: About) -> str:
    if value is None:
        return _("An- und Absagen gibt es nicht.")
    if "add" in value:
        return _("Re und Kontra zählen je %(amount)s mehr.") % {"amount": amount(value["add"], about.unit)}
    if "times" in value:
        return _("Re zählt den Wert mal %(times)s, Kontra auch.") % value
    by = next(key for key in value if key in _TWO)
    other = next(key for key in value if key != by)
    return _TWO[by] % {"one": _ansage(value[by], about), "other": _ansage(value[other], about)}


def _ansage(value: Mapping[str, int], about: About) -> str:
    if "add" in value:
        return _("zählt %(amount)s mehr") % {"amount": amount(value["add"], about.unit)}
    return _("multipliziert den Wert mit %(times)s") % value


def _lost_announcement(value: Mapping[str, Any] | None, about: About) -> str:
    if value is None:
        return _("Angesagt und verloren kostet nichts zusätzlich.")
    if value["when"] == "ansage":
        return _("Nach angesagtem Re oder Kontra kostet eine Niederlage das %(times)s-Fache.") % value
    if value["when"] == "re":
        return _("Nach angesagtem Re kostet eine Niederlage das %(times)s-Fache; nach Kontra nicht.") % value
    return _("Nach einer Absage kostet eine Niederlage das %(times)s-Fache.") % value


def _cowardice(value: Mapping[str, Any] | None, about: About) -> str:
    if value is None:
        return _("Feigheit gibt es nicht.")
    if value["then"] == "loses":
        return _("Feigheit: Eine Partei, die %(levels)s Stufen mehr erreicht als angesagt, hat verloren.") % value
    if value["then"] == "nobody":
        return _(
            "Feigheit: Eine Partei, die %(levels)s Stufen mehr erreicht als angesagt, gewinnt nicht; niemand gewinnt."
        ) % value
    return _("Feigheit: Eine Partei, die %(levels)s Stufen mehr erreicht als angesagt, verliert %(amount)s.") % {
        "levels": value["levels"],
        "amount": amount(value["then"], about.unit),
    }


_ANNOUNCEMENTS: Final[dict[str, Say]] = {
    "limits": _limits,
    "limit": _limit,
    "limit_counts": choice(
        {
            "reached": gettext_lazy("Eine Stufe zählt, wenn sie erreicht ist."),
            "reached_or_missed": gettext_lazy(
                "Eine Stufe zählt, wenn sie erreicht ist, und auch, wenn der Verlierer sie abgesagt hatte."
            ),
            "reached_and_missed": gettext_lazy(
                "Eine Stufe zählt, wenn sie erreicht ist, und noch einmal, wenn der Verlierer sie abgesagt hatte."
            ),
        }
    ),
    "re_limit_more": choice(
        {
            0: gettext_lazy("Auch Re ist erst mit weniger als 90, 60 oder 30 Augen unter der Stufe."),
            1: gettext_lazy("Re ist schon mit genau 90, 60 oder 30 Augen unter der Stufe."),
        }
    ),
    "re_kontra": _re_kontra,
    "absage": _absage,
    "missed_absage": choice(
        {
            "loses": gettext_lazy("Eine verfehlte Absage verliert das Spiel."),
            "costs": gettext_lazy("Eine verfehlte Absage verliert nicht das Spiel; ihre Punkte bekommt die Gegenpartei."),
        }
    ),
    "against_absage": choice(
        {
            "cumulative": gettext_lazy("Gegen eine Absage 30 Augen mehr als nötig: je Stufe ein weiteres Mal."),
            "highest": gettext_lazy("Gegen eine Absage 30 Augen mehr als nötig: einmal, für die höchste Stufe."),
            "off": gettext_lazy("Gegen eine Absage besonders gut zu spielen zählt nichts zusätzlich."),
        }
    ),
    "against": worth(gettext_lazy("Jede Stufe gegen eine Absage zählt %(amount)s.")),
    "lost_announcement": _lost_announcement,
    "cowardice": _cowardice,
}


OF: Final = {
    "party": gettext_noop("wer ihn macht"),
    "re": gettext_noop("nur Re"),
    "kontra": gettext_noop("nur Kontra"),
    "game": gettext_noop("der Gewinner, gleich wer ihn macht"),
}
_TOLD_OF: Final = {
    "re": gettext_noop("nur für Re"),
    "kontra": gettext_noop("nur für Kontra"),
    "game": gettext_noop("für den Gewinner, gleich wer ihn macht"),
}
TIMES: Final = {
    1: gettext_noop("zählt einfach"),
    2: gettext_noop("verdoppelt"),
    3: gettext_noop("verdreifacht"),
    4: gettext_noop("vervierfacht"),
}


def _specials(value: Mapping[str, Any], about: About) -> str:
    if not value:
        return _("Sonderpunkte gibt es nicht.")
    each = (_special(special, row, about) for special, row in value.items())
    return _("Sonderpunkte: %(specials)s.") % {"specials": listed(each)}


def _special(special: str, row: Any, about: About) -> str:
    row = row if isinstance(row, Mapping) else {"points": row}
    name, idle = special_name(special, about.specials), not counts(row)
    if not idle:
        told = _("%(special)s %(amount)s") % {"special": name, "amount": _points(row["points"], about)}
    elif special in about.starts:
        told = _("%(special)s löst Bock aus") % {"special": name}
    else:
        told = _("%(special)s wird nur notiert") % {"special": name}
    more = []
    if "most" in row:
        more.append(_("höchstens %(most)s") % row)
    if "most_party" in row:
        more.append(_("je Partei höchstens %(most_party)s") % row)
    if "kinds" in row:
        more.append(_("nur: %(kinds)s") % {"kinds": listed(word_name(word, about.kinds) for word in row["kinds"])})
    if row.get("of", "party") != "party":
        more.append(_("gleich wer ihn macht") if idle and row["of"] == "game" else _(_TOLD_OF[row["of"]]))
    return f"{told} ({'; '.join(more)})" if more else told


def counts(row: Any) -> bool:
    """Return whether a special point is worth anything."""
    points = row["points"] if isinstance(row, Mapping) else row
    return isinstance(points, Mapping) or any(points if isinstance(points, (list, tuple)) else [points])


def _points(value: Any, about: About) -> str:
    if isinstance(value, Mapping):
        return _(TIMES[value["times"]])
    if isinstance(value, int):
        return amount(value, about.unit)
    # The first one, the second one and so on.
    return _("%(first)s, weitere %(more)s") % {
        "first": amount(value[0], about.unit),
        "more": "/".join(map(str, value[1:] or value)),
    }


_SPECIALS: Final[dict[str, Say]] = {
    "specials": _specials,
    "specials_when": lambda value, about: (
        _("Sonderpunkte werden %(when)s gerechnet.") % {"when": when(value)}
        if value != "paid"
        else _("Sonderpunkte werden einzeln ausgezahlt und verändern den Wert des Spiels nicht.")
    ),
    "specials_in_solo": choice(
        {
            "none": gettext_lazy("Im Solo gibt es keine Sonderpunkte."),
            "all": gettext_lazy("Im Solo zählen alle Sonderpunkte."),
            "by_kind": gettext_lazy("Im Solo zählen die Sonderpunkte, die zu seinen Trümpfen passen."),
        }
    ),
    "special_payer": choice(
        {
            "kasse": gettext_lazy("Einzeln ausgezahlte Sonderpunkte zahlt die Kasse."),
            "players": gettext_lazy("Einzeln ausgezahlte Sonderpunkte zahlen die Gegner."),
        }
    ),
}


def sentence(key: str, settings: Mapping[str, Any]) -> str:
    """One setting (not `bock`, nor `per_kind`) as a sentence; amounts are in the rule set's unit."""
    return value_sentence(key, settings[key] if key in settings else DEFAULTS[key], about(settings))


def value_sentence(key: str, value: Any, about: About) -> str:
    """A value of one setting as a sentence."""
    return _SENTENCES[key](value, about)


# --- The settings ---------------------------------------------------------------------------------------------------


def _kinds(value: list[str], about: About) -> str:
    names = (word_name(kind, about.kinds) for kind in labels.sort_kinds(value))
    return _("Es gibt diese Spiele: %(kinds)s.") % {"kinds": listed(names)}


def _gegen_in(value: list[str], about: About) -> str:
    if not value:
        return _("Gegen die Alten gibt es in keinem Spiel.")
    return _("Gegen die Alten gibt es in: %(kinds)s.") % {"kinds": listed(_(labels.GEGEN_IN[kind]) for kind in value)}


def _solo_point(value: Any, about: About) -> str:
    if value == 0:
        return _("Einen Solopunkt gibt es nicht.")
    return _("Ein gewonnenes Solo bringt %(amount)s, %(when)s, in: %(kinds)s.") % {
        "amount": amount(value["points"], about.unit),
        "when": when(value["when"]),
        "kinds": listed(word_name(kind, about.kinds) for kind in value["kinds"]),
    }


def _soloist_share(value: int | str, about: About) -> str:
    if value == "opponents":
        return _("Der Solist bekommt oder zahlt den Wert einmal für jeden Gegner.")
    if value == 1:
        return _("Der Solist bekommt oder zahlt den Wert einmal, wie jeder Gegner.")
    return _("Der Solist bekommt oder zahlt das %(times)s-Fache.") % {"times": value}


def _solo_times(value: int, about: About) -> str:
    if value == 1:
        return _("Ein Solo zählt so viel wie ein anderes Spiel.")
    return _("Ein Solo zählt das %(times)s-Fache.") % {"times": value}


def _deal_stays(value: list[str], about: About) -> str:
    if not value:
        return _("Nach jedem Spiel gibt der Nächste.")
    return _("Derselbe gibt noch einmal nach: %(lines)s.") % {
        "lines": listed(_(labels.DEAL_STAYS[line]) for line in value)
    }


_AT_A_TABLE: Final = {"6": gettext_noop("zu sechst"), "7": gettext_noop("zu siebt"), "8": gettext_noop("zu acht")}


def _seating(value: Mapping[str, list[int]], about: About) -> str:
    each = []
    for table, offsets in sorted(value.items()):
        if len(offsets) == int(table):
            each.append(_("%(size)s spielen alle") % {"size": _(_AT_A_TABLE[table])})
        else:
            places = listed(_("Geber") if offset == 0 else str(offset) for offset in offsets)
            each.append(
                _("%(size)s spielen, vom Geber aus gezählt, die Sitze %(places)s")
                % {"size": _(_AT_A_TABLE[table]), "places": places}
            )
    return (
        _("Zu fünft setzt der Geber aus; %(rest)s.") % {"rest": "; ".join(each)}
        if each
        else _("Zu fünft setzt der Geber aus; wer an größeren Tischen aussetzt, steht bei jedem Spiel.")
    )


def _highest(value: int | None, about: About) -> str:
    if value is None:
        return _("Einen Deckel gibt es nicht.")
    return _("Mehr als %(amount)s ist kein Spiel wert.") % {"amount": amount(value, about.unit)}


def _lost_times(value: int, about: About) -> str:
    if value == 1:
        return _("Gewinnt Kontra, zählt das Spiel so viel, wie wenn Re gewinnt.")
    return _("Gewinnt Kontra, zählt das Spiel das %(times)s-Fache.") % {"times": value}


def _times(value: int, about: About) -> str:
    if value == 1:
        return _("Das Spiel zählt einfach.")
    return _("Das Spiel zählt das %(times)s-Fache.") % {"times": value}


def _duty_solo(value: Mapping[str, int] | None, about: About) -> str:
    if value is None:
        return _("Ein Pflichtsolo gibt es nicht.")
    return ngettext(
        "Jeder spielt im ersten Umlauf ein Pflichtsolo; danach wird vorgeführt.",
        "Jeder spielt in den ersten %(rounds)s Umläufen ein Pflichtsolo; danach wird vorgeführt.",
        value["rounds"],
    ) % {"rounds": value["rounds"]}


_SENTENCES: dict[str, Say] = {
    "deck": choice(
        {
            40: gettext_lazy("Gespielt wird mit 40 Karten, ohne Neunen."),
            48: gettext_lazy("Gespielt wird mit 48 Karten, mit Neunen."),
            64: gettext_lazy("Gespielt wird mit 64 Karten."),
        }
    ),
    "kinds": _kinds,
    "unit": choice(
        {
            "points": gettext_lazy("Aufgeschrieben werden Punkte."),
            "cents": gettext_lazy("Aufgeschrieben werden Cent."),
        }
    ),
    "kontra_121": both(
        choice(
            {
                "never": gettext_lazy("Kontra gewinnt schon mit 120 Augen."),
                "only_kontra": gettext_lazy("Kontra braucht 121 Augen, wenn nur Kontra angesagt ist, sonst 120."),
                "kontra_said": gettext_lazy("Kontra braucht 121 Augen, wenn Kontra angesagt ist, sonst 120."),
                "kontra_last": gettext_lazy("Kontra braucht 121 Augen, wenn Kontra als Letztes ansagte, sonst 120."),
                "always": gettext_lazy("Kontra braucht immer 121 Augen."),
                "unless_re": gettext_lazy("Kontra braucht 121 Augen, wenn Re nichts angesagt hat, sonst 120."),
            }
        )
    ),
    "tie_120": choice(
        {
            "re": gettext_lazy("Braucht Kontra 121 Augen, gewinnt bei 120 zu 120 Re."),
            "kontra": gettext_lazy("Braucht Kontra 121 Augen, gewinnt bei 120 zu 120 trotzdem Kontra."),
            "nobody": gettext_lazy("Braucht Kontra 121 Augen, gewinnt bei 120 zu 120 niemand."),
        }
    ),
    "schwarz_by": choice(
        {
            "tricks": gettext_lazy("Schwarz ist, wer keinen Stich macht."),
            "eyes": gettext_lazy("Schwarz ist, wer kein Auge bekommt."),
        }
    ),
    "won": worth(gettext_lazy("Ein gewonnenes Spiel zählt %(amount)s.")),
    "nobody_wins": choice(
        {
            "net": gettext_lazy("Gewinnt niemand, zählen die erreichten Stufen und Sonderpunkte gegeneinander."),
            "zero": gettext_lazy("Gewinnt niemand, zählt das Spiel nichts."),
        }
    ),
    "gegen_die_alten": worth(gettext_lazy("Gegen die Alten gewonnen zählt %(amount)s mehr.")),
    "gegen_in": _gegen_in,
    "gegen_when": lambda value, about: _("Gegen die Alten wird %(when)s gerechnet.") % {"when": when(value)},
    "solo_point": _solo_point,
    "solo_times": _solo_times,
    "soloist_share": _soloist_share,
    "negative": choice(
        {
            "keep": gettext_lazy("Überwiegen die Sonderpunkte der Verlierer, zahlt der Gewinner."),
            "zero": gettext_lazy("Überwiegen die Sonderpunkte der Verlierer, zählt das Spiel nichts."),
        }
    ),
    "counting": both(
        choice(
            {
                "plus_minus": gettext_lazy("Gewinner schreiben Plus, Verlierer Minus."),
                "winners": gettext_lazy("Nur die Gewinner schreiben etwas auf."),
                "losers": gettext_lazy("Nur die Verlierer schreiben etwas auf."),
            }
        )
    ),
    "sitter": choice(
        {
            "nothing": gettext_lazy("Fürs Aussetzen gibt es nichts."),
            "winners": gettext_lazy("Fürs Aussetzen gibt es so viel wie für einen Gewinner."),
            "kontra": gettext_lazy("Aussetzen zählt wie Kontra."),
            "re": gettext_lazy("Aussetzen zählt wie Re, im Solo wie die Gegner."),
        }
    ),
    "deal_stays": _deal_stays,
    "seating": _seating,
    "duty_solo": _duty_solo,
    "decided": choice(
        {
            "eyes": gettext_lazy("Die Augen sagen, wer gewonnen hat."),
            "hand": gettext_lazy("Augen werden nicht gezählt; eingetragen wird, wer gewonnen hat."),
            "both": gettext_lazy("Die Augen sagen, wer gewonnen hat, oder es wird eingetragen, etwa wo jemand aufgibt."),
        }
    ),
    "won_at_120": choice(
        {
            True: gettext_lazy("Bei 120 zu 120 zählt der Gewinn wie sonst."),
            False: gettext_lazy("Bei 120 zu 120 zählt der Gewinn selbst nichts."),
        }
    ),
    "lost_times": _lost_times,
    "highest": _highest,
    "text": lambda value, about: value,
    "times": _times,
    "in_bock": choice(
        {
            "plays": gettext_lazy("Im Bock ist es ein Bockspiel wie jedes andere."),
            "plain": gettext_lazy("Im Bock zählt es einfach und verbraucht ein Bockspiel."),
            "skips": gettext_lazy("Im Bock zählt es einfach und verbraucht kein Bockspiel."),
            "keeps": gettext_lazy("Im Bock zählt es mehrfach und verbraucht kein Bockspiel."),
        }
    ),
    **_ANNOUNCEMENTS,
    **_SPECIALS,
}


def row_sentences(settings: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Each row of `per_kind` that says something, under `per_kind.<word>`."""
    known = about(settings)
    return [(f"per_kind.{word}", row_sentence(word, row, known)) for word, row in settings.get("per_kind", {}).items() if row]


def row_sentence(word: str, row: Mapping[str, Any], known: About) -> str:
    """What holds in games of this kind alone, after the kind's name and what it is like."""
    title = word_name(word, known.kinds)
    if "like" in row and (like := word_name(row["like"], {})) != title:
        title = _("%(kind)s, gespielt wie %(like)s") % {"kind": title, "like": like}
    elif "name" in row and "like" not in row:
        title = f"{title} ({word_name(word, {})})"
    said = [_said(key, value, known, row) for key, value in row.items() if key not in ("name", "like")]
    return f"{title}: {' '.join(said)}" if said else f"{title}."


def _said(key: str, value: Any, known: About, row: Mapping[str, Any]) -> str:
    if key == "won" and row.get("like") == RAMSCH:
        # Nobody wins it, unless somebody takes everything.
        return _("Verloren zählt %(amount)s.") % {"amount": amount(value, known.unit)}
    return value_sentence(key, value, known)


Bock = Mapping[str, Any]


def bock_sentence(key: str, bock: Bock, about: About) -> str:
    """One key of `bock` as a sentence."""
    return _BOCK[key]({**BOCK_DEFAULTS, **bock}, about)


def bock_line(key: str, settings: Mapping[str, Any], about: About) -> str:
    """Return one key of the Bock of these settings as a sentence, a plain Bock where they have none."""
    bock = {**BOCK_DEFAULTS, **(settings["bock"] or PLAIN_BOCK)}
    if key == "effect" and bock["effect"] == "all" and settings["specials_when"] == "after" and settings["specials"]:
        return _("Ein Bockspiel zählt %(times)s, nur die Sonderpunkte nicht.") % {"times": _(_TIMES[bock["factor"]])}
    return bock_sentence(key, bock, about)


def bock_sentences(settings: Mapping[str, Any]) -> list[tuple[str, str]]:
    """What the Bock of a rule set says; what may be left out says nothing where it is as ever."""
    bock, known = settings["bock"], about(settings)
    if bock is None:
        return [("bock", _("Bock gibt es nicht."))]
    told = [key for key in _BOCK if bock.get(key, BOCK_DEFAULTS.get(key)) != BOCK_DEFAULTS.get(key)]
    return [(f"bock.{key}", bock_line(key, settings, known)) for key in told]


def _triggers(bock: Bock, about: About) -> str:
    if not bock["triggers"]:
        return _("Nichts löst einen Bock aus.")
    return _("Einen Bock löst aus: %(triggers)s.") % {
        "triggers": listed(trigger_name(trigger, about) for trigger in bock["triggers"])
    }


def _length(bock: Bock, about: About) -> str:
    value = bock["length"]
    if value == "table":
        return _("Ein Bock dauert so viele Spiele, wie Personen am Tisch sind.")
    if value == "deal":
        return _("Ein Bock dauert so viele Geber, wie Personen am Tisch sind.")
    return ngettext("Ein Bock dauert %(games)s Spiel.", "Ein Bock dauert %(games)s Spiele.", int(value)) % {
        "games": value
    }


# How a game of the first level counts.
_TIMES: Final = {
    2: gettext_noop("doppelt"),
    3: gettext_noop("dreifach"),
    4: gettext_noop("vierfach"),
    "linear": gettext_noop("doppelt"),
}


def _effect(bock: Bock, about: About) -> str:
    value, times = bock["effect"], _(_TIMES[bock["factor"]])
    if value == "all":
        return _("Ein Bockspiel zählt %(times)s, mit allem, was dazukommt.") % {"times": times}
    if value == "game":
        return _("Ein Bockspiel zählt %(times)s, aber ohne Sonderpunkte und andere Verdopplungen.") % {"times": times}
    return _("Ein Bockspiel zählt je Stufe %(amount)s mehr.") % {"amount": amount(value["add"], about.unit)}


def _cap(bock: Bock, about: About) -> str:
    if bock["cap"] == 1:
        return _("Mehr als %(times)s zählt kein Bockspiel.") % {"times": _(_TIMES[bock["factor"]])}
    return _("Höchstens %(levels)s Böcke wirken auf dasselbe Spiel.") % {"levels": bock["cap"]}


def _choice(key: str, sentences: Mapping[Any, Any]) -> Callable[[Bock, About], str]:
    return lambda bock, about: str(sentences[bock[key]])


_BOCK: Final[dict[str, Callable[[Bock, About], str]]] = {
    "triggers": _triggers,
    "per_game": _choice(
        "per_game",
        {
            "one": gettext_lazy("Ein Spiel löst höchstens einen Bock aus."),
            "each": gettext_lazy("Jeder Grund löst einen eigenen Bock aus."),
        },
    ),
    "length": _length,
    "overlap": _choice(
        "overlap",
        {
            "append": gettext_lazy("Ein Bock im Bock wird hinten angehängt."),
            "stack": gettext_lazy("Ein Bock im Bock läuft gleichzeitig und verdoppelt noch einmal (Doppelbock)."),
            "extend": gettext_lazy("Ein Bock im Bock lässt den laufenden von vorn beginnen."),
            "ignore": gettext_lazy("Ein Bock im Bock zählt nicht."),
            "fill": gettext_lazy(
                "Ein Bock im Bock macht die nächsten Spiele zum Doppelbock; was über die höchste Stufe geht, hängt hinten an."
            ),
        },
    ),
    "cap": _cap,
    "effect": _effect,
    "factor": _choice(
        "factor",
        {
            2: gettext_lazy("Jeder weitere Bock verdoppelt: doppelt, vierfach, achtfach."),
            3: gettext_lazy("Jeder weitere Bock verdreifacht."),
            4: gettext_lazy("Jeder weitere Bock vervierfacht."),
            "linear": gettext_lazy("Jeder weitere Bock zählt einmal mehr: doppelt, dreifach, vierfach."),
        },
    ),
    "drawn": _choice(
        "drawn",
        {
            "doubled": gettext_lazy("Auch wenn niemand gewinnt, zählt ein Bockspiel mehrfach."),
            "plain": gettext_lazy("Gewinnt niemand, zählt ein Bockspiel einfach."),
        },
    ),
    "duty_solo_uses": _choice(
        "duty_solo_uses",
        {
            True: gettext_lazy("Ein Pflichtsolo ist ein Bockspiel wie jedes andere."),
            False: gettext_lazy("Ein Pflichtsolo zählt einfach und verbraucht kein Bockspiel."),
        },
    ),
    "carry": _choice(
        "carry",
        {
            True: gettext_lazy("Übrige Bockspiele gelten am nächsten Abend derselben Leute weiter."),
            False: gettext_lazy("Übrige Bockspiele verfallen am Ende des Abends."),
        },
    ),
}
