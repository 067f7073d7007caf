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


class Terms(NamedTuple):
    """The unit of a rule set, the names of its own kinds and special points by key, and the special points that start a
    Bock."""

    unit: str
    kinds: Mapping[str, str]
    specials: Mapping[str, str]
    starts: frozenset[str]


def get_terms(settings: Mapping[str, Any]) -> Terms:
    rows, specials = settings.get("per_kind", {}), settings["specials"]
    return Terms(
        settings["unit"],
        {word: row["name"] for word, row in rows.items() if "name" in row},
        {key: row["name"] for key, row in specials.items() if isinstance(row, Mapping) and "name" in row},
        frozenset(one.removeprefix(SPECIAL_PREFIX) for one in (settings["bock"] or {"triggers": ()})["triggers"]),
    )


# Renders a value of a setting as a sentence.
Render = Callable[[Any, Terms], str]


def format_amount(number: int, unit: str) -> str:
    if unit == "cents":
        return _("%(number)s Cent") % {"number": number}
    return ngettext("%(number)s Punkt", "%(number)s Punkte", number) % {"number": number}


def join_words(words: Iterable[str]) -> str:
    return ", ".join(words) or _("nichts")


def make_amount(template: Any) -> Render:
    """Return a renderer of a sentence around an amount."""
    return lambda value, terms: template % {"amount": format_amount(value, terms.unit)}


def make_choice(sentences: Mapping[Any, Any]) -> Render:
    """Return a renderer with one sentence for each value."""
    return lambda value, terms: str(sentences[value])


def make_split(render: Render) -> Render:
    """Return a renderer of one value, or of one for partner games and one for solos."""

    def render_split(value: Any, terms: Terms) -> str:
        if isinstance(value, str):
            return render(value, terms)
        return _("Im Spiel zu zweien: %(partner)s Im Solo: %(solo)s") % {
            "partner": render(value["partner"], terms),
            "solo": render(value["solo"], terms),
        }

    return render_split


def format_when(value: str) -> str:
    return _(labels.WHEN[value])


def get_limit_name(limit: int) -> str:
    """Return the name of a limit, which is that of its announcement."""
    return get_announcement_name(f"no{limit}" if limit else "schwarz")


def get_announcement_name(step: str) -> str:
    return _(labels.SAID[step])


def get_word_name(word: str, own: Mapping[str, str]) -> str:
    """Return the name of a kind or sort of game as it stands alone."""
    if word in own:
        return own[word]
    return _(NORMAL_GAME) if word == "normal" else _(labels.word_name(word, own))


def get_special_name(special: str, own: Mapping[str, str]) -> str:
    return own.get(special) or _(labels.special_name(special, own))


def get_trigger_name(trigger: str, terms: Terms) -> str:
    if trigger.startswith(KIND_PREFIX):
        return _("jedes Spiel „%(kind)s“") % {"kind": get_word_name(trigger.removeprefix(KIND_PREFIX), terms.kinds)}
    if trigger.startswith(SPECIAL_PREFIX):
        return _("Sonderpunkt „%(special)s“ eingetragen") % {
            "special": get_special_name(trigger.removeprefix(SPECIAL_PREFIX), terms.specials)
        }
    return _(labels.TRIGGERS[trigger])


def _limits(value: list[int], terms: Terms) -> str:
    if not value:
        return _("Keine Stufe unter der Hälfte zählt.")
    return _("Diese Stufen zählen: %(limits)s.") % {"limits": join_words(map(get_limit_name, value))}


def _limit(value: Any, terms: Terms) -> str:
    if isinstance(value, int):
        return _("Jede dieser Stufen zählt %(amount)s.") % {"amount": format_amount(value, terms.unit)}
    if "times" in value:
        return _("Jede dieser Stufen multipliziert den Wert mit %(times)s.") % {"times": value["times"]}
    each = {get_limit_name(int(limit)): points for limit, points in value.items()}
    return _("Von den Stufen zählen: %(steps)s.") % {"steps": _by_step(each, terms)}


