# SPDX-License-Identifier: Apache-2.0
"""Runs every command of the chapters, the README and the documents as written, and compares the output shown.

Arguments: the program, then the root of the project. A command begins with `./warpgrade`. It is a line of a
block without a language, or a piece of code in a text. In a block it may continue after a backslash. Lines
below a `$ ./warpgrade ...` are its output. They must occur there without a gap; a line `...` matches any lines.
Commands run in a separate folder with links to the project's files, so they write nothing into the tree.

Of the grades of skeletons and the studies whose output is not shown, one of three runs, drawn by the commit; of the
others the exercise or the study must exist. --all runs all of them, as the weekly run does.
"""

import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "evidence"))
import graded  # noqa: E402

PART = 3

# Commands that are not run here, and the reason.
LEFT_OUT = {
    "./warpgrade --offline FOLDER COMMAND": "the form of a command; it sets the project up anew",
    "./warpgrade": "the program without a command, in the middle of a sentence",
    "./warpgrade calibrate": "needs a GPU",
    "./warpgrade grade coalescing/copy --file submission.cu --backend gpu --counters --json report.json":
        "needs a GPU",
    "./warpgrade check --backend gpu": "needs a GPU",
    "./warpgrade check": "takes minutes; the tests of the labs grade the same files",
    "./warpgrade grade": "every skeleton; the tests of the labs grade them",
    "./warpgrade grade --solutions": "every solution; the tests of the labs grade them",
    "./warpgrade new scaling/scale": "writes into the course; tests/cli/test_new.py does that elsewhere",
    "./warpgrade check scaling": "needs the lab of the command above; tests/cli/test_new.py runs it",
    "./warpgrade check --write scaling": "needs the lab that the chapter writes: test_new_lab.py does that",
    "./warpgrade pack ../course": "builds the project anew; the test below packs without that",
    "./warpgrade study calibration": "takes a minute or two; the calibration tests hold its values",
    "./warpgrade watch coalescing": "waits for keys; tests/cli/test_watch.py presses them",
    "./warpgrade test": "this test is one of them",
}
# Files that a command names and its user provides.
MADE_FILES = {"submission.cu": "labs/coalescing/copy.cu", "my.toml": "studies/strides.toml"}


def joined_lines(text):
    return re.sub(r"\\\n\s*", "", text)


def commands_of(chapter):
    """Pairs of a command and the lines of its output that are shown."""
    found = []
    blocks = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
    for language, block in blocks.findall(chapter):
        shown = None
        for line in [] if language else joined_lines(block).splitlines():
            if re.match(r"(\$ )?\./warpgrade\b", line):
                shown = []
                found.append((line.removeprefix("$ ").split("  #")[0].strip(), shown))
                shown = shown if line.startswith("$ ") else None
            elif shown is not None:
                shown.append(line)
    for code in re.findall(r"(?<!`)`(\./warpgrade[^`]*)`(?!`)", blocks.sub("", chapter)):
        found.append((" ".join(code.split()), []))
    return found


def long_name(command, shown):
    """The file that a long command without shown output needs; None for other commands."""
    found = re.fullmatch(r"\./warpgrade (grade|study) ([\w/]+)", command)
    if shown or not found:
        return None
    folder = {"grade": "labs", "study": "studies"}[found[1]]
    return f"{folder}/{found[2]}"


def stand_together(shown, printed):
    """Whether `printed` contains the lines `shown` in order; "..." matches any lines."""
    pieces = [[]]
    for line in shown:
        if line.strip() == "...":
            pieces.append([])
        else:
            pieces[-1].append(line.rstrip())
    at = 0
    for piece in pieces:
        while printed[at : at + len(piece)] != piece:
            at += 1
            if at + len(piece) > len(printed):
                return False
        at += len(piece)
    return True


CHAPTERS = {}


