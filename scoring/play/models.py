"""The tables of what was played. Facts are typed by people; the replay derives the rest from them. Otherwise derived rows are only
handed to another player, deleted with their table, or, without games, taken from an old list."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from scoring.club.models import Club, Player
from scoring.core.database import max_length_constraint
from scoring.core.text import validate_plain
from scoring.rulesets.models import RuleSet

SEATS = range(4, 9)
# Positions leave gaps, so that a forgotten game can be inserted without changing others.
POSITION_STEP = 1024


class Evening(models.Model):
    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="evenings")
    # Made by the form: a second tap on the button begins the same evening.
    key = models.UUIDField(default=uuid.uuid4, editable=False)
    held_on = models.DateField(_("Datum"))
    place = models.CharField(_("Ort"), max_length=60, blank=True, validators=[validate_plain])
    note = models.CharField(_("Bemerkung"), max_length=200, blank=True, validators=[validate_plain])
    closed_at = models.DateTimeField(null=True, blank=True)
    closed_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True)
    # It was removed after it was booked: its tables are gone, the row stays for the books.
    dropped = models.BooleanField(default=False, editable=False)
    # The club's tariff when it was opened; `turn` says whose the odd cents are, counted on from evening to evening.
    tariff = models.ForeignKey("Tariff", on_delete=models.PROTECT, null=True, blank=True, related_name="evenings")
    turn = models.PositiveIntegerField(default=0, editable=False)
    host = models.ForeignKey(Player, on_delete=models.PROTECT, null=True, blank=True, related_name="hosted")
    bill_cents = models.PositiveIntegerField(null=True, blank=True)
    bill_paid_by = models.ForeignKey(Player, on_delete=models.PROTECT, null=True, blank=True, related_name="bills_paid")

    class Meta:
        indexes = [
            models.Index(fields=["club", "-held_on", "-id"], name="evening_of_club"),
            models.Index(fields=["club"], condition=Q(closed_at=None), name="evening_running"),
        ]
        constraints = [
            models.UniqueConstraint(fields=["club", "key"], name="evening_key_once"),
            max_length_constraint("place", 60, "evening_place_length"),
            max_length_constraint("note", 200, "evening_note_length"),
            models.CheckConstraint(condition=Q(dropped=False) | Q(closed_at__isnull=False), name="evening_dropped_closed"),
            models.CheckConstraint(
                condition=Q(bill_cents=None, bill_paid_by=None)
                | Q(bill_cents__isnull=False, bill_cents__gte=1, bill_cents__lte=1_000_000),
                name="evening_bill_in_bounds",
            ),
            models.CheckConstraint(condition=Q(turn__lte=10**9), name="evening_turn_in_bounds"),
        ]

    def __str__(self) -> str:
        return f"{self.held_on:%d.%m.%Y}"

    @property
    def is_open(self) -> bool:
        return self.closed_at is None

    @property
    def days_ago(self) -> int:
        return (timezone.localdate() - self.held_on).days


class Table(models.Model):
    """One table of an evening, with its own Bock chain and deal; writers lock it. One imported `without_games` has neither rounds
    nor lines: its TableResults are facts, which no replay changes."""

    evening = models.ForeignKey(Evening, on_delete=models.PROTECT, related_name="tables", db_index=False)
    number = models.PositiveSmallIntegerField(default=1)
    rule_set = models.ForeignKey(RuleSet, on_delete=models.PROTECT, related_name="tables")
    planned_games = models.PositiveSmallIntegerField(_("geplante Spiele"), null=True, blank=True)
    imported = models.ForeignKey("Import", on_delete=models.PROTECT, null=True, blank=True, related_name="tables")
    without_games = models.BooleanField(default=False)
    # The table of an earlier evening whose open Bock games go on here; they go on at one table only.
    carries_on = models.OneToOneField("self", on_delete=models.PROTECT, null=True, blank=True, related_name="carried_on_by")
    # The number of waiting late entries, if it was counted (`access.get_table`).
    waiting_late = 0
    # Derived: the Bock that is open after the last line, if the rules carry it on (`rules/bock.py` loads it).
    open_bocks = models.JSONField(default=list, blank=True, editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["evening", "number"], name="table_number_once"),
            models.CheckConstraint(condition=Q(number__gte=1), name="table_number_from_1"),
            models.CheckConstraint(
                condition=Q(without_games=False) | Q(imported__isnull=False), name="table_without_games_imported"
            ),
            models.CheckConstraint(condition=Q(planned_games=None) | Q(planned_games__gte=1), name="table_planned_games_from_1"),
            models.CheckConstraint(condition=~Q(carries_on=F("id")), name="table_carries_on_another"),
        ]

    def __str__(self) -> str:
        return f"{self.evening_id}/{self.number}"


class Round(models.Model):
    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="rounds", db_index=False)
    position = models.PositiveIntegerField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["table", "position"], name="round_position_once")]

    def __str__(self) -> str:
        return f"{self.table_id}/{self.position}"


class Seat(models.Model):
    """The place of a player in a round. Places count from 0 in seating order, clockwise."""

    round = models.ForeignKey(Round, on_delete=models.PROTECT, related_name="seats", db_index=False)
    place = models.PositiveSmallIntegerField()
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="seats")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["round", "place"], name="seat_place_once"),
            models.UniqueConstraint(fields=["round", "player"], name="seat_player_once"),
            models.CheckConstraint(condition=Q(place__lt=SEATS[-1]), name="seat_place_known"),
        ]

    def __str__(self) -> str:
        return f"{self.round_id}/{self.place}"


class Game(models.Model):
    """One line of the sheet as typed. `facts` are parsed by the rules; seats are numbered as in the round."""

    class Form(models.TextChoices):
        PLAYED = "played", _("Spiel")
        SHORT = "short", _("Kurzform")
        PENALTY = "penalty", _("Strafpunkte")
        CORRECTION = "correction", _("Berichtigung")
        REDEAL = "redeal", _("Neu gegeben")

    key = models.UUIDField(primary_key=True, default=uuid.uuid4)
    round = models.ForeignKey(Round, on_delete=models.PROTECT, related_name="games", db_index=False)
    position = models.PositiveBigIntegerField()
    form = models.CharField(max_length=10, choices=Form.choices)
    dealer = models.PositiveSmallIntegerField(null=True, blank=True)
    facts = models.JSONField(default=dict, blank=True)
    note = models.CharField(_("Bemerkung"), max_length=200, blank=True, validators=[validate_plain])
    version = models.PositiveIntegerField(default=1)
    deleted = models.BooleanField(default=False)
    entered_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True)
    entered_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["round", "position"], name="game_position_once"),
            models.CheckConstraint(condition=Q(dealer=None) | Q(dealer__lt=SEATS[-1]), name="game_dealer_known"),
            models.CheckConstraint(condition=Q(version__gte=1), name="game_version_from_1"),
            max_length_constraint("note", 200, "game_note_length"),
            models.CheckConstraint(
                name="game_form_has_its_facts",
                condition=Q(form="played", facts__has_keys=["kind", "re"])
                | Q(form="short", facts__has_keys=["winners", "base"])
                | Q(form__in=["penalty", "correction"], facts__has_keys=["points", "reason"])
                | Q(form="redeal"),
            ),
            models.CheckConstraint(
                name="game_form_has_no_other_facts",
                condition=~Q(form="played", facts__has_any_keys=["points", "winners", "base", "reason"])
                & ~Q(form="short", facts__has_any_keys=["points", "kind", "re", "eyes", "band"])
                & ~Q(form__in=["penalty", "correction", "redeal"], facts__has_any_keys=["kind", "winners", "re"]),
            ),
        ]

    def __str__(self) -> str:
        return str(self.key)


class Outcome(models.Model):
    """Derived: the worth of one game: `value` is Re's, in the short form the winners'; `bock_started` counts added Bock games."""

    game = models.OneToOneField(Game, on_delete=models.PROTECT, primary_key=True, related_name="outcome")
    winner = models.CharField(max_length=6, blank=True)
    value = models.IntegerField()
    bock = models.PositiveSmallIntegerField(default=0)
    bock_started = models.PositiveSmallIntegerField(default=0)

    class Meta:
        constraints = [models.CheckConstraint(condition=Q(winner__in=["", "re", "kontra"]), name="outcome_winner_known")]

    def __str__(self) -> str:
        return f"{self.game_id}: {self.value}"


class Score(models.Model):
    """Derived: the points of one game for one person. A person who sat out has a row only with points."""

    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="scores", db_index=False)
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="scores")
    points = models.IntegerField()
    party = models.CharField(max_length=6, blank=True)
    played = models.BooleanField()
    won = models.BooleanField()
    solo = models.BooleanField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["game", "player"], name="score_once"),
            models.CheckConstraint(condition=Q(party__in=["", "re", "kontra"]), name="score_party_known"),
            models.CheckConstraint(condition=Q(played=True) | Q(won=False, solo=False, party=""), name="score_only_players_win"),
        ]

    def __str__(self) -> str:
        return f"{self.game_id} {self.player_id}: {self.points}"


class TableResult(models.Model):
    """Derived: the sums of one table for one person, from which all lists are added up."""

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="results", db_index=False)
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="results")
    games = models.PositiveIntegerField()
    # The number of lines has no limit, so the sum can exceed 32 bits.
    points = models.BigIntegerField()
    wins = models.PositiveIntegerField()
    solos = models.PositiveIntegerField()
    solos_won = models.PositiveIntegerField()
    solo_points = models.BigIntegerField()
    # Games in Re, and games of which the party is known.
    re = models.PositiveIntegerField(default=0)
    sided = models.PositiveIntegerField(default=0)
    bock_points = models.BigIntegerField(default=0)
    # Games won in a row: from the first on, at most, and up to the last.
    wins_first = models.PositiveIntegerField(default=0)
    wins_longest = models.PositiveIntegerField(default=0)
    wins_last = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["table", "player"], name="table_result_once"),
            models.CheckConstraint(
                condition=Q(wins__lte=F("games"), solos__lte=F("games"), solos_won__lte=F("solos")),
                name="table_result_counts_fit",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.table_id} {self.player_id}: {self.points}"


class TableCareer(models.Model):
    """Derived: the figures about one person's games at one table. A row of its own, since lists read only the sums."""

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="careers", db_index=False)
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="careers")
    told = models.JSONField()
    mates = models.JSONField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["table", "player"], name="table_career_once")]

    def __str__(self) -> str:
        return f"{self.table_id} {self.player_id}"


