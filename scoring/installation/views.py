"""The page of whoever runs the installation; and deleting a whole club, once its archive was taken along and its name typed."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from scoring.archive.errors import ArchiveOutdated
from scoring.archive.views import taken_along
from scoring.club.access import Role, get_club, require_operator
from scoring.installation.actions.deletion import delete_club
from scoring.installation.forms import DeleteForm
from scoring.installation.queries import read_installation, sized_clubs


@require_safe
def installation(request: HttpRequest) -> HttpResponse:
    require_operator(request)
    context = {"clubs": sized_clubs(), "installation": read_installation()}
    return render(request, "scoring/installation/installation.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def club_delete(request: HttpRequest, slug: str) -> HttpResponse:
    access = get_club(request, slug, Role.ADMIN)
    form = DeleteForm(request.POST if request.method == "POST" else None, club=access.club)
    status = 422
    if form.is_valid():
        try:
            delete_club(club=access.club, taken=taken_along(request, access.club))
        except ArchiveOutdated as refused:
            form.add_error(None, str(refused))
            status = refused.status
        else:
            messages.success(request, _("Der Club „%(club)s“ ist gelöscht.") % {"club": access.club.name})
            return redirect("home")
    context = {
        "access": access,
        "section": "more",
        "form": form,
        "goes": sized_clubs().get(pk=access.club.pk),
        "taken": bool(taken_along(request, access.club)),
    }
    return render(request, "scoring/installation/delete.html", context, status=status if form.errors else 200)
