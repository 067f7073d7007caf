"""Writes the plain fields of forms. A list is chosen from by a year and a person, and Django asks three templates for each of
them: that took longer than the list. The markup is Django's own, without its line ends."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django.forms.renderers import DjangoTemplates
from django.utils.html import conditional_escape
from django.utils.safestring import mark_safe


class Renderer(DjangoTemplates):
    """What is written here, and Django's templates for everything else."""

    def render(self, template_name: str, context: dict[str, Any], request: Any = None) -> str:
        write = _WRITTEN.get(template_name)
        if write is None:
            return super().render(template_name, context, request)
        return mark_safe(write(context["widget"]))  # noqa: S308  # nosec B308, B703  # escaped below


def _select(widget: Mapping[str, Any]) -> str:
    groups = (_group(name, options) for name, options, _index in widget["optgroups"])
    return f'<select name="{_text(widget["name"])}"{_attributes(widget["attrs"])}>{"".join(groups)}</select>'


def _group(name: Any, options: list[dict[str, Any]]) -> str:
    written = "".join(map(_option, options))
    return f'<optgroup label="{_text(name)}">{written}</optgroup>' if name else written


def _option(widget: Mapping[str, Any]) -> str:
    return f'<option value="{_text(widget["value"])}"{_attributes(widget["attrs"])}>{_text(widget["label"])}</option>'


def _input(widget: Mapping[str, Any]) -> str:
    value = "" if widget["value"] is None else f' value="{_text(widget["value"])}"'
    return f'<input type="{widget["type"]}" name="{_text(widget["name"])}"{value}{_attributes(widget["attrs"])}>'


def _attributes(attrs: Mapping[str, Any]) -> str:
    return "".join(
        f" {name}" if value is True else f' {name}="{_text(value)}"' for name, value in attrs.items() if value is not False
    )


def _text(value: Any) -> str:
    return conditional_escape(value if isinstance(value, str) else str(value))


_INPUTS: Final = ("checkbox", "date", "email", "hidden", "number", "password", "text")
_WRITTEN: Final = {
    "django/forms/widgets/select.html": _select,
    **{f"django/forms/widgets/{name}.html": _input for name in _INPUTS},
}
