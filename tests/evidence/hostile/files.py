# SPDX-License-Identifier: Apache-2.0
"""What a hostile file is, and the kernels that the exercises ask for.

A file has a family, a name in it, the exercise that it is handed in for, and its bytes, which are
made when it is graded. Chance comes from the name, so that a name always means the same file.
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
# What lies beside a file, when it is no file with text.
FOLDER, PIPE = object(), object()


class Link(typing.NamedTuple):
    """A symbolic link, beside a file."""

    target: str


@dataclasses.dataclass
class Hostile:
    """One file: `make` gives its bytes or its text, `beside` what lies in its folder by name."""

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
        """Its name in the folder where it is handed in."""
        return pathlib.PurePath(self.what + self.suffix)

    def write(self, folder):
        """Writes it into that folder, and what lies beside it."""
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
    """A generator of random numbers that the words alone decide."""
    return random.Random("/".join(map(str, words)))


def by_turns(family, makers, first=0):
    """A file of that family for each (name, maker), by turns for each exercise.

    A maker takes the exercise and gives the file's bytes or text.
    """
    for k, (what, make) in enumerate(makers, first):
        exercise = EXERCISES[k % len(EXERCISES)]
        yield Hostile(family, what, exercise, lambda make=make, to=exercise: make(to))


def solution(exercise):
    return (ROOT / "solutions" / f"{exercise}.cu").read_text(encoding="utf-8")


def head(exercise):
    """The kernel's head as the skeleton has it, without the brace."""
    skeleton = (ROOT / "labs" / f"{exercise}.cu").read_text(encoding="utf-8")
    return HEAD.search(skeleton)[1]


def words(exercise):
    """What the words of kernels/*.cu stand for in that exercise."""
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
    """A file with that kernel body, in the words of kernels/*.cu."""
    return fill(f"{before}\nKERNEL {{\n{body}\n}}\n", exercise)
