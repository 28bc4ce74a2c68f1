# SPDX-License-Identifier: Apache-2.0
"""part_of_tests.py on a program that lists tests as GoogleTest does, and prints the filter that it gets.

Also part_of_suite.py on a build folder with a list of tests.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parent / "part_of_tests.py"
PROGRAM = """#!/usr/bin/env python3
import sys
print("Running main() from a library")
if "--gtest_list_tests" in sys.argv:
    print("Files.")
    print("  HaveARowEach")
    print("Right/Corpus.")
    for i in range(60):
        print(f"  IsRight/file_{i}  # GetParam() = {i}")
    if "--gtest_filter=Right*" not in sys.argv:
        print("Other/Corpus.")
        print("  IsRight/other  # GetParam() = 0")
else:
    print(" ".join(sys.argv[1:]))
    sys.exit(7)
"""


class PartOfTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.program = pathlib.Path(folder.name) / "program"
        self.program.write_text(PROGRAM)
        self.program.chmod(0o755)

    def run_part(self, *options, whole="0"):
        """The options that the program gets."""
        command = [sys.executable, "-B", SCRIPT, *options]
        environment = {**os.environ, "WARPGRADE_WHOLE": whole}
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        self.assertEqual(7, done.returncode, done.stdout + done.stderr)
        return done.stdout.splitlines()[-1].split()

    def names(self, seed, *options):
        (filter_option,) = self.run_part("--seed", seed, self.program, *options)
        return filter_option.removeprefix("--gtest_filter=").split(":")

    def test_a_third_of_the_files_and_each_other_test_run(self):
        names = self.names("a")
        self.assertIn("Files.HaveARowEach", names)
        self.assertTrue(10 < len(names) < 32, names)
        self.assertTrue(all(name.startswith(("Files.", "Right/Corpus.IsRight/file_", "Other/")) for name in names))

    def test_another_seed_draws_other_files(self):
        self.assertNotEqual(self.names("a"), self.names("b"))

    def test_the_filter_still_counts(self):
        self.assertFalse([name for name in self.names("a", "--gtest_filter=Right*") if name.startswith("Other")])

    def test_other_options_reach_the_program(self):
        self.assertEqual("--gtest_output=xml:out", self.run_part(self.program, "--gtest_output=xml:out")[0])

    def test_the_weekly_run_has_all(self):
        self.assertEqual(["--gtest_filter=Right*"], self.run_part(self.program, "--gtest_filter=Right*", whole="1"))

    def test_a_change_that_git_cannot_exclude_has_all(self):
        options = ("--whole-if", "/no/such/repository", self.program, "--gtest_filter=Right*")
        self.assertEqual(["--gtest_filter=Right*"], self.run_part(*options))


class PartOfSuite(unittest.TestCase):
    def names(self, seed, whole="0"):
        with tempfile.TemporaryDirectory() as folder:
            tests = [{"name": f"program {i}", "suite": ["warpgrade:unit", "warpgrade:sanitized"]} for i in range(40)]
            tests.append({"name": "other", "suite": ["warpgrade:unit"]})
            (pathlib.Path(folder) / "meson-info").mkdir()
            (pathlib.Path(folder) / "meson-info/intro-tests.json").write_text(json.dumps(tests))
            command = [sys.executable, "-B", SCRIPT.with_name("part_of_suite.py"), "--seed", seed, folder, "sanitized"]
            environment = {**os.environ, "WARPGRADE_WHOLE": whole}
            done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
            return done.stdout.splitlines()

    def test_half_of_the_suite_runs(self):
        names = self.names("a")
        self.assertTrue(10 < len(names) < 30, names)
        self.assertTrue(all(name.startswith("program ") for name in names))
        self.assertNotEqual(names, self.names("b"))

    def test_the_weekly_run_has_the_whole_suite(self):
        self.assertEqual([f"program {i}" for i in range(40)], self.names("a", whole="1"))


if __name__ == "__main__":
    unittest.main()
