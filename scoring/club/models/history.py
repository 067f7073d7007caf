"""What was done: one row per change, with ids and values only. Names are resolved when the history is shown, so
removing a person's name changes no row here. Rows are written once and never touched again, with two exceptions: erasing
a person takes out what is theirs (`privacy/actions/erasing.py`), and a club may forget old rows
(`privacy/actions/retention.py`)."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from .people import Club, Player


class Verb(models.TextChoices):
    EVENING_OPENED = "evening.opened", _("Abend begonnen")
    EVENING_CLOSED = "evening.closed", _("Abend abgeschlossen")
    EVENING_REOPENED = "evening.reopened", _("Abend wieder geöffnet")
    TABLE_ADDED = "table.added", _("Tisch dazugestellt")
    TABLE_SEATED = "table.seated", _("Sitzordnung geändert")
    TABLE_PLANNED = "table.planned", _("Geplante Spiele geändert")
    TABLE_CARRIES_ON = "table.carries_on", _("Übrige Böcke eines früheren Abends")
    TABLE_REVALUED = "table.revalued", _("Durch einen früheren Abend neu gewertet")
    EVENING_DISCARDED = "evening.discarded", _("Leerer Abend entfernt")
    EVENING_DROPPED = "evening.dropped", _("Abend zählt nicht mehr")
    EVENING_MENDED = "evening.mended", _("Abend berichtigt")
    EVENING_REMOVED = "evening.removed", _("Abend einer Datei entfernt")
    GAME_ADDED = "game.added", _("Spiel eingetragen")
    GAME_INSERTED = "game.inserted", _("Spiel eingefügt")
    GAME_MOVED = "game.moved", _("Spiel verschoben")
    GAME_CORRECTED = "game.corrected", _("Spiel berichtigt")
    GAME_DELETED = "game.deleted", _("Spiel gestrichen")
    GAME_RESTORED = "game.restored", _("Spiel wiederhergestellt")
    GAME_CAME_LATE = "game.came_late", _("Spiel zu spät angekommen")
    GAME_NOT_TAKEN = "game.not_taken", _("Zu spät angekommenes Spiel verworfen")
    PLAYER_ADDED = "player.added", _("Person aufgenommen")
    PLAYER_CHANGED = "player.changed", _("Person geändert")
    MEMBER_INVITED = "member.invited", _("In den Club eingeladen")
    MEMBER_UNINVITED = "member.uninvited", _("Einladung zurückgenommen")
    MEMBER_JOINED = "member.joined", _("Über einen Link beigetreten")
    MEMBER_CHANGED = "member.changed", _("Rechte geändert")
    LINK_MADE = "link.made", _("Link zum Beitreten gemacht")
    LINK_ENDED = "link.ended", _("Link zum Beitreten beendet")
    PLAYER_MERGED = "player.merged", _("Zwei Personen zusammengeführt")
    PLAYER_PARTED = "player.parted", _("Zusammenführung zurückgenommen")
    PLAYER_ERASED = "player.erased", _("Name einer Person entfernt")
    RULES_ADDED = "rules.added", _("Regelwerk angelegt")
    RULES_CHANGED = "rules.changed", _("Regelwerk geändert")
    RULES_RENAMED = "rules.renamed", _("Regelwerk umbenannt")
    RULES_MOVED = "rules.moved", _("Tisch nach anderen Regeln gewertet")
    SEASON_ADDED = "season.added", _("Saison angelegt")
    SEASON_CHANGED = "season.changed", _("Saison geändert")
    MONTH_CLOSED = "month.closed", _("Monat abgeschlossen")
    MONTH_SUPPLEMENTED = "month.supplemented", _("Nachtrag zu einem Monat")
    IMPORT_TAKEN = "import.taken", _("Datei übernommen")
    IMPORT_UNDONE = "import.undone", _("Übernahme zurückgenommen")
    CLUB_SHOWN = "club.shown", _("Geändert, was Fremde sehen")
    ARCHIVE_TAKEN = "archive.taken", _("Archiv eingelesen")
    CASH_BOOKED = "cash.booked", _("In der Kasse gebucht")
    CASH_REVERSED = "cash.reversed", _("Buchung storniert")
    CASH_TARIFF = "cash.tariff", _("Tarif geändert")
    CASH_PINNED = "cash.pinned", _("Tarif eines Abends geändert")
    CASH_EVENING = "cash.evening", _("Anwesenheit geändert")
    CASH_FINED = "cash.fined", _("Strafgeld eingetragen")
    CASH_UNFINED = "cash.unfined", _("Strafgeld gestrichen")
    CASH_FINE_LATE = "cash.fine_late", _("Strafgeld zu spät angekommen")
    CASH_FINE_NOT_TAKEN = "cash.fine_not_taken", _("Strafgeld verworfen")
    CASH_DUES_SET = "cash.dues_set", _("Mitgliedsbeitrag einer Person geändert")
    CASH_SETTLED = "cash.settled", _("Ausgleich gemacht")
    CASH_COUNTED = "cash.counted", _("Kasse gezählt")
    CASH_CLOSED = "cash.closed", _("Monat der Kasse abgeschlossen")
    CASH_COUNTERSIGNED = "cash.countersigned", _("Monat der Kasse gegengezeichnet")
    CASH_HEADING_ADDED = "cash.heading_added", _("Eigene Art für Einnahmen oder Ausgaben")
    CASH_YEAR_SET = "cash.year_set", _("Geändert, wann ein Kassenjahr beginnt")
    HISTORY_KEPT = "history.kept", _("Geändert, wie lange der Verlauf aufgehoben wird")


class Change(models.Model):
    """One change of one thing: who, when, what it was before and after (null: it was not there). `spoken_as`: who the
    one without a login said they are, who came by the link of the table. The id of the `actor` stays when the login is
    deleted, and then names nobody."""

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="changes", db_index=False)
    at = models.DateTimeField(default=timezone.now, editable=False)
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.DO_NOTHING, db_constraint=False, null=True, blank=True
    )
    spoken_as = models.ForeignKey(Player, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    click = models.UUIDField(default=uuid.uuid4)
    verb = models.CharField(max_length=20, choices=Verb.choices)
    table = models.ForeignKey(
        "Table", on_delete=models.PROTECT, null=True, blank=True, related_name="changes", db_index=False
    )
    subject_id = models.CharField(max_length=36)
    before = models.JSONField(null=True, blank=True)
    after = models.JSONField(null=True, blank=True)
    undoes = models.OneToOneField("self", on_delete=models.PROTECT, null=True, blank=True, related_name="undone_by")

    class Meta:
        indexes = [
            models.Index(fields=["club", "-id"], name="change_of_club"),
            models.Index(fields=["table", "-id"], name="change_of_table"),
        ]
        constraints = [models.CheckConstraint(condition=models.Q(verb__in=Verb.values), name="change_known_verb")]

    def __str__(self) -> str:
        return f"{self.verb} {self.subject_id}"

    @property
    def done(self) -> str:
        """The verb in words. Django's own way makes a dictionary of all verbs in the reader's language each time it is asked."""
        return str(Verb(self.verb).label)
