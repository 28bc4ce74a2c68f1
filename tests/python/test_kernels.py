# SPDX-License-Identifier: Apache-2.0
"""`RawKernel` and `RawModule`: arguments by type, results, and each kind of error.

Arguments: the program, then the root of the project. Expected values are NumPy's, or worked out by hand.
"""

import contextlib
import io
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import warnings

from package import PROGRAM, ROOT, main

import numpy as np

import warpgrade

FILL = """
template <typename T> __global__ void fill(T* out, T value) { out[threadIdx.x] = value; }
"""
SCALE = """
extern "C" __global__ void scale(float* out, const float* in, float factor, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = factor * in[i];
}
"""
PAIR = "struct P { int n; double x; };\n"


def scale(*args, grid=(4,), block=(64,), **more):
    return warpgrade.RawKernel(SCALE, "scale")(grid, block, args, **more)


class Arguments(unittest.TestCase):
    def test_arrays_of_each_type(self):
        copy = "#include <cuda_fp16.h>\ntemplate <typename T> __global__ void copy(T* out, const T* in) { out[threadIdx.x] = in[threadIdx.x]; }"
        for name, kind in {
            "bool": "bool", "int8": "signed char", "uint8": "unsigned char", "int16": "short",
            "uint16": "unsigned short", "int32": "int", "uint32": "unsigned", "int64": "long long",
            "uint64": "unsigned long long", "float16": "__half", "float32": "float",
            "float64": "double", "complex64": "float2", "complex128": "double2",
        }.items():
            with self.subTest(name):
                given = np.arange(32).astype(name)
                out = np.zeros(32, name)
                warpgrade.RawKernel(copy, f"copy<{kind}>")((1,), (32,), (out, given))
                np.testing.assert_array_equal(given, out)

    def test_scalars_of_each_type(self):
        for value, kind in ((np.bool_(True), "bool"), (np.int8(-7), "signed char"), (np.uint8(250), "unsigned char"),
                            (np.int16(-300), "short"), (np.uint16(65535), "unsigned short"), (np.int32(-5), "int"),
                            (np.uint32(4294967295), "unsigned"), (np.int64(-(1 << 62)), "long long"),
                            (np.uint64(1 << 63), "unsigned long long"), (np.float32(0.1), "float"),
                            (np.float64(0.1), "double")):
            with self.subTest(kind):
                out = np.zeros(4, value.dtype)
                warpgrade.RawKernel(FILL, f"fill<{kind}>")((1,), (4,), (out, value))
                self.assertEqual([value] * 4, list(out))

    def test_numbers_of_python(self):
        for kind, dtype, value in (("signed char", "i1", -3), ("short", "i2", 300), ("int", "i4", -70000),
                                   ("unsigned", "u4", 4294967295), ("long long", "i8", 1 << 40),
                                   ("unsigned long long", "u8", (1 << 64) - 1), ("double", "f8", 0.1),
                                   ("bool", "?", True)):
            with self.subTest(kind):
                out = np.zeros(2, dtype)
                warpgrade.RawKernel(FILL, f"fill<{kind}>")((1,), (2,), (out, value))
                self.assertEqual([value] * 2, list(out))

    def test_structures_by_value_and_in_arrays(self):
        pair = np.dtype([("n", "i4"), ("x", "f8")], align=True)
        source = PAIR + "__global__ void k(P* out, P p) { out[threadIdx.x].n = p.n + threadIdx.x; " \
                        "out[threadIdx.x].x = p.x; }"
        for value in (np.array((3, 0.5), pair), np.array([(3, 0.5)], pair)[0]):
            out = np.zeros(3, pair)
            warpgrade.RawKernel(source, "k")((1,), (3,), (out, value))
            self.assertEqual([3, 4, 5], list(out["n"]))
            self.assertEqual([0.5] * 3, list(out["x"]))

    def test_order_of_memory_and_views(self):
        source = "__global__ void k(int* x) { x[threadIdx.x] = threadIdx.x; }"
        kernel = warpgrade.RawKernel(source, "k")
        columns = np.zeros((2, 3), np.int32, order="F")
        kernel((1,), (6,), (columns,))
        self.assertEqual([[0, 2, 4], [1, 3, 5]], columns.tolist())
        whole = np.full(8, -1, np.int32)
        kernel((1,), (3,), (whole[2:5],))
        self.assertEqual([-1, -1, 0, 1, 2, -1, -1, -1], whole.tolist())
        point = np.array(7, np.int32)  # 0-d arrays are passed as addresses, too
        kernel((1,), (1,), (point,))
        self.assertEqual(0, point)

    def test_the_same_array_twice_is_the_same_memory(self):
        source = "__global__ void k(int* a, int* b) { a[threadIdx.x] = 1; b[threadIdx.x] += 1; }"
        x = np.full(4, 5, np.int32)
        warpgrade.RawKernel(source, "k")((1,), (4,), (x, x))
        self.assertEqual([2] * 4, x.tolist())

    def test_null_pointers(self):
        source = "__global__ void k(int* out, const int* in) { *out = in == nullptr ? 1 : in[0]; }"
        for none in (None, np.empty(0, np.int32)):
            out = np.zeros(1, np.int32)
            warpgrade.RawKernel(source, "k")((1,), (1,), (out, none))
            self.assertEqual(1, out[0])

    def test_wrong_sizes_are_type_errors_that_name_the_parameter(self):
        x = np.zeros(256, np.float32)
        for wrong, needed in (
            (np.float64(2), "argument 2 does not fit parameter `factor` of scale: expected 4 bytes, such as "
                            "numpy.float32; given numpy.float64 of 8 bytes"),
            (2.0, "given float, which is a double of 8 bytes (numpy.float32(x) has 4)"),
            (2, "such as numpy.float32; given int 2"),
            (x, "given float32 array of shape (256,), which is an address of 8 bytes"),
            (None, "given None, which is an address of 8 bytes"),
        ):
            with self.subTest(str(type(wrong))), self.assertRaises(TypeError) as raised:
                scale(x, x, wrong, np.int32(256))
            self.assertIn(needed, str(raised.exception))
        for wrong, needed in ((1 << 40, "given int 1099511627776"), (np.int64(256), "numpy.int64 of 8 bytes"),
                              (np.int16(3), "expected 4 bytes, such as numpy.int32 or numpy.uint32")):
            with self.assertRaises(TypeError) as raised:
                scale(x, x, np.float32(2), wrong)
            self.assertIn("parameter `n`", str(raised.exception))
            self.assertIn(needed, str(raised.exception))
        with self.assertRaises(TypeError) as raised:
            scale(x, x)
        self.assertIn("scale has 4 parameters, out (8 bytes)", str(raised.exception))
        self.assertIn("2 arguments are given", str(raised.exception))

    def test_wrong_arrays(self):
        good = np.zeros((16, 16), np.float32)
        for wrong, kind, needed in (
            (good[::2], ValueError, "argument 1 is not contiguous (shape (8, 16), strides (128, 4)); pass a copy: "
                                    "numpy.ascontiguousarray(x)"),
            (good.astype(">f4"), ValueError, "argument 1 is big-endian (>f4)"),
            (good.astype(object), TypeError, "argument 1 has the type object"),
            (good.astype(np.str_), TypeError, "argument 1 has the type <U"),
            ([1.0, 2.0], TypeError, "argument 1 is a list; kernels take NumPy arrays"),
            ("x", TypeError, "argument 1 is a str"),
            (1 << 64, ValueError, "argument 1 is 18446744073709551616"),
        ):
            with self.subTest(needed), self.assertRaises(kind) as raised:
                scale(np.zeros(256, np.float32), wrong, np.float32(2), 256)
            self.assertIn(needed, str(raised.exception))
        whole = np.zeros(300, np.float32)
        with self.assertRaises(ValueError) as raised:
            scale(whole[:256], whole[44:], np.float32(2), 256)
        self.assertIn("argument 0 and argument 1 overlap", str(raised.exception))

    def test_read_only_arrays_are_for_pointers_to_const(self):
        fixed = np.arange(4, dtype=np.float32)
        fixed.flags.writeable = False
        out = np.zeros(4, np.float32)
        scale(out, fixed, np.float32(2), 4)
        self.assertEqual([0, 2, 4, 6], out.tolist())
        with self.assertRaisesRegex(ValueError, r"argument 0 is read-only, and scale may write to it: parameter `out` is a "
                                                r"`float\*`\. Declare it const, or pass a copy"):
            scale(fixed, out, np.float32(2), 4)
        forging = "__global__ void k(const int* x) { *const_cast<int*>(x) = 1; }"
        with self.assertRaisesRegex(warpgrade.KernelError, "input_modified"):
            warpgrade.RawKernel(forging, "k")((1,), (1,), (fixed.view(np.int32),))

    def check_types(self, kind, before=""):
        """A function that calls a kernel with one parameter of C++ type `kind`, and returns the TypeError's text or None."""
        kernel = warpgrade.RawKernel(f'{before}\nextern "C" __global__ void k({kind} p) {{}}', "k")

        def call(value):
            try:
                kernel((1,), (1,), (value,))
            except TypeError as error:
                return str(error)
            return None

        return call

    def test_scalars_of_another_kind_are_type_errors(self):
        before = "typedef float real;\nenum Kind { kA };\n#define COUNT unsigned\nstruct P { float x, y; };\n#include <cuda_fp16.h>"
        pair = np.dtype([("x", "f4"), ("y", "f4")])
        for kind, good, wrong in (
            ("int", (np.int32(1), np.uint32(1), 1, True), (np.float32(3), 3.0, np.int64(1), np.bool_(1), None, 1j)),
            ("COUNT", (np.uint32(1), -1), (np.float32(1),)),
            ("Kind", (np.int32(0), 0), (np.float32(0),)),
            ("real", (np.float32(1),), (np.int32(1), 1, 1.0, np.float64(1))),
            ("double", (1.5, np.float64(1)), (np.int64(1), 1, np.complex64(1))),
            ("long long", (np.int64(1), 1 << 40), (1.5, np.float64(1), np.complex64(1), np.zeros(2), None)),
            ("bool", (True, np.bool_(0), 1), (2, np.int32(1))),
            ("float*", (np.zeros(1, "f4"), None), (0, np.int64(0), np.uint64(1 << 40), 1.5)),
            ("P", (np.zeros((), pair), np.zeros(1, pair)[0]), (np.int64(1), 1.5, np.zeros((), [("x", "f4")]))),
            ("float2", (np.complex64(1), np.zeros((), pair)), (np.float64(1), 1 + 1j)),
            ("__half", (np.float16(1),), (np.uint16(1), 1)),
        ):
            call = self.check_types(kind, before)
            for value in good:
                with self.subTest(kind, value=value):
                    self.assertIsNone(call(value))
            for value in wrong:
                with self.subTest(kind, value=value):
                    self.assertIn("argument 0 does not fit parameter `p` of k", call(value) or "no error")
        self.assertIn("of type `float`", self.check_types("const real", before)(1))
        unaligned = np.zeros((), [("n", "i4"), ("x", "f8")])
        self.assertIn("align=True", self.check_types("Q", "struct Q { int n; double x; };")(unaligned))

    def test_elements_of_another_type_are_warnings(self):
        before = "typedef double real;\nstruct P { int n; double x; };\n#include <cuda_fp16.h>\n#include <cuComplex.h>"
        pair = [("n", "i4"), ("x", "f8")]
        for kind, good, wrong in (
            ("float*", ("f4", "c8"), ("f8", "i4", "f2", "u1", pair)),
            ("const real*", ("f8",), ("f4", "i8")),
            ("int*", ("i4", "u4"), ("f4", "i8", "?")),
            ("unsigned char*", ("u1", "i1", "?"), ("i4",)),
            ("void*", ("f8", "i1", pair), ()),
            ("char*", ("i1", "u1", pair), ("f4",)),
            ("float4*", ("f4",), ("f8", "i4")),
            ("cuFloatComplex*", ("c8", "f4"), ("c16",)),
            ("__half*", ("f2",), ("u2",)),
            ("P*", (np.dtype(pair, align=True), "f8"), (pair,)),
        ):
            for dtype in (*good, *wrong):
                with self.subTest(kind, dtype=dtype), warnings.catch_warnings(record=True) as caught:
                    warnings.simplefilter("always")
                    self.check_types(kind, before)(np.zeros(16, dtype))
                    self.assertEqual([warpgrade.ArgumentWarning] * (dtype in wrong), [one.category for one in caught])
                    self.assertTrue(all(one.filename == __file__ for one in caught))
        for kind, dtype, needed in (("const float*", "f8", "elements of type float64, and the parameter is `const float*`; pass "
                                                          "x.astype(numpy.float32)"),
                                    ("P*", pair, "records of 12 bytes, and a `P` has 16; numpy.dtype([...], align=True)")):
            with self.assertWarns(warpgrade.ArgumentWarning) as caught:
                self.check_types(kind, before)(np.zeros(16, dtype))
            self.assertIn(needed, str(caught.warning))


