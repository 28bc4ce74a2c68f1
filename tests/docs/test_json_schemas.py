# SPDX-License-Identifier: Apache-2.0
"""Validates real reports against docs/json, and checks that the schemas reject wrong ones.

Arguments: the program, then the root of the project. Needs the Python package jsonschema, 4.0 or
later; without it the test is skipped (77), but `./warpgrade test` installs it.
"""

import copy
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

try:
    from jsonschema import Draft202012Validator
except ImportError:
    print("the Python package jsonschema with draft 2020-12 is missing; ./warpgrade test installs it")
    sys.exit(77)

TWICE = """__global__ void twice(float* out, const float* in, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = 2.0f * in[i];
}
"""
LAUNCH = "--kernel twice --grid 2 --block 64 --arg out:f32:128 --arg in:f32:128:iota --arg i32:128"
UNSUPPORTED = """__global__ void copy(float* out, const float* in, int width, int height) {
  asm volatile("{.reg .b32 a; mov.b32 a, 1; vavrg4.u32.u32.u32 a, a, a, a;}");
  out[0] = in[0];
}
"""
# Reason -> a wrong solution that must fail for it, and its exercise.
WRONG = {
    "diagnostic": ("coalescing/copy", "copy_past_the_edge.cu"),
    "incorrect": ("coalescing/copy", "copy_off_by_one.cu"),
    "mechanism": ("coalescing/copy", "copy_chunk_per_thread.cu"),
    "performance": ("partition_camping/diagonal", "diagonal_fixed_offset.cu"),
}
# Fails because of uneven rows, so its report has a skew.
UNEVEN = ("sparse/skewed", "skewed_warp_per_row_unrolled.cu")
GPU_GATE = {
    **{"id": "speed", "metric": "fraction_of_copy", "device": "h200", "value": 0.9},
    **{"min": 0.8, "max": None, "points": 2, "passed": True, "low": 0.89, "high": 0.91},
    **{"undecided": False, "waived": False},
    "seconds_copy_kernel_kernel_copy": [[1e-5, 1.1e-5, 1.1e-5, 1e-5]],
}
COUNTED = {
    **{"case": "large", "device": "h200", "counters_missing": "ncu is missing"},
    **{"metrics": {"dram__bytes_read.sum": 4.0}, "simulated_metrics": {"dram__bytes_read.sum": 4.0}},
}
DIFFERENCE = {
    **{"case": "wide", "variables": {"height": 1, "width": 9}, "element": "out[0][3]"},
    **{"indices": [0, 3], "expected": "1", "got": "2", "cause": ""},
}


def schema(name):
    return json.loads((ROOT / f"docs/json/warpgrade.{name}.schema.json").read_text())


class Schemas(unittest.TestCase):
    def test_are_schemas(self):
        for file in sorted((ROOT / "docs/json").glob("*.json")):
            with self.subTest(file=file.name):
                Draft202012Validator.check_schema(json.loads(file.read_text()))

    def test_close_every_object(self):
        """Every object with named properties forbids others."""

        def visit(node, path):
            if isinstance(node, list):
                for index, item in enumerate(node):
                    visit(item, f"{path}/{index}")
            if not isinstance(node, dict):
                return
            if node.get("type") == "object":
                self.assertIn("additionalProperties", node, path)
            for key, item in node.items():
                visit(item, f"{path}/{key}")

        for name in ("grade", "profile", "profiles", "card", "devices", "symbols", "kernel", "verify"):
            visit(schema(name), name)

    def test_have_the_same_definitions(self):
        definitions = [schema(name)["$defs"] for name in ("grade", "profile", "card", "devices", "symbols", "kernel", "verify")]
        for name in {name for one in definitions for name in one}:
            found = [one[name] for one in definitions if name in one]
            self.assertEqual([found[0]] * len(found), found, name)

    def test_list_the_kinds_of_diagnostics_of_the_program(self):
        source = (ROOT / "common/base/diagnostic.cpp").read_text()
        names = source.split("name(DiagnosticKind kind)")[1].split("\n}\n")[0]
        expected = set(re.findall(r'return "(\w+)";', names))
        kinds = schema("grade")["$defs"]["diagnostic"]["properties"]["kind"]["enum"]
        self.assertEqual(expected, set(kinds))
        sarif = (ROOT / "grader/report/formats/annotations.cpp").read_text()
        self.assertEqual(set(), expected - set(re.findall(r'^    \{"(\w+)", "', sarif, re.MULTILINE)))


