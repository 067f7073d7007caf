from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from django import template
from django.forms.utils import flatatt
from django.http import HttpRequest
from django.template import Context
from django.template.base import Parser, TextNode, Token, token_kwargs
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import ngettext
from django_tables2.rows import BoundRow
from lucide.templatetags.lucide import lucide

from scoring.administration import queries
from scoring.cash import texts
from scoring.cash.ledger.texts import translate_reason
from scoring.club.models import Player
from scoring.club.names import build_letters, get_color_class
from scoring.club.texts import ChangeDescription
from scoring.core import formats
from scoring.core.formats import format_month
from scoring.play.queries import NextGame, Row, Sheet
from scoring.play.texts import describe_carried, describe_open_sources, describe_sources, describe_winner, get_bock_sign
from scoring.rules.validation import Sentence
from scoring.rulesets.models import RuleSet
from scoring.table.texts import describe_done_games, get_eyes, get_line_label

register = template.Library()

register.filter("points", formats.format_points)
register.filter("signed", formats.format_signed)
register.filter("games", formats.format_games)
register.filter("cycle", formats.format_cycle)
register.filter("percent", formats.format_percent)
register.filter("mean", formats.format_mean)
register.filter("sentence", formats.translate_sentence)
register.filter("untranslated", formats.mark_as_name)
register.filter("announcement", formats.get_announcement_label)
register.filter("bock_from", describe_sources)
register.filter("carried", describe_carried)
register.filter("label_of", get_line_label)
register.filter("eyes_of", get_eyes)
register.filter("won_line", describe_winner)
register.filter("bock_sign_of", lambda row: get_bock_sign(row.rules, row.result.level))
register.filter("count_struck", lambda rows: sum(row.record.struck for row in rows))
register.filter("unit", lambda unit: RuleSet.Unit(unit).label)
register.filter("face", lambda player, row: row[player])
register.simple_tag(lambda people, access: access.names.apply_to(people), name="name_people")
register.simple_tag(lambda access: queries.get_deletion_day(access.club) if access and access.member else None, name="deletion_day")

# Amounts of the Kasse.
register.filter("euros", texts.format_euros)
register.filter("bare_euros", texts.format_amount)
register.filter("short_euros", texts.format_short_amount)
register.filter("balance", texts.format_balance)
register.filter("own_balance", texts.format_own_balance)
register.filter("cash_month", format_month)
register.filter("owes_more", texts.format_charge)
register.filter("pays", texts.format_transfer)
register.filter("reason_text", translate_reason)


@register.filter
def done_to(what: ChangeDescription | list[BoundRow]) -> str:
    """Say what was done in a change, or in several of one kind, with the numbers of its games."""
    changes = [row.record for row in what] if isinstance(what, list) else [what]
    numbers = [change.number for change in changes if change.number]
    return describe_done_games(changes[0].change, numbers) if numbers else changes[0].done


@register.simple_tag
def lines_beside(sheet: Sheet, row: Row) -> dict[str, Row | None]:
    place = next(place for place, other in enumerate(sheet.rows) if other.game.key == row.game.key)
    before, behind = (sheet.rows[at] if 0 <= at < len(sheet.rows) else None for at in (place - 1, place + 1))
    return {"before": before, "behind": behind}


@register.filter
def color_class(player: Player) -> str:
    return get_color_class(player.pk, player.name)


@register.filter
def size_of_totals(sheet: Sheet) -> str:
    """Return CSS classes for the length of the longest running total: five columns fit on a phone."""
    totals = [cell.total for row in sheet.rows for cell in row.cells if cell.total is not None]
    longest = max(len(formats.format_points(total)) for total in (max(totals, default=0), min(totals, default=0)))
    return " long huge" if longest > 5 else " long" if longest > 4 else ""


@register.simple_block_tag
def in_one_line(content: str) -> SafeString:
    """Put the content between the tags on one line. It is escaped already."""
    return SafeString(" ".join(content.split()))  # nosec B703


@register.simple_tag
def faces(row: Iterable[Any]) -> dict[int, SafeString]:
    """Return the drawn initials of the people in a row, or in lines about them, by id; the name is beside them."""
    people = dict(_person(one) for one in row if getattr(one, "player", one) is not None)
    return {
        player: format_html('<span class="{}" data-i="{}"></span>', get_color_class(player, people[player]), drawn)
        for player, drawn in build_letters(people).items()
    }


def _person(one: Any) -> tuple[int, str]:
    """Return id and name of a person, given as the person, a line with a person, a row of a table with it, or a mapping."""
    if isinstance(one, Mapping):
        if not isinstance(one["player"], Player):
            return one["player"], one["name"]
        one = one["player"]
    one = getattr(one, "record", one)
    one = getattr(one, "player", one)
    return (one.pk if isinstance(one, Player) else one.player_id), one.name


@register.simple_tag
def bock_left(following: NextGame) -> str:
    levels = following.levels
    left = ngettext("Bock: noch %(n)s", "Bock: noch %(n)s", len(levels)) % {"n": len(levels)}
    return left if levels[0] == 1 else f"{left} ({get_bock_sign(following.rules, levels[0])})"


@register.simple_tag
def bock_open(following: NextGame) -> str:
    origin = describe_open_sources(following)
    return bock_left(following) + (": " if origin[:1].isdigit() else " ") + origin


