# SPDX-License-Identifier: Apache-2.0
"""Grades the corpus of cheats and compares each verdict with the one that its head asks for.

    python3 tests/evidence/cheats/run.py [--backend sim|gpu] [--jobs N] [--limit S] [--json FILE [--missing]]
                                [--slow] [--accept] [NAME...]

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

A line a cheat says what became of it and what stopped it, as soon as it is graded; FILE then has it,
too. With --missing those that FILE has are not graded again, so that a run that was cut can go on.
With --accept the table of README.md is written anew: what was found goes to the backend's column.
Without, the table must have a row for each file, with its head's verdict. Needs no network; a GPU
for --backend gpu only. Exits 1 where a verdict is another one, or a grade takes more than --limit
seconds of processor time: a machine that is busy with something else makes none of them fail.
"""

import argparse
import concurrent.futures
import contextlib
import json
import os
import pathlib
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time

CORPUS = pathlib.Path(__file__).resolve().parent
ROOT = CORPUS.parents[2]
KEYS = ("tries", "stopped by", "verdict", "verdict on a GPU", "slow", "shows", "hides")
VERDICT = re.compile(r"(pass|fail|error|any)((?: [a-z_]+){0,2}), ([0-9]+) points?")
COLUMNS = ("cheat", "tries", "stopped by", "simulated", "H200")
TIME_LIMIT = 300  # Seconds of processor time.
# Seconds after which a grade that uses no processor hangs.
PATIENCE = 3600
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

    def __init__(self, cheat, program, backend, limit):
        with tempfile.TemporaryDirectory() as folder:
            report = pathlib.Path(folder) / "grade.json"
            command = [program, "grade", cheat.exercise, "--file", cheat.file]
            start = time.monotonic()
            shown = pathlib.Path(folder) / "shown"
            # A group of its own: a program that is stopped leaves no process of its own behind.
            with shown.open("wb") as output, subprocess.Popen(
                [*map(str, command), "--backend", backend, "--json", str(report)],
                stdout=output, stderr=subprocess.STDOUT, cwd=ROOT, start_new_session=True,
                env={**os.environ, "WARPGRADE_ROOT": str(ROOT)},
            ) as child:
                resource.prlimit(child.pid, resource.RLIMIT_CPU, (limit, limit + 1))
                try:
                    child.wait(timeout=PATIENCE)
                    self.ended = child.returncode != -signal.SIGXCPU
                except subprocess.TimeoutExpired:
                    self.ended = False
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(child.pid, signal.SIGKILL)
            self.seconds = time.monotonic() - start
            self.text = shown.read_bytes().decode("utf-8", "replace")
            self.code = child.returncode
            self.limit = limit
            self.json = json.loads(report.read_text()) if report.exists() else None
        (self.item,) = self.json["exercises"] if self.json else ({},)
        self.verdict = self.item.get("verdict", "error")
        self.reason = self.item.get("reason", "tool")
        self.points = self.item.get("points", 0)
        self.most = self.item.get("max_points", 0)
        self.kinds = [diagnostic["kind"] for diagnostic in self.item.get("diagnostics", [])]

    def shown(self):
        """As a cell of the table: "fail diagnostic race, 0 points"."""
        if not self.json:
            return "not graded"
        words = [self.verdict] + ([] if self.verdict == "pass" else [self.reason])
        if self.reason == "diagnostic":
            words += self.kinds[:1]
        return f"{' '.join(words)}, {self.points} point{'' if self.points == 1 else 's'}"

    def stopped_by(self):
        """What the grader found, in a line; empty where it found nothing."""
        if not self.ended:
            return f"nothing: it did not end within {self.limit} s of processor time"
        if not self.json:
            return f"nothing: exit code {self.code} without a report"
        where = self.place()
        if self.item["diagnostics"]:
            first = self.item["diagnostics"][0]
            return " ".join(f"{first['kind']}: {first['message']} {where}".split())
        if where or self.verdict == "error":
            return where or " ".join(self.text.partition("\n  next ")[2].split("\n\n")[0].split())
        gates = [gate for gate in self.item["gates"] if not gate["passed"]]
        return ", ".join(f"gate {gate['id']} on {gate['device']}" for gate in gates)

    def place(self):
        """The first "stopped in case ..." or "wrong in case ...:", the latter with what differs."""
        found = re.search(r"^  (?:stopped|wrong) in case .*\n(?:    .*\n)*", self.text, re.MULTILINE)
        return " ".join(found[0].split()) if found else ""


def problems(cheat, grade, backend):
    """Sentences on what differs from the cheat's head."""
    verdict, words, most = cheat.expected(backend)
    if not grade.json:
        yield f"{grade.stopped_by()}: {grade.text[-500:]}"
        return
    found = [grade.verdict, grade.reason, *grade.kinds[:1]]
    wanted = [verdict, *words]
    if verdict not in ("any", "pass") and found[: len(wanted)] != wanted:
        yield f"is {' '.join(found)} and should be {' '.join(wanted)}"
    if verdict == "pass" and grade.verdict != "pass":
        yield f"is {' '.join(found)} and should pass: the work that it does is honest"
    if grade.points > most:
        yield f"earns {grade.points} points and must not earn more than {most}"
    if grade.code != {"pass": 0, "error": 3, "inconclusive": 3}.get(grade.verdict, 1):
        yield f"exit code {grade.code}"
    for text in cheat.texts("shows"):
        if text not in grade.text:
            yield f"the report lacks {text!r}"
    for text in cheat.texts("hides"):
        if text in grade.text:
            yield f"the report holds {text!r}"
    if len(grade.text) > MOST_SHOWN:
        yield f"the report has {len(grade.text)} bytes"


