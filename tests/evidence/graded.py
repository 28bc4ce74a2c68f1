# SPDX-License-Identifier: Apache-2.0
"""What the corpora of submissions share: heads, grades in processes of their own, and results.

A corpus is a folder of LAB/EXERCISE/NAME.cu, each with a head of comments that says what the
program must make of it. Its run.py says which words a head has and what differs from them; this
grades the files, some at a time, tells each result as soon as it is there and keeps it in a file.
A grade has a limit of processor time, so that a busy machine makes none fail.
"""

import concurrent.futures
import contextlib
import hashlib
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

TIME_LIMIT = 300  # Seconds of processor time.
# Seconds after which a grade that uses no processor hangs.
PATIENCE = 3600
CODES = {"pass": 0, "error": 3, "inconclusive": 3}


class Submission:
    """One file of a corpus and what its head says, by key.

    LAB/EXERCISE/NAME/EXERCISE.cu is the head of a submission that is the folder NAME. A lab that the
    course has not is one of tests/labs.
    """

    def __init__(self, corpus, file, keys):
        parts = file.relative_to(corpus).with_suffix("").parts
        self.file = file if len(parts) == 3 else file.parent
        self.name, self.exercise = "/".join(parts[:3]), "/".join(parts[:2])
        self.root = corpus.parents[2]
        test_lab = self.root / "tests/labs" / parts[0]
        if not (self.root / "labs" / parts[0]).is_dir() and test_lab.is_dir():
            self.root = test_lab
        self.head = {key: [] for key in keys}
        key = None
        for line in file.read_text(encoding="utf-8").split("\n")[1:]:
            if not line.startswith("// "):
                break
            found = re.match(rf"// ({'|'.join(keys)}): (.*)", line)
            if found:
                key = found[1]
                self.head[key].append(found[2])
            elif key and line.startswith("//   "):
                self.head[key][-1] += " " + line[5:]

    def text(self, key):
        return " ".join(self.head[key])


class Grade:
    """The program's result for one submission."""

    # What a corpus notes besides, by name: kept with the result.
    measured = {}

    def __init__(self, submission, program, backend, limit):
        with tempfile.TemporaryDirectory() as folder:
            report = pathlib.Path(folder) / "grade.json"
            command = [program, "grade", submission.exercise, "--file", submission.file]
            start = time.monotonic()
            shown = pathlib.Path(folder) / "shown"
            arguments = [*map(str, command), "--backend", backend, "--json", str(report)]
            self.run(arguments, submission, shown, limit)
            self.seconds = time.monotonic() - start
            self.text = shown.read_bytes().decode("utf-8", "replace")
            self.limit = limit
            self.json = self.read(report)
        (self.item,) = self.json["exercises"] if self.json else ({},)
        self.verdict = self.item.get("verdict", "error")
        self.reason = self.item.get("reason", "tool")
        self.points = self.item.get("points", 0)
        self.most = self.item.get("max_points", 0)
        self.kinds = [diagnostic["kind"] for diagnostic in self.item.get("diagnostics", [])]

    def run(self, arguments, submission, shown, limit):
        """Runs the program, its output into a file; notes its exit code and whether it ended."""
        # A group of its own: a program that is stopped leaves no process of its own behind.
        with shown.open("wb") as output, subprocess.Popen(
            arguments, stdout=output, stderr=subprocess.STDOUT, cwd=submission.root,
            start_new_session=True,
            env={**os.environ, "WARPGRADE_ROOT": str(submission.root)},
        ) as child:
            resource.prlimit(child.pid, resource.RLIMIT_CPU, (limit, limit + 1))
            try:
                child.wait(timeout=PATIENCE)
                self.ended = child.returncode != -signal.SIGXCPU
            except subprocess.TimeoutExpired:
                self.ended = False
            with contextlib.suppress(ProcessLookupError):
                os.killpg(child.pid, signal.SIGKILL)
        self.code = child.returncode

    def read(self, report):
        """The report, which may be missing."""
        return json.loads(report.read_text()) if report.exists() else None

    def shown(self):
        """As a cell of a table: "fail diagnostic race, 0 points"."""
        if not self.json:
            return "not graded"
        words = [self.verdict] + ([] if self.verdict == "pass" else [self.reason])
        if self.reason == "diagnostic":
            words += self.kinds[:1]
        return f"{' '.join(words)}, {self.points} point{'' if self.points == 1 else 's'}"

    def stopped_by(self):
        """The grader's findings in one line; empty without one."""
        if not self.ended:
            return f"nothing: it did not end within {self.limit} s of processor time"
        if not self.json:
            return f"nothing: exit code {self.code} without a report"
        where = self.place()
        if self.item["diagnostics"]:
            first = self.item["diagnostics"][0]
            return " ".join(f"{first['kind']}: {first['message']} {where}".split())
        if where or self.verdict == "error":
            return where or self.labelled("next")
        return ", ".join(map(gate_text, filter(lambda gate: not gate["passed"], self.gates())))

    def gates(self):
        return self.item.get("gates", [])

    def place(self):
        """The first "stopped in case ..." or "wrong in case ...", the latter with the difference."""
        found = re.search(r"^  (stopped|wrong) in case .*", self.text, re.MULTILINE)
        if not found:
            return ""
        return found[0].strip() + (f": {self.labelled('why')}" if found[1] == "wrong" else "")

    def labelled(self, label):
        """The text behind "why" or "next" in the report."""
        found = re.search(rf"^  {label:6}(.*\n(?: {{8}}.*\n)*)", self.text, re.MULTILINE)
        return " ".join(found[1].split()) if found else ""


