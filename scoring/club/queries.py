"""Who is in a club: the people whose points are kept, in the order of their names' keys, the logins with their rights,
and who is invited; and how the club came here."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any, Final

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from scoring.club.models import Change, Club, Membership, Player, Verb
from scoring.core.database import CodePoints
from scoring.core.names import login_key, matches_search, name_key, normalize_spelling

INVITATION_PERIOD: Final = datetime.timedelta(days=7)
# How the rows that the history names are found, by the key under which their ids stand, each in one query.
Lookups = Mapping[str, Callable[[set[int]], Mapping[int, Any]]]
LOOKUPS: Final[Lookups] = {"players": Player.objects.in_bulk, "user": User.objects.in_bulk}


def list_people(club: Club, search: str = "") -> QuerySet[Player]:
    """Everybody, also who left, under the name they are kept by, in the order of names, with their logins; with a search
    those whose name it finds."""
    people = Player.objects.filter(club=club, merged_into=None).select_related("user").order_by(CodePoints("name_key"))
    if search:
        found = [pk for pk, name in people.values_list("pk", "name") if matches_search(name, search)]
        people = people.filter(pk__in=found)
    return people


def get_ids_by_name_key(club: Club) -> dict[str, int]:
    """Who is found under each key of a name: under that of somebody who was merged, whoever they were merged into."""
    rows = {player.pk: player for player in Player.objects.filter(club=club)}

    def kept(player: Player) -> int:
        return player.pk if player.merged_into_id is None else kept(rows[player.merged_into_id])

    return {player.name_key: kept(player) for player in rows.values()}


def find_player(club: Club, name: str) -> Player | None:
    """Whoever is found under this name, or one with the same key: who is kept under it, where people were merged."""
    player = Player.objects.filter(club=club, name_key=name_key(name)).first()
    return player and get_merge_target(player)


def find_other_spelling(club: Club, name: str) -> str:
    """The name of the only person of whose name this is another spelling, such as Mueller of Müller; else the name itself."""
    names = list(Player.objects.filter(club=club, merged_into=None).values_list("name", flat=True))
    alike = [one for one in names if normalize_spelling(one) == normalize_spelling(name)]
    return alike[0] if len(alike) == 1 else name


def get_first_evening_day(club: Club, besides: int | None = None) -> datetime.date | None:
    """Return the day of the club's first evening, `besides` the one of this id."""
    evenings = club.evenings.filter(dropped=False).exclude(pk=besides or 0)
    return evenings.order_by("held_on").values_list("held_on", flat=True).first()


def is_name_taken(club: Club, name: str, besides: Player | None = None) -> bool:
    """Whether somebody else of the club has this name, or one with the same key."""
    others = Player.objects.filter(club=club, name_key=name_key(name))
    return others.exclude(pk=besides.pk).exists() if besides else others.exists()


def list_assignable_logins(club: Club, player: Player | None = None) -> QuerySet[User]:
    """The members' logins that belong to nobody yet, or to this person."""
    free = ~Q(players__club=club) | Q(players=player) if player else ~Q(players__club=club)
    return User.objects.filter(free, memberships__club=club).distinct().order_by("username", "pk")


def list_members(club: Club) -> QuerySet[Membership]:
    """The logins of the club with their roles, by login name."""
    return Membership.objects.filter(club=club).select_related("user").order_by(CodePoints("user__username"))


def find_player_of_login(club: Club, user: User | AnonymousUser) -> Player | None:
    """Return the player of the club that has this login; None if there is none."""
    return Player.objects.filter(club=club, user=user.pk or 0).order_by("pk").first()


def is_shared_login(member: Membership) -> bool:
    """Whether another club, or the installation itself, has a say in this login as well."""
    return member.user.is_superuser or Membership.objects.filter(user=member.user_id).exclude(pk=member.pk).exists()


def is_last_admin(member: Membership) -> bool:
    """Whether nobody else could run the club."""
    admins = Membership.objects.filter(club=member.club_id, admin=True, user__is_active=True)
    return member.admin and not admins.exclude(pk=member.pk).exists()


