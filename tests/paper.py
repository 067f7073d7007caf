"""Decides how the tests of printed pages read paper: as PDF from chromium, by the size that the page asks for."""

from __future__ import annotations

from io import BytesIO
from unicodedata import normalize

from playwright.sync_api import Page
from pypdf import PdfReader


def printed(page: Page) -> list[str]:
    """What stands on each sheet of paper, letters that are printed as one taken apart again."""
    paper = PdfReader(BytesIO(page.pdf(prefer_css_page_size=True)))
    return [normalize("NFKC", sheet.extract_text()) for sheet in paper.pages]
