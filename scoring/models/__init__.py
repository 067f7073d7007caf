"""All tables of the app in one place, as Django wants to find them. They hold constraints and take no decisions."""

from .archive import WaitingArchive
from .history import Change, Verb
from .imports import Import
from .late import LateEntry
from .league import MonthClosing, Season, Supplement
from .links import TableLink
from .logins import LoginWithoutClub
from .people import Club, Membership, Player
from .play import Evening, Game, Outcome, Round, Score, Seat, Table, TableResult
from .rulesets import RuleSet
from .sessions import Session

__all__ = [
    "Change",
    "Club",
    "Evening",
    "Game",
    "Import",
    "LateEntry",
    "LoginWithoutClub",
    "Membership",
    "MonthClosing",
    "Outcome",
    "Player",
    "Round",
    "RuleSet",
    "Score",
    "Season",
    "Seat",
    "Session",
    "Supplement",
    "Table",
    "TableLink",
    "TableResult",
    "Verb",
    "WaitingArchive",
]
