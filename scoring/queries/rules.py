"""What a rule set says, in sentences: one for each setting, in the language of the reader, so that nobody has to know
what a key means. Also what differs between two of them, which versions there are, and what was played by them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Final

from django.db.models import Count, F, Q, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop, ngettext

from scoring.models import Club, RuleSet, Table
from scoring.models.text import CodePoints
from scoring.rules import labels

# How many tables play by a rule set, without those of a list that is just arriving.
PLAYED = Count("tables", filter=Q(tables__evening__club=F("club")))


def rule_sets_of(club: Club) -> list[list[RuleSet]]:
    """The club's rule sets by name, each with its latest version first, then those that were played, and how many
    tables play by them."""
    rows = RuleSet.objects.filter(club=club).annotate(played=PLAYED)
    rows = rows.order_by(CodePoints("name"), "-version")
    found = [list(versions) for _name, versions in groupby(rows, key=lambda row: row.name)]
    return [[newest, *(row for row in older if row.played)] for newest, *older in found]


def versions_of(rule_set: RuleSet) -> list[RuleSet]:
    """All versions of this rule set, the latest first, and how many tables play by each."""
    rows = RuleSet.objects.filter(club=rule_set.club_id, name=rule_set.name).annotate(played=PLAYED)
    return list(rows.order_by("-version"))


def tables_under(versions: Sequence[RuleSet]) -> QuerySet[Table]:
    """The tables that play by one of these versions, the latest first."""
    tables = Table.objects.filter(rule_set__in=versions, evening__club=F("rule_set__club"))
    tables = tables.select_related("evening", "rule_set")
    return tables.order_by("-evening__held_on", "-evening_id", "number")


@dataclass(frozen=True)
class Difference:
    """What one setting says in either of two rule sets; None where it says nothing there."""

    title: str
    before: str | None
    after: str | None


def differences(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[Difference]:
    """What two complete rule sets say differently, in the order in which it is told."""
    old, new = _by_place(before), _by_place(after)
    return [
        Difference(title, old.get((title, key)), new.get((title, key)))
        for title, key in dict.fromkeys([*new, *old])
        if old.get((title, key)) != new.get((title, key))
    ]


def _by_place(settings: Mapping[str, Any]) -> dict[tuple[str, str], str]:
    return {(section.title, key): said for section in explain(settings) for key, said in section.sentences}


@dataclass(frozen=True)
class Section:
    """Sentences about one side of a rule set, each with the setting it explains."""

    title: str
    sentences: list[tuple[str, str]]


def explain(settings: Mapping[str, Any]) -> list[Section]:
    """Every setting of a complete rule set as a sentence; at the end what differs at tables of other sizes."""
    found = [Section(str(title), [(key, sentence(key, settings)) for key in keys]) for title, keys in SECTIONS]
    found.append(Section(_("Bock"), _bock_sentences(settings["bock"])))
    for table, other in sorted(settings.get("at", {}).items()):
        merged = {**settings, **other}
        lines = [(key, sentence(key, merged)) for key in other if key != "bock"]
        if "bock" in other:
            # Whether evenings go on does not depend on the size of the table.
            lines += [line for line in _bock_sentences(other["bock"]) if line[0] != "bock.carry"]
            lines.append(("bock.open", _OTHER_SIZE))
        found.append(Section(_("Mit %(people)s am Tisch gilt stattdessen") % {"people": table}, lines))
    return found


def house_rules(settings: Mapping[str, Any]) -> list[Section]:
    """The same to be read at the table: without what has no meaning as the other settings are, at any size of table."""
    sizes = [settings, *({**settings, **other} for other in settings.get("at", {}).values())]

    def matters(key: str) -> bool:
        return key not in _MATTERS or any(_MATTERS[key](size) for size in sizes)

    found = [Section(one.title, [line for line in one.sentences if matters(line[0])]) for one in explain(settings)]
    return [section for section in found if section.sentences]


def sentence(key: str, settings: Mapping[str, Any]) -> str:
    """One setting (not `bock`) as a sentence; amounts are in the rule set's unit."""
    return _SENTENCES[key](settings[key], settings["unit"])


def bock_sentence(key: str, value: Any) -> str:
    """One key of `bock` as a sentence."""
    return _BOCK[key](value, "points")


# --- Parts of sentences ---------------------------------------------------------------------------------------------

_Say = Callable[[Any, str], str]


def _amount(number: int, unit: str) -> str:
    if unit == "cents":
        return _("%(number)s Cent") % {"number": number}
    return ngettext("%(number)s Punkt", "%(number)s Punkte", number) % {"number": number}


