"""Tags for links to the help and for its pictures."""

from __future__ import annotations

from django import template
from django.http import HttpRequest
from django.template import Context
from django.urls import reverse

from scoring.site.rules import get_section

register = template.Library()


@register.simple_tag
def help_address(request: HttpRequest) -> str:
    """Return the address of the section of the help for the current page."""
    page = request.resolver_match
    topic = page.func.__module__.split(".")[1] if page else ""
    return f"{reverse('guide')}#{get_section(topic, page.view_name if page else '')}"


@register.inclusion_tag("scoring/site/_picture.html", takes_context=True)
def picture(context: Context, name: str, height: int, alt: str) -> dict[str, str | int]:
    """Render a picture from `make pictures` in the language of the page, 360 px wide and `height` px high."""
    path = f"scoring/help/{name}-{context['language']}"
    return {"light": f"{path}-light.webp", "dark": f"{path}-dark.webp", "height": height, "alt": alt}
