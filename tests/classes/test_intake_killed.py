# SPDX-License-Identifier: Apache-2.0
"""Kills while submissions are unpacked, the roster is read, the book stores both, and exports are written.
The same command again then completes the book of an undisturbed run."""

import contextlib
import os
import pathlib
import random
import signal
import sqlite3
import subprocess
import time
import unittest

from class_case import ClassCase
from messy_export import Export

KILLS = 8


def unpackers(coordinator):
    """The children of the run that unpack an archive."""
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            words = (folder / "cmdline").read_bytes().split(b"\0")
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            if parent == coordinator and b"class-unpack" in words:
                yield int(folder.name)


class IntakeKilled(ClassCase):
    def setUp(self):
        super().setUp()
        self.submissions = Export("moodle", 3).write(self.folder / "class")
        self.run_class(3)
        self.undisturbed = self.content()
        self.book.unlink()
        self.draw = random.Random(38)

    def content(self):
        with contextlib.closing(sqlite3.connect(self.book)) as book:
            self.assertEqual(("ok",), book.execute("PRAGMA integrity_check").fetchone())
            return [
                self.grades(),
                book.execute("SELECT student, path, state, reason, sha256 FROM received ORDER BY 1, 2, 3, 5").fetchall(),
                book.execute("SELECT student, name, in_roster FROM student ORDER BY 1").fetchall(),
                book.execute("SELECT student, verdict, points, open_reason FROM standing ORDER BY 1").fetchall(),
            ]

    def begin(self, *words):
        return subprocess.Popen(**self.command(*words), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def begin_run(self):
        return self.begin("run", self.book, self.submissions, "--backend", "sim")

    def test_the_run_is_killed_while_it_reads(self):
        for _ in range(KILLS):
            run = self.begin_run()
            time.sleep(self.draw.random() * 1.5)
            run.kill()
            run.wait()
        self.run_class(3)
        self.assertEqual(self.undisturbed, self.content())

    def test_an_unpacking_process_is_killed(self):
        killed = 0
        while killed < KILLS:
            run = self.begin_run()
            while run.poll() is None and killed < KILLS:
                for child in unpackers(run.pid):
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(child, signal.SIGKILL)
                        killed += 1
                time.sleep(self.draw.random() * 0.1)
            # Unreadable files remain open, and the run reports them.
            self.assertEqual(3, run.wait())
        self.run_class(3)
        self.assertEqual(self.undisturbed, self.content())

    def test_a_killed_export_leaves_the_file_before_or_the_whole_one(self):
        self.run_class(3)
        out = self.folder / "import.csv"
        words = ("export", self.book, "--format", "moodle", "--out", out)
        self.program(0, *words)
        whole = out.read_bytes()
        for before in (b"the file before", None):
            for _ in range(KILLS):
                out.unlink(missing_ok=True)
                if before is not None:
                    out.write_bytes(before)
                export = self.begin(*words)
                time.sleep(self.draw.random() * 0.1)
                export.kill()
                export.wait()
                self.assertIn(out.read_bytes() if out.exists() else None, (before, whole))
        self.program(0, *words)
        self.assertEqual(whole, out.read_bytes())
        self.assertEqual(self.undisturbed, self.content())


if __name__ == "__main__":
    unittest.main()
