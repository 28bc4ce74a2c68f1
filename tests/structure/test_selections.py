# SPDX-License-Identifier: Apache-2.0
"""The targets that a selection of tests needs: tests/test_targets.py on a small build folder."""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[1] / "test_targets.py"


class Selections(unittest.TestCase):
    def targets(self, *arguments):
        with tempfile.TemporaryDirectory() as folder:
            build = pathlib.Path(folder).resolve()
            info = build / "meson-info"
            info.mkdir()
            files = {"p": "grader/warpgrade", "s": "tests/sim/test_sim", "g": "tests/gpu/test_gpu",
                     "k": "tests/compile/kept_compiler"}
            made = [{"id": one, "filename": [str(build / file)]} for one, file in files.items()]
            (info / "intro-targets.json").write_text(json.dumps(made))
            tests = [
                {"name": "sim", "suite": ["warpgrade:unit"], "depends": ["s"]},
                {"name": "on a card", "suite": ["warpgrade:gpu"], "depends": ["g", "p"]},
                {"name": "tidy", "suite": ["warpgrade:tidy"], "depends": []},
            ]
            (info / "intro-tests.json").write_text(json.dumps(tests))
            done = subprocess.run(
                [sys.executable, "-B", SCRIPT, build, *arguments],
                capture_output=True,
                check=True,
                text=True,
            )
            return done.stdout.split()

    def test_by_suites_need_what_their_tests_run(self):
        kept = "tests/compile/kept_compiler"
        self.assertEqual([kept, "tests/sim/test_sim"], self.targets("--suite", "unit"))
        self.assertEqual(
            ["grader/warpgrade", kept, "tests/gpu/test_gpu", "tests/sim/test_sim"],
            self.targets("--suite", "gpu", "--suite", "unit"),
        )

    def test_by_names_need_what_these_run(self):
        kept = "tests/compile/kept_compiler"
        self.assertEqual([kept, "tests/sim/test_sim"], self.targets("sim"))
        self.assertEqual(["grader/warpgrade", kept, "tests/gpu/test_gpu", "tests/sim/test_sim"],
                         self.targets("on a card", "sim"))

    def test_by_anything_else_need_everything(self):
        for arguments in ((), ("--no-suite", "gpu"), ("none",), ("--suite", "unit", "sim")):
            self.assertEqual(["all"], self.targets(*arguments))

    def test_without_a_program_need_everything(self):
        self.assertEqual(["all"], self.targets("--suite", "tidy"))


if __name__ == "__main__":
    unittest.main()