def _list(words: list[str]) -> str:
    return ", ".join(words) if words else _("nichts")


def _worth(template: Any) -> _Say:
    """A sentence around an amount."""
    return lambda value, unit: template % {"amount": _amount(value, unit)}


def _choice(sentences: Mapping[Any, Any]) -> _Say:
    """One sentence for each value the setting can have."""
    return lambda value, unit: str(sentences[value])


def _both(say: _Say) -> _Say:
    """One value, or one for partner games and one for solos."""

    def both(value: Any, unit: str) -> str:
        if isinstance(value, str):
            return say(value, unit)
        return _("Im Spiel zu zweien: %(partner)s Im Solo: %(solo)s") % {
            "partner": say(value["partner"], unit),
            "solo": say(value["solo"], unit),
        }

    return both


def _when(value: str) -> str:
    return {
        "before": _("vor dem Verdoppeln"),
        "after": _("nach dem Verdoppeln"),
        "bock_only": _("nach dem Verdoppeln, aber vor dem Bock"),
        "paid": _("einzeln ausgezahlt"),
    }[value]


# --- The settings ---------------------------------------------------------------------------------------------------


def _kinds(value: list[str], unit: str) -> str:
    return _("Es gibt diese Spiele: %(kinds)s.") % {"kinds": _list([_(labels.KINDS[kind]) for kind in value])}


def _limits(value: list[int], unit: str) -> str:
    if not value:
        return _("Keine Stufe unter der Hälfte zählt.")
    names = [_("schwarz") if limit == 0 else _("keine %(eyes)s") % {"eyes": limit} for limit in value]
    return _("Diese Stufen zählen: %(limits)s.") % {"limits": _list(names)}


def _re_kontra(value: Mapping[str, int] | None, unit: str) -> str:
    if value is None:
        return _("An- und Absagen gibt es nicht.")
    if "add" in value:
        return _("Re und Kontra zählen je %(amount)s mehr.") % {"amount": _amount(value["add"], unit)}
    return _("Re multipliziert den Wert mit %(times)s, Kontra ebenso.") % {"times": value["times"]}


def _gegen_in(value: list[str], unit: str) -> str:
    if not value:
        return _("Gegen die Alten gibt es in keinem Spiel.")
    names = {"partner": _("Normalspiel und Hochzeit"), "armut": _("Armut"), "solo": _("Solo")}
    return _("Gegen die Alten gibt es in: %(kinds)s.") % {"kinds": _list([names[kind] for kind in value])}


def _specials(value: Mapping[str, int], unit: str) -> str:
    if not value:
        return _("Sonderpunkte gibt es nicht.")
    each = [
        _("%(special)s %(amount)s") % {"special": _(labels.SPECIALS[special].name), "amount": _amount(worth, unit)}
        for special, worth in value.items()
    ]
    return _("Sonderpunkte: %(specials)s.") % {"specials": _list(each)}


def _solo_point(value: Any, unit: str) -> str:
    if value == 0:
        return _("Einen Solopunkt gibt es nicht.")
    return _("Wer ein Solo gewinnt, bekommt %(amount)s, %(when)s, in: %(kinds)s.") % {
        "amount": _amount(value["points"], unit),
        "when": _when(value["when"]),
        "kinds": _list([_(labels.KINDS[kind]) for kind in value["kinds"]]),
    }


def _lost_announcement(value: Mapping[str, Any] | None, unit: str) -> str:
    if value is None:
        return _("Angesagt und verloren kostet nichts zusätzlich.")
    if value["when"] == "ansage":
        return _("Wer Re oder Kontra ansagt und verliert, verliert das %(times)s-Fache.") % value
    return _("Wer eine Absage macht und verliert, verliert das %(times)s-Fache.") % value


def _soloist_share(value: int | str, unit: str) -> str:
    if value == "opponents":
        return _("Der Solist bekommt oder zahlt den Wert einmal für jeden Gegner.")
    if value == 1:
        return _("Der Solist bekommt oder zahlt den Wert einmal, wie jeder Gegner.")
    return _("Der Solist bekommt oder zahlt das %(times)s-Fache.") % {"times": value}


def _solo_times(value: int, unit: str) -> str:
    if value == 1:
        return _("Ein Solo zählt so viel wie ein anderes Spiel.")
    return _("Ein Solo zählt das %(times)s-Fache.") % {"times": value}


def _deal_stays(value: list[str], unit: str) -> str:
    if not value:
        return _("Nach jedem Spiel gibt der Nächste.")
    names = {
        "duty_solo": _("Pflichtsolo"),
        "lustsolo": _("Lustsolo"),
        "penalty": _("Strafe"),
        "redeal": _("neu gegeben"),
    }
    return _("Derselbe gibt noch einmal nach: %(lines)s.") % {"lines": _list([names[line] for line in value])}


