"""Removes what only readers of a template need: the indentation, and the ends of lines that hold nothing but conditions and
loops. It would be 5 % of the page of a table. Other line ends stay, so sentences keep their spaces."""

from __future__ import annotations

import re

from django.template import Origin
from django.template.loaders import filesystem

# Before a line that begins with the end of a tag, its end as well.
_INDENTATION = re.compile(r"\n[ \t]*(?=/?>)|^[ \t]+", re.MULTILINE)
_SILENT_LINE = re.compile(r"^((?:\{% (?:if|elif|else|endif|for|empty|endfor|with|endwith|load)\b[^%\n]*%\})+)\n", re.MULTILINE)


class Loader(filesystem.Loader):
    """Reads from the folder of our templates; an .html file comes without what only its readers need."""

    def get_contents(self, origin: Origin) -> str:
        contents: str = super().get_contents(origin)
        if not origin.name.endswith(".html"):
            return contents
        return _SILENT_LINE.sub(r"\1", _INDENTATION.sub("", contents))
