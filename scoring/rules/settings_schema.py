"""The settings of a rule set, each told once: its names, its values and their sentences, its default, when it matters, other words
for it. The judge, the form, the sentences and the search are made from them. Structured values have their checks here, and their
sentences and inputs in `rulesets`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from . import labels
from .constants import (
    KIND_PREFIX,
    KINDS,
    LIKE,
    OWN_KEY,
    PARTNER_KINDS,
    QUIET_SOLOS,
    RAMSCH,
    SAID,
    SOLO_KINDS,
    SPECIAL_OF,
    SPECIAL_PREFIX,
    SPECIALS,
    TABLES,
    WORDS,
)
from .validation import (
    Check,
    Sentence,
    _,
    any_fields,
    either,
    fields,
    find_faults,
    first_fault,
    number,
    one_of,
    subset_of,
    text,
)

Data = Mapping[str, Any]

LIMITS: Final = (90, 60, 30, 0)
MAX_CAP: Final = 16
MAX_NUMBER: Final = 10_000
MAX_HIGHEST: Final = 1_000_000
MAX_OWN: Final = 24
MAX_NAME_LENGTH: Final = 40
MAX_TEXT_LENGTH: Final = 4_000
# The pairs of keys by which Re and Kontra can be worth different amounts.
RE_KONTRA_BY: Final = (("re", "kontra"), ("won", "lost"), ("first", "answer"))
# Which announcement multiplies a lost game: any party's Re, Kontra or more; any party's Absage; only Re's.
LOST_WHEN: Final = ("ansage", "absage", "re")
_NEEDED: Final = object()


class Setting(NamedTuple):
    """A setting of a rule set, a key of its Bock, or a setting that only a row of `per_kind` has."""

    name: str
    # One sentence about what it is for.
    explained: str
    # Its values if they are few, each with its sentence; the sentence of any amount; or those of the factor 1 and of others.
    choices: Mapping[Any, str] = {}
    amount: str = ""
    factors: tuple[str, str] | None = None
    # The sentence of an empty value, which is None, 0, a list, an object or a text.
    nothing: str = ""
    # The check of other values.
    check: Check | None = None
    # The value of a rule set without this setting.
    default: Any = _NEEDED
    # May it have one value for partner games and another one for solos?
    split: bool = False
    # May rows of `per_kind` override it?
    in_rows: bool = True
    # Can it matter in a game by these settings? Else the house rules leave it out.
    matters: Callable[[Data], bool] | None = None
    # The setting that it depends on. The style sheet tells by which of its values this one is hidden in the form (`needs-…`).
    needs: str = ""
    # Other words by which the search of the form finds it.
    search: str = ""

    @property
    def needed(self) -> bool:
        return self.default is _NEEDED

    def build_check(self) -> Check:
        if self.check is not None:
            return self.check
        if self.choices:
            return one_of(*self.choices)
        return number(1, 9) if self.factors else _AMOUNT


def _keys(value: Any) -> Sentence | None:
    """Accept a list of texts without duplicates. `_find_unknown` compares them with the rest of the rule set."""
    if not isinstance(value, (list, tuple)) or not all(isinstance(entry, str) for entry in value):
        return Sentence(_("Bitte eine Liste von Schlüsseln angeben."))
    if len(set(value)) < len(value):
        return Sentence(_("Ein Wert steht doppelt in der Liste. Bitte jeden nur einmal angeben."))
    return None


_AMOUNT: Final = number(0, MAX_NUMBER)
_NAME: Final = text(MAX_NAME_LENGTH, blank=False)
_TIMES: Final = fields({"times": number(1, 4)})
_ANSAGE: Final = either(fields({"add": _AMOUNT}), fields({"times": number(1, 9)}))


def _check_own_key(key: object) -> Sentence | None:
    if isinstance(key, str) and OWN_KEY.fullmatch(key):
        return None
    return Sentence(
        _("„%(key)s“ ist kein Schlüssel: Bitte kleine Buchstaben, Ziffern und Striche angeben, vorn ein Buchstabe."),
        {"key": key if isinstance(key, str) else "?"},
    )


def _points(value: Any) -> Sentence | None:
    if isinstance(value, (list, tuple)):
        if not 1 <= len(value) <= 9:
            return Sentence(_("Bitte eine bis neun Zahlen angeben."))
        return first_fault(map(_AMOUNT, value))
    return either(_AMOUNT, fields({"times": number(1, 4)}))(value)


_MORE: Final[dict[str, Check]] = {
    "most": number(1, 9),
    "most_party": number(1, 9),
    "kinds": _keys,
    "of": one_of(*SPECIAL_OF),
}
_BUILT_IN_ROW: Final = fields({"points": _points}, {"name": _NAME, **_MORE})
_OWN_ROW: Final = fields({"name": _NAME, "points": _points}, _MORE)


def _specials(value: Any) -> Sentence | None:
    if not isinstance(value, Mapping):
        return Sentence(_("Bitte nur diese Sonderpunkte angeben: %(specials)s."), {"specials": ", ".join(SPECIALS)})
    if sum(special not in SPECIALS for special in value) > MAX_OWN:
        return Sentence(_("Bitte höchstens %(most)s eigene angeben."), {"most": MAX_OWN})
    return first_fault(_special(special, row) for special, row in value.items())


def _special(special: Any, row: Any) -> Sentence | None:
    if special not in SPECIALS:
        if (fault := _check_own_key(special)) is not None:
            return fault
        fault = _OWN_ROW(row)
    elif isinstance(row, Mapping):
        fault = _BUILT_IN_ROW(row)
    else:
        return _AMOUNT(row)
    if fault is None and "most_party" in row and row["most_party"] > row.get("most", SPECIALS.get(special, 1)):
        return Sentence(_("Eine Partei kann davon nicht mehr haben als beide zusammen. Bitte ändern."))
    if fault is None and row.get("kinds") == []:
        return Sentence(_("Bitte mindestens eine Spielart angeben, in der der Sonderpunkt zählt."))
    return fault


def _seating(value: Any) -> Sentence | None:
    if not isinstance(value, Mapping) or not set(value) <= {"6", "7", "8"}:
        return Sentence(_("Bitte die Sitzordnung nur für 6, 7 oder 8 am Tisch angeben."))
    for table, offsets in value.items():
        people = int(table)
        if subset_of(range(people))(offsets) is not None or not (len(offsets) == 4 or len(offsets) == people in (6, 8)):
            return Sentence(
                _("Bitte für %(table)s am Tisch vier verschiedene Abstände zum Geber angeben, von 0 bis %(last)s."),
                {"table": people, "last": people - 1},
            )
    return None


def _per_kind(value: Any) -> Sentence | None:
    if not isinstance(value, Mapping):
        return Sentence(_("Bitte je Spielart ihre Einstellungen angeben."))
    if sum(word not in WORDS for word in value) > MAX_OWN:
        return Sentence(_("Bitte höchstens %(most)s eigene angeben."), {"most": MAX_OWN})
    return first_fault(_row(word, row) for word, row in value.items())


def _row(word: Any, row: Any) -> Sentence | None:
    own: dict[str, Check] = {} if word in WORDS else {"name": _NAME, "like": one_of(*LIKE)}
    if own and (fault := _check_own_key(word)) is not None:
        return fault
    if own and not (isinstance(row, Mapping) and own.keys() <= row.keys()):
        return Sentence(_("Eine eigene Spielart braucht einen Namen und die Spielart, der sie gleicht."))
    # A built-in kind may have another name; a sort of games has no name.
    return fields(own, {**_ROW_CHECKS, "name": _NAME} if word in KINDS else _ROW_CHECKS)(row)


def _bock(value: Any) -> Sentence | None:
    return either(one_of(None), fields(_BOCK_CHECKS, _OPTIONAL_BOCK_CHECKS))(value)


# When settings matter.


def is_worth_points(row: Any) -> bool:
    """Return whether a row of `specials` has a worth; without one it can only start a Bock."""
    points = row["points"] if isinstance(row, Mapping) else row
    return isinstance(points, Mapping) or any(points if isinstance(points, (list, tuple)) else [points])


def _starts_bock(settings: Data) -> bool:
    return bool(settings["bock"] and settings["bock"]["triggers"])


def _multiplies(settings: Data) -> bool:
    return _starts_bock(settings) and isinstance(settings["bock"]["effect"], str)


def _may_need_121(settings: Data) -> bool:
    return settings["kontra_121"] not in ("never", {"partner": "never", "solo": "never"})


def _have_worth(settings: Data) -> bool:
    return any(map(is_worth_points, settings["specials"].values()))


def _has_solos(settings: Data) -> bool:
    likes = {word: row.get("like", word) for word, row in settings.get("per_kind", {}).items()}
    return any(likes.get(kind, kind) not in (*PARTNER_KINDS, RAMSCH) for kind in settings["kinds"])


def _has_absagen(settings: Data) -> bool:
    return settings["re_kontra"] is not None


def _has_limits(settings: Data) -> bool:
    return bool(settings["limits"])


def _schwarz_counts(settings: Data) -> bool:
    triggers = settings["bock"]["triggers"] if settings["bock"] else ()
    return 0 in settings["limits"] or _has_absagen(settings) or "schwarz" in triggers or bool(settings.get("cowardice"))


def _nobody_can_win(settings: Data) -> bool:
    coward = settings.get("cowardice")
    both_missed = _has_absagen(settings) and settings.get("missed_absage", "loses") == "loses"
    tie = settings["tie_120"] == "nobody" and _may_need_121(settings)
    return both_missed or tie or bool(coward and coward["then"] == "nobody")


def _doubles(settings: Data) -> bool:
    """Return whether anything multiplies a game, so that before and after the doubling differ."""
    factors = (settings["solo_times"] if _has_solos(settings) else 1, settings.get("lost_times", 1), settings.get("times", 1))
    values = (settings[key] for key in ("re_kontra", "absage", "limit", "lost_announcement", "specials"))
    return _multiplies(settings) or any(factor > 1 for factor in factors) or any(map(_holds_times, values))


def _holds_times(value: Any) -> bool:
    return isinstance(value, Mapping) and (value.get("times", 1) != 1 or any(map(_holds_times, value.values())))


_WHEN: Final = ("before", "after", "bock_only")
# All settings, by the titles and in the order of the page.
SECTIONS: Final[dict[str, dict[str, Setting]]] = {
    _("Karten und Spiele"): {
        "deck": Setting(
            _("Karten"), _("Mit 48 Karten spielt man mit Neunen, mit 40 ohne, mit 64 auch mit Achten und Siebenen."),
            {
                40: _("Gespielt wird mit 40 Karten, ohne Neunen."),
                48: _("Gespielt wird mit 48 Karten, mit Neunen."),
                64: _("Gespielt wird mit 64 Karten."),
            },
            in_rows=False,
            search=_("scharfe Runde, mit Luschen, ohne Luschen, Blatt"),
        ),
        "kinds": Setting(
            _("Spielarten"), _("Welche Spiele man spielen kann."),
            check=_keys,
            in_rows=False,
            search=_("Solo, Knochenlos, Trumpfabgabe, Armut, Hochzeit"),
        ),
        "decided": Setting(
            _("Entschieden wird"), _("Nach Augen, von Hand, oder nach Augen, wo nicht jemand aufgegeben hat."),
            {
                "eyes": _("Die Augen sagen, wer gewonnen hat."),
                "hand": _("Augen werden nicht gezählt; eingetragen wird, wer gewonnen hat."),
                "both": _("Die Augen sagen, wer gewonnen hat, oder es wird eingetragen, etwa wo jemand aufgibt."),
            },
            default="eyes",
            search=_("aufgeben, Fehlspiel, falsch bedient, Köhler, Nullo"),
        ),
        "unit": Setting(
            _("Gezählt wird in"), _("Punkte oder Cent."),
            {"points": _("Aufgeschrieben werden Punkte."), "cents": _("Aufgeschrieben werden Cent.")},
            in_rows=False,
        ),
    },
    _("Wer gewinnt"): {
        "kontra_121": Setting(
            _("Kontra braucht 121"), _("Wann Kontra 121 Augen braucht statt 120."),
            {
                "never": _("Kontra gewinnt schon mit 120 Augen."),
                "only_kontra": _("Kontra braucht 121 Augen, wenn nur Kontra angesagt ist, sonst 120."),
                "kontra_said": _("Kontra braucht 121 Augen, wenn Kontra angesagt ist, sonst 120."),
                "kontra_last": _("Kontra braucht 121 Augen, wenn Kontra als Letztes ansagte, sonst 120."),
                "always": _("Kontra braucht immer 121 Augen."),
                "unless_re": _("Kontra braucht 121 Augen, wenn Re nichts angesagt hat, sonst 120."),
            },
            split=True,
            search=_("120 reichen, Unentschieden, Patt"),
        ),
        "tie_120": Setting(
            _("Bei 120 zu 120"), _("Welche Partei gewinnt, wenn Kontra 121 gebraucht hätte."),
            {
                "re": _("Braucht Kontra 121 Augen, gewinnt bei 120 zu 120 Re."),
                "kontra": _("Braucht Kontra 121 Augen, gewinnt bei 120 zu 120 trotzdem Kontra."),
                "nobody": _("Braucht Kontra 121 Augen, gewinnt bei 120 zu 120 niemand."),
            },
            matters=_may_need_121, needs="kontra_121",
            search=_("Unentschieden, Patt, gespalten"),
        ),
        "schwarz_by": Setting(
            _("Schwarz heißt"), _("Ohne Stich oder ohne Augen."),
            {"tricks": _("Schwarz ist, wer keinen Stich macht."), "eyes": _("Schwarz ist, wer kein Auge bekommt.")},
            matters=_schwarz_counts,
            search=_("ohne Stich"),
        ),
        "nobody_wins": Setting(
            _("Wenn niemand gewinnt"), _("Ob dann noch zählt, was die Parteien für sich erreicht haben, oder gar nichts."),
            {
                "net": _("Gewinnt niemand, zählen die erreichten Stufen und Sonderpunkte gegeneinander."),
                "zero": _("Gewinnt niemand, zählt das Spiel nichts."),
            },
            matters=_nobody_can_win,
            search=_("Unentschieden"),
        ),
        "cowardice": Setting(
            _("Feigheit"), _("Was geschieht, wenn der Gewinner so viele Stufen mehr erreicht als angesagt hat."),
            nothing=_("Feigheit gibt es nicht."),
            check=either(
                one_of(None), fields({"levels": number(2, 5), "then": either(_AMOUNT, one_of("loses", "nobody"))})
            ),
            default=None,
            search=_("feige, nicht angesagt, Angsthase"),
        ),
    },
    _("Was ein Spiel zählt"): {
        "won": Setting(
            _("Gewonnen"), _("Was der Gewinn allein zählt."),
            amount=_("Ein gewonnenes Spiel zählt %(amount)s."),
            search=_("Grundwert, Spielwert, Preis"),
        ),
        "won_at_120": Setting(
            _("Gewonnen bei 120"), _("Ob der Gewinn bei 120 zu 120 zählt."),
            {
                True: _("Bei 120 zu 120 zählt der Gewinn wie sonst."),
                False: _("Bei 120 zu 120 zählt der Gewinn selbst nichts."),
            },
            default=True,
            search=_("keine 120"),
        ),
        "limits": Setting(
            _("Stufen"), _("Keine 90, keine 60 und so weiter: unter welchen Augen der Gegenpartei es mehr gibt; 0 heißt schwarz."),
            nothing=_("Keine Stufe unter der Hälfte zählt."),
            check=subset_of(LIMITS),
            search=_("Grenzen, Schneider, keine 90, keine 60, keine 30, schwarz"),
        ),
        "limit": Setting(
            _("Je Stufe"), _("Was jede dieser Stufen zählt."),
            check=either(_AMOUNT, _TIMES, any_fields(map(str, LIMITS), _AMOUNT)),
            matters=_has_limits, needs="limits",
            search=_("Grenzen, Schneider, verdoppelt"),
        ),
        "limit_counts": Setting(
            _("Stufen zählen"), _("Nur, wenn sie erreicht sind, oder auch, wenn der Verlierer sie abgesagt und verfehlt hat."),
            {
                "reached": _("Eine Stufe zählt, wenn sie erreicht ist."),
                "reached_or_missed": _("Eine Stufe zählt, wenn sie erreicht ist, und auch, wenn der Verlierer sie abgesagt hatte."),
                "reached_and_missed": _(
                    "Eine Stufe zählt, wenn sie erreicht ist, und noch einmal, wenn der Verlierer sie abgesagt hatte."
                ),
            },
            matters=lambda settings: _has_limits(settings) and _has_absagen(settings), needs="limits",
            search=_("Grenzen, abgesagt und verfehlt"),
        ),
        "re_limit_more": Setting(
            _("Re unter den Stufen"), _("Ob Re mit genau 90, 60 oder 30 Augen schon unter der Stufe ist."),
            {
                0: _("Auch Re ist erst mit weniger als 90, 60 oder 30 Augen unter der Stufe."),
                1: _("Re ist schon mit genau 90, 60 oder 30 Augen unter der Stufe."),
            },
            default=0,
            matters=_has_limits, needs="limits",
            search=_("Schneider bis 61, Alte Schneider"),
        ),
        "gegen_die_alten": Setting(
            _("Gegen die Alten"), _("Was Kontra zusätzlich bekommt, wenn es gewinnt."),
            amount=_("Gegen die Alten gewonnen zählt %(amount)s mehr."),
            matters=lambda settings: bool(settings["gegen_in"]), needs="gegen_in",
            search=_("gegen die Kreuz-Damen, gegen die Sau"),
        ),
        "gegen_in": Setting(
            _("Gegen die Alten gilt"), _("In welchen Spielen es das gibt."),
            nothing=_("Gegen die Alten gibt es in keinem Spiel."),
            check=subset_of(labels.GEGEN_IN),
        ),
        "gegen_when": Setting(
            _("Gegen die Alten steht"), _("Vor den Verdopplungen, danach oder nur vor dem Bock."),
            dict.fromkeys(_WHEN, _("Gegen die Alten wird %(when)s gerechnet.")),
            matters=lambda settings: bool(settings["gegen_in"] and settings["gegen_die_alten"]) and _doubles(settings),
            needs="gegen_in",
        ),
        "lost_times": Setting(
            _("Von Kontra gewonnen zählt"), _("Wievielfach der Wert ist, wenn Kontra gewinnt."),
            factors=(
                _("Gewinnt Kontra, zählt das Spiel so viel, wie wenn Re gewinnt."),
                _("Gewinnt Kontra, zählt das Spiel das %(times)s-Fache."),
            ),
            default=1,
            search=_("verlorenes Solo doppelt"),
        ),
        "highest": Setting(
            _("Deckel"), _("Mehr ist kein Spiel wert."),
            amount=_("Mehr als %(amount)s ist kein Spiel wert."),
            nothing=_("Einen Deckel gibt es nicht."),
            check=either(one_of(None), number(1, MAX_HIGHEST)),
            default=None,
            search=_("Deckel, Höchstbetrag, Limit, Obergrenze"),
        ),
    },
    _("An- und Absagen"): {
        "re_kontra": Setting(
            _("Re und Kontra"), _("Ob Ansagen Punkte bringen oder vervielfachen; ohne gibt es keine Ansagen."),
            nothing=_("An- und Absagen gibt es nicht."),
            check=either(one_of(None), _ANSAGE, *(fields({one: _ANSAGE, other: _ANSAGE}) for one, other in RE_KONTRA_BY)),
            search=_("Ansage, Antwort, Erwiderung, Kontra geben"),
        ),
        "absage": Setting(
            _("Je Absage"), _("Was jede abgesagte Stufe dem Gewinner zählt, gleich von welcher Partei."),
            check=either(_AMOUNT, _TIMES, any_fields(SAID[2:], _AMOUNT)),
            matters=_has_absagen, needs="re_kontra",
            search=_("keine 90, keine 60, keine 30, schwarz, ab"),
        ),
        "missed_absage": Setting(
            _("Verfehlte Absage"), _("Ob eine verfehlte Absage das Spiel verliert oder nur ihre Punkte kostet."),
            {
                "loses": _("Eine verfehlte Absage verliert das Spiel."),
                "costs": _("Eine verfehlte Absage verliert nicht das Spiel; ihre Punkte bekommt die Gegenpartei."),
            },
            default="loses",
            matters=_has_absagen, needs="re_kontra",
            search=_("überreizt, verfehlt, zu hoch abgesagt"),
        ),
        "against_absage": Setting(
            _("Gegen Absagen"),
            _("Ob zählt, wer gegen eine Absage 30 Augen mehr als nötig holt: je Stufe, nur die höchste oder gar nicht."),
            {
                "cumulative": _("Gegen eine Absage 30 Augen mehr als nötig: je Stufe ein weiteres Mal."),
                "highest": _("Gegen eine Absage 30 Augen mehr als nötig: einmal, für die höchste Stufe."),
                "off": _("Gegen eine Absage besonders gut zu spielen zählt nichts zusätzlich."),
            },
            matters=_has_absagen, needs="re_kontra",
        ),
        "against": Setting(
            _("Je Stufe gegen Absagen"), _("Was jede Stufe gegen eine Absage zählt."),
            amount=_("Jede Stufe gegen eine Absage zählt %(amount)s."),
            default=1,
            matters=lambda settings: _has_absagen(settings) and settings["against_absage"] != "off", needs="against_absage",
        ),
        "lost_announcement": Setting(
            _("Verlorene Ansage"), _("Ob ein Spiel mehrfach zählt, das verliert, wer angesagt oder abgesagt hatte."),
            nothing=_("Angesagt und verloren kostet nichts zusätzlich."),
            check=either(one_of(None), fields({"times": number(1, 9), "when": one_of(*LOST_WHEN)})),
            matters=_has_absagen, needs="re_kontra",
        ),
    },
    _("Sonderpunkte"): {
        "specials": Setting(
            _("Sonderpunkte"), _("Welche es gibt und was jeder zählt."),
            nothing=_("Sonderpunkte gibt es nicht."),
            check=_specials,
            in_rows=False,
            search=_(
                "Extrapunkte, Schweinchen, Schweine, Superschweine, Gans, Klabautermann, Fischauge, Agathe, Kaffeekränzchen, "
                "Hirsch, Sub, Spritze, Stuhlbein, Tuck, Klopfen, von vornherein, Charly, Fuchs, Sau, Dulle, Herzstich, "
                "eigene Sonderpunkte"
            ),
        ),
        "specials_when": Setting(
            _("Sonderpunkte stehen"), _("Vor den Verdopplungen, danach, nur vor dem Bock, oder sie werden eigens bezahlt."),
            {
                **dict.fromkeys(_WHEN, _("Sonderpunkte werden %(when)s gerechnet.")),
                "paid": _("Sonderpunkte werden einzeln ausgezahlt und verändern den Wert des Spiels nicht."),
            },
            matters=lambda settings: _have_worth(settings) and (settings["specials_when"] == "paid" or _doubles(settings)),
        ),
        "specials_in_solo": Setting(
            _("Sonderpunkte im Solo"), _("Keine, alle, oder je nach Solo."),
            {
                "none": _("Im Solo gibt es keine Sonderpunkte."),
                "all": _("Im Solo zählen alle Sonderpunkte."),
                "by_kind": _("Im Solo zählen die Sonderpunkte, die zu seinen Trümpfen passen."),
            },
            matters=lambda settings: bool(settings["specials"]) and _has_solos(settings),
        ),
        "special_payer": Setting(
            _("Sonderpunkte bezahlt"), _("Die Kasse oder die andere Partei."),
            {
                "kasse": _("Einzeln ausgezahlte Sonderpunkte zahlt die Kasse."),
                "players": _("Einzeln ausgezahlte Sonderpunkte zahlen die Gegner."),
            },
            matters=lambda settings: _have_worth(settings) and settings["specials_when"] == "paid", needs="specials_when",
            search=_("Kasse"),
        ),
    },
    _("Solo"): {
        "solo_times": Setting(
            _("Solo zählt"), _("Wievielfach der Wert eines Solos ist."),
            {
                1: _("Ein Solo zählt so viel wie ein anderes Spiel."),
                **dict.fromkeys((2, 3), _("Ein Solo zählt das %(times)s-Fache.")),
            },
            check=number(1, 3),
            in_rows=False,
            matters=_has_solos,
            search=_("Solo doppelt, Solo dreifach"),
        ),
        "soloist_share": Setting(
            _("Der Solist bekommt"), _("Wie oft der Solist den Wert bekommt oder zahlt."),
            {
                1: _("Der Solist bekommt oder zahlt den Wert einmal, wie jeder Gegner."),
                **dict.fromkeys((2, 3), _("Der Solist bekommt oder zahlt das %(times)s-Fache.")),
                "opponents": _("Der Solist bekommt oder zahlt den Wert einmal für jeden Gegner."),
            },
            matters=lambda settings: (
                _has_solos(settings) or any(row.get("like") == RAMSCH for row in settings.get("per_kind", {}).values())
            ),
            search=_("Solo dreifach, mit jedem abgerechnet"),
        ),
        "solo_point": Setting(
            _("Solopunkt"), _("Was der Gewinner bestimmter Soli zusätzlich bekommt."),
            nothing=_("Einen Solopunkt gibt es nicht."),
            check=either(one_of(0), fields({"points": _AMOUNT, "kinds": _keys, "when": one_of(*_WHEN)})),
            matters=_has_solos,
            search=_("Extrapunkt im Solo"),
        ),
        "duty_solo": Setting(
            _("Pflichtsolo"), _("In wie vielen Umläufen jeder eines spielen muss."),
            nothing=_("Ein Pflichtsolo gibt es nicht."),
            check=either(one_of(None), fields({"rounds": number(1, 99)})),
            in_rows=False,
            matters=_has_solos,
            search=_("Vorführung, Zwangssolo"),
        ),
    },
    _("Wer was aufschreibt"): {
        "counting": Setting(
            _("Zählweise"), _("Plus und Minus, nur das Plus oder nur das Minus."),
            {
                "plus_minus": _("Gewinner schreiben Plus, Verlierer Minus."),
                "winners": _("Nur die Gewinner schreiben etwas auf."),
                "losers": _("Nur die Verlierer schreiben etwas auf."),
            },
            split=True,
            search=_("Pluspunkte, Minuspunkte, Nullsumme"),
        ),
        "negative": Setting(
            _("Wert unter null"), _("Ob ein Gewinner zahlt, wenn die Gegenpartei mehr Sonderpunkte hat."),
            {
                "keep": _("Überwiegen die Sonderpunkte der Verlierer, zahlt der Gewinner."),
                "zero": _("Überwiegen die Sonderpunkte der Verlierer, zählt das Spiel nichts."),
            },
            matters=lambda settings: _have_worth(settings) and settings["specials_when"] != "paid",
        ),
        "sitter": Setting(
            _("Wer aussetzt"), _("Bekommt nichts, so viel wie ein Gewinner, oder so viel wie Kontra oder Re."),
            {
                "nothing": _("Fürs Aussetzen gibt es nichts."),
                "winners": _("Fürs Aussetzen gibt es so viel wie für einen Gewinner."),
                "kontra": _("Aussetzen zählt wie Kontra."),
                "re": _("Aussetzen zählt wie Re, im Solo wie die Gegner."),
            },
            search=_("Aussetzer, Geber zu fünft"),
        ),
    },
    _("Am Tisch"): {
        "deal_stays": Setting(
            _("Der Geber bleibt"), _("Wonach derselbe noch einmal gibt."),
            nothing=_("Nach jedem Spiel gibt der Nächste."),
            check=subset_of(labels.DEAL_STAYS),
            in_rows=False,
            search=_("noch einmal geben"),
        ),
        "seating": Setting(
            _("Wer spielt"), _("Bei sechs und mehr am Tisch: welche Sitze links vom Geber spielen."),
            check=_seating,
            in_rows=False,
            search=_("zu sechst, zu siebt, zu acht, Aussetzer"),
        ),
    },
    _("Einzelne Spiele"): {
        "per_kind": Setting(
            _("Je Spielart"), _("Was in einzelnen Spielarten anders ist, und die eigenen."),
            check=_per_kind,
            default={},
            in_rows=False,
            search=_("Nullo, Ramsch, Schieberamsch, Köhler, Martin, Bordell, Kloster, Kontrasolo"),
        ),
    },
    _("Bock"): {
        "bock": Setting(
            _("Bock"), _("Was Bockspiele auslöst, wie lange sie dauern und was sie zählen."),
            nothing=_("Bock gibt es nicht."),
            check=_bock,
            in_rows=False,
            search=_("Bockrunde, Bockspiel, Doppelbock"),
        ),
    },
    _("Außerdem"): {
        "text": Setting(
            _("Weitere Hausregeln"), _("Was sonst gilt und nicht gezählt wird."),
            nothing=_("Sonst ist nichts aufgeschrieben."),
            check=text(MAX_TEXT_LENGTH, blank=True),
            default="",
            in_rows=False,
            search=_("schmeißen, fünf Neunen, Getränke, Hausordnung"),
        ),
    },
}
SETTINGS: Final = {key: setting for section in SECTIONS.values() for key, setting in section.items()}
# The keys of the Bock, in the order of the page. All of them need the setting `bock`, some of them also another one.
BOCK: Final[dict[str, Setting]] = {
    "triggers": Setting(
        _("Auslöser"), _("Welche Spiele Bock auslösen."),
        nothing=_("Nichts löst einen Bock aus."),
        check=_keys,
        needs="bock",
    ),
    "per_game": Setting(
        _("Je Spiel"), _("Ob ein Spiel einen Bock auslöst oder einen für jeden Grund."),
        {"one": _("Ein Spiel löst höchstens einen Bock aus."), "each": _("Jeder Grund löst einen eigenen Bock aus.")},
        matters=lambda settings: (
            _starts_bock(settings) and (len(settings["bock"]["triggers"]) > 1 or "manual" in settings["bock"]["triggers"])
        ),
        needs="bock",
    ),
    "length": Setting(
        _("Länge"), _("Wie viele Spiele ein Bock dauert; meist so viele, wie am Tisch sitzen."),
        check=either(one_of("table", "deal"), number(1, 99)),
        matters=_starts_bock, needs="bock",
    ),
    "overlap": Setting(
        _("Mehrere Böcke"),
        _("Angehängt, nebeneinander, von vorn, kein neuer, solange einer läuft, oder aufgefüllt bis zur höchsten Stufe."),
        {
            "append": _("Ein Bock im Bock wird hinten angehängt."),
            "stack": _("Ein Bock im Bock läuft gleichzeitig und verdoppelt noch einmal (Doppelbock)."),
            "extend": _("Ein Bock im Bock lässt den laufenden von vorn beginnen."),
            "ignore": _("Ein Bock im Bock zählt nicht."),
            "fill": _(
                "Ein Bock im Bock macht die nächsten Spiele zum Doppelbock; was über die höchste Stufe geht, hängt hinten an."
            ),
        },
        matters=_starts_bock, needs="bock",
        search=_("Doppelbock, Bock im Bock"),
    ),
    "cap": Setting(
        _("Höchste Stufe"), _("Mehr als so viele Böcke zählen nicht nebeneinander."),
        check=number(1, MAX_CAP),
        matters=lambda settings: _starts_bock(settings) and settings["bock"]["overlap"] in ("stack", "fill"), needs="bock__overlap",
        search=_("Doppelbock"),
    ),
    "effect": Setting(
        _("Wirkung"), _("Ob Bock alles verdoppelt, nur das Spiel ohne Sonderpunkte, oder Punkte dazugibt."),
        check=either(one_of("all", "game"), fields({"add": _AMOUNT})),
        matters=_starts_bock, needs="bock",
    ),
    "factor": Setting(
        _("Je Stufe"), _("Wievielfach jede Stufe zählt, oder je Stufe einmal mehr."),
        {
            2: _("Jeder weitere Bock verdoppelt: doppelt, vierfach, achtfach."),
            3: _("Jeder weitere Bock verdreifacht."),
            4: _("Jeder weitere Bock vervierfacht."),
            "linear": _("Jeder weitere Bock zählt einmal mehr: doppelt, dreifach, vierfach."),
        },
        default=2,
        matters=_multiplies, needs="bock__effect",
        search=_("dreifach, linear"),
    ),
    "drawn": Setting(
        _("Ohne Gewinner"), _("Ob ein Bockspiel, das niemand gewinnt, trotzdem mehrfach zählt."),
        {
            "doubled": _("Auch wenn niemand gewinnt, zählt ein Bockspiel mehrfach."),
            "plain": _("Gewinnt niemand, zählt ein Bockspiel einfach."),
        },
        default="doubled",
        matters=lambda settings: _multiplies(settings) and _nobody_can_win(settings), needs="bock__effect",
    ),
    "duty_solo_uses": Setting(
        _("Pflichtsolo im Bock"), _("Ob ein Pflichtsolo ein Bockspiel ist und eines verbraucht."),
        {
            True: _("Ein Pflichtsolo ist ein Bockspiel wie jedes andere."),
            False: _("Ein Pflichtsolo zählt einfach und verbraucht kein Bockspiel."),
        },
        matters=lambda settings: _starts_bock(settings) and settings["duty_solo"] is not None, needs="duty_solo",
    ),
    "carry": Setting(
        _("Über den Abend hinaus"), _("Ob übrige Bockspiele am nächsten Abend weitergehen."),
        {
            True: _("Übrige Bockspiele gelten am nächsten Abend derselben Leute weiter."),
            False: _("Übrige Bockspiele verfallen am Ende des Abends."),
        },
        matters=_starts_bock, needs="bock",
    ),
}
# Settings that only a row of `per_kind` has.
ROW_ONLY: Final[dict[str, Setting]] = {
    "times": Setting(
        _("Das Spiel zählt"), "", factors=(_("Das Spiel zählt einfach."), _("Das Spiel zählt das %(times)s-Fache.")), default=1
    ),
    "in_bock": Setting(
        _("Im Bock"),
        "",
        {
            "plays": _("Im Bock ist es ein Bockspiel wie jedes andere."),
            "plain": _("Im Bock zählt es einfach und verbraucht ein Bockspiel."),
            "skips": _("Im Bock zählt es einfach und verbraucht kein Bockspiel."),
            "keeps": _("Im Bock zählt es mehrfach und verbraucht kein Bockspiel."),
        },
        default="plays",
    ),
}
# By the names of the fields of the form.
BY_FIELD: Final = SETTINGS | {f"bock__{key}": setting for key, setting in BOCK.items()}
IN_ROWS: Final = {key: setting for key, setting in SETTINGS.items() if setting.in_rows} | ROW_ONLY
DEFAULTS: Final = {key: setting.default for key, setting in SETTINGS.items() if not setting.needed}
BOCK_DEFAULTS: Final = {key: setting.default for key, setting in BOCK.items() if not setting.needed}
# The codes for the scripts, under `codes` of the rule set.
FOR_SCRIPTS: Final = {
    "partner": PARTNER_KINDS,
    "quiet": QUIET_SOLOS,
    "specials": SPECIALS,
    "said": SAID,
    "defaults": DEFAULTS,
    "bock": BOCK_DEFAULTS,
}


def _split(check: Check) -> Check:
    return either(check, fields({"partner": check, "solo": check}))


_CHECKS: Final = {
    key: _split(setting.build_check()) if setting.split else setting.build_check() for key, setting in SETTINGS.items()
}
_ROW_CHECKS: Final = {key: setting.build_check() for key, setting in IN_ROWS.items()}
_BOCK_CHECKS: Final = {key: setting.build_check() for key, setting in BOCK.items() if setting.needed}
_OPTIONAL_BOCK_CHECKS: Final = {key: BOCK[key].build_check() for key in BOCK_DEFAULTS}
# `carry` is the same for all sizes of table, so it may be left out of `at`.
_BOCK_AT: Final = either(
    one_of(None),
    fields(
        {key: check for key, check in _BOCK_CHECKS.items() if key != "carry"},
        {"carry": _BOCK_CHECKS["carry"], **_OPTIONAL_BOCK_CHECKS},
    ),
)


def validate_settings(data: object) -> dict[str, Sentence]:
    if not isinstance(data, Mapping):
        return {"settings": Sentence(_("Das sind keine Einstellungen."))}
    faults = find_faults(data, _CHECKS, needed=_CHECKS.keys() - DEFAULTS.keys(), also="at")
    if (fault := _validate_at(data.get("at", {}))) is not None:
        faults["at"] = fault
    if not faults:
        for other in ({}, *data.get("at", {}).values()):
            faults |= _find_unknown({**DEFAULTS, **data, **other})
    return faults


def _validate_at(value: Any) -> Sentence | None:
    if not isinstance(value, Mapping) or not set(value) <= {str(table) for table in TABLES}:
        return Sentence(_("Bitte andere Werte nur für 4 bis 8 am Tisch angeben."))
    known = {key: check for key, check in _CHECKS.items() if key != "text"} | {"bock": _BOCK_AT}
    for other in value.values():
        if not isinstance(other, Mapping) or not set(other) <= set(known):
            return Sentence(_("Bitte je Tischgröße nur bekannte Einstellungen angeben."))
        if (fault := first_fault(known[key](entry) for key, entry in other.items())) is not None:
            return fault
    return None


def _find_unknown(data: Mapping[str, Any]) -> dict[str, Sentence]:
    """Return a sentence for each setting that names a kind, special point or word that this rule set does not have."""
    own = {word: row["like"] for word, row in data["per_kind"].items() if word not in WORDS}
    words = {*WORDS, *own}
    alone = {*SOLO_KINDS, *(kind for kind, like in own.items() if like not in PARTNER_KINDS)}
    triggers = {*labels.TRIGGERS, *(SPECIAL_PREFIX + key for key in data["specials"]), *(KIND_PREFIX + word for word in words)}

    def solo_point(row: Mapping[str, Any]) -> list[str]:
        return row["solo_point"]["kinds"] if row.get("solo_point") else []

    named = {
        "kinds": (data["kinds"], {*KINDS, *own}),
        "specials": ([w for row in data["specials"].values() if type(row) is not int for w in row.get("kinds", ())], words),
        "solo_point": (solo_point(data), alone),
        "per_kind": ([kind for row in data["per_kind"].values() for kind in solo_point(row)], alone),
        "bock": (data["bock"]["triggers"] if data["bock"] else [], triggers),
    }  # fmt: skip
    return {
        key: Sentence(_("„%(name)s“ gibt es in diesem Regelwerk nicht. Bitte weglassen oder angeben, was es ist."), {"name": name})
        for key, (names, known) in named.items()
        for name in names
        if name not in known
    }  # fmt: skip
