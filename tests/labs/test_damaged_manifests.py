# SPDX-License-Identifier: Apache-2.0
"""Two hundred damaged manifests: each ends with exit code 2 and one message with its place.

Most are made from the course's own manifests: cut within a value, with a misspelt key, or with a value
of another type. The others contradict themselves, and their messages are compared. Arguments: the
program, then the root of the project.
"""

import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

LABS = ("bank_conflicts", "coalescing", "coarsening", "partition_camping")
# A key at the start of a line or of an inline table, and its value up to the end of the line.
KEY = re.compile(r"(?:(?<=^)|(?<=\{ )|(?<=, ))([a-z_]+)(?= = )", re.MULTILINE)
VALUE = re.compile(r"^([a-z_]+) = (.+)$", re.MULTILINE)

LAB = """title = "Small"
summary = "For tests."

[cases.vectors]
small = { n = 100 }
large = { n = 65536, measured = true }

[[exercise]]
id = "first"
title = "First"
hints = ["Look."]
kernel = "first(float* out, const float* in, int n)"
launch = { grid = ["ceil_div(n, 256)"], block = [256] }
shapes = { out = "n", in = "n" }
reference = "first_reference"
cases = ["vectors"]
correctness_points = 2
gates = [{ use = "coalesced_loads", points = 1 }]
"""
SECOND = """
[[exercise]]
id = "second"
title = "Second"
hints = ["Look."]
like = "first"
"""
# (old text, new text, part of the message)
CONTRADICTIONS = (
    ('"coalesced_loads"', '"coalesced_load"', "unknown preset `coalesced_load`, did you mean `coalesced_loads`?"),
    ('"coalesced_loads"', '"fast"', "unknown preset `fast`; labs/gates.toml has: coalesced_loads"),
    ('out = "n", in = "n"', 'out = "n"', "`in` has no shape; an example: shapes = { in ="),
    ('out = "n", in', 'ouut = "n", in', "`shapes`: unknown parameter `ouut`, did you mean `out`?"),
    ("int n)\"", "int m)\"", "`m` takes the variable of its name, which no case has"),
    ('grid = ["ceil_div(n, 256)"]', 'grid = ["ceil_div(m, 256)"]', "unknown variable `m`"),
    ('out = "n"', 'out = "widht"', "unknown variable `widht`"),
    ('cases = ["vectors"]', 'cases = ["vector"]', "unknown set `vector`, did you mean `vectors`?"),
    ('cases = ["vectors"]', "cases = []", "`cases`: must not be empty"),
    ("small = { n = 100 }", "small = { m = 100 }", "the variables must be those of the first case"),
    (', measured = true', "", "none is `measured = true`"),
    ('like = "first"', 'like = "frist"', "unknown exercise `frist`, did you mean `first`?"),
    ('like = "first"', 'like = "second"', "`second` is like itself in the end"),
    ('reference = "first_reference"', 'reference = "first_reference"\nlike = "second"', "is like itself in the end"),
    ("points = 1 }", "points = 1, min = 40 }", "`ideal` is 32, which its own bounds stop"),
    ("points = 1 }", "points = 1, min = 30, max = 20 }", "`min` is 30, more than `max`, which is 20"),
    ("points = 1 }", 'points = 1, metric = "dram_bytes_read.sum" }', "did you mean `dram__bytes_read.sum`?"),
    ("points = 1 }", 'points = 1, metric = "nothing" }', "there is no metric `nothing`; docs/glossary.md lists all"),
    ("points = 1 }", 'points = 1, on = "h20" }', "there is no device `h20`, did you mean `h200`?"),
    ("points = 1 }", 'points = 1, needs = ["sped"] }', "needs `sped`, which is not another gate"),
    ("points = 1 }", 'points = 1, case = "huge" }', "there is no case `huge`"),
    ("points = 1 }", 'points = 1, meaning = "{crad}" }', "there is nothing for {crad}, did you mean `card`?"),
    ("points = 1 }", "points = 1 }, { use = \"coalesced_loads\" }", "`loads_coalesced` is there twice"),
    ("points = 1 }", 'points = 1, colour = "red" }', "unknown key `colour`"),
    ('id = "second"', 'id = "first"', "`first` is there twice"),
    ('id = "second"', 'id = "Second"', "must be small letters, digits and _"),
    ("float* out,", "float** out,", "is a pointer to a pointer"),
    ("float* out,", "float*,", "the parameter `float *` has no name"),
    ("float* out,", "Pair out,", "`out` has the type `Pair`, which is not a number"),
    ("float* out,", "const float* out,", "writes through none of its pointers"),
    ("int n)\"", "int n\"", "the list of parameters is not closed"),
    ("block = [256]", "block = [2048]", "a block of 2048 threads"),
    ("block = [256]", "block = [0]", "an extent of the launch is 0"),
    ("n = 65536", "n = 1e12", "an extent of the launch is 3906250000"),
    ("n = 65536", "n = 1e308", "a whole number of at least 0"),
    ('shapes = {', 'fill = { out = "iota" }\nshapes = {', 'only a buffer of role "in" or "inout" is filled'),
    ('shapes = {', 'roles = { out = "inot" }\nshapes = {', "there is no `inot`, did you mean `inout`?"),
    ("const float* in, int n)\"", "const char* in, int n)\"\nfill = { in = \"mostly_equal(101)\" }",
     "parameter `in`: 101 % of its elements are equal; say 0 to 100"),
    ('shapes = {', 'fill = { in = "mostly_equal(90)" }\nshapes = {', "`mostly_equal` is for integers"),
    ('shapes = {', 'fill = { in = "mostly_equl(90)" }\nshapes = {', "did you mean `mostly_equal`?"),
    ('shapes = {', 'ulps = { out = 9999 }\nshapes = {', "may be off by 9999 ULPs"),
    ('reference = "first_reference"', "", "the key `reference` is missing; an example: reference = "),
    ('hints = ["Look."]', "hints = []", "`hints`: must not be empty"),
    ("launch = {", "launc = {", "unknown key `launc`, did you mean `launch`?"),
    ('title = "Small"', "", "lab: the key `title` is missing; an example: title = "),
)


