# SPDX-License-Identifier: Apache-2.0
"""Draws a thousand mutants of the right kernels and writes them as a table.

    python3 tests/evidence/mutants/mutate.py [--afresh]

A mutant is one change of one file without its comments: an operator of operators.py, a byte offset,
the text there and the text instead. mutants.csv has a row for each, with the first digits of the
changed text's SHA-256. A row stays valid until the file's code changes. Invalid rows are drawn
again, with --afresh all rows. The draw depends only on the files. Exercises have similar numbers of
mutants, and so have the operators and the files of an exercise if they allow enough changes.
"""

import argparse
import csv
import hashlib
import pathlib
import random
import re
import sys
from collections import Counter
from dataclasses import asdict, dataclass, fields

CORPUS = pathlib.Path(__file__).resolve().parent
ROOT = CORPUS.parents[2]
sys.path.insert(0, str(CORPUS))
from operators import OPERATORS  # noqa: E402
from tokens import Source, without_comments  # noqa: E402

TABLE = CORPUS / "mutants.csv"
SEED = 20100618
HOW_MANY = 1000


@dataclass(frozen=True)
class Mutant:
    """A row of the table; `outcome` is what the grader and the compiler made of it, if known."""

    base: str  # LAB/EXERCISE/NAME, where NAME is "solution" or that of a right kernel
    offset: int
    operator: str
    old: str
    new: str
    sha256: str
    outcome: str = ""

    @property
    def name(self):
        return f"{self.base}:{self.offset}:{self.operator}"

    @property
    def exercise(self):
        return self.base.rsplit("/", 1)[0]

    def text(self, root=ROOT):
        """The changed code. Raises ValueError if the base has changed."""
        text = code_of(root, self.base)
        if not text.startswith(self.old, self.offset):
            raise ValueError(f"{self.base} has no '{self.old}' at {self.offset}")
        text = text[: self.offset] + self.new + text[self.offset + len(self.old) :]
        if digits(text) != self.sha256:
            raise ValueError(f"{self.base} has changed: draw its mutants again with mutate.py")
        return text


def read(file):
    """A file's bytes as text, one character a byte."""
    return file.read_bytes().decode("latin-1")


def digits(text):
    return hashlib.sha256(text.encode("latin-1")).hexdigest()[:12]


def base_file(root, base):
    exercise, name = base.rsplit("/", 1)
    if name == "solution":
        return root / "solutions" / f"{exercise}.cu"
    return root / "tests" / "evidence" / "right" / f"{base}.cu"


def code_of(root, base):
    """The text in which mutants have their offsets."""
    return without_comments(read(base_file(root, base)))


def bases(root):
    """Names of the files to change, by exercise. Kernels with less than full points are left out,
    and programs with a main, whose host code nobody compiles."""
    found = {}
    for file in sorted(root.glob("solutions/*/*.cu")):
        exercise = f"{file.parent.name}/{file.stem}"
        found[exercise] = [f"{exercise}/solution"]
    for file in sorted(root.glob("tests/evidence/right/*/*/*.cu")):
        text = read(file)
        if not re.search(r"^// (deserves|unfair)|\bmain\(", text, re.MULTILINE):
            lab, exercise = file.parts[-3:-1]
            found.setdefault(f"{lab}/{exercise}", []).append(f"{lab}/{exercise}/{file.stem}")
    return found


def candidates(root, base):
    """All mutants of a file."""
    source = Source(code_of(root, base))
    for name, operator in OPERATORS.items():
        for offset, old, new in operator(source):
            if old == new:
                continue
            text = source.text[:offset] + new + source.text[offset + len(old) :]
            yield Mutant(base, offset, name, old, new, digits(text))


def draw(root, exercise, names, quota, kept=()):
    """Mutants of an exercise's files: those that are kept, and new ones up to the quota."""
    chosen = list(kept)[:quota]
    pools = {name: [] for name in OPERATORS}
    for base in names:
        for mutant in candidates(root, base):
            pools[mutant.operator].append(mutant)
    chance = random.Random(f"{SEED} {exercise}")
    for pool in pools.values():
        chance.shuffle(pool)
    by_operator = Counter(mutant.operator for mutant in chosen)
    by_base = Counter(mutant.base for mutant in chosen)
    taken = {key for mutant in chosen for key in (mutant.sha256, mutant.name)}
    while len(chosen) < quota:
        for name, pool in pools.items():
            pools[name] = [m for m in pool if m.sha256 not in taken and m.name not in taken]
        left = [name for name, pool in pools.items() if pool]
        if not left:
            break
        operator = min(left, key=lambda name: by_operator[name])
        mutant = min(pools[operator], key=lambda mutant: by_base[mutant.base])
        chosen.append(mutant)
        taken.update((mutant.sha256, mutant.name))
        by_operator[operator] += 1
        by_base[mutant.base] += 1
    return chosen


def draw_all(root, how_many=HOW_MANY, kept=()):
    """Mutants of all exercises, sorted."""
    chosen = []
    by_exercise = bases(root)
    for number, (exercise, names) in enumerate(sorted(by_exercise.items())):
        quota = how_many // len(by_exercise) + (number < how_many % len(by_exercise))
        mine = [mutant for mutant in kept if mutant.base in names]
        chosen += draw(root, exercise, names, quota, mine)
    return sorted(chosen, key=lambda mutant: (mutant.base, mutant.offset, mutant.operator))


def read_table(file=TABLE):
    with file.open(encoding="latin-1", newline="") as table:
        rows = csv.DictReader(table)
        return [Mutant(**{**row, "offset": int(row["offset"])}) for row in rows]


def write_table(mutants, file=TABLE):
    with file.open("w", encoding="latin-1", newline="") as table:
        rows = csv.DictWriter(table, [field.name for field in fields(Mutant)], lineterminator="\n")
        rows.writeheader()
        rows.writerows(map(asdict, mutants))


def still_holds(mutant, root=ROOT):
    try:
        mutant.text(root)
    except (OSError, ValueError):
        return False
    return True


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--afresh", action="store_true", help="keep no row of the table")
    options = parser.parse_args()
    before = [] if options.afresh or not TABLE.exists() else read_table()
    kept = [mutant for mutant in before if still_holds(mutant)]
    mutants = draw_all(ROOT, kept=kept)
    write_table(mutants)
    print(f"{len(mutants)} mutants, {len(set(mutants) & set(kept))} of them as before")


if __name__ == "__main__":
    main()
