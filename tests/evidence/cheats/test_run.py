# SPDX-License-Identifier: Apache-2.0
"""run.py on a corpus of three files and a program that says what the test wants of each."""

import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parent / "run.py"
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
PROGRAM = """#!/bin/sh
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


class RunCheats(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.corpus = self.root / "tests" / "evidence" / "cheats"
        (self.corpus / "lab" / "copy").mkdir(parents=True)
        shutil.copy(SCRIPT, self.corpus)
        shutil.copy(SCRIPT.parents[1] / "graded.py", self.corpus.parent)
        for name in "abc":
            (self.corpus / "lab" / "copy" / f"{name}.cu").write_text(CHEAT.format(name=name))
            (self.root / f"{name}.sh").write_text(WRONG)
        (self.corpus / "README.md").write_text(README)
        (self.root / "wrong.json").write_text(json.dumps(REPORT))
        (self.root / "program").write_text(PROGRAM)
        (self.root / "program").chmod(0o755)

    def run_script(self, *options):
        (self.root / "called").write_text("")
        done = subprocess.run(
            [sys.executable, "-B", self.corpus / "run.py", "--program", self.root / "program",
             "--backend", "gpu", "--json", self.root / "found.json", *options],
            capture_output=True, text=True, check=False,
        )
        return done.returncode, done.stdout + done.stderr

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

    def test_what_was_not_as_expected_before_still_is_not(self):
        (self.root / "b.sh").write_text(WRONG.replace("exit 1", "exit 0"))
        self.assertEqual(1, self.run_script("--accept")[0])
        code, output = self.run_script("--accept", "--missing")
        self.assertEqual((1, []), (code, self.called()), output)


if __name__ == "__main__":
    unittest.main()
