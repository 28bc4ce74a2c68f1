# SPDX-License-Identifier: Apache-2.0
"""Checks the table of launches against its kernels, the halves, and the scripts on small data."""

import json
import pathlib
import re
import subprocess
import sys
import tempfile
import tomllib
import types
import unittest

import bands
import compare
import launches
import measure

PROFILES = launches.ROOT / "common/device/profiles"
KERNEL = r"__global__ void (?:__launch_bounds__\([^)]*\) )?{}\(([^)]*)\)"
SPEC = re.compile(
    r"(?:(?:i32|u32|i64|u64):-?[0-9]+|(?:f32|f64):-?[0-9.]+"
    r"|in:[iuf][0-9]+:[0-9]+:(?:zeros|iota|random:[0-9]+)|out:[iuf][0-9]+:[0-9]+)"
)
MOST_BYTES = 8 << 30  # kMostBufferBytes of grader/profile/arguments.h
MOST_SHARED = 227 << 10  # The most for a block on an H200.
PROGRAM = """#!/bin/sh
here=$(dirname "$0")
echo "$@" >> $here/calls
while [ $# -gt 0 ]; do [ "$1" = --json ] && json=$2; shift; done
cp $here/report.json $json
"""


def parameters(launch):
    """The kernel's parameters in its file."""
    text = launch.path.read_text(encoding="utf-8")
    found = re.search(KERNEL.format(re.escape(launch.kernel.split("<")[0])), text)
    return None if found is None else found[1].split(",")


class Table(unittest.TestCase):
    def setUp(self):
        self.launches = launches.read()

    def each(self):
        for launch in self.launches:
            with self.subTest(launch.name):
                yield launch

    def test_has_at_least_200_launches_of_different_names(self):
        names = [launch.name for launch in self.launches]
        self.assertLessEqual(200, len(names))
        self.assertEqual(len(names), len(set(names)))
        for name in names:
            self.assertRegex(name, r"^[a-z0-9_]+$")

    def test_no_launch_is_there_twice(self):
        seen = {(one.path, one.kernel, one.grid, one.block, one.shared_bytes, one.arguments)
                for one in self.launches}
        self.assertEqual(len(self.launches), len(seen))

    def test_kernels_are_in_their_files_and_take_the_arguments(self):
        for launch in self.each():
            self.assertTrue(launch.path.is_file(), launch.path)
            expected = parameters(launch)
            self.assertIsNotNone(expected, launch.kernel)
            self.assertEqual(len(expected), len(launch.arguments))
            for parameter, argument in zip(expected, launch.arguments):
                self.assertEqual("*" in parameter, argument.role != "value", parameter)
                if argument.role != "value":
                    self.assertEqual("const " in parameter, argument.role == "in", parameter)

    def test_every_kernel_of_the_folder_is_launched(self):
        launched = {(one.path, one.kernel.split("<")[0]) for one in self.launches}
        kernel = re.compile(KERNEL.format(r"(\w+)").removesuffix(r"([^)]*)\)"))
        there = {(path, name) for path in (launches.FOLDER / "kernels").glob("*.cu")
                 for name in kernel.findall(path.read_text())}
        self.assertEqual(set(), there - launched)

    def test_arguments_are_what_profile_takes(self):
        for launch in self.each():
            for argument in launch.arguments:
                self.assertIsNotNone(SPEC.fullmatch(argument.text), argument.text)
            self.assertLessEqual(launch.bytes, MOST_BYTES)

    def test_grids_and_blocks_are_what_a_card_takes(self):
        for launch in self.each():
            threads = 1
            for extent in launch.block:
                threads *= extent
            self.assertIn(threads, range(1, 1025))
            self.assertIn(len(launch.grid), (1, 2, 3))
            self.assertTrue(all(0 < extent <= most for extent, most in
                                zip(launch.grid, ((1 << 31) - 1, 65535, 65535))))
            self.assertIn(launch.shared_bytes, range(MOST_SHARED + 1))

    def test_sizes_reach_from_the_l2_to_8_gb(self):
        sizes = [launch.bytes for launch in self.launches if launch.bytes > 1 << 20]
        self.assertLess(min(sizes), 4 << 20)
        self.assertEqual(MOST_BYTES, max(sizes))


