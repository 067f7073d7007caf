"""What tests do with a page of a browser: log its phone in by the cookie of a session, wait for the next page, read a QR code, and
read a printed page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from io import BytesIO
from unicodedata import normalize

import zxingcpp
from django.contrib.auth.models import User
from django.test import Client
from playwright.sync_api import BrowserContext, Locator, Page
from pypdf import PdfReader


def log_in(phone: BrowserContext, site: str, user: User) -> None:
    """From now on the phone is logged in as `user` on the site at this address."""
    client = Client()
    client.force_login(user)
    phone.add_cookies([{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": site}])


@contextmanager
def another_page(page: Page) -> Iterator[None]:
    """What is done here leads to another page; afterwards that one is there and loaded, whatever both have in common. A tap
    by itself does not wait for it."""
    with page.expect_navigation():
        yield


# Draws an image as large as the page shows it and answers its size and how light each point is.
_LIGHT = """async image => {
  await image.decode();
  const canvas = document.createElement("canvas");
  const {width, height} = image.getBoundingClientRect();
  canvas.width = Math.round(width), canvas.height = Math.round(height);
  const pen = canvas.getContext("2d");
  pen.drawImage(image, 0, 0, canvas.width, canvas.height);
  const points = pen.getImageData(0, 0, canvas.width, canvas.height).data;
  return [canvas.width, Array.from(points).filter((_, at) => at % 4 === 1)];
}"""


def read_code(light: Sequence[int], width: int) -> list[str]:
    """What the codes in a picture say; `light` is 0 to 255 for each of its points, row by row."""
    points = memoryview(bytes(light)).cast("B", (len(light) // width, width))
    return [code.text for code in zxingcpp.read_barcodes(points, formats=zxingcpp.BarcodeFormat.QRCode)]


def read_image(image: Locator) -> list[str]:
    """What the code in an image of a page says."""
    width, light = image.evaluate(_LIGHT)
    return read_code(light, width)


def printed(page: Page) -> list[str]:
    """What stands on each sheet of paper, letters that are printed as one taken apart again."""
    paper = PdfReader(BytesIO(page.pdf(prefer_css_page_size=True)))
    return [normalize("NFKC", sheet.extract_text()) for sheet in paper.pages]
