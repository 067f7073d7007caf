"""Read the players and members of a club, open invitations and log entries."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Collection, Mapping
from typing import Any, Final

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from scoring.club.models import INVITATION_PERIOD, Change, Club, Invitation, Membership, Player, Verb
from scoring.core.database import CodePoints
from scoring.core.names import login_key, matches_search, name_key, normalize_spelling

# Functions that find the rows whose ids are in log entries, by the key of the ids; each takes one query.
Lookups = Mapping[str, Callable[[set[int]], Mapping[int, Any]]]
LOOKUPS: Final[Lookups] = {"players": Player.objects.in_bulk, "user": User.objects.in_bulk}


def list_people(club: Club, search: str = "") -> QuerySet[Player]:
    """Return the players of a club by name, without merged ones, with those who left; `search` filters by name."""
    people = Player.objects.filter(club=club, merged_into=None).select_related("user").order_by(CodePoints("name_key"))
    if search:
        found = [pk for pk, name in people.values_list("pk", "name") if matches_search(name, search)]
        people = people.filter(pk__in=found)
    return people


def get_ids_by_name_key(club: Club) -> dict[str, int]:
    """Return the id of the player for each key of a name; for a merged player, the id of the one they were merged into."""
    players = list(Player.objects.filter(club=club))
    merged = MergedPlayers({player.pk: player.merged_into_id for player in players})
    return {player.name_key: merged.resolve(player.pk) for player in players}


def find_player(club: Club, name: str) -> Player | None:
    """Return the player of this name, or of one with the same key; for a merged player, the one they were merged into."""
    player = Player.objects.filter(club=club, name_key=name_key(name)).first()
    return player and get_merge_target(player)


def find_other_spelling(club: Club, name: str) -> str:
    """Return the name of the one player of whose name this is a spelling (Mueller, Müller); else the name itself."""
    names = list(Player.objects.filter(club=club, merged_into=None).values_list("name", flat=True))
    alike = [one for one in names if normalize_spelling(one) == normalize_spelling(name)]
    return alike[0] if len(alike) == 1 else name


def get_first_evening_day(club: Club, besides: int | None = None) -> datetime.date | None:
    """Return the day of the club's first evening, not counting the evening with the id `besides`."""
    evenings = club.evenings.filter(dropped=False).exclude(pk=besides or 0)
    return evenings.order_by("held_on").values_list("held_on", flat=True).first()


def list_assignable_logins(player: Player) -> QuerySet[User]:
    """Return the logins of members that are not assigned to another player of the club."""
    free = ~Q(players__club=player.club_id) | Q(players=player.pk)
    return User.objects.filter(free, memberships__club=player.club_id).distinct().order_by("username", "pk")


def list_members(club: Club) -> QuerySet[Membership]:
    return Membership.objects.filter(club=club).select_related("user").order_by(CodePoints("user__username"))


def find_player_of_login(club: Club, user: User | AnonymousUser) -> Player | None:
    return Player.objects.filter(club=club, user=user.pk or 0).order_by("pk").first()


def is_shared_login(member: Membership) -> bool:
    """Return whether the login is an operator's, or in another club too."""
    return member.user.is_superuser or Membership.objects.filter(user=member.user_id).exclude(pk=member.pk).exists()


def is_last_admin(member: Membership) -> bool:
    admins = Membership.objects.filter(club=member.club_id, admin=True, user__is_active=True)
    return member.admin and not admins.exclude(pk=member.pk).exists()


def created_by_admin() -> Exists:
    """Return a condition on rows with `club` and `created_by`: that login is an admin of the club today."""
    return Exists(Membership.objects.filter(club=OuterRef("club"), user=OuterRef("created_by"), admin=True, user__is_active=True))


def list_open_invitations(club: Club | None = None) -> QuerySet[Invitation]:
    """Return the invitations that can be accepted: not ended, not expired, and by a user who is still an admin."""
    since = timezone.now() - INVITATION_PERIOD
    invitations = Invitation.objects.filter(created_by_admin(), ended_at=None, created_at__gt=since)
    return (invitations if club is None else invitations.filter(club=club)).select_related("club", "user")


def find_login(name: str) -> User | None:
    """Return the login of this name in any case; if an old installation has two, the one with exactly this spelling."""
    found = User.objects.filter(Q(username=User.normalize_username(name)) | Q(login_key__key=login_key(name)))
    return min(found, key=lambda user: user.username != User.normalize_username(name), default=None)


def get_merge_target(player: Player) -> Player:
    while player.merged_into is not None:
        player = player.merged_into
    return player


class MergedPlayers:
    """Resolve ids of merged players. `into` maps the id of a player to that of the one they were merged into, or None."""

    def __init__(self, into: Mapping[int, int | None]) -> None:
        self._into = into

    def resolve(self, pk: int) -> int:
        while (successor := self._into.get(pk)) is not None:
            pk = successor
        return pk


def get_merged_players(club: int) -> MergedPlayers:
    players = Player.objects.filter(club=club, merged_into__isnull=False)
    return MergedPlayers(dict(players.values_list("pk", "merged_into_id")))


def list_merged_into(player: Player) -> QuerySet[Player]:
    return Player.objects.filter(merged_into=player).order_by(CodePoints("name_key"))


def collect_merged(players: Collection[Player], player: Player) -> list[Player]:
    """Return the player and all that were merged into it, directly or not, out of the players of the club."""
    found = [next(one for one in players if one.pk == player.pk)]
    for one in found:
        found += [other for other in players if other.merged_into_id == one.pk]
    return found


def list_active_players(club: Club) -> QuerySet[Player]:
    return Player.objects.filter(club=club, left_on=None, merged_into=None, erased_on=None).order_by(CodePoints("name_key"))


def is_active_player(player: Player) -> bool:
    return player.left_on is None and player.erased_on is None


def get_change_stamp(club: int) -> int:
    """Return a number that changes with every action in the club. The last id would not do: PostgreSQL numbers an entry when
    it is written, and one with a higher id may be committed before it."""
    # Far more entries than a club commits while one of them is being written.
    return sum(Change.objects.filter(club=club).order_by("-id").values_list("pk", flat=True)[:100])


def list_changes(club: Club) -> QuerySet[Change]:
    """Return the log of a club, newest first. Sorted by time, since imported entries have higher ids."""
    changes = Change.objects.filter(club=club).select_related("actor", "spoken_as", "table__evening")
    return changes.order_by("-at", "-id")


def find_archive_change(club: Club) -> Change | None:
    return Change.objects.filter(club=club, verb=Verb.ARCHIVE_TAKEN).select_related("actor").first()
