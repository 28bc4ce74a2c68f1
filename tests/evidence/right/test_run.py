# SPDX-License-Identifier: Apache-2.0
"""run.py on a corpus of one file and a program that says what the test wants."""

import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parent / "run.py"
PROGRAM = """#!/bin/sh
here=$(dirname "$0")
while [ $# -gt 0 ]; do [ "$1" = --json ] && json=$2; shift; done
cp $here/report.json $json
exit $(cat $here/code)
"""
SLOW = "fail performance, 9 points; the card is slow at it"


class RunRight(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.corpus = self.root / "tests" / "evidence" / "right"
        (self.corpus / "lab" / "copy").mkdir(parents=True)
        shutil.copy(SCRIPT, self.corpus)
        shutil.copy(SCRIPT.parents[1] / "graded.py", self.corpus.parent)
        (self.root / "program").write_text(PROGRAM)
        (self.root / "program").chmod(0o755)

    def run_script(self, head, points, *options, reason="performance"):
        """(exit code, output) with that head where the program gives so many of 10 points."""
        passed = points == 10
        item = {
            "verdict": "pass" if passed else "fail", "reason": "none" if passed else reason,
            "points": points, "max_points": 10, "diagnostics": [],
            "gates": [{"id": "speed", "device": "k40", "passed": passed}],
        }
        (self.root / "report.json").write_text(json.dumps({"exercises": [item]}))
        (self.root / "code").write_text("0" if passed else "1")
        lines = ["// SPDX-License-Identifier: Apache-2.0", "// By floats.", *head]
        (self.corpus / "lab" / "copy" / "a.cu").write_text("\n".join(lines) + "\n")
        done = subprocess.run(
            [sys.executable, "-B", self.corpus / "run.py", "--all",
             "--program", self.root / "program", *options],
            capture_output=True, text=True, check=False,
        )
        return done.returncode, done.stdout + done.stderr

    def test_a_right_kernel_needs_full_points(self):
        self.assertEqual(0, self.run_script([], 10)[0])
        code, output = self.run_script([], 9)
        self.assertEqual(1, code)
        self.assertIn("is fail performance, 9 points of 10, and the kernel is right", output)
        self.assertIn("gate speed on k40", output)

    def test_a_head_may_say_which_points_it_deserves(self):
        self.assertEqual(0, self.run_script([f"// deserves: {SLOW}"], 9)[0])
        self.assertEqual(1, self.run_script([f"// deserves: {SLOW}"], 8)[0])
        self.assertEqual(1, self.run_script([f"// deserves: {SLOW}"], 9, reason="mechanism")[0])

    def test_an_unfair_grade_is_told_until_it_is_mended(self):
        code, output = self.run_script([f"// unfair: {SLOW}"], 9)
        self.assertEqual(0, code, output)
        self.assertIn("1 are known to be graded unfairly: lab/copy/a", output)
        code, output = self.run_script([f"// unfair: {SLOW}"], 10)
        self.assertEqual(1, code)
        self.assertIn("gets full points: take 'unfair:' out of its head", output)

    def test_a_gpu_may_have_a_line_of_its_own(self):
        head = [f"// unfair: {SLOW}", "// unfair on a GPU: pass; no K40 is", "//   asked there"]
        self.assertEqual(0, self.run_script(head, 9)[0])
        self.assertEqual(0, self.run_script(head, 10, "--backend", "gpu")[0])
        self.assertEqual(1, self.run_script(head, 9, "--backend", "gpu")[0])

    def test_without_a_line_of_its_own_a_gpu_has_that_of_the_simulator(self):
        self.assertEqual(0, self.run_script([f"// unfair: {SLOW}"], 9, "--backend", "gpu")[0])

    def test_a_head_without_a_reason_is_refused(self):
        self.assertNotEqual(0, self.run_script(["// deserves: fail performance, 9 points"], 9)[0])

    def test_a_name_that_is_not_there_fails(self):
        code, output = self.run_script([], 10, "lab/copy/a", "lab/copy/b")
        self.assertEqual(1, code)
        self.assertIn("there is no lab/copy/b", output)


if __name__ == "__main__":
    unittest.main()
