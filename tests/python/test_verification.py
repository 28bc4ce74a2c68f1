# SPDX-License-Identifier: Apache-2.0
"""`warpgrade.verify`, and modules of PTX files, from Python.

Arguments: the program, then the root of the project. Expected values follow from the kernels.
"""

import unittest

from package import ROOT, main

import numpy as np

import warpgrade

OLD = """__global__ void twice(float* out, const float* in, int n) {
  int i = blockIdx.x * 64 + threadIdx.x;
  if (i < n) out[i] = in[i] + in[i];
}
"""
CALL = {
    "grid": "ceil_div(n, 64)", "block": 64, "args": ["out:f32:n", "in:f32:n", "i32:n"], "sizes": {"n": (1, 300)}, "cases": 30
}


class Verify(unittest.TestCase):
    def test_equal_kernels(self):
        found = warpgrade.verify(OLD.replace("in[i] + in[i]", "2 * in[i]"), OLD, at={"n": 256}, **CALL)
        self.assertEqual(("equal", None, None), (found.verdict, found.why, found.counterexample))
        self.assertEqual({"n": 256}, found.measured_at)
        # 256 floats are 32 sectors of 8.
        self.assertEqual(32, found.new["metrics"]["l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"])
        self.assertTrue(repr(found).startswith("equal\n"))

    def test_a_difference(self):
        found = warpgrade.verify(OLD.replace("i < n", "i < n - 1"), OLD, **CALL)
        self.assertEqual("different", found.verdict)
        self.assertEqual({"n": 1}, found.counterexample["sizes"])
        self.assertEqual("out[0]", found.counterexample["difference"]["element"])

    def test_an_undecided_verdict_is_no_error(self):
        found = warpgrade.verify(OLD, OLD.replace("i < n", "true"), **CALL)
        self.assertEqual("undecided", found.verdict)
        self.assertEqual("out_of_bounds", found.diagnostics[0]["kind"])

    def test_wrong_calls(self):
        with self.assertRaisesRegex(ValueError, "limits are"):
            warpgrade.verify(OLD, OLD, **{**CALL, "sizes": {"n": (1,)}})
        with self.assertRaisesRegex(ValueError, "unknown variable"):
            warpgrade.verify(OLD, OLD, **{**CALL, "sizes": {"m": (1, 2)}})


class Ptx(unittest.TestCase):
    def test_a_module_of_triton(self):
        module = warpgrade.RawModule(path=str(ROOT / "tests/cli/ptx/triton_softmax.ptx"))
        x = np.random.default_rng(1).uniform(-4, 4, (5, 200)).astype(np.float32)
        out = np.zeros_like(x)
        run = module.get_function("softmax")((5,), (128,), (out, x, np.int32(200), None, None), shared_mem=16, device="a100")
        exponentials = np.exp(x - x.max(axis=1, keepdims=True))
        np.testing.assert_allclose(out, exponentials / exponentials.sum(axis=1, keepdims=True), rtol=1e-5)
        self.assertIn(28, {one["line"] for one in run.lines if one["file"] == "triton_kernels.py"})


if __name__ == "__main__":
    main()
