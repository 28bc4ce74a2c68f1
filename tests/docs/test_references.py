# SPDX-License-Identifier: Apache-2.0
"""Checks the references of file formats against the program: tables of keys and metrics, and every example.

Arguments: the program, then the root of the project.
"""

import json
import os
import pathlib
import re
import struct
import subprocess
import sys
import tempfile
import unittest

MANIFEST = """title = "T"
summary = "S"
[[exercise]]
id = "e"
title = "E"
hints = ["h"]
kernel = "k(float* out, int n)"
launch = { grid = [1], block = [32] }
shapes = { out = "n" }
reference = "r"
cases = [{ name = "c", n = 32, measured = true }]
correctness_points = 1
"""
GATE = '{ id = "g%d", metric = "%s", on = "h200", min = 0, ideal = 1, meaning = "M", next = "N" }'
BLOCK = re.compile(r"^`([^`\n]+)`:\n\n```\w+\n(.*?)^```$", re.MULTILINE | re.DOTALL)


class References(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_program(self, *arguments, root=None):
        return subprocess.run(
            [PROGRAM, *arguments], env={**os.environ, "WARPGRADE_ROOT": str(root or ROOT)}, cwd=self.folder,
            capture_output=True, check=False, text=True,
        )

    def list_with(self, metrics):
        (self.folder / "labs/lab").mkdir(parents=True, exist_ok=True)
        gates = ", ".join(GATE % (number, metric) for number, metric in enumerate(metrics))
        (self.folder / "labs/lab/grader.toml").write_text(f"{MANIFEST}gates = [{gates}]\n")
        return self.run_program("list", root=self.folder)

    def test_the_table_of_metrics_is_complete(self):
        sections = dict(re.findall(r"^## (.+)\n((?:(?!## ).*\n)+)", (ROOT / "docs/glossary.md").read_text(), re.MULTILINE))
        names = [
            name for title in ("Metrics", "Speed of Light", "Stall reasons")
            for name in re.findall(r"^\| (?:[^`|]+ \()?`([^`]+)`\)? \| [^|]+ \|$", sections[title], re.MULTILINE)
        ]
        self.assertEqual(len(names), len(set(names)))
        self.assertEqual("", self.list_with(names).stderr)
        self.assertIn(f"docs/glossary.md lists all {len(names)}\n", self.list_with(["nothing"]).stderr)

    def test_the_table_of_devices_is_complete(self):
        table = (ROOT / "docs/devices.md").read_text().split("\n## ")[0]
        listed = re.findall(r"^(\w+)  ", self.run_program("devices").stdout, re.MULTILINE)
        self.assertEqual(["name", *re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)], listed)

    def test_the_grader_acts_on_each_part_that_times_do_not_model(self):
        document = (ROOT / "docs/fidelity.md").read_text()
        tables = re.findall(r"^\|.*\| the grader \|\n\|[-|]+\n((?:\|.*\n)+)", document, re.MULTILINE)
        self.assertEqual(2, len(tables))
        for row in "".join(tables).splitlines():
            self.assertRegex(row, r"\| (fails|warns|inconclusive|modelled)\b[^|]*\|$")

    def test_every_kind_of_fault_has_a_row(self):
        schema = json.loads((ROOT / "docs/json/warpgrade.grade.schema.json").read_text())
        kinds = schema["$defs"]["diagnostic"]["properties"]["kind"]["enum"]
        section = (ROOT / "docs/glossary.md").read_text().split("## Faults in a kernel\n")[1].split("\n## ")[0]
        rows = re.findall(r"^\| [^|(]+ \(`(\w+)`\) \|", section, re.MULTILINE)
        self.assertEqual(sorted(kinds), sorted(rows))

    def test_every_key_of_an_exercise_and_a_gate_has_a_row(self):
        document = (ROOT / "docs/manifest.md").read_text()
        rows = {
            key for line in re.findall(r"^\| (`[^|]+) \|", document, re.MULTILINE)
            for key in re.findall(r"`\[*([a-z0-9_]+)\]*`", line)
        }
        source = (ROOT / "grader/course/gate_reader.cpp").read_text()
        lists = re.findall(r"k\w+Keys = \{([^}]*)\}", source)
        self.assertEqual(2, len(lists))
        for keys in lists:
            self.assertEqual(set(), set(re.findall(r'"(\w+)"', keys)) - rows - {"hints_rot13"})

    def test_the_sequence_of_the_reference_runs(self):
        document = (ROOT / "docs/sequence.md").read_text()
        files = dict(BLOCK.findall(document))
        self.assertEqual({"sum.cu", "sum.toml"}, files.keys())
        for name, content in files.items():
            (self.folder / name).write_text(content)
        done = self.run_program("profile", "sum.cu", "--sequence", "sum.toml", "--dump", "2=total.bin")
        self.assertEqual(0, done.returncode, done.stdout + done.stderr)
        # The sum of 1,024 floats from 0 to 1,023.
        (total,) = struct.unpack("<f", (self.folder / "total.bin").read_bytes()[:4])
        self.assertEqual(1023 * 1024 / 2, total)

    def test_the_study_of_the_reference_runs_and_names_every_key(self):
        document = (ROOT / "docs/study.md").read_text()
        files = dict(BLOCK.findall(document))
        self.assertEqual({"copies.cu", "copies.toml"}, files.keys())
        for name, content in files.items():
            (self.folder / name).write_text(content)
        done = self.run_program("study", "copies.toml")
        self.assertEqual(0, done.returncode, done.stdout + done.stderr)
        self.assertRegex(done.stdout, r"131,?072 ")
        # The names of keys in the readers' sources.
        for source in ("study_reader.cpp", "study_reader.cpp"):
            text = (ROOT / "grader/study" / source).read_text()
            calls = r'table\.(?:text|number|count|expression|optional_expression|numbers|texts|accept|choice\w*|flag_or|extents)\("(\w+)"'
            keys = set(re.findall(calls, text))
            self.assertGreater(len(keys), 5, source)
            self.assertEqual(set(), {key for key in keys if f"`{key}`" not in document and f".{key}]" not in document}, source)

    def test_every_key_of_a_class_has_a_row(self):
        document = (ROOT / "docs/class.md").read_text()
        text = (ROOT / "grader/class/rules.cpp").read_text()
        keys = set(re.findall(r'(?:table\.\w+|share_in)\((?:table, )?"(\w+)"', text))
        self.assertGreater(len(keys), 15)
        rows = set(re.findall(r"^\| `\[?(\w+)\]?` \| [^|]+ \| [^|]+ \|$", document, re.MULTILINE))
        self.assertEqual(set(), keys - rows)


if __name__ == "__main__":
    PROGRAM, ROOT = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
