# SPDX-License-Identifier: Apache-2.0
"""Grades wrong files as students write them, and wants the stated cause in the first line of each report.

    python3 tests/evidence/causes/run.py [--all] [--jobs N] [--json FILE [--missing]] [NAME...]

The head of each LAB/EXERCISE/NAME.cu has

    cause:    ID line=N      the mistake (docs/causes.md); `ID|ID` if either name is right. The line may be missing
    says:     what a tutor would say
    never:    words that the reported cause must not contain, separated by `;`
    reports:  ID line=N      what the program names today instead; the line may be missing

`cause` was written before the program was asked. Remove `reports` when the program names the cause; this test then
requires it. Without --all, twelve files are graded.
"""

import argparse
import pathlib
import re
import sys

CORPUS = pathlib.Path(__file__).resolve().parent
ROOT = CORPUS.parents[2]
sys.path.insert(0, str(CORPUS.parent))
import graded  # noqa: E402

KEYS = ("cause", "says", "never", "reports")
STATED = re.compile(r"([a-z_|]+)(?: line=(\d+))?")
# Twelve causes.
SHORT = (
    "bank_conflicts/fine_grained/float_address",
    "bank_conflicts/fine_grained/pointer_to_row",
    "coalescing/copy/guard_minus_one",
    "coalescing/transpose/eight_by_four_lanes",
    "coarsening/reduce_threads/last_warp_without_sync",
    "coarsening/transpose_coarsened/next_tile_too_early",
    "histogram/skewed/masks_of_lanes",
    "latency/in_flight/header_of_the_course",
    "matmul/tiled/b_with_rows_of_k",
    "partition_camping/hybrid/out_with_rows_of_width",
    "scan/block_scan/thirty_two_totals",
    "sparse/rows/row_unchecked",
)


class Stated:
    """Names of a mistake, and its line."""

    def __init__(self, file, text):
        found = STATED.fullmatch(text)
        if not found:
            raise ValueError(f"{file}: cannot understand '{text}'")
        self.names = found[1].split("|")
        self.line = int(found[2] or 0)

    def is_named_by(self, cause):
        lines = (0, cause.get("line", 0), cause.get("other_line", 0))
        return cause.get("id") in self.names and self.line in lines


class Wrong(graded.Submission):
    """One wrong file, and the cause of its failure."""

    def __init__(self, file):
        super().__init__(CORPUS, file, KEYS)
        self.cause = Stated(file, self.text("cause"))
        self.reports = Stated(file, self.text("reports")) if self.text("reports") else None
        self.never = [words.strip() for words in self.text("never").split(";") if words.strip()]


def shown(cause):
    return f"{cause.get('id', 'no cause')} line={cause.get('line', 0)}"


def problems(wrong, grade, _backend):
    """Differences from the head."""
    if not grade.json:
        yield f"{grade.stopped_by()}: {grade.text[-500:]}"
        return
    yield from graded.code_problems(grade)
    cause = grade.item.get("cause") or {}
    why = grade.item.get("why") or ""
    if wrong.cause.is_named_by(cause):
        if wrong.reports:
            yield "names the cause: take 'reports:' out of its head"
        for words in wrong.never:
            if words.lower() in why.lower():
                yield f"accuses the kernel of '{words}': {why}"
    elif not (wrong.reports and wrong.reports.is_named_by(cause)):
        yield f"reports {shown(cause)}: {why}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    graded.add_options(parser, ROOT)
    parser.add_argument("--all", action="store_true", help="grade every file")
    options = parser.parse_args()
    if options.missing and not options.json:
        parser.error("--missing needs the --json file to go on from")
    every = [Wrong(file) for file in sorted(CORPUS.glob("*/*/*.cu"))]
    chosen = options.names or (None if options.all else SHORT)
    submissions = [wrong for wrong in every if chosen is None or wrong.name in chosen]
    results = graded.grade_all("file", submissions, options, problems)
    failures = graded.unexpected(submissions, results)
    graded.say_how_many(submissions, results, failures)
    right = sum(wrong.reports is None for wrong in every)
    print(f"the program names the cause of {right} of {len(every)} files")
    missing = set(chosen or ()) - {wrong.name for wrong in submissions}
    for name in sorted(missing):
        print(f"there is no {name}")
    return 1 if failures or missing or not submissions else 0


if __name__ == "__main__":
    sys.exit(main())
