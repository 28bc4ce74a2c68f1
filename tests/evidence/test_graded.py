# SPDX-License-Identifier: Apache-2.0
"""The run.py of cheats and of right kernels on small corpora, with programs that say what the test wants."""

import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

FOLDER = pathlib.Path(__file__).resolve().parent
CHEAT = """// SPDX-License-Identifier: Apache-2.0
// tries: {name}
// stopped by: the test
// verdict: fail incorrect, 0 points
"""
README = """# Corpus

| cheat | tries | stopped by | simulated | H200 |
|---|---|---|---|---|
| `lab/copy/a` | a | the test | said before |  |
"""
# Takes its behaviour from a file beside it, named as the cheat; notes that it was called.
CHEATING_PROGRAM = """#!/bin/sh
here=$(dirname "$0")
name=$(basename "$4" .cu)
echo $name >> $here/called
while [ $# -gt 0 ]; do [ "$1" = --json ] && json=$2; shift; done
. $here/$name.sh
"""
WRONG = """echo '  why   out[0]: expected 1,'
echo '        got 2'
echo '  next  Trace it.'
echo '  wrong in case large (n = 9) on h200 on the GPU'
echo '  also wrong: small'
cp $here/wrong.json $json; exit 1
"""
REPORT = {
    "exercises": [
        {"verdict": "fail", "reason": "incorrect", "points": 0, "max_points": 10,
         "gates": [], "diagnostics": []}
    ]
}
RIGHT_PROGRAM = """#!/bin/sh
here=$(dirname "$0")
while [ $# -gt 0 ]; do [ "$1" = --json ] && json=$2; shift; done
cp $here/report.json $json
exit $(cat $here/code)
"""
SLOW = "fail performance, 9 points; the card is slow at it"


class RunScript(unittest.TestCase):
    """A copy of the script of a corpus, beside a program."""

    def copy(self, corpus, program):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.corpus = self.root / "tests" / "evidence" / corpus
        (self.corpus / "lab" / "copy").mkdir(parents=True)
        shutil.copy(FOLDER / corpus / "run.py", self.corpus)
        shutil.copy(FOLDER / "graded.py", self.corpus.parent)
        (self.root / "program").write_text(program)
        (self.root / "program").chmod(0o755)

    def run_copy(self, *options):
        done = subprocess.run(
            [sys.executable, "-B", self.corpus / "run.py", "--program", self.root / "program", *options],
            capture_output=True, text=True, check=False,
        )
        return done.returncode, done.stdout + done.stderr


class RunCheats(RunScript):
    def setUp(self):
        self.copy("cheats", CHEATING_PROGRAM)
        for name in "abc":
            (self.corpus / "lab" / "copy" / f"{name}.cu").write_text(CHEAT.format(name=name))
            (self.root / f"{name}.sh").write_text(WRONG)
        (self.corpus / "README.md").write_text(README)
        (self.root / "wrong.json").write_text(json.dumps(REPORT))

    def run_script(self, *options):
        (self.root / "called").write_text("")
        return self.run_copy("--backend", "gpu", "--json", self.root / "found.json", *options)

    def called(self):
        return sorted((self.root / "called").read_text().split())

    def found(self):
        cheats = json.loads((self.root / "found.json").read_text())["cheats"]
        return {item["cheat"]: item for item in cheats}

    def test_a_line_says_what_stopped_a_cheat(self):
        code, output = self.run_script("--accept", "--jobs", "3")
        self.assertEqual(0, code, output)
        stopped = "wrong in case large (n = 9) on h200 on the GPU: out[0]: expected 1, got 2"
        self.assertIn(f"      {stopped}\n", output)
        self.assertEqual(stopped, self.found()["lab/copy/b"]["stopped_by"])
        readme = (self.corpus / "README.md").read_text()
        self.assertIn(
            "| `lab/copy/a` | a | the test | said before | fail incorrect, 0 points |", readme
        )

    def test_one_that_does_not_end_is_stopped_and_told_and_the_others_are_kept(self):
        (self.root / "b.sh").write_text("sleep 1000 &\nwhile :; do :; done")
        code, output = self.run_script("--accept", "--limit", "1")
        self.assertEqual(1, code, output)
        self.assertIn("FAIL  lab/copy/b: not graded", output)
        self.assertIn("it did not end within 1 s of processor time", output)
        self.assertEqual([True, False, True], [item["graded"] for item in self.found().values()])
        readme = (self.corpus / "README.md").read_text()
        self.assertIn("| `lab/copy/b` | b | the test |  |  |", readme)

    def test_missing_ones_are_graded_and_nothing_twice(self):
        (self.root / "b.sh").write_text("exit 3")
        code, output = self.run_script("--accept")
        self.assertEqual(1, code, output)
        self.assertIn("exit code 3 without a report", output)
        (self.root / "b.sh").write_text(WRONG)
        code, output = self.run_script("--accept", "--missing")
        self.assertEqual(0, code, output)
        self.assertEqual(["b"], self.called())
        self.assertIn("1 cheats graded, 2 before, 0 not as they should be", output)
        self.assertEqual(3, (self.corpus / "README.md").read_text().count("fail incorrect"))

    def test_each_commit_grades_a_part_and_a_seed_repeats_it(self):
        chosen = {}
        for seed in map(str, range(12)):
            _, output = self.run_script("--part", "2", "--seed", seed)
            self.assertIn(f"the same files again: --part 2 --seed {seed}\n", output)
            chosen[seed] = self.called()
        self.assertEqual(set("abc"), {name for names in chosen.values() for name in names})
        self.assertLess(sum(map(len, chosen.values())), 3 * len(chosen))
        self.run_script("--part", "2", "--seed", "7")
        self.assertEqual(chosen["7"], self.called())

    def test_what_was_not_as_expected_before_still_is_not(self):
        (self.root / "b.sh").write_text(WRONG.replace("exit 1", "exit 0"))
        self.assertEqual(1, self.run_script("--accept")[0])
        code, output = self.run_script("--accept", "--missing")
        self.assertEqual((1, []), (code, self.called()), output)


