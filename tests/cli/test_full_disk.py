#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""test_full_disk.py PROGRAM ROOT: a grade on a full disk names the file that cannot be written, keeps the earlier
report, and works once there is room. Skipped if this user may not mount a tmpfs.
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

PROGRAM, ROOT = map(os.path.abspath, sys.argv[1:3])


class FullDisk(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.folder = pathlib.Path(place.name, "disk")
        self.folder.mkdir()
        done = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", self.folder], capture_output=True, check=False)
        if done.returncode != 0:
            self.skipTest("mounts are not allowed here")
        self.addCleanup(subprocess.run, ["umount", self.folder], check=True)
        for name in ("home", "tmp"):
            (self.folder / name).mkdir()
        shutil.copy(pathlib.Path(ROOT, "solutions/coalescing/copy.cu"), self.folder / "copy.cu")

    def fill(self):
        with open(self.folder / "filler", "wb", buffering=0) as file:
            try:
                while file.write(bytes(4096)):
                    pass
            except OSError:
                pass

    def grade(self, *options, stdout=subprocess.PIPE):
        """Grades with caches, temporary files and reports on the disk."""
        places = {"HOME": self.folder / "home", "TMPDIR": self.folder / "tmp", "WARPGRADE_ROOT": ROOT}
        environment = {**os.environ, **{name: str(path) for name, path in places.items()}}
        environment.pop("XDG_CACHE_HOME", None)
        return subprocess.run([PROGRAM, "grade", "coalescing/copy", "--file", "copy.cu", "--backend", "sim", *options],
                              cwd=self.folder, env=environment, stdin=subprocess.DEVNULL, stdout=stdout,
                              stderr=subprocess.PIPE, check=False, text=True)

    def test_a_grade_needs_no_room(self):
        self.fill()
        done = self.grade()
        self.assertEqual((0, ""), (done.returncode, done.stderr))
        self.assertIn("10 of 10 points", done.stdout)

    def test_a_report_without_room_is_named_and_the_earlier_one_stays(self):
        reports = {"report.json": ("--json", "report.json"), "report.html": ("--html", "report.html"),
                   "report.xml": ("--format", "junit", "--out", "report.xml")}
        for name in reports:
            (self.folder / name).write_text("earlier")
        self.fill()
        for name, options in reports.items():
            with self.subTest(name):
                done = self.grade(*options)
                self.assertEqual(3, done.returncode)
                self.assertEqual(f"warpgrade: {name}: cannot be written: No space left on device\n", done.stderr)
                self.assertIn("10 of 10 points", done.stdout)
                self.assertEqual("earlier", (self.folder / name).read_text())
        self.assertEqual({"copy.cu", "filler", "home", "tmp", *reports}, {path.name for path in self.folder.iterdir()})
        self.assertEqual([], list((self.folder / "tmp").iterdir()))

        (self.folder / "filler").unlink()
        done = self.grade(*reports["report.json"])
        self.assertEqual((0, ""), (done.returncode, done.stderr))
        self.assertIn('"points": 10', (self.folder / "report.json").read_text())

    def test_standard_output_without_room_is_an_error(self):
        self.fill()
        with open(self.folder / "home" / "output", "wb") as file:
            done = self.grade(stdout=file)
        self.assertEqual(3, done.returncode)
        self.assertIn("No space left on device", done.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