def misspelt(key):
    return key[0] + key[2] + key[1] + key[3:] if len(key) > 3 and key[1] != key[2] else key + "q"


def is_case_name(text, key):
    """Whether `key` is the name of a case or a set, which is free."""
    return re.match(r" = \{ (width|height|n|factor)\b", text[key.end() :]) is not None


def is_in_text(text, key):
    """Whether `key` is in a string."""
    return text[text.rfind("\n", 0, key.start()) + 1 : key.start()].count('"') % 2 == 1


class DamagedManifests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.root = pathlib.Path(folder.name)
        (cls.root / "labs").mkdir()
        shutil.copy(ROOT / "labs/gates.toml", cls.root / "labs")
        cls.seen = set()

    def message(self, lab, text):
        """The one message about a lab with this manifest."""
        for folder in (self.root / "labs").iterdir():
            if folder.is_dir():
                shutil.rmtree(folder)
        (self.root / "labs" / lab).mkdir()
        (self.root / "labs" / lab / "grader.toml").write_text(text, encoding="utf-8")
        self.seen.add(text)
        done = subprocess.run(
            [PROGRAM, "list"], env={**os.environ, "WARPGRADE_ROOT": str(self.root)},
            capture_output=True, check=False, text=True,
        )
        self.assertEqual(2, done.returncode, text + done.stdout + done.stderr)
        lines = done.stderr.splitlines()
        self.assertEqual(1, len(lines), done.stderr)
        self.assertRegex(lines[0], r"^warpgrade: labs/(%s/grader|gates)\.toml:[1-9]\d*:[1-9]\d*: ." % lab)
        return lines[0]

    def test_1_cut(self):
        choose = random.Random(1)
        for lab in LABS:
            text = (ROOT / "labs" / lab / "grader.toml").read_text(encoding="utf-8")
            values = list(VALUE.finditer(text))
            for value in choose.sample(values, 14):
                # Within the value, so that its text or its bracket stays open.
                self.assertIn("not valid TOML", self.message(lab, text[: value.start(2)]), value)

    def test_2_misspelt(self):
        choose = random.Random(2)
        for lab in LABS:
            text = (ROOT / "labs" / lab / "grader.toml").read_text(encoding="utf-8")
            keys = [key for key in KEY.finditer(text) if not is_case_name(text, key) and not is_in_text(text, key)]
            for key in choose.sample(keys, 20):
                wrong = misspelt(key[1])
                words = self.message(lab, text[: key.start()] + wrong + text[key.end() :])
                line = text.count("\n", 0, key.start()) + 1
                with self.subTest(lab=lab, key=key[1], line=line, words=words):
                    self.assertTrue(wrong in words or key[1] in words)

    def test_3_of_another_type(self):
        choose = random.Random(3)
        for lab in LABS:
            text = (ROOT / "labs" / lab / "grader.toml").read_text(encoding="utf-8")
            values = [one for one in VALUE.finditer(text) if one[2][-1] not in "[{"]
            for value in choose.sample(values, 12):
                other = "true" if value[2][0] in '"[{' or value[2][0].isdigit() else '"text"'
                words = self.message(lab, text[: value.start(2)] + other + text[value.end(2) :])
                line = text.count("\n", 0, value.start()) + 1
                with self.subTest(lab=lab, key=value[1], words=words):
                    self.assertTrue(f"`{value[1]}`" in words or f"grader.toml:{line}:" in words)

    def test_4_contradictory(self):
        for before, after, expected in CONTRADICTIONS:
            text = LAB + SECOND
            self.assertIn(before, text)
            with self.subTest(after=after):
                self.assertIn(expected, self.message("small", text.replace(before, after, 1)))

    def test_5_there_were_two_hundred(self):
        self.assertGreaterEqual(len(self.seen), 200)


