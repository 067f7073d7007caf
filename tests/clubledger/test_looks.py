"""The language of the screens (docs/looks.md): colours, type and corners are named once, and every pair that text is written
in can be read by day and by night."""

from __future__ import annotations

import re
from itertools import product

import pytest
from django.conf import settings

from scoring.core.charts import COLOURS

CSS = re.sub(
    r"/\*.*?\*/",
    "",
    "".join((settings.BASE_DIR / "assets" / name).read_text(encoding="utf-8") for name in ("style.css", "pages.css")),
    flags=re.DOTALL,
)
TOKENS, RULES = CSS.split("\nbody {", 1)
SCREEN = TOKENS.split("\n@media print", 1)[0]
DAY, NIGHT = SCREEN.split("@media (prefers-color-scheme: dark)", 1)
PEOPLE = range(12)
# The smallest figures of the widest sheets, by which all totals stay in sight.
FLUID = r"clamp\((?:var\(--t\d\)|\.6\d*rem), [\d.]+vw, var\(--t\d\)\)"

# What is written on what.
PAIRS = [
    *product(("ink", "quiet", "minus", "bs-link-color"), ("ground", "paper")),
    *product(("ink", "quiet", "bs-link-color"), ("soft",)),
    *product(("felt-ink", "felt-quiet"), ("felt", "felt-2")),
    ("accent-ink", "accent"),
    ("ink", "accent-soft"),
    ("ink", "won"),
    ("bock", "bock-soft"),
    ("brass-ink", "brass"),
    ("lit-ink", "lit"),
    ("lit-plus", "lit"),
    ("lit-minus", "lit"),
    ("felt-plus", "felt"),
    ("felt-minus", "felt"),
    ("accent", "ground"),
    ("quiet", "line"),
]


def _read(block: str) -> dict[str, str]:
    return dict(re.findall(r"--([\w-]+): (#[0-9a-f]{3,8})", block))


def _people(letter: str) -> list[str]:
    return re.findall(rf"--{letter}: (#\w{{6}})", DAY)


def _luminance(colour: str) -> float:
    digits = colour[1:] if len(colour) == 7 else "".join(2 * digit for digit in colour[1:])
    shares = (int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4))
    red, green, blue = (share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    darker, lighter = sorted(map(_luminance, (one, other)))
    return (lighter + 0.05) / (darker + 0.05)


def test_no_rule_names_a_colour() -> None:
    assert re.findall(r"#(?:[0-9a-fA-F]{3,4}){1,2}\b(?=[;, )])|\b(?:rgb|hsl)a?\(", RULES) == []


def test_letters_have_the_sizes_of_the_scale() -> None:
    sizes = re.findall(r"font-size: ([^;}]+?)(?=;| })", RULES)
    assert sizes
    # Points are for paper, px are units of a drawing.
    odd = [size for size in sizes if not re.fullmatch(rf"var\(--t\d\)|{FLUID}|inherit|0|[\d.]+(pt|px)", size)]
    assert odd == []


def test_corners_have_the_radii_of_the_tokens() -> None:
    radii = re.findall(r"border-radius: ([^;}]+?)(?=;| })", RULES)
    assert radii
    assert {part for radius in radii for part in radius.split()} <= {"0", "50%", "var(--r1)", "var(--r2)", "var(--r3)"}


def test_what_moves_stops_where_somebody_wants_no_motion() -> None:
    assert "@media (prefers-reduced-motion: reduce) { :root { --move: 0s; } }" in TOKENS
    moves = re.findall(r"(?:animation|transition)(?:-duration)?: ([^;}]+)", RULES)
    assert moves
    assert [move for move in moves if "var(--move)" not in move] == []


@pytest.mark.parametrize("dark", [False, True])
def test_text_can_be_read_by_day_and_by_night(dark: bool) -> None:
    colours = _read(DAY) | (_read(NIGHT) if dark else {})
    low = {pair: contrast(colours[pair[0]], colours[pair[1]]) for pair in PAIRS}
    assert {pair: found for pair, found in low.items() if found < 4.5} == {}


def test_every_initial_can_be_read_on_its_colour() -> None:
    day, night = _read(DAY), _read(NIGHT)
    deep, bright = _people("p"), _people("q")
    assert len(deep) == len(bright) == len(PEOPLE)
    assert min(contrast(day["face-ink"], colour) for colour in deep) >= 4.5
    assert min(contrast(night["face-ink"], colour) for colour in bright) >= 4.5
    # On felt they are bright by day as well; and a curve is drawn in them, on paper.
    assert min(contrast(day["face-deep"], colour) for colour in bright) >= 4.5
    assert min(contrast(day["paper"], colour) for colour in deep) >= 4.5
    assert min(contrast(night["paper"], colour) for colour in bright) >= 4.5


def test_the_picture_of_a_result_has_the_same_colours() -> None:
    assert list(COLOURS) == _people("p")


def test_contrast_is_measured_as_it_is_defined() -> None:
    assert contrast("#000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#fff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("block", [DAY, DAY + NIGHT], ids=["day", "night"])
def test_what_has_the_focus_is_seen_on_every_ground(block: str) -> None:
    """Of its two bands one stands out 3:1 at least, also on a filled button, and each from the other."""
    tokens = _read(block)
    grounds = [tokens[name] for name in tokens if name not in ("veil", "scrim", "lift")]
    assert len(grounds) > 20
    assert contrast(tokens["ring"], tokens["halo"]) >= 3
    assert [one for one in grounds if max(contrast(tokens[band], one[:7]) for band in ("ring", "halo")) < 3] == []


def test_one_rule_draws_the_focus() -> None:
    drawing = re.findall(r"([^{}]*:focus[^{}]*)\{[^{}]*(?:outline|box-shadow): (?!0|none)[^{}]*\}", CSS)
    assert [rule.strip().split(",")[0] for rule in drawing] == [":focus-visible"]
