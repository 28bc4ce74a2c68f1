# SPDX-License-Identifier: Apache-2.0
"""Messages after typical mistakes, from the outside: grades a file and reads the report.

Grades each file of tests/evidence/messages by itself. Its head names the exercise, the exit code
(default: 1) and texts that the report must contain; line breaks in the report do not matter. The
modules' own tests check all other texts.
"""

import os
import pathlib
import subprocess
import sys
import unittest

PROGRAM, ROOT = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
FOLDER = ROOT / "tests/evidence/messages"


def words(text):
    return " ".join(text.split())


def head_of(file):
    """The values of a file's head by name."""
    values = {}
    for line in file.read_text(encoding="utf-8").splitlines():
        name, colon, value = line.lstrip("/# ").partition(": ")
        if line[:1] not in "/#" or not colon:
            break
        values.setdefault(name, []).append(value)
    return values


class Messages(unittest.TestCase):
    def grade(self, exercise, file):
        done = subprocess.run(
            [PROGRAM, "grade", exercise, "--file", file, "--backend", "sim"],
            env={**os.environ, "WARPGRADE_ROOT": str(ROOT)},
            capture_output=True,
            text=True,
            check=False,
        )
        return done.returncode, words(done.stdout + done.stderr)

    def test_each_file_is_told_what_is_wrong_with_it(self):
        files = sorted(FOLDER.glob("*.cu")) + sorted(FOLDER.glob("*.toml"))
        self.assertTrue(files)
        for file in files:
            with self.subTest(file.name):
                head = head_of(file)
                code, report = self.grade(head["exercise"][0], file)
                self.assertEqual(int(head.get("exit", ["1"])[0]), code, report)
                for text in head["says"]:
                    self.assertIn(words(text), report)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