def _absage(value: Any, terms: Terms) -> str:
    if isinstance(value, int):
        return _("Jede abgesagte Stufe zählt %(amount)s.") % {"amount": format_amount(value, terms.unit)}
    if "times" in value:
        return _("Jede abgesagte Stufe multipliziert den Wert mit %(times)s.") % {"times": value["times"]}
    each = {get_announcement_name(step): points for step, points in value.items()}
    return _("Von den abgesagten Stufen zählen: %(steps)s.") % {"steps": _by_step(each, terms)}


def _by_step(each: Mapping[str, int], terms: Terms) -> str:
    return join_words(f"{name} {format_amount(points, terms.unit)}" for name, points in each.items())


_TWO: Final = {
    "re": gettext_lazy("Re %(one)s, Kontra %(other)s."),
    "won": gettext_lazy("Re oder Kontra vom Gewinner %(one)s, vom Verlierer %(other)s."),
    "first": gettext_lazy("Die erste Ansage von Re und Kontra %(one)s, die Antwort darauf %(other)s."),
}


def _re_kontra(value: Mapping[str, Any] | None, terms: Terms) -> str:
    if value is None:
        return _("An- und Absagen gibt es nicht.")
    if "add" in value:
        return _("Re und Kontra zählen je %(amount)s mehr.") % {"amount": format_amount(value["add"], terms.unit)}
    if "times" in value:
        return _("Re zählt den Wert mal %(times)s, Kontra auch.") % value
    by = next(key for key in value if key in _TWO)
    other = next(key for key in value if key != by)
    return _TWO[by] % {"one": _ansage(value[by], terms), "other": _ansage(value[other], terms)}


def _ansage(value: Mapping[str, int], terms: Terms) -> str:
    if "add" in value:
        return _("zählt %(amount)s mehr") % {"amount": format_amount(value["add"], terms.unit)}
    return _("multipliziert den Wert mit %(times)s") % value


def _lost_announcement(value: Mapping[str, Any] | None, terms: Terms) -> str:
    if value is None:
        return _("Angesagt und verloren kostet nichts zusätzlich.")
    if value["when"] == "ansage":
        return _("Nach angesagtem Re oder Kontra kostet eine Niederlage das %(times)s-Fache.") % value
    if value["when"] == "re":
        return _("Nach angesagtem Re kostet eine Niederlage das %(times)s-Fache; nach Kontra nicht.") % value
    return _("Nach einer Absage kostet eine Niederlage das %(times)s-Fache.") % value


def _cowardice(value: Mapping[str, Any] | None, terms: Terms) -> str:
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
        "amount": format_amount(value["then"], terms.unit),
    }


