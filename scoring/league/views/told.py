"""Tells whoever did something, whatever it was, that a published month is counted differently by that."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.http import HttpRequest, HttpResponse

from scoring.league.actions.news import listening
from scoring.league.words.news import agree_sentence, differ_sentence

REFUSED = 400


class MonthsTold:
    """Middleware: the next page that whoever did it sees says so. What was refused has changed nothing."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        with listening() as heard:
            response = self.get_response(request)
        if response.status_code < REFUSED:
            if heard.differ:
                messages.warning(request, differ_sentence(heard.differ))
            if heard.agree:
                messages.info(request, agree_sentence(heard.agree))
        return response
