# SPDX-License-Identifier: Apache-2.0
"""Files made from the parts in kernels/*.cu."""

import functools
import pathlib
import re

from files import HEAD, by_turns, fill, solution

KERNELS = pathlib.Path(__file__).resolve().parent / "kernels"
# Rounds of a loop. Endless is 2^60: the compiler may remove a loop that provably never ends.
ROUNDS = {"some": "50", "more": "500", "many": "5000", "endless": "(1ull << 60)"}


def parts(name):
    """(name, text) of each part of that file."""
    text = (KERNELS / f"{name}.cu").read_text(encoding="utf-8")
    found = re.split(r"^//// (\w+)\n", text, flags=re.MULTILINE)[1:]
    return list(zip(found[::2], found[1::2]))


def before_the_solution(text, rounds, exercise):
    """A right kernel that runs a part of loops.cu first, so that all cases are executed."""
    *outside, inside = text.split("//--\n")
    loop = f"_Pragma(\"unroll 1\") for (unsigned long long k = 0; k < {ROUNDS[rounds]}; ++k)"
    inside = re.sub(r"\bLOOP\b", lambda _: loop, inside)
    work = f"\n  {{\n{fill(inside, exercise)}  }}"
    right = HEAD.sub(lambda match: match[0] + work, solution(exercise), 1)
    return fill("".join(outside), exercise) + right


def loops():
    makers = [
        (f"{what}_{rounds}", functools.partial(before_the_solution, text, rounds))
        for rounds in ROUNDS
        for what, text in parts("loops")
    ]
    return by_turns("loops", makers)


def whole_kernels(family):
    makers = [(what, lambda to, text=text: fill(text, to)) for what, text in parts(family)]
    # Each family starts with a different exercise.
    return by_turns(family, makers, first=len(family))


def files():
    yield from loops()
    for family in ("barriers", "addresses", "assembly", "output", "language"):
        yield from whole_kernels(family)
