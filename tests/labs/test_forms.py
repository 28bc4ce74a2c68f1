# SPDX-License-Identifier: Apache-2.0
"""A lab of kernels with parameters other than inputs, outputs and numbers: tests/labs/forms.

Its skeletons must fail, its solutions pass, and its wrong kernels fail for the reason that they
name. Messages must name the wrong buffer, field or size. Arguments: the program, then the root of
the project.
"""

import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from program_case import ROOT, ProgramCase, main

COURSE = ROOT / "tests/labs/forms"


class Forms(ProgramCase):
    root = COURSE

    def grade(self, code, exercise, file):
        report = self.folder / "grade.json"
        out = self.output(
            *(code, "grade", f"forms/{exercise}", "--backend", "sim"),
            *("--file", COURSE / "solutions/forms" / file, "--json", report),
        )
        (found,) = json.loads(report.read_text())["exercises"]
        return out, found

    def test_are_what_the_course_says(self):
        self.assertIn(" 0 findings", self.output(0, "check"))

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
    main()