class YearCareer(models.Model):
    """Derived: the sums and figures of the closed evenings of one year for one person in one unit. `points_of_games` leaves out
    tables imported without games; `last_evening` had a game, `last_day` may have had only a penalty; `by_evening` has
    rows of EVENING_FIELDS (rules.py)."""

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="years")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="years")
    unit = models.CharField(max_length=6, choices=RuleSet.Unit.choices)
    year = models.PositiveSmallIntegerField()
    # As in the result of a table.
    games = models.PositiveIntegerField()
    points = models.BigIntegerField()
    wins = models.PositiveIntegerField()
    solos = models.PositiveIntegerField()
    solos_won = models.PositiveIntegerField()
    solo_points = models.BigIntegerField()
    re = models.PositiveIntegerField()
    sided = models.PositiveIntegerField()
    bock_points = models.BigIntegerField()
    wins_first = models.PositiveIntegerField()
    wins_longest = models.PositiveIntegerField()
    wins_last = models.PositiveIntegerField()
    points_of_games = models.BigIntegerField()
    evenings = models.PositiveIntegerField()
    evenings_won = models.PositiveIntegerField()
    best_evening = models.BigIntegerField(null=True)
    worst_evening = models.BigIntegerField(null=True)
    last_day = models.DateField()
    last_evening = models.DateField(null=True)
    by_evening = models.JSONField(blank=True)
    told = models.JSONField()
    mates = models.JSONField(blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["club", "player", "unit", "year"], name="year_career_once"),
            models.CheckConstraint(condition=Q(unit__in=RuleSet.Unit.values), name="year_career_unit_known"),
        ]

    def __str__(self) -> str:
        return f"{self.club_id} {self.player_id} {self.year}: {self.points}"