class Results:
    """What was found of each cheat, kept in a file where one is named."""

    def __init__(self, backend, file, go_on):
        self.backend, self.file = backend, file
        self.found = {}
        if go_on and file.exists():
            kept = json.loads(file.read_text())
            if kept["backend"] != backend:
                raise ValueError(f"{file} holds what was found by --backend {kept['backend']}")
            self.found = {item["cheat"]: item for item in kept["cheats"] if item["graded"]}

    def add(self, cheat, grade, wrong):
        self.found[cheat.name] = {
            "cheat": cheat.name, "graded": bool(grade.json), "shown": grade.shown(),
            "verdict": grade.verdict, "reason": grade.reason, "kinds": grade.kinds,
            "points": grade.points, "max_points": grade.most, "stopped_by": grade.stopped_by(),
            "as_expected": not wrong, "seconds": round(grade.seconds, 2),
        }
        if self.file:
            cheats = [self.found[name] for name in sorted(self.found)]
            text = json.dumps({"backend": self.backend, "cheats": cheats}, indent=1) + "\n"
            # In one step: a run that is cut leaves the file as it was or as it is now.
            new = self.file.with_name(self.file.name + ".new")
            new.write_text(text, encoding="utf-8")
            new.replace(self.file)


def rows(text):
    """The table's cells by the cheat's name."""
    lines = [line for line in text.splitlines() if line.startswith("| ")]
    cells = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines]
    return {row[0].strip("`"): row for row in cells[1:] if len(row) == len(COLUMNS)}


def table(cheats, old, results):
    """README.md's lines of the table: heads, and the backend's column as it was found."""
    yield "| " + " | ".join(COLUMNS) + " |"
    yield "|" + "---|" * len(COLUMNS)
    for cheat in cheats:
        before = old.get(cheat.name, [""] * len(COLUMNS))
        cells = [f"`{cheat.name}`", cheat.text("tries"), cheat.text("stopped by"), *before[3:]]
        found = results.found.get(cheat.name)
        if found and found["graded"]:
            cells[3 if results.backend == "sim" else 4] = found["shown"]
        yield "| " + " | ".join(cells) + " |"


def accept(cheats, results):
    readme = CORPUS / "README.md"
    text = readme.read_text(encoding="utf-8")
    old = rows(text)
    prose = [line for line in text.splitlines() if not line.startswith("|")]
    lines = [*prose, *table(cheats, old, results)]
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
    parser.add_argument("--missing", action="store_true", help="keep what that file has, do the rest")
    parser.add_argument("--program", type=pathlib.Path, default=ROOT / "warpgrade")
    parser.add_argument("--jobs", type=int, default=1, help="gradings at a time")
    parser.add_argument("--limit", type=int, default=TIME_LIMIT, help="seconds of processor time")
    parser.add_argument("--slow", action="store_true", help="grade those that take long, too")
    parser.add_argument("--accept", action="store_true", help="write README.md's table anew")
    options = parser.parse_args()
    if options.missing and not options.json:
        parser.error("--missing needs the --json file to go on from")
    every = [Cheat(file) for file in sorted(CORPUS.glob("*/*/*.cu"))]
    cheats = [cheat for cheat in every if options.slow or not cheat.text("slow")]
    if options.names:
        cheats = [cheat for cheat in every if cheat.name in options.names]
    results = Results(options.backend, options.json, options.missing)
    todo = [cheat for cheat in cheats if cheat.name not in results.found]
    program = options.program.resolve()
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        tasks = {
            pool.submit(Grade, cheat, program, options.backend, options.limit): cheat
            for cheat in todo
        }
        for task in concurrent.futures.as_completed(tasks):
            cheat, grade = tasks[task], task.result()
            wrong = list(problems(cheat, grade, options.backend))
            print(
                f"{'FAIL' if wrong else 'ok'}  {cheat.name}: {grade.shown()} ({grade.seconds:.1f} s)"
                f"\n      {grade.stopped_by()}"
            )
            for problem in wrong:
                print(f"      FAIL: {problem}")
            sys.stdout.flush()
            results.add(cheat, grade, wrong)
    failures = sum(not results.found[cheat.name]["as_expected"] for cheat in cheats)
    if options.accept:
        accept(every, results)
    elif not options.names:
        for problem in table_problems(every):
            print(problem)
            failures += 1
    kept = len(cheats) - len(todo)
    print(
        f"{len(todo)} cheats graded{f', {kept} before' if kept else ''}, "
        f"{failures} not as they should be"
    )
    return 1 if failures or not cheats else 0


if __name__ == "__main__":
    sys.exit(main())