class Results(unittest.TestCase):
    def test_counters_times_and_occupancy(self):
        a, out = np.arange(1024, dtype=np.float32), np.zeros(1024, np.float32)
        run = scale(out, a, np.float32(3), 1024, grid=(4,), block=(256,), device="h200")
        np.testing.assert_array_equal(3 * a, out)
        self.assertEqual(32, run.metrics["l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"])  # 1024 lanes
        self.assertEqual(128, run.metrics["l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"])  # 4096 bytes
        self.assertEqual({"blocks_per_sm": 8, "warps_per_sm": 64, "limited_by": "warps"}, run.occupancy)
        self.assertEqual(("scale", "h200", "sim", [4, 1, 1], [256, 1, 1]),
                         (run.kernel, run.device, run.backend, run.grid, run.block))
        self.assertEqual(8192, run.bytes)
        self.assertAlmostEqual(run.bytes_per_second, run.bytes / run.seconds, delta=1)
        self.assertEqual("launch overhead", run.bound_by)
        self.assertAlmostEqual(run.seconds, sum(run.breakdown.values()), delta=1e-12)
        self.assertEqual("launch overhead", max(run.breakdown, key=run.breakdown.get))
        self.assertIsNone(run.skew)
        self.assertEqual([], run.diagnostics)
        loads = [one for one in run.lines if one["operation"] == "global load"]
        self.assertEqual([(4, 32, 128)], [(one["line"], one["requests"], one["sectors"]) for one in loads])
        self.assertIn("scale of kernel.cu on h200 (simulated)", str(run))
        self.assertIn("on h200", repr(run))

    def test_the_speed_of_light_has_the_metrics_of_these_chapters_of_the_glossary(self):
        sections = (ROOT / "docs/glossary.md").read_text().split("\n## ")
        names = {name for text in sections if text.startswith(("Speed of Light", "Stall reasons"))
                 for name in re.findall(r"^\|[^|`\n]*`([^`]+)`", text, re.MULTILINE)}
        run = scale(np.zeros(1024, np.float32), np.ones(1024, np.float32), np.float32(3), 1024)
        self.assertLess(15, len(names))
        self.assertEqual(names, run.speed_of_light.keys())

    def test_uneven_data_is_the_cause(self):
        count = warpgrade.RawKernel("__global__ void k(unsigned* bins, const unsigned char* in) {\n"
                                    "  atomicAdd(&bins[in[blockIdx.x * 256 + threadIdx.x]], 1u); }", "k")
        run = count((256,), (256,), (np.zeros(256, np.uint32), np.zeros(65536, np.uint8)), device="h200")
        self.assertEqual(("contention", "global", 32, 32),
                         tuple(run.skew[key] for key in ("kind", "space", "lanes", "lanes_on_one_word")))

    def test_device_chooses_the_rules(self):
        stride = "__global__ void k(float* x) { x[2 * threadIdx.x] = 1; }"
        kernel = warpgrade.RawKernel(stride, "k")
        metric = "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"
        requests = {device: kernel((1,), (32,), (np.zeros(64, "f4"),), device=device).metrics[metric]
                    for device in ("h200", "c1060")}
        self.assertEqual({"h200": 1, "c1060": 2}, requests)  # half-warps before Fermi

    def test_printf(self):
        source = '__global__ void k() { printf("thread %d\\n", threadIdx.x); }'
        shown = io.StringIO()
        with contextlib.redirect_stdout(shown):
            run = warpgrade.RawKernel(source, "k")((1,), (2,), ())
        self.assertEqual("thread 0\nthread 1\n", run.printed)
        self.assertEqual(run.printed, shown.getvalue())

    def test_page_is_complete_and_framed(self):
        run = scale(np.zeros(256, "f4"), np.zeros(256, "f4"), np.float32(1), 256, page=True)
        before, frame, page = run._repr_html_().partition("<iframe srcdoc=")
        self.assertTrue(frame)
        # What is left if a notebook is not trusted.
        for part in ("scale on h200 (simulated)", "<b>why</b> bound by launch overhead.", "<th>per request</th>",
                     "<td>global load</td><td>8</td><td>4 sectors</td><td>if (i &lt; n) out[i] = factor * in[i];</td>"):
            self.assertIn(part, before)
        for part in ("scale on h200", "4 sectors", "prefers-color-scheme: dark", "Warp 0 of block (0, 0, 0)"):
            self.assertIn(part, page)
        self.assertNotIn("<script", page)  # The page is escaped inside the frame.
        self.assertNotRegex(run.html, r"(src|href)=.?http")
        self.assertIn("in[i];", page)

    def test_a_measured_run_has_the_simulated_numbers_beside(self):
        simulated = scale(np.zeros(256, "f4"), np.zeros(256, "f4"), np.float32(1), 256)
        self.assertIsNone(simulated.simulated_seconds)
        self.assertEqual({}, simulated.simulated_metrics)
        report = {**simulated.report, "backend": "gpu", "metrics": {}, "simulated_seconds": 4e-6,
                  "simulated_metrics": simulated.metrics}
        measured = warpgrade.Run(report, "", SCALE)
        self.assertEqual(4e-6, measured.simulated_seconds)
        self.assertEqual(simulated.metrics, measured.simulated_metrics)
        self.assertEqual(simulated.lines, measured.lines)

    def test_without_a_page_a_notebook_shows_the_text(self):
        run = scale(np.zeros(256, "f4"), np.zeros(256, "f4"), np.float32(1), 256)
        self.assertEqual("", run.html)
        self.assertIn("<pre>scale of kernel.cu on h200", run._repr_html_())

    def test_the_text_leaves_out_zeros(self):
        text = str(scale(np.zeros(256, "f4"), np.zeros(256, "f4"), np.float32(1), 256))
        self.assertNotRegex(text, r"(?m)^  [a-z]+__\S+ +0$")
        self.assertRegex(text, r"\d+ metrics are 0 and not listed")

    def test_source_from_a_file_with_headers(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "k.cu")
            path.write_text('#include "n.h"\n__global__ void k(int* x) { *x = N + M; }')
            pathlib.Path(folder, "n.h").write_text("#define N 7\n")
            for source in (path, str(path)):
                x = np.zeros(1, np.int32)
                warpgrade.RawKernel(source, "k", ("-DM=2", "--std=c++17"))((1,), (1,), (x,))
                self.assertEqual(9, x[0])
            x = np.zeros(1, np.int32)
            text = '\n#include "n.h"\n__global__ void k(int* x) { *x = N + M; }'
            run = warpgrade.RawKernel(text, "k", ("-I", folder, "-D", "M"))((1,), (1,), (x,))
            self.assertEqual(8, x[0])
            self.assertEqual(3, run.lines[0]["line"])

    def test_module(self):
        module = warpgrade.RawModule(code=FILL + SCALE, name_expressions=["fill<int>", "fill<float>"])
        x = np.zeros(4, np.int32)
        module.get_function("fill<int>")((1,), (4,), (x, 7))
        self.assertEqual([7] * 4, x.tolist())
        y = np.ones(4, np.float32)
        module.get_function("scale")((1,), (4,), (y, y.copy(), np.float32(2), 4))
        self.assertEqual([2] * 4, y.tolist())


