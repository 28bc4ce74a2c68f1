# SPDX-License-Identifier: Apache-2.0
"""Solutions and right kernels: cut, with flipped bits or random bytes, or shuffled."""

import re

from files import EXERCISES, ROOT, Hostile, chance, solution

TOKEN = re.compile(rb"\w+|\s+|[^\w\s]")


def sources(exercise):
    """Right files for that exercise: the solution, and the files of tests/evidence/right."""
    more = sorted((ROOT / "tests/evidence/right" / exercise).glob("*.cu"))
    return [solution(exercise).encode(), *(file.read_bytes() for file in more)]


def cut(source, random):
    return source[: random.randrange(1, len(source))]


def middle(source, random):
    begin = random.randrange(len(source))
    return source[:begin] + source[random.randrange(begin, len(source)) :]


def flip(source, random):
    out = bytearray(source)
    for _ in range(random.choice((1, 4, 16, 64))):
        out[random.randrange(len(out))] ^= 1 << random.randrange(8)
    return bytes(out)


def overwrite(source, random):
    out = bytearray(source)
    begin = random.randrange(len(out))
    out[begin : begin + 64] = random.randbytes(64)
    return bytes(out)


def shuffle(source, random):
    tokens = TOKEN.findall(source)
    places = [k for k, token in enumerate(tokens) if not token.isspace()]
    for _ in range(random.choice((1, 2, 8, 64))):
        a, b = random.choice(places), random.choice(places)
        change = random.randrange(4)
        if change == 0:
            tokens[a], tokens[b] = tokens[b], tokens[a]
        elif change == 1:
            tokens[a] = b""
        elif change == 2:
            tokens[a] += b" " + tokens[a]
        else:
            tokens[a] = tokens[b]
    return b"".join(tokens)


def lines(source, random):
    found = source.splitlines(keepends=True)
    random.shuffle(found)
    return b"".join(found)


def two_at_once(source, random):
    other = sources(random.choice(EXERCISES))[0]
    return source[: random.randrange(len(source))] + other[random.randrange(len(other)) :]


# How many files each way makes.
WAYS = {
    **{cut: 28, middle: 10, flip: 28, overwrite: 8},
    **{shuffle: 29, lines: 4, two_at_once: 8},
}


def damaged(way, number, exercise):
    random = chance("damaged", way.__name__, number)
    return way(random.choice(sources(exercise)), random)


def files():
    for way, count in WAYS.items():
        for k in range(count):
            exercise = EXERCISES[(k * 3 + 1) % len(EXERCISES)]

            def make(way=way, k=k, exercise=exercise):
                return damaged(way, k, exercise)

            yield Hostile("damaged", f"{way.__name__}_{k}", exercise, make)