def list_open_invitations(club: Club | None = None) -> QuerySet[Change]:
    """The invitations that can be accepted, as the history has them: they are young enough, nothing has happened to that
    login in the club since (accepted, invited again, withdrawn), and the admin who invited still runs the club."""
    later = Change.objects.filter(
        club=OuterRef("club"), subject_id=OuterRef("subject_id"), verb__startswith="member.", pk__gt=OuterRef("pk")
    )
    by_admin = Membership.objects.filter(
        club=OuterRef("club"), user=OuterRef("actor"), admin=True, user__is_active=True
    )
    invitations = Change.objects.filter(
        ~Exists(later), Exists(by_admin), verb=Verb.MEMBER_INVITED, at__gt=timezone.now() - INVITATION_PERIOD
    )
    return (invitations if club is None else invitations.filter(club=club)).select_related("club", "actor")


def find_login(name: str) -> User | None:
    """Return the login of this name, in any case; where an older installation has two, the one that is spelled exactly so."""
    found = User.objects.filter(Q(username=User.normalize_username(name)) | Q(login_key__key=login_key(name)))
    return min(found, key=lambda user: user.username != User.normalize_username(name), default=None)


def get_invited_logins(invitations: Iterable[Change]) -> dict[str, User]:
    """The logins that these invitations are for, by the id that the history keeps. One query."""
    return {str(pk): user for pk, user in User.objects.in_bulk([int(i.subject_id) for i in invitations]).items()}


def get_merge_target(player: Player) -> Player:
    """The person under whom somebody's games are kept now: who they were merged into, or themselves."""
    while player.merged_into is not None:
        player = player.merged_into
    return player


class MergedPlayers:
    """Who everybody of a club is now, by the ids of their rows. `into` says of some at least whom they were merged into."""

    def __init__(self, into: Mapping[int, int | None]) -> None:
        self._into = into

    def resolve(self, pk: int) -> int:
        while (successor := self._into.get(pk)) is not None:
            pk = successor
        return pk


def get_merged_players(club: int) -> MergedPlayers:
    """Return which players of a club were merged, and into whom. One query."""
    players = Player.objects.filter(club=club, merged_into__isnull=False)
    return MergedPlayers(dict(players.values_list("pk", "merged_into_id")))


def list_merged_into(player: Player) -> QuerySet[Player]:
    """The rows that were merged into this person, by name."""
    return Player.objects.filter(merged_into=player).order_by(CodePoints("name_key"))


def collect_merged(everybody: Collection[Player], player: Player) -> list[Player]:
    """The person as they stand among everybody of their club, and whoever was merged into them, however often."""
    found = [next(one for one in everybody if one.pk == player.pk)]
    for one in found:
        found += [other for other in everybody if other.merged_into_id == one.pk]
    return found


def list_active_players(club: Club) -> QuerySet[Player]:
    """Return the players who can sit down today: all who have not left, by name."""
    return Player.objects.filter(club=club, left_on=None, merged_into=None, erased_on=None).order_by(
        CodePoints("name_key")
    )


def is_active_player(player: Player) -> bool:
    return player.left_on is None and player.erased_on is None


def get_change_stamp(club: int) -> int:
    """Return a number that changes with every action in the club: the sum of the ids of its last log entries. The last id alone
    would not do: PostgreSQL numbers a log entry when it is written, and one with a higher id, of another table, may be committed
    before it. One query."""
    # Far more entries than are committed in one club while one of them is written.
    return sum(Change.objects.filter(club=club).order_by("-id").values_list("pk", flat=True)[:100])


def list_changes(club: Club) -> QuerySet[Change]:
    """Everything that was done in the club, the latest first: by the time, which rows that were brought along do not follow."""
    changes = Change.objects.filter(club=club).select_related("actor", "spoken_as", "table__evening")
    return changes.order_by("-at", "-id")


def find_archive_change(club: Club) -> Change | None:
    """How this club came here, where it came as an archive."""
    return Change.objects.filter(club=club, verb=Verb.ARCHIVE_TAKEN).select_related("actor").first()
