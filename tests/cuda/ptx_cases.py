# SPDX-License-Identifier: Apache-2.0
"""The table of conformance.py: values of each kind of source, and PTX texts.

CASES holds (bits of the result, kinds of the sources, text). In a text %d is the result, %a, %b and
%c the sources; %p and %q are predicates, %h0-3, %r0-3 and %w0-3 temporaries of 16, 32 and 64 bits;
%g and %s are addresses of 16 bytes of the thread's own in global and shared memory.

Longer than 400 lines, because it is one flat table.
"""

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
SPECIALS = 12  # the first of each list: all pairs of them
UNARY, BINARY, TERNARY = 64, 192, 224


# Rows that chance would not find: results just below the least normal number, and a product whose
# low bits decide whether a sum is an fma.
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
    """Tuples of sources for an instruction with sources of these kinds."""
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


CASES = []  # (bits of the result, kinds of the sources, text)


def case(bits, kinds, text):
    CASES.append((bits, tuple(kinds.split()), text))


def op(kinds, name, bits=None):
    """An instruction on its sources in order, with a result as wide as the first unless said."""
    count = len(kinds.split())
    sources = ", ".join(["%a", "%b", "%c"][:count])
    case(bits or KINDS[kinds.split()[0]][0], kinds, "%s %%d, %s;" % (name, sources))


def predicate(kinds, name, tail=""):
    sources = ", ".join(["%a", "%b"][: len(kinds.split())])
    case(32, kinds, "%s %%p, %s%s; selp.u32 %%d, 1, 0, %%p;" % (name, sources, tail))


ROUNDINGS = ("rn", "rz", "rm", "rp")
ORDERED = "eq ne lt le gt ge".split()
FLOAT_COMPARISONS = ORDERED + "equ neu ltu leu gtu geu num nan".split()
INTEGERS = {"u8": "i8", "s8": "i8", "u16": "i16", "s16": "i16", "u32": "i32", "s32": "i32",
            "u64": "i64", "s64": "i64"}


def floats():
    for ftz, sat, r in itertools.product(("", ".ftz"), ("", ".sat"), ("",
         ) + tuple("." + r for r in ROUNDINGS)):
        for name in ("add", "sub", "mul"):
            op("f32 f32", name + r + ftz + sat + ".f32")
        if r:
            op("f32 f32 f32", "fma" + r + ftz + sat + ".f32")
    for r in ROUNDINGS:
        for ftz in ("", ".ftz"):
            op("f32 f32", "div.%s%s.f32" % (r, ftz))
            op("f32", "rcp.%s%s.f32" % (r, ftz))
            op("f32", "sqrt.%s%s.f32" % (r, ftz))
        for name in ("add", "sub", "mul", "div"):
            op("f64 f64", "%s.%s.f64" % (name, r))
        op("f64 f64 f64", "fma.%s.f64" % r)
        op("f64", "rcp.%s.f64" % r)
        op("f64", "sqrt.%s.f64" % r)
    for ftz in ("", ".ftz"):
        for name in ("abs", "neg", "rcp.approx", "sqrt.approx", "rsqrt.approx", "sin.approx",
                     "cos.approx", "lg2.approx", "ex2.approx"):
            op("f32", name + ftz + ".f32")
        for name in ("div.approx", "div.full"):
            op("f32 f32", name + ftz + ".f32")
        for nan, xor in itertools.product(("", ".NaN"), ("", ".xorsign.abs")):
            for name in ("min", "max"):
                op("f32 f32", name + ftz + nan + xor + ".f32")
    op("f32", "tanh.approx.f32")
    for name in ("min", "max", "copysign"):
        op("f64 f64", name + ".f64")
    op("f32 f32", "copysign.f32")
    for name in ("abs", "neg", "rcp.approx.ftz", "rsqrt.approx", "rsqrt.approx.ftz"):
        op("f64", name + ".f64")
    for name in "finite infinite number notanumber normal subnormal".split():
        predicate("f32", "testp.%s.f32" % name)
        predicate("f64", "testp.%s.f64" % name)
    # A product and a sum without a rounding modifier, which ptxas may contract; with one
    # it may not.
    case(32, "f32 f32 f32", "mul.f32 %r0, %a, %b; add.f32 %d, %r0, %c;")
    case(32, "f32 f32 f32", "mul.rn.f32 %r0, %a, %b; add.rn.f32 %d, %r0, %c;")
    case(32, "f32 f32 f32", "mul.rn.f32 %r0, %a, %b; add.f32 %d, %r0, %c;")
    case(32, "f32 f32 f32", "mul.f32 %r0, %a, %b; sub.f32 %d, %c, %r0;")
    case(64, "f64 f64 f64", "mul.f64 %w0, %a, %b; add.f64 %d, %w0, %c;")
    case(64, "f64 f64 f64", "mul.rn.f64 %w0, %a, %b; add.rn.f64 %d, %w0, %c;")


