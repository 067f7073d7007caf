"""Where the months of the Kasse are drawn: income above the zero line, expense below it, and a line through what was there."""

from __future__ import annotations

from scoring.cash.months.charts import MOST_MONTHS, draw_months
from scoring.cash.months.queries import MonthMoney


def test_income_goes_up_expense_down_and_the_line_ends_at_what_is_there() -> None:
    flow, there = draw_months([MonthMoney("2026-01", 1000, 0, 1000), MonthMoney("2026-02", 0, 2000, -1000)])
    heights = {cents: height for cents, height, _text in flow["scale"]}
    zero = heights[0]
    gained, _nothing, _none, spent = flow["bars"]
    assert (gained["top"] + gained["height"], gained["lost"], spent["top"], spent["lost"]) == (zero, False, zero, True)
    assert (gained["top"], spent["top"] + spent["height"]) == (heights[1000], heights[-2000])
    assert there["path"].endswith(f",{next(height for cents, height, _text in there['scale'] if cents == -1000)}")
    assert [point["label"] for point in there["points"]] == ["Januar 2026", "Februar 2026"]
    assert [text for _x, _y, text, _anchor in flow["texts"]] == ["Jan 26", "Feb 26", "Euro"]
    assert flow["label"] == "Einnahmen und Ausgaben im Monat. Im letzten Monat:"
    assert flow["ends"] == ["Einnahmen 0,00\u00a0€", "Ausgaben 20,00\u00a0€"]
    assert [point["figures"] for point in flow["points"]] == ["10,00 0,00", "0,00 20,00"]


def test_one_month_is_no_course_and_old_ones_are_left_out() -> None:
    assert draw_months([MonthMoney("2026-01", 1, 2, 3)]) == draw_months([]) == []
    months = [MonthMoney(f"20{year}-{month:02}", 5, 0, 5) for year in (24, 25, 26) for month in range(1, 13)]
    flow, there = draw_months(months)
    assert len(flow["points"]) == len(there["points"]) == MOST_MONTHS and len(flow["texts"]) <= 4 + 1
    # A Kasse in which nothing ever was has a zero line all the same.
    assert draw_months([MonthMoney("2026-01", 0, 0, 0), MonthMoney("2026-02", 0, 0, 0)])[0]["bars"][0]["height"] == 0
