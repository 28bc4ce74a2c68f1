# SPDX-License-Identifier: Apache-2.0
"""Completion in a real bash, and the manual page.

Arguments: the program, then the root of the project.
"""

import os
import pathlib
import pty
import re
import shutil
import subprocess
import sys
import tempfile
import unittest


def environment(**more):
    return {**os.environ, "WARPGRADE_ROOT": str(ROOT), **more}


def output_of(*arguments):
    return subprocess.run(
        [PROGRAM, *arguments], capture_output=True, check=True, env=environment(), text=True
    ).stdout


class Completion(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "warpgrade").symlink_to(PROGRAM)
        (self.folder / "rc").write_text(
            f"PS1='> '\nPATH={self.folder}:$PATH\n" + output_of("completion", "bash")
        )

    def type_into_bash(self, keys):
        """Types `keys` into an interactive bash, which then ends; returns the terminal's output."""
        terminal, bash_side = pty.openpty()
        bash = subprocess.Popen(
            ["bash", "--noprofile", "--rcfile", self.folder / "rc", "-i"],
            cwd=self.folder,
            env=environment(TERM="dumb", INPUTRC="/dev/null", HISTFILE="/dev/null"),
            start_new_session=True,
            stdin=bash_side,
            stdout=bash_side,
            stderr=bash_side,
        )
        os.close(bash_side)
        shown = b""
        while not shown.endswith(b"> "):  # output before the prompt does not reach readline
            shown += os.read(terminal, 65536)
        os.write(terminal, keys.encode() + b"exit 0\n")
        try:
            while chunk := os.read(terminal, 65536):
                shown += chunk
        except OSError:  # Linux reports that the other side has been closed.
            pass
        os.close(terminal)
        self.assertEqual(0, bash.wait(), shown)
        return shown.decode().replace("\r", "")

    def test_of_a_command_and_its_argument_runs_what_was_meant(self):
        shown = self.type_into_bash("warpgrade dev\tk4\t\n")
        self.assertIn("warpgrade devices k40", shown)
        self.assertIn("NVIDIA Tesla K40", shown)

    def test_inserts_every_candidate_where_asked(self):
        # Meta-* inserts all candidates.
        shown = self.type_into_bash("warpgrade grade coalescing/\x1b*\x15")
        self.assertIn("coalescing/copy coalescing/transpose", shown)
        shown = self.type_into_bash("warpgrade grade --backend=\x1b*\x15")
        self.assertIn("--backend=auto gpu sim", shown)
        shown = self.type_into_bash("./warpgrade study cam\t\x15")
        self.assertIn("./warpgrade study camping", shown)

    def test_leaves_files_to_the_shell(self):
        (self.folder / "submission.cu").write_text("")
        shown = self.type_into_bash("warpgrade grade coalescing/copy --file subm\t\x15")
        self.assertIn("--file submission.cu", shown)

    def test_is_quiet_where_there_is_no_course(self):
        done = subprocess.run(
            [PROGRAM, "complete", "grade", ""],
            capture_output=True,
            env=environment(WARPGRADE_ROOT="/nonexistent"),
            text=True,
            check=False,
        )
        self.assertEqual((0, "", ""), (done.returncode, done.stdout, done.stderr))

    def test_is_for_bash(self):
        done = subprocess.run([PROGRAM, "completion", "csh"], capture_output=True, check=False)
        self.assertEqual(2, done.returncode)


class ManPage(unittest.TestCase):
    def test_is_accepted_by_groff(self):
        if not shutil.which("groff"):
            self.skipTest("there is no groff")
        done = subprocess.run(
            ["groff", "-man", "-ww", "-Tutf8"],
            input=output_of("man-page"),
            capture_output=True,
            text=True,
            check=True,
        )
        self.assertEqual("", done.stderr)
        shown = re.sub(".\x08", "", done.stdout)  # bold: each letter struck twice
        self.assertIn("warpgrade grade\n       Grade your files", shown)
        self.assertIn("--backend auto|sim|gpu", shown)


if __name__ == "__main__":
    PROGRAM, ROOT = (pathlib.Path(path).resolve() for path in sys.argv[1:3])
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
