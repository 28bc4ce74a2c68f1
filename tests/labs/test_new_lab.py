# SPDX-License-Identifier: Apache-2.0
"""A new lab needs only a folder: runs the instructors' worked example.

The test extracts the files from handouts/instructors.md, so the example cannot go stale. Arguments:
the program, then the root of the project.
"""

import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from program_case import ROOT, ProgramCase, main

# `path`: on a line of its own, then a fenced block with the file's content.
FILE = re.compile(r"^`((?:labs|solutions)/[^`]+)`:\n\n```\w+\n(.*?)^```$", re.MULTILINE | re.DOTALL)


class NewLab(ProgramCase):
    def setUp(self):
        super().setUp()
        self.root = self.folder
        self.files = dict(FILE.findall((ROOT / "handouts/instructors.md").read_text(encoding="utf-8")))
        for path, content in self.files.items():
            self.write(path, content)

    def test_is_a_folder(self):
        self.assertEqual(5, len(self.files), self.files.keys())
        self.assertIn("scaling/scale", self.output(0, "list"))
        self.assertIn("check --write", self.output(1, "check"))
        self.assertIn("3 submissions checked, 0 findings", self.output(0, "check", "--write"))
        self.assertIn("5 of 5 points", self.output(0, "grade", "scaling", "--solutions"))
        self.assertIn("0 of 5 points", self.output(1, "grade", "scaling"))
        self.assertIn("3 submissions checked, 0 findings", self.output(0, "check"))
        self.assertIn("0 findings", self.output(0, "check", "scale"))

    def test_the_example_of_the_reference_is_a_lab(self):
        reference = (ROOT / "docs/manifest.md").read_text(encoding="utf-8")
        for path, content in FILE.findall(reference):
            self.write(path, content)
        self.assertIn("reversal/in_place", self.output(0, "list"))


if __name__ == "__main__":
    main()
