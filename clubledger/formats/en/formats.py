"""English dates for Germany: the month in letters and 24 hours. Django's own format is American, where 4/3 is in April."""

DATE_FORMAT = "j F Y"
TIME_FORMAT = "H:i"
DATETIME_FORMAT = "j F Y H:i"
SHORT_DATE_FORMAT = "j M Y"
SHORT_DATETIME_FORMAT = "j M Y H:i"
FIRST_DAY_OF_WEEK = 1
