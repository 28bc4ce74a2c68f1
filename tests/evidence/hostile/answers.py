# SPDX-License-Identifier: Apache-2.0
"""Answer files for the two exercises that require them: hostile TOML, and other text."""

from files import ROOT, Hostile, chance

KEYS = "".join(f"k{k} = {k}\n" for k in range(300_000))
EXERCISES = ("bank_conflicts/predict", "coarsening/factor")


def right(exercise):
    return (ROOT / "solutions" / f"{exercise}.toml").read_text(encoding="utf-8")


def with_value(value):
    """The right answers, with each value replaced by that text."""

    def make(exercise):
        lines = right(exercise).splitlines()
        return "\n".join(f"{line.split('=')[0]}= {value}" if "=" in line else "" for line in lines)

    return make


def cut(exercise):
    text = right(exercise)
    return text[: len(text) * 4 // 5]


def flipped(exercise):
    out = bytearray(right(exercise).encode())
    random = chance("answers", exercise)
    for _ in range(20):
        out[random.randrange(len(out))] ^= 1 << random.randrange(8)
    return bytes(out)


MAKERS = {
    "nothing": lambda _: "",
    "random_bytes": lambda to: chance("answers", "bytes", to).randbytes(20_000),
    "ten_megabytes": lambda to: right(to) + "#" + "x" * 10_000_000,
    "four_megabytes_of_keys": lambda to: right(to) + KEYS,
    "brackets": lambda _: "a = " + "[" * 200_000,
    "closed_brackets": lambda _: "a = " + "[" * 50_000 + "]" * 50_000,
    "inline_tables": lambda _: "a = " + "{a = " * 50_000 + "1" + "}" * 50_000,
    "dotted_key": lambda _: ".".join("a" * 100_000) + " = 1",
    "nested_tables": lambda _: "".join(f"[{'.'.join('abcdefgh' * k)}]\n" for k in range(1, 300)),
    "arrays_of_tables": lambda _: "[[a]]\n" * 200_000,
    "huge_numbers": with_value("9" * 5000),
    "largest_numbers": with_value("9223372036854775807"),
    "smallest_numbers": with_value("-9223372036854775808"),
    "infinite": with_value("inf"),
    "not_numbers": with_value("nan"),
    "huge_exponents": with_value("1e999999999"),
    "texts": with_value('"4\\u001b[2J"'),
    "booleans": with_value("true"),
    "dates": with_value("9999-99-99T99:99:99Z"),
    "lists_of_lists": with_value("[[1, 2], [3], {a = 4}]"),
    "millions_of_answers": with_value("[" + "1, " * 40_000 + "1]"),
    "twice": lambda to: right(to) * 2,
    "null_bytes": lambda to: right(to).replace("=", "=\0"),
    "utf16": lambda to: right(to).encode("utf-16"),
    "unclosed_text": lambda to: right(to) + 'more = """',
    "invalid_utf8": lambda to: right(to).encode() + b'\n"\xff\xfe" = "\x80"\n',
    "escapes_in_keys": lambda to: right(to) + '"\\u001b[2J\\u0000\\u202e" = 1\n',
    "cut": cut,
    "flipped": flipped,
    "a_kernel": lambda _: "__global__ void copy(float* out) {}\n",
}


def files():
    for k, (what, make) in enumerate(MAKERS.items()):
        to = EXERCISES[k % 2]
        yield Hostile("answers", what, to, lambda make=make, to=to: make(to), suffix=".toml")
