# SPDX-License-Identifier: Apache-2.0
"""Grades the mutants of mutants.csv and wants each to fail, or to have a reason why it is right.

    python3 tests/evidence/mutants/run.py [--all] [--jobs N] [--limit S] [--json FILE [--missing]]
                                          [--program PATH] [NAME...]
    python3 tests/evidence/mutants/run.py --classify FILE

A mutant is killed if the grader's reason is compile, diagnostic or incorrect. If it is none,
mechanism or performance, the mutant survives: its result is right in every case, without a
diagnostic. Every survivor needs a reason: that the compiler makes the same of it as of the file
that it changes, which is written into the table, or a sentence in survivors.csv. A sentence that
begins with "HOLE:" says that the grader should have found it. A killed mutant must have none.

Without --all, --json or names a dozen are graded. With --classify nothing is graded: what a run
with --json FILE found goes into the table, and survivors are compiled and compared.
"""

import argparse
import csv
import pathlib
import sys
import tempfile
from collections import Counter
from dataclasses import replace

CORPUS = pathlib.Path(__file__).resolve().parent
ROOT = CORPUS.parents[2]
sys.path[:0] = [str(CORPUS), str(CORPUS.parent)]
import graded  # noqa: E402
import machine  # noqa: E402
import mutate  # noqa: E402

REASONS = CORPUS / "survivors.csv"
# Outcomes of survivors: right, or right and failed by a gate; no other program than the base.
SURVIVES = ("passes", "mechanism", "performance")
SAME = ("same PTX", "same machine code")
# Killed in each way, and survivors of each sort, out of most exercises.
SHORT = (
    "bank_conflicts/coarse_grained/bits_of_16_bytes:433:exchange_variable",
    "bank_conflicts/padded/solution:211:swap_subscripts",
    "bank_conflicts/padded/half_a_tile_twice:938:drop_barrier",
    "bank_conflicts/swizzled/gray_code:255:comparison",
    "coalescing/copy/cooperative_groups:241:literal",
    "coarsening/reduce_threads/last_warp_with_syncwarp:495:delete_statement",
    "partition_camping/diagonal_any/antidiagonals:464:literal",
    "partition_camping/diagonal_fast/one_thread_multiplies:652:swap_arguments",
    "histogram/privatised/runs_of_a_thread:590:swap_operands",
    "scan/block_scan/cooperative_groups:614:comparison",
    "sparse/skewed/shares_within_the_block:361:drop_barrier",
    "stencil/volume/neighbours_by_shuffle:86:narrow_type",
)


class Submission:
    """A mutant as a file, with what graded.py asks of a submission."""

    def __init__(self, mutant, folder):
        self.mutant, self.name, self.exercise = mutant, mutant.name, mutant.exercise
        self.root = ROOT
        self.file = folder / f"{mutant.sha256}.cu"
        self.file.write_bytes(mutant.text(ROOT).encode("latin-1"))


def outcome(item):
    """What became of a mutant, from what graded.py keeps of its grade; "" where nobody can say."""
    if not item["graded"] or item["verdict"] not in ("pass", "fail"):
        return ""
    if item["reason"] == "diagnostic":
        return item["kinds"][0]
    return "passes" if item["verdict"] == "pass" else item["reason"]


def read_reasons(file=REASONS):
    """{name of a mutant: why its result is right}."""
    with file.open(encoding="utf-8", newline="") as table:
        return {row["name"]: row["reason"] for row in csv.DictReader(table)}


def reason_problems(mutant, now, reasons):
    """Sentences on a mutant's outcome and the reason that goes with it, or does not."""
    if not now:
        yield "is not judged"
    elif now in SURVIVES and not reasons.get(mutant.name):
        yield f"is '{now}', and has no reason in survivors.csv"
    elif now not in SURVIVES and mutant.name in reasons:
        yield f"has a reason in survivors.csv, and is '{now}': take the reason out"


def problems_by(reasons):
    """The function that graded.py calls for each grade."""
    def problems(submission, grade, backend):
        del backend
        item = {"graded": bool(grade.json), "verdict": grade.verdict, "reason": grade.reason,
                "kinds": grade.kinds}
        now, before = outcome(item), submission.mutant.outcome
        if now:
            yield from graded.code_problems(grade)
        if now in SURVIVES and before in SAME:
            return
        if before and now != before:
            yield f"is '{now}', and the table says '{before}'"
        yield from reason_problems(submission.mutant, now, reasons)
    return problems


