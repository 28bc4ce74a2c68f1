# SPDX-License-Identifier: Apache-2.0
"""Shared by the tests of `warpgrade class`: a course of two labs, a folder of submissions that the simulator grades
in a moment (coalescing/copy and the questions of bank_conflicts/predict), and the command.

The arguments of such a test: the program, then the root of the project.
"""

import atexit
import contextlib
import csv
import functools
import os
import pathlib
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import unittest

PROGRAM, ROOT = (pathlib.Path(sys.argv.pop(1)).resolve() for _ in range(2))
CLASS = 'exercises = ["coalescing/copy", "bank_conflicts/predict"]\n'

CASES = """[cases.matrices]
one_tile = { width = 32, height = 32 }
ragged = { width = 101, height = 45 }
secret_ragged = { width = 167, height = 71, secret = true }
large = { width = 512, height = 512, measured = true }

"""


@functools.cache
def course():
    """A copy of the two labs; coalescing has three small cases and one card, so that a submission is compiled once. A
    grade needs a third of the processor time."""
    folder = tempfile.TemporaryDirectory()
    atexit.register(folder.cleanup)
    root = pathlib.Path(folder.name)
    for name in ("labs", "solutions"):
        for lab in ("bank_conflicts", "coalescing"):
            shutil.copytree(ROOT / name / lab, root / name / lab, ignore=shutil.ignore_patterns("wrong"))
    shutil.copy(ROOT / "labs/gates.toml", root / "labs")
    manifest = root / "labs/coalescing/grader.toml"
    text, count = re.subn(r"\[cases\.matrices\].*?(?=\[\[exercise\]\])", CASES, manifest.read_text(), count=1, flags=re.S)
    assert count == 1, "the cases of the lab have another name"
    speeds = 'on = ["h200", "k40"], min = 0.6, points = 1'
    assert speeds in text, "the speeds of coalescing/copy are other ones"
    manifest.write_text(text.replace(speeds, 'on = ["h200"], min = 0.6, points = 2'))
    return root


class ClassCase(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.submissions = self.folder / "in"
        self.submissions.mkdir()
        self.book = self.folder / "book.db"
        self.write("class.toml", CLASS)
        self.right = (ROOT / "solutions/coalescing/copy.cu").read_text()
        self.answers = (ROOT / "solutions/bank_conflicts/predict.toml").read_text()
        self.skeleton = (ROOT / "labs/coalescing/copy.cu").read_text()

    def write(self, name, text):
        path = self.submissions / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text) if isinstance(text, str) else path.write_bytes(text)
        return path

    def command(self, *arguments, **environment):
        env = {**os.environ, "WARPGRADE_ROOT": str(course()), **environment}
        env = {name: value for name, value in env.items() if value is not None}
        return {"args": [PROGRAM, "class", *map(str, arguments)], "env": env, "cwd": self.folder}

    def run_class(self, code, *options, submissions=None, **environment):
        words = ("run", self.book, submissions or self.submissions, "--backend", "sim", *options)
        return self.program(code, *words, **environment)

    def program(self, code, *arguments, **environment):
        done = subprocess.run(
            **self.command(*arguments, **environment),
            capture_output=True,
            text=True,
            check=False,
            timeout=240,
        )
        words = done.stdout + done.stderr
        self.assertEqual(code, done.returncode, words)
        return words

    def grades(self):
        """The results that no interruption may change: everything except times and workers."""
        return self.ask(
            "SELECT student, lab, exercise, points, verdict, reason, sha256, backend, device"
            " FROM standing ORDER BY student, place"
        )

    def ask(self, sql):
        """The rows of a query of the book."""
        with contextlib.closing(sqlite3.connect(self.book)) as book:
            return book.execute(sql).fetchall()

    def exported(self):
        """The rows of the book's CSV file."""
        self.program(0, "export", self.book, "--format", "csv", "--out", "out.csv")
        with (self.folder / "out.csv").open(newline="") as file:
            return list(csv.DictReader(file))