@register.inclusion_tag("scoring/table/_fault.html")
def fault(refused: Mapping[str, Sentence] | None, name: str) -> dict[str, str]:
    found = (refused or {}).get(name)
    return {"name": name, "sentence": formats.translate_sentence(found) if found else ""}


@register.simple_tag
def button(
    label: str, address: str, *arguments: object, query: str = "", arrow: bool = False, **attributes: str | bool
) -> SafeString:
    """Render a link that looks like a button, to the page that urls.py calls `address`. An arrow says that it leads on."""
    style = attributes.pop("class", "btn btn-outline-secondary")
    url = reverse(address, args=arguments) + query
    return format_html('<a class="{}" href="{}"{}>{}{}</a>', style, url, flatatt(attributes), label, " ›" if arrow else "")


@register.simple_tag
def back_button(label: str, address: str, *arguments: object, **attributes: Any) -> SafeString:
    return button(lucide("arrow-left", aria_hidden="true"), address, *arguments, **attributes | {"aria-label": label})


@register.inclusion_tag("scoring/_post_button.html")
def post_button(
    label: str, address: str, *arguments: object, look: str = "outline-secondary", space: str = "", **attributes: str
) -> dict[str, str]:
    """Render a form that is one wide button, in Bootstrap's colours `look`; `space` is a class for its margin."""
    attributes = {"class": f"btn btn-{look} w-100 {space}".rstrip(), **attributes}
    return {"label": label, "address": reverse(address, args=arguments), "attributes": flatatt(attributes)}


@register.simple_block_tag
def card_link(
    content: str,
    address: str,
    *arguments: object,
    query: str = "",
    end: str = "",
    version: int | None = None,
    shown: int | None = None,
) -> SafeString:
    """Render a link of a list of cards around the content, and the figure `end` or an arrow. A link to the `version`
    that is `shown` says so."""
    current = SafeString(' aria-current="page"') if version is not None and version == shown else ""
    sign = SafeString('<span class="end" aria-hidden="true">›</span>')  # nosec B703
    behind = format_html('<strong class="end num">{}</strong>', end) if end else sign
    html = '<li><a class="list-link" href="{}{}"{}><span>{}</span>{}</a></li>'
    return format_html(html, reverse(address, args=arguments), query, current, content, behind)


@register.inclusion_tag("scoring/_list_link.html")
def list_link(label: str, address: str, *arguments: object, about: str = "", download: bool = False) -> dict[str, object]:
    return {"label": label, "address": reverse(address, args=arguments), "about": about, "download": download}


# The anchors of the help in every language; the first is its top.
SECTIONS: Final = (
    "help", "people", "evening", "correcting", "closing", "month", "kasse", "list", "old-list", "rules", "trouble",
)  # fmt: skip
SECTION_OF_TOPIC: Final = {
    "accounts": "trouble", "club": "people", "table": "evening", "evenings": "evening", "league": "month", "cash": "kasse",
    "standings": "list", "players": "list", "imports": "old-list", "rulesets": "rules", "whatif": "rules",
}
_CORRECTING: Final = ("game", "game_delete", "game_insert", "game_insert_behind", "game_up", "game_down", "history")
SECTION_OF_ADDRESS: Final = {
    **dict.fromkeys(("join", "join_links", "founding", "founding_link", "founding_open"), "people"),
    **dict.fromkeys(("evening_correction", "evening_close", "result", "paper"), "closing"),
    **dict.fromkeys(_CORRECTING, "correcting"),
}


def get_section(topic: str, address: str) -> str:
    """Return the section of the help for a page. `topic` is the folder of its view in scoring/, `address` its name in urls.py."""
    return SECTION_OF_ADDRESS.get(address) or SECTION_OF_TOPIC.get(topic, SECTIONS[0])


@register.simple_tag
def help_address(request: HttpRequest) -> str:
    page = request.resolver_match
    topic = page.func.__module__.split(".")[1] if page else ""
    return f"{reverse('guide')}#{get_section(topic, page.view_name if page else '')}"


@register.inclusion_tag("scoring/site/_picture.html", takes_context=True)
def picture(context: Context, name: str, height: int, alt: str, wide: str = "", wide_height: int = 0) -> dict[str, Any]:
    """Render a picture from `make pictures`, 360 px wide and `height` px high; on a wide screen the picture `wide`."""
    light, dark = (f"scoring/help/{{}}-{context['language']}-{scheme}.webp" for scheme in ("light", "dark"))
    wide_paths = {"light": light.format(wide), "dark": dark.format(wide), "height": wide_height} if wide else None
    return {"light": light.format(name), "dark": dark.format(name), "height": height, "alt": alt, "wide": wide_paths}


@register.tag
def icon(parser: Parser, token: Token) -> TextNode:
    """Render an icon beside words, hidden from screen readers, when the template is compiled: `{% icon "plus" class="me-2" %}`."""
    _tag, name, *pairs = token.split_contents()
    nothing = Context()
    attributes = {key: value.resolve(nothing) for key, value in token_kwargs(pairs, parser).items()}
    return TextNode(lucide(parser.compile_filter(name).resolve(nothing), aria_hidden="true", **attributes))