class RunRight(RunScript):
    def setUp(self):
        self.copy("right", RIGHT_PROGRAM)

    def run_script(self, head, points, *options, reason="performance"):
        """(exit code, output) with that head where the program gives so many of 10 points."""
        passed = points == 10
        item = {
            "verdict": "pass" if passed else "fail", "reason": "none" if passed else reason,
            "points": points, "max_points": 10, "diagnostics": [],
            "gates": [{"id": "speed", "device": "k40", "passed": passed}],
        }
        (self.root / "report.json").write_text(json.dumps({"exercises": [item]}))
        (self.root / "code").write_text("0" if passed else "1")
        lines = ["// SPDX-License-Identifier: Apache-2.0", "// By floats.", *head]
        (self.corpus / "lab" / "copy" / "a.cu").write_text("\n".join(lines) + "\n")
        return self.run_copy("--all", *options)

    def test_a_right_kernel_needs_full_points(self):
        self.assertEqual(0, self.run_script([], 10)[0])
        code, output = self.run_script([], 9)
        self.assertEqual(1, code)
        self.assertIn("is fail performance, 9 points of 10, and the kernel is right", output)
        self.assertIn("gate speed on k40", output)

    def test_a_head_may_say_which_points_it_deserves(self):
        self.assertEqual(0, self.run_script([f"// deserves: {SLOW}"], 9)[0])
        self.assertEqual(1, self.run_script([f"// deserves: {SLOW}"], 8)[0])
        self.assertEqual(1, self.run_script([f"// deserves: {SLOW}"], 9, reason="mechanism")[0])

    def test_an_unfair_grade_is_told_until_it_is_mended(self):
        code, output = self.run_script([f"// unfair: {SLOW}"], 9)
        self.assertEqual(0, code, output)
        self.assertIn("1 are known to be graded unfairly: lab/copy/a", output)
        code, output = self.run_script([f"// unfair: {SLOW}"], 10)
        self.assertEqual(1, code)
        self.assertIn("gets full points: take 'unfair:' out of its head", output)

    def test_a_gpu_may_have_a_line_of_its_own(self):
        head = [f"// unfair: {SLOW}", "// unfair on a GPU: pass; no K40 is", "//   asked there"]
        self.assertEqual(0, self.run_script(head, 9)[0])
        self.assertEqual(0, self.run_script(head, 10, "--backend", "gpu")[0])
        self.assertEqual(1, self.run_script(head, 9, "--backend", "gpu")[0])

    def test_without_a_line_of_its_own_a_gpu_has_that_of_the_simulator(self):
        self.assertEqual(0, self.run_script([f"// unfair: {SLOW}"], 9, "--backend", "gpu")[0])

    def test_a_head_without_a_reason_is_refused(self):
        self.assertNotEqual(0, self.run_script(["// deserves: fail performance, 9 points"], 9)[0])

    def test_a_name_that_is_not_there_fails(self):
        code, output = self.run_script([], 10, "lab/copy/a", "lab/copy/b")
        self.assertEqual(1, code)
        self.assertIn("there is no lab/copy/b", output)


if __name__ == "__main__":
    unittest.main()
