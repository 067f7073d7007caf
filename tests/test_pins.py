"""Every pin has a wheel for each system that README.md promises, so that nothing is compiled there. The index of packages
is asked by `.ci/run` and in `make soak`."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib.metadata import distribution
from pathlib import Path

import pytest
from django.conf import settings
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

SYSTEMS = {
    ("linux", "x86_64"): ("manylinux_2_28_x86_64", "manylinux_2_17_x86_64"),
    ("linux", "aarch64"): ("manylinux_2_28_aarch64", "manylinux_2_17_aarch64"),
    ("darwin", "arm64"): ("macosx_14_0_arm64",),
}
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
PIN = re.compile(r"^[a-z][^\n]*?(?: \\\n    --hash=\S+)+", re.MULTILINE)


def pins_for(system: str, machine: str, python: str) -> dict[str, str]:
    """Return the pins with their hashes that pip installs on such a machine, by name."""
    there = {"sys_platform": system, "platform_machine": machine, "python_version": python}
    chosen = {}
    for pin in PIN.findall((settings.BASE_DIR / "requirements.txt").read_text()):
        requirement = Requirement(pin.partition(" \\")[0])
        if requirement.marker is None or requirement.marker.evaluate(there):
            chosen[requirement.name] = pin.replace(f"; {requirement.marker}", "")
    return chosen


def is_for_every_system(name: str, python: str) -> bool:
    """Return whether the wheel that is installed here fits everywhere."""
    here = distribution(name)
    fits = SpecifierSet(here.metadata["Requires-Python"] or "").contains(python)
    return fits and "\nTag: py3-none-any\n" in (here.read_text("WHEEL") or "")


def count_files(asked: str, name: str, version: str) -> int:
    """Count the files of a version that pip saw; each has a hash in the pin."""
    named = re.sub(r"[-_.]+", "[-_.]", name)
    return len(set(re.findall(rf"/({named}-{re.escape(version)}[-.][^/\s#]+?\.(?:whl|gz|zip))", asked, re.IGNORECASE)))


def test_only_markers_leave_pins_out() -> None:
    assert "pysqlite3" in pins_for("linux", "x86_64", "3.13")
    assert "pysqlite3" not in pins_for("linux", "aarch64", "3.13")
    all_pins = re.findall(r"^([a-z]\S*)==", (settings.BASE_DIR / "requirements.txt").read_text(), re.MULTILINE)
    assert [*pins_for("darwin", "arm64", "3.11")] == all_pins
    assert "Linux on x86-64 and ARM, and macOS on Apple silicon" in (settings.BASE_DIR / "README.md").read_text()


@pytest.mark.soak
@pytest.mark.parametrize("python", PYTHONS)
@pytest.mark.parametrize(("system", "machine"), SYSTEMS)
def test_every_pin_has_a_wheel(tmp_path: Path, system: str, machine: str, python: str) -> None:
    """An index that does not have all files of a pin cannot tell; that is no fault of the pin."""
    pins = {name: pin for name, pin in pins_for(system, machine, python).items() if not is_for_every_system(name, python)}
    assert "psycopg-binary" in pins
    (tmp_path / "pins.txt").write_text("\n".join(pins.values()) + "\n")
    platforms = [word for name in SYSTEMS[system, machine] for word in ("--platform", name)]
    options = ["--dry-run", "--no-deps", "--require-hashes", "--only-binary=:all:", "--target", str(tmp_path / "target")]
    pip = [sys.executable, "-m", "pip", "install", *options, *platforms, "--python-version", python, "-r", "pins.txt"]
    done = subprocess.run(pip, cwd=tmp_path, capture_output=True, text=True, check=False)
    if done.returncode:
        asked = subprocess.run([*pip, "-vv"], cwd=tmp_path, capture_output=True, text=True, check=False).stdout
        missing = re.search(r"No matching distribution found for (\S+?)==(\S+)", done.stderr)
        if missing is None or count_files(asked, *missing.groups()) < pins[missing[1]].count("--hash="):
            pytest.skip(f"NOT RUN: the index of packages is not there, or does not have all files: {done.stderr[-300:]}")
    assert done.returncode == 0, done.stderr[-2000:]
