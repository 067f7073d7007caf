"""Decides how a fault gets into a legal line: a wrong value, a key too few or too many, or anything anywhere.

Each function spoils the line itself and answers the path that has to be named, or None where the line has no place for the fault.
"""

from __future__ import annotations

import random
from copy import deepcopy
from typing import Any

Line = dict[str, Any]
Place = tuple[Any, Any, str]
ANY_VALUE: list[Any] = [None, True, False, 0, -1, 1, 10.0, 10**12, "", "x", "Anton", "1/2", [], {}, [None], {"id": "x"}]


def put_wrong(rng: random.Random, line: Line, pattern: str, value: Any) -> str | None:
    """At one of the places of the pattern, in the place of another value."""
    found = [place for place in places(line, pattern) if has(place)]
    if not found:
        return None
    container, key, path = rng.choice(found)
    container[key] = deepcopy(value)
    return path


def take_away(rng: random.Random, line: Line, pattern: str) -> str | None:
    found = [place for place in places(line, pattern) if place[1] in place[0]]
    if not found:
        return None
    container, key, path = rng.choice(found)
    del container[key]
    return path


def put_key(rng: random.Random, line: Line, pattern: str, name: str) -> str | None:
    """One key more in an object."""
    found = [place for place in places(line, pattern) if has(place) and isinstance(place[0][place[1]], dict)]
    if not found:
        return None
    container, key, path = rng.choice(found)
    container[key][name] = rng.choice([1, None, {}])
    return f"{path}.{name}"


def has(place: Place) -> bool:
    container, key, _ = place
    return isinstance(container, list) or key in container


def places(line: Line, pattern: str) -> list[Place]:
    """Where the last key of the pattern is or could be: (its container, the key, the path)."""
    *steps, last = pattern.split(".")
    containers: list[tuple[Any, str]] = [(line, "")]
    for step in steps:
        inside = [(one[key], f"{path}{key}.") for one, path in containers for key in keys_of(one) if step in ("*", key)]
        containers = [one for one in inside if isinstance(one[0], dict | list)]
    if last == "*":
        return [(one, key, f"{path}{key}") for one, path in containers for key in keys_of(one)]
    return [(one, last, f"{path}{last}") for one, path in containers if isinstance(one, dict)]


def keys_of(container: dict[str, Any] | list[Any]) -> list[Any]:
    return list(container) if isinstance(container, dict) else list(range(len(container)))


def put_anything(rng: random.Random, line: Line) -> None:
    """Somewhere in the line another value, a key too few or too many, an entry twice; by chance no fault at all."""
    container: Any = line
    line.setdefault("note", "")
    key = rng.choice(list(line))
    while isinstance(container[key], dict | list) and container[key] and rng.random() < 0.75:
        container = container[key]
        key = rng.choice(keys_of(container))
    how = rng.choice(["value", "value", "gone", "more"])
    if how == "value":
        container[key] = deepcopy(rng.choice(ANY_VALUE))
    elif how == "gone":
        del container[key]
    elif isinstance(container, list):
        container.append(deepcopy(container[key]))
    else:
        container[rng.choice(["x", "name", "cents", "points", "absent"])] = deepcopy(rng.choice(ANY_VALUE))
