# SPDX-License-Identifier: Apache-2.0
"""Finds and runs the program `warpgrade`, the one that this package was installed with.

In order: the file named by WARPGRADE_PROGRAM; in a checkout, its build, which the first call makes; the
console script of the installation (a venv, `--user`, `--target`); a `warpgrade` on PATH.
"""

from __future__ import annotations

import functools
import importlib.metadata
import itertools
import os
import pathlib
import re
import shutil
import subprocess
import sysconfig
from typing import Iterator, NoReturn, Optional, Sequence

from warpgrade import _server
from warpgrade._progress import Elapsed
from warpgrade.errors import ToolError

_CALLER = "WARPGRADE_CALLER"  # lets messages name arguments of calls, and not options
TOOL_FAILED = 3  # exit code of the program: it could not grade
_PACKAGE = pathlib.Path(__file__).resolve().parent


def _checkout() -> Optional[pathlib.Path]:
    """The root of the checkout that this package is part of; None if it is installed."""
    root = _PACKAGE.parent.parent
    return root if (root / "meson.build").is_file() and (root / "warpgrade").is_file() else None


def _installed() -> Iterator[pathlib.Path]:
    """Where an installation puts console scripts, nearest first."""
    yield _PACKAGE.parent / "bin"  # pip install --target
    for parent in _PACKAGE.parents:  # PREFIX/lib/pythonX.Y/site-packages/warpgrade
        if parent.name in ("lib", "lib64"):
            yield parent.parent / "bin"
            break
    yield pathlib.Path(sysconfig.get_path("scripts"))


def _built(root: pathlib.Path) -> pathlib.Path:
    """The program that the checkout's wrapper builds, or its students' program; builds it if both are missing."""
    folder = root / os.environ.get("WARPGRADE_BUILD", "build") / "grader"
    if (folder / "warpgrade").is_file():
        return folder / "warpgrade"
    if not (folder / "student").is_file():
        done = subprocess.run([str(root / "warpgrade"), "--version"], capture_output=True, check=False, text=True)
        if done.returncode != 0:
            raise ToolError(f"{root}/warpgrade could not build the program:\n{done.stderr}")
    return folder / "student"


@functools.lru_cache(maxsize=None)
def _find(named: Optional[str]) -> pathlib.Path:
    if named:
        return pathlib.Path(named).resolve()
    root = _checkout()
    if root is not None:
        return _built(root)
    for folder in _installed():
        if os.access(folder / "warpgrade", os.X_OK):
            return folder / "warpgrade"
    on_path = shutil.which("warpgrade")
    if on_path is None:
        raise ToolError("the program `warpgrade` was not found; install the wheel again, or set WARPGRADE_PROGRAM")
    return pathlib.Path(on_path)


def program() -> str:
    """The path of the program that this package runs.

    Raises:
        ToolError: it is missing, or the checkout's build failed.
    """
    return str(_find(os.environ.get("WARPGRADE_PROGRAM")))


def _course() -> Optional[str]:
    """The value of WARPGRADE_ROOT for the program: the course that the user works in.

    None if the program finds it itself: beside its own build, or the one that it was installed with."""
    given = os.environ.get("WARPGRADE_ROOT")
    if given:
        return given
    here = pathlib.Path.cwd()
    for folder in (here, *here.parents):
        if any(folder.glob("labs/*/grader.toml")):
            return str(folder)
    root = _checkout()
    return None if root is None else str(root)


def run(arguments: Sequence[str], folder: Optional[str] = None) -> subprocess.CompletedProcess[str]:
    """Runs the program with these arguments in `folder` (default: the current one).

    Raises:
        ToolError: the program cannot be started, or a signal ended it.
    """
    environment = dict(os.environ)
    course = _course()
    if course is not None:
        environment["WARPGRADE_ROOT"] = course
    environment[_CALLER] = "python"
    try:
        done = _run_with_progress([program(), *arguments], folder, environment)
    except OSError as error:
        raise ToolError(f"{program()} cannot be run: {error}") from error
    if done.returncode < 0:
        raise ToolError(f"the program ended with signal {-done.returncode}\n{done.stderr}".rstrip())
    return done


def request(arguments: Sequence[str], folder: str) -> subprocess.CompletedProcess[str]:
    """Like run() in a folder of the caller's, but in a process that stays: the next call starts none.

    Raises:
        ToolError: the program cannot be started, or a signal ended it.
    """
    if any(word.endswith(".toml") for word in arguments):  # a device that the process would not read again
        return run(arguments, folder)
    elapsed = Elapsed(arguments[0])
    try:
        code = _server.call(program(), {**os.environ, _CALLER: "python"}, folder, arguments, elapsed.show)
    except OSError as error:
        raise ToolError(f"{program()} cannot be run: {error}") from error
    finally:
        elapsed.end()
    out, error_text = (pathlib.Path(folder, name).read_text("utf-8", "replace") for name in ("stdout", "stderr"))
    return subprocess.CompletedProcess([program(), *arguments], code, out, error_text)


def _run_with_progress(command: list[str], folder: Optional[str],
                       environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    elapsed = Elapsed(command[1])
    with subprocess.Popen(command, cwd=folder, encoding="utf-8", env=environment, errors="replace",
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        try:
            for seconds in itertools.count(1):
                try:
                    out, error = process.communicate(timeout=1)
                    return subprocess.CompletedProcess(command, process.returncode, out, error)
                except subprocess.TimeoutExpired:
                    elapsed.show(seconds)
        except BaseException:  # also an interrupt of the cell
            process.kill()
            raise
        finally:
            elapsed.end()
    raise AssertionError  # The loop has no end of its own.


def message(done: subprocess.CompletedProcess[str]) -> str:
    """The program's own words about its failure."""
    text = done.stderr.strip() or done.stdout.strip()
    return text[len("warpgrade: "):] if text.startswith("warpgrade: ") else text


def raise_failure(done: subprocess.CompletedProcess[str]) -> NoReturn:
    """Raises the error for a call that the program refused (exit code 2) or could not carry out (3)."""
    if done.returncode == TOOL_FAILED:
        raise ToolError(message(done))
    raise ValueError(message(done))


def version() -> str:
    """The program's version and commit: "0.2.0 (706204b)"."""
    done = run(["--version"])
    return done.stdout.strip().partition(" ")[2]


def package_version() -> str:
    """The version of the package: "0.2.0"; in a checkout without building it."""
    root = _checkout()
    if root is not None:
        found = re.search(r"^  version: '(.*)',$", (root / "meson.build").read_text("utf-8"), re.MULTILINE)
        if found is not None:
            return found[1]
    try:
        return importlib.metadata.version("warpgrade")
    except importlib.metadata.PackageNotFoundError:
        return version().partition(" ")[0]
