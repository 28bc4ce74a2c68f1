# SPDX-License-Identifier: Apache-2.0
"""Compares the grades of a class with single grades on a card that no gate on speed names.

    python3 tests/evidence/classes/agreement.py PROGRAM [--exercises LAB/EXERCISE...] [--csv FILE]

Makes a copy of the course in which these gates name `t4` instead of `h200`, so that on an H100 or H200 each
bound is a share of the speed of the course's solution. `class run --backend gpu` grades about 40 files: for
each exercise the solution, the solution slowed by a sleep in each thread, the skeleton and a wrong kernel, and
garbage. `grade --file` grades each alone. Prints every difference, and ends with 1 if there is one that the
measurement does not explain: at its bound a kernel is undecided, and may get another grade in another run.
"""

import argparse
import concurrent.futures
import csv
import json
import os
import pathlib
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
EXERCISES = (
    "coalescing/copy", "coalescing/transpose", "bank_conflicts/padded", "coarsening/reduce_many", "matmul/tiled",
    "histogram/privatised", "scan/block_scan", "sparse/rows", "latency/in_flight",
)
DECIDED_BY_SIMULATION = ("compile", "diagnostic", "incorrect")
SLEEP = '\n  asm volatile("nanosleep.u32 {};");\n'
ENDLESS = """extern "C" __global__ void copy(float* out, const float* in, int width, int height) {
  while (true) ((volatile float*)out)[0] += 1;
}
"""
TITLES = (
    "exercise", "file", "verdict", "reason", "max_points", "points_class", "points_single", "gate", "bound",
    "value_class", "value_single", "passed",
)


def without_this_card(text):
    """A manifest whose gates on speed name a T4, and have no bound for the generation 9.0."""
    lines = []
    for line in text.splitlines():
        is_speed = re.search(r'use = "(\w+_)?speed|^speed\w* = ', line) and "camping" not in line
        if is_speed:
            line = re.sub(r'generations = \{ "9\.0" = \{[^}]*\} \}, ', "", line.replace("h200", "t4"))
        lines.append(line)
    return "\n".join(lines) + "\n"


def make_course(folder, exercises):
    for lab in {name.split("/")[0] for name in exercises}:
        for part in ("labs", "solutions"):
            shutil.copytree(ROOT / part / lab, folder / part / lab)
        manifest = folder / "labs" / lab / "grader.toml"
        manifest.write_text(without_this_card(manifest.read_text()))
    gates = (ROOT / "labs/gates.toml").read_text()
    before, mark, rest = gates.partition("\n[speed]")
    speed, end, after = rest.partition("\n[camping_loads]")
    (folder / "labs/gates.toml").write_text(before + mark + speed.replace("h200", "t4") + end + after)


def slowed(name):
    # The few blocks of a reduction sleep at the same time.
    sleep = SLEEP.format(300000 if name.startswith("coarsening") else 100000)
    text = (ROOT / f"solutions/{name}.cu").read_text()
    return re.sub(r"__global__[^;{]*?\)\s*\{", lambda found: found[0] + sleep, text)


def works(exercises):
    """(exercise, kind, text) of each submission."""
    for name in exercises:
        lab, exercise = name.split("/")
        yield name, "solution", (ROOT / f"solutions/{name}.cu").read_text()
        yield name, "slow", slowed(name)
        yield name, "skeleton", (ROOT / f"labs/{name}.cu").read_text()
        wrong = sorted((ROOT / "solutions" / lab / "wrong").glob(exercise + "_*.cu"))[-1]
        yield name, wrong.stem, wrong.read_text()
    yield exercises[0], "garbage", "\x00\x01\x02 no kernel \x1b[2J\n"
    yield exercises[0], "empty", "\n"
    yield exercises[0], "endless", ENDLESS


def grade_class(program, env, folder):
    """The report of each student."""
    book = folder / "book.db"
    subprocess.run([program, "class", "run", book, folder / "in", "--backend", "gpu"], env=env, check=True)
    ask = "SELECT student, report FROM attempt JOIN grade ON grade.key = attempt.grade_key"
    with sqlite3.connect(book) as opened:
        return {student: json.loads(report)["exercises"][0] for student, report in opened.execute(ask)}


def grade_alone(program, env, folder, student, name):
    out = folder / f"{student}.json"
    file = folder / "in" / student / f"{name}.cu"
    words = [program, "grade", name, "--file", file, "--backend", "gpu", "--json", out]
    done = subprocess.run(words, env=env, capture_output=True, check=False)
    if done.returncode not in (0, 1):
        raise SystemExit(f"{student}: grade ended with {done.returncode}: {done.stderr.decode()}")
    return json.loads(out.read_text())["exercises"][0]


def facts(report):
    """The fields that both grades must share."""
    out = {key: report[key] for key in ("points", "max_points", "verdict", "reason")}
    out["waived"] = sorted(gate["id"] for gate in report["gates"] if gate.get("waived"))
    if report["reason"] not in DECIDED_BY_SIMULATION:
        keys = ("id", "device", "min", "max", "points", "passed")
        out["gates"] = [[gate.get(key) for key in keys] for gate in report["gates"]]
    return out


def speed(report):
    return next((gate for gate in report["gates"] if gate.get("low") is not None), {})


def is_undecided(report):
    return any(gate.get("undecided") for gate in report["gates"])


def row(name, kind, ours, alone):
    gate, other = speed(ours), speed(alone)
    shared = [ours[key] for key in ("verdict", "reason", "max_points", "points")]
    values = (gate.get("min"), gate.get("value"), other.get("value"))
    numbers = ["" if value is None else f"{value:.3f}" for value in values]
    return [name, kind, *shared, alone["points"], gate.get("id", ""), *numbers, gate.get("passed", "")]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("program", type=lambda name: pathlib.Path(name).resolve())
    parser.add_argument("--exercises", nargs="+", default=EXERCISES)
    parser.add_argument("--csv", type=pathlib.Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        make_course(folder / "course", options.exercises)
        env = {**os.environ, "WARPGRADE_ROOT": str(folder / "course"), "XDG_CACHE_HOME": str(folder / "cache")}
        students = {}
        for number, (exercise, kind, text) in enumerate(works(options.exercises)):
            student = f"s{number:02}"
            students[student] = exercise, kind
            file = folder / "in" / student / f"{exercise}.cu"
            file.parent.mkdir(parents=True)
            file.write_text(text + f"\n// {number}\n")
        chosen = ", ".join(f'"{one}"' for one in options.exercises)
        (folder / "in/class.toml").write_text(f"exercises = [{chosen}]\n")
        reports = grade_class(options.program, env, folder)
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            graded = pool.map(lambda one: grade_alone(options.program, env, folder, one, students[one][0]), students)
            alone = dict(zip(students, graded))
    different = [student for student in students if facts(reports[student]) != facts(alone[student])]
    for student in different:
        print("DIFFERS", *students[student], facts(reports[student]), facts(alone[student]), sep="\n    ")
    unexplained = [one for one in different if not is_undecided(reports[one]) and not is_undecided(alone[one])]
    if options.csv:
        with options.csv.open("w") as out:
            rows = [row(*students[one], reports[one], alone[one]) for one in students]
            csv.writer(out, lineterminator="\n").writerows([TITLES, *rows])
    print(f"{len(students) - len(different)} of {len(students)} agree; {len(different) - len(unexplained)} undecided")
    return 1 if unexplained else 0


if __name__ == "__main__":
    sys.exit(main())
