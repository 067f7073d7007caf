"""The sentences of the table: labels, log entries, remarks, previews, and the file of sentences for the scripts."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Any, Final

from django.conf import settings
from django.contrib.staticfiles.finders import BaseFinder
from django.core.files.base import ContentFile
from django.core.files.storage import FileSystemStorage, Storage
from django.core.serializers.json import DjangoJSONEncoder
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext, override

from scoring.cash.evening.queries import preview_money
from scoring.cash.evening.texts import describe_closed_month, describe_money_changes
from scoring.club.models import Change, Verb
from scoring.club.texts import (
    ChangeFormat,
    ChangeFormats,
    LabeledValues,
    Names,
    Values,
    format_table_and_day,
    get_person_name,
)
from scoring.core.formats import format_cycle, format_day, format_month
from scoring.play.models import Evening, Game
from scoring.play.queries import Row, Sheet
from scoring.play.replay import Effect
from scoring.play.texts import WON, describe_effects, describe_line, describe_line_briefly
from scoring.rules import labels
from scoring.rules.constants import ALL_EYES, KONTRA_NO_EYES, KONTRA_NO_TRICK, RE_NO_EYES, RE_NO_TRICK, SPECIAL_PREFIX
from scoring.rules.outcome import Worth
from scoring.rules.parsing import GameFacts, OtherFacts, ShortFacts, parse_game
from scoring.rules.settings import RuleSettings
from scoring.rules.settings_schema import FOR_SCRIPTS
from scoring.rules.sheet import LineResult, find_oddities
from scoring.rules.validation import Refused
from scoring.rulesets.texts.rule_sets import render_rule_set
from scoring.rulesets.texts.settings import get_special_name
from scoring.table.actions.games import Saved, Typed
from scoring.table.models import LateEntry
from scoring.table.queries import list_closed_months


def get_narrow_name(form: str, label: str) -> str:
    """Return the name of a line that is no game, with soft hyphens, since not every browser can hyphenate German."""
    broken = {"correction": _("Berich-tigung"), "penalty": _("Straf-punkte")}.get(form, label)
    return broken.replace("-", "\u00ad")


def get_line_label(row: Row) -> str:
    return row.label if row.number is not None else get_narrow_name(row.game.form, row.label)


def get_eyes(row: Row) -> dict[str, Any] | None:
    """Return the eyes of a game; None for other lines and for games decided without eyes.

    `least` is what Re has, and `more` what it may have above that if a range was entered; `re` and `kontra` are the texts."""
    facts = row.result.facts
    if not isinstance(facts, GameFacts) or (facts.eyes is None and not facts.band):
        return None
    low, _dash, high = str(facts.band if facts.eyes is None else facts.eyes).partition("-")
    least, most = int(low), int(high or low)
    re, kontra = _format_range(least, most), _format_range(ALL_EYES - most, ALL_EYES - least)
    return {"least": least, "more": most - least, "re": re, "kontra": kontra}


def _format_range(least: int, most: int) -> str:
    return str(least) if least == most else f"{least}–{most}"


# What is missing from the form is told by one sentence with these parts, at the tiles and at the button.
LACKS: Final = {
    "tap": gettext_noop("Antippen: {what}"),
    "lacks": gettext_noop("Es fehlt: {what}"),
    "lacks_re": gettext_noop("wer Re ist"),
    "lacks_partner": gettext_noop("wer noch Re ist"),
    "lacks_soloist": gettext_noop("wer das Solo spielt"),
    "lacks_out": gettext_noop("wer aussetzt (noch {n})"),
    "lacks_winners": gettext_noop("wer gewonnen hat"),
    "lacks_result": gettext_noop("Augen"),
    "lacks_base": gettext_noop("Punkte"),
    "lacks_last": gettext_noop("letzte Ansage (bei 120 zu 120)"),
    "lacks_party": gettext_noop("welche Partei gewonnen hat"),
    "lacks_loser": gettext_noop("wer verloren oder alles gemacht hat"),
    "lacks_ramsch": gettext_noop("wie der Ramsch ausging"),
    "lacks_answer": gettext_noop("letzte Ansage"),
}


def describe_done(change: Change) -> str:
    """Describe a change; a line that is no game is named as such."""
    values = change.after or change.before or {}
    line, done = _OTHER_LINES.get(values.get("form", "")), _LINE_VERBS.get(change.verb)
    return _(done) % {"line": _(line)} if line and done else change.done


def describe_done_games(change: Change, numbers: Collection[int]) -> str:
    """Describe several changes of one kind, with the numbers of their games."""
    done = _LINE_VERBS.get(change.verb)
    if not done or not numbers:
        return describe_done(change)
    first, last = min(numbers), max(numbers)
    games = _("Spiele %(first)s–%(last)s") if first < last else _("Spiel %(number)s")
    return _(done) % {"line": games % {"first": first, "last": last, "number": first}}


def describe_remarks(sheet: Sheet, row: Row) -> list[str]:
    lines = []
    if row.turn is not None:
        sentence = _("Gegeben hat %(dealer)s; an der Reihe wäre %(turn)s gewesen.")
        lines.append(sentence % {"dealer": row.dealer, "turn": row.in_turn})
    return lines + list_remarks(row.result, sheet.table.rule_set.rules)


def list_remarks(played: LineResult, rules: RuleSettings) -> list[str]:
    """Return a sentence for each thing about a saved line that deserves a second look. Most lines have none."""
    facts, outcome = played.facts, played.outcome
    if isinstance(facts, OtherFacts):
        return []
    rules = rules.at(facts.table)
    bocks = _remark_on_bocks(facts, played.bock_started, rules)
    if isinstance(facts, ShortFacts):
        return [*bocks]
    remarks = [*_remark_on_result(facts), *_remark_on_specials(facts, outcome, rules)]
    if outcome.winner is not None and (outcome.value < 0 if outcome.winner == "re" else outcome.value > 0):
        remarks.append(_("Der Verlierer gewinnt Punkte, weil er mehr Sonderpunkte hat."))
    if facts.dealer is not None and rules.sitters and facts.out != rules.out_by_dealer.get(facts.dealer, facts.out):
        remarks.append(_("Es setzt aus, wer bei diesem Geber sonst mitspielt."))
    return [*remarks, *bocks]


def _remark_on_result(facts: GameFacts) -> Iterator[str]:
    party = "re" if facts.zone in (RE_NO_TRICK, RE_NO_EYES) else "kontra"
    several = facts.solo and party == "kontra"
    if facts.zone in (RE_NO_TRICK, KONTRA_NO_TRICK):
        text = _("%(party)s hat keine Augen und damit keinen Stich gemacht.")
        if several:
            text = _("%(party)s haben keine Augen und damit keinen Stich gemacht.")
    elif facts.zone in (RE_NO_EYES, KONTRA_NO_EYES):
        text = _("%(party)s hat einen Stich ohne Augen gemacht und ist nicht ohne Stich.")
        if several:
            text = _("%(party)s haben einen Stich ohne Augen gemacht und sind nicht ohne Stich.")
    else:
        return
    yield text % {"party": _((labels.ALONE if facts.solo else labels.PARTIES)[party])}


def _remark_on_specials(facts: GameFacts, outcome: Worth, rules: RuleSettings) -> Iterator[str]:
    entered = {*facts.re_specials, *facts.kontra_specials, *facts.game_specials}
    counted = {step.code.removeprefix(SPECIAL_PREFIX) for step in outcome.steps}
    for special in sorted(entered - counted):
        row = rules.specials[special]
        if row.times == 1 and not any(row.points):
            continue
        if rules.special_counts(special, facts.kind, facts.duty):
            text = _("Niemand hat gewonnen; der Sonderpunkt „%(special)s“ zählt deshalb nicht.")
        elif facts.solo:
            text = _("Der Sonderpunkt „%(special)s“ zählt in diesem Solo nicht.")
        else:
            text = _("Der Sonderpunkt „%(special)s“ zählt in diesem Spiel nicht.")
        yield text % {"special": get_special_name(special, rules.special_names)}


def _remark_on_bocks(facts: GameFacts | ShortFacts, games: int, rules: RuleSettings) -> Iterator[str]:
    """Remark that fewer Bocks started than were entered: the rules take one of several, or none while others are open."""
    if facts.starts_bock * rules.bock_games <= games:
        return
    if games:
        text = _("Selbst eingetragen sind %(typed)s Böcke; nach diesen Regeln hat nur einer begonnen.")
        yield text % {"typed": facts.starts_bock}
    else:
        yield _("Der selbst eingetragene Bock hat nicht begonnen: Nach diesen Regeln laufen erst die übrigen zu Ende.")


def _describe_closed_month_of(season: str, month: str) -> str:
    """Describe a closed month of a season, or of the Kasse if `season` is empty."""
    if not season:
        return describe_closed_month(month)
    values = {"month": format_month(month), "season": season}
    return _("%(month)s ist in der Liga „%(season)s“ abgeschlossen: Über einen Nachtrag entscheidet ein Verwalter.") % values


# The static file with the sentences of a language for the scripts.
FILE_NAME: Final = "table/{}.js"
# Questions before a game is saved, by the codes of rules/sheet.py.
ODD: Final = {
    "foxes": gettext_noop("Mehr als zwei Füchse?"),
    "karlchen": gettext_noop("Mehr als zwei Kreuz-Buben?"),
    "last_trick": gettext_noop("Der letzte Stich bei beiden?"),
    "doppelkopf": gettext_noop("So wenige Augen mit Doppelkopf?"),
    "eyes": gettext_noop("So wenige Augen?"),
    "sides": gettext_noop("Abgesagt und selbst darunter: Seiten vertauscht?"),
    "second_duty": gettext_noop("Noch ein Pflichtsolo derselben Person?"),
    "free_solo": gettext_noop("Ein Lustsolo vor dem Pflichtsolo?"),
}


def describe_oddities(typed: Typed, rules: RuleSettings, owing: Collection[int]) -> list[str]:
    """Return what is odd about a played game, to be confirmed; `owing` are the seats that owe a Pflichtsolo."""
    if typed.form != Game.Form.PLAYED:
        return []
    try:
        facts = parse_game(typed.facts, rules, typed.dealer)
    except Refused:
        return []
    return [_(ODD[code]) for code in find_oddities(facts, rules, owing)]


def get_oddity_question() -> str:
    return _("Wenn es stimmt, noch einmal tippen.")


def describe_later_evenings(saved: Saved) -> list[str]:
    """Say on which later evenings lines changed because they carry on the open Bock games of this one."""
    evenings = [effect.records.table.evening for effect in saved.effects]
    own = saved.records.table.evening_id
    return [
        ngettext(
            "Am Abend vom %(day)s ändert sich dadurch %(n)s Zeile.", "Am Abend vom %(day)s ändern sich dadurch %(n)s Zeilen.", lines
        )
        % {"day": format_day(evening.held_on), "n": lines}
        for evening, lines in Counter(evenings).items()
        if evening.pk != own
    ]


def describe_late_game(entry: LateEntry) -> str:
    if entry.table.evening.is_open:
        return _("Der Link für den Tisch gilt nicht mehr. Das Spiel liegt jetzt beim Schreiber des Tisches.")
    return _("Der Abend ist abgeschlossen. Das Spiel liegt jetzt beim Verwalter.")


def describe_late_fine(evening: Evening) -> str:
    if evening.is_open:
        return _("Der Link für den Tisch gilt nicht mehr. Das Strafgeld liegt jetzt beim Schreiber.")
    return _("Der Abend ist abgeschlossen. Das Strafgeld liegt jetzt beim Kassenwart.")


def label_seating(values: Values, names: Names, people: str) -> LabeledValues:
    labeled = render_rule_set(values, names)
    if values.get("players"):
        labeled[people] = ", ".join(get_person_name(names, pk) for pk in values["players"])
    if "planned_games" in values:
        labeled[_("Geplante Spiele")] = str(values["planned_games"] or _("so viele, wie es werden"))
    if values.get("carries_on"):
        table = names["carries_on"].get(values["carries_on"])
        labeled[_("Übrige Böcke von")] = format_table_and_day(table.number, table.evening.held_on) if table else ""
    return labeled


def _describe_seated(change: Change) -> str:
    """Describe a change of the line-up. Without a line-up before, it only restored a round for lines that were typed earlier."""
    return change.done if change.before is not None else _("Frühere Sitzordnung wieder auf dem Zettel")


def label_line_up(change: Change, values: Values, names: Names) -> LabeledValues:
    return label_seating(values, names, _("Am Tisch"))


def _label_line(change: Change, values: Values, names: Names) -> LabeledValues:
    return describe_line(values, *_get_seats_and_rules(values, names))


def _summarize_line(change: Change, names: Names) -> str:
    values = change.after or change.before
    return describe_line_briefly(values, *_get_seats_and_rules(values, names)) if values else ""


def _get_seats_and_rules(values: Values, names: Names) -> tuple[Callable[[int], str], RuleSettings | None]:
    rule_set, people = names["round"].get(values["round"], (None, {}))

    def seat(place: int) -> str:
        return people.get(place) or _("Sitz %(place)s") % {"place": place + 1}

    return seat, rule_set.rules.at(len(people)) if rule_set else None


def _label_moved_line(change: Change, values: Values, names: Names) -> LabeledValues:
    """Label the players of a moved line. All else stays the same, apart from the seat numbers."""
    _rule_set, people = names["round"].get(values["round"], (None, {}))
    return {_("Am Tisch"): ", ".join(people[place] for place in sorted(people))}


_OTHER_LINES: Final[dict[str, str]] = {
    Game.Form.PENALTY: gettext_noop("Strafpunkte"),
    Game.Form.CORRECTION: gettext_noop("Berichtigung"),
    Game.Form.REDEAL: gettext_noop("Neues Geben"),
}
_LINE_VERBS: Final[dict[str, str]] = {
    Verb.GAME_ADDED: gettext_noop("%(line)s eingetragen"),
    Verb.GAME_INSERTED: gettext_noop("%(line)s eingefügt"),
    Verb.GAME_MOVED: gettext_noop("%(line)s verschoben"),
    Verb.GAME_CORRECTED: gettext_noop("%(line)s berichtigt"),
    Verb.GAME_DELETED: gettext_noop("%(line)s gestrichen"),
    Verb.GAME_RESTORED: gettext_noop("%(line)s wiederhergestellt"),
}

CHANGES: Final[ChangeFormats] = {
    **dict.fromkeys(
        (
            Verb.GAME_ADDED,
            Verb.GAME_INSERTED,
            Verb.GAME_CORRECTED,
            Verb.GAME_DELETED,
            Verb.GAME_RESTORED,
            Verb.GAME_CAME_LATE,
            Verb.GAME_NOT_TAKEN,
        ),
        ChangeFormat(_label_line, _summarize_line, describe_done, subject=None),
    ),
    Verb.GAME_MOVED: ChangeFormat(_label_moved_line, done=describe_done, subject=None),
    Verb.TABLE_SEATED: ChangeFormat(label_line_up, done=_describe_seated, subject=None),
    **dict.fromkeys((Verb.TABLE_PLANNED, Verb.TABLE_CARRIES_ON, Verb.TABLE_REVALUED), ChangeFormat(label_line_up, subject=None)),
}


def describe_preview(sheet: Sheet, effects: Sequence[Effect]) -> list[str]:
    found = preview_money(effects)
    months = list_closed_months(effects, [evening for evening, _changes in found])
    closed = [_describe_closed_month_of(season, month) for month, season in months]
    return [*describe_effects(sheet, effects), *describe_money_changes(found), *closed]


def build_words(language: str) -> dict[str, Any]:
    """Return all words of a language that are the same at each table. The page adds the own names of a rule set."""
    with override(language):
        return {
            "texts": build_texts(),
            "labels": {code: _(label) for code, label in labels.STEPS.items()},
            "sides": {sort: {party: _(name) for party, name in sides.items()} for sort, sides in labels.SIDES.items()},
            "reasons": {code: _(text) for code, text in labels.REASONS.items()},
            "said": {said: _(label) for said, label in labels.SAID.items()},
            "kinds": {kind: _(label) for kind, label in labels.KINDS.items()},
            "codes": FOR_SCRIPTS,
        }


class TextsFinder(BaseFinder):
    """Write the sentences of each language into a static file, for collectstatic and runserver."""

    def list(self, ignore_patterns: Iterable[str] | None) -> Iterator[tuple[str, Storage]]:
        for language, _name in settings.LANGUAGES:
            yield _write_file(language)

    def find(self, path: str, find_all: Any = False, **kwargs: Any) -> Any:
        for language, _name in settings.LANGUAGES:
            if path == FILE_NAME.format(language):
                name, storage = _write_file(language)
                return [storage.path(name)] if find_all else storage.path(name)
        return []


def _write_file(language: str) -> tuple[str, Storage]:
    storage = FileSystemStorage(settings.VAR / "texts", allow_overwrite=True)
    content = f"globalThis.WORDS={json.dumps(build_words(language), cls=DjangoJSONEncoder, ensure_ascii=False)}"
    return storage.save(FILE_NAME.format(language), ContentFile(content.encode())), storage


def build_texts() -> dict[str, Any]:
    """Return the sentences of the scripts, which fill in {…}."""
    return {
        "game": _("Spiel {n}"),
        "game_of": _("Spiel {n} von {planned}"),
        "full": _("Alle {n} gespielt"),
        "is_full": _("Alle geplanten Spiele sind gespielt."),
        "all": _("alle"),
        "all_others": _("alle anderen"),
        "cycle": format_cycle("{n}"),
        "bock": _("Bock: noch {n}"),
        "bock_game": _("aus Spiel {n}"),
        "bock_games": _("aus den Spielen {n}"),
        "need_kind": _("Vorführung: Welches Solo spielt {name}?"),
        **{code: _(text) for code, text in LACKS.items()},
        "check": _("Das passt noch nicht zusammen."),
        "brings_one": _("bringt 1 Bockspiel"),
        "brings": _("bringt {n} Bockspiele"),
        "points_in_all": _("Punkte zusammen: {n}"),
        "saving": _("Wird gespeichert …"),
        "saved": _("Gespeichert: {label}."),
        **{code: _(text) for code, text in WON.items()},
        "known": _("Dieses Spiel war schon gespeichert."),
        "people": _("Die Leute am Tisch oder der Abend haben sich geändert. Bitte die Seite neu laden."),
        "forbidden": _("Nicht gespeichert: das Recht dazu fehlt oder die Seite ist zu alt. Bitte neu laden."),
        "no_net": _("Keine Verbindung"),
        "half": _("Von vorhin, noch nicht eingetragen."),
        "half_others": _("Von vorhin, für die, die da am Tisch saßen."),
        "waiting": _("wartet auf Versand"),
        "waits": _("1 wartet auf Versand"),
        "wait": _("{n} warten auf Versand"),
        "asking": _("wartet auf Antwort"),
        "asks": _("1 wartet auf Antwort"),
        "ask": _("{n} warten auf Antwort"),
        "earlier": _("davor"),
        "earlier_game": _("Das Spiel vor dem Wechsel"),
        "of_others": _(
            "Getippt ist es für die, die vorher am Tisch saßen, und kommt hinter ihr letztes Spiel. "
            "Ändern geht danach auf seiner Zeile."
        ),
        "kept": _("{label} ist noch nicht gespeichert: auf diesem Telefon, und wartet auf Versand."),
        "kept_here": _("{label} ist noch nicht gespeichert."),
        "only_here": _("Getipptes steht nur auf dieser Seite: bitte offen lassen."),
        "unread": _("Ältere Einträge auf diesem Telefon sind gerade nicht lesbar."),
        "not_taken": _("{label} wurde nicht angenommen."),
        "redeal": _("Neu gegeben"),
        "deals_now": _("Jetzt gibt {name}."),
        "penalty": get_narrow_name("penalty", ""),
        "tap_punishes": _("Für wen? Ein Tipp genügt; zurücknehmen geht danach."),
        "other_points": _("Andere Punkte oder ein anderer Grund"),
        "again": _("Noch einmal senden"),
        "mend": _("Ändern"),
        "discard": _("Verwerfen"),
        "held": _("{label} wartet noch auf Versand. „Eintragen“ setzt, was jetzt in der Eingabe steht, an seine Stelle."),
        "others_now": _("Am Tisch sitzen jetzt andere: Ändern lässt es sich hier nicht mehr."),
        "leave": _("Unverändert lassen"),
        "decide": _("Bitte erst ändern, was oben bemängelt ist, oder dort einen Knopf antippen."),
        "taken_back": _("Zurückgenommen."),
        "correct": _("Berichtigen"),
        "reason": _("Grund"),
        "because": _("Wegen"),
        "correcting": _("{label} wird berichtigt."),
        "correction_of": _("Berichtigung von {label}"),
        "strike": _("Streichen"),
        "ask_strike": _("{label} streichen?"),
        "deletion_of": _("Streichung von {label}"),
        "also_changed": _("Damit ändern sich auch: {games}."),
        "mine": _("Meine Fassung eintragen"),
        "anew": _("Als neues Spiel eintragen"),
        "same": _("Ja, dasselbe Spiel: meine Eingabe verwerfen"),
        "other": _("Nein, mein Spiel kam danach: auch eintragen"),
        "typed": _("Hier eingetippt: {what}"),
        "standing": _("Auf dem Zettel als {label}: {what}"),
        "others": _(
            "Auf diesem Telefon wartet noch, was {names} hier eingetippt hat ({n}). "
            "Es geht hinaus, sobald {names} diesen Tisch hier wieder öffnet."
        ),
        "another_user": _("jemand anders"),
        "adopt": _("Unter meinem Namen eintragen"),
        "odd": get_oddity_question(),
        **{f"odd_{code}": _(sentence) for code, sentence in ODD.items()},
        # For users who may seat players and insert lines.
        "insert": _("Davor einfügen"),
        "inserting": _("Kommt auf den Zettel vor {label}."),
        "line_up": _("Wechsel am Tisch"),
        "seated": _("Ab dem nächsten Spiel sitzen so: {names}."),
        "come": _("Wer setzt sich dazu?"),
        "tap_seats": _("Der neue Sitz ist zwischen {last} und {first}, ab dem nächsten Spiel."),
        "instead": _("Wer kommt für {name}?"),
        "new_name": _("Neuer Name"),
        "sit": _("Dazusetzen"),
        "go": _("Wer geht?"),
        "tap_goes": _("Ein Tipp, und der Sitz ist ab dem nächsten Spiel frei."),
        "tap_instead": _("Ein Tipp fragt, wer dafür kommt."),
        "swap_seats": _("Zwei tauschen die Sitze"),
        "swap": _("Welche zwei tauschen?"),
        "other_seats": _("Sitze neu ordnen oder auslosen"),
        "sits": _("Unter diesem Namen sitzt schon jemand am Tisch."),
        "who_out": _("Wer setzt aus?"),
        "re_row": _("Welche Seite ist Re?"),
        "won_row": _("Welche Seite hat gewonnen?"),
        "other_size": _("Für so viele am Tisch ist die Eingabe eine andere. Dazu braucht es eine Verbindung."),
        "seat_typed": _("Hier angetippt: {names}."),
        "seat_anyway": _("Trotzdem so setzen"),
        # For pages without HTTPS.
        "plain": _("Ohne Netz: diese Seite offen lassen"),
        "plain_why": _(
            "Diese Seite kommt ohne HTTPS. Was eingetragen wird, wartet ohne Netz auf diesem Telefon und geht hinaus, "
            "solange sie offen ist. Mit HTTPS ließe sie sich auch ohne Netz öffnen, der Bildschirm bliebe an, und sie käme "
            "als App auf den Startbildschirm."
        ),
        "uneven_games": _("Die Probe ist nicht 0: Nach diesen Regeln gleichen sich Gewinn und Verlust nicht in jedem Spiel aus."),
        "uneven_others": _("Die Probe ist nicht 0: Bei Strafpunkten oder einer Berichtigung gleichen sich die Punkte nicht aus."),
        # The drawer of the Kasse.
        "with_absent": _("Auch wer hier nicht sitzt"),
        "minutes": _("Minuten"),
        "cents": _("Betrag in Euro"),
        "no_minutes": _("Bitte die Minuten als ganze Zahl eingeben."),
        "no_cents": _("Bitte einen Betrag wie 3,50 eingeben."),
        "much": _("Das ist hier ungewöhnlich viel. Stimmt das, bitte noch einmal antippen; sonst hier ändern."),
        "enter": _("Eintragen"),
        "entered": _("Heute eingetragen"),
        "what_for": _("Wofür?"),
        "who_pays": _("Wer zahlt „{label}“?"),
        "tap_books": _("Ein Tipp bucht {price}; zurücknehmen geht danach."),
        "tap_minutes": _("Erst den Namen antippen, dann die Minuten eingeben."),
        "tap_cents": _("Erst den Namen antippen, dann den Betrag eingeben."),
        "pays": _("{name} zahlt für „{label}“: {price}."),
        "who_had": _("Wer hatte „{label}“?"),
        "undo": _("Rückgängig"),
        "struck": _("Gestrichen: {label}."),
        "brought_by": _("Mitgebracht von"),
    }
