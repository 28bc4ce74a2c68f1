# SPDX-License-Identifier: Apache-2.0
"""Compares pairs of kernels of the course by `warpgrade verify`, and wants the right verdict on each.

    python3 tests/evidence/pairs/run.py PROGRAM [--all] [--jobs N] [NAME...]

Most pairs are a solution and a kernel for the same exercise. Kernels of solutions/LAB/wrong whose head
says `fails: incorrect` or `fails: diagnostic` are different, and so are files of tests/evidence/cheats with
such a verdict. Those that fail by mechanism or performance, and the kernels of tests/evidence/right, are
equal. The manifest gives parameters and launches, and SIZES the limits, which are those that the exercise
promises. The pairs of different.cu and equal.cu, beside this file, have two kernels each.
Without --all or a NAME, a few pairs are compared.
Exits 1 if a verdict is wrong.
"""

import argparse
import collections
import concurrent.futures
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import tomllib

HERE = pathlib.Path(__file__).resolve().parent
EVIDENCE, ROOT = HERE.parent, HERE.parents[2]
sys.path.insert(0, str(EVIDENCE))
import split_file  # noqa: E402

Pair = collections.namedtuple("Pair", "name verdict arguments")
CODES = {"equal": 0, "different": 1, "undecided": 3}
# The arguments of a pair without options.
MAP = "--size n=1..3000 --grid ceil_div(n,256) --block 256 --arg out:f32:n --arg in:f32:n --arg i32:n"
MATRICES = ["width=1..70001", "height=1..max(1, min(300, floor(60000 / width)))"]
PRODUCTS = ["m=1..200", "n=1..200", "k=1..max(1, min(200, floor(400000 / (m * n))))"]
SQUARES = ["width=32..288:32", "height=width"]
SIZES = {
    "bank_conflicts/padded": MATRICES,
    "bank_conflicts/swizzled": MATRICES,
    "bank_conflicts/fine_grained": SQUARES,
    "bank_conflicts/coarse_grained": SQUARES,
    "coalescing/copy": MATRICES,
    "coalescing/transpose": MATRICES,
    "coarsening/reduce_threads": ["n=1..70001", "factor=2"],
    "coarsening/reduce_blocks": ["n=1..70001", "factor=2"],
    "coarsening/reduce_many": ["n=1..70001", "blocks=1..70", "power=6..9", "threads=2 ^ power"],
    "coarsening/transpose_coarsened": [*MATRICES, "factor=8"],
    "histogram/privatised": ["n=1..70001", "blocks=1..9", "equal=0..100"],
    "histogram/skewed": ["n=1..70001", "blocks=1..9", "equal=0..100"],
    "latency/in_flight": ["n=1..5000", "range=1..70001"],
    "matmul/tiled": PRODUCTS,
    "matmul/register_tiled": PRODUCTS,
    "partition_camping/diagonal": SQUARES,
    "partition_camping/diagonal_any": MATRICES,
    "partition_camping/diagonal_fast": MATRICES,
    "partition_camping/hybrid": MATRICES,
    "scan/block_scan": ["n=1..40001"],
    "sparse/rows": ["rows=1..1000", "columns=1..2000", "elements=1..40000"],
    "sparse/skewed": ["rows=1..1000", "columns=1..2000", "elements=1..40000"],
    "stencil/plane": ["width=1..2000", "height=1..max(1, min(300, floor(60000 / width)))"],
    "stencil/volume": ["nx=1..100", "ny=1..100", "nz=1..max(1, min(100, floor(60000 / (nx * ny))))"],
}
# Kernels that are right within SIZES, although a grade refuses them; each with the reason.
RIGHT_HERE = {
    "bank_conflicts/padded block_numbers_of_16_bits": "needs more than 65,536 tiles",
    "coalescing/copy few_blocks_at_full_size": "needs both sizes above 4,096",
    "coalescing/copy first_and_last_rows": "needs a height of 1,024",
    "coalescing/copy rows_only_at_full_size": "needs both sizes above 4,096",
    "coalescing/copy writes_its_input_at_full_size": "needs both sizes of 4,096",
    "coalescing/transpose copies_at_full_size": "needs both sizes of 4,096",
    "coalescing/transpose idle_at_full_size": "needs both sizes of 4,096",
    "coarsening/reduce_many at_most_27_bits": "needs 2^27 elements",
    "coarsening/reduce_many counts_in_float": "needs more than 2^24 elements",
    "coarsening/reduce_many skips_at_full_size": "needs 100 million elements",
    "histogram/privatised half_of_the_bytes": "needs 2^24 elements",
    "histogram/skewed one_in_sixteen": "needs 2^24 elements",
    "matmul/tiled inner_size_of_8_bits": "needs sums of more than 4,080 products",
}
# Kernels that are wrong, although the inputs of a grade do not show it; each with the reason.
WRONG_HERE = {
    "bank_conflicts/padded conflicts_in_additions": "changes its result at 1.2345e30",
    "coalescing/copy caches_by_content": "does nothing if the first element is 0",
    "coalescing/copy hard_coded_output": "contains the results of one seed",
}
# Kernels for which the verdict is open; each with the reason.
UNDECIDED = {
    "coalescing/transpose dilutes_the_stores": "its 200 stores of each element reach the limit on work",
}
# Two kernels are right on devices from 9.0 on.
MORE = {f"coalescing/copy {name}": ["--device", "a100"] for name in ("cuda_arch", "runs_away_on_one_device")}
FEW = (
    "bank_conflicts/padded a_word_after_every_32",
    "coalescing/copy huge_variable",
    "coalescing/copy off_by_one",
    "coalescing/transpose missing_barrier",
    "coarsening/reduce_threads hard_coded_factor",
    "histogram/privatised lanes_that_match",
    "different a_n",
    "different bits_of_a_float",
    "different last_block_without_a_fence",
    "different least_integer",
    "equal last_block_adds",
    "scan/block_scan exclusive",
)
TYPES = {"float": "f32", "double": "f64", "int": "i32", "unsigned": "u32", "unsigned char": "u8", "unsigned int": "u32"}


