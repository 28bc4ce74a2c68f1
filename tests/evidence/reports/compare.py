# SPDX-License-Identifier: Apache-2.0
"""Compares what two builds of the program say of every submission of the course.

    python3 tests/evidence/reports/compare.py BEFORE AFTER [--builds B A] [--rename OLD=NEW]... [--jobs N] [PART...]

BEFORE and AFTER are folders of the project in which ./warpgrade has built the program, in `build` or in
the folders that --builds names. With one folder twice, builds for different processors are compared:
x86-64-v2 (`-Dcpu=portable`) with this machine's, or with one for aarch64 where the system runs that by
qemu-user-static. Each program
grades, by its own labs, all skeletons, solutions, further right kernels, wrong solutions and cheats
of AFTER; those whose name holds one of PART, where any is given. Text, JSON and exit code must be the
same, but for the words of --rename, which are replaced in what BEFORE says, and for the fields of
the JSON report that name the program and the time. A refactoring changes nothing here. Prints each
difference and exits with 1 where there is one.
"""

import argparse
import concurrent.futures
import difflib
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

# Keys about the program that wrote a report, and fields that later programs have added.
OF_THE_PROGRAM = ("grader", "toolkit", "time")
ADDED = ("file", "sha256", "difference", "hint", "next")


def submissions(root):
    """(name, exercise, file) of everything that can be handed in for an exercise."""
    for lab in sorted(path.parent for path in root.glob("labs/*/grader.toml")):
        solutions = root / "solutions" / lab.name
        solved = [path for path in sorted(solutions.iterdir()) if path.suffix in (".cu", ".toml")]

        def exercise(file):
            return lab.name + "/" + max(
                (path.stem for path in solved if file.stem.startswith(path.stem)), key=len
            )

        for path in solved:
            yield f"skeleton {lab.name}/{path.name}", f"{lab.name}/{path.stem}", lab / path.name
            yield f"solution {lab.name}/{path.name}", f"{lab.name}/{path.stem}", path
        for file in sorted((solutions / "wrong").iterdir()):
            yield f"wrong {lab.name}/{file.name}", exercise(file), file
    for kind in ("right", "cheats"):
        folder = root / "tests/evidence" / kind
        for file in sorted(folder.glob("*/*/*.cu")):
            name = file.relative_to(folder).as_posix()
            yield f"{kind} {name}", name.rsplit("/", 1)[0], file


def grade(folder, build, exercise, file, work):
    """(exit code, text, JSON report or None) of the program that was built in `folder`."""
    report = pathlib.Path(work) / "grade.json"
    command = [folder / build / "grader/warpgrade", "grade", exercise, "--file", file.name]
    done = subprocess.run(
        [*map(str, command), "--backend", "sim", "--json", str(report)],
        capture_output=True, text=True, errors="replace", cwd=file.parent, check=False,
        env={**os.environ, "WARPGRADE_ROOT": str(folder)},
    )
    text = done.stdout + done.stderr
    return done.returncode, text, json.loads(report.read_text()) if report.exists() else None


def without(report, fields):
    """`report` less the fields that name the program, and `fields` of its exercises."""
    if report is None:
        return None
    out = {key: value for key, value in report.items() if key not in OF_THE_PROGRAM}
    for exercise in out["exercises"]:
        for field in fields:
            exercise.pop(field, None)
    return out


def said(outcome, fields, renamed):
    """A program's output as comparable lines."""
    code, text, report = outcome
    # Columns are as wide as their words: only the words are compared.
    lines = [re.sub(r"\s+", " ", line).strip() for line in text.splitlines()]
    lines = [f"exit code {code}", *re.sub(r"-{3,}", "--", "\n".join(lines)).splitlines()]
    lines += json.dumps(without(report, fields), indent=1).splitlines()
    out = "\n".join(lines)
    for old, new in renamed:
        out = out.replace(old, new)
    # Text that wraps elsewhere because of a renamed word is the same text.
    head, _, tail = out.partition("\n{")
    return " ".join(head.split()).replace(". ", ".\n").splitlines() + ("{" + tail).splitlines()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("before", type=pathlib.Path)
    parser.add_argument("after", type=pathlib.Path)
    parser.add_argument("parts", nargs="*", metavar="PART")
    parser.add_argument("--builds", nargs=2, default=["build", "build"], metavar=("B", "A"))
    parser.add_argument("--rename", action="append", default=[], metavar="OLD=NEW")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_intermixed_args()
    before, after = options.before.resolve(), options.after.resolve()
    renamed = [tuple(one.split("=", 1)) for one in options.rename]
    chosen = [
        one for one in submissions(after)
        if not options.parts or any(part in one[0] for part in options.parts)
    ]

    def compare(submission):
        name, exercise, file = submission
        with tempfile.TemporaryDirectory() as work:
            # In a folder of its own, so that both programs show the same path.
            copy = pathlib.Path(work) / file.name
            copy.write_bytes(file.read_bytes())
            programs = zip((before, after), options.builds)
            old, new = (grade(folder, build, exercise, copy, work) for folder, build in programs)
        added = [] if not old[2] else [
            field for field in ADDED if all(field not in one for one in old[2]["exercises"])
        ]
        old, new = said(old, added, renamed), said(new, added, [])
        return name, list(difflib.unified_diff(old, new, "before", "after", lineterm="", n=1))

    different = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for name, difference in pool.map(compare, chosen):
            if difference:
                different += 1
                print(f"== {name}", *difference, sep="\n", flush=True)
    print(f"{len(chosen)} submissions, {different} different")
    return 1 if different or not chosen else 0


if __name__ == "__main__":
    sys.exit(main())
