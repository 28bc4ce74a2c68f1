# SPDX-License-Identifier: Apache-2.0
"""Integer arithmetic, bits and shifts."""

import itertools

from case import INTEGERS, case, op, predicate


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


PARTS = (integers, carries, predicates)
