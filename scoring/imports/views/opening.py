"""Bringing along what people had before the first evening that is kept here: typed on one page, or read from a file onto
that page."""

from __future__ import annotations

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from scoring.club.access import Access, Role, get_club
from scoring.core.errors import ActionRefused
from scoring.core.limits import limit_slow_work
from scoring.imports.actions.opening import take_opening
from scoring.imports.forms.opening import OpeningStandingsForm, SumsUploadForm


@require_http_methods(["GET", "HEAD", "POST"])
def opening_standing(request: HttpRequest, slug: str) -> HttpResponse:
    """A row for each person. More rows, and what a file says, are offered without anything being judged."""
    access = get_club(request, slug, Role.ADMIN)
    if "read" in request.POST:
        upload = SumsUploadForm(request.POST, request.FILES, club=access.club)
        with limit_slow_work():
            if upload.is_valid():
                form = OpeningStandingsForm(upload.typed, club=access.club, judged=False)
                return _page(request, access, form, upload)
        return _page(request, access, OpeningStandingsForm(None, club=access.club), upload, 422)
    form = OpeningStandingsForm(request.POST.dict() if request.method == "POST" else None, club=access.club)
    refused = ""
    if form.is_valid():
        try:
            return _take(access, form, request)
        except ActionRefused as error:
            refused = str(error)
        except ValidationError as error:
            # Somebody took a name in the meantime.
            refused = " ".join(error.messages)
    return _page(request, access, form, SumsUploadForm(club=access.club), 422 if form.is_bound else 200, refused)


def _page(
    request: HttpRequest,
    access: Access,
    form: OpeningStandingsForm,
    upload: SumsUploadForm,
    status: int = 200,
    refused: str = "",
) -> HttpResponse:
    read = upload.sums if upload.is_bound and upload.is_valid() else None
    context = {
        "access": access,
        "section": "more",
        "form": form,
        "upload": upload,
        "read": read,
        "file_name": form["file_name"].value() or "",
        "refused": refused,
    }
    return render(request, "scoring/imports/opening.html", context, status=status)


def _take(access: Access, form: OpeningStandingsForm, request: HttpRequest) -> HttpResponse:
    until = form.cleaned_data["until"]
    taken = take_opening(
        club=access.club,
        actor=access.actor,
        file_name=form.cleaned_data["file_name"] or until.isoformat(),
        unit=form.cleaned_data["unit"],
        until=until,
        people=form.people,
        figures=form.figures,
    )
    messages.success(request, _("Der Anfangsstand ist übernommen."))
    return redirect("import", access.club.slug, taken.pk)
