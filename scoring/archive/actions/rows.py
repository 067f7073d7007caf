"""Turns the rows of an archive, each of which was judged when it was read, into rows of the database. The numbers by which it
names other rows become the ids that those have here."""

from __future__ import annotations

import base64
import datetime
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, TypeVar
from uuid import UUID

from django.core.exceptions import ValidationError
from django.db import DataError, IntegrityError, models, transaction
from django.utils.translation import gettext as _

from scoring.archive.errors import ArchiveRefused
from scoring.archive.queries import AT_ONCE, KINDS, ArchiveRow, Document, RowKind, subject_of, turned
from scoring.club.models import Club
from scoring.core.limits import short_transaction

T = TypeVar("T")

# The ids of the rows of each kind that something can name, in the order of their numbers.
Made = dict[str, Sequence[int]]


def value_in(field: models.Field[Any, Any], value: Any) -> Any:
    """What a field holds, from how an archive writes it down. Raises ValueError, ValidationError."""
    if not _is_of(field, value):
        raise ValueError(_("Hier steht etwas anderes, als hierher gehört."))
    match field:
        case models.DateTimeField():
            return datetime.datetime.fromisoformat(value)
        case models.DateField():
            return datetime.date.fromisoformat(value)
        case models.UUIDField():
            return UUID(value)
        case models.BinaryField():
            return base64.b64decode(value, validate=True)
    return value


def _is_of(field: models.Field[Any, Any], value: Any) -> bool:
    """Is the value of the kind that the field holds? A number must be one that every database holds."""
    match field:
        case models.JSONField():
            return True
        case models.BooleanField():
            return type(value) is bool
        case models.IntegerField():
            name = field.get_internal_type()
            limit = 1 << (15 if "Small" in name else 63 if "Big" in name else 31)
            return type(value) is int and -limit <= value < limit
        case _:
            return type(value) is str


def insert(kind: RowKind, club: Club, rows: Iterable[ArchiveRow], made: Made) -> None:
    """The rows of one kind. What refers to its own kind does so later."""
    ids = array("q")
    for some in in_turn(rows, kind.at_once):
        instances = [instance_of(kind, club, row, made) for row in some]
        try:
            with short_transaction():
                kind.model._default_manager.bulk_create(instances)
        except (IntegrityError, DataError) as error:
            first = first_refused(some, lambda row: instance_of(kind, club, row, made).save(force_insert=True))
            raise refused_by_database(f"{kind.name}[{first['row']}]") from error
        ids.extend(instance.pk for instance in instances if isinstance(instance.pk, int))
    made[kind.name] = ids


def in_turn(rows: Iterable[T], at_once: int = AT_ONCE) -> Iterator[list[T]]:
    """These rows in groups, each of which one statement writes."""
    left = iter(rows)
    while some := list(islice(left, at_once)):
        yield some


def first_refused(rows: Sequence[T], save: Callable[[T], object]) -> T:
    """The first of these rows that the database refuses, one after the other."""
    for row in rows:
        try:
            with transaction.atomic():
                save(row)
        except (IntegrityError, DataError):
            return row
    return rows[-1]


def refused_by_database(place: str) -> ArchiveRefused:
    return ArchiveRefused([f"{place}: " + _("Das passt zu keiner anderen Zeile oder steht doppelt da.")])


def instance_of(kind: RowKind, club: Club, row: ArchiveRow, made: Made) -> Any:
    """A row that was judged, as its model has it."""
    values = turned(kind.name, row, _ids(made))
    given: dict[str, Any] = {"club": club} if kind.club == "club" else {}
    for name, field in kind.fields.items():
        value, target = values[name], kind.targets.get(name)
        if target is not None:
            given[field.attname] = made[target][value - 1] if value and target in made else None
        else:
            given[name] = None if value is None else value_in(field, value)
    instance = kind.model(**given)
    if kind.derives:
        # None of its fields is judged again.
        instance.clean_fields(exclude=kind.every_name)
        instance.clean()
    return instance


def _ids(made: Made) -> Any:
    """Turns a number into an id; of a kind that is not made yet into none, and what is no more stays so."""

    def turn(kind: str, number: int) -> int:
        if number < 0:
            return number
        return made[kind][number - 1] if kind in made else 0

    return turn


def refer_among_themselves(document: Document, made: Made) -> None:
    """References to rows of the same kind, and of the history to what was published."""
    for kind in KINDS:
        if kind.name == "entries":
            continue  # each was written with what it reverses, and never changes
        for name in [name for name, target in kind.targets.items() if target == kind.name]:
            _update(kind, name, made, {row["row"]: made[kind.name][row[name] - 1] for row in document[kind.name] if row[name]})
        if kind.name == "changes":
            months = (row for row in document["changes"] if row["verb"].startswith("month."))
            subjects = {row["row"]: subject_of(row["verb"], row["subject_id"], _ids(made)) for row in months}
            _update(kind, "subject_id", made, subjects)


def _update(kind: RowKind, name: str, made: Made, values: Mapping[int, Any]) -> None:
    """Write one field of these rows, by number."""
    attname = "subject_id" if name == "subject_id" else kind.fields[name].attname
    for some in in_turn(values.items()):
        instances = [(number, kind.model(pk=made[kind.name][number - 1], **{attname: value})) for number, value in some]
        try:
            with short_transaction():
                kind.model._default_manager.bulk_update([instance for _number, instance in instances], [name])
        except IntegrityError as error:
            first, _instance = first_refused(instances, lambda one: one[1].save(update_fields=[name]))
            raise refused_by_database(f"{kind.name}[{first}].{name}") from error


def refuse(faults: Iterator[str]) -> None:
    if found := list(faults):
        raise ArchiveRefused(found)


def sentences(place: str, error: ValidationError) -> list[str]:
    return [f"{place}.{name}: {text}" for name, texts in error.message_dict.items() for text in texts]
