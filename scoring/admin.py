"""Django's admin for operators, behind ADMIN=1, read-only and without hashes, sessions, addresses and secrets."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.contrib.auth.models import User
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from scoring import models
from scoring.club.models import ROLES


class OperatorSite(admin.AdminSite):
    site_header = site_title = "Club Ledger"
    index_title = _("Diese Installation")

    def has_permission(self, request: HttpRequest) -> bool:
        return request.user.is_active and request.user.is_superuser

    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Send a client to the login page of the site, and hide the admin from users who are no operators."""
        if request.user.is_authenticated:
            raise Http404
        return redirect_to_login(request.GET.get("next") or reverse("admin:index"))

    def password_change(  # type: ignore[override]  # the answer leads on
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        return redirect("password_change")


FILTER_LOOKUPS = {"id", "exact", "isnull", "gte", "lt", "year", "month", "day"}  # of the filters and the days above a list


class ReadOnly(admin.ModelAdmin):  # type: ignore[type-arg]  # Django's class takes no type
    actions = None
    list_per_page = 50
    show_full_result_count = False

    def lookup_allowed(self, lookup: str, value: object, request: HttpRequest | None = None) -> bool:
        """Allow no more than what the page offers: by others, a hash or an address could be guessed letter by letter."""
        field, *rest = lookup.split("__")
        return field in {*self.list_filter, self.date_hierarchy} and set(rest) <= FILTER_LOOKUPS

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    has_change_permission = has_delete_permission = has_add_permission


class LegRows(admin.TabularInline):  # type: ignore[type-arg]  # as above
    model = models.Leg


class SeatRows(admin.TabularInline):  # type: ignore[type-arg]  # as above
    model = models.Seat


def rows(*shown: str, related: tuple[str, ...] = (), search: tuple[str, ...] = (), **more: Any) -> type[ReadOnly]:
    """Return an admin class whose list has the columns `shown`."""
    options = {"list_display": shown, "list_select_related": related, "search_fields": search}
    return type("Rows", (ReadOnly,), {**options, "list_filter": ("club",) if "club" in shown else (), **more})


site = OperatorSite()
_USER: tuple[str, ...] = ("username", "is_active", "is_superuser", "date_joined", "last_login")
_LINK = rows(
    *("__str__", "created_by", "created_at", "ended_at"), related=("created_by",), exclude=("nonce",), date_hierarchy="created_at"
)
for model, of_model in {
    User: rows(*_USER, search=("username",), fields=_USER, list_filter=("is_active", "is_superuser")),
    models.TableLink: _LINK,
    models.JoinLink: _LINK,
    models.Round: rows("__str__", "table", "position", related=("table",), inlines=(SeatRows,)),
    models.Entry: rows(
        *("__str__", "club", "kind", "date", "evening", "reason"),
        related=("club", "evening"),
        search=("reason",),
        list_filter=("kind", "club"),
        date_hierarchy="date",
        inlines=(LegRows,),
    ),
    models.Club: rows("name", "slug", "leaving", "founded_openly_at", search=("name", "slug")),
    models.Player: rows("name", "club", "guest", "joined_on", "left_on", "user", related=("club", "user"), search=("name",)),
    models.Membership: rows("user", "club", *ROLES, related=("user", "club"), search=("user__username",)),
    models.Invitation: rows(
        *("user", "club", "created_by", "created_at", "ended_at"),
        related=("user", "club", "created_by"),
        search=("user__username",),
        date_hierarchy="created_at",
    ),
    models.RuleSet: rows("name", "version", "club", "unit", related=("club",), search=("name",)),
    models.Evening: rows("held_on", "club", "place", "closed_at", related=("club",), search=("place",), date_hierarchy="held_on"),
    models.Table: rows("__str__", "evening", "rule_set", "without_games", related=("evening", "rule_set")),
    models.Game: rows(
        *("key", "form", "round", "position", "version", "deleted", "entered_at"),
        related=("round",),
        search=("key", "note"),
        list_filter=("form", "deleted"),
        date_hierarchy="entered_at",
    ),
    models.LateEntry: rows("key", "table", "arrived_at", "discarded", related=("table",), list_filter=("discarded",)),
    models.Season: rows("name", "club", "first_day", "last_day", related=("club",), search=("name",)),
    models.MonthClosing: rows(
        *("season", "month", "version", "closed_at"), related=("season",), list_filter=("month",), exclude=("file",)
    ),
    models.Supplement: rows("season", "about", "month", "reason", "at", related=("season",), list_filter=("month",)),
    models.Account: rows("code", "club", "player", related=("club", "player"), search=("code", "player__name")),
    models.Period: rows("month", "club", "closed_at", related=("club",)),
    models.Tariff: rows("version", "club", "made_at", related=("club",)),
    models.Fine: rows(
        *("key", "player", "evening", "code", "amount", "struck"),
        related=("player", "evening"),
        search=("player__name",),
        list_filter=("struck",),
    ),
    models.Import: rows(
        *("file_name", "kind", "club", "uploaded_at", "imported_at", "undone_at"),
        related=("club",),
        exclude=("sheets", "digest"),
    ),
    models.Change: rows(
        *("at", "club", "actor", "verb", "subject_id"),
        related=("club", "actor"),
        search=("subject_id", "actor__username"),
        list_filter=("verb", "club"),
        date_hierarchy="at",
    ),
}.items():
    site.register(model, of_model)
