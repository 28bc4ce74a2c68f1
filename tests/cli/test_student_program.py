#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""test_student_program.py STUDENT ROOT PROGRAM: the students' program answers like the full program, and `./warpgrade`
selects it for exactly the commands that it contains.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

STUDENT, ROOT, PROGRAM = map(os.path.abspath, sys.argv[1:4])
NOT_BUILT = "this program contains only the commands of students: run ./warpgrade"


def answer(program, *words):
    """Exit code, standard output and error of a call in an empty folder."""
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([program, *words], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True,
                              check=False, text=True, env={"HOME": folder, "PATH": "/usr/bin:/bin",
                                                           "WARPGRADE_ROOT": ROOT})
    return done.returncode, done.stdout, done.stderr


def target(build, *words):
    """The program that the wrapper's function `program_for` selects in the build folder `build`."""
    text = pathlib.Path(ROOT, "warpgrade").read_text(encoding="utf-8")
    function = re.search(r"^program_for\(\) \{$.*?^\}$", text, re.MULTILINE | re.DOTALL).group(0)
    script = f'say() {{ :; }}; build=$1; shift\n{function}\nprogram_for "$@"'
    return subprocess.run(["bash", "-uc", script, "bash", build, *words], capture_output=True, check=True,
                          text=True).stdout.strip()


class StudentProgram(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.build = pathlib.Path(place.name)
        (self.build / "grader").mkdir()

    def test_has_the_same_command_line(self):
        for words in ((), ("--help",), ("--version",), ("list",), ("devices",), ("devices", "h200"), ("grade", "--help"),
                      ("class", "--help"), ("grade", "no/such"), ("greade",), ("hint", "coalescing/copy"),
                      ("complete", "1", "gra")):
            with self.subTest(words):
                self.assertEqual(answer(PROGRAM, *words), answer(STUDENT, *words))

    def test_grades_as_the_whole_program(self):
        words = ("grade", "latency/predict", "coalescing/copy", "--solutions")
        whole, student = answer(PROGRAM, *words), answer(STUDENT, *words)
        self.assertEqual(0, student[0])
        self.assertEqual(whole[1], student[1])

    def test_the_wrapper_builds_the_whole_program_for_all_other_commands(self):
        for words in (("study", "banks"), ("check",), ("init", "course"), ("new", "lab/exercise"), ("pack", "out"),
                      ("calibrate",), ("devices", "--from-gpu", "card.toml"), ("class", "status"), ("class-names",)):
            with self.subTest(words):
                self.assertEqual("grader/warpgrade", target(self.build, *words))

    def test_each_command_is_in_the_program_that_the_wrapper_selects(self):
        listed = re.findall(r"^  ([a-z]+)  ", answer(PROGRAM, "--help")[1], re.MULTILINE)
        self.assertGreater(len(listed), 12)
        # The words let each command end at once, for example because a file does not exist.
        for command in listed:
            needs = NOT_BUILT in answer(STUDENT, command, *self.least_words(command))[2]
            with self.subTest(command):
                self.assertEqual("grader/warpgrade" if needs else "grader/student", target(self.build, command))

    @staticmethod
    def least_words(command):
        return {"class": ("status", "missing"), "devices": ("missing",), "grade": ("no/such",),
                "hint": ("no/such",), "init": ("course",), "new": ("lab/exercise",), "occupancy": ("--help",),
                "pack": ("out",), "profile": ("missing.cu",), "study": ("missing",), "watch": ("no/such",)}.get(command, ())

    def test_calls_without_a_command_need_the_students_program(self):
        self.assertEqual("grader/student", target(self.build))
        self.assertEqual("grader/student", target(self.build, "--help"))

    def wrapper(self, word):
        """Exit code and error of `./warpgrade WORD` in a copy of the course without a program, and its files afterwards."""
        shutil.copy(pathlib.Path(ROOT, "warpgrade"), self.build)
        done = subprocess.run([self.build / "warpgrade", word], stdin=subprocess.DEVNULL, capture_output=True, check=False,
                              text=True, env={"PATH": "/usr/bin:/bin", "HOME": str(self.build)})
        return done.returncode, done.stdout + done.stderr, sorted(path.name for path in self.build.iterdir())

    def test_an_unknown_word_prints_the_help_and_builds_nothing(self):
        for word, code, kind in (("greade", 2, "command"), ("Grade", 2, "command"), ("list;", 2, "command"),
                                 ("gr.de", 2, "command"), ("--hlep", 2, "option"), ("help", 0, None), ("--help", 0, None)):
            with self.subTest(word):
                exit_code, error, files = self.wrapper(word)
                self.assertEqual(code, exit_code)
                self.assertIn(f"unknown {kind} `{word}`" if kind else "", error)
                self.assertIn("\n  grade       Grade your files", error)
                self.assertEqual(["grader", "warpgrade"], files)

    def test_the_wrapper_describes_each_command_as_the_program_does(self):
        described = re.compile(r"^  [a-z]+  .*$", re.MULTILINE)
        own = described.findall(self.wrapper("help")[1])
        self.assertEqual(described.findall(answer(PROGRAM, "--help")[1]), own[:-1])
        self.assertIn("  test  ", own[-1])

    def test_the_whole_program_is_used_once_it_exists(self):
        (self.build / "grader/warpgrade").touch()
        self.assertEqual("grader/warpgrade", target(self.build, "grade"))
        self.assertEqual("grader/warpgrade", target(self.build, "list"))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