_AT_A_TABLE: Final = {"6": gettext_noop("zu sechst"), "7": gettext_noop("zu siebt"), "8": gettext_noop("zu acht")}


def _seating(value: Mapping[str, list[int]], unit: str) -> str:
    each = []
    for table, offsets in sorted(value.items()):
        if len(offsets) == int(table):
            each.append(_("%(size)s spielen alle") % {"size": _(_AT_A_TABLE[table])})
        else:
            places = _list([_("Geber") if offset == 0 else str(offset) for offset in offsets])
            each.append(
                _("%(size)s spielen, vom Geber aus gezählt, die Plätze %(places)s")
                % {"size": _(_AT_A_TABLE[table]), "places": places}
            )
    return (
        _("Zu fünft setzt der Geber aus; %(rest)s.") % {"rest": "; ".join(each)}
        if each
        else _("Zu fünft setzt der Geber aus; wer in größeren Runden aussetzt, steht bei jedem Spiel.")
    )


def _duty_solo(value: Mapping[str, int] | None, unit: str) -> str:
    if value is None:
        return _("Ein Pflichtsolo gibt es nicht.")
    return ngettext(
        "Jeder spielt in der ersten Runde ein Pflichtsolo; danach wird vorgeführt.",
        "Jeder spielt in den ersten %(rounds)s Runden ein Pflichtsolo; danach wird vorgeführt.",
        value["rounds"],
    ) % {"rounds": value["rounds"]}


_SENTENCES: dict[str, _Say] = {
    "deck": _choice(
        {
            40: gettext_lazy("Gespielt wird mit 40 Karten, ohne Neunen."),
            48: gettext_lazy("Gespielt wird mit 48 Karten, mit Neunen."),
            64: gettext_lazy("Gespielt wird mit 64 Karten."),
        }
    ),
    "kinds": _kinds,
    "unit": _choice(
        {
            "points": gettext_lazy("Aufgeschrieben werden Punkte."),
            "cents": gettext_lazy("Aufgeschrieben werden Cent."),
        }
    ),
    "kontra_121": _both(
        _choice(
            {
                "never": gettext_lazy("Kontra gewinnt schon mit 120 Augen."),
                "only_kontra": gettext_lazy("Kontra braucht 121 Augen, wenn nur Kontra angesagt ist, sonst 120."),
                "kontra_said": gettext_lazy("Kontra braucht 121 Augen, wenn Kontra angesagt ist, sonst 120."),
                "kontra_last": gettext_lazy("Kontra braucht 121 Augen, wenn Kontra als Letztes ansagte, sonst 120."),
                "always": gettext_lazy("Kontra braucht immer 121 Augen."),
            }
        )
    ),
    "tie_120": _choice(
        {
            "re": gettext_lazy("Braucht Kontra 121 Augen, gewinnt bei 120 zu 120 Re."),
            "kontra": gettext_lazy("Braucht Kontra 121 Augen, gewinnt bei 120 zu 120 trotzdem Kontra."),
            "nobody": gettext_lazy("Braucht Kontra 121 Augen, gewinnt bei 120 zu 120 niemand."),
        }
    ),
    "schwarz_by": _choice(
        {
            "tricks": gettext_lazy("Schwarz ist, wer keinen Stich macht."),
            "eyes": gettext_lazy("Schwarz ist, wer kein Auge bekommt."),
        }
    ),
    "won": _worth(gettext_lazy("Ein gewonnenes Spiel zählt %(amount)s.")),
    "limits": _limits,
    "limit": _worth(gettext_lazy("Jede dieser Stufen zählt %(amount)s.")),
    "limit_counts": _choice(
        {
            "reached": gettext_lazy("Eine Stufe zählt, wenn sie erreicht ist."),
            "reached_or_missed": gettext_lazy(
                "Eine Stufe zählt, wenn sie erreicht ist, und auch, wenn der Verlierer sie abgesagt hatte."
            ),
        }
    ),
    "re_kontra": _re_kontra,
    "absage": _worth(gettext_lazy("Jede abgesagte Stufe zählt %(amount)s.")),
    "against_absage": _choice(
        {
            "cumulative": gettext_lazy("Gegen eine Absage 30 Augen mehr als nötig: je Stufe ein weiteres Mal."),
            "highest": gettext_lazy("Gegen eine Absage 30 Augen mehr als nötig: einmal, für die höchste Stufe."),
            "off": gettext_lazy("Gegen eine Absage besonders gut zu spielen zählt nichts zusätzlich."),
        }
    ),
    "nobody_wins": _choice(
        {
            "net": gettext_lazy("Gewinnt niemand, zählen die erreichten Stufen und Sonderpunkte gegeneinander."),
            "zero": gettext_lazy("Gewinnt niemand, zählt das Spiel nichts."),
        }
    ),
    "gegen_die_alten": _worth(gettext_lazy("Gegen die Alten gewonnen zählt %(amount)s mehr.")),
    "gegen_in": _gegen_in,
    "gegen_when": lambda value, unit: _("Gegen die Alten wird %(when)s gerechnet.") % {"when": _when(value)},
    "specials": _specials,
    "specials_when": lambda value, unit: (
        _("Sonderpunkte werden %(when)s gerechnet.") % {"when": _when(value)}
        if value != "paid"
        else _("Sonderpunkte werden einzeln ausgezahlt und verändern den Wert des Spiels nicht.")
    ),
    "specials_in_solo": _choice(
        {
            "none": gettext_lazy("Im Solo gibt es keine Sonderpunkte."),
            "all": gettext_lazy("Im Solo zählen alle Sonderpunkte."),
            "by_kind": gettext_lazy("Im Solo zählen die Sonderpunkte, die zu seinen Trümpfen passen."),
        }
    ),
    "solo_point": _solo_point,
    "lost_announcement": _lost_announcement,
    "solo_times": _solo_times,
    "soloist_share": _soloist_share,
    "negative": _choice(
        {
            "keep": gettext_lazy("Überwiegen die Sonderpunkte der Verlierer, zahlt der Gewinner."),
            "zero": gettext_lazy("Überwiegen die Sonderpunkte der Verlierer, zählt das Spiel nichts."),
        }
    ),
    "counting": _both(
        _choice(
            {
                "plus_minus": gettext_lazy("Gewinner schreiben Plus, Verlierer Minus."),
                "winners": gettext_lazy("Nur die Gewinner schreiben etwas auf."),
                "losers": gettext_lazy("Nur die Verlierer schreiben etwas auf."),
            }
        )
    ),
    "sitter": _choice(
        {
            "nothing": gettext_lazy("Wer aussetzt, bekommt nichts."),
            "winners": gettext_lazy("Wer aussetzt, bekommt so viel wie ein Gewinner."),
            "kontra": gettext_lazy("Wer aussetzt, schreibt mit Kontra."),
        }
    ),
    "special_payer": _choice(
        {
            "kasse": gettext_lazy("Einzeln ausgezahlte Sonderpunkte zahlt die Kasse."),
            "players": gettext_lazy("Einzeln ausgezahlte Sonderpunkte zahlen die Gegner."),
        }
    ),
    "deal_stays": _deal_stays,
    "seating": _seating,
    "duty_solo": _duty_solo,
}

