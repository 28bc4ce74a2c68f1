# SPDX-License-Identifier: Apache-2.0
"""Hostile files, and the kernel heads of the exercises.

A file has a family, a name within the family, an exercise, and bytes that are generated when it is
graded. Random choices derive from the name, so that a name always means the same file.
"""

import dataclasses
import os
import pathlib
import random
import re
import typing

ROOT = pathlib.Path(__file__).resolve().parents[3]
# A kernel's head up to its brace, with its template parameters.
HEAD = re.compile(r"((?:template <[^>]*>\s*)?__global__ void \w+\([^)]*\))\s*\{")
EXERCISES = (
    *("coalescing/copy", "coarsening/reduce_threads", "bank_conflicts/padded"),
    *("partition_camping/diagonal_fast", "coalescing/transpose", "coarsening/reduce_many"),
    *("bank_conflicts/fine_grained", "partition_camping/diagonal_any", "bank_conflicts/swizzled"),
    *("coarsening/reduce_blocks", "partition_camping/hybrid", "bank_conflicts/coarse_grained"),
    *("coarsening/transpose_coarsened", "partition_camping/diagonal"),
)
# Entries beside a file that are not text files.
FOLDER, PIPE = object(), object()


class Link(typing.NamedTuple):
    """A symbolic link, beside a file."""

    target: str


@dataclasses.dataclass
class Hostile:
    """One file. `make` returns its bytes or text; `beside` has other entries of its folder."""

    family: str
    what: str
    exercise: str
    make: typing.Callable
    beside: dict = dataclasses.field(default_factory=dict)
    suffix: str = ".cu"

    @property
    def name(self):
        return f"{self.family}/{self.what}"

    @property
    def file(self):
        """Its file name in the folder of the submission."""
        return pathlib.PurePath(self.what + self.suffix)

    def write(self, folder):
        """Writes it and the entries beside it into that folder."""
        folder.mkdir(parents=True, exist_ok=True)
        (folder / self.file).write_bytes(self.bytes())
        for name, content in self.beside.items():
            path = folder / name
            if content is FOLDER:
                path.mkdir()
            elif content is PIPE:
                os.mkfifo(path)
            elif isinstance(content, Link):
                path.symlink_to(content.target)
            else:
                path.write_bytes(content)

    def bytes(self):
        made = self.make()
        return made if isinstance(made, bytes) else made.encode("utf-8", "surrogatepass")


def chance(*words):
    """A random number generator seeded by the words."""
    return random.Random("/".join(map(str, words)))


def by_turns(family, makers, first=0):
    """Yields a file of the family for each (name, maker); the exercises take turns.

    A maker maps an exercise to the bytes or text of the file.
    """
    for k, (what, make) in enumerate(makers, first):
        exercise = EXERCISES[k % len(EXERCISES)]
        yield Hostile(family, what, exercise, lambda make=make, to=exercise: make(to))


def solution(exercise):
    return (ROOT / "solutions" / f"{exercise}.cu").read_text(encoding="utf-8")


def head(exercise):
    """The kernel's head in the skeleton, without the brace."""
    skeleton = (ROOT / "labs" / f"{exercise}.cu").read_text(encoding="utf-8")
    return HEAD.search(skeleton)[1]


def words(exercise):
    """Replacements of the words in kernels/*.cu for that exercise."""
    signature = head(exercise)
    is_matrix = "width" in signature
    thread = "blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x"
    return {
        "KERNEL": signature,
        "NAME": re.search(r"void (\w+)", signature)[1],
        "T": "double" if "double" in signature else "float",
        "OUT": "out" if is_matrix else "partial",
        "SIZE": "(width * height)" if is_matrix else "int(n)",
        "INDEX": f"(((blockIdx.y * gridDim.x + blockIdx.x) * {thread})",
        "LONG_TEXT": '"' + "0123456789" * 20 + '"',
        **{"<ESC>": "\x1b", "<BEL>": "\x07", "<RLO>": "\u202e", "<LRI>": "\u2066"},
    }


def fill(text, exercise):
    """The text with those words replaced."""
    found = words(exercise)
    any_word = re.compile(r"\b(?:KERNEL|NAME|T|OUT|SIZE|INDEX|LONG_TEXT)\b|<(?:ESC|BEL|RLO|LRI)>")
    return any_word.sub(lambda match: found[match[0]], text)


def kernel(exercise, body, before=""):
    """A file with that kernel body, which may use the words of kernels/*.cu."""
    return fill(f"{before}\nKERNEL {{\n{body}\n}}\n", exercise)