def halves():
    for t, x in itertools.product(("f16", "bf16"), ("", "x2")):
        k = t + x
        flushes = ("", ".ftz") if t == "f16" else ("",)
        clamps = ("", ".sat") if t == "f16" else ("",)
        for ftz, sat, r in itertools.product(flushes, clamps, ("", ".rn")):
            for name in ("add", "sub", "mul"):
                op("%s %s" % (k, k), "%s%s%s%s.%s" % (name, r, ftz, sat, k))
        for ftz, clamp in itertools.product(flushes, clamps + (".relu",)):
            op("%s %s %s" % (k, k, k), "fma.rn%s%s.%s" % (ftz, clamp, k))
        for ftz in flushes:
            op(k, "neg%s.%s" % (ftz, k))
            op(k, "abs%s.%s" % (ftz, k))
            for nan, xor in itertools.product(("", ".NaN"), ("", ".xorsign.abs")):
                for name in ("min", "max"):
                    op("%s %s" % (k, k), name + ftz + nan + xor + "." + k)
        op(k, "ex2.approx%s.%s" % ("" if t == "f16" else ".ftz", k))
        op(k, "tanh.approx." + k)
        case(32 if x else 16, "%s %s %s" % (k, k, k),
             "mul.%s %s, %%a, %%b; add.%s %%d, %s, %%c;" % (k, *["%r0" if x else "%h0"], k,
                  "%r0" if x else "%h0"))
        for c in FLOAT_COMPARISONS:
            for ftz in flushes if c in ("eq", "ltu", "gt") else ("",):
                if not x:
                    predicate("%s %s" % (k, k), "setp.%s%s.%s" % (c, ftz, k))
                    op("%s %s" % (k, k), "set.%s%s.%s.%s" % (c, ftz, k, k))
                    op("%s %s" % (k, k), "set.%s%s.u32.%s" % (c, ftz, k), 32)
                    op("%s %s" % (k, k), "set.%s%s.u16.%s" % (c, ftz, k), 16)
                else:
                    case(32, "%s %s" % (k, k),
                         "setp.%s%s.%s %%p|%%q, %%a, %%b; selp.u32 %%d, 1, 0, %%p; "
                         "selp.u32 %%r0, 2, 0, %%q; or.b32 %%d, %%d, %%r0;" % (c, ftz, k))
                    op("%s %s" % (k, k), "set.%s%s.%s.%s" % (c, ftz, k, k))
                    op("%s %s" % (k, k), "set.%s%s.u32.%s" % (c, ftz, k))


def comparisons():
    for c in FLOAT_COMPARISONS:
        for t in ("f32", "f64"):
            predicate("%s %s" % (t, t), "setp.%s.%s" % (c, t))
        predicate("f32 f32", "setp.%s.ftz.f32" % c)
    for c in ("lt", "equ", "nan"):
        op("f32 f32", "set.%s.u32.f32" % c)
        op("f32 f32", "set.%s.ftz.f32.f32" % c)
        op("f64 f64", "set.%s.f32.f64" % c, 32)
        op("f64 f64", "set.%s.s32.f64" % c, 32)
    for t in ("u16", "s16", "u32", "s32", "u64", "s64"):
        k = INTEGERS[t]
        for c in ORDERED + (["lo", "ls", "hi", "hs"] if t[0] == "u" else []):
            predicate("%s %s" % (k, k), "setp.%s.%s" % (c, t))
        op("%s %s" % (k, k), "set.lt.u32.%s" % t, 32)
        op("%s %s" % (k, k), "set.ge.f32.%s" % t, 32)
    for b in ("and", "or", "xor"):
        case(32, "i32 i32 i32",
             "setp.ne.u32 %%q, %%c, 0; setp.lt.%s.s32 %%p|%%q, %%a, %%b, %%q; "
             "selp.u32 %%d, 1, 0, %%p;"
             " selp.u32 %%r0, 2, 0, %%q; or.b32 %%d, %%d, %%r0;" % b)
        case(32, "f32 f32 i32",
             "setp.ne.u32 %%q, %%c, 0; set.lt.%s.u32.f32 %%d, %%a, %%b, %%q;" % b)
    case(32, "i32 i32 i32", "slct.u32.s32 %d, %a, %b, %c;")
    case(32, "f32 f32 f32", "slct.f32.f32 %d, %a, %b, %c;")
    case(32, "f32 f32 f32", "slct.ftz.f32.f32 %d, %a, %b, %c;")
    case(64, "i64 i64 i32", "slct.b64.s32 %d, %a, %b, %c;")


