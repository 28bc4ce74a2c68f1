# SPDX-License-Identifier: Apache-2.0
"""Right solutions other than the course's own earn full points.

Each tests/labs/LAB/right/EXERCISE_NAME.cu goes another way than solutions/LAB/EXERCISE.cu; a grader
that asks for more than the exercise does would turn one of them down. Arguments: the program, then
the root of the project.
"""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest


def exercise_of(lab, file):
    """The exercise whose skeleton's name begins the file's name."""
    names = [path.stem for path in lab.glob("*.cu") if path.stem != "reference"]
    matches = [name for name in names if file.stem.startswith(name + "_")]
    return max(matches, key=len, default=None)


class RightSolutions(unittest.TestCase):
    maxDiff = None

    def grade(self, lab, exercise, file):
        with tempfile.TemporaryDirectory() as folder:
            report = pathlib.Path(folder) / "grade.json"
            command = [PROGRAM, "grade", f"{lab}/{exercise}", "--file", file, "--backend", "sim"]
            done = subprocess.run(
                [*command, "--json", report], cwd=ROOT, capture_output=True, text=True, check=False
            )
            self.assertEqual(0, done.returncode, f"\n{done.stdout}\n{done.stderr}")
            return json.loads(report.read_text())

    def test_earn_full_points(self):
        files = sorted((ROOT / "tests/labs").glob("*/right/*.cu"))
        self.assertTrue(files, "found no right solutions to try")
        for file in files:
            lab = file.parts[-3]
            exercise = exercise_of(ROOT / "labs" / lab, file)
            with self.subTest(file=file.name):
                self.assertIsNotNone(exercise, "its name begins with no exercise's")
                (graded,) = self.grade(lab, exercise, file)["exercises"]
                self.assertEqual("pass", graded["verdict"])
                self.assertTrue(graded["correct"])
                self.assertEqual(graded["max_points"], graded["points"])


if __name__ == "__main__":
    PROGRAM, ROOT = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
