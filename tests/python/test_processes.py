# SPDX-License-Identifier: Apache-2.0
"""Results and errors in other processes and threads, sequences of launches, and one compilation per program.

Arguments: the program, then the root of the project. Workers are started from this file, so its tests are below
`__main__`.
"""

import concurrent.futures
import inspect
import multiprocessing
import os
import pathlib
import pickle
import signal
import tempfile
import unittest
import unittest.mock

from package import PROGRAM, main

import numpy as np

import warpgrade
from warpgrade import _server

SOURCE = 'extern "C" __global__ void add(float* x, float by, int n) { if (threadIdx.x < n) x[threadIdx.x] += by; }'


def add(by):
    """One call, which fails for `by` above 8: a kernel that writes past its array."""
    x = np.zeros(4, np.float32)
    warpgrade.RawKernel(SOURCE, "add")((1,), (8,), (x, np.float32(by), np.int32(4 if by <= 8 else 5)))
    return x[0]


def run_of(by):
    return warpgrade.RawKernel(SOURCE, "add")((1,), (8,), (np.zeros(4, np.float32), np.float32(by), 4))


class Pickling(unittest.TestCase):
    def test_of_every_error_keeps_its_details(self):
        finding = {"kind": "race", "severity": "error", "file": "k.cu", "line": 1, "message": "m", "block": None,
                   "thread": None}
        errors = [cls for _, cls in inspect.getmembers(warpgrade, inspect.isclass) if issubclass(cls, BaseException)]
        self.assertLessEqual(4, len(errors))
        for cls in errors:
            error = cls("a text", [finding])
            error.extra = 5
            back = pickle.loads(pickle.dumps(error))
            self.assertEqual((cls, error.args, 5), (type(back), back.args, back.extra))
            self.assertEqual(getattr(error, "diagnostics", None), getattr(back, "diagnostics", None))

    def test_of_results_and_kernels(self):
        kernel = warpgrade.RawKernel(SOURCE, "add")
        run = run_of(1)
        back = pickle.loads(pickle.dumps(run))
        self.assertEqual((run.metrics, str(run), run.lines), (back.metrics, str(back), back.lines))
        self.assertEqual("add", pickle.loads(pickle.dumps(kernel)).name)
        with self.assertRaises(warpgrade.KernelError) as raised:
            add(9)
        back = pickle.loads(pickle.dumps(raised.exception))
        self.assertEqual(str(raised.exception), str(back))
        self.assertEqual(raised.exception.run.report, back.run.report)
        grade = warpgrade.Grade({"exercises": [{"lab": "l", "exercise": "e", "points": 1, "max_points": 2, "verdict": "fail",
                                                "reason": "none", "gates": [], "diagnostics": []}]}, "text", "page")
        self.assertEqual(grade.__dict__, pickle.loads(pickle.dumps(grade)).__dict__)


class Processes(unittest.TestCase):
    def test_pools_of_both_kinds(self):
        add(1)  # a child of a fork must not use the parent's process
        for method in ("fork", "spawn"):
            with self.subTest(method), multiprocessing.get_context(method).Pool(2) as pool:
                self.assertEqual([1, 2, 3], pool.map(add, [1, 2, 3]))
                with self.assertRaisesRegex(warpgrade.KernelError, "writes? x.4.|updates x.4.|reads x.4.") as raised:
                    pool.map(add, [9])
                self.assertEqual("out_of_bounds", raised.exception.diagnostics[0]["kind"])
                self.assertEqual("add", pool.apply(run_of, (1,)).kernel)
        self.assertEqual(1, add(1))

    def test_threads_call_at_the_same_time(self):
        with concurrent.futures.ThreadPoolExecutor(3) as pool:
            self.assertEqual([1, 2, 3, 4, 5, 6], list(pool.map(add, range(1, 7))))

    def test_a_process_that_was_killed_is_an_error_once(self):
        add(1)
        process = _server._idle[-1]._process
        process.send_signal(signal.SIGKILL)
        process.wait()
        self.assertEqual(2, add(2))  # it was idle: another one starts
        with unittest.mock.patch.object(_server._Server, "call", lambda self, *_: self._process.kill()):
            with self.assertRaisesRegex(warpgrade.ToolError, "ended with signal 9"):
                add(3)
        self.assertEqual(4, add(4))

    def test_an_interrupt_leaves_no_answer_for_the_next_call(self):
        def interrupt(self, *_):
            raise KeyboardInterrupt

        with unittest.mock.patch.object(_server._Server, "call", interrupt), self.assertRaises(KeyboardInterrupt):
            add(1)
        self.assertEqual(2, add(2))