class Exercise:
    """An exercise of a manifest as options of `warpgrade verify`."""

    def __init__(self, lab, table, others):
        base = others.get(table.get("like"))
        merged = {**(base.table if base else {}), **table}
        if base and "(" not in merged["kernel"]:
            old = base.table["kernel"]
            merged["kernel"] = merged["kernel"] + old[old.index("("):]
        self.table = merged
        self.name = f"{lab}/{table['id']}"

    def arguments(self):
        text = self.table["kernel"]
        for one in text[text.index("(") + 1: text.rindex(")")].split(","):
            kind, name = re.fullmatch(r"\s*(.*?)\s*(\w+)\s*", one).groups()
            element = TYPES[kind.replace("const", "").replace("*", "").strip()]
            if "*" not in kind:
                yield f"{element}:{self.table.get('values', {}).get(name, name)}"
                continue
            role = self.table.get("roles", {}).get(name, "in" if "const" in kind else "out")
            # A volume has one row.
            shape = str(self.table["shapes"][name])
            fill = self.table.get("fill", {}).get(name, "")
            fill = "" if fill == "any_bits" else fill  # One of the inputs that vary.
            if self.table.get("compare", {}).get(name) == "total":
                fill = "total"
            yield f"{role}:{element}:{shape}" + (f":{fill}" if fill and role != "scratch" else "")

    def options(self):
        launch = self.table["launch"]
        kernel = self.table["kernel"].split("(")[0]
        sizes = SIZES[self.name]
        factor = next((one.split("=")[1] for one in sizes if one.startswith("factor=")), "")
        out = ["--kernel", kernel.replace("{factor}", factor)]
        for one in sizes:
            out += ["--size", one]
        for key in ("grid", "block"):
            out += [f"--{key}", ",".join(map(str, launch[key]))]
        out += ["--shared", str(launch.get("shared", 0))]
        for one in self.arguments():
            out += ["--arg", one]
        for key in ("ulps", "magnitude"):
            if key in self.table:
                out += [f"--{key}", str(next(iter(self.table[key].values())))]
        return out


