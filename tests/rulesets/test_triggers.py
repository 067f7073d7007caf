"""What starts a Bock, on the form for every setting: what is offered, and what is said of something that goes."""

from __future__ import annotations

import pytest

from scoring.rules.settings import resolve
from scoring.rulesets.forms.settings import SettingsForm
from tests.typed import sent


def test_a_herzstich_that_starts_a_bock_is_offered_for_nothing() -> None:
    stored = resolve({"base": "ddv", "bock": {"triggers": ["herzstich"]}})
    form = sent(stored, specials__herzstich="on")
    assert form.is_valid(), form.errors
    assert form.settings["specials"] == {**stored["specials"], "herzstich": 0}
    lines = {setting.key: setting for _title, lines in SettingsForm(settings=stored).sections for setting in lines}
    assert len(lines["bock__triggers"].notes) == 1


@pytest.mark.parametrize(
    ("held", "offered"),
    [
        ([], ["special:herzstich"]),
        (["special:herzstich"], ["special:herzstich"]),
        (["herzstich"], ["herzstich"]),
        (["herzstich", "special:herzstich"], ["herzstich", "special:herzstich"]),
    ],
)
def test_the_herzstich_is_offered_once(held: list[str], offered: list[str]) -> None:
    stored = resolve({"base": "ddv", "specials": {"herzstich": 1}, "bock": {"triggers": held}})
    fields = SettingsForm(settings=stored).fields["bock__triggers"]
    assert sorted(key for key, _name in fields.choices if "herzstich" in key) == offered
    form = sent(stored, bock__cap="3")
    assert form.is_valid(), form.errors
    assert form.settings["bock"]["triggers"] == held


@pytest.mark.parametrize(
    ("trigger", "gone", "name"),
    [("special:hirsch", "specials__hirsch", "Hirsch"), ("kind:ramsch_2", "per_kind__ramsch_2", "Nullo")],
)
def test_what_goes_but_starts_a_bock_is_named_at_the_triggers(trigger: str, gone: str, name: str) -> None:
    own = {"hirsch": {"name": "Hirsch", "points": 1}}
    kinds = {"ramsch_2": {"name": "Nullo", "like": "fleischlos"}}
    stored = resolve({"base": "ddv", "specials": own, "per_kind": kinds, "bock": {"triggers": ["redeal", trigger]}})
    form = sent(stored, **{gone: "False"})
    assert form.errors == {
        "bock__triggers": [
            f"„{name}“ löst noch einen Bock aus, ist aber in diesem Regelwerk nicht angekreuzt. Bitte auch hier "
            "wegnehmen oder dort ankreuzen."
        ]
    }
    lines = {setting.key: setting for _title, lines in form.sections for setting in lines}
    assert [key for key, setting in lines.items() if setting.faulty] == ["bock__triggers"]
    assert lines["bock__triggers"].open
    assert sent(stored, **{gone: "False", "bock__triggers": ["redeal"]}).is_valid()


def test_an_own_kind_that_goes_is_named_where_something_counts_in_it_alone() -> None:
    kinds = {"ramsch_2": {"name": "Nullo", "like": "fleischlos"}}
    specials = {"gans": {"name": "Gans", "points": 1, "kinds": ["ramsch_2"]}}
    form = sent(resolve({"base": "ddv", "specials": specials, "per_kind": kinds}), per_kind__ramsch_2="False")
    ((_field, (fault,)),) = form.errors.items()
    assert fault == "„Nullo“ gibt es in diesem Regelwerk nicht. Bitte weglassen oder angeben, was es ist."