def conversions():
    size = {"f16": 16, "bf16": 16, "f32": 32, "f64": 64}
    for i, k in INTEGERS.items():
        bits = max(int(i[1:]), 16)
        for f in size:
            for r in ("rni", "rzi", "rmi", "rpi"):
                case(bits, f, "cvt.%s.%s.%s %%d, %%a;" % (r, i, f))
            case(bits, f, "cvt.rzi.sat.%s.%s %%d, %%a;" % (i, f))
            for r in ROUNDINGS:
                case(size[f], k, "cvt.%s.%s.%s %%d, %%a;" % (r, f, i))
        case(bits, "f32", "cvt.rzi.ftz.%s.f32 %%d, %%a;" % i)
        case(bits, "f32", "cvt.rpi.ftz.%s.f32 %%d, %%a;" % i)
        for to in INTEGERS:
            wide = max(int(to[1:]), 32)
            if to != i:
                case(wide, k, "cvt.%s.%s %%d, %%a;" % (to, i))
                case(wide, k, "cvt.sat.%s.%s %%d, %%a;" % (to, i))
    for r in ROUNDINGS:
        for pair in ("f16.f32", "f16.f64", "bf16.f32", "bf16.f64", "f32.f64", "bf16.f16",
             "f16.bf16"):
            to, source = pair.split(".")
            case(size[to], source, "cvt.%s.%s %%d, %%a;" % (r, pair))
        case(32, "f64", "cvt.%s.ftz.f32.f64 %%d, %%a;" % r)
        case(32, "f64", "cvt.%s.sat.f32.f64 %%d, %%a;" % r)
    for to, source in (("f32", "f16"), ("f64", "f16"), ("f32", "bf16"), ("f64", "bf16"), ("f64",
         "f32")):
        case(size[to], source, "cvt.%s.%s %%d, %%a;" % (to, source))
        case(size[to], source, "cvt.sat.%s.%s %%d, %%a;" % (to, source))
        case(size[to], source, "cvt.ftz.%s.%s %%d, %%a;" % (to, source))
    for t in size:
        for r in ("rni", "rzi", "rmi", "rpi"):
            case(size[t], t, "cvt.%s.%s.%s %%d, %%a;" % (r, t, t))
        case(size[t], t, "cvt.sat.%s.%s %%d, %%a;" % (t, t))
        case(size[t], t, "cvt.rzi.sat.%s.%s %%d, %%a;" % (t, t))
    case(32, "f32", "cvt.ftz.f32.f32 %d, %a;")
    case(32, "f32", "cvt.ftz.sat.f32.f32 %d, %a;")
    case(32, "f32", "cvt.rni.ftz.f32.f32 %d, %a;")
    for t, r, relu in itertools.product(("f16", "bf16"), ("rn", "rz"), ("", ".relu")):
        case(16, "f32", "cvt.%s%s.%s.f32 %%d, %%a;" % (r, relu, t))
        case(32, "f32 f32", "cvt.%s%s.%sx2.f32 %%d, %%a, %%b;" % (r, relu, t))
    for ftz in ("ftz.", "sat.", "ftz.sat."):
        case(16, "f32", "cvt.rn.%sf16.f32 %%d, %%a;" % ftz)