SECTIONS = (
    (gettext_lazy("Karten und Spiele"), ("deck", "kinds", "unit")),
    (gettext_lazy("Wer gewinnt"), ("kontra_121", "tie_120", "schwarz_by", "nobody_wins")),
    (
        gettext_lazy("Was ein Spiel zählt"),
        ("won", "limits", "limit", "limit_counts", "gegen_die_alten", "gegen_in", "gegen_when"),
    ),
    (gettext_lazy("An- und Absagen"), ("re_kontra", "absage", "against_absage", "lost_announcement")),
    (gettext_lazy("Sonderpunkte"), ("specials", "specials_when", "specials_in_solo", "special_payer")),
    (gettext_lazy("Solo"), ("solo_times", "soloist_share", "solo_point", "duty_solo")),
    (gettext_lazy("Wer was aufschreibt"), ("counting", "negative", "sitter")),
    (gettext_lazy("Am Tisch"), ("deal_stays", "seating")),
)


# --- Bock -----------------------------------------------------------------------------------------------------------


def _bock_sentences(bock: Mapping[str, Any] | None) -> list[tuple[str, str]]:
    if bock is None:
        return [("bock", _("Bock gibt es nicht."))]
    return [(f"bock.{key}", bock_sentence(key, bock[key])) for key in _BOCK]


_OTHER_SIZE = gettext_lazy(
    "Wechselt am Abend die Zahl am Tisch, bleiben offene Bockspiele offen: Jedes Spiel zählt und verbraucht sie nach dem "
    "Bock seiner Tischgröße; wo es keinen Bock gibt, zählt es einfach und verbraucht keines."
)


