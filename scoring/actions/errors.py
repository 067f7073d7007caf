"""One exception per broken rule, with the sentence the user reads. What the rules of the game refuse is `Refused` and
comes from the rules themselves."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.formats import date_format
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from scoring.models import Game, Player, RuleSet, Table
from scoring.rules.refused import Refused


class ActionRefused(Exception):
    """Something that cannot be done now; `sentence` says what to do instead, `status` says it in HTTP."""

    sentence = _("Das geht so nicht.")
    status = 409

    def __str__(self) -> str:
        return str(self.sentence)


class EveningIsClosed(ActionRefused):
    sentence = _("Der Abend ist abgeschlossen. Ein Verwalter kann ihn wieder öffnen.")


class LaterEveningIsClosed(ActionRefused):
    """Bock games that go on there would make its games worth something else."""

    sentence = _(
        "Das ändert auch den abgeschlossenen Abend vom %(day)s, der die offenen Böcke weiterspielt. "
        "Das kann nur ein Verwalter."
    )

    def __init__(self, later: Table) -> None:
        super().__init__()
        self.sentence = self.sentence % {"day": date_format(later.evening.held_on, "SHORT_DATE_FORMAT")}


class EveningIsOpen(ActionRefused):
    sentence = _("Der Abend ist noch offen.")


class EveningHasLines(ActionRefused):
    sentence = _("An diesem Abend wurde schon etwas eingetragen. Er bleibt, auch wenn alles gestrichen ist.")


class EveningIsCarriedOn(ActionRefused):
    sentence = _(
        "Ein späterer Abend spielt die offenen Böcke dieses Abends weiter. Bitte das an seinem Tisch zuerst wegnehmen."
    )


class CannotCarryOn(ActionRefused):
    sentence = _(
        "Weiterspielen lassen sich nur offene Böcke eines früheren Abends im selben Club, "
        "wenn beide Regelwerke das vorsehen."
    )
    status = 422


class CarriedOnElsewhere(ActionRefused):
    sentence = _("Diese offenen Böcke werden schon an einem anderen Tisch weitergespielt.")


class AnotherGameFirst(ActionRefused):
    """Behind the game that was named, another one stands already: `standing`. `last` is the one to name instead."""

    sentence = _("Inzwischen steht schon ein anderes Spiel auf dem Zettel. Ist das dasselbe Spiel?")

    def __init__(self, standing: Game | None, last: Game | None) -> None:
        super().__init__()
        self.standing = standing
        self.last = last


class KeyUsed(ActionRefused):
    """The key of a new game belongs to another one already."""

    sentence = _("Unter diesem Schlüssel ist schon ein anderes Spiel gespeichert.")
    status = 422


class WorthTooMuch(ActionRefused, Refused):
    """`game` would come to more than any game may: the line that was typed, or another one whose Bock it changes."""

    status = 422

    def __init__(self, game: Game, refused: Refused) -> None:
        Refused.__init__(self, refused.fields)
        self.game = game

    def __str__(self) -> str:
        return " ".join(gettext(fault.text) % fault.values for fault in self.fields.values())


class StaleVersion(ActionRefused):
    """Somebody else changed the game since it was read."""

    sentence = _("Jemand anderes hat dieses Spiel inzwischen geändert. Bitte beide Fassungen vergleichen.")

    def __init__(self, standing: Game) -> None:
        super().__init__()
        self.standing = standing


class GameIsDeleted(ActionRefused):
    sentence = _("Dieses Spiel wurde inzwischen gestrichen.")


class TooManyLate(ActionRefused):
    sentence = _("An diesem Tisch wartet schon zu viel auf eine Entscheidung. Bitte den Verwalter fragen.")


class LateEntryDecided(ActionRefused):
    sentence = _("Darüber hat inzwischen schon jemand entschieden.")


class NothingToUndo(ActionRefused):
    sentence = _("Das lässt sich nicht mehr rückgängig machen: danach ist schon etwas anderes geschehen.")


class WrongLineUp(ActionRefused):
    sentence = _("An einen Tisch gehören vier bis acht verschiedene Personen dieses Clubs.")


class NowhereToMove(ActionRefused):
    """Past the first or the last line of the sheet."""

    sentence = _("Dort ist der Zettel zu Ende: Weiter lässt sich das nicht verschieben.")


class PeopleMissing(ActionRefused):
    """Across a change of line-up, where not everybody sits whom the line needs."""

    def __init__(self, missing: Sequence[Player]) -> None:
        super().__init__()
        self.missing = missing

    def __str__(self) -> str:
        return ngettext(
            "Verschieben geht nicht: %(names)s sitzt dort nicht am Tisch. Bitte hier streichen und dort neu eintragen.",
            "Verschieben geht nicht: %(names)s sitzen dort nicht am Tisch. Bitte hier streichen und dort neu eintragen.",
            len(self.missing),
        ) % {"names": ", ".join(map(str, self.missing))}


class AlreadySeated(ActionRefused):
    sentence = _("Unter diesem Namen sitzt schon jemand am Tisch.")


class LineUpChanged(ActionRefused):
    """Seats were typed for people who sit there no more, and none of whose lines says where the new one belongs."""

    sentence = _(
        "Die Leute, für die das getippt ist, sitzen nicht mehr so am Tisch, und auf dem Zettel steht nichts von ihnen. "
        "Bitte verwerfen und für die eintragen, die jetzt dort sitzen."
    )


class TooManyPasswords(ActionRefused):
    """More passwords are being compared or set than are hashed at once; `come_again` says after how many seconds."""

    sentence = _("Gerade melden sich zu viele auf einmal an. Bitte in ein paar Sekunden noch einmal versuchen.")
    status = 503
    come_again = 2


class LoginHasClubs(ActionRefused):
    sentence = _("Diese Anmeldung gehört noch zu einem Club. Wer ihn verwaltet, kann sie herausnehmen.")


class LoginRunsInstallation(ActionRefused):
    sentence = _("Diese Anmeldung verwaltet die ganze Installation und bleibt.")


class LastAdmin(ActionRefused):
    sentence = _("Ein Club braucht mindestens einen Verwalter.")


class LoginTaken(ActionRefused):
    sentence = _(
        "Diesen Anmeldenamen gibt es schon. Bitte einen anderen wählen, oder die vorhandene Anmeldung einladen."
    )


class LoginUnknown(ActionRefused):
    sentence = _("Eine Anmeldung mit diesem Namen gibt es nicht.")


class AlreadyMember(ActionRefused):
    sentence = _("Diese Anmeldung gehört schon zum Club.")


class InvitationOver(ActionRefused):
    """Accepted, taken back, too old, replaced by another, or whoever gave it runs the club no more."""

    sentence = _("Diese Einladung gilt nicht mehr. Bitte den Verwalter des Clubs um eine neue.")


class LoginOfOthersToo(ActionRefused):
    sentence = _("Diese Anmeldung gehört auch zu einem anderen Club; ihr Passwort kann nur sie selbst ändern.")


class NotAMember(ActionRefused):
    sentence = _("Diese Anmeldung gehört nicht zum Club.")


class NewerVersion(ActionRefused):
    """Somebody else changed the rule set since it was read; `newest` is what it is now."""

    sentence = _("Inzwischen gibt es eine neuere Fassung. Noch einmal speichern ersetzt, was darin steht.")

    def __init__(self, newest: RuleSet) -> None:
        super().__init__()
        self.newest = newest


class RuleSetNameTaken(ActionRefused):
    sentence = _("Ein Regelwerk dieses Namens gibt es schon. Bitte einen anderen wählen.")
    status = 422


class NothingDiffers(ActionRefused):
    sentence = _("Daran ist nichts anders als bisher; es gibt keine neue Fassung.")


class RulesRefuseGames(ActionRefused):
    sentence = _("Nach diesen Regeln lassen sich nicht alle Spiele werten. Bitte erst diese Spiele berichtigen.")
    status = 422


class TableChanged(ActionRefused):
    sentence = _("Am Tisch hat sich inzwischen etwas geändert. Bitte noch einmal ansehen, was sich ändern würde.")


class ImportTooBig(ActionRefused):
    sentence = _("Das ist zu viel auf einmal. Bitte die Datei teilen, zum Beispiel nach Jahren.")
    status = 422


class RulesHaveBock(ActionRefused):
    sentence = _("Was ein Spiel brachte, steht in der Datei schon mit Bock. Bitte ein Regelwerk ohne Bock wählen.")
    status = 422


class ImportNotTaken(ActionRefused):
    sentence = _("Diese Datei ist nicht übernommen, oder sie ist schon zurückgenommen.")


class ImportBuiltOn(ActionRefused):
    sentence = _(
        "An den übernommenen Abenden hat sich seither etwas geändert, oder etwas anderes hängt an ihnen: "
        "Sie lassen sich nicht mehr zurücknehmen."
    )


class ImportPeopleChanged(ActionRefused):
    sentence = _(
        "Personen oder Regeln dieser Datei wurden seit der Übernahme geändert oder zusammengeführt: "
        "Sie lässt sich nicht mehr zurücknehmen."
    )


class ImportGone(ActionRefused):
    sentence = _("Diese Datei wurde inzwischen verworfen. Bitte noch einmal hochladen.")


class ImportMeanwhile(ActionRefused):
    """Somebody of the list was merged with somebody else, or is not there any more."""

    sentence = _("Personen oder Regeln dieser Liste haben sich inzwischen geändert. Bitte noch einmal ansehen.")


class SeasonsOverlap(ActionRefused):
    sentence = _("In diesen Tagen gibt es schon eine Saison, die in dieser Einheit zählt. Bitte andere Tage wählen.")


class SeasonChanged(ActionRefused):
    sentence = _("Jemand anderes hat die Saison inzwischen geändert. Bitte ansehen und noch einmal speichern.")


class ClosedMonthsStay(ActionRefused):
    sentence = _(
        "Abgeschlossene Monate bleiben mit ihren Tagen und ihrer Einheit in der Saison. Bitte andere Tage wählen."
    )


class CountingStays(ActionRefused):
    sentence = _(
        "In dieser Saison sind schon Monate abgeschlossen, und Ergebnisse verschiedener Wertungen lassen sich nicht "
        "zusammenzählen. Bitte die Saison früher enden lassen und für die neue Wertung eine neue anlegen."
    )


class MonthIsEmpty(ActionRefused):
    sentence = _("In diesem Monat hat noch niemand gespielt.")


class EarlierMonthOpen(ActionRefused):
    """`month` was played in before and is not closed."""

    sentence = _("Ein früherer Monat ist noch offen. Bitte erst den abschließen.")

    def __init__(self, month: str) -> None:
        super().__init__()
        self.month = month


class MonthChanged(ActionRefused):
    sentence = _("Inzwischen hat sich etwas geändert. Bitte noch einmal ansehen, was veröffentlicht würde.")


class ConfirmationNeeded(ActionRefused):
    sentence = _(
        "Der Monat ist noch nicht vorbei, oder ein Abend ist noch offen. Bitte ankreuzen, dass er trotzdem zählt."
    )
    status = 422


class NothingToPublish(ActionRefused):
    sentence = _("Der Monat ist abgeschlossen, und seither ist nichts anders.")


class MonthHasSupplement(ActionRefused):
    sentence = _("Zu diesem Monat gibt es schon einen Nachtrag. Was sich noch ändert, wird auch ein Nachtrag.")


class NothingToSupplement(ActionRefused):
    sentence = _("An den Ergebnissen dieses Monats ist seither nichts anders.")


class NoOpenMonth(ActionRefused):
    sentence = _("Die Saison hat keinen offenen Monat mehr. Der Monat lässt sich neu abschließen.")


class SatTogether(ActionRefused):
    sentence = _("Die beiden saßen schon zusammen an einem Tisch: Sie können nicht dieselbe Person sein.")


class TwoLogins(ActionRefused):
    sentence = _("Beide haben eine Anmeldung. Bitte erst eine davon unter „Ändern“ wegnehmen.")


class NameErased(ActionRefused):
    sentence = _("Der Name dieser Person ist entfernt worden. Das bleibt so.")


class ClubTooBusy(ActionRefused):
    sentence = _("Gerade wird in diesem Club viel eingetragen. Bitte gleich noch einmal versuchen.")


class AlreadyMerged(ActionRefused):
    sentence = _("Eine der beiden ist inzwischen schon mit jemandem zusammengeführt.")


class NotMerged(ActionRefused):
    sentence = _("Diese Person ist mit niemandem zusammengeführt.")


class MergeBuiltOn(ActionRefused):
    sentence = _(
        "Seither wurde weiter zusammengeführt oder eine Sitzordnung geändert, "
        "oder die Anmeldung gehört jetzt jemand anderem: Das lässt sich nicht mehr trennen."
    )


class ArchiveGone(ActionRefused):
    sentence = _("Hier wartet kein Archiv mehr, oder es ist inzwischen ein anderes. Bitte noch einmal ansehen.")


class ArchiveBuiltOn(ActionRefused):
    sentence = _("In diesem Club hat sich seither etwas geändert: Er lässt sich nicht mehr zurücknehmen.")


class ArchiveOutdated(ActionRefused):
    sentence = _("Das Archiv auf Ihrem Gerät ist nicht der Stand von jetzt. Bitte zuerst das Archiv herunterladen.")


class ArchiveRefused(ActionRefused):
    """An archive that cannot be taken in; `faults` says every place and what is wrong there."""

    sentence = _("Dieses Archiv lässt sich nicht einlesen.")
    status = 422

    def __init__(self, faults: Sequence[str]) -> None:
        super().__init__(*faults)
        self.faults = list(faults)
