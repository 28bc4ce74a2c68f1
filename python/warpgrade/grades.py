# SPDX-License-Identifier: Apache-2.0
"""Grades of exercises, and the names of exercises and devices."""

from __future__ import annotations

import json
import os
import pathlib
import tempfile
from typing import Any, Optional

from warpgrade import _page, _program
from warpgrade._source import is_path
from warpgrade._types import Diagnostic, Gate, GateLines, GradeBackend, PathLike, Reason, Verdict
from warpgrade.errors import ToolError
from warpgrade.runs import to_pandas


class Grade:
    """The grade of one submission.

    Attributes:
        exercise: "coalescing/copy".
        points, max_points: earned and possible points.
        verdict: "pass", "fail", "inconclusive" or "error"; reason: "none", "compile", "diagnostic",
            "incorrect", "mechanism", "performance" or "tool".
        report: the report as `warpgrade grade` prints it; `str(grade)` is the same.
        gates: one dict per gate: `id`, `metric`, `device`, `value`, `min`, `max`, `points`, `passed`.
        diagnostics: findings, in the form of `KernelError.diagnostics`.
        why: why it did not pass, in a sentence, or None.
        lines: the counters by line that explain gates: dicts with `gate`, `device` and `lines`, whose items are
            as in `Run.lines`.
        source: the submission's text; "" for the file of the course folder.
        hint, next: the first hint and the next step as text, or None.
        json: everything as a dict (docs/json/warpgrade.grade.schema.json).
        previous: in a notebook, the grade of the same exercise by `%%grade` before this one, or None.
        html: the page of `warpgrade grade --html`, which notebooks show.
    """

    def __init__(self, report: dict[str, Any], text: str, page: str, source: str = "") -> None:
        (found,) = report["exercises"]
        self.source = source
        self.previous: Optional[Grade] = None
        self.json = report
        self.report = text
        self.html = page
        self.exercise: str = f"{found['lab']}/{found['exercise']}"
        self.points: float = found["points"]
        self.max_points: float = found["max_points"]
        self.verdict: Verdict = found["verdict"]
        self.reason: Reason = found["reason"]
        self.gates: list[Gate] = found["gates"]
        self.diagnostics: list[Diagnostic] = found["diagnostics"]
        self.why: Optional[str] = found.get("why")
        self.lines: list[GateLines] = found.get("lines", [])
        self.hint: Optional[str] = found.get("hint")
        self.next: Optional[str] = found.get("next")

    def to_pandas(self, table: str = "gates") -> Any:
        """A pandas.DataFrame of "gates" (default) or "diagnostics".

        Raises:
            ImportError: pandas is missing.
            ValueError: there is no such table.
        """
        return to_pandas({"gates": self.gates, "diagnostics": self.diagnostics}, table)

    def __str__(self) -> str:
        return self.report

    def __repr__(self) -> str:
        return f"<warpgrade.Grade {self.exercise}: {self.verdict}, {self.points:g} of {self.max_points:g} points>"

    def _repr_html_(self) -> str:
        before = self.previous
        parts = [
            "" if before is None else _page.note(f"before: {before.points:g} of {before.max_points:g} points; "
                                                 f"now: {self.points:g}"),
            _page.labelled(self.exercise, f"{self.verdict}, {self.points:g} of {self.max_points:g} points"),
            _page.labelled("why", self.why or ""),
            _page.labelled("next", self.next or ""),
            *(_page.labelled(one["kind"], f"line {one['line']}: {one['message']}") for one in self.diagnostics),
            _page.table(("gate", "device", "yours", "points", ""),
                        ((one["id"], one["device"], "not measured" if one["value"] is None else float(one["value"]),
                          f"{one['points']:g}", _outcome(one)) for one in self.gates)),
            *(_page.labelled("lines", f"of {one['gate']} on {one['device']}") + _page.lines(one["lines"], self.source)
              for one in self.lines),
            _page.framed(self.html),
        ]
        return "".join(parts)


def _outcome(gate: Gate) -> str:
    """Whether a gate passed, for a table."""
    if gate.get("waived"):
        return "waived"
    return "undecided" if gate.get("undecided") else "pass" if gate["passed"] else "fail"


def grade(exercise: str, source: Optional[PathLike] = None, *, device: Optional[str] = None, backend: GradeBackend = "auto",
          seed: Optional[int] = None) -> Grade:
    """Grades a submission.

    Args:
        exercise: "coalescing/copy", or the last part alone if that is unique.
        source: the submission, as CUDA C++ text or the path of a file; for an exercise of answers, its
            TOML. Default: the file of the course folder that you work in.
        device: check only gates for this profile.
        backend: "auto" (the GPU if there is one), "sim" or "gpu".
        seed: seed of the inputs.

    Returns:
        The grade. A wrong submission is a grade with few points, not an exception.

    Raises:
        ValueError: there is no such exercise, file or device.
        ToolError: the tool could not grade (no compiler, no device); this is never a grade.
    """
    if not isinstance(exercise, str) or not exercise:
        raise TypeError(f"the exercise is {exercise!r}; it must be text such as 'coalescing/copy'")
    options = ["grade", exercise, "--backend", backend]
    options += [] if device is None else ["--device", device]
    options += [] if seed is None else ["--seed", str(seed)]
    with tempfile.TemporaryDirectory(prefix="warpgrade-") as folder:
        text = ""
        if source is not None:
            name = _submission(exercise, source, folder)
            options += ["--file", name]
            if os.path.isfile(os.path.join(folder, name)):
                text = pathlib.Path(folder, name).read_text("utf-8", "replace")
        report, page = os.path.join(folder, "report.json"), os.path.join(folder, "page.html")
        done = _program.run([*options, "--json", report, "--html", page], folder)
        if not os.path.exists(report):
            _program.raise_failure(done)
        made = json.loads(pathlib.Path(report).read_text("utf-8"))
        if len(made["exercises"]) != 1:
            raise ValueError(f"{exercise} is a lab; name one exercise, such as {exercise}/"
                             f"{made['exercises'][0]['exercise']}")
        if done.returncode == _program.TOOL_FAILED:
            raise ToolError(done.stdout.strip() or _program.message(done), made["exercises"][0]["diagnostics"])
        shown = pathlib.Path(page).read_text("utf-8") if os.path.exists(page) else ""
        return Grade(made, done.stdout, shown, text)


def _submission(exercise: str, source: PathLike, folder: str) -> str:
    """The path of the submission for the program, which runs in `folder`."""
    if not isinstance(source, (str, os.PathLike)):
        raise TypeError(f"the source is a {type(source).__name__}; it must be text or a path")
    if is_path(source) or str(source).endswith(".toml") and "\n" not in str(source):
        return os.path.abspath(source)
    name = exercise.rpartition("/")[2] + ".cu"
    pathlib.Path(folder, name).write_text(str(source), "utf-8")
    return name


def _completions(*words: str) -> list[str]:
    """The completions that the program offers a shell after these words."""
    return _program.run(["complete", *words, ""]).stdout.split()


def devices() -> list[str]:
    """The names of the GPU profiles, for `device=`."""
    return _completions("profile", "FILE.cu", "--device")


def exercises() -> list[str]:
    """The exercises of the course, as "lab/exercise"."""
    return [name for name in _completions("grade") if "/" in name]
