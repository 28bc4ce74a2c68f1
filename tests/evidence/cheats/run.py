# SPDX-License-Identifier: Apache-2.0
"""Grades the corpus of cheats and compares each verdict with the one that its head asks for.

    python3 tests/evidence/cheats/run.py [--backend sim|gpu] [--jobs N] [--limit S] [--json FILE [--missing]]
                                [--slow] [--part N [--seed SEED]] [--accept] [NAME...]

Each LAB/EXERCISE/NAME.cu is graded as a submission for LAB/EXERCISE, and so is each folder
LAB/EXERCISE/NAME with an EXERCISE.cu in it. The file's head, lines of comments, says

    tries:              what the student hopes for
    stopped by:         the defence, and the file where it is
    verdict:            VERDICT [REASON [KIND]], N points; verdict and reason are those of the
                        JSON contract, KIND is that of the first diagnostic, N is the most that it
                        may earn: what an honest kernel with the same work earns
    verdict on a GPU:   where that differs; VERDICT may be "any"
    slow:               why it is graded with --slow only
    shows:, hides:      text that the report must hold, or must not; escapes as in Python

A line a cheat says what became of it and what stopped it, as soon as it is graded; FILE then has it,
too. With --missing those that FILE has are not graded again, so that a run that was cut can go on.
With --accept the table of README.md is written anew: what was found goes to the backend's column.
Without, the table must have a row for each file, with its head's verdict. --part grades one file of N; which
ones follows from SEED, by default the commit. Needs no network; a GPU
for --backend gpu only. Exits 1 where a verdict is another one, or a grade takes more than --limit
seconds of processor time: a machine that is busy with something else makes none of them fail.
"""

import argparse
import pathlib
import re
import sys

CORPUS = pathlib.Path(__file__).resolve().parent
ROOT = CORPUS.parents[2]
sys.path.insert(0, str(CORPUS.parent))
import graded  # noqa: E402

KEYS = ("tries", "stopped by", "verdict", "verdict on a GPU", "slow", "shows", "hides")
VERDICT = re.compile(r"(pass|fail|inconclusive|error|any)((?: [a-z_]+){0,2}), ([0-9]+) points?")
COLUMNS = ("cheat", "tries", "stopped by", "simulated", "H200")
# A report is a few pages, whatever a kernel prints.
MOST_SHOWN = 64 * 1024


class Cheat(graded.Submission):
    """One file of the corpus and what its head says."""

    def __init__(self, file):
        super().__init__(CORPUS, file, KEYS)
        for needed in ("tries", "stopped by", "verdict"):
            if len(self.head[needed]) != 1:
                raise ValueError(f"{file}: the head must say once what it '{needed}'")

    def texts(self, key):
        return [text.encode("latin-1", "backslashreplace").decode("unicode_escape")
                for text in self.head[key]]

    def expected(self, backend):
        """(verdict, [reason, kind], most points) on that backend."""
        text = self.text("verdict on a GPU") if backend == "gpu" else ""
        found = VERDICT.fullmatch(text or self.text("verdict"))
        if not found:
            raise ValueError(f"{self.file}: no verdict: {text or self.text('verdict')}")
        return found[1], found[2].split(), int(found[3])


def problems(cheat, grade, backend):
    """Sentences on what differs from the cheat's head."""
    verdict, words, most = cheat.expected(backend)
    if not grade.json:
        yield f"{grade.stopped_by()}: {grade.text[-500:]}"
        return
    found = [grade.verdict, grade.reason, *grade.kinds[:1]]
    wanted = [verdict, *words]
    if verdict not in ("any", "pass") and found[: len(wanted)] != wanted:
        yield f"is {' '.join(found)} and should be {' '.join(wanted)}"
    if verdict == "pass" and grade.verdict != "pass":
        yield f"is {' '.join(found)} and should pass: the work that it does is honest"
    if grade.points > most:
        yield f"earns {grade.points} points and must not earn more than {most}"
    yield from graded.code_problems(grade)
    for text in cheat.texts("shows"):
        if text not in grade.text:
            yield f"the report lacks {text!r}"
    for text in cheat.texts("hides"):
        if text in grade.text:
            yield f"the report holds {text!r}"
    if len(grade.text) > MOST_SHOWN:
        yield f"the report has {len(grade.text)} bytes"


def rows(text):
    """The table's cells by the cheat's name."""
    lines = [line for line in text.splitlines() if line.startswith("| ")]
    cells = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines]
    return {row[0].strip("`"): row for row in cells[1:] if len(row) == len(COLUMNS)}


def table(cheats, old, results):
    """README.md's lines of the table: heads, and the backend's column as it was found."""
    yield "| " + " | ".join(COLUMNS) + " |"
    yield "|" + "---|" * len(COLUMNS)
    for cheat in cheats:
        before = old.get(cheat.name, [""] * len(COLUMNS))
        cells = [f"`{cheat.name}`", cheat.text("tries"), cheat.text("stopped by"), *before[3:]]
        found = results.found.get(cheat.name)
        if found and found["graded"]:
            cells[3 if results.backend == "sim" else 4] = found["shown"]
        yield "| " + " | ".join(cells) + " |"


def accept(cheats, results):
    readme = CORPUS / "README.md"
    text = readme.read_text(encoding="utf-8")
    old = rows(text)
    prose = [line for line in text.splitlines() if not line.startswith("|")]
    lines = [*prose, *table(cheats, old, results)]
    readme.write_text("\n".join(lines) + "\n", encoding="utf-8")


def table_problems(cheats):
    """Rows of README.md that are missing or say something else than the heads."""
    found = rows((CORPUS / "README.md").read_text(encoding="utf-8"))
    for cheat in cheats:
        wanted = [f"`{cheat.name}`", cheat.text("tries"), cheat.text("stopped by")]
        if found.get(cheat.name, [])[:3] != wanted:
            yield f"README.md: the row of {cheat.name} is not as its head says; run with --accept"
    for name in found.keys() - {cheat.name for cheat in cheats}:
        yield f"README.md: there is no {name}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    graded.add_options(parser, ROOT)
    parser.add_argument("--slow", action="store_true", help="grade those that take long, too")
    graded.add_part(parser, 1)
    parser.add_argument("--accept", action="store_true", help="write README.md's table anew")
    options = parser.parse_args()
    if options.missing and not options.json:
        parser.error("--missing needs the --json file to go on from")
    folders = [file for file in CORPUS.glob("*/*/*/*.cu") if file.stem == file.parts[-3]]
    every = [Cheat(file) for file in sorted([*CORPUS.glob("*/*/*.cu"), *folders])]
    cheats = [cheat for cheat in every if options.slow or not cheat.text("slow")]
    if options.names:
        cheats = [cheat for cheat in every if cheat.name in options.names]
    elif options.part > 1:
        cheats = graded.drawn(cheats, options.part, graded.seed_of(options, ROOT))
    results = graded.grade_all("cheat", cheats, options, problems)
    failures = graded.unexpected(cheats, results)
    if options.accept:
        accept(every, results)
    elif not options.names:
        for problem in table_problems(every):
            print(problem)
            failures += 1
    graded.say_how_many(cheats, results, failures)
    return 1 if failures or not cheats else 0


if __name__ == "__main__":
    sys.exit(main())
