# SPDX-License-Identifier: Apache-2.0
"""Runs the recipes of docs/class.md: class.toml and the commands of each, as written, on an export of that
platform. The file to import must have the points of each student."""

import csv
import io
import re
import shlex
import unittest

from class_case import ROOT, ClassCase
from messy_export import Export

CHAPTER = "## A recipe for each platform"
LAYOUTS = {
    "Canvas": "canvas", "Moodle": "moodle", "Blackboard": "blackboard", "Brightspace": "brightspace",
    "Gradescope": "gradescope", "GitHub Classroom": "github", "nbgrader": "nbgrader", "Folders": "folders",
}


def recipes():
    """The class.toml and the commands of each recipe by its title."""
    text = (ROOT / "docs/class.md").read_text().partition(CHAPTER)[2].partition("\n## ")[0]
    out = {}
    for part in text.split("\n### ")[1:]:
        title = part.splitlines()[0]
        (rules,) = re.findall(r"```toml\n(.*?)```", part, re.DOTALL)
        (commands,) = re.findall(r"```\n(warpgrade .*?)```", part, re.DOTALL)
        out[title] = (rules, [shlex.split(line) for line in commands.splitlines()])
    return out


class RecipesTest(ClassCase):
    def test_each_platform_has_one(self):
        self.assertEqual(list(LAYOUTS), list(recipes()))

    def follow(self, title):
        layout = LAYOUTS[title]
        rules, commands = recipes()[title]
        export = Export(layout, 7)
        home = self.folder / layout
        place = export.write(home)
        for name in ("lab1-submissions", "submitted"):
            if (place / name).is_dir():
                (place / name).rename(home / name)
        if layout == "folders":
            place.rename(home / "class")
        (home / "class.toml").write_text('exercises = ["coalescing/copy"]\n' + rules)
        self.folder = home
        for words in commands:
            self.assertEqual(["warpgrade", "class"], words[:2])
            extra = ["--backend", "sim"] if words[2] == "run" else []
            self.program(3 if words[2] == "run" else 0, *words[2:], *extra)
        data = (home / "import.csv").read_bytes()
        encoding = "utf-16" if layout == "blackboard" else "utf-8-sig"
        text = io.StringIO(data.decode(encoding), newline="")
        rows = list(csv.DictReader(text, delimiter="\t" if layout == "blackboard" else ","))
        key, column = ("student_id", "score") if layout == "nbgrader" else (None, export.title)
        if key is None:
            found = {one.key: row[column] for one, row in zip(export.students, rows[-len(export.students) :], strict=True)}
        else:
            found = {row[key]: row[column] for row in rows}
        for one in export.students:
            points = one.points(layout)
            cell = found.get(one.key, "")
            shown = f"{title}: {one.key} ({one.kind}) has {cell!r}, not {points}"
            if points is None:
                self.assertEqual("", cell, shown)
            elif points is not ...:
                self.assertEqual(points, float(cell or "nan"), shown)


def add(title):
    def test(self):
        self.follow(title)

    setattr(RecipesTest, f"test_{LAYOUTS[title]}", test)


for each in LAYOUTS:
    add(each)

if __name__ == "__main__":
    unittest.main()
