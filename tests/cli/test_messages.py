# SPDX-License-Identifier: Apache-2.0
"""Messages after typical mistakes, from the outside: grades a file and reads the report.

Grades each part of the files of tests/evidence/messages by itself. Its head names the exercise, the exit code
(default: 1) and texts that the report must contain; line breaks in the report do not matter. The
modules' own tests check all other texts.
"""

import pathlib
import sys

TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TESTS), str(TESTS / "evidence")]

import split_file
from program_case import ProgramCase, main

FOLDER = TESTS / "evidence/messages"


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


class Messages(ProgramCase):
    def test_each_file_is_told_what_is_wrong_with_it(self):
        files = split_file.write_parts([FOLDER / "kernels.cu", FOLDER / "answers.toml"], self.folder)
        self.assertEqual(14, len(files))
        for file in files:
            if file.suffix == ".cuh":
                continue
            with self.subTest(file.name):
                head = head_of(file)
                code = int(head.get("exit", ["1"])[0])
                report = words(self.output(code, "grade", *head["exercise"], "--file", file, "--backend", "sim"))
                for text in head["says"]:
                    self.assertIn(words(text), report)


if __name__ == "__main__":
    main()