def integers():
    for t in ("u16", "s16", "u32", "s32", "u64", "s64"):
        k = INTEGERS[t]
        two = "%s %s" % (k, k)
        three = two + " " + k
        for name in ("add", "sub", "mul.lo", "mul.hi", "div", "rem", "min", "max"):
            op(two, "%s.%s" % (name, t))
        for name in ("mad.lo", "mad.hi", "sad"):
            op(three, "%s.%s" % (name, t))
        if t[1:] != "64":
            wide = 2 * int(t[1:])
            case(wide, two, "mul.wide.%s %%d, %%a, %%b;" % t)
            case(wide, "%s i%d" % (two, wide), "mad.wide.%s %%d, %%a, %%b, %%c;" % t)
        if t[0] == "s":
            op(k, "abs.%s" % t)
            op(k, "neg.%s" % t)
        case(int(t[1:]), k + " shift", "shr.%s %%d, %%a, %%b;" % t)
    for b in (16, 32, 64):
        k = "i%d" % b
        for name in ("and", "or", "xor"):
            op("%s %s" % (k, k), "%s.b%d" % (name, b))
        op(k, "not.b%d" % b)
        op(k, "cnot.b%d" % b)
        case(b, k + " shift", "shl.b%d %%d, %%a, %%b;" % b)
    for name in ("add.sat", "sub.sat"):
        op("i32 i32", name + ".s32")
    op("i32 i32 i32", "mad.hi.sat.s32")
    for t in ("u32", "s32"):
        for half in ("lo", "hi"):
            op("i32 i32", "mul24.%s.%s" % (half, t))
            op("i32 i32 i32", "mad24.%s.%s" % (half, t))
            for u in ("u32", "s32"):
                op("i32 i32 i32", "dp2a.%s.%s.%s" % (half, t, u))
        for u in ("u32", "s32"):
            op("i32 i32 i32", "dp4a.%s.%s" % (t, u))
            op("i32 i32 i32", "vabsdiff4.u32.%s.%s" % (t, u))
            op("i32 i32 i32", "vabsdiff4.u32.%s.%s.add" % (t, u))
        case(32, "i32 shift shift", "bfe.%s %%d, %%a, %%b, %%c;" % t)
        case(32, "i32 shift", "szext.wrap.%s %%d, %%a, %%b;" % t)
        case(32, "i32 shift", "szext.clamp.%s %%d, %%a, %%b;" % t)
    op("i32 i32 i32", "mad24.hi.sat.s32")
    for t in ("u64", "s64"):
        case(64, "i64 shift shift", "bfe.%s %%d, %%a, %%b, %%c;" % t)
    for t in ("u32", "s32", "u64", "s64"):
        case(32, INTEGERS[t], "bfind.%s %%d, %%a;" % t)
        case(32, INTEGERS[t], "bfind.shiftamt.%s %%d, %%a;" % t)
    for b in (32, 64):
        case(32, "i%d" % b, "popc.b%d %%d, %%a;" % b)
        case(32, "i%d" % b, "clz.b%d %%d, %%a;" % b)
        op("i%d" % b, "brev.b%d" % b)
        for position, length in ((0, 8), (8, 8), (31, 1), (32, 4), (60, 8), (0, 0)):
            case(b, "i%d i%d" % (b, b), "bfi.b%d %%d, %%a, %%b, %d, %d;" % (b, position, length))
    case(32, "i32 shift shift", "bfi.b32 %d, %a, 0x12345678, %b, %c;")
    case(32, "shift shift", "bmsk.clamp.b32 %d, %a, %b;")
    case(32, "shift shift", "bmsk.wrap.b32 %d, %a, %b;")
    for offset in (0, 1, 3, -1, -2, 20):
        case(32, "i32 i32", "and.b32 %%r0, %%b, 31; fns.b32 %%d, %%a, %%r0, %d;" % offset)
    for table in (0x00, 0x80, 0xFE, 0x96, 0x6A, 0xE8, 0xB4, 0xFF):
        case(32, "i32 i32 i32", "lop3.b32 %%d, %%a, %%b, %%c, 0x%x;" % table)
    for b in ("or", "and"):
        case(32, "i32 i32 i32",
             "setp.gt.s32 %%q, %%c, 5; lop3.%s.b32 %%d|%%p, %%a, %%b, %%c, 0x80, %%q; "
             "selp.u32 %%r0, 1, 0, %%p;"
             " add.u32 %%d, %%d, %%r0;" % b)
    for mode, side in itertools.product(("clamp", "wrap"), ("l", "r")):
        case(32, "i32 i32 shift", "shf.%s.%s.b32 %%d, %%a, %%b, %%c;" % (side, mode))
    for mode in ("", ".f4e", ".b4e", ".rc8", ".ecl", ".ecr", ".rc16"):
        op("i32 i32 i32", "prmt.b32" + mode)
    for first, second in (("add.cc", "addc"), ("sub.cc", "subc")):
        for t in ("u32", "s64"):
            k = INTEGERS[t]
            w = "%r0" if t == "u32" else "%w0"
            case(int(t[1:]), "%s %s %s" % (k, k, k),
                 "%s.%s %s, %%a, %%b; %s.%s %%d, %%c, %%a;" % (first, t, w, second, t))
    case(32, "i32 i32 i32", "mad.lo.cc.u32 %r0, %a, %b, %c; madc.hi.u32 %d, %a, %b, %c;")
    case(32, "i32 i32 i32",
         "mad.lo.cc.u32 %r0, %a, %b, %c; madc.hi.cc.u32 %r1, %a, %b, %c; addc.u32 %d, %r1, %r0;")
    for t in ("u16x2", "s16x2"):
        for name in ("add", "min", "max"):
            op("i32 i32", "%s.%s" % (name, t))
    for name in ("min.relu.s16x2", "max.relu.s16x2", "min.relu.s32", "max.relu.s32"):
        op("i32 i32", name)
    for mov in ("mov.b32 {%h0, %h1}, %a; mov.b32 %d, {%h1, %h0};",):
        case(32, "i32", mov)


