"""Write many rows at once, and count related rows for the rows of a page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, cast

from django.db.models import Count, Field, Model, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce


def insert(model: type[Model], names: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """Store new rows with the values of these fields, in this order; of a foreign key, the id."""
    model._default_manager.bulk_create(_instances(model, names, rows))


def upsert(model: type[Model], keys: Sequence[str], names: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    """Store rows that have the values of `keys`, by which a row is found, and then those of `names`, which a stored row takes."""
    instances = _instances(model, (*keys, *names), rows)
    model._default_manager.bulk_create(instances, update_conflicts=True, unique_fields=keys, update_fields=names)


def _instances(model: type[Model], names: Sequence[str], rows: Iterable[Sequence[Any]]) -> list[Model]:
    names = [attname(model, name) for name in names]
    return [model(**dict(zip(names, row, strict=True))) for row in rows]


def attname(model: type[Model], name: str) -> str:
    """Return the attribute of an instance that has the stored value of a field: of a foreign key, the id."""
    return cast("Field[Any, Any]", model._meta.get_field(name)).attname


def counted(rows: QuerySet[Any], **of: OuterRef) -> Any:
    """Count the related rows of each row of a queryset, grouped by the field `of`. A subquery counts for the rows of a page alone,
    where joining and grouping would count those of every row first."""
    (belongs,) = of
    mine = rows.filter(**of).order_by().values(belongs)
    return Coalesce(Subquery(mine.annotate(n=Count("pk")).values("n")), 0)
