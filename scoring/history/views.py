"""The page of the history of a club: all changes, or those of one person, of one evening or of one kind."""

from __future__ import annotations

from django.db.models import F, OuterRef, Subquery
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from scoring.club.access import Role, get_club
from scoring.club.models import Player
from scoring.club.queries import list_changes, list_members, list_people
from scoring.core.tables import paginate
from scoring.play.models import Evening

from .forms import FilterForm
from .tables import ChangesTable
from .words import describe_changes_with_numbers

PER_PAGE = 50


@require_safe
def history(request: HttpRequest, slug: str) -> HttpResponse:
    access = get_club(request, slug, Role.READER)
    evenings = Evening.objects.filter(club=access.club).order_by("-held_on", "-pk")
    form = FilterForm(request.GET, people=list_people(access.club), members=list_members(access.club), evenings=evenings)
    nothing = _("Nichts gefunden.") if form.is_filtered else _("Noch ist nichts eingetragen.")
    person = Player.objects.filter(club=access.club, user=OuterRef("actor")).values("name")
    changes = list_changes(access.club).annotate(person=Subquery(person), undid_at=F("undoes__at"), undone=F("undone_by"))
    table = ChangesTable(form.of(changes), empty_text=nothing)
    paginate(table, request, PER_PAGE, describe_changes_with_numbers)
    context = {"access": access, "section": "more", "form": form, "table": table}
    return render(request, "scoring/history/list.html", context)
