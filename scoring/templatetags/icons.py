"""The icons of the site. What one looks like is known as soon as its template is read, so it is drawn then, and not again for
everybody who asks for the page."""

from __future__ import annotations

from django import template
from django.template import Context
from django.template.base import Parser, TextNode, Token, token_kwargs
from lucide.templatetags.lucide import lucide

register = template.Library()


@register.tag
def icon(parser: Parser, token: Token) -> TextNode:
    """`{% icon "plus" class="me-2" %}`: a drawing beside words, which a screen reader leaves out."""
    _tag, name, *said = token.split_contents()
    nothing = Context()
    attributes = {key: value.resolve(nothing) for key, value in token_kwargs(said, parser).items()}
    return TextNode(lucide(parser.compile_filter(name).resolve(nothing), aria_hidden="true", **attributes))
