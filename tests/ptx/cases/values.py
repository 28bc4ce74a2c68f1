# SPDX-License-Identifier: Apache-2.0
"""The values of each kind of source, and the rows of values on which an instruction is tested."""

import itertools

F32 = """00000000 80000000 3f800000 bf800000 7f800000 ff800000 7fc00000 7f812345 00000001 807fffff
7f7fffff 40200000 ffc00001 00800000 80800000 ff7fffff 3f800001 3fc00000 c0200000 40600000 3f000000
bf000000 4f000000 4effffff cf000000 4f800000 5f000000 5effffff df000000 5f800000 477fe000 477fefff
477ff000 33000000 33000001 33800000 387fc000 38800000 387ff000 42ff0000 437f8000 c3008000 46fffe00
3dcccccd 40490fdb 501502f9 2edbe6ff 7f7f7fff 7f7f8000 3f808000 3f818000 00008000 3fffffff"""
F64 = """0000000000000000 8000000000000000 3ff0000000000000 bff0000000000000 7ff0000000000000
fff0000000000000 7ff8000000000000 7ff0000012345678 0000000000000001 800fffffffffffff
7fefffffffffffff 4004000000000000 fff8000000000123 0010000000000000 8010000000000000
ffefffffffffffff 3ff0000000000001 3ff8000000000000 c004000000000000 400c000000000000
3fe0000000000000 bfe0000000000000 41e0000000000000 41dfffffffe00000 c1e0000000000000
c1e0000000200000 41f0000000000000 41efffffffe00000 43e0000000000000 43dfffffffffffff
c3e0000000000000 43f0000000000000 40effc0000000000 40effe0000000000 3e60000000000000
3e60000000000001 3e70000000000000 3810000000000000 3690000000000000 3690000000000001
47efffffefffffff 47efffffe0000000 47efffffefffffff 405fe00000000000 406ff00000000000
3fb999999999999a 400921fb54442d18 3ff0000010000000 3ff0000030000000 3ff0010000000000"""
F16 = """
0000 8000 3c00 bc00 7c00 fc00 7e00 7d23 0001 83ff 7bff 4100 fe01 0400 8400 fbff 3c01 3e00 c100
4300 3800 b800 7800 4248 2e66 57f8 5bfc 1400 0200 7fff 6400 e400 5640 0800 3bff 9400"""
BF16 = """
0000 8000 3f80 bf80 7f80 ff80 7fc0 7f92 0001 807f 7f7f 4020 ffc1 0080 8080 ff7f 3f81 3fc0 c020
4060 3f00 bf00 4f00 4049 3dcd 42ff 437f 3300 0040 7fff 5f00 df00 4eff 3380 3f7f b300"""
INT64 = """0 1 ffffffffffffffff 8000000000000000 7fffffffffffffff 2 80000000 ffffffff 7fffffff
fffffffffffffffe 100000000 ffffffff80000000 80 ff 7f 8000 ffff 7fff ffffffffffffff80
ffffffffffff8000 1000001 1000002 1000003 20000000000001 20000000000003 ffff7fffffffffff 7 a
fffffffffffffff9 3039 deadbeefcafef00d 7fe0 7ff0 8001 10001"""
SHIFT = "0 1 5 8 1f 20 21 3f 40 7f 80 ff 100 ffffffff 10 18"


def words(text, bits):
    values = []
    for word in text.split():
        value = int(word, 16) & ((1 << bits) - 1)
        if value not in values:
            values.append(value)
    return values


def pairs(values):
    return [low | values[(i * 7 + 3) % len(values)] << 16 for i, low in enumerate(values)]


KINDS = {"f32": (32, words(F32, 32)), "f64": (64, words(F64, 64)), "f16": (16, words(F16, 16)),
         "bf16": (16, words(BF16, 16)), "shift": (32, words(SHIFT, 32)),
         "f16x2": (32, pairs(words(F16, 16))), "bf16x2": (32, pairs(words(BF16, 16)))}
for size in (16, 32, 64):
    KINDS["i%d" % size] = (size, words(INT64, size))
KINDS["i8"] = (16, words(INT64, 16))  # 8-bit sources live in 16-bit registers
SPECIALS = 12  # the first values of each list are combined in all pairs
UNARY, BINARY, TERNARY = 64, 192, 224


# Rows that random values would miss: results just below the least normal number, and a product
# whose low bits decide whether a sum is an fma.
EXTRA = {("f32", "f32"): [(0x3F7FFFFF, 0x00800000), (0xBF7FFFFF, 0x00800000), (0x00FFFFFF,
     0x3F000000)],
         ("f32", "f32", "f32"): [(0x3F7FFFFF, 0x00800000, 0), (0x3F801000, 0x3F801000, 0xBF802000),
                                 (0x3F801000, 0xBF801000, 0x3F802000)],
         ("f16", "f16"): [(0x3BFF, 0x0400), (0xBBFF, 0x0400), (0x07FF, 0x3800)],
         ("f16x2", "f16x2"): [(0x3BFF3BFF, 0x04000400), (0x07FFBBFF, 0x38000400)],
         ("f16", "f16", "f16"): [(0x3BFF, 0x0400, 0), (0x3C20, 0x3C20, 0xBC40)],
         ("f64", "f64"): [(0x3FEFFFFFFFFFFFFF, 0x0010000000000000)]}


class Random:
    """The generator of Numerical Recipes: the same numbers on every machine."""

    def __init__(self, seed):
        self.state = seed

    def bits(self, count):
        value = 0
        for _ in range((count + 15) // 16):
            self.state = (self.state * 1664525 + 1013904223) & 0xFFFFFFFF
            value = value << 16 | self.state >> 16
        return value & ((1 << count) - 1)


def inputs(kinds):
    """Rows of values for an instruction with sources of these kinds."""
    random = Random(sum(map(ord, ",".join(kinds))))
    lists = [KINDS[kind][1] for kind in kinds]

    def drawn():
        row = []
        for kind, values in zip(kinds, lists):
            plain = kind == "shift" or random.bits(8) < 176
            row.append(values[random.bits(16) % len(values)] if plain
                       else random.bits(KINDS[kind][0]))
        return tuple(row)

    if len(kinds) == 1:
        rows = [(value,) for value in lists[0]]
        count = UNARY
    elif len(kinds) == 2:
        rows = list(itertools.product(lists[0][:SPECIALS], lists[1][:SPECIALS]))
        count = BINARY
    else:
        rows = []
        count = TERNARY
    while len(rows) < count:
        rows.append(drawn())
    return rows + EXTRA.get(tuple(kinds), [])
