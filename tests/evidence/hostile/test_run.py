# SPDX-License-Identifier: Apache-2.0
"""Tests run.py on one file, with a fake program that runs the code of the test."""

import contextlib
import io
import json
import pathlib
import sys
import tempfile
import unittest

FOLDER = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER))
import run  # noqa: E402

NAME, LAB, EXERCISE = "bytes/empty", "coalescing", "copy"
# Runs the code of the test, which may change the report, the files and the exit code.
PROGRAM = """#!{python}
import json, os, pathlib, signal, subprocess, sys, time
words = sys.argv[1:]
file = pathlib.Path(words[words.index("--file") + 1])
report = pathlib.Path(words[words.index("--json") + 1])
answer = json.loads({answer!r})
code = 1
{does}
if answer is not None:
    report.write_text(json.dumps(answer))
sys.exit(code)
"""


def answer():
    item = {"lab": LAB, "exercise": EXERCISE, "verdict": "fail", "reason": "compile",
            "points": 0, "max_points": 10, "gates": [], "diagnostics": [], "correct": False,
            "fraction_of_copy": None, "file": "empty.cu", "sha256": None, "difference": None,
            "cause": None, "hint": None, "next": None, "why": None}
    return {"schema": "warpgrade.grade/1", "grader": {"version": "0.1.0", "commit": "unknown"},
            "toolkit": None, "time": "2026-01-01T00:00:00Z", "backend": "sim", "device": "k40",
            "seed": 1, "exercises": [item]}


class RunHostile(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)

    def run_script(self, does, *options):
        """(problems of the one file, its result) with a program that runs `does`."""
        program = self.root / "program"
        text = PROGRAM.format(python=sys.executable, answer=json.dumps(answer()), does=does)
        program.write_text(text)
        program.chmod(0o755)
        found = self.root / "found.json"
        told = io.StringIO()
        with contextlib.redirect_stdout(told):
            code = run.main([NAME, "--program", str(program), "--json", str(found), *options])
        (item,) = json.loads(found.read_text())["files"]
        self.assertEqual(1 if item["problems"] else 0, code, told.getvalue())
        return item["problems"], item

    def expect(self, fragment, does, *options):
        """Expects exactly one problem, which contains the fragment."""
        problems, _ = self.run_script(does, *options)
        self.assertEqual(1, len(problems), problems)
        self.assertIn(fragment, problems[0])

    def test_a_grade_that_does_no_harm_has_no_problem(self):
        problems, item = self.run_script("print('FAIL  0 of 10 points')")
        self.assertEqual(([], 1, "bytes"), (problems, item["exit"], item["family"]))
        self.assertLess(0, item["cpu_seconds"])
        self.assertLess(5, item["memory_mib"])

    def test_a_wrong_exit_code_is_told(self):
        self.expect("exit code 0", "code = 0")
        problems, _ = self.run_script("code = 2")
        self.assertTrue(problems[0].startswith("exit code 2"), problems)

    def test_a_signal_is_told(self):
        problems, _ = self.run_script("os.kill(os.getpid(), signal.SIGSEGV)")
        self.assertEqual("died of signal 11", problems[0])

    def test_what_could_not_be_graded_is_told(self):
        item = "answer['exercises'][0]"
        error = f"code = 3; {item}.update(verdict='error', reason='tool')"
        self.expect("could not be graded", error)

    def test_a_report_that_is_missing_broken_or_of_another_exercise_is_told(self):
        self.expect("no report", "answer = None")
        self.expect("is no JSON", "answer = None; report.write_text('{')")
        if run.Draft202012Validator:
            self.expect("is not as its schema says", "del answer['seed']")
        self.expect("is no JSON", "answer = None; report.write_text('[NaN]')")
        self.expect("is no JSON", "answer = None; report.write_bytes(b'\"\\xff\"')")
        self.expect("does not have one exercise", "answer['exercises'] *= 2")
        self.expect("is on a/copy", "answer['exercises'][0]['lab'] = 'a'")
        self.expect("bytes of JSON", "answer['exercises'][0]['next'] = 'x' * 2000000")

    def test_processor_time_counts_over_all_processes(self):
        spin = "end = time.process_time() + 0.7\\nwhile time.process_time() < end: pass"
        one = f"subprocess.run([sys.executable, '-c', 'import time\\n{spin}'])\n"
        self.expect("s of processor time, more than 1", one * 2, "--cpu", "1")

    def test_a_grade_that_goes_on_is_stopped(self):
        problems, item = self.run_script("while True: pass", "--limit", "1")
        self.assertIn("was stopped: it has used", problems[0])
        self.assertFalse(item["graded"])

    def test_memory_counts_over_all_processes(self):
        hold = "import time; x = bytearray(60 << 20); time.sleep(3)"
        both = f"""
some = [subprocess.Popen([sys.executable, "-c", {hold!r}]) for _ in range(2)]
[one.wait() for one in some]
"""
        problems, _ = self.run_script(both, "--memory", "100")
        self.assertIn("was stopped: it holds", problems[0])
        self.assertEqual([], self.run_script(both, "--memory", "300")[0])

    def test_memory_that_was_held_for_a_moment_counts(self):
        problems, item = self.run_script("x = bytearray(200 << 20); del x", "--memory", "100")
        self.assertTrue(any(problem.startswith("held ") for problem in problems), problems)
        self.assertLessEqual(100, item["memory_mib"])

    def test_a_process_that_stays_is_told_and_ended(self):
        sleep = "['sleep', '1000'], start_new_session=True, stdout=-3, stderr=-3"
        self.expect("left a process: sleep", f"subprocess.Popen({sleep})")

    def test_a_file_that_stays_is_told(self):
        kept = "pathlib.Path(os.environ['XDG_CACHE_HOME']) / 'warpgrade'"
        self.assertEqual([], self.run_script(f"os.makedirs({kept})")[0])
        for place in ("file.parent", "pathlib.Path()", "pathlib.Path(os.environ['TMPDIR'])",
                      "pathlib.Path(os.environ['HOME'])"):
            self.expect("left a file", f"({place} / 'lock').write_text('')")
        self.expect("left a file", "file.write_text('changed')")

    def test_what_the_terminal_must_not_get_is_told(self):
        self.expect("control character '\\x1b'", r"print('a \x1b[2J')")
        self.expect("control character '\\u202e'", "print('\\u202e')")
        self.expect("not UTF-8", r"sys.stdout.buffer.write(b'\xff')")
        self.expect("the text has 70001 bytes", "print('x' * 70000)")


