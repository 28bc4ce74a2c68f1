# SPDX-License-Identifier: Apache-2.0
"""Messy exports (thirty_exports.py): nobody vanishes, nobody gets another's work, right work is never 0, and
what cannot be decided is open with a next step."""

import os
import re
import resource
import shlex
import subprocess
import unittest

from class_case import ClassCase
from thirty_exports import FULL, RIGHT, exports, zipped

MOST_MIB = 500


class ThirtyTest(ClassCase):
    def deviations(self, export):
        folder = self.folder / re.sub(r"\W", "_", export.name)
        submissions = export.write(folder)
        self.book = folder / "book.db"
        if export.next_is is not None:
            words = self.run_class(2, submissions=submissions)
            commands = re.findall(r"(?:sed -i|echo) .*", words)
            subprocess.run(shlex.split(commands[export.next_is], comments=True), check=True)
        words = self.run_class(export.code, submissions=submissions)
        out = [f"does not print {word!r}" for word in export.words if word not in words and export.next_is is None]
        if export.code == 2:
            return out
        rows = {s: "missing" if v == "missing" and o is None else p for s, v, p, o in
                self.ask("SELECT student, verdict, points, open_reason FROM standing")}
        out += [f"{s}: {rows.get(s, 'vanished')} is not {p}" for s, p in export.points.items()
                if rows.get(s, "vanished") != p]
        out += [f"unknown student {s}: {p}" for s, p in rows.items() if s not in export.points and p != "missing"]
        paths = [path for (path,) in self.ask("SELECT path FROM received")]
        out += [f"no row of {end}" for end in export.received if not any(path.endswith(end) for path in paths)]
        reasons = self.ask("SELECT path FROM received WHERE state = 'open' AND reason = ''")
        out += [f"open without a reason: {path}" for (path,) in reasons]
        if export.code == 3 and "next: " not in words:
            out.append("no next step")
        return [f"{export.name}: {line}" for line in out] + ([words] if out else [])

    def test_each_file_has_the_right_outcome(self):
        wrong = []
        for export in exports():
            try:
                wrong += self.deviations(export)
            except AssertionError as error:
                wrong.append(f"{export.name}: {error}")
        self.assertFalse(wrong, "\n".join(wrong))

    def test_memory_does_not_depend_on_what_students_hand_in(self):
        heavy = {"work/lib/library.so": os.urandom(30 << 20), "predict.toml": RIGHT}
        heavy.update({f"work/package{i}/__init__.py": b"" for i in range(2000)})
        for student in ("ada", "bob"):
            self.write(f"{student}/work.zip", zipped(heavy))
        self.write("class.toml", 'exercises = ["bank_conflicts/predict"]\n')
        self.run_class(0)
        self.assertEqual([("ada", FULL), ("bob", FULL)], self.ask("SELECT student, points FROM standing"))
        self.assertLess(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss >> 10, MOST_MIB)

    def test_the_book_in_its_submissions_is_not_received(self):
        self.write("ada/predict.toml", RIGHT)
        self.write("bob/predict.toml", RIGHT)
        self.write("class.toml", 'exercises = ["bank_conflicts/predict"]\n')
        self.book = self.submissions / "book.db"
        for _ in range(2):
            self.assertIn("2 of 2 files fit", self.run_class(0))
        self.assertEqual([], self.ask("SELECT path FROM received WHERE path LIKE '%book%'"))


if __name__ == "__main__":
    unittest.main()
