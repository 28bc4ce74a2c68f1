# SPDX-License-Identifier: Apache-2.0
"""`warpgrade init FOLDER` from outside: a folder that can be worked in, whole or not there.

Arguments: the program and the root of the project.
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest


class Init(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.course = pathlib.Path(self.folder.name) / "my course"

    def run_program(self, *arguments, **variables):
        return subprocess.run(
            [PROGRAM, *arguments],
            capture_output=True,
            check=False,
            cwd=self.folder.name,
            env={**os.environ, **variables},
            text=True,
        )

    def test_writes_the_labs_without_what_is_secret(self):
        done = self.run_program("init", "my course", WARPGRADE_ROOT=ROOT)
        self.assertEqual(0, done.returncode, done.stderr)
        self.assertIn("then warpgrade list", done.stdout)
        # Users of the wrapper type its path: it is not in the new folder.
        done = self.run_program("init", "other course", WARPGRADE_ROOT=ROOT, WARPGRADE_CALL="./warpgrade")
        self.assertIn(f"then {os.path.realpath(self.folder.name)}/warpgrade list", done.stdout.replace(self.folder.name, os.path.realpath(self.folder.name)))
        shutil.rmtree(pathlib.Path(self.folder.name, "other course"))
        self.assertEqual(
            {"LICENSE", "README.md", ".clang-format", "labs", "handouts"}, {p.name for p in self.course.iterdir()}
        )
        readme = (self.course / "README.md").read_text()
        self.assertEqual((pathlib.Path(ROOT) / "handouts/students.md").read_text(), readme)
        manifests = list(self.course.glob("labs/*/grader.toml"))
        self.assertEqual(len(list(pathlib.Path(ROOT).glob("labs/*/grader.toml"))), len(manifests))
        for manifest in manifests:
            self.assertNotRegex(manifest.read_text(), "(?m)secret = true|^hints = ")
        self.assertEqual(["my course"], os.listdir(self.folder.name))

    def test_what_it_wrote_can_be_graded(self):
        self.run_program("init", self.course, WARPGRADE_ROOT=ROOT)
        done = self.run_program("grade", "coalescing/copy", "--backend", "sim", WARPGRADE_ROOT=str(self.course))
        self.assertEqual(1, done.returncode, done.stderr)
        self.assertIn("0 of 10 points", done.stdout)

    def test_a_course_without_its_project_hands_on_the_same_readme(self):
        self.run_program("init", self.course, WARPGRADE_ROOT=ROOT)
        self.run_program("init", "second", WARPGRADE_ROOT=str(self.course))
        again = pathlib.Path(self.folder.name) / "second/README.md"
        self.assertEqual((self.course / "README.md").read_text(), again.read_text())

    def test_a_folder_that_is_there_is_left_alone(self):
        self.course.mkdir()
        done = self.run_program("init", self.course, WARPGRADE_ROOT=ROOT)
        self.assertEqual(2, done.returncode)
        self.assertIn("my course is there already; name a new folder", done.stderr)
        self.assertEqual([], os.listdir(self.course))

    def test_a_folder_that_cannot_be_made_is_our_failure(self):
        done = self.run_program("init", "/proc/none/course", WARPGRADE_ROOT=ROOT)
        self.assertEqual(3, done.returncode)
        self.assertIn("/proc/none", done.stderr)
        self.assertIn("cannot be written", done.stderr)


if __name__ == "__main__":
    PROGRAM, ROOT = os.path.abspath(sys.argv[1]), sys.argv[2]
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