def gate_text(gate):
    return f"gate {gate['id']} on {gate['device']}"


def code_problems(grade):
    """An exit code that does not go with the verdict."""
    if grade.code != CODES.get(grade.verdict, 1):
        yield f"exit code {grade.code}"


class Results:
    """The findings of each submission, stored in a file if one is named."""

    def __init__(self, kind, backend, file, go_on):
        self.kind, self.backend, self.file = kind, backend, file
        self.found = {}
        if go_on and file.exists():
            kept = json.loads(file.read_text())
            if kept["backend"] != backend:
                raise ValueError(f"{file} holds the findings of --backend {kept['backend']}")
            self.found = {item[kind]: item for item in kept[f"{kind}s"] if item["graded"]}
        self.before = set(self.found)

    def add(self, submission, grade, wrong):
        self.found[submission.name] = {
            self.kind: submission.name, "graded": bool(grade.json), "shown": grade.shown(),
            "verdict": grade.verdict, "reason": grade.reason, "kinds": grade.kinds,
            "points": grade.points, "max_points": grade.most, "stopped_by": grade.stopped_by(),
            "as_expected": not wrong, "problems": wrong, "seconds": round(grade.seconds, 2),
            **grade.measured,
        }
        if self.file:
            items = [self.found[name] for name in sorted(self.found)]
            text = json.dumps({"backend": self.backend, f"{self.kind}s": items}, indent=1) + "\n"
            # Replaces the file in one step: an interrupted run leaves the old file or the new one.
            new = self.file.with_name(self.file.name + ".new")
            new.write_text(text, encoding="utf-8")
            new.replace(self.file)


def add_options(parser, root):
    """The options that each run.py has."""
    parser.add_argument("names", nargs="*", metavar="NAME", help="only these: LAB/EXERCISE/NAME")
    parser.add_argument("--backend", choices=("sim", "gpu"), default="sim")
    parser.add_argument("--json", type=pathlib.Path, help="write the findings to this file")
    parser.add_argument("--missing", action="store_true", help="keep what that file has, do the rest")
    parser.add_argument("--program", type=pathlib.Path, default=root / "warpgrade")
    parser.add_argument("--jobs", type=int, default=1, help="gradings at a time")
    parser.add_argument("--limit", type=int, default=TIME_LIMIT, help="seconds of processor time")


def grade_all(kind, submissions, options, problems, grade_one=Grade):
    """Grades submissions that the file lacks and prints each; `problems` describes a grade's faults."""
    results = Results(kind, options.backend, options.json, options.missing)
    todo = [submission for submission in submissions if submission.name not in results.before]
    program = options.program.resolve()
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        tasks = {
            pool.submit(grade_one, submission, program, options.backend, options.limit): submission
            for submission in todo
        }
        for task in concurrent.futures.as_completed(tasks):
            submission, grade = tasks[task], task.result()
            wrong = list(problems(submission, grade, options.backend))
            print(
                f"{'FAIL' if wrong else 'ok'}  {submission.name}: {grade.shown()}"
                f" ({grade.seconds:.1f} s)\n      {grade.stopped_by()}"
            )
            for problem in wrong:
                print(f"      FAIL: {problem}")
            sys.stdout.flush()
            results.add(submission, grade, wrong)
    return results


def commit_of(root):
    """The commit of the tree, or "unknown"."""
    done = subprocess.run([root / "grader/cli/find_commit.sh", root], capture_output=True, text=True, check=False)
    return done.stdout.strip().removesuffix("-dirty") or "unknown"


def add_part(parser, part):
    """The options of a test that grades one of some files, other ones for each commit."""
    parser.add_argument("--part", type=int, default=part, metavar="N", help="grade one file of N")
    parser.add_argument("--seed", help="chooses them (default: the commit)")


def seed_of(options, root):
    """The seed; prints how to draw the same files again."""
    seed = options.seed or commit_of(root)
    print(f"the same files again: --part {options.part} --seed {seed}")
    return seed


def drawn(files, part, seed, name_of=lambda one: one.name):
    """One of `part` files, other ones for each seed."""

    def lot(one):
        return int.from_bytes(hashlib.sha256(f"{seed} {name_of(one)}".encode()).digest()[:4], "big")

    return [one for one in files if lot(one) % part == 0]


def unexpected(submissions, results):
    """How many are not as their heads say."""
    return sum(not results.found[item.name]["as_expected"] for item in submissions)


def say_how_many(submissions, results, failures):
    kept = sum(item.name in results.before for item in submissions)
    before = f", {kept} before" if kept else ""
    print(
        f"{len(submissions) - kept} {results.kind}s graded{before}, "
        f"{failures} not as they should be"
    )