def _triggers(value: list[str], unit: str) -> str:
    if not value:
        return _("Nichts löst einen Bock aus.")
    names = {
        "lost_announcement": _("angesagt und verloren"),
        "lost_solo": _("verlorenes Solo"),
        "tie_120": _("120 zu 120"),
        "herzstich": _("der Herzstich geht durch"),
        "zero_game": _("ein Spiel ohne Punkte"),
        "schwarz": _("schwarz gespielt"),
        "manual": _("von Hand eingetragen"),
    }
    return _("Einen Bock löst aus: %(triggers)s.") % {"triggers": _list([names[trigger] for trigger in value])}


def _length(value: int | str, unit: str) -> str:
    if value == "table":
        return _("Ein Bock dauert so viele Spiele, wie Personen am Tisch sind.")
    if value == "deal":
        return _("Ein Bock dauert so viele Geber, wie Personen am Tisch sind.")
    return ngettext("Ein Bock dauert %(games)s Spiel.", "Ein Bock dauert %(games)s Spiele.", int(value)) % {
        "games": value
    }


def _effect(value: Any, unit: str) -> str:
    if value == "all":
        return _("Ein Bockspiel zählt doppelt, mit allem, was dazukommt.")
    if value == "game":
        return _("Ein Bockspiel zählt doppelt, aber ohne Sonderpunkte und andere Verdopplungen.")
    return _("Ein Bockspiel zählt je Stufe %(amount)s mehr.") % {"amount": _amount(value["add"], unit)}


def _cap(value: int, unit: str) -> str:
    if value == 1:
        return _("Mehr als doppelt zählt kein Bockspiel.")
    return _("Höchstens %(levels)s Böcke wirken auf dasselbe Spiel.") % {"levels": value}


def _starts_bock(settings: Mapping[str, Any]) -> bool:
    return bool(settings["bock"] and settings["bock"]["triggers"])


def _may_need_121(settings: Mapping[str, Any]) -> bool:
    return settings["kontra_121"] not in ("never", {"partner": "never", "solo": "never"})


def _can_weigh_more(settings: Mapping[str, Any]) -> bool:
    """Special points can outweigh a game where they are part of its value."""
    return bool(settings["specials"]) and settings["specials_when"] != "paid"


# When a setting has a meaning at all, for those that have none as others are.
_MATTERS: dict[str, Callable[[Mapping[str, Any]], bool]] = {
    "tie_120": _may_need_121,
    **dict.fromkeys(("limit", "limit_counts"), lambda settings: bool(settings["limits"])),
    "gegen_die_alten": lambda settings: bool(settings["gegen_in"]),
    "gegen_when": lambda settings: bool(settings["gegen_in"] and settings["gegen_die_alten"]),
    **dict.fromkeys(
        ("absage", "against_absage", "lost_announcement"), lambda settings: settings["re_kontra"] is not None
    ),
    **dict.fromkeys(("specials_when", "specials_in_solo"), lambda settings: bool(settings["specials"])),
    "special_payer": lambda settings: bool(settings["specials"]) and settings["specials_when"] == "paid",
    "negative": _can_weigh_more,
    **dict.fromkeys(("bock.per_game", "bock.length", "bock.overlap", "bock.effect", "bock.carry"), _starts_bock),
    "bock.cap": lambda settings: _starts_bock(settings) and settings["bock"]["overlap"] == "stack",
    "bock.duty_solo_uses": lambda settings: _starts_bock(settings) and settings["duty_solo"] is not None,
}


_BOCK: dict[str, _Say] = {
    "triggers": _triggers,
    "per_game": _choice(
        {
            "one": gettext_lazy("Ein Spiel löst höchstens einen Bock aus."),
            "each": gettext_lazy("Jeder Grund löst einen eigenen Bock aus."),
        }
    ),
    "length": _length,
    "overlap": _choice(
        {
            "append": gettext_lazy("Ein Bock im Bock wird hinten angehängt."),
            "stack": gettext_lazy("Ein Bock im Bock läuft gleichzeitig und verdoppelt noch einmal."),
            "extend": gettext_lazy("Ein Bock im Bock lässt den laufenden von vorn beginnen."),
            "ignore": gettext_lazy("Ein Bock im Bock zählt nicht."),
        }
    ),
    "cap": _cap,
    "effect": _effect,
    "duty_solo_uses": _choice(
        {
            True: gettext_lazy("Ein Pflichtsolo ist ein Bockspiel wie jedes andere."),
            False: gettext_lazy("Ein Pflichtsolo zählt einfach und verbraucht kein Bockspiel."),
        }
    ),
    "carry": _choice(
        {
            True: gettext_lazy("Offene Bockspiele gelten am nächsten Abend derselben Runde weiter."),
            False: gettext_lazy("Offene Bockspiele verfallen am Ende des Abends."),
        }
    ),
}
