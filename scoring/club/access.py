"""Fetch a thing of a club and check the right to it in one query: strangers get the login or 404, members without the role 403."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import Any, NoReturn, Protocol, TypeVar, cast

from django.contrib.auth.models import AnonymousUser, User
from django.core.exceptions import PermissionDenied
from django.db.models import Exists, F, FilteredRelation, Model, OuterRef, Q, QuerySet
from django.http import Http404, HttpRequest
from django.utils.translation import gettext as _

from scoring.club.actions import IN_DEMO, Actor
from scoring.club.models import PUBLIC_PAGES, ROLES, Club, Invitation, Membership, Player, is_visitor
from scoring.core.database import CodePoints

from .names import Names, get_names_for_strangers
from .queries import list_open_invitations

M = TypeVar("M", bound=Model)


class Role(Enum):
    """The right that a page requires. LIST, MONTHS and EVENINGS are pages that a club may show to strangers, CLUB its first page.
    AT_TABLE is READER or the link of the evening, ENTRY is SCORER or that link; LATE_… also accept a link that has ended.
    BOOKS lets read each payment of the Kasse. BOOKS, SCORER, TREASURER and ADMIN come from the ROLES of a login."""

    CLUB = "club"
    LIST = "list"
    MONTHS = "months"
    EVENINGS = "evenings"
    READER = "reader"
    AT_TABLE = "at table"
    ENTRY = "entry"
    LATE_AT_TABLE = "late at table"
    LATE_ENTRY = "late entry"
    BOOKS = "books"
    SCORER = "scorer"
    TREASURER = "treasurer"
    ADMIN = "admin"


# The fields of a club that show these pages to strangers; one is enough.
VISIBILITY_FIELDS_OF = {Role(page): [field] for page, field in PUBLIC_PAGES.items()} | {Role.CLUB: [*PUBLIC_PAGES.values()]}
PREVIEW_PARAM, PREVIEW_VALUE = "as", "stranger"  # an admin can see such a page as a stranger does: ?as=stranger


class LoginNeeded(Exception):
    """The page is not public and the user is not logged in. The response is a redirect to the login."""


class Closable(Protocol):
    """An evening, or anything else that is open until it is closed."""

    @property
    def is_open(self) -> bool: ...


@dataclass(frozen=True)
class Access:
    """The rights of a user in a club; `roles` are those of the login.
    `by_link`: the user opened the link of this evening; `by_ended_link`: that link ended a short time ago. `link` is its id,
    `spoken_as` the id of the player whom the user named at it.
    `preview`: an admin looks at pages of this role as strangers would see them. `has_cash`: the club uses the Kasse."""

    club: Club
    user: User | AnonymousUser
    member: bool
    roles: Collection[str] = ()
    by_link: bool = False
    by_ended_link: bool = False
    spoken_as: int | None = None
    link: int | None = None
    preview: Role | None = None
    has_cash: bool = False

    def may(self, role: Role) -> bool:
        match role:
            case _ if role in VISIBILITY_FIELDS_OF:
                return self.member or self.preview is role or self.shows(role)
            case Role.READER:
                return self.member
            case Role.AT_TABLE:
                return self.member or self.by_link
            case Role.ENTRY:
                return self.may(Role.SCORER) or self.by_link
            case Role.LATE_AT_TABLE:
                return self.may(Role.AT_TABLE) or self.by_ended_link
            case Role.LATE_ENTRY:
                return self.may(Role.ENTRY) or self.by_ended_link
            case _:
                return any(role.value in ROLES[name].rights for name in self.roles)

    def shows(self, role: Role) -> bool:
        return any(getattr(self.club, name) for name in VISIBILITY_FIELDS_OF[role])

    @property
    def sees_club(self) -> bool:
        return self.may(Role.CLUB)

    @property
    def shows_club(self) -> bool:
        return self.shows(Role.CLUB)

    @property
    def sees_list(self) -> bool:
        return self.may(Role.LIST)

    @property
    def sees_months(self) -> bool:
        return self.may(Role.MONTHS)

    @property
    def sees_evenings(self) -> bool:
        return self.may(Role.EVENINGS)

    @property
    def query(self) -> str:
        """The query string by which a link stays in the preview."""
        return f"?{PREVIEW_PARAM}={PREVIEW_VALUE}" if self.preview else ""

    @property
    def shows_preview(self) -> bool:
        """True if strangers see the previewed page, too."""
        return self.preview is not None and self.shows(self.preview)

    @cached_property
    def names(self) -> Names:
        """The names of players for this reader. One query for strangers only."""
        return Names() if self.member else get_names_for_strangers(self.club)

    def require_own(self, player: Player) -> None:
        if player.user_id is None or player.user_id != self.user.pk:
            raise PermissionDenied(_("Das darf nur, wem der Zugang dieser Person gehört."))

    @property
    def may_score(self) -> bool:
        return self.may(Role.SCORER)

    @property
    def sees_books(self) -> bool:
        return self.may(Role.BOOKS)

    @property
    def treasurer(self) -> bool:
        return self.may(Role.TREASURER)

    @property
    def admin(self) -> bool:
        return self.may(Role.ADMIN)

    def may_change(self, evening: Closable) -> bool:
        """Return whether the user may change an evening: scorers an open one, admins a closed one."""
        return self.may_score if evening.is_open else self.admin

    def may_enter(self, evening: Closable) -> bool:
        """Return whether the user may enter and correct lines; the link permits it while the evening is open."""
        return self.may_change(evening) or (self.by_link and evening.is_open)

    @property
    def actor(self) -> Actor:
        """The author for the log: the login; for a link holder who may not score, the player whom they named."""
        if (self.by_link or self.by_ended_link) and not self.may_score:
            return Actor(spoken_as=Player.objects.filter(club=self.club, pk=self.spoken_as or 0).first(), link=self.link)
        user = self.user if isinstance(self.user, User) else None
        return Actor(user, admin=self.admin, treasurer=self.treasurer)


def require_login(request: HttpRequest) -> User:
    if not isinstance(request.user, User):
        raise LoginNeeded
    return request.user


def require_own_login(request: HttpRequest) -> User:
    """Return the login, to change it or to join with it. Refuse the login of a demo visitor."""
    user = require_login(request)
    if is_visitor(user):
        raise PermissionDenied(IN_DEMO)
    return user


def get_own_login(request: HttpRequest) -> User | AnonymousUser:
    """Return the login that founds or joins a club; a demo visitor counts as not logged in."""
    return AnonymousUser() if is_visitor(request.user) else request.user


def require_admin(request: HttpRequest) -> User:
    user = require_login(request)
    if not Membership.objects.filter(user=user, admin=True).exists() and not user.is_superuser:
        raise PermissionDenied(_("Das darf, wer hier einen Club verwaltet."))
    return user


def require_operator(request: HttpRequest) -> User:
    user = require_login(request)
    if not user.is_superuser:
        raise Http404(_("Das gibt es hier nicht."))
    return user


def list_clubs(user: User) -> QuerySet[Club]:
    return Club.objects.filter(memberships__user=user).order_by(CodePoints("name"), "id")


def get_club(request: HttpRequest, slug: str, role: Role) -> Access:
    return fetch(request, Club.objects.filter(slug=slug), "", role)[1]


def get_player(request: HttpRequest, slug: str, pk: int, role: Role) -> tuple[Player, Access]:
    players = Player.objects.filter(club__slug=slug, pk=pk).select_related("club", "user")
    return fetch(request, players, "club", role)


def get_own_player(request: HttpRequest, slug: str, pk: int) -> tuple[Player, Access]:
    """Return the player of this login, or any player to an admin."""
    player, access = get_player(request, slug, pk, Role.READER)
    if player.user_id != access.user.pk and not access.admin:
        raise PermissionDenied(_("Das dürfen nur die Person selbst und die Verwalter des Clubs."))
    return player, access


def get_member(request: HttpRequest, slug: str, pk: int, role: Role) -> tuple[Membership, Access]:
    members = Membership.objects.filter(club__slug=slug, pk=pk).select_related("club", "user")
    return fetch(request, members, "club", role)


def get_invitation(request: HttpRequest, slug: str, pk: int) -> tuple[Invitation, User]:
    user = require_own_login(request)
    invitation = list_open_invitations().filter(club__slug=slug, pk=pk, user=user).first()
    if invitation is None:
        raise Http404(_("Diese Einladung gilt nicht, oder sie ist für einen anderen Zugang."))
    return invitation, user


def get_sent_invitation(request: HttpRequest, slug: str, pk: int, role: Role) -> tuple[Invitation, Access]:
    return fetch(request, Invitation.objects.filter(club__slug=slug, pk=pk).select_related("club"), "club", role)


def fetch(request: HttpRequest, things: QuerySet[M], to_club: str, role: Role) -> tuple[M, Access]:
    """Return the row of `things` and the rights of the user in its club, at the path `to_club` ("" if it is the row). One query."""
    return admit(request, annotate_rights(things, to_club, request.user.pk or 0).first(), to_club, role)


def annotate_rights(things: QuerySet[M], to_club: str, user_id: int) -> QuerySet[M]:
    """Annotate `my_id` (of the membership of this user), `my_` and each of the ROLES, and `has_cash`."""
    members = f"{to_club}__memberships" if to_club else "memberships"
    uses_cash = Q(memberships__treasurer=True) | Q(entries__isnull=False) | Q(tariffs__isnull=False)
    rows = things.annotate(
        mine=FilteredRelation(members, condition=Q(**{f"{members}__user": user_id})),
        **{f"my_{name}": F(f"mine__{name}") for name in ("id", *ROLES)},
        has_cash=Exists(Club.with_hidden.filter(uses_cash, pk=OuterRef(f"{to_club}__pk" if to_club else "pk"))),
    )
    return cast("QuerySet[M]", rows)


def admit(
    request: HttpRequest, found: M | None, to_club: str, role: Role, also: Collection[str] = (), **opened: int | None
) -> tuple[M, Access]:
    """Return a row of `annotate_rights` and the rights of the user. Raise LoginNeeded, Http404, PermissionDenied.
    `also` are annotations with further rights, `opened` the ids of the opened `link` and of the player `spoken_as`."""
    thing: Any = found
    access = None if thing is None else _build_access(thing, to_club, request.user, also, opened)
    if access is None or not (access.member or access.may(role)):
        refuse_outsider(request)
    if not access.may(role):
        raise PermissionDenied(IN_DEMO) if access.club.is_visitor_club else build_denial(role)
    request.club_id = access.club.pk  # type: ignore[attr-defined]  # ours, for clubledger.logs
    if role in VISIBILITY_FIELDS_OF and access.admin and request.GET.get(PREVIEW_PARAM) == PREVIEW_VALUE:
        user = request.user
        return thing, Access(access.club, user, member=False, preview=role)
    # For clubledger.web.middleware: whether search engines may index this page.
    findable = role in VISIBILITY_FIELDS_OF and not access.member and access.club.findable
    request.findable = findable  # type: ignore[attr-defined]  # ours
    return thing, access


def build_denial(role: Role = Role.READER) -> PermissionDenied:
    holders = [str(one.name) for one in ROLES.values() if role.value in one.rights]
    if not holders:
        return PermissionDenied(_("Dafür fehlt in diesem Club das Recht."))
    return PermissionDenied(_("Das darf in diesem Club nur, wer das Recht „%(role)s“ hat.") % {"role": _("“ oder „").join(holders)})


def refuse_outsider(request: HttpRequest) -> NoReturn:
    """Raise Http404, or LoginNeeded if the user may have a right after logging in."""
    if not request.user.is_authenticated:
        raise LoginNeeded
    raise Http404(_("Das gibt es hier nicht."))


def _build_access(
    thing: Any, to_club: str, user: User | AnonymousUser, also: Iterable[str], opened: Mapping[str, int | None]
) -> Access:
    club = thing
    for step in to_club.split("__") if to_club else ():
        club = getattr(club, step)
    return Access(
        club=club,
        user=user,
        member=thing.my_id is not None,
        roles=[name for name in ROLES if getattr(thing, f"my_{name}")],
        has_cash=bool(thing.has_cash),
        spoken_as=opened.get("spoken_as"),
        link=opened.get("link"),
        **{right: getattr(thing, right) for right in also},
    )
