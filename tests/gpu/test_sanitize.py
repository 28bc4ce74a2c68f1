# SPDX-License-Identifier: Apache-2.0
"""Runs sanitize.py with scripts that replace the sanitizer and the program: which runs are clean."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parent / "sanitize.py"
CLEAN = """========= COMPUTE-SANITIZER
[  PASSED  ] 1 test.
========= ERROR SUMMARY: 0 errors
"""
FOUND = CLEAN.replace("0 errors", "2 errors")
PROGRAM = """#!/bin/sh
echo 'Running main()'
echo 'FilesOnly.'
echo '  AreThere'
echo 'PlantedFaults.'
echo '  DISABLED_memcheck'
echo 'Course/ExerciseChecked.'
echo '  IsRight/copy  # GetParam() = 16-byte object'
echo 'Course/ExerciseLaunches.'
echo '  Ends/copy  # GetParam() = 16-byte object'
echo 'HarnessChecked.'
echo '  Copies'
"""


class Sanitize(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.write("program", PROGRAM)

    def write(self, name, text):
        (self.folder / name).write_text(text)
        (self.folder / name).chmod(0o755)

    def run_script(self, text, *options, planted=FOUND, then="exit 0", kind="memcheck"):
        """(exit code, output) if the sanitizer prints `text` for the test and then runs `then`."""
        self.write("text", text)
        self.write("called", "")
        self.write("planted", planted)
        self.write(
            "compute-sanitizer",
            f"#!/bin/sh\necho $* >> {self.folder}/called\n"
            f"case $* in *Planted*) cat {self.folder}/planted; exit 1;; esac\n"
            f"cat {self.folder}/text\n{then}\n",
        )
        done = subprocess.run(
            [sys.executable, SCRIPT, self.folder / "program", "--kinds", kind, *options],
            capture_output=True, text=True, check=False,
            env={"PATH": f"{self.folder}:{os.environ['PATH']}"},
        )
        return done.returncode, done.stdout + done.stderr

    def expect_failure(self, words, *arguments, **options):
        code, output = self.run_script(*arguments, **options)
        self.assertEqual(1, code, output)
        self.assertIn(words, output)
        self.assertNotIn("nothing found", output)

    def test_a_clean_run(self):
        code, output = self.run_script(CLEAN)
        self.assertEqual(0, code, output)
        self.assertIn("ok    memcheck   finds its planted fault", output)
        self.assertIn("ok    memcheck   copy: nothing found", output)
        self.assertIn("2 runs, 0 not as they should be", output)

    def test_findings(self):
        self.expect_failure("copy: 2 found", FOUND)
        race = CLEAN.replace(
            "ERROR SUMMARY: 0 errors", "RACECHECK SUMMARY: 1 hazard displayed (0 errors, 1 warning)"
        )
        planted = race.replace("1 hazard ", "3 hazards ")
        self.expect_failure("copy: 1 found", race, kind="racecheck", planted=planted)
        code, _ = self.run_script(race.replace("1 hazard ", "0 hazards "), kind="racecheck", planted=planted)
        self.assertEqual(0, code)

    def test_the_end_of_a_kernels_parameters_is_no_finding(self):
        report = (
            "========= Program hit CUDA_ERROR_INVALID_VALUE (error 1) due to \"invalid argument\" on "
            "CUDA API call to cuFuncGetParamInfo.\n"
            "=========     Saved host backtrace up to driver entry point at error\n=========\n"
        )
        code, output = self.run_script(report + report + FOUND)
        self.assertEqual(0, code, output)
        self.expect_failure("copy: 1 found", report + FOUND)
        self.expect_failure("copy: 2 found", report.replace("cuFuncGetParamInfo", "cuMemFree") + FOUND)
        code, output = self.run_script(CLEAN, planted=report + report + FOUND)
        self.assertEqual(1, code, output)

    def test_races_are_looked_for_without_our_kernels_but_for_the_harness_itself(self):
        clean = CLEAN.replace("ERROR", "RACECHECK").replace("0 errors", "0 hazards displayed (0 errors)")
        code, output = self.run_script(clean, kind="racecheck", planted=clean.replace(": 0", ": 1"))
        self.assertEqual(0, code, output)
        called = (self.folder / "called").read_text()
        self.assertIn("filter=Course/ExerciseLaunches.Ends/copy", called)
        self.assertIn("filter=HarnessChecked.Copies", called)
        self.assertNotIn("ExerciseChecked", called)
        self.run_script(CLEAN)
        called = (self.folder / "called").read_text()
        self.assertIn("filter=Course/ExerciseChecked.IsRight/copy", called)
        self.assertNotIn("ExerciseLaunches", called)

    def test_each_process_counts(self):
        self.expect_failure("copy: 2 found", FOUND + CLEAN)

    def test_what_did_not_run_is_not_clean(self):
        self.expect_failure("not checked: no summary, exit code 0", "[  PASSED  ] 1 test.\n")
        self.expect_failure("the test did not pass, exit code 0", CLEAN.replace("PASSED", "FAILED"))
        self.expect_failure("the test did not pass, exit code 9", CLEAN, then="exit 9")
        self.expect_failure("did not end in time", CLEAN, "--limit", "1", then="exec sleep 60")
        warned = CLEAN + "========= Warning: Unable to attach\n"
        self.expect_failure("the sanitizer has something to say", warned)

    def test_no_test_is_no_success(self):
        code, output = self.run_script(CLEAN, "--only", "no_such_exercise")
        self.assertEqual(1, code, output)

    def test_a_sanitizer_that_finds_nothing_has_not_looked(self):
        code, output = self.run_script(CLEAN, planted=CLEAN)
        self.assertEqual(1, code, output)
        self.assertIn("FAIL  memcheck   PlantedFaults.DISABLED_memcheck", output)

    def test_without_a_sanitizer(self):
        done = subprocess.run(
            [sys.executable, SCRIPT, self.folder / "program"],
            capture_output=True, text=True, check=False, env={"PATH": "/nonexistent"},
        )
        if not pathlib.Path("/usr/local/cuda/bin/compute-sanitizer").exists():
            self.assertEqual(3, done.returncode)


if __name__ == "__main__":
    unittest.main()