class Reports(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def expect_valid(self, name, report):
        errors = Draft202012Validator(schema(name)).iter_errors(report)
        self.assertEqual([], [f"{error.json_path}: {error.message}" for error in errors])

    def expect_invalid(self, name, report, what):
        self.assertFalse(Draft202012Validator(schema(name)).is_valid(report), what)

    def run_program(self, *arguments, **more):
        """Runs a command with --json; returns the report, which must be valid, and the exit code."""
        report = self.folder / "report.json"
        done = subprocess.run(
            [PROGRAM, *map(str, arguments), "--json", report],
            cwd=self.folder,
            env={**os.environ, "WARPGRADE_ROOT": str(ROOT), **more},
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        self.assertTrue(report.is_file(), done.stdout + done.stderr)
        made = json.loads(report.read_text())
        self.expect_valid(arguments[0], made)
        return made, done.returncode

    def write(self, name, content):
        path = self.folder / name
        path.write_text(content)
        return path

    def test_verify(self):
        """Each verdict: with counters, with an element, with a diagnostic, with a reason."""
        old = self.write("old.cu", TWICE.replace("out[i]", "if (i < n) out[i]"))
        launch = ("--grid", "ceil_div(n, 64)", "--block", "64", "--arg", "out:f32:n", "--arg", "in:f32:n")
        launch += ("--arg", "i32:n", "--cases", "8")
        for number, code, change in [
            ("1..99", 0, ("2.0f *", "2.0f * 1.0f *")),
            ("1..99", 1, ("2.0f *", "(n > 9 ? 3.0f : 2.0f) *")),
            ("1..99", 1, ("i < n", "i <= n")),
            ("1..99", 1, ("int i", "integer i")),
            ("1..2000000000", 3, ("", "")),
        ]:
            new = self.write("new.cu", old.read_text().replace(*change))
            words = ("verify", new, "--against", old, "--size", f"n={number}", *launch)
            self.assertEqual(code, self.run_program(*words)[1])

    def test_devices(self):
        for name in ("k40", "c1060"):
            made, code = self.run_program("devices", name)
            self.assertEqual((0, [name]), (code, [one["name"] for one in made["devices"]]))
        made, _ = self.run_program("devices")
        self.assertGreater(len(made["devices"]), 15)
        self.assertEqual([None], [one["l2_bytes"] for one in made["devices"] if one["name"] == "c1060"])

    def test_symbols(self):
        file = self.write("k.cu", "__constant__ float w[2] = {1, 2};\n__device__ int n;\n"
                                  "__global__ void k(float* x) { *x = w[n]; }\n")
        listed = self.folder / "symbols.json"
        subprocess.run([PROGRAM, "profile", file, "--list-symbols", listed], check=True)
        made = json.loads(listed.read_text())
        self.expect_valid("symbols", made)
        self.assertEqual([("w", "constant", 8), ("n", "global", 4)],
                         [(one["name"], one["space"], one["bytes"]) for one in made["symbols"]])
        self.assertEqual("0000803f00000040", made["symbols"][0]["initial"])

    def grade(self, exercise, file, *options):
        """The one exercise of the report on `file`."""
        report, _ = self.run_program(
            "grade", exercise, "--backend", "sim", "--file", file, *options
        )
        (graded,) = report["exercises"]
        return graded

    # Grades

    def test_of_skeletons_and_solutions_are_valid(self):
        exercises = ("coalescing", "bank_conflicts/predict", "coarsening/transpose_coarsened")
        report, code = self.run_program("grade", *exercises, "--backend", "sim")
        self.assertEqual((1, 4), (code, len(report["exercises"])))
        report, code = self.run_program("grade", *exercises, "--backend", "sim", "--solutions")
        self.assertEqual((0, {"pass"}), (code, {one["verdict"] for one in report["exercises"]}))

    def test_of_every_reason_to_fail_are_valid(self):
        for reason, (exercise, name) in WRONG.items():
            file = ROOT / "solutions" / exercise.split("/")[0] / "wrong" / name
            with self.subTest(reason=reason):
                graded = self.grade(exercise, file)
                self.assertEqual(reason, graded["reason"])
                self.assertEqual(reason == "incorrect", graded["difference"] is not None)
        graded = self.grade(UNEVEN[0], ROOT / "solutions/sparse/wrong" / UNEVEN[1])
        self.assertEqual(["imbalance"], [one["skew"]["kind"] for one in graded["skews"]])
        broken = self.write("broken.cu", "__global__ void copy(\n")
        self.assertEqual("compile", self.grade("coalescing/copy", broken)["reason"])

    def test_of_wrong_answers_are_valid(self):
        folder = ROOT / "solutions/bank_conflicts/wrong"
        for file in (folder / "predict_one_short.toml", self.write("predict.toml", "[")):
            graded = self.grade("bank_conflicts/predict", file)
            self.assertIn(graded["reason"], ("incorrect", "compile"))

    def test_that_the_tool_could_not_make_are_valid(self):
        lacking = self.write("lacking.cu", UNSUPPORTED)
        graded = self.grade("coalescing/copy", lacking, "--device", "h200")
        self.assertEqual("tool", graded["reason"])
        report, code = self.run_program(
            *("grade", "coalescing/copy", "--backend", "sim"),
            WARPGRADE_CUDA_HOME="/nonexistent",
        )
        self.assertEqual((3, None), (code, report["toolkit"]))

    # Profiles

    def test_of_profiles_are_valid(self):
        file = self.write("twice.cu", TWICE)
        report, code = self.run_program("profile", file, *LAUNCH.split())
        self.assertEqual((0, []), (code, report["diagnostics"]))
        self.assertLess(0, len(report["lines"]))
        for content, launch in (
            (TWICE, LAUNCH.replace("out:f32:128", "out:f32:64")),
            (TWICE, LAUNCH.replace("--kernel twice", "--kernel thrice")),
            (TWICE.replace(";", "", 1), LAUNCH),
            (UNSUPPORTED.replace("copy(", "twice("), LAUNCH + " --arg i32:1"),
        ):
            with self.subTest(content=content, launch=launch):
                report, code = self.run_program(
                    "profile", self.write("wrong.cu", content), *launch.split()
                )
                self.assertNotEqual((0, []), (code, report["diagnostics"]))

    def test_of_profiles_have_the_texts_of_the_terminal(self):
        file = self.write("twice.cu", TWICE.replace("{", '{ if (threadIdx.x == 0) printf("x\\n");', 1))
        report, _ = self.run_program("profile", file, *LAUNCH.split())
        self.assertIn("x\n", report["printed"])
        self.assertNotIn("diagnostics_text", report)
        short = LAUNCH.replace("out:f32:128", "out:f32:64")
        report, _ = self.run_program("profile", file, *short.split())
        self.assertRegex(report["diagnostics_text"], r"twice\.cu:\d+:\d+: out_of_bounds: .*\n.*\| .*\n *\| +\^\n")

    def test_of_several_profiles_are_valid(self):
        file = self.write("twice.cu", TWICE)
        listing = schema("profiles")
        self.assertEqual({"$ref": schema("profile")["$id"]}, listing["properties"]["profiles"].pop("items"))

        def profiles(*arguments):
            path = self.folder / "profiles.json"
            subprocess.run([PROGRAM, "profile", file, *arguments, "--json", path], check=True, stdout=subprocess.DEVNULL)
            made = json.loads(path.read_text())
            self.assertEqual([], [error.message for error in Draft202012Validator(listing).iter_errors(made)])
            for one in made["profiles"]:
                self.expect_valid("profile", one)
            return [one["device"] for one in made["profiles"]], [one["device"] for one in made["refusals"]]

        # A block of a G80 has at most 512 threads.
        large = LAUNCH.replace("--grid 2 --block 64", "--grid 1 --block 1024").replace("f32:128", "f32:1024")
        self.assertEqual((["h200", "t4"], []), profiles(*LAUNCH.split(), "--device", "h200,t4"))
        self.assertEqual((["h200"], ["g80"]), profiles(*large.split(), "--device", "g80,h200"))
        self.assertEqual((["h200", "h200"], []), profiles(file, *LAUNCH.split()))

    def test_of_kernels_are_valid(self):
        file = self.write("k.cu", "struct P { int n; double x; };\ntypedef float real;\n"
                                  "extern \"C\" __global__ void __launch_bounds__(128) k(const P* p, real y, P q) {\n"
                                  "  __shared__ int s[8];\n  s[p->n & 7] = y + q.n;\n  q.x = s[0];\n}\n")
        path = self.folder / "kernel.json"
        subprocess.run([PROGRAM, "profile", file, "--kernel", "k", "--list-kernel", path], check=True)
        report = json.loads(path.read_text())
        self.expect_valid("kernel", report)
        self.assertEqual([("p", 8, "integer or address", "P const*", 16), ("y", 4, "float", "float", 0),
                          ("q", 16, "structure", "P", 0)], [tuple(one.values()) for one in report["parameters"]])
        self.assertEqual(128, report["most_threads_per_block"])
        self.expect_invalid("kernel", {**report, "kernel": ""}, "no name")

    # Calibrations

    def test_of_calibrations_are_valid(self):
        golden = ROOT / "tests/evidence/golden/h200_grades/card.json"
        self.expect_valid("card", json.loads(golden.read_text()))

    # Invalid reports

    def test_that_are_wrong_are_refused(self):
        right, _ = self.run_program(
            *("grade", "coalescing/copy", "--backend", "sim", "--solutions", "--device", "k40")
        )

        def changed(path, value, report=right):
            out = copy.deepcopy(report)
            node = out
            for key in path[:-1]:
                node = node[key]
            if value is None:
                del node[path[-1]]
            else:
                node[path[-1]] = value
            return out

        one = ("exercises", 0)
        gate = (*one, "gates", 0)
        for path, value in (
            (("schema",), "warpgrade.grade/2"),
            (("more",), 1),
            (("time",), "2026-11-22 14:20"),
            (("toolkit",), "CUDA"),
            (("grader", "commit"), None),
            (("grader", "commit"), "main"),
            (("backend",), "auto"),
            ((*one, "verdict"), "passed"),
            ((*one, "verdict"), "fail"),
            ((*one, "reason"), "tool"),
            ((*one, "correct"), False),
            ((*one, "points"), -1),
            ((*one, "points"), 0.5),
            ((*one, "gates"), None),
            ((*one, "sha256"), "0" * 63),
            ((*one, "next"), None),
            ((*one, "difference"), {}),
            ((*one, "difference"), {**DIFFERENCE, "indices": "0"}),
            ((*one, "hint"), ""),
            ((*gate, "passed"), 1),
            ((*gate, "value"), "nan"),
            ((*gate, "low"), 0.5),
            ((*one, "diagnostics"), [{"kind": "trap"}]),
        ):
            with self.subTest(path=path, value=value):
                self.expect_invalid("grade", changed(path, value), path)
        # Keys that only a GPU's reports have, or only reports on a submission.
        for path, value in (
            (gate, GPU_GATE),
            ((*one, "counters"), [COUNTED]),
            ((*one, "sha256"), "0" * 64),
            ((*one, "difference"), DIFFERENCE),
            ((*one, "hint"), "hint 1 of 2: Which index?"),
            ((*one, "warnings"), ["The card is noisy."]),
        ):
            with self.subTest(path=path):
                self.expect_valid("grade", changed(path, value))


if __name__ == "__main__":
    PROGRAM, ROOT = (pathlib.Path(path).resolve() for path in sys.argv[1:3])
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
