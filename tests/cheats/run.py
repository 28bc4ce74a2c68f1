# SPDX-License-Identifier: Apache-2.0
"""Grades the corpus of cheats and compares each verdict with the one that its head asks for.

    python3 tests/cheats/run.py [--backend sim|gpu] [--json OUT] [--slow] [--accept] [NAME...]

Each LAB/EXERCISE/NAME.cu is graded as a submission for LAB/EXERCISE. Its head, lines of comments,
says

    tries:              what the student hopes for
    stopped by:         the defence, and the file where it is
    verdict:            VERDICT [REASON [KIND]], N points; verdict and reason are those of the
                        JSON contract, KIND is that of the first diagnostic, N is the most that it
                        may earn: what an honest kernel with the same work earns
    verdict on a GPU:   where that differs; VERDICT may be "any"
    slow:               why it is graded with --slow only
    shows:, hides:      text that the report must hold, or must not; escapes as in Python

With --accept the table of README.md is written anew: what was found goes to the backend's column.
Without, the table must have a row for each file, with its head's verdict. Needs no network; a GPU
for --backend gpu only. Exits 1 where a verdict is another one.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

CORPUS = pathlib.Path(__file__).resolve().parent
ROOT = CORPUS.parents[1]
KEYS = ("tries", "stopped by", "verdict", "verdict on a GPU", "slow", "shows", "hides")
VERDICT = re.compile(r"(pass|fail|error|any)((?: [a-z_]+){0,2}), ([0-9]+) points?")
COLUMNS = ("cheat", "tries", "stopped by", "simulated", "H200")
TIME_LIMIT = 300
# A report is a few pages, whatever a kernel prints.
MOST_SHOWN = 64 * 1024


class Cheat:
    """One file of the corpus and what its head says."""

    def __init__(self, file):
        self.file = file
        self.name = file.relative_to(CORPUS).with_suffix("").as_posix()
        self.exercise = self.name.rsplit("/", 1)[0]
        self.head = {key: [] for key in KEYS}
        key = None
        for line in file.read_text(encoding="utf-8").split("\n")[1:]:
            if not line.startswith("// "):
                break
            found = re.match(rf"// ({'|'.join(KEYS)}): (.*)", line)
            if found:
                key = found[1]
                self.head[key].append(found[2])
            elif key and line.startswith("//   "):
                self.head[key][-1] += " " + line[5:]
        for needed in ("tries", "stopped by", "verdict"):
            if len(self.head[needed]) != 1:
                raise ValueError(f"{file}: the head must say once what it '{needed}'")

    def text(self, key):
        return " ".join(self.head[key])

    def texts(self, key):
        return [text.encode("latin-1", "backslashreplace").decode("unicode_escape")
                for text in self.head[key]]

    def expected(self, backend):
        """(verdict, [reason, kind], most points) on that backend."""
        text = self.text("verdict on a GPU") if backend == "gpu" else ""
        found = VERDICT.fullmatch(text or self.text("verdict"))
        if not found:
            raise ValueError(f"{self.file}: no verdict: {text or self.text('verdict')}")
        return found[1], found[2].split(), int(found[3])


class Grade:
    """What the program said of one cheat."""

    def __init__(self, cheat, program, backend):
        with tempfile.TemporaryDirectory() as folder:
            report = pathlib.Path(folder) / "grade.json"
            command = [program, "grade", cheat.exercise, "--file", cheat.file]
            start = time.monotonic()
            done = subprocess.run(
                [*map(str, command), "--backend", backend, "--json", str(report)],
                capture_output=True, check=False, cwd=ROOT, timeout=TIME_LIMIT,
                env={**os.environ, "WARPGRADE_ROOT": str(ROOT)},
            )
            self.seconds = time.monotonic() - start
            self.text = (done.stdout + done.stderr).decode("utf-8", "replace")
            self.code = done.returncode
            self.json = json.loads(report.read_text()) if report.exists() else None
        (item,) = self.json["exercises"] if self.json else ({},)
        self.verdict = item.get("verdict", "error")
        self.reason = item.get("reason", "tool")
        self.points = item.get("points", 0)
        self.most = item.get("max_points", 0)
        self.kinds = [diagnostic["kind"] for diagnostic in item.get("diagnostics", [])]

    def shown(self):
        """As a cell of the table: "fail diagnostic race, 0 points"."""
        words = [self.verdict] + ([] if self.verdict == "pass" else [self.reason])
        if self.reason == "diagnostic":
            words += self.kinds[:1]
        return f"{' '.join(words)}, {self.points} point{'' if self.points == 1 else 's'}"


def problems(cheat, grade, backend):
    """Sentences on what differs from the cheat's head."""
    verdict, words, most = cheat.expected(backend)
    if not grade.json:
        yield f"no report, exit code {grade.code}: {grade.text[-500:]}"
        return
    found = [grade.verdict, grade.reason, *grade.kinds[:1]]
    wanted = [verdict, *words]
    if verdict not in ("any", "pass") and found[: len(wanted)] != wanted:
        yield f"is {' '.join(found)} and should be {' '.join(wanted)}"
    if verdict == "pass" and grade.verdict != "pass":
        yield f"is {' '.join(found)} and should pass: the work that it does is honest"
    if grade.points > most:
        yield f"earns {grade.points} points and must not earn more than {most}"
    if grade.code != {"pass": 0, "error": 3}.get(grade.verdict, 1):
        yield f"exit code {grade.code}"
    for text in cheat.texts("shows"):
        if text not in grade.text:
            yield f"the report lacks {text!r}"
    for text in cheat.texts("hides"):
        if text in grade.text:
            yield f"the report holds {text!r}"
    if len(grade.text) > MOST_SHOWN:
        yield f"the report has {len(grade.text)} bytes"


