# SPDX-License-Identifier: Apache-2.0
"""Compares pairs of kernels of the course by `warpgrade verify`, and wants the right verdict on each.

    python3 tests/evidence/pairs/run.py PROGRAM [--all] [--jobs N] [NAME...]

A pair is a solution and a kernel for the same exercise. Kernels of solutions/LAB/wrong whose head says
`fails: incorrect` or `fails: diagnostic` are different; those that fail by mechanism or performance,
and the kernels of tests/evidence/right, are equal. The manifest gives parameters and launches, and
SIZES the limits, which are those that the exercise promises. Without --all, a few pairs are compared.
Exits 1 if a verdict is wrong.
"""

import argparse
import concurrent.futures
import pathlib
import re
import shutil
import subprocess
import sys
import tomllib

ROOT = pathlib.Path(__file__).resolve().parents[3]
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
    "scan/block_scan": ["n=1..40001"],
    "sparse/rows": ["rows=1..1000", "columns=1..2000", "elements=1..40000"],
    "sparse/skewed": ["rows=1..1000", "columns=1..2000", "elements=1..40000"],
    "stencil/plane": ["width=1..2000", "height=1..max(1, min(300, floor(60000 / width)))"],
    "stencil/volume": ["nx=1..100", "ny=1..100", "nz=1..max(1, min(100, floor(60000 / (nx * ny))))"],
}
# Pairs whose difference needs a size or a device that the comparison does not have; each with its reason.
BEYOND = {
    "coarsening/reduce_many counts_in_float": "needs more than 2^24 elements",
}
FEW = (
    "bank_conflicts/padded a_word_after_every_32",
    "coalescing/copy off_by_one",
    "coalescing/transpose missing_barrier",
    "coarsening/reduce_threads hard_coded_factor",
    "histogram/privatised lanes_that_match",
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
            shape = shape.replace(" x ", " * ") if shape.count(" x ") > 1 else shape
            fill = self.table.get("fill", {}).get(name, "")
            if "(" not in fill and role == "in" and name not in self.table.get("ulps", {}):
                fill = "" if fill in ("any_bits", "") else fill
            fill = re.sub(r"(starts\([^,]*),.*\)", r"\1)", fill)
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


def pairs(known):
    """(name, exercise, new file, expected verdict) of all pairs."""
    for name in SIZES:
        exercise = known[name]
        lab, own = name.split("/")
        others = [one.split("/")[1] for one in known if one.startswith(lab + "/")]
        for file in sorted((ROOT / "solutions" / lab / "wrong").glob(f"{own}_*.cu")):
            if any(len(other) > len(own) and file.name.startswith(other + "_") for other in others):
                continue
            reason = re.search(r"fails: (\w+)", file.read_text("utf-8")).group(1)
            if reason == "compile":
                continue
            verdict = "different" if reason in ("incorrect", "diagnostic") else "equal"
            yield f"{name} {file.stem[len(own) + 1:]}", exercise, file, verdict
        for file in sorted((ROOT / "tests" / "evidence" / "right" / lab / own).glob("*.cu")):
            yield f"{name} {file.stem}", exercise, file, "equal"


def compare(program, pair):
    name, exercise, file, expected = pair
    solution = ROOT / "solutions" / f"{exercise.name}.cu"
    command = [program, "verify", str(file), "--against", str(solution), *exercise.options()]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return pair, command, done


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    program = shutil.which(options.program) or options.program
    chosen = [one for one in pairs(exercises()) if one[0] not in BEYOND]
    chosen.sort(key=lambda one: "evidence" in one[2].parts)  # The course's own files first.
    if not options.all:
        wanted = options.names or FEW
        chosen = [one for one in chosen if any(one[0].startswith(name) for name in wanted)]
    counts = {}
    failures = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for pair, command, done in pool.map(lambda one: compare(program, one), chosen):
            found = done.stdout.split("\n")[0] or "error"
            good = found == pair[3]
            counts[pair[3], found] = counts.get((pair[3], found), 0) + 1
            failures += not good
            print(f"{'ok' if good else 'WRONG'}  {pair[0]}: {found}, expected {pair[3]}", flush=True)
            if not good:
                print("  " + " ".join(f"'{word}'" if " " in word or "(" in word else word for word in command))
                print("  " + (done.stdout + done.stderr).replace("\n", "\n  "), flush=True)
    for (expected, found), count in sorted(counts.items()):
        print(f"{count} pairs that are {expected}: {found}")
    sys.exit(1 if failures or not chosen else 0)


if __name__ == "__main__":
    main()