_ANNOUNCEMENTS: Final[dict[str, Render]] = {
    "limits": _limits,
    "limit": _limit,
    "limit_counts": make_choice(
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
    "re_limit_more": make_choice(
        {
            0: gettext_lazy("Auch Re ist erst mit weniger als 90, 60 oder 30 Augen unter der Stufe."),
            1: gettext_lazy("Re ist schon mit genau 90, 60 oder 30 Augen unter der Stufe."),
        }
    ),
    "re_kontra": _re_kontra,
    "absage": _absage,
    "missed_absage": make_choice(
        {
            "loses": gettext_lazy("Eine verfehlte Absage verliert das Spiel."),
            "costs": gettext_lazy("Eine verfehlte Absage verliert nicht das Spiel; ihre Punkte bekommt die Gegenpartei."),
        }
    ),
    "against_absage": make_choice(
        {
            "cumulative": gettext_lazy("Gegen eine Absage 30 Augen mehr als nötig: je Stufe ein weiteres Mal."),
            "highest": gettext_lazy("Gegen eine Absage 30 Augen mehr als nötig: einmal, für die höchste Stufe."),
            "off": gettext_lazy("Gegen eine Absage besonders gut zu spielen zählt nichts zusätzlich."),
        }
    ),
    "against": make_amount(gettext_lazy("Jede Stufe gegen eine Absage zählt %(amount)s.")),
    "lost_announcement": _lost_announcement,
    "cowardice": _cowardice,
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
    if not value:
        return _("Sonderpunkte gibt es nicht.")
    each = (_special(special, row, terms) for special, row in value.items())
    return _("Sonderpunkte: %(specials)s.") % {"specials": join_words(each)}


def _special(special: str, row: Any, terms: Terms) -> str:
    row = row if isinstance(row, Mapping) else {"points": row}
    name, idle = get_special_name(special, terms.specials), not is_worth_points(row)
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
        more.append(_("nur: %(kinds)s") % {"kinds": join_words(get_word_name(word, terms.kinds) for word in row["kinds"])})
    if row.get("of", "party") != "party":
        more.append(_("gleich wer ihn macht") if idle and row["of"] == "game" else _(_FOR_WHOM[row["of"]]))
    return f"{text} ({'; '.join(more)})" if more else text


def is_worth_points(row: Any) -> bool:
    points = row["points"] if isinstance(row, Mapping) else row
    return isinstance(points, Mapping) or any(points if isinstance(points, (list, tuple)) else [points])


def _points(value: Any, terms: Terms) -> str:
    if isinstance(value, Mapping):
        return _(_SPECIAL_TIMES[value["times"]])
    if isinstance(value, int):
        return format_amount(value, terms.unit)
    return _("%(first)s, weitere %(more)s") % {
        "first": format_amount(value[0], terms.unit),
        "more": "/".join(map(str, value[1:] or value)),
    }


_SPECIALS: Final[dict[str, Render]] = {
    "specials": _specials,
    "specials_when": lambda value, terms: (
        _("Sonderpunkte werden %(when)s gerechnet.") % {"when": format_when(value)}
        if value != "paid"
        else _("Sonderpunkte werden einzeln ausgezahlt und verändern den Wert des Spiels nicht.")
    ),
    "specials_in_solo": make_choice(
        {
            "none": gettext_lazy("Im Solo gibt es keine Sonderpunkte."),
            "all": gettext_lazy("Im Solo zählen alle Sonderpunkte."),
            "by_kind": gettext_lazy("Im Solo zählen die Sonderpunkte, die zu seinen Trümpfen passen."),
        }
    ),
    "special_payer": make_choice(
        {
            "kasse": gettext_lazy("Einzeln ausgezahlte Sonderpunkte zahlt die Kasse."),
            "players": gettext_lazy("Einzeln ausgezahlte Sonderpunkte zahlen die Gegner."),
        }
    ),
}


def render_setting(key: str, settings: Mapping[str, Any]) -> str:
    """Return one setting as a sentence, with amounts in the unit of the rule set. Not for `bock` and `per_kind`."""
    return render_value(key, settings[key] if key in settings else DEFAULTS[key], get_terms(settings))


def render_value(key: str, value: Any, terms: Terms) -> str:
    return _SENTENCES[key](value, terms)


def _kinds(value: list[str], terms: Terms) -> str:
    names = (get_word_name(kind, terms.kinds) for kind in labels.sort_kinds(value))
    return _("Es gibt diese Spiele: %(kinds)s.") % {"kinds": join_words(names)}


def _gegen_in(value: list[str], terms: Terms) -> str:
    if not value:
        return _("Gegen die Alten gibt es in keinem Spiel.")
    return _("Gegen die Alten gibt es in: %(kinds)s.") % {"kinds": join_words(_(labels.GEGEN_IN[kind]) for kind in value)}


def _solo_point(value: Any, terms: Terms) -> str:
    if value == 0:
        return _("Einen Solopunkt gibt es nicht.")
    return _("Ein gewonnenes Solo bringt %(amount)s, %(when)s, in: %(kinds)s.") % {
        "amount": format_amount(value["points"], terms.unit),
        "when": format_when(value["when"]),
        "kinds": join_words(get_word_name(kind, terms.kinds) for kind in value["kinds"]),
    }


def _soloist_share(value: int | str, terms: Terms) -> str:
    if value == "opponents":
        return _("Der Solist bekommt oder zahlt den Wert einmal für jeden Gegner.")
    if value == 1:
        return _("Der Solist bekommt oder zahlt den Wert einmal, wie jeder Gegner.")
    return _("Der Solist bekommt oder zahlt das %(times)s-Fache.") % {"times": value}


def _solo_times(value: int, terms: Terms) -> str:
    if value == 1:
        return _("Ein Solo zählt so viel wie ein anderes Spiel.")
    return _("Ein Solo zählt das %(times)s-Fache.") % {"times": value}


def _deal_stays(value: list[str], terms: Terms) -> str:
    if not value:
        return _("Nach jedem Spiel gibt der Nächste.")
    return _("Derselbe gibt noch einmal nach: %(lines)s.") % {
        "lines": join_words(_(labels.DEAL_STAYS[line]) for line in value)
    }


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


def _highest(value: int | None, terms: Terms) -> str:
    if value is None:
        return _("Einen Deckel gibt es nicht.")
    return _("Mehr als %(amount)s ist kein Spiel wert.") % {"amount": format_amount(value, terms.unit)}


def _lost_times(value: int, terms: Terms) -> str:
    if value == 1:
        return _("Gewinnt Kontra, zählt das Spiel so viel, wie wenn Re gewinnt.")
    return _("Gewinnt Kontra, zählt das Spiel das %(times)s-Fache.") % {"times": value}


def _times(value: int, terms: Terms) -> str:
    if value == 1:
        return _("Das Spiel zählt einfach.")
    return _("Das Spiel zählt das %(times)s-Fache.") % {"times": value}


def _duty_solo(value: Mapping[str, int] | None, terms: Terms) -> str:
    if value is None:
        return _("Ein Pflichtsolo gibt es nicht.")
    return ngettext(
        "Jeder spielt im ersten Umlauf ein Pflichtsolo; danach wird vorgeführt.",
        "Jeder spielt in den ersten %(rounds)s Umläufen ein Pflichtsolo; danach wird vorgeführt.",
        value["rounds"],
    ) % {"rounds": value["rounds"]}


_SENTENCES: dict[str, Render] = {
    "deck": make_choice(
        {
            40: gettext_lazy("Gespielt wird mit 40 Karten, ohne Neunen."),
            48: gettext_lazy("Gespielt wird mit 48 Karten, mit Neunen."),
            64: gettext_lazy("Gespielt wird mit 64 Karten."),
        }
    ),
    "kinds": _kinds,
    "unit": make_choice(
        {
            "points": gettext_lazy("Aufgeschrieben werden Punkte."),
            "cents": gettext_lazy("Aufgeschrieben werden Cent."),
        }
    ),
    "kontra_121": make_split(
        make_choice(
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
    "tie_120": make_choice(
        {
            "re": gettext_lazy("Braucht Kontra 121 Augen, gewinnt bei 120 zu 120 Re."),
            "kontra": gettext_lazy("Braucht Kontra 121 Augen, gewinnt bei 120 zu 120 trotzdem Kontra."),
            "nobody": gettext_lazy("Braucht Kontra 121 Augen, gewinnt bei 120 zu 120 niemand."),
        }
    ),
    "schwarz_by": make_choice(
        {
            "tricks": gettext_lazy("Schwarz ist, wer keinen Stich macht."),
            "eyes": gettext_lazy("Schwarz ist, wer kein Auge bekommt."),
        }
    ),
    "won": make_amount(gettext_lazy("Ein gewonnenes Spiel zählt %(amount)s.")),
    "nobody_wins": make_choice(
        {
            "net": gettext_lazy("Gewinnt niemand, zählen die erreichten Stufen und Sonderpunkte gegeneinander."),
            "zero": gettext_lazy("Gewinnt niemand, zählt das Spiel nichts."),
        }
    ),
    "gegen_die_alten": make_amount(gettext_lazy("Gegen die Alten gewonnen zählt %(amount)s mehr.")),
    "gegen_in": _gegen_in,
    "gegen_when": lambda value, terms: _("Gegen die Alten wird %(when)s gerechnet.") % {"when": format_when(value)},
    "solo_point": _solo_point,
    "solo_times": _solo_times,
    "soloist_share": _soloist_share,
    "negative": make_choice(
        {
            "keep": gettext_lazy("Überwiegen die Sonderpunkte der Verlierer, zahlt der Gewinner."),
            "zero": gettext_lazy("Überwiegen die Sonderpunkte der Verlierer, zählt das Spiel nichts."),
        }
    ),
    "counting": make_split(
        make_choice(
            {
                "plus_minus": gettext_lazy("Gewinner schreiben Plus, Verlierer Minus."),
                "winners": gettext_lazy("Nur die Gewinner schreiben etwas auf."),
                "losers": gettext_lazy("Nur die Verlierer schreiben etwas auf."),
            }
        )
    ),
    "sitter": make_choice(
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
    "decided": make_choice(
        {
            "eyes": gettext_lazy("Die Augen sagen, wer gewonnen hat."),
            "hand": gettext_lazy("Augen werden nicht gezählt; eingetragen wird, wer gewonnen hat."),
            "both": gettext_lazy("Die Augen sagen, wer gewonnen hat, oder es wird eingetragen, etwa wo jemand aufgibt."),
        }
    ),
    "won_at_120": make_choice(
        {
            True: gettext_lazy("Bei 120 zu 120 zählt der Gewinn wie sonst."),
            False: gettext_lazy("Bei 120 zu 120 zählt der Gewinn selbst nichts."),
        }
    ),
    "lost_times": _lost_times,
    "highest": _highest,
    "text": lambda value, terms: value,
    "times": _times,
    "in_bock": make_choice(
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


def render_rows(settings: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return a sentence for each row of `per_kind`, under `per_kind.<word>`."""
    terms = get_terms(settings)
    return [(f"per_kind.{word}", render_row(word, row, terms)) for word, row in settings.get("per_kind", {}).items() if row]


def render_row(word: str, row: Mapping[str, Any], terms: Terms) -> str:
    """Return what holds in games of this kind alone, after the name of the kind and what it is like."""
    title = get_word_name(word, terms.kinds)
    if "like" in row and (like := get_word_name(row["like"], {})) != title:
        title = _("%(kind)s, gespielt wie %(like)s") % {"kind": title, "like": like}
    elif "name" in row and "like" not in row:
        title = f"{title} ({get_word_name(word, {})})"
    sentences = [_render_row_value(key, value, terms, row) for key, value in row.items() if key not in ("name", "like")]
    return f"{title}: {' '.join(sentences)}" if sentences else f"{title}."


def _render_row_value(key: str, value: Any, terms: Terms, row: Mapping[str, Any]) -> str:
    if key == "won" and row.get("like") == RAMSCH:
        # A Ramsch usually has a loser, not a winner.
        return _("Verloren zählt %(amount)s.") % {"amount": format_amount(value, terms.unit)}
    return render_value(key, value, terms)


Bock = Mapping[str, Any]


def render_bock_value(key: str, bock: Bock, terms: Terms) -> str:
    return _BOCK[key]({**BOCK_DEFAULTS, **bock}, terms)


def render_bock_setting(key: str, settings: Mapping[str, Any], terms: Terms) -> str:
    """Return one key of the Bock as a sentence; of a plain Bock if the settings have none."""
    bock = {**BOCK_DEFAULTS, **(settings["bock"] or PLAIN_BOCK)}
    if key == "effect" and bock["effect"] == "all" and settings["specials_when"] == "after" and settings["specials"]:
        return _("Ein Bockspiel zählt %(times)s, nur die Sonderpunkte nicht.") % {"times": _(_BOCK_TIMES[bock["factor"]])}
    return render_bock_value(key, bock, terms)


def render_bock(settings: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return the sentences of the Bock. An optional key is left out while it has its default."""
    bock, terms = settings["bock"], get_terms(settings)
    if bock is None:
        return [("bock", _("Bock gibt es nicht."))]
    keys = [key for key in _BOCK if bock.get(key, BOCK_DEFAULTS.get(key)) != BOCK_DEFAULTS.get(key)]
    return [(f"bock.{key}", render_bock_setting(key, settings, terms)) for key in keys]


def _triggers(bock: Bock, terms: Terms) -> str:
    if not bock["triggers"]:
        return _("Nichts löst einen Bock aus.")
    return _("Einen Bock löst aus: %(triggers)s.") % {
        "triggers": join_words(get_trigger_name(trigger, terms) for trigger in bock["triggers"])
    }


def _length(bock: Bock, terms: Terms) -> str:
    value = bock["length"]
    if value == "table":
        return _("Ein Bock dauert so viele Spiele, wie Personen am Tisch sind.")
    if value == "deal":
        return _("Ein Bock dauert so viele Geber, wie Personen am Tisch sind.")
    return ngettext("Ein Bock dauert %(games)s Spiel.", "Ein Bock dauert %(games)s Spiele.", int(value)) % {
        "games": value
    }


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
    return _("Ein Bockspiel zählt je Stufe %(amount)s mehr.") % {"amount": format_amount(value["add"], terms.unit)}


def _cap(bock: Bock, terms: Terms) -> str:
    if bock["cap"] == 1:
        return _("Mehr als %(times)s zählt kein Bockspiel.") % {"times": _(_BOCK_TIMES[bock["factor"]])}
    return _("Höchstens %(levels)s Böcke wirken auf dasselbe Spiel.") % {"levels": bock["cap"]}


def _make_bock_choice(key: str, sentences: Mapping[Any, Any]) -> Callable[[Bock, Terms], str]:
    return lambda bock, terms: str(sentences[bock[key]])


_BOCK: Final[dict[str, Callable[[Bock, Terms], str]]] = {
    "triggers": _triggers,
    "per_game": _make_bock_choice(
        "per_game",
        {
            "one": gettext_lazy("Ein Spiel löst höchstens einen Bock aus."),
            "each": gettext_lazy("Jeder Grund löst einen eigenen Bock aus."),
        },
    ),
    "length": _length,
    "overlap": _make_bock_choice(
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
    "factor": _make_bock_choice(
        "factor",
        {
            2: gettext_lazy("Jeder weitere Bock verdoppelt: doppelt, vierfach, achtfach."),
            3: gettext_lazy("Jeder weitere Bock verdreifacht."),
            4: gettext_lazy("Jeder weitere Bock vervierfacht."),
            "linear": gettext_lazy("Jeder weitere Bock zählt einmal mehr: doppelt, dreifach, vierfach."),
        },
    ),
    "drawn": _make_bock_choice(
        "drawn",
        {
            "doubled": gettext_lazy("Auch wenn niemand gewinnt, zählt ein Bockspiel mehrfach."),
            "plain": gettext_lazy("Gewinnt niemand, zählt ein Bockspiel einfach."),
        },
    ),
    "duty_solo_uses": _make_bock_choice(
        "duty_solo_uses",
        {
            True: gettext_lazy("Ein Pflichtsolo ist ein Bockspiel wie jedes andere."),
            False: gettext_lazy("Ein Pflichtsolo zählt einfach und verbraucht kein Bockspiel."),
        },
    ),
    "carry": _make_bock_choice(
        "carry",
        {
            True: gettext_lazy("Übrige Bockspiele gelten am nächsten Abend derselben Leute weiter."),
            False: gettext_lazy("Übrige Bockspiele verfallen am Ende des Abends."),
        },
    ),
}