class Commands(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        for entry in ROOT.iterdir():
            if entry.name not in ("build", ".git"):
                (self.folder / entry.name).symlink_to(entry)
        for name, like in MADE_FILES.items():
            (self.folder / name).symlink_to(ROOT / like)
        (self.folder / "kernels").symlink_to(ROOT / "studies" / "kernels")

    def run_command(self, command):
        words = shlex.split(command)
        self.assertEqual("./warpgrade", words[0])
        return subprocess.run(
            [PROGRAM, *words[1:]],
            cwd=self.folder,
            # The chapters show reports from a machine without a GPU.
            env={**os.environ, "WARPGRADE_ROOT": str(self.folder), "CUDA_VISIBLE_DEVICES": ""},
            capture_output=True,
            text=True,
            check=False,
        )

    def test_there_are_commands_in_every_chapter(self):
        for name, chapter in CHAPTERS.items():
            if not name.startswith(("docs/", "handouts/README.md")):  # these need no commands
                self.assertTrue(commands_of(chapter), name)

    def test_nothing_is_left_out_that_no_chapter_has(self):
        all_commands = {c for chapter in CHAPTERS.values() for c, _ in commands_of(chapter)}
        self.assertEqual(set(), set(LEFT_OUT) - all_commands)

    def test_each_does_what_the_chapter_says(self):
        done = {}
        whole = {(command, long_name(command, shown)) for chapter in CHAPTERS.values() for command, shown in commands_of(chapter)}
        long = sorted(command for command, name in whole if name)
        drawn = set(long if ALL else graded.drawn(long, PART, SEED, str))
        for name, chapter in CHAPTERS.items():
            for command, shown in commands_of(chapter):
                if command in LEFT_OUT:
                    self.assertEqual([], shown, f"{name}: {command} shows what nobody compares")
                    continue
                with self.subTest(chapter=name, command=command):
                    if command in long and command not in drawn and not shown:
                        there = ROOT / long_name(command, shown)
                        self.assertTrue(there.is_dir() or list(ROOT.glob(f"{there.relative_to(ROOT)}.*")), "nothing has this name")
                        continue
                    if command not in done:
                        done[command] = self.run_command(command)
                    output = done[command].stdout + done[command].stderr
                    # A skeleton is graded and does not pass.
                    codes = (0, 1) if shlex.split(command)[1] == "grade" else (0,)
                    self.assertIn(done[command].returncode, codes, output)
                    printed = [line.rstrip() for line in done[command].stdout.splitlines()]
                    self.assertTrue(
                        stand_together(shown, printed),
                        f"{name} shows\n" + "\n".join(shown) + "\nbut it prints\n" + output,
                    )

    def test_a_changed_line_is_noticed(self):
        self.assertTrue(stand_together(["b", "...", "d"], ["a", "b", "c", "c", "d"]))
        self.assertFalse(stand_together(["b", "d"], ["a", "b", "c", "d"]))
        self.assertFalse(stand_together(["b", "...", "a"], ["a", "b", "c", "d"]))
        self.assertEqual(
            [("./warpgrade list --all x", ["out"]), ("./warpgrade devices k40", [])],
            commands_of("```\n$ ./warpgrade list \\\n    --all x\nout\n```\nSee `./warpgrade devices\nk40`.\n"),
        )


if __name__ == "__main__":
    PROGRAM = str(pathlib.Path(sys.argv[1]).absolute())
    ROOT = pathlib.Path(sys.argv[2]).absolute()
    ALL = "--all" in sys.argv
    SEED = graded.commit_of(ROOT)
    print(f"draws by {SEED}")
    for pattern in ("README.md", "handouts/*.md", "docs/*.md"):
        for file in sorted(ROOT.glob(pattern)):
            CHAPTERS[file.relative_to(ROOT).as_posix()] = file.read_text()
    unittest.main(argv=[sys.argv[0], *(one for one in sys.argv[3:] if one != "--all")], verbosity=1)
