# SPDX-License-Identifier: Apache-2.0
"""A class on cards that the manifest does not name gives each file the grade of `grade --file`.

The card is tests/gpu/sim_libcuda.cpp: libcuda.so.1 made of the simulator, here a Tesla T4. The course is the
coalescing lab with a small timed size. Arguments: the program, the root of the project, the CUDA toolkit,
libcuda, and the NVRTC that appends PTX to its machine code.
"""

import csv
import json
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

CUDA, LIBCUDA, PTX_NVRTC = (pathlib.Path(sys.argv.pop(3)).resolve() for _ in range(3))

from class_case import ROOT, ClassCase  # noqa: E402

LIBRARIES = ("lib64", "lib", "targets/x86_64-linux/lib", "targets/sbsa-linux/lib", "cuda_nvrtc/lib")
SLOW = """extern "C" __global__ void copy(float* out, const float* in, int width, int height) {
  int column = blockIdx.x * 32 + threadIdx.x;
  for (int j = 0; j < 32; j += 8) {
    int row = blockIdx.y * 32 + threadIdx.y + j;
    if (column < width && row < height) {
      float value = in[row * width + column], kept = value;
      for (int i = 0; i < 300; ++i) kept = __fmaf_rn(kept, 1.0000001f, 1e-9f);
      out[row * width + column] = kept == 12345.678f ? kept : value;
    }
  }
}
"""


def make_toolkit(folder):
    """Makes a CUDA toolkit with our NVRTC and the card's driver; returns False if CUDA has no NVRTC."""
    found = next((lib for place in LIBRARIES for lib in (CUDA / place).glob("libnvrtc.so.1[23]")), None)
    if found is None:
        return False
    (folder / "lib64/real").mkdir(parents=True)
    for entry in CUDA.iterdir():
        if entry.name not in ("lib", "lib64"):
            (folder / entry.name).symlink_to(entry.resolve())
    shutil.copy(PTX_NVRTC, folder / "lib64" / found.name)
    shutil.copy(found, folder / "lib64/real" / found.name)
    for builtins in found.parent.glob("libnvrtc-builtins.so.*"):
        shutil.copy(builtins, folder / "lib64" / builtins.name)
    shutil.copy(LIBCUDA, folder / "lib64/libcuda.so.1")
    return True


