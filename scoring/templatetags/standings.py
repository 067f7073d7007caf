"""How the eternal list is written on a page: who climbed and who fell."""

from __future__ import annotations

from django import template

from scoring.standings.tables import movement

register = template.Library()

register.filter("places_moved", movement)
