from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from clubledger.version import newer_than_program


@require_safe
@never_cache
def healthz(request: HttpRequest) -> HttpResponse:
    """Return 200 if the database answers and no newer program has changed its tables, else 503."""
    try:
        newer = newer_than_program()
    except DatabaseError:
        return HttpResponse("the database does not answer\n", status=503, content_type="text/plain")
    if newer:
        return HttpResponse("the database is newer than this program\n", status=503, content_type="text/plain")
    return HttpResponse("ok\n", content_type="text/plain")
