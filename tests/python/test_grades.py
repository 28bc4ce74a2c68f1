# SPDX-License-Identifier: Apache-2.0
"""`grade`, `exercises` and `devices` of the package.

Arguments: the program, then the root of the project.
"""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest

from package import PROGRAM, ROOT, main

import warpgrade

SOLUTION = (ROOT / "solutions/coalescing/copy.cu").read_text()
SKELETON = ROOT / "labs/coalescing/copy.cu"


class Grades(unittest.TestCase):
    def test_is_the_commands_grade(self):
        for source in (SOLUTION, SKELETON.read_text()):
            made = warpgrade.grade("coalescing/copy", source, backend="sim")
            with tempfile.TemporaryDirectory() as folder:
                file, report = pathlib.Path(folder, "copy.cu"), pathlib.Path(folder, "report.json")
                file.write_text(source)
                subprocess.run([PROGRAM, "grade", "coalescing/copy", "--file", file.name, "--backend", "sim", "--json",
                                report], capture_output=True, check=False, cwd=folder, env={
                                    **os.environ, "WARPGRADE_ROOT": str(ROOT)})
                (expected,) = json.loads(report.read_text())["exercises"]
            self.assertEqual((expected["points"], expected["max_points"], expected["verdict"], expected["gates"]),
                             (made.points, made.max_points, made.verdict, made.gates))

    def test_solution_skeleton_and_broken_file(self):
        right = warpgrade.grade("coalescing/copy", SOLUTION, backend="sim")
        self.assertEqual((10, 10, "pass", "none"), (right.points, right.max_points, right.verdict, right.reason))
        self.assertIn("10 of 10 points", right.report)
        self.assertEqual("<warpgrade.Grade coalescing/copy: pass, 10 of 10 points>", repr(right))
        skeleton = warpgrade.grade("copy", SKELETON, backend="sim")
        self.assertEqual((0, "fail", "coalescing/copy"), (skeleton.points, skeleton.verdict, skeleton.exercise))
        self.assertIn("hint 1 of", skeleton.hint)
        broken = warpgrade.grade("coalescing/copy", "__global__ void copy(", backend="sim")
        self.assertEqual(("compile", "compile_error"), (broken.reason, broken.diagnostics[0]["kind"]))

    def test_answers(self):
        answers = (ROOT / "solutions/bank_conflicts/predict.toml").read_text()
        self.assertEqual("pass", warpgrade.grade("bank_conflicts/predict", answers).verdict)

    def test_page(self):
        made = warpgrade.grade("coalescing/copy", SOLUTION, backend="sim")
        self.assertIn("<svg", made.html)
        summary, frame, _ = made._repr_html_().partition("<iframe srcdoc=")
        self.assertTrue(frame)
        self.assertIn("<b>coalescing/copy</b> pass, 10 of 10 points", summary)

    def test_a_page_without_its_frame_says_what_is_missing(self):
        made = warpgrade.grade("coalescing/copy", (ROOT / "labs/coalescing/copy.cu").read_text(), backend="sim")
        summary = made._repr_html_().partition("<iframe srcdoc=")[0]
        self.assertIn("uses 4 of the 32 bytes", made.why)
        for part in ("fail, 0 of 10 points", f"<b>why</b> {made.why.split('<')[0].split('>')[0]}", "<b>next</b> ", "<td>loads_coalesced</td>",
                     "<td>global load</td>", "<td>32 sectors</td>", "in[row * width + column + j]"):
            self.assertIn(part, summary)

    def test_wrong_calls(self):
        for kind, needed, call in (
            (ValueError, "2 are named", lambda: warpgrade.grade("coalescing", SOLUTION)),
            (ValueError, "there is no lab `nix`", lambda: warpgrade.grade("nix/copy", SOLUTION)),
            (ValueError, "missing.cu", lambda: warpgrade.grade("coalescing/copy", "missing.cu")),
            (ValueError, "h201", lambda: warpgrade.grade("coalescing/copy", SOLUTION, device="h201")),
            (TypeError, "the source is a int", lambda: warpgrade.grade("coalescing/copy", 5)),
            (TypeError, "the exercise is None", lambda: warpgrade.grade(None, SOLUTION)),
        ):
            with self.subTest(needed), self.assertRaises(kind) as raised:
                call()
            self.assertIn(needed, str(raised.exception))

    def test_without_a_gpu(self):
        with self.assertRaises(warpgrade.ToolError):
            warpgrade.grade("coalescing/copy", SOLUTION, backend="gpu")

    def test_lists(self):
        self.assertLessEqual({"k40", "h200", "b200"}, set(warpgrade.devices()))
        for name in warpgrade.exercises():
            self.assertTrue(any((ROOT / f"labs/{name}{suffix}").is_file() for suffix in (".cu", ".toml")), name)
        self.assertIn("coalescing/copy", warpgrade.exercises())
        self.assertRegex(warpgrade.version(), r"^\d+\.\d+\.\d+ \(")


if __name__ == "__main__":
    main()
