# SPDX-License-Identifier: Apache-2.0
"""A new lab needs only a folder: runs the instructors' worked example.

The test extracts the files from handouts/instructors.md, so the example cannot go stale. Arguments:
the program, then the root of the project.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

# `path`: on a line of its own, then a fenced block with the file's content.
FILE = re.compile(r"^`((?:labs|solutions)/[^`]+)`:\n\n```\w+\n(.*?)^```$", re.MULTILINE | re.DOTALL)


class NewLab(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        chapter = (ROOT / "handouts/instructors.md").read_text(encoding="utf-8")
        self.files = dict(FILE.findall(chapter))
        for path, content in self.files.items():
            (self.root / path).parent.mkdir(parents=True, exist_ok=True)
            (self.root / path).write_text(content, encoding="utf-8")

    def run_program(self, code, *arguments):
        done = subprocess.run(
            [PROGRAM, *arguments],
            env={**os.environ, "WARPGRADE_ROOT": str(self.root)},
            capture_output=True,
            text=True,
            check=False,
        )
        self.assertEqual(code, done.returncode, done.stdout + done.stderr)
        return done.stdout

    def test_is_a_folder(self):
        self.assertEqual(5, len(self.files), self.files.keys())
        self.assertIn("scaling/scale", self.run_program(0, "list"))
        self.assertIn("check --write", self.run_program(1, "check"))
        self.assertIn("3 submissions checked, 0 findings", self.run_program(0, "check", "--write"))
        self.assertIn("5 of 5 points", self.run_program(0, "grade", "scaling", "--solutions"))
        self.assertIn("0 of 5 points", self.run_program(1, "grade", "scaling"))
        self.assertIn("3 submissions checked, 0 findings", self.run_program(0, "check"))
        self.assertIn("0 findings", self.run_program(0, "check", "scale"))

    def test_the_example_of_the_reference_is_a_lab(self):
        reference = (ROOT / "docs/manifest.md").read_text(encoding="utf-8")
        for path, content in FILE.findall(reference):
            (self.root / path).parent.mkdir(parents=True, exist_ok=True)
            (self.root / path).write_text(content, encoding="utf-8")
        self.assertIn("reversal/in_place", self.run_program(0, "list"))


if __name__ == "__main__":
    PROGRAM, ROOT = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
