# SPDX-License-Identifier: Apache-2.0
"""Arithmetic of floats, halves and integers, comparisons, and cvt between every two types."""

import itertools

from case import FLOAT_COMPARISONS, INTEGERS, ORDERED, ROUNDINGS, case, op, predicate


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
    # ptxas may contract a product and a sum without a rounding modifier. With a modifier it may
    # not.
    case(32, "f32 f32 f32", "mul.f32 %r0, %a, %b; add.f32 %d, %r0, %c;")
    case(32, "f32 f32 f32", "mul.rn.f32 %r0, %a, %b; add.rn.f32 %d, %r0, %c;")
    case(32, "f32 f32 f32", "mul.rn.f32 %r0, %a, %b; add.f32 %d, %r0, %c;")
    case(32, "f32 f32 f32", "mul.f32 %r0, %a, %b; sub.f32 %d, %c, %r0;")
    case(64, "f64 f64 f64", "mul.f64 %w0, %a, %b; add.f64 %d, %w0, %c;")
    case(64, "f64 f64 f64", "mul.rn.f64 %w0, %a, %b; add.rn.f64 %d, %w0, %c;")


def not_numbers():
    """f64 NaNs with different payloads. No fma has them only in a and c: ptxas exchanges a and b."""
    nans = ("0x7ff8000000000001", "0x7ff0000000000002", "0xfff8000000000003")
    for places in ("ab", "bc", "abc"):
        sources = ["%a", "%b", "%c"]
        declare = ""
        for place in places:
            index = "abc".index(place)
            sources[index] = "%%w%d" % index
            declare += "add.u64 %%w%d, %s, %%i64; " % (index, nans[index])
        declare = declare.replace("%i64", "%w3")
        case(64, "f64 f64 f64", "and.b64 %%w3, %%a, 0xff0; %sfma.rn.f64 %%d, %s;"
             % (declare, ", ".join(sources)))
        if "c" not in places:
            for name in ("add.rn", "sub.rn", "mul.rn", "div.rn", "min", "max"):
                case(64, "f64 f64", "and.b64 %%w3, %%a, 0xff0; %s%s.f64 %%d, %s;"
                     % (declare, name, ", ".join(sources[:2])))


def mads():
    """mad of floats, which is another name for fma."""
    for r in ROUNDINGS:
        op("f64 f64 f64", "mad.%s.f64" % r)
        for ftz, sat in itertools.product(("", ".ftz"), ("", ".sat")):
            op("f32 f32 f32", "mad.%s%s%s.f32" % (r, ftz, sat))


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


SELECTED = {"b16": "i16", "u16": "i16", "s16": "i16", "b32": "i32", "u32": "i32", "s32": "i32",
            "f32": "f32", "b64": "i64", "u64": "i64", "s64": "i64", "f64": "f64"}


def selections():
    for t, k in SELECTED.items():
        bits = int(t[1:])
        case(bits, "%s %s i32" % (k, k), "setp.lt.s32 %%p, %%c, 5; selp.%s %%d, %%a, %%b, %%p;" % t)
        case(bits, "%s %s i32" % (k, k), "slct.%s.s32 %%d, %%a, %%b, %%c;" % t)
        case(bits, "%s %s f32" % (k, k), "slct.%s.f32 %%d, %%a, %%b, %%c;" % t)
    for c in ("lo", "ls", "hi", "hs"):
        op("i32 i32", "set.%s.u32.u32" % c)
        op("i64 i64", "set.%s.s32.u64" % c, 32)
    for k in ("f16", "bf16"):
        op("%s %s" % (k, k), "set.ltu.s32.%s" % k, 32)
        op("%s %s" % (k, k), "set.ltu.s16.%s" % k, 16)


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


def same_types():
    for t, k in INTEGERS.items():
        case(max(int(t[1:]), 16), k, "cvt.%s.%s %%d, %%a;" % (t, t))