def rows(text):
    """The table's cells by the cheat's name."""
    lines = [line for line in text.splitlines() if line.startswith("| ")]
    cells = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines]
    return {row[0].strip("`"): row for row in cells[1:] if len(row) == len(COLUMNS)}


def table(cheats, old, grades, backend):
    """README.md's lines of the table: heads, and the backend's column as it was found."""
    yield "| " + " | ".join(COLUMNS) + " |"
    yield "|" + "---|" * len(COLUMNS)
    for cheat in cheats:
        before = old.get(cheat.name, [""] * len(COLUMNS))
        cells = [f"`{cheat.name}`", cheat.text("tries"), cheat.text("stopped by"), *before[3:]]
        if cheat.name in grades:
            cells[3 if backend == "sim" else 4] = grades[cheat.name].shown()
        yield "| " + " | ".join(cells) + " |"


def accept(cheats, grades, backend):
    readme = CORPUS / "README.md"
    text = readme.read_text(encoding="utf-8")
    old = rows(text)
    prose = [line for line in text.splitlines() if not line.startswith("|")]
    lines = [*prose, *table(cheats, old, grades, backend)]
    readme.write_text("\n".join(lines) + "\n", encoding="utf-8")


def table_problems(cheats):
    """Rows of README.md that are missing or say something else than the heads."""
    found = rows((CORPUS / "README.md").read_text(encoding="utf-8"))
    for cheat in cheats:
        wanted = [f"`{cheat.name}`", cheat.text("tries"), cheat.text("stopped by")]
        if found.get(cheat.name, [])[:3] != wanted:
            yield f"README.md: the row of {cheat.name} is not as its head says; run with --accept"
    for name in found.keys() - {cheat.name for cheat in cheats}:
        yield f"README.md: there is no {name}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="only these: LAB/EXERCISE/NAME")
    parser.add_argument("--backend", choices=("sim", "gpu"), default="sim")
    parser.add_argument("--json", type=pathlib.Path, help="write what was found to this file")
    parser.add_argument("--program", type=pathlib.Path, default=ROOT / "warpgrade")
    parser.add_argument("--jobs", type=int, default=1, help="gradings at a time")
    parser.add_argument("--slow", action="store_true", help="grade those that take long, too")
    parser.add_argument("--accept", action="store_true", help="write README.md's table anew")
    options = parser.parse_args()
    every = [Cheat(file) for file in sorted(CORPUS.glob("*/*/*.cu"))]
    cheats = [cheat for cheat in every if options.slow or not cheat.text("slow")]
    if options.names:
        cheats = [cheat for cheat in every if cheat.name in options.names]
    program = options.program.resolve()
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        graded = pool.map(lambda cheat: Grade(cheat, program, options.backend), cheats)
        grades = {cheat.name: grade for cheat, grade in zip(cheats, graded)}
    failures = 0
    found = []
    for cheat in cheats:
        grade = grades[cheat.name]
        wrong = list(problems(cheat, grade, options.backend))
        failures += bool(wrong)
        print(f"{'FAIL' if wrong else 'ok'}  {cheat.name}: {grade.shown()}")
        for problem in wrong:
            print(f"      {problem}")
        found.append({
            "cheat": cheat.name, "verdict": grade.verdict, "reason": grade.reason,
            "kinds": grade.kinds, "points": grade.points, "max_points": grade.most,
            "as_expected": not wrong, "seconds": round(grade.seconds, 2),
        })
    if options.accept:
        accept(every, grades, options.backend)
    elif not options.names:
        for problem in table_problems(every):
            print(problem)
            failures += 1
    if options.json:
        options.json.write_text(
            json.dumps({"backend": options.backend, "cheats": found}, indent=1) + "\n"
        )
    print(f"{len(cheats)} cheats graded, {failures} not as they should be")
    return 1 if failures or not cheats else 0


if __name__ == "__main__":
    sys.exit(main())
