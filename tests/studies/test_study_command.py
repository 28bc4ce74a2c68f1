# SPDX-License-Identifier: Apache-2.0
"""`warpgrade study` from the outside: tables, CSV, SVG, and messages about bad input.

Arguments: the program, then the root of the project. The studies run here are small ones, written
into a temporary folder; figures are drawn if gnuplot is installed.
"""

import csv
import os
import pathlib
import re
import shutil
import sys
import xml.etree.ElementTree

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from program_case import ROOT, ProgramCase, main

KERNEL = """__global__ void copy(float* out, const float* in, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i];
}
"""
STUDY = """title = "A 'quoted' & <small> study"
summary = "For tests."
devices = ["c1060", "h200"]

[[part]]
id = "copies"
title = "Copies"
axis = "n"
axis_label = "elements"
axis_values = [1024, 2048]
show = "bandwidth"
show_label = "GB/s"
bytes = "8 * n"
file = "copy.cu"
grid = ["ceil_div(n, 256)"]
block = [256]
parameters = "float* out, const float* in, int n"
shapes = { out = "n", in = "n" }
fill = { in = "iota" }

[[part.kernel]]
id = "copy"
label = "the copy"
kernel = "copy"
"""
PICTURE = """
[[picture]]
title = "N = 64"
device = "c1060"
rows = 64
columns = 64
element_bytes = 8
tile = 32
tile_row = "by"
tile_column = "bx"
"""