class Errors(unittest.TestCase):
    def fault(self, source, *args, grid=1, block=32, **more):
        with self.assertRaises(warpgrade.KernelError) as raised:
            warpgrade.RawKernel(source, "k", **more)(grid, block, args)
        return raised.exception

    def test_a_fault_has_line_caret_block_and_thread(self):
        x = np.zeros(20, np.float32)
        error = self.fault("\n__global__ void k(float* x) {\n  x[threadIdx.x] = 1;\n}", x)
        self.assertEqual(("out_of_bounds", 3, [0, 0, 0], [20, 0, 0]), tuple(
            error.diagnostics[0][key] for key in ("kind", "line", "block", "thread")))
        lines = str(error).splitlines()
        self.assertIn("kernel.cu:3:3: out_of_bounds: writes x[20], but x has elements 0 to 19", lines[0])
        self.assertIn("3 |   x[threadIdx.x] = 1;", lines[1])
        self.assertEqual("      |   ^", lines[2])  # at x, which the line uses once; threadIdx.x is a member
        self.assertIn("thread (20, 0, 0)", lines[3])
        self.assertEqual(0, x.sum())  # The arrays keep their contents.
        self.assertEqual("h200", error.run.device)

    def test_findings_have_an_index_for_each_dimension(self):
        error = self.fault("__global__ void k(float* x) { x[threadIdx.x] = 1; }", np.zeros((3, 4), np.float32))
        self.assertIn("writes x[3][0], but x has 3 rows of 4", str(error))
        error = self.fault("__global__ void k(float* x) { x[threadIdx.x] = 1; }", np.zeros((2, 3, 4), np.float32))
        self.assertIn("writes x[2][0][0], but x has the shape [2][3][4]", str(error))
        error = self.fault("__global__ void k(float* x) { x[5] = threadIdx.x; }", np.zeros((3, 4), np.float32))
        self.assertIn("x[1][1]", str(error))
        pair = np.dtype([("n", "i4"), ("x", "f8")], align=True)
        error = self.fault(PAIR + "__global__ void k(P* p) { p[threadIdx.x].x = 1; }", np.zeros(3, pair))
        self.assertIn("p[3]", str(error))
        self.assertIn("p has elements 0 to 2", str(error))

    def test_a_caret_is_at_the_access_or_absent(self):
        for statement, column in (("if (threadIdx.x < 99) y[0] = 2 * x[threadIdx.x];", 33), ("y[0] = x[threadIdx.x] + x[0];", None)):
            text = str(self.fault(f"__global__ void k(float* y, const float* x) {{\n{statement}\n}}", np.zeros(1, "f4"),
                                  np.zeros(20, "f4")))
            carets = [line for line in text.splitlines() if line.strip(" |") == "^"]
            self.assertEqual([] if column is None else [f"      | {' ' * column}^"], carets)

    def test_messages_speak_python(self):
        source = "#include <cooperative_groups.h>\n__global__ void k(int* x) { cooperative_groups::this_grid().sync(); }"
        with self.assertRaises(warpgrade.ToolError) as raised:
            warpgrade.RawKernel(source, "k")((2,), (32,), (np.zeros(1, "i4"),))
        self.assertIn("pass enable_cooperative_groups=True to RawKernel", str(raised.exception))
        self.assertNotIn("--", str(raised.exception))
        warpgrade.RawKernel(source, "k", enable_cooperative_groups=True)((2,), (32,), (np.zeros(1, "i4"),))

    def test_kinds(self):
        for kind, source in {
            "compile_error": "__global__ void k(int* x) { *x = y; }",
            "race": "__global__ void k(int* x) { x[0] = threadIdx.x; }",
            "uninitialized_read": "__global__ void k(int* x) { __shared__ int s[32]; x[threadIdx.x] = s[threadIdx.x]; }",
            "misaligned": "__global__ void k(int* x) { *(int*)((char*)x + 1) = 1; }",
            "trap": "#include <cassert>\n__global__ void k(int* x) { assert(*x == 1); }",
            "divergent_barrier": "__global__ void k(int* x) { if (threadIdx.x < 5) __syncthreads(); "
                                 "else __syncthreads(); }",
        }.items():
            with self.subTest(kind):
                error = self.fault(source, np.zeros(64, np.int32))
                self.assertEqual(kind, error.diagnostics[0]["kind"])
                self.assertEqual(kind == "compile_error", error.diagnostics[0]["thread"] is None)

    def test_a_missing_kernel_is_the_kernels_fault(self):
        error = self.fault("__global__ void other(int* x) {}", np.zeros(1, np.int32))
        self.assertIn("no kernel is named 'k'", str(error))

    def test_warnings_are_warnings(self):
        source = "__global__ void k(int* x) { if (*x == 0) atomicAdd(x, 1); }"
        x = np.ones(1, np.int32)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            run = warpgrade.RawKernel(source, "k")((2,), (32,), (x,))
        self.assertEqual({"warning"}, {one["severity"] for one in run.diagnostics} or {"warning"})
        self.assertEqual(len(run.diagnostics), len(caught))

    def test_the_only_kernel_needs_no_name(self):
        once = "__global__ void twice(int* y) { y[threadIdx.x] *= 2; }\n"
        y = np.arange(4, dtype=np.int32)
        kernel = warpgrade.RawKernel(once)
        kernel((1,), (4,), (y,))
        self.assertEqual(("twice", [0, 2, 4, 6]), (kernel.name, y.tolist()))
        with self.assertRaisesRegex(ValueError, r"2 kernels; name one by name=\n  twice\(int\*\)\n  other"):
            warpgrade.RawKernel(once + once.replace("twice", "other")).compile()

    def test_wrong_calls(self):
        x = np.zeros(256, np.float32)
        good = (x, x.copy(), np.float32(1), 256)
        kernel = warpgrade.RawKernel(SCALE, "scale")
        for kind, needed, call in (
            (ValueError, "block (32, 64, 1) has 2,048 threads", lambda: kernel((1,), (32, 64), good)),
            (ValueError, "grid is (0,); its numbers must be positive", lambda: kernel((0,), (32,), good)),
            (ValueError, "one to three numbers", lambda: kernel((1, 1, 1, 1), (32,), good)),
            (TypeError, "must be integers", lambda: kernel((256 / 64,), (64,), good)),
            (ValueError, "shared_mem 1048576: ", lambda: kernel(1, 1, good, shared_mem=1 << 20)),
            (ValueError, "grid 1,1,70000: ", lambda: kernel((1, 1, 70000), 1, good)),
            (ValueError, "232448 bytes of shared memory", lambda: kernel(1, 1, good, shared_mem=1 << 20)),
            (ValueError, "must not be negative", lambda: kernel(1, 1, good, shared_mem=-1)),
            (ValueError, "unknown device 'h201' (did you mean 'h200'?)", lambda: kernel(1, 1, good, device="h201")),
            (TypeError, "args is a ndarray; it must be a tuple", lambda: kernel(1, 1, x)),
            (TypeError, "options is the string", lambda: warpgrade.RawKernel(SCALE, "scale", "-DX")),
            (TypeError, "the source is a int", lambda: warpgrade.RawKernel(5, "scale")),
            (TypeError, "the kernel's name", lambda: warpgrade.RawKernel(SCALE, 5)),
            (ValueError, "missing.cu: no such file", lambda: warpgrade.RawKernel("missing.cu", "k")),
            (ValueError, "no such folder", lambda: warpgrade.RawKernel(SCALE, "k", ("-I/missing",))),
            (TypeError, "either code= or path=", warpgrade.RawModule),
            (ValueError, "only CUDA C++ source", lambda: warpgrade.RawModule(path="k.cubin")),
        ):
            with self.subTest(needed), self.assertRaises(kind) as raised:
                call()
            self.assertIn(needed, str(raised.exception))

    def test_failures_of_the_tool(self):
        with self.assertRaises(warpgrade.ToolError) as raised:
            warpgrade.RawKernel(SCALE, "scale")(1, 1, (None, None, np.float32(1), 0), backend="gpu")
        self.assertRegex(str(raised.exception), "^backend='gpu': no GPU")
        code = "import warpgrade; warpgrade.devices()"
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False, text=True, env={
            **os.environ, "PYTHONPATH": str(ROOT / "python"), "WARPGRADE_PROGRAM": "/missing/warpgrade"})
        self.assertIn("ToolError: /missing/warpgrade cannot be run", done.stderr)

    def test_version_is_that_of_the_program(self):
        self.assertEqual(warpgrade.version().partition(" ")[0], warpgrade.__version__)
        with self.assertRaises(AttributeError):
            warpgrade.nosuch

    def test_numpy_and_ipython_are_not_imported_with_the_package(self):
        code = ("import sys, warpgrade; assert 'h200' in warpgrade.devices(); "
                "print(sorted({'numpy', 'IPython', 'pandas'} & set(sys.modules)))")
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True, env={
            **os.environ, "PYTHONPATH": str(ROOT / "python"), "WARPGRADE_PROGRAM": PROGRAM})
        self.assertEqual("[]\n", done.stdout)


if __name__ == "__main__":
    main()