class Halves(unittest.TestCase):
    def test_follow_from_the_lowest_bit_of_the_names_sha256(self):
        # printf a | sha256sum ends in bb, printf b in 9d, "" in 55, d in e4.
        self.assertEqual("held", launches.half("a"))
        self.assertEqual("held", launches.half("b"))
        self.assertEqual("held", launches.half(""))
        self.assertEqual("fit", launches.half("d"))

    def test_have_about_as_many_launches(self):
        every = launches.read()
        held = sum(launch.half == "held" for launch in every)
        self.assertIn(held, range(2 * len(every) // 5, 3 * len(every) // 5))


class Measured(unittest.TestCase):
    def test_rows_are_launches_of_the_table(self):
        head, rows = launches.read_measured()
        if not rows:
            self.skipTest("nothing is measured yet")
        self.assertTrue(any("H200" in line and re.search(r"driver [0-9.]+", line) for line in head), head)
        names = {launch.name for launch in launches.read()}
        for name, row in rows.items():
            with self.subTest(name):
                self.assertIn(name, names)
                self.assertLess(0, float(row["seconds"]))

    def test_an_interval_holds_the_median(self):
        self.assertEqual((2, 10), launches.interval(range(1, 12)))
        self.assertEqual((5, 5), launches.interval([5]))
        self.assertEqual((87, 115), launches.interval(range(201, 0, -1)))


class Bands(unittest.TestCase):
    def test_a_profile_publishes_the_errors_of_its_launches(self):
        for card in bands.CARDS:
            profile = tomllib.loads((PROFILES / f"{card}.toml").read_text(encoding="utf-8"))
            found = bands.bands(card)
            errors = profile["speed_errors"] | {"all": profile["speed_error"]}
            self.assertEqual({kind: error for kind, (error, _, _) in found.items()},
                             {kind: round(100 * error, 6) for kind, error in errors.items()}, card)
            self.assertEqual({kind: margin for kind, (_, margin, _) in found.items() if kind != "all"},
                             {kind: round(100 * margin, 6) for kind, margin in profile["speed_margins"].items()}, card)

    def test_every_launch_that_was_measured_has_a_prediction_or_was_too_much(self):
        for card in bands.CARDS:
            _, measured = launches.read_measured(launches.FOLDER / f"{card}.csv")
            predicted = bands.predictions(card)
            for name in measured.keys() & {one.name for one in launches.read(launches.TABLE)}:
                self.assertTrue(predicted[name]["seconds"] or predicted[name]["why_not"].startswith(compare.TOO_MUCH))


class Scripts(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.program = self.folder / "program"
        self.program.write_text(PROGRAM)
        self.program.chmod(0o755)
        self.report(2.5e-5)

    def report(self, seconds, *diagnostics):
        (self.folder / "report.json").write_text(json.dumps({
            "device": "h200", "time": {"seconds": seconds, "bound_by": "dram"},
            "diagnostics": list(diagnostics),
        }))

    def run_script(self, name, *arguments):
        done = subprocess.run(
            [sys.executable, "-B", launches.FOLDER / name, "--program", self.program, *arguments],
            capture_output=True, text=True, check=False,
        )
        return done.returncode, done.stdout + done.stderr

    def calls(self):
        file = self.folder / "calls"
        return file.read_text().splitlines() if file.exists() else []

    def test_a_command_says_all_of_a_launch(self):
        launch = launches.Launch("a", "k", "labs/a.cu", "sum<4>", (3, 2), (32, 8, 1), 64,
                                 (launches.Argument("out:f32:8"), launches.Argument("i32:-1")))
        command = launch.profile_command("p", "--json", "x")
        self.assertEqual(
            ["p", "profile", str(launches.ROOT / "labs/a.cu"), "--kernel", "sum<4>", "--grid", "3,2",
             "--block", "32,8,1", "--shared", "64", "--arg", "out:f32:8", "--arg", "i32:-1", "--json", "x"],
            command)

    def test_what_was_measured_is_kept_and_gone_on_with(self):
        out = self.folder / "out.csv"
        code, output = self.run_script("measure.py", "--out", out, "copy_fill")
        self.assertEqual(0, code, output)
        self.report(5e-5)
        code, output = self.run_script("measure.py", "--out", out, "--missing", "copy_fill", "copy_saxpy")
        self.assertEqual(0, code, output)
        head, rows = launches.read_measured(out)
        self.assertEqual({"copy_fill": "2.5e-05", "copy_saxpy": "5e-05"},
                         {name: row["seconds"] for name, row in rows.items()})
        self.assertEqual(2, len(head))  # The meaning of the columns; the device, once.
        self.assertEqual(2, len(self.calls()))
        self.assertIn("--backend gpu", self.calls()[0])

    def test_a_launch_that_fails_leaves_the_others(self):
        self.report(1, {"kind": "out_of_bounds", "message": "no"})
        code, output = self.run_script("measure.py", "--out", self.folder / "out.csv", "copy_fill")
        self.assertEqual(1, code)
        self.assertIn("copy_fill: FAIL: out_of_bounds: no", output)

    def test_after_its_seconds_no_further_launch_is_begun(self):
        code, output = self.run_script(
            "measure.py", "--out", self.folder / "out.csv", "--seconds", "-1", "copy_*")
        self.assertEqual(1, code)
        self.assertEqual([], self.calls())

    def test_names_are_patterns_and_must_be_there(self):
        names = [launch.name for launch in measure.chosen(["copy_f*", "copy_saxpy"], [])]
        self.assertEqual(["copy_fill", "copy_saxpy"], names)
        self.assertEqual(["copy_fill"], [one.name for one in measure.chosen(["copy_f*"], ["copy_s*"])])
        with self.assertRaises(SystemExit):
            measure.chosen(["copy_nothing"], [])

    def predictor(self, answer):
        """Makes the program answer every prediction with `answer`."""
        self.program.write_text(f"#!/bin/sh\ncat >/dev/null\nprintf '{answer}\\n'\n")

    def test_predictions_are_kept(self):
        self.predictor("copy_fill\\t2.5e-05\\tdram\\tdram=2e-05\\t1000\\t2000\\t\\t0.1")
        file = self.folder / "predictions.csv"
        for _ in range(2):
            code, output = self.run_script(
                "compare.py", "--predictions", file, "--missing", "copy_fill")
            self.assertEqual(0, code, output)
            self.predictor("copy_fill\\t5e-05\\tl2\\t\\t0\\t0\\t\\t0.1")  # it is not predicted again
        self.assertIn("copy_fill,2.5e-05,dram,1000,2000,", file.read_text())

    def test_what_is_too_much_is_named_and_no_failure(self):
        self.predictor("copy_fill\\t\\ttoo much: no end\\t0.1")
        code, output = self.run_script("compare.py", "copy_fill")
        self.assertEqual(0, code, output)
        self.assertIn("copy_fill: not predicted: too much: no end", output)
        self.predictor("copy_fill\\t\\tout of bounds\\t0.1")
        self.assertEqual(1, self.run_script("compare.py", "copy_fill")[0])


def corpus(**kinds):
    return [types.SimpleNamespace(name=name, kind=kind, half="fit" if name < "c" else "held")
            for name, kind in kinds.items()]


class Comparison(unittest.TestCase):
    def test_a_summary_is_of_magnitudes_and_keeps_the_worsts_sign(self):
        mean, most, worst = compare.summary([0.1, -0.3, 0.2])
        self.assertAlmostEqual(0.2, mean)
        self.assertEqual((0.3, -0.3), (most, worst))

    def test_95_percent_do_not_pass_the_percentile(self):
        self.assertEqual(95, compare.percentile_95(range(1, 101)))
        self.assertEqual(19, compare.percentile_95(range(1, 21)))

    def test_the_order_counts_where_values_differ_by_over_10_percent(self):
        measured = {"a": 1.0, "b": 1.05, "c": 2.0}
        self.assertEqual(([("c", "b")], 2), compare.wrong_pairs(measured, {"a": 1, "b": 3, "c": 2}))
        self.assertEqual(([], 2), compare.wrong_pairs(measured, {"a": 2, "b": 1, "c": 3}))

    def test_tables_have_each_kind_and_half(self):
        every = corpus(a="copy", b="copy", c="scan", d="scan")
        measured = {"a": 1.0, "b": 2.0, "c": 1.0}
        predicted = {"a": 1.1, "b": 1.0, "c": 2.0, "d": 1}
        text = "\n".join(compare.tables(every, measured, predicted))
        lines = {line.split()[0]: line.split() for line in text.splitlines() if line}
        self.assertEqual("copy 2 30.0% 50.0% -50.0% 0 2 30.0% 50.0% -50.0%".split(), lines["copy"])
        self.assertEqual("scan 0 1 100.0% 100.0% +100.0% 1 100.0% 100.0% +100.0%".split(), lines["scan"])
        self.assertIn("copy: b is 2.00 times a, predicted 0.91", text)
        self.assertIn("all: 1 of 1 pairs are in the wrong order", text)

    def test_a_prediction_without_a_measured_value_is_left_out(self):
        every = corpus(a="copy")
        text = "\n".join(compare.tables(every, {}, {"a": 1.0}))
        self.assertNotIn("%  a:", text)


if __name__ == "__main__":
    unittest.main()
