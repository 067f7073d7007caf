"""What the scripts of the table's page say and know at every table: a file for each language, which a phone asks for once."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from django.conf import settings
from django.contrib.staticfiles.finders import BaseFinder
from django.core.files.base import ContentFile
from django.core.files.storage import FileSystemStorage, Storage
from django.core.serializers.json import DjangoJSONEncoder
from django.utils.translation import gettext as _
from django.utils.translation import override

from scoring.play.texts import WON
from scoring.rules import labels
from scoring.rules.constants import FOR_SCRIPTS
from scoring.table.drawing import narrow
from scoring.table.words import ODD, odd_question


def words(language: str) -> dict[str, Any]:
    """All that is the same at every table; what a rule set calls its own things is added by the page."""
    with override(language):
        return {
            "texts": texts(),
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
            yield _write(language)

    def find(self, path: str, find_all: Any = False, **kwargs: Any) -> Any:
        for language, _name in settings.LANGUAGES:
            if path == _name_of(language):
                name, storage = _write(language)
                return [storage.path(name)] if find_all else storage.path(name)
        return []


def _name_of(language: str) -> str:
    return f"table/{language}.js"


def _write(language: str) -> tuple[str, Storage]:
    storage = FileSystemStorage(settings.VAR / "texts", allow_overwrite=True)
    content = f"globalThis.WORDS={json.dumps(words(language), cls=DjangoJSONEncoder, ensure_ascii=False)}"
    return storage.save(_name_of(language), ContentFile(content.encode())), storage


def texts() -> dict[str, Any]:
    """The sentences the script says; {…} are filled in by it."""
    return {
        "game": _("Spiel {n}"),
        "game_of": _("Spiel {n} von {planned}"),
        "full": _("Alle {n} gespielt"),
        "is_full": _("Alle geplanten Spiele sind gespielt."),
        "all": _("alle"),
        "all_others": _("alle anderen"),
        "cycle": _("Umlauf {n}"),
        "bock": _("Bock: noch {n}"),
        "bock_game": _("aus Spiel {n}"),
        "bock_games": _("aus den Spielen {n}"),
        "need_re": _("Wer ist Re?"),
        "need_partner": _("Wer ist noch Re?"),
        "need_soloist": _("Wer spielt das Solo?"),
        "need_kind": _("Vorführung: Welches Solo spielt {name}?"),
        "need_out": _("{out} setzen aus: noch {n} antippen."),
        "need_winners": _("Bitte antippen, wer gewonnen hat."),
        "need_result": _("Es fehlt noch das Ergebnis."),
        "need_base": _("Es fehlen noch die Punkte."),
        "lacks": _("Es fehlen {who} und {end}"),
        "lacks_one": _("Es fehlt noch: {who}"),
        "lacks_re": _("Re"),
        "lacks_partner": _("Partner"),
        "lacks_soloist": _("Solist"),
        "lacks_loser": _("Verlierer"),
        "lacks_winners": _("Gewinner"),
        "lacks_result": _("Ergebnis"),
        "lacks_base": _("Punkte"),
        "need_last": _("Bei 120 zu 120: Welche Ansage kam zuletzt?"),
        "check": _("Das passt noch nicht zusammen."),
        "brings_one": _("bringt 1 Bockspiel"),
        "brings": _("bringt {n} Bockspiele"),
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
        "penalty": narrow("penalty", ""),
        "tap_punishes": _("Ein Tipp genügt; zurücknehmen geht danach."),
        "other_points": _("Andere Punkte oder ein anderer Grund"),
        "again": _("Noch einmal senden"),
        "mend": _("Ändern"),
        "discard": _("Verwerfen"),
        "held": _(
            "{label} wartet noch auf Versand. „Eintragen“ setzt, was jetzt in der Eingabe steht, an seine Stelle."
        ),
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
        "somebody": _("jemand anders"),
        "adopt": _("Unter meinem Namen eintragen"),
        "odd": odd_question(),
        **{f"odd_{code}": _(sentence) for code, sentence in ODD.items()},
        # What is missing from games that not all rule sets have.
        "need_party": _("Bitte antippen, welche Partei gewonnen hat."),
        "need_loser": _("Bitte antippen, wer verloren oder alles gemacht hat."),
        "need_ramsch": _("Bitte antippen, wie der Ramsch ausging."),
        "need_answer": _("Welche Ansage kam zuletzt?"),
        # For whoever may say who sits at the table, and put a forgotten line between others.
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
        # Where the page came without HTTPS.
        "plain": _("Ohne Netz: diese Seite offen lassen"),
        "plain_why": _(
            "Diese Seite kommt ohne HTTPS. Was eingetragen wird, wartet ohne Netz auf diesem Telefon und geht hinaus, "
            "solange sie offen ist. Mit HTTPS ließe sie sich auch ohne Netz öffnen, der Bildschirm bliebe an, und sie käme "
            "als App auf den Startbildschirm."
        ),
        "uneven_games": _(
            "Die Probe ist nicht 0: Nach diesen Regeln gleichen sich Gewinn und Verlust nicht in jedem Spiel aus."
        ),
        "uneven_others": _(
            "Die Probe ist nicht 0: Bei Strafpunkten oder einer Berichtigung gleichen sich die Punkte nicht aus."
        ),
        # The drawer of the Kasse.
        "everybody": _("Auch wer hier nicht sitzt"),
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