class Compilations(unittest.TestCase):
    """The compiler is a script that counts its calls."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        script = self.folder / "compiler"
        real = pathlib.Path(PROGRAM).parent.parent / "common/compile/warpgrade_compiler"
        script.write_text(f"#!/bin/sh\necho >> {self.folder}/calls\nexec {real} \"$@\"\n")
        script.chmod(0o755)
        patch = unittest.mock.patch.dict(os.environ, {"WARPGRADE_COMPILER": str(script)})
        patch.start()
        self.addCleanup(patch.stop)

    def compilations(self, call):
        calls = self.folder / "calls"
        calls.write_text("")
        call()
        return len(calls.read_text())

    def test_a_program_is_compiled_once_per_source_and_options(self):
        source = SOURCE.replace("add", "once")
        x = np.zeros(4, np.float32)

        def call(*options, **more):
            warpgrade.RawKernel(source, "once", options)((1,), (4,), (x, np.float32(1), 4), **more)

        self.assertEqual(2, self.compilations(call))  # the kernel, and the types of its parameters
        self.assertEqual(0, self.compilations(call))
        kernel = warpgrade.RawKernel(source, "once")
        kernel.compile()
        self.assertEqual(0, self.compilations(lambda: [kernel((1,), (4,), (x, np.float32(1), 4)) for _ in range(20)]))
        self.assertEqual(2, self.compilations(lambda: call("-DN=1")))
        self.assertEqual(2, self.compilations(lambda: call(device="k40")))

    def test_a_header_that_changed_is_read_again(self):
        (self.folder / "n.h").write_text("#define N 1\n")
        source = '#include "n.h"\n__global__ void k(int* x) { *x = N; }'
        x = np.zeros(1, np.int32)
        for value in (1, 2):
            (self.folder / "n.h").write_text(f"#define N {value}\n")
            warpgrade.RawKernel(source, "k", ("-I", str(self.folder)))((1,), (1,), (x,))
            self.assertEqual(value, x[0])
        path = self.folder / "k.cu"
        for value in (3, 4):
            path.write_text(f"__global__ void k(int* x) {{ *x = {value}; }}")
            warpgrade.RawKernel(path, "k")((1,), (1,), (x,))
            self.assertEqual(value, x[0])


class Sequences(unittest.TestCase):
    SOURCE = """
    struct Pair { int n; double by; };
    template <typename T> __global__ void scale(T* x, T by) { x[threadIdx.x] *= by; }
    extern "C" __global__ void add(float* y, const float* x, Pair p, long long big) {
      y[threadIdx.x] += x[threadIdx.x] + (float)p.by + p.n + (big == (1ll << 62) + 1);
    }
    extern "C" __global__ void sums(float* y) {
      extern __shared__ float s[]; s[threadIdx.x] = y[threadIdx.x]; __syncthreads(); y[threadIdx.x] = s[3 - threadIdx.x];
    }"""

    def setUp(self):
        self.module = warpgrade.RawModule(code=self.SOURCE)
        self.kernels = [self.module.get_function(name) for name in ("scale<float>", "add", "sums")]

    def test_launches_share_arrays_and_count_as_one(self):
        scale, add_kernel, sums = self.kernels
        x, y = np.arange(4, dtype=np.float32), np.zeros(4, np.float32)
        fixed = x.copy()
        fixed.flags.writeable = False
        pair = np.array((1, 0.5), np.dtype([("n", "i4"), ("by", "f8")], align=True))
        run = warpgrade.sequence([(scale, (1,), (4,), (x, np.float32(2))), (add_kernel, (1,), (4,), (y, x, pair, (1 << 62) + 1)),
                                  (add_kernel, 1, 4, (y, fixed, pair, 0)), (sums, 1, 4, (y,), 16)], rounds=1)
        self.assertEqual([0, 2, 4, 6], x.tolist())
        self.assertEqual([2 * 3 + 3 + 2 * 1.5 + 1, 2 * 2 + 2 + 4, 2 + 1 + 4, 4], y.tolist())
        self.assertEqual(["scale<float>", "add", "sums"], [one["kernel"] for one in run.launches])
        self.assertEqual(2, run.launches[1]["times"])
        self.assertGreater(run.seconds, 0)
        warpgrade.sequence([(scale, 1, 4, (x, np.float32(0.5)))], rounds=2)
        self.assertEqual([0, 0.5, 1, 1.5], x.tolist())

    def test_wrong_sequences(self):
        scale = self.kernels[0]
        x = np.zeros(4, np.float32)
        other = warpgrade.RawKernel(SOURCE, "add")
        for error, needed, launches in (
            (ValueError, "launches is empty", []),
            (TypeError, "launch 0 is", [(scale, 1)]),
            (TypeError, "parameter `by` of scale<float>", [(scale, 1, 4, (x, 1))]),
            (ValueError, "different sources", [(scale, 1, 4, (x, np.float32(1))), (other, 1, 4, (x, np.float32(1), 4))]),
            (warpgrade.KernelError, r"x\[4\]", [(scale, 1, 5, (x, np.float32(1)))]),
        ):
            with self.subTest(needed), self.assertRaisesRegex(error, needed):
                warpgrade.sequence(launches)
        with self.assertRaisesRegex(ValueError, "rounds is 0"):
            warpgrade.sequence([(scale, 1, 4, (x, np.float32(1)))], rounds=0)


if __name__ == "__main__":
    main()