def exercises():
    found = {}
    for file in sorted((ROOT / "labs").glob("*/grader.toml")):
        own = {}  # Those of several launches, too: their names may begin like another's.
        for table in tomllib.loads(file.read_text("utf-8"))["exercise"]:
            if "kernel" in {**table, **(own[table["like"]].table if "like" in table else {})}:
                own[table["id"]] = Exercise(file.parent.name, table, own)
        found |= {one.name: one for one in own.values()}
    return found


def of_solution(exercise, file, is_wrong):
    """The pair of a file for `exercise` and its solution."""
    name = f"{exercise.name} {file.stem.removeprefix(exercise.name.split('/')[1] + '_')}"
    is_different = name in WRONG_HERE or (is_wrong and name not in RIGHT_HERE)
    verdict = UNDECIDED.get(name) and "undecided" or ("different" if is_different else "equal")
    solution = ROOT / "solutions" / f"{exercise.name}.cu"
    # A folder is a submission of several files.
    new = [file / solution.name, "-I", file] if file.is_dir() else [file]
    return Pair(name, verdict, [*new, "--against", solution, *exercise.options(), *MORE.get(name, ())])


def of_exercises(known):
    """The pairs with kernels of the course and of other corpora."""
    for name in SIZES:
        exercise = known[name]
        lab, own = name.split("/")
        others = [one.split("/")[1] for one in known if one.startswith(lab + "/")]
        for file in sorted((ROOT / "solutions" / lab / "wrong").glob(f"{own}_*.cu")):
            if any(len(other) > len(own) and file.name.startswith(other + "_") for other in others):
                continue
            reason = re.search(r"fails: (\w+)", file.read_text("utf-8")).group(1)
            if reason != "compile":
                yield of_solution(exercise, file, reason in ("incorrect", "diagnostic"))
        for file in sorted((EVIDENCE / "right" / lab / own).glob("*.cu")):
            yield of_solution(exercise, file, False)
        for file in sorted((EVIDENCE / "cheats" / lab / own).glob("*")):
            text = (file if file.is_file() else file / f"{own}.cu").read_text("utf-8")
            is_wrong = re.search(r"verdict: fail (incorrect|diagnostic|compile)", text)
            yield of_solution(exercise, file, is_wrong is not None)


def of_this_folder(folder):
    """The pairs `fresh` and `old` of different.cu and equal.cu, each in a file in `folder`."""
    for verdict in ("different", "equal"):
        for file in split_file.write_parts([HERE / f"{verdict}.cu"], folder / verdict):
            options = re.search(r"// options: (.*)", file.read_text("utf-8"))
            words = (options[1] if options else MAP).split(" ")
            kernels = ["--kernel", "fresh", "--old-kernel", "old"]
            yield Pair(f"{verdict} {file.stem}", verdict, [file, "--against", file, *kernels, *words])


def compare(program, pair):
    command = [program, "verify", *map(str, pair.arguments)]
    return pair, command, subprocess.run(command, capture_output=True, text=True, check=False)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("names", nargs="*", help="beginnings of names, such as `coalescing/copy off`")
    options = parser.parse_args()
    program = shutil.which(options.program) or options.program
    with tempfile.TemporaryDirectory() as folder:
        chosen = [*of_exercises(exercises()), *of_this_folder(pathlib.Path(folder))]
        if not options.all:
            wanted = tuple(options.names) or FEW
            chosen = [one for one in chosen if one.name.startswith(wanted)]
        failures = run(program, chosen, options.jobs)
    sys.exit(1 if failures or not chosen else 0)


def run(program, chosen, jobs):
    """Compares all pairs, prints the results, and returns the number of wrong ones."""
    counts = collections.Counter()
    failures = 0
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for pair, command, done in pool.map(lambda one: compare(program, one), chosen):
            found = done.stdout.split("\n")[0] or "error"
            good = found == pair.verdict and done.returncode == CODES[found]
            counts[pair.verdict, found] += 1
            failures += not good
            print(f"{'ok' if good else 'WRONG'}  {pair.name}: {found}, expected {pair.verdict}", flush=True)
            if not good:
                print("  " + shlex.join(command))
                print("  " + (done.stdout + done.stderr).replace("\n", "\n  "), flush=True)
    for (expected, found), count in sorted(counts.items()):
        print(f"{count} pairs that are {expected}: {found}")
    return failures


if __name__ == "__main__":
    main()
