# SPDX-License-Identifier: Apache-2.0
"""`warpgrade watch` in a terminal of its own, by keystrokes and by saves.

Arguments: the program, then the root of the project. Each step waits for what the terminal shows.
"""

import json
import os
import pathlib
import pty
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from program_case import PROGRAM, RIGHT, ROOT, main

SKELETON_VALUE = "Line 28 uses 4 of the 32 bytes in each sector"


class Watch(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.course = pathlib.Path(folder.name)
        shutil.copytree(ROOT / "labs" / "coalescing", self.course / "labs" / "coalescing")
        shutil.copy(ROOT / "labs" / "gates.toml", self.course / "labs")
        self.file = self.course / "labs" / "coalescing" / "copy.cu"
        self.skeleton = self.file.read_text()
        self.environment = {
            **os.environ,
            "WARPGRADE_ROOT": str(self.course),
            "XDG_STATE_HOME": str(self.course / "state"),
            "XDG_CACHE_HOME": str(self.course / "cache"),
            "TERM": "xterm",
            "NO_COLOR": "1",
        }
        self.terminal, side = pty.openpty()
        self.before = subprocess.run(["stty", "-g"], stdin=side, capture_output=True, check=True).stdout
        self.program = subprocess.Popen(
            [PROGRAM, "watch", "coalescing", "--html", self.course / "page.html"],
            env=self.environment,
            start_new_session=True,
            stdin=side,
            stdout=side,
            stderr=side,
        )
        self.side = side
        self.addCleanup(self.end)
        self.expect(SKELETON_VALUE, "q quit", "(exercise 1 of 2)")

    def end(self):
        self.program.kill()
        self.program.wait()
        os.close(self.side)
        os.close(self.terminal)

    def expect(self, *texts):
        """Reads until all of `texts` have come in this order."""
        shown = ""
        for text in texts:
            while text not in shown:
                chunk = os.read(self.terminal, 65536)
                self.assertTrue(chunk)
                shown += chunk.decode(errors="replace").replace("\r", "")
            seen, shown = shown[: shown.index(text)], shown[shown.index(text) + len(text) :]
        return seen

    def press(self, key):
        os.write(self.terminal, key.encode())

    def save_by_rename(self, text):
        other = self.file.with_name("copy.cu~")
        other.write_text(text)
        os.replace(other, self.file)

    def test_a_save_is_graded_and_says_what_changed(self):
        self.save_by_rename(RIGHT)
        self.expect(
            "PASS  10 of 10 points",
            "since the last attempt\n  points: 0 -> 10 of 10\n",
            "loads_coalesced: 4 -> 32, passes now\n",
            "Passed. Press n for the next exercise, coalescing/transpose.",
        )
        self.file.write_text(self.skeleton)
        self.expect("FAIL  0 of 10 points", "points: 10 -> 0 of 10", "loads_coalesced: 32 -> 4, fails now")
        self.file.write_text(self.skeleton + "\n")
        self.expect("since the last attempt: nothing changed\n")

    def test_the_page_is_that_of_the_last_attempt_and_reloads(self):
        page = self.course / "page.html"
        self.assertNotIn("10 of 10 points", page.read_text())
        self.save_by_rename(RIGHT)
        self.expect("Press n for the next exercise")
        self.assertIn("10 of 10 points", page.read_text())
        self.assertIn('<meta http-equiv="refresh" content="2">', page.read_text())

    def test_a_broken_file_and_a_deleted_one(self):
        self.file.write_text("__global__ void copy(")
        self.expect("compile_error", "It no longer compiles.", "q quit")
        self.file.unlink()
        self.expect("labs/coalescing/copy.cu does not exist. Waiting for you to save it.")
        self.save_by_rename(self.skeleton)
        self.expect("The result is now right.")

    def test_only_a_key_leads_to_another_exercise(self):
        self.press("n")
        self.expect("coalescing/transpose: ", "(exercise 2 of 2)")
        self.press("n")
        self.expect("This is the last exercise.")
        self.file.write_text(RIGHT)  # A file of another exercise than the one on the screen.
        self.press("p")
        self.expect("coalescing/copy: ", "PASS  10 of 10 points")

    def test_after_a_pass_the_next_exercise_of_the_course_follows(self):
        self.press("n")
        self.expect("coalescing/transpose: ", "(exercise 2 of 2)")
        solution = pathlib.Path(ROOT, "solutions/coalescing/transpose.cu").read_text()
        (self.course / "labs/coalescing/transpose.cu").write_text(solution)
        self.expect("Press n for the next exercise, coalescing/copy.")
        self.press("n")
        self.expect("coalescing/copy: ", "(exercise 1 of 2)")

    def test_hints_come_one_by_one_and_go_with_the_report(self):
        self.press("h")
        self.assertNotIn("hint 3 of 4", self.expect("hint 2 of 4", "q quit"))
        self.press("h")
        self.expect("hint 2 of 4", "hint 3 of 4", "q quit")
        self.press("r")
        self.assertNotIn("hint 2 of 4", self.expect("q quit"))
        kept = json.loads((self.course / "cache" / "warpgrade" / "hints.json").read_text())
        self.assertEqual([3], list(kept.values()))

    def test_200_saves_end_with_the_last(self):
        for number in range(200):
            self.file.write_text(f"// {number}\n" + self.skeleton)
        self.file.write_text(RIGHT)
        self.expect("PASS  10 of 10 points", "Press n for the next exercise")

    def test_q_leaves_the_terminal_as_it_was(self):
        self.press("\x1b[A")  # An arrow key, which has no command.
        self.press("q")
        self.assertEqual(0, self.program.wait())
        self.assert_terminal_is_as_before()

    def test_a_signal_leaves_the_terminal_as_it_was(self):
        self.program.send_signal(signal.SIGTERM)
        self.assertEqual(-signal.SIGTERM, self.program.wait())
        self.assert_terminal_is_as_before()

    def test_what_cannot_be_written_costs_nothing_else_and_progress_is_told_once(self):
        shutil.rmtree(self.course / "state")
        (self.course / "state").write_text("no folder")
        (self.course / "page.html").unlink()
        (self.course / "page.html").mkdir()
        self.save_by_rename(RIGHT)
        self.expect("PASS  10 of 10 points", "page.html: cannot be written", "Your progress was not saved: ", "Press n")
        self.file.write_text(self.skeleton)
        seen = self.expect("since the last attempt")
        self.assertIn("page.html: cannot be written", seen)
        self.assertNotIn("Your progress", seen)

    def test_hints_go_on_where_nothing_can_be_kept(self):
        shutil.rmtree(self.course / "cache")
        (self.course / "cache").write_text("no folder")
        self.press("h")
        self.expect("hint 2 of 4", "q quit")
        self.press("h")
        self.expect("hint 2 of 4", "hint 3 of 4", "q quit")

    def test_what_was_reached_is_kept(self):
        self.save_by_rename(RIGHT)
        self.expect("Press n for the next exercise")
        kept = json.loads((self.course / "state" / "warpgrade" / "progress.json").read_text())
        entry = kept["courses"][str(self.course)]["coalescing/copy"]
        self.assertEqual({"best": 10, "last": 10, "of": 10, "passed": True, "attempts": 2}, entry)
        (self.course / "handouts").mkdir()
        for name in ("coalescing.md", "book.html"):
            (self.course / "handouts" / name).touch()
        environment = {**self.environment, "WARPGRADE_CALL": "./warpgrade"}
        overview = subprocess.run(
            [PROGRAM], cwd=self.course, env=environment, stdout=subprocess.PIPE, text=True, check=True
        ).stdout
        self.assertIn("./warpgrade watch coalescing/transpose ", overview)
        self.assertIn("All commands: ./warpgrade --help.", overview)
        self.assertIn("10 of 20 points  1 of 2 exercises passed", overview)
        self.assertIn("Next: coalescing/transpose", overview)
        self.assertIn("read   handouts/book.html#coalescing\n", overview)

    def assert_terminal_is_as_before(self):
        now = subprocess.run(["stty", "-g"], stdin=self.side, capture_output=True, check=True).stdout
        self.assertEqual(self.before, now)


if __name__ == "__main__":
    main()
