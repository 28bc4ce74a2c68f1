# SPDX-License-Identifier: Apache-2.0
"""`%load_ext warpgrade`, `%%grade` and `%%profile` in a real IPython shell.

Arguments: the program, then the root of the project. Skipped (77) if IPython is missing.
"""

import contextlib
import io
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

from package import ROOT, main, need

need("IPython")
from IPython.core.interactiveshell import InteractiveShell  # noqa: E402

SOLUTION = (ROOT / "solutions/coalescing/copy.cu").read_text()
SCALE = """
__global__ void scale(float* x, float factor, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= factor;
}
"""


class MagicsInAShell(unittest.TestCase):
    def setUp(self):
        self.shell = InteractiveShell.instance()
        self.shell.run_line_magic("load_ext", "warpgrade")
        self.shell.run_cell("import numpy as np\nn = 100\nx = np.arange(n, dtype=np.float32)")

    def tearDown(self):
        InteractiveShell.clear_instance()

    def cell(self, text):
        """Runs a cell; returns its result and its output."""
        shown = io.StringIO()
        with contextlib.redirect_stdout(shown):
            done = self.shell.run_cell(text)
        return done, shown.getvalue()

    def test_profile_on_variables(self):
        head = "%%profile scale --grid 1 --block 128 --arg x --arg np.float32(2) --arg n\n"
        run = self.cell(head + SCALE)[0].result
        self.assertEqual("h200", run.device)
        self.assertEqual([0, 2, 198], [self.shell.user_ns["x"][i] for i in (0, 1, 99)])
        again = self.cell(head.replace("--grid", "--device k40 --grid") + SCALE)[0].result
        self.assertEqual("k40", again.device)
        self.assertIs(run, again.previous)
        self.assertIn("before: ", again._repr_html_())
        self.assertEqual([run, again], self.shell.ev("history('scale')"))

    def test_profile_passes_options(self):
        head = "%%profile fill --grid 1 --block 100 --arg x -D VALUE=3 --option=--use_fast_math\n"
        self.cell(head + "__global__ void fill(float* x) { x[threadIdx.x] = VALUE; }\n")
        self.assertEqual([3] * 100, list(self.shell.user_ns["x"]))

    def test_profile_on_specs(self):
        head = "%%profile scale --grid 1 --block 128 --arg inout:f32:100:iota --arg f32:3 --arg n\n"
        run = self.cell(head + SCALE)[0].result
        self.assertEqual(4, run.metrics["l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"])

    def test_grade_keeps_history(self):
        first = self.cell("%%grade coalescing/copy --backend sim\n" + (ROOT / "labs/coalescing/copy.cu").read_text())
        second = self.cell("%%grade copy --backend sim\n" + SOLUTION)
        self.assertEqual([0, 10], [done.result.points for done, _ in (first, second)])
        self.assertIs(first[0].result, second[0].result.previous)
        self.assertIn("before: 0 of 10 points; now: 10", second[0].result._repr_html_())

    def test_watch_grades_each_saved_version(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "copy.cu")
            path.write_text((ROOT / "labs/coalescing/copy.cu").read_text())
            saved = []

            def save():
                saved.append(path.write_text(SOLUTION))

            with unittest.mock.patch("warpgrade.magics._pause", save):
                self.cell(f"%watch coalescing/copy {path} --backend sim")
            self.assertEqual(1, len(saved))  # the second version passes, which ends it
            found = self.shell.ev("history('coalescing/copy')")
            self.assertEqual([0, 10], [one.points for one in found])
            done, _ = self.cell(f"%watch coalescing/copy {folder}/missing.cu")
            self.assertIn("no such file", str(done.error_in_exec))

    def test_a_fault_is_shown_as_the_report(self):
        done, shown = self.cell("%%profile scale --grid 1 --block 128 --arg x --arg f32:1 --arg 128\n" + SCALE)
        self.assertEqual("KernelError", type(done.error_in_exec).__name__)
        self.assertIn("kernel.cu:4:", shown)
        self.assertIn("thread (100, 0, 0)", shown)
        self.assertNotIn("Traceback", shown)

    def test_notebooks_of_the_documents(self):
        notebooks = sorted((ROOT / "docs/notebooks").glob("*.ipynb"))
        self.assertEqual(4, len(notebooks))
        done = subprocess.run([sys.executable, ROOT / "packaging/run_notebooks.py", *notebooks], capture_output=True,
                              check=False, env={**os.environ, "PYTHONPATH": str(ROOT / "python")}, text=True)
        self.assertEqual(0, done.returncode, done.stdout + done.stderr)
        self.assertEqual(4, done.stdout.count("every cell works"))

    def test_wrong_lines(self):
        for line, needed in (("%%profile scale --grid 1", "--block"), ("%%profile scale --grid x --block 1", "X[,Y"),
                             ("%%profile scale --grid 1 --block 1 --arg nix", "'nix' is not defined"),
                             ("%%grade", "LAB/EXERCISE")):
            done, _ = self.cell(line + "\n" + SCALE)
            self.assertEqual("UsageError", type(done.error_in_exec).__name__)
            self.assertIn(needed, str(done.error_in_exec))


if __name__ == "__main__":
    main()