def bytes_of_bf16():
    """Between bf16 and bytes. The byte must be in a register of eight bits."""
    for sign, r in itertools.product("us", ("rni", "rzi", "rmi", "rpi")):
        case(32, "bf16", "{ .reg .b8 x; cvt.%s.%s8.bf16 x, %%a; cvt.%s32.%s8 %%d, x; }"
             % (r, sign, sign, sign))
    for sign, r in itertools.product("us", ROUNDINGS):
        case(16, "i8", "{ .reg .b8 x; cvt.u8.u16 x, %%a; cvt.%s.bf16.%s8 %%d, x; }" % (r, sign))


def small_formats():
    """Eight-bit floats, always in pairs, and tf32, which is held in 32 bits."""
    for form, relu in itertools.product(("e4m3x2", "e5m2x2"), ("", ".relu")):
        case(16, "f32 f32", "cvt.rn.satfinite%s.%s.f32 %%d, %%a, %%b;" % (relu, form))
        case(16, "f16x2", "cvt.rn.satfinite%s.%s.f16x2 %%d, %%a;" % (relu, form))
        case(32, "i16", "cvt.rn%s.f16x2.%s %%d, %%a;" % (relu, form))
    for r, relu in itertools.product(("rn", "rz"), ("", ".relu")):
        case(32, "f32", "cvt.%s%s.tf32.f32 %%d, %%a;" % (r, relu))
    for text in ("cvt.rna.tf32.f32 %d, %a;",
                 "or.b32 %r0, %a, 0x7f800fff; cvt.rna.tf32.f32 %d, %r0;",
                 "or.b32 %r0, %a, 0x7fffe000; cvt.rna.tf32.f32 %d, %r0;",
                 "or.b32 %r0, %a, 0x7f800001; cvt.rz.tf32.f32 %d, %r0;"):
        case(32, "f32", text)


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
            op("i32 i32 i32", "vabsdiff2.u32.%s.%s" % (t, u))
            op("i32 i32 i32", "vabsdiff2.u32.%s.%s.add" % (t, u))
            op("i32 i32 i32", "vabsdiff4.s32.%s.%s.add" % (t, u))
            op("i32 i32 i32", "vabsdiff2.s32.%s.%s.add" % (t, u))
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


def carries():
    """Sums and products of two words, with a carry from each instruction to the next."""
    for t in ("u32", "s32", "u64", "s64"):
        k = INTEGERS[t]
        bits = int(t[1:])
        three = "%s %s %s" % (k, k, k)
        x, y = ("%r0", "%r1") if bits == 32 else ("%w0", "%w1")
        for name in ("add", "sub"):
            case(bits, three, "%s.cc.%s %s, %%a, %%b; %sc.cc.%s %s, %%c, %%a; %sc.%s %%d, %%b, %s;"
                 % (name, t, x, name, t, y, name, t, y))
        for half in ("lo", "hi"):
            case(bits, three, "mad.%s.cc.%s %s, %%a, %%b, %%c; madc.%s.cc.%s %s, %%b, %%c, %%a; "
                 "madc.%s.%s %%d, %%a, %%c, %s; xor.b%d %%d, %%d, %s;"
                 % (half, t, x, half, t, y, half, t, y, bits, y))


def predicates():
    """Logic on predicates, and shifts and comparisons of untyped bits."""
    for name in ("and", "or", "xor"):
        case(32, "i32 i32", "setp.lt.s32 %%p, %%a, 5; setp.gt.s32 %%q, %%b, 5; "
             "%s.pred %%p, %%p, %%q; selp.u32 %%d, 1, 0, %%p;" % name)
    case(32, "i32", "setp.lt.s32 %p, %a, 5; not.pred %q, %p; selp.u32 %d, 1, 0, %q;")
    for b in (16, 32, 64):
        case(b, "i%d shift" % b, "shr.b%d %%d, %%a, %%b;" % b)
        for c in ("eq", "ne"):
            predicate("i%d i%d" % (b, b), "setp.%s.b%d" % (c, b))


PARTS = (
    *(floats, not_numbers, mads, halves, comparisons, selections, conversions, same_types),
    *(bytes_of_bf16, small_formats, integers, carries, predicates),
)