class OtherLabs(unittest.TestCase):
    """A broken manifest concerns its own lab only."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        for lab in ("coalescing", "coarsening", "bank_conflicts"):
            for part in ("labs", "solutions"):
                shutil.copytree(ROOT / part / lab, self.root / part / lab)
        shutil.copy(ROOT / "labs/gates.toml", self.root / "labs")
        for lab in ("coarsening", "bank_conflicts"):
            manifest = self.root / "labs" / lab / "grader.toml"
            manifest.write_text(manifest.read_text().replace("shapes = {", "shaped = {"))

    def run_program(self, code, *arguments):
        done = subprocess.run(
            [PROGRAM, *arguments], env={**os.environ, "WARPGRADE_ROOT": str(self.root)},
            capture_output=True, check=False, text=True,
        )
        self.assertEqual(code, done.returncode, done.stdout + done.stderr)
        return done

    def test_can_be_graded_and_checked(self):
        for name in ("coalescing/copy", "copy"):
            done = self.run_program(1, "grade", name, "--backend", "sim", "--brief")
            self.assertIn("coalescing/copy  0/10", done.stdout)
        self.assertIn("0 findings", self.run_program(0, "check", "coalescing/copy").stdout)
        self.assertIn("lanes 0 and 1", self.run_program(0, "hint", "coalescing/copy").stdout)

    def test_are_listed_before_the_broken_ones_are_named(self):
        done = self.run_program(2, "list")
        self.assertIn("coalescing/copy", done.stdout)
        for lab in ("bank_conflicts", "coarsening"):
            self.assertRegex(done.stderr, rf"labs/{lab}/grader\.toml:\d+:\d+: ")

    def names_both(self, done):
        for lab in ("bank_conflicts", "coarsening"):
            self.assertRegex(done.stderr, rf"labs/{lab}/grader\.toml:\d+:\d+: ")

    def test_are_in_the_overview_and_in_a_new_folder(self):
        done = self.run_program(2)
        self.assertIn("Next: coalescing/copy", done.stdout)
        self.names_both(done)
        course = self.root / "course"
        done = self.run_program(2, "init", course)
        self.names_both(done)
        self.assertTrue((course / "labs/coalescing/copy.cu").is_file())
        self.assertFalse((course / "labs/coarsening").exists())

    def test_can_be_packed(self):
        (self.root / "handouts").mkdir()
        for lab in ("coalescing", "coarsening"):
            (self.root / "handouts" / f"{lab}.md").write_text("# Chapter\n")
        self.names_both(self.run_program(2, "pack", self.root.parent / "whole", "--skip-build"))
        with tempfile.TemporaryDirectory() as folder:
            pack = pathlib.Path(folder, "pack")
            self.run_program(0, "pack", pack, "--labs", "coalescing", "--skip-build")
            self.assertEqual(["coalescing", "gates.toml"], sorted(path.name for path in (pack / "labs").iterdir()))
            self.assertIn("coalescing.md", os.listdir(pack / "handouts"))
            self.assertNotIn("coarsening.md", os.listdir(pack / "handouts"))
            done = self.run_program(2, "pack", f"{folder}/other", "--labs", "coalesing")
            self.assertIn("did you mean `coalescing`?", done.stderr)

    def test_are_graded_in_a_class_that_names_its_exercises(self):
        submissions, book = self.root / "submissions", self.root / "book.sqlite"
        (submissions / "ada/coalescing").mkdir(parents=True)
        shutil.copy(ROOT / "solutions/coalescing/copy.cu", submissions / "ada/coalescing")
        done = self.run_program(2, "class", "run", book, submissions, "--backend", "sim")
        self.names_both(done)
        self.assertIn("name them in class.toml: exercises = [...]", done.stderr)
        (submissions / "class.toml").write_text('exercises = ["coalescing/copy"]\n[deadlines]\ncoalescing = 2099-01-01\n')
        self.run_program(0, "class", "run", book, submissions, "--backend", "sim")
        self.assertIn("Nothing needs you.", self.run_program(0, "class", "status", book).stdout)
        self.run_program(0, "class", "export", book, "--format", "csv", "--out", self.root / "points.csv")
        self.assertRegex((self.root / "points.csv").read_text(), r"(?m)^ada,coalescing,copy,10,10,pass,")
        self.names_both(self.run_program(2, "class", "export", book, "--format", "html", "--out", self.root / "class.html"))
        self.assertIn("ada", (self.root / "class.html").read_text())

    def test_a_command_that_covers_a_broken_one_names_it(self):
        for arguments in (["grade", "--brief"], ["check"], ["grade", "coarsening/reduce_many"], ["check", "coarsening"]):
            done = self.run_program(2, *arguments)
            self.assertRegex(done.stderr, r"labs/coarsening/grader\.toml:\d+:\d+: ")
            self.assertEqual("", done.stdout)


if __name__ == "__main__":
    PROGRAM, ROOT = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