class Cards(ClassCase):
    def setUp(self):
        super().setUp()
        cuda = self.folder / "cuda"
        if not make_toolkit(cuda):
            self.skipTest(f"{CUDA} has no NVRTC")
        self.course = self.folder / "course"
        for name in ("labs", "solutions"):
            shutil.copytree(ROOT / name / "coalescing", self.course / name / "coalescing")
        shutil.copy(ROOT / "labs/gates.toml", self.course / "labs")
        manifest = self.course / "labs/coalescing/grader.toml"
        timed = 'timed = { width = "256", height = "256" }'
        only_copy = manifest.read_text().rpartition("[[exercise]]")[0]
        manifest.write_text(re.sub(r"timed = \{.*\}", timed, only_copy))
        self.card = {
            "WARPGRADE_ROOT": str(self.course), "WARPGRADE_CUDA_HOME": str(cuda), "WARPGRADE_SIM_CARD": "t4",
            "LD_LIBRARY_PATH": str(cuda / "lib64"), "LD_PRELOAD": str(cuda / "lib64/libcuda.so.1"),
            "XDG_CACHE_HOME": str(self.folder / "cache"),
        }
        self.write("class.toml", 'exercises = ["coalescing/copy"]\n')

    def hand_in(self, **files):
        for student, text in files.items():
            self.write(f"{student}/copy.cu", text)

    def run_on_card(self, code, *options):
        return self.program(code, "run", self.book, self.submissions, "--backend", "gpu", *options, **self.card)

    def rows(self):
        out = self.folder / "out.csv"
        self.program(0, "export", self.book, "--format", "csv", "--out", out, **self.card)
        with out.open() as file:
            return list(csv.DictReader(file))

    def explained(self, student):
        """The report of a student's grade in the book."""
        ask = "SELECT student, report FROM attempt JOIN grade ON grade.key = attempt.grade_key"
        return json.loads(dict(self.ask(ask))[student])

    def single(self, student):
        out = self.folder / "one.json"
        words = self.command("", **self.card)
        words["args"] = [
            words["args"][0], "grade", "coalescing/copy", "--backend", "gpu", "--json", out,
            "--file", self.submissions / student / "copy.cu",
        ]
        done = subprocess.run(**words, capture_output=True, text=True, check=False, timeout=240)
        self.assertIn(done.returncode, (0, 1), done.stdout + done.stderr)
        return json.loads(out.read_text())

    def comparable(self, report):
        """The fields that both grades share exactly, and the measured numbers."""
        one = report["exercises"][0]
        gates = [
            {key: gate.get(key) for key in ("id", "metric", "device", "min", "max", "points", "passed", "waived")}
            for gate in one["gates"]
        ]
        values = [gate.get(key) for gate in one["gates"] for key in ("value", "low", "high")]
        facts = {key: one[key] for key in ("points", "max_points", "verdict", "reason", "correct", "sha256")}
        return {**facts, "gates": gates}, values

    def expect_agreement(self, student):
        ours, our_values = self.comparable(self.explained(student))
        single, values = self.comparable(self.single(student))
        self.assertEqual(single, ours, student)
        for expected, value in zip(values, our_values):
            self.assertAlmostEqual(expected or 0, value or 0, delta=0.01 * abs(expected or 0), msg=student)

    def test_a_class_and_single_grades_agree_and_slow_work_loses_its_points_in_both(self):
        self.hand_in(ada=self.right, bob=SLOW, cyd=self.skeleton, dan="no kernel", eve=self.right.replace("+=", "="))
        words = self.run_on_card(0)
        self.assertIn("Tesla T4: bounds on speed are shares of the solution's speed", words)
        rows = {row["student"]: row for row in self.rows()}
        # 2 for the result, 3 + 3 for coalescing, 2 for speed: labs/coalescing/grader.toml.
        self.assertEqual(("10", "pass", ""), tuple(rows["ada"][key] for key in ("points", "verdict", "waived")))
        self.assertEqual(("8", "performance", ""), tuple(rows["bob"][key] for key in ("points", "reason", "waived")))
        self.assertEqual(("0", "mechanism", ""), tuple(rows["cyd"][key] for key in ("points", "reason", "waived")))
        self.assertEqual(("0", "compile"), (rows["dan"]["points"], rows["dan"]["reason"]))
        for student in ("ada", "bob", "cyd"):
            self.expect_agreement(student)
        for student in ("dan", "eve"):
            one = self.single(student)["exercises"][0]
            self.assertEqual((f"{one['points']:g}", one["reason"]), (rows[student]["points"], rows[student]["reason"]))
        self.assertIn("nothing to grade", self.run_on_card(0), "the key of a grade has changed")

    def test_a_calibration_counts_in_both(self):
        self.hand_in(ada=self.right)
        # Four times `between`, 8 %, is added on each side of an interval: grader/grade/plan/gpu_calibration.cpp.
        calibration = {
            "schema": "warpgrade.card/1", "device": "Tesla T4", "driver": "", "date": "2026-11-26",
            **dict.fromkeys(
                ("copy_bytes", "copy_bytes_per_second", "memcpy_bytes_per_second", "datasheet_bytes_per_second"), 1
            ),
            "within": 0.01, "between": 0.02, "launch_seconds": 1e-6, "solutions": [],
        }
        file = self.folder / "cache/warpgrade/Tesla-T4_.json"
        file.parent.mkdir(parents=True)
        file.write_text(json.dumps(calibration))
        self.run_on_card(0)
        self.expect_agreement("ada")
        speed = next(gate for gate in self.explained("ada")["exercises"][0]["gates"] if "low" in gate)
        self.assertAlmostEqual(speed["value"] / 1.08, speed["low"], delta=0.002)

    def test_a_waived_gate_is_reported_and_refused_by_strict(self):
        (self.course / "solutions/coalescing/copy.cu").unlink()
        (self.course / "labs/broken").mkdir()
        (self.course / "labs/broken/grader.toml").write_text("not TOML")
        self.hand_in(ada=self.right)
        words = self.run_on_card(0)
        self.assertIn("Tesla T4: the solution of coalescing/copy has no speed, so its gate is waived", words)
        self.assertIn("coalescing/copy: 1 student has the points of speed_h200, which the card cannot decide", words)
        self.assertEqual("speed_h200", self.rows()[0]["waived"])
        self.assertIn("1 student has the points", self.program(0, "status", self.book, **self.card))
        words = self.run_on_card(3, "--strict")
        self.assertIn("has a gate that the card cannot decide; --strict leaves them open", words)
        self.assertEqual("", self.rows()[0]["points"])


if __name__ == "__main__":
    unittest.main()
