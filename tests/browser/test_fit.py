"""Whether the look at pages sees what it is there for: each small page here has one fault, and one has none."""

from __future__ import annotations

from playwright.sync_api import Page

from tests.browser.fit import CONTRAST, barriers, misfits

HEAD = """<!doctype html><html lang="de"><title>Probe</title><meta name="viewport" content="width=device-width">
<style>body { margin: 0; font: 16px sans-serif } td { padding: 0 }</style><main><h1>Probe</h1>"""
GOOD = """<p>Ein <a href="#">Verweis</a> im Satz.</p><a href="#" style="display: block; min-height: 48px">Verweis</a>
<div style="overflow-x: auto" tabindex="0"><div style="width: 900px">Was sich schieben lässt</div></div>
<p style="width: 30px; overflow-wrap: anywhere">Donaudampfschifffahrt</p>"""
FAULTS = [
    ("<div style='width: 400px'>Breit</div>", "400 px wide on a screen of 360"),
    ("<div style='width: 60px; overflow: hidden; white-space: nowrap'>Abgeschnitten</div>", "cut off at the side"),
    ("<div style='height: 15px; overflow: clip'>Zeile<br>Zeile</div>", "cut off above or below"),
    ("<p style='border: 1px solid; width: 30px'>Hinausragend</p>", "beside its box"),
    ("<p style='border: 1px solid; height: 20px'>Zeile<br>Zeile</p>", "above or below its box"),
    (
        "<table style='width: 90px; table-layout: fixed'><tr><td style='white-space: nowrap'>Überlappung<td>Wort</table>",
        'text over "Wort"',
    ),
    ("<p style='width: 30px; overflow-wrap: anywhere'>−12345</p>", '"−12345" is broken'),
    ("<p style='width: 30px; overflow-wrap: anywhere'>Platz</p>", '"Platz" is broken'),
    ("<a href='#' style='display: block; width: 100px; height: 40px'>Ziel</a>", "a target of 100 x 40"),
    ("<button style='width: 20px; height: 48px'>×</button>", "a target of 20 x 48"),
    ("<details><summary style='min-height: 48px'>Mehr</summary><button>Ziel</button></details>", "a target of"),
    ("<label>Name <input style='height: 30px; width: 100px'></label>", "a target of 108 x 36"),
]


def test_what_fits_is_left_alone(page: Page) -> None:
    page.set_content(HEAD + GOOD)
    assert misfits(page, thumb=44) == []
    assert barriers(page) == []


def test_what_does_not_fit_is_found(page: Page) -> None:
    for html, fault in FAULTS:
        page.set_content(HEAD + html)
        faults = misfits(page, thumb=44)
        assert any(fault in found for found in faults), (fault, faults)
    page.set_content(HEAD + "<p style='color: #aaa; background: #fff'>Blass</p>")
    assert [found for found in barriers(page, CONTRAST) if found.startswith("color-contrast")]
