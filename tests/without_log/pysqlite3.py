"""Hides the package pysqlite3 from a run with this folder in PYTHONPATH: the SQLite of Python serves, without a write-ahead log
where it is an old one, as on ARM Linux."""

raise ImportError("pysqlite3 is hidden")
