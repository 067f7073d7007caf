"""What old lists and an old Kasse have in common: a file is uploaded and kept, and taken in once it was seen as it is."""

from __future__ import annotations

from collections.abc import Callable

from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from scoring.club.access import Access
from scoring.club.models import Club
from scoring.core.errors import ActionRefused
from scoring.core.limits import limit_slow_work
from scoring.imports.actions.lists import keep_file
from scoring.imports.forms.columns import ColumnsForm
from scoring.imports.forms.upload import UploadForm
from scoring.imports.models import Import

# So many rows are named on a page; nobody reads more.
SHOWN = ":200"


def upload_of(request: HttpRequest, form: type[UploadForm], club: Club) -> UploadForm:
    """The form of a file, with the file where one was sent."""
    posted = (request.POST, request.FILES) if request.method == "POST" else ()
    return form(*posted, club=club)


def kept(access: Access, form: UploadForm) -> Import | None:
    """What was read from the file, to be looked at; None where there is none or it cannot be read."""
    if not form.is_bound:
        return None
    with limit_slow_work():
        if not form.is_valid():
            return None
        return keep_file(
            club=access.club,
            actor=access.actor,
            kind=form.kind,
            file_name=form.file_name,
            digest=form.digest,
            sheets=form.rows,
        )


def take_seen(request: HttpRequest, form: ColumnsForm, take: Callable[[], HttpResponse]) -> HttpResponse | str:
    """Take in the import if somebody confirmed it and has seen exactly this. Otherwise returns the reason why not, empty if
    nobody asked."""
    if "take" not in request.POST or not form.may_be_taken:
        return ""
    if not form.was_seen:
        return _("Daran wurde etwas geändert. Bitte noch einmal ansehen und dann übernehmen.")
    try:
        return take()
    except ActionRefused as error:
        return str(error)
    except ValidationError as error:
        # Somebody took a name in the meantime.
        return " ".join(error.messages)
