# SPDX-License-Identifier: Apache-2.0
"""Grades right kernels, written in many ways, and wants full points for each.

    python3 tests/evidence/right/run.py [--all] [--part N [--seed SEED]] [--backend sim|gpu] [--jobs N] [--limit S]
                                        [--json FILE [--missing]] [NAME...]

Each LAB/EXERCISE/NAME.cu is a right kernel for LAB/EXERCISE. Its head says which way it goes and,
where it does not get full points, one of

    deserves:  VERDICT REASON, N points; why an expert with the card would agree
    unfair:    VERDICT REASON, N points; what the grader does wrong
    deserves on a GPU:, unfair on a GPU:   the same where --backend gpu differs; "any; why" where
                        nobody has measured it yet, "pass; why" for full points

Without --all, files that differ most are graded; --part grades one of N, by default drawn by the
commit. A file that is called unfair and gets full points
fails, too: what was mended is taken out of its head. FILE and --missing are as for the cheats.
Exits 1 where a grade is another one.
"""

import argparse
import pathlib
import re
import sys

CORPUS = pathlib.Path(__file__).resolve().parent
ROOT = CORPUS.parents[2]
sys.path.insert(0, str(CORPUS.parent))
import graded  # noqa: E402

KEYS = ("deserves on a GPU", "deserves", "unfair on a GPU", "unfair")
EXPECTED = re.compile(r"(?:(any|pass)|(fail|inconclusive|error) ([a-z]+), ([0-9]+) points?); .+")
# One or two for each exercise: words of all widths, shuffles, headers of the toolkit, calls.
SHORT = (
    "attention/forward/weights_by_shuffles",
    "attention/softmax/shuffles_down",
    "bank_conflicts/coarse_grained/rows_of_a_warp",
    "bank_conflicts/fine_grained/four_squares",
    "bank_conflicts/padded/half_a_tile_twice",
    "bank_conflicts/swizzled/quads_by_rows_of_the_k40",
    "bank_conflicts/swizzled/rotation",
    "coalescing/copy/functions_that_are_called",
    "coalescing/transpose/butterflies",
    "coalescing/transpose/named_barriers",
    "coarsening/reduce_blocks/one_warp_a_sum",
    "coarsening/reduce_many/float_atomic",
    "coarsening/reduce_many/last_block_sums_all",
    "coarsening/reduce_threads/cub_block_reduce",
    "coarsening/transpose_coarsened/pipeline_of_async_copies",
    "partition_camping/diagonal/nvidia_sample",
    "partition_camping/diagonal_any/columns_and_double2",
    "partition_camping/hybrid/diagonal_where_needed",
    "histogram/privatised/bins_of_each_warp",
    "histogram/skewed/copy_of_each_lane",
    "latency/in_flight/two_halves",
    "matmul/register_tiled/warps_of_squares",
    "matmul/tiled/a_by_shuffles",
    "partition_camping/diagonal_fast/one_thread_multiplies",
    "scan/block_scan/padded_tree",
    "scan/whole/cub_everywhere",
    "sparse/rows/products_in_shared_memory",
    "sparse/skewed/even_shares_of_warps",
    "convolution/channels/template_of_filters",
    "convolution/constant/literals",
    "sort/bitonic/functions",
    "sort/compact/cooperative_groups",
    "sort/radix/one_bit_at_a_time",
    "stencil/plane/neighbours_by_shuffle",
    "stencil/volume/three_planes_in_shared_memory",
    "tensor_cores/pipeline/inline_assembly",
    "tensor_cores/swizzle/two_matrices_at_a_time",
    "tensor_cores/tile/steps_of_32",
)


class Right(graded.Submission):
    """One right kernel, and what is known of its grade."""

    def __init__(self, file):
        super().__init__(CORPUS, file, KEYS)
        for key in KEYS:
            if self.text(key) and not EXPECTED.fullmatch(self.text(key)):
                raise ValueError(f"{file}: cannot understand '{key}: {self.text(key)}'")

    def expected(self, backend):
        """(key, verdict, reason, points) of the head; None for full points."""
        keys = [key for key in KEYS if self.text(key)]
        if backend == "gpu":
            keys = [key for key in keys if key.endswith("GPU")] or keys
        else:
            keys = [key for key in keys if not key.endswith("GPU")]
        if not keys:
            return None
        plain, verdict, reason, points = EXPECTED.fullmatch(self.text(keys[0])).groups()
        if plain == "pass":
            return None
        return keys[0].split()[0], plain or verdict, reason, int(points or 0)


def problems(right, grade, backend):
    """Differences from the head, or from full points if the head is silent."""
    expected = right.expected(backend)
    if not grade.json:
        yield f"{grade.stopped_by()}: {grade.text[-500:]}"
        return
    yield from graded.code_problems(grade)
    full = grade.verdict == "pass" and grade.points == grade.most
    if not expected:
        if not full:
            yield f"is {grade.shown()} of {grade.most}, and the kernel is right"
        return
    key, verdict, reason, points = expected
    if verdict == "any":
        return
    if full:
        yield f"gets full points: take '{key}:' out of its head"
    elif (grade.verdict, grade.reason, grade.points) != (verdict, reason, points):
        yield f"is {grade.shown()}, and its head says {verdict} {reason}, {points} points"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    graded.add_options(parser, ROOT)
    parser.add_argument("--all", action="store_true", help="grade every file")
    graded.add_part(parser, 1)
    options = parser.parse_args()
    if options.missing and not options.json:
        parser.error("--missing needs the --json file to go on from")
    every = [Right(file) for file in sorted(CORPUS.glob("*/*/*.cu"))]
    chosen = options.names or (None if options.all else SHORT)
    submissions = [right for right in every if chosen is None or right.name in chosen]
    if options.part > 1:
        submissions = graded.drawn(submissions, options.part, graded.seed_of(options, ROOT))
    results = graded.grade_all("kernel", submissions, options, problems)
    failures = graded.unexpected(submissions, results)
    graded.say_how_many(submissions, results, failures)
    expected = {right.name: right.expected(options.backend) for right in submissions}
    unfair = [name for name, words in expected.items() if words and words[0] == "unfair"]
    if unfair:
        print(f"{len(unfair)} are known to be graded unfairly: {', '.join(unfair)}")
    missing = set(chosen or ()) - {right.name for right in every}
    for name in sorted(missing):
        print(f"there is no {name}")
    return 1 if failures or missing or not submissions else 0


if __name__ == "__main__":
    sys.exit(main())
