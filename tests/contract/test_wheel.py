"""The package as strangers get it: a wheel, installed elsewhere, finds its own files."""

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).parents[2]


def build_wheel(folder):
    """The wheel of a copy of the project, since a build leaves its traces."""
    source = folder / "source"
    source.mkdir()
    for name in ["pyproject.toml", "README.md", "LICENSE", "LICENSE-text.md"]:
        shutil.copy(ROOT / name, source)
    for package in ["mllib", "grader"]:
        shutil.copytree(ROOT / package, source / package, ignore=shutil.ignore_patterns("__pycache__"))
    build = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "."]
    subprocess.run([*build, "-w", str(folder)], cwd=source, check=True)
    (wheel,) = folder.glob("*.whl")
    return wheel


def unpack(wheel, folder):
    """What installing the wheel puts beside other packages."""
    zipfile.ZipFile(wheel).extractall(folder)


def test_wheel_holds_everything_and_loads_a_data_set(tmp_path):
    wheel = build_wheel(tmp_path)
    names = zipfile.ZipFile(wheel).namelist()
    for package in ["mllib", "grader"]:
        for path in (ROOT / package).rglob("*.*"):
            if path.suffix in (".py", ".html", ".css", ".js") and "convert" not in path.parts:
                assert path.relative_to(ROOT).as_posix() in names, f"{path} is not in the wheel"
    installed = tmp_path / "installed"
    unpack(wheel, installed)
    program = (
        "import mllib, mllib.datasets as d, mllib.viz.explore.player, mllib.viz;"
        "print(mllib.__file__); X, y = d.load_spambase(return_X_y=True); print(X.shape);"
        "print(mllib.AdaBoostClassifier(n_estimators=3).fit(X, y).score(X, y) > .5)"
    )
    said = subprocess.run(
        [sys.executable, "-P", "-c", program],
        cwd=tmp_path,
        env={"PYTHONPATH": str(installed), "PATH": "", "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert said.returncode == 0, said.stderr
    where, shape, learns = said.stdout.split("\n")[:3]
    assert where.startswith(str(installed)), "the wheel was not what was imported"
    assert (shape, learns) == ("(4601, 57)", "True")