class Families(unittest.TestCase):
    def test_there_are_500_files_and_they_are_always_the_same(self):
        files, again = run.every(), run.every()
        self.assertLessEqual(500, len(files))
        self.assertLess(10, len({file.exercise for file in files}))
        for one, other in zip(files, again):
            self.assertEqual((one.name, one.exercise), (other.name, other.exercise))
            self.assertEqual(one.bytes(), other.bytes(), one.name)

    def test_each_word_of_a_kernel_is_replaced(self):
        for file in run.every():
            if file.family in ("loops", "barriers", "addresses", "assembly", "output"):
                self.assertNotRegex(file.bytes().decode(), r"\b(KERNEL|LOOP|OUT|SIZE|INDEX|NAME)\b")

    def test_the_table_has_a_row_for_each_family(self):
        self.assertEqual([], list(run.table_problems(FOLDER / "README.md", run.every())))

    def test_the_table_is_made_of_what_was_found(self):
        found = {
            name: {"file": name, "exit": code, "as_expected": code == 1, "cpu_seconds": seconds,
                   "memory_mib": held}
            for name, code, seconds, held in (("a/x", 1, 2.6, 9), ("a/y", 0, 1, 50))
        }
        names = ["a/x", "a/y"]
        line = "| a | 2 | 1 | 1 | 0 | 1 | 3 s, `x` | 50 MiB, `y` |"
        self.assertEqual(line, run.table_row("a", names, found))
        self.assertEqual("| a | 3 |  |  |  |  |  |  |", run.table_row("a", [*names, "a/z"], found))


if __name__ == "__main__":
    unittest.main()