def classify(mutants, found, same):
    """The mutants with the outcomes found; same(mutant) tells why a survivor is no other program,
    and "" where it is one."""
    for mutant in mutants:
        now = outcome(found[mutant.name]) if mutant.name in found else mutant.outcome
        if now in SURVIVES:
            now = same(mutant) or now
        yield replace(mutant, outcome=now)


def compare_machine_code(root=ROOT):
    """The function `same` of classify, by NVRTC."""
    compiler = machine.Compiler(root)

    def same(mutant):
        base = mutate.code_of(root, mutant.base)
        texts = (text.encode("latin-1") for text in (base, mutant.text(root)))
        try:
            return machine.sameness(compiler, *texts, mutant.exercise)
        except machine.CompileError as error:
            print(f"{mutant.name} cannot be compared: {error}")
            return ""
    return same


def say_figures(mutants, reasons):
    """The table in numbers; returns how many mutants lack a reason, or have one in excess."""
    counts = Counter(mutant.outcome or "unknown" for mutant in mutants)
    alive = sum(counts[text] for text in SURVIVES + SAME)
    killed = len(mutants) - alive - counts["unknown"]
    print(f"{len(mutants)} mutants, {killed} killed, {alive} alive, {counts['unknown']} unknown")
    for text, count in counts.most_common():
        print(f"  {count:4} {text}")
    wrong = [(mutant, problem) for mutant in mutants if mutant.outcome
             for problem in reason_problems(mutant, mutant.outcome, reasons)]
    for mutant, problem in wrong:
        print(f"FAIL  {mutant.name}: {problem}")
        print(f"      {mutant.old!r} became {mutant.new!r}")
    for name in sorted(set(reasons) - {mutant.name for mutant in mutants}):
        print(f"FAIL  {name} in survivors.csv is no mutant of the table")
        wrong.append((name, "unknown"))
    return len(wrong)


def say_holes(names, reasons):
    holes = [name for name in names if reasons.get(name, "").startswith("HOLE:")]
    if holes:
        print(f"{len(holes)} are wrong, and the grader does not see it:")
        for name in holes:
            print(f"      {name}: {reasons[name]}")


def classify_file(file):
    """Fills the table's outcomes from a file of grades."""
    found = graded.Results("mutant", "sim", file, True).found
    mutants = list(classify(mutate.read_table(), found, compare_machine_code()))
    mutate.write_table(mutants)
    reasons = read_reasons()
    missing = say_figures(mutants, reasons)
    say_holes([mutant.name for mutant in mutants], reasons)
    return 1 if missing else 0


def grade(options):
    """Grades those that are asked for."""
    mutants = mutate.read_table()
    chosen = options.names or (SHORT if not options.all and not options.json else None)
    mutants = [mutant for mutant in mutants if chosen is None or mutant.name in chosen]
    reasons = read_reasons()
    with tempfile.TemporaryDirectory() as folder:
        submissions = [Submission(mutant, pathlib.Path(folder)) for mutant in mutants]
        results = graded.grade_all("mutant", submissions, options, problems_by(reasons))
    failures = graded.unexpected(submissions, results)
    graded.say_how_many(submissions, results, failures)
    say_holes([mutant.name for mutant in mutants], reasons)
    missing = set(chosen or ()) - {mutant.name for mutant in mutants}
    for name in sorted(missing):
        print(f"there is no {name}")
    return 1 if failures or missing or not mutants else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    graded.add_options(parser, ROOT)
    parser.add_argument("--all", action="store_true", help="grade every mutant, not a dozen")
    parser.add_argument("--classify", type=pathlib.Path, metavar="FILE",
                        help="write what FILE of --json has into the table, and compare survivors")
    options = parser.parse_args()
    if options.missing and not options.json:
        parser.error("--missing needs the --json file to go on from")
    return classify_file(options.classify) if options.classify else grade(options)


if __name__ == "__main__":
    sys.exit(main())