def t_is_pair(name):
    return name.endswith("f16x2")


def atomics():
    def both(bits, kinds, name, has_c=False):
        store = {16: "b16", 32: "b32", 64: "b64"}[bits]
        for space, address in (("global", "%g"), ("shared", "%s")):
            c = ", %c" if has_c else ""
            for returns in ("old", "new"):
                text = "st.%s.%s [%s], %%a; " % (space, store, address)
                text += "atom.%s.%s %%d, [%s], %%b%s;" % (space, name, address, c)
                if returns == "new":
                    text += " ld.%s.%s %%d, [%s];" % (space, store, address)
                if t_is_pair(name) and space == "shared":
                    continue  # ptxas 13.0 adds the wrong half of a register there
                if returns == "new" or (name.startswith("add") and space == "global"):
                    case(bits, kinds, text)
    both(32, "f32 f32", "add.f32")
    both(64, "f64 f64", "add.f64")
    for t in ("f16", "f16x2", "bf16", "bf16x2"):
        both(KINDS[t][0], "%s %s" % (t, t), "add.noftz.%s" % t)
    for t in ("u32", "s32", "u64", "s64"):
        k = INTEGERS[t]
        for name in ("min", "max") + (("add",) if t != "s64" else ()) + (("inc",
             "dec") if t == "u32" else ()):
            both(int(t[1:]), "%s %s" % (k, k), "%s.%s" % (name, t))
    for b in (32, 64):
        k = "i%d" % b
        for name in ("and", "or", "xor", "exch"):
            both(b, "%s %s" % (k, k), "%s.b%d" % (name, b))
        both(b, "%s %s %s" % (k, k, k), "cas.b%d" % b, True)
    both(16, "i16 i16 i16", "cas.b16", True)
    for t in ("f32", "f64"):
        bits = KINDS[t][0]
        case(bits, "%s %s" % (t, t),
             "st.global.b%d [%%g], %%a; red.global.add.%s [%%g], %%b; "
             "ld.global.b%d %%d, [%%g];" % (bits, t, bits))
    case(32, "i32 i32",
         "st.global.b32 [%g], %a; st.shared.b32 [%s], %b; "
         "cp.async.ca.shared.global [%s], [%g], 4; cp.async.commit_group; "
         "cp.async.wait_group 0; ld.shared.b32 %d, [%s];")
    case(64, "i64 i64",
         "st.global.b64 [%g], %a; st.shared.b64 [%s], %b; "
         "cp.async.ca.shared.global [%s], [%g], 8, 5; cp.async.wait_all; ld.shared.b64 %d, [%s];")


for part in (floats, halves, comparisons, conversions, integers, atomics):
    part()
