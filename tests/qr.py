"""Decides how tests read a QR code: as a phone does, from the light and dark of a picture."""

from __future__ import annotations

from collections.abc import Sequence

import zxingcpp
from playwright.sync_api import Locator

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
