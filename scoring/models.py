"""All tables of the app in one place, as Django wants to find them."""

from scoring.cash.models import (
    Account,
    Attendance,
    BookYear,
    CashCount,
    Countersignature,
    DuesStatus,
    Entry,
    Fine,
    Heading,
    Leg,
    Period,
    Report,
    Settlement,
    SettlementLine,
    Tariff,
)

from .accounts.models import FoundingLink, JoinLink, LoginWithoutClub, Session
from .archive.models import WaitingArchive
from .club.models import Change, Club, Invitation, LoginKey, Membership, Player, Verb
from .imports.models import Import
from .league.models import MonthClosing, Season, Supplement
from .play.models import Evening, Game, Outcome, Round, Score, Seat, Table, TableCareer, TableResult, YearCareer
from .rulesets.models import RuleSet
from .standings.models import OpeningStanding
from .table.models import LateEntry, TableLink

__all__ = [
    "Account", "Attendance", "BookYear", "CashCount", "Change", "Club", "Countersignature", "DuesStatus", "Entry",
    "Evening", "Fine", "FoundingLink", "Game", "Heading", "Import", "Invitation", "JoinLink", "LateEntry", "Leg",
    "LoginKey", "LoginWithoutClub", "Membership", "MonthClosing", "OpeningStanding", "Outcome", "Period", "Player", "Report",
    "Round", "RuleSet", "Score", "Season", "Seat", "Session", "Settlement", "SettlementLine", "Supplement", "Table",
    "TableCareer", "TableLink", "TableResult", "Tariff", "Verb", "WaitingArchive", "YearCareer",
]  # fmt: skip
