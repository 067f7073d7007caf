"""Decides that the indentation of our templates is for whoever reads them and is never sent: it would be 4 % of the page of
a table. Line ends stay, so sentences keep their spaces and errors their line numbers."""

from __future__ import annotations

import re

from django.template import Origin
from django.template.loaders import filesystem


class Loader(filesystem.Loader):
    """Reads from the folder of our templates; an .html file comes without the white space its lines begin with."""

    def get_contents(self, origin: Origin) -> str:
        contents: str = super().get_contents(origin)
        return re.sub(r"^[ \t]+", "", contents, flags=re.MULTILINE) if origin.name.endswith(".html") else contents
