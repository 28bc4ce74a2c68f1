# SPDX-License-Identifier: Apache-2.0
"""A lab of kernels with parameters other than inputs, outputs and numbers: tests/labs/forms.

Its skeletons must fail, its solutions pass, and its wrong kernels fail for the reason that they
name. Messages must name the wrong buffer, field or size. Arguments: the program, then the root of
the project.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest


class Forms(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_program(self, code, *arguments):
        done = subprocess.run(
            [PROGRAM, *arguments],
            env={**os.environ, "WARPGRADE_ROOT": str(COURSE)},
            capture_output=True,
            text=True,
            check=False,
        )
        self.assertEqual(code, done.returncode, done.stdout + done.stderr)
        return done.stdout

    def grade(self, code, exercise, file):
        report = self.folder / "grade.json"
        out = self.run_program(
            *(code, "grade", f"forms/{exercise}", "--backend", "sim"),
            *("--file", COURSE / "solutions/forms" / file, "--json", report),
        )
        (found,) = json.loads(report.read_text())["exercises"]
        return out, found

    def test_are_what_the_course_says(self):
        self.assertIn(" 0 findings", self.run_program(0, "check"))

    def test_a_struct_of_another_size_is_told_with_its_fields(self):
        out, found = self.grade(1, "scale", "wrong/scale_another_struct.cu")
        self.assertEqual("compile", found["reason"])
        self.assertIn("the struct 'p' has 40 bytes, but must have 32", out)
        self.assertIn("negate (1 at 0), shift (2 at 2), out (8 at 8), in (8 at 16), n (4 at 24)", out)
        self.assertIn("scale(Scaling)", out)

    def test_a_buffer_in_a_struct_has_the_name_of_its_field(self):
        self.assertIn("p.out", self.grade(1, "scale", "wrong/scale_past_the_end.cu")[0])
        self.assertIn("writes p.in[0]", self.grade(1, "scale", "wrong/scale_writes_its_input.cu")[0])

    def test_a_buffer_in_place_is_compared_with_what_it_becomes(self):
        _, found = self.grade(1, "scan", "wrong/scan_always_inclusive.cu")
        self.assertEqual("incorrect", found["reason"])
        self.assertEqual("ragged", found["difference"]["case"])
        self.assertEqual("data[0]", found["difference"]["element"])
        self.assertEqual("0", found["difference"]["expected"])  # no element precedes the first


if __name__ == "__main__":
    PROGRAM, ROOT = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
    COURSE = ROOT / "tests/labs/forms"
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