class Studies(ProgramCase):
    def setUp(self):
        super().setUp()
        self.write("copy.cu", KERNEL)

    def study(self, content, *options, **environment):
        self.write("small.toml", content)
        return self.run_program("study", "small.toml", *options, **environment)

    def changed(self, before, after):
        self.assertIn(before, STUDY)
        return STUDY.replace(before, after, 1)

    # Results

    def test_a_table_for_each_device_and_a_line_of_csv_for_each_run(self):
        done = self.study(STUDY, "--csv", "out.csv")
        self.expect(0, done, "study (simulated)", "Copies, c1060: GB/s", "Copies, h200: GB/s")
        self.assertEqual("", done.stderr, "progress is for terminals")
        with (self.folder / "out.csv").open(newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(
            [("c1060", "1024"), ("c1060", "2048"), ("h200", "1024"), ("h200", "2048")],
            [(row["device"], row["axis_value"]) for row in rows],
        )
        for row in rows:
            bandwidth = float(row["bytes"]) / float(row["seconds"]) / 1e9
            self.assertAlmostEqual(bandwidth, float(row["shown"]), places=6)

    def test_one_device(self):
        done = self.study(STUDY, "--device", "k40")
        self.expect(0, done, "Copies, k40")
        self.assertNotIn("h200", done.stdout)

    def test_the_same_study_gives_the_same_bytes(self):
        first = self.study(STUDY, "--csv", "a.csv")
        second = self.study(STUDY, "--csv", "b.csv")
        self.assertEqual(first.stdout, second.stdout)
        self.assertEqual(*[(self.folder / name).read_bytes() for name in ("a.csv", "b.csv")])

    def test_a_shipped_study_by_name(self):
        done = self.run_program("study", "banks", "--device", "k40")
        self.expect(0, done, "k40 8-byte", "66 counts are what the rule of the banks gives")

    def test_shipped_studies_need_no_file_of_another_folder(self):
        # The wheel has the folder of studies alone.
        studies = ROOT / "studies"
        for study in studies.glob("*.toml"):
            for file in re.findall(r'^\s*file = "(.*)"$', study.read_text(), re.M):
                path = (studies / file).resolve()
                self.assertTrue(path.is_file() and path.is_relative_to(studies), f"{study.name}: {file}")

    # Figures

    def draw(self, content):
        if shutil.which("gnuplot") is None:
            self.skipTest("gnuplot is not installed")
        self.expect(0, self.study(content, "--svg", "a.svg"))
        self.expect(0, self.study(content, "--svg", "b.svg"))
        first, second = [(self.folder / name).read_bytes() for name in ("a.svg", "b.svg")]
        self.assertEqual(first, second)
        return "".join(xml.etree.ElementTree.fromstring(first).itertext())

    def test_a_figure_is_an_svg_with_labels_and_legend(self):
        text = self.draw(STUDY + PICTURE)
        for label in ("A 'quoted' & <small> study", "Copies, c1060", "elements", "GB/s", "the copy"):
            self.assertIn(label, text)
        self.assertIn("N = 64", text)

    def test_bars_where_the_axis_has_one_value(self):
        text = self.draw(self.changed("[1024, 2048]", "[1024]"))
        for label in ("the copy", "GB/s", "modelled"):
            self.assertIn(label, text)

    def test_without_gnuplot_it_is_said_how_to_install_it(self):
        done = self.study(STUDY, "--svg", "a.svg", PATH=str(self.folder))
        self.expect(3, done, "Copies, c1060", "sudo apt-get install gnuplot-nox")
        self.assertFalse((self.folder / "a.svg").exists())

    def test_a_gnuplot_that_fails(self):
        gnuplot = self.folder / "gnuplot"
        gnuplot.write_text("#!/bin/sh\nexit 7\n")
        gnuplot.chmod(0o755)
        done = self.study(STUDY, "--svg", "a.svg", PATH=f"{self.folder}:{os.environ['PATH']}")
        self.expect(3, done, "Copies, c1060", "could not draw the figure (exit code 7)")

    # Errors

    def test_broken_studies(self):
        for content, text in (
            (self.changed("title", "titel"), "small.toml:1:1: study: unknown key `titel`"),
            (self.changed("axis_values = ", "axis_vlaues = "), "did you mean `axis_values`?"),
            (self.changed('"n"\naxis_label', '"m"\naxis_label'), "unknown variable `n`"),
            (self.changed("copy.cu", "none.cu"), "none.cu"),
            ("title = ", "small.toml:1:"),
            (self.changed('int n"', 'long long n"'), "kernel `copy`: parameter 2 of kernel"),
            (self.changed('["ceil_div(n, 256)"]', "[2000000000]"), "2^27 is the most"),
            (STUDY + PICTURE.replace('"by"', '"by + 1"'), "there are 2 x 2 tiles"),
        ):
            with self.subTest(text=text):
                self.expect(2, self.study(content, "--svg", "a.svg"), text)

    def test_wrong_usage(self):
        self.expect(2, self.run_program("study", "bank"), "unknown study `bank`, did you mean `banks`?")
        self.expect(2, self.run_program("study", "none.toml"), "none.toml: cannot be read")
        self.expect(2, self.run_program("study", "banks", "--device", "h20"), "unknown device 'h20'")
        self.expect(2, self.run_program("study"))

    def test_a_kernel_that_fails(self):
        self.write("copy.cu", KERNEL.replace("out[i]", "out[i + 1]"))
        done = self.study(STUDY)
        self.expect(1, done, "kernel `copy`: copy.cu:3:", "out_of_bounds", "failed")
        self.write("copy.cu", KERNEL.replace("float* out", "floot* out"))
        self.expect(1, self.study(STUDY), "compile_error", "copy.cu:1:")
        self.write("copy.cu", KERNEL)
        self.expect(1, self.study(self.changed('kernel = "copy"', 'kernel = "cpoy"')), "cpoy")

    def test_files_that_cannot_be_written(self):
        for option in ("--csv", "--svg"):
            if option == "--svg" and shutil.which("gnuplot") is None:
                continue
            for path, reason in (
                ("/dev/full", "No space left on device"),
                (self.folder / "none" / "out", "No such file or directory"),
            ):
                with self.subTest(option=option, path=path):
                    done = self.study(STUDY, option, path)
                    self.expect(3, done, "Copies, h200", f"{path}: cannot be written: {reason}")


if __name__ == "__main__":
    main()
