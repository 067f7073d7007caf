"""Insert the validated rows of an archive; their numbers of other rows become the ids in this database."""

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
from scoring.archive.queries import BATCH_SIZE, KINDS, ArchiveRow, Document, RowKind, translate_ids, translate_subject
from scoring.club.models import Club
from scoring.core.limits import short_transaction

T = TypeVar("T")

# The ids of the inserted rows by kind, in the order of their numbers.
Ids = dict[str, Sequence[int]]


def parse_value(field: models.Field[Any, Any], value: Any) -> Any:
    """Return the value of a field from its JSON value. Raises ValueError, ValidationError."""
    if not _has_type(field, value):
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


def _has_type(field: models.Field[Any, Any], value: Any) -> bool:
    """Return whether a JSON value has the type of the field; a number must fit into every database."""
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


def insert_rows(kind: RowKind, club: Club, rows: Iterable[ArchiveRow], made: Ids) -> None:
    """Insert the rows of a kind. `link_rows` sets references to the same kind later."""
    ids = array("q")
    for some in split_batches(rows, kind.batch_size):
        instances = [build_instance(kind, club, row, made) for row in some]
        try:
            with short_transaction():
                kind.model._default_manager.bulk_create(instances)
        except (IntegrityError, DataError) as error:
            first = find_refused_row(some, lambda row: build_instance(kind, club, row, made).save(force_insert=True))
            raise build_refusal(f"{kind.name}[{first['row']}]") from error
        ids.extend(instance.pk for instance in instances if isinstance(instance.pk, int))
    made[kind.name] = ids


def split_batches(rows: Iterable[T], size: int = BATCH_SIZE) -> Iterator[list[T]]:
    """Yield the rows in lists of this size."""
    left = iter(rows)
    while some := list(islice(left, size)):
        yield some


def find_refused_row(rows: Sequence[T], save: Callable[[T], object]) -> T:
    """Save the rows one by one and return the first that the database refuses."""
    for row in rows:
        try:
            with transaction.atomic():
                save(row)
        except (IntegrityError, DataError):
            return row
    return rows[-1]


def build_refusal(place: str) -> ArchiveRefused:
    return ArchiveRefused([f"{place}: " + _("Das passt zu keiner anderen Zeile oder steht doppelt da.")])


def build_instance(kind: RowKind, club: Club, row: ArchiveRow, made: Ids) -> Any:
    """Return the model instance of a row."""
    values = translate_ids(kind.name, row, _translate_numbers(made))
    given: dict[str, Any] = {"club": club} if kind.club == "club" else {}
    for name, field in kind.fields.items():
        value, target = values[name], kind.targets.get(name)
        if target is not None:
            given[field.attname] = made[target][value - 1] if value and target in made else None
        else:
            given[name] = None if value is None else parse_value(field, value)
    instance = kind.model(**given)
    if kind.derives:
        # Sets derived fields only; the others were validated before.
        instance.clean_fields(exclude=kind.every_name)
        instance.clean()
    return instance


def _translate_numbers(made: Ids) -> Any:
    """Return a function from number to id: 0 for a kind that is not inserted yet; a negative number (a deleted row) stays."""

    def turn(kind: str, number: int) -> int:
        if number < 0:
            return number
        return made[kind][number - 1] if kind in made else 0

    return turn


def link_rows(document: Document, made: Ids) -> None:
    """Set the references to rows of the same kind, and those of log entries to published months."""
    for kind in KINDS:
        if kind.name == "entries":
            continue  # inserted with their references, because entries never change
        for name in [name for name, target in kind.targets.items() if target == kind.name]:
            _update(kind, name, made, {row["row"]: made[kind.name][row[name] - 1] for row in document[kind.name] if row[name]})
        if kind.name == "changes":
            months = (row for row in document["changes"] if row["verb"].startswith("month."))
            subjects = {row["row"]: translate_subject(row["verb"], row["subject_id"], _translate_numbers(made)) for row in months}
            _update(kind, "subject_id", made, subjects)


def _update(kind: RowKind, name: str, made: Ids, values: Mapping[int, Any]) -> None:
    """Write one field of these rows, by number."""
    attname = "subject_id" if name == "subject_id" else kind.fields[name].attname
    for some in split_batches(values.items()):
        instances = [(number, kind.model(pk=made[kind.name][number - 1], **{attname: value})) for number, value in some]
        try:
            with short_transaction():
                kind.model._default_manager.bulk_update([instance for _number, instance in instances], [name])
        except IntegrityError as error:
            first, _instance = find_refused_row(instances, lambda one: one[1].save(update_fields=[name]))
            raise build_refusal(f"{kind.name}[{first}].{name}") from error


def refuse(faults: Iterator[str]) -> None:
    """Raise ArchiveRefused if there are faults."""
    if found := list(faults):
        raise ArchiveRefused(found)


def format_errors(place: str, error: ValidationError) -> list[str]:
    return [f"{place}.{name}: {text}" for name, texts in error.message_dict.items() for text in texts]
