"""Where a page links to in the help, and how a picture stands in it."""

from __future__ import annotations

from django import template
from django.http import HttpRequest
from django.template import Context
from django.urls import reverse

from scoring.site.rules import section_of

register = template.Library()


@register.simple_tag
def help_address(request: HttpRequest) -> str:
    """The section that belongs to the page that was asked for."""
    page = request.resolver_match
    topic = page.func.__module__.split(".")[1] if page else ""
    return f"{reverse('guide')}#{section_of(topic, page.view_name if page else '')}"


@register.inclusion_tag("scoring/site/_picture.html", takes_context=True)
def picture(context: Context, name: str, height: int, alt: str) -> dict[str, str | int]:
    """One that `make pictures` took in the language of the page: 360 px wide, `height` px high."""
    path = f"scoring/help/{name}-{context['language']}"
    return {"light": f"{path}-light.webp", "dark": f"{path}-dark.webp", "height": height, "alt": alt}
