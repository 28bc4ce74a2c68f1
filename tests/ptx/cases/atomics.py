# SPDX-License-Identifier: Apache-2.0
"""atom and red."""

import itertools

from case import INTEGERS, case
from values import KINDS


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


SEMANTICS = ("relaxed", "acquire", "release", "acq_rel")
SCOPES = ("cta", "cluster", "gpu", "sys")
GENERIC = {"global": "cvta.global.u64 %w4, %g; ",
           "shared": "cvt.u64.u32 %w4, %s; cvta.shared.u64 %w4, %w4; "}
ADDRESS = {"global": "%g", "shared": "%s"}


def reductions():
    """red of every type and operation. red and atom through generic addresses."""
    operations = [("add", t) for t in ("u32", "s32", "u64", "f32", "f64")]
    operations += [("add.noftz", t) for t in ("f16", "f16x2", "bf16", "bf16x2")]
    operations += [(o, t) for o in ("min", "max") for t in ("u32", "s32", "u64", "s64")]
    operations += [(o, t) for o in ("and", "or", "xor") for t in ("b32", "b64")]
    operations += [("inc", "u32"), ("dec", "u32")]
    for (operation, t), space in itertools.product(operations, GENERIC):
        k = t if t in KINDS else "i" + t[1:]
        bits = KINDS[k][0]
        if t_is_pair(t) and space == "shared":
            continue
        store, load = "st.%s.b%d [%s], %%a; ", " ld.%s.b%d %%d, [%s];"
        place = (space, bits, ADDRESS[space])
        case(bits, "%s %s" % (k, k), store % place + "red.%s.%s.%s [%s], %%b;"
             % (space, operation, t, ADDRESS[space]) + load % place)
        case(bits, "%s %s" % (k, k), GENERIC[space] + store % place + "red.%s.%s [%%w4], %%b;"
             % (operation, t) + load % place)
        case(bits, "%s %s" % (k, k), GENERIC[space] + store % place
             + "atom.%s.%s %%d, [%%w4], %%b; xor.b%d %%a, %%a, %%d;" % (operation, t, bits)
             + load % place)


def orders():
    for (space, address), scope in itertools.product(ADDRESS.items(), SCOPES):
        for order in SEMANTICS:
            case(32, "i32 i32", "st.%s.u32 [%s], %%a; atom.%s.%s.%s.add.u32 %%r0, [%s], %%b; "
                 "ld.%s.u32 %%d, [%s]; mad.lo.u32 %%d, %%r0, 31, %%d;"
                 % (space, address, order, scope, space, address, space, address))
        for order in ("", ".relaxed", ".release"):
            case(32, "i32 i32", "st.%s.u32 [%s], %%a; red%s.%s.%s.or.b32 [%s], %%b; "
                 "ld.%s.u32 %%d, [%s];" % (space, address, order, scope, space, address, space,
                                           address))
        case(64, "i64 i64 i64", "st.%s.u64 [%s], %%a; atom.%s.%s.cas.b64 %%d, [%s], %%b, %%c; "
             "ld.%s.u64 %%w0, [%s]; mad.lo.u64 %%d, %%d, 31, %%w0;"
             % (space, address, scope, space, address, space, address))
    policy = "createpolicy.fractional.L2::evict_last.b64 %w2, 0.5; "
    case(32, "i32 i32", policy + "st.global.u32 [%g], %a; "
         "atom.global.add.L2::cache_hint.u32 %d, [%g], %b, %w2; "
         "red.global.add.L2::cache_hint.u32 [%g], %d, %w2; ld.global.u32 %d, [%g];")
    # Many threads update one word: the result does not depend on their order.
    for space, name in itertools.product(ADDRESS, ("add.u32", "max.s32", "xor.b32", "and.b32")):
        first = {"global": "ld.param.u64 %w3, [scratch]; ", "shared": "mov.u32 %r3, own; "}[space]
        word = {"global": "%w3", "shared": "%r3"}[space]
        case(32, "i32", first + "st.%s.u32 [%s], 0x12345678; bar.sync 0; red.%s.%s [%s], %%a; "
             "bar.sync 0; ld.%s.u32 %%d, [%s];" % (space, word, space, name, word, space, word))
    case(32, "i32", "ld.param.u64 %w3, [scratch]; st.global.u32 [%w3], 5; bar.sync 0; "
         "atom.global.inc.u32 %r0, [%w3], 6; bar.sync 0; "
         "ld.global.u32 %d, [%w3];")


def vectors():
    """atom and red of vectors, and of 128 bits."""
    sums = "ld.global.v2.b64 {%w0, %w1}, [%g]; mad.lo.u64 %d, %w0, 31, %w1;"
    start = "st.global.v2.b64 [%g], {%a, %a}; "
    forms = [("add", ".v2.f32", 32, 2), ("add", ".v4.f32", 32, 4)]
    for operation in ("add", "min", "max"):
        for t in ("f16", "bf16"):
            forms += [(operation + ".noftz", ".v%d.%s" % (n, t), 16, n) for n in (2, 4, 8)]
            forms += [(operation + ".noftz", ".v%d.%sx2" % (n, t), 32, n) for n in (2, 4)]
    for operation, form, size, count in forms:
        letter = "xy"[0]
        wide = ["%s%d" % (letter, i) for i in range(8)]
        declare = "{ .reg .b%d x<8>; " % size
        if size == 16:
            fill = "mov.b64 {x0, x1, x2, x3}, %b; mov.b64 {x4, x5, x6, x7}, %b; "
        else:
            fill = "mov.b64 {x0, x1}, %b; mov.b64 {x3, x2}, %b; "
        for scope in ("", ".sys"):
            case(64, "i64 i64", start + declare + fill + "red%s.global.%s%s [%%g], {%s}; "
                 % (scope, operation, form, ", ".join(wide[:count])) + sums + " }")
        case(64, "i64 i64", start + declare + fill + ".reg .b%d y<8>; atom.global.%s%s {%s}, "
             "[%%g], {%s}; " % (size, operation, form,
                                ", ".join("y%d" % i for i in range(count)),
                                ", ".join(wide[:count]))
             + sums + " cvt.u64.u%d %%w2, y%d; mad.lo.u64 %%d, %%d, 31, %%w2; }"
             % (size, count - 1))
    for space, address in ADDRESS.items():
        move = ("st.%s.v2.b64 [%s], {%%a, %%b}; { .reg .b128 x, y, z; mov.b128 x, {%%a, %%b}; "
                "mov.b128 y, {%%b, %%c}; " % (space, address))
        read = (" mov.b128 {%%w0, %%w1}, z; mad.lo.u64 %%d, %%w0, 31, %%w1; "
                "ld.%s.v2.b64 {%%w0, %%w1}, [%s]; mad.lo.u64 %%d, %%d, 31, %%w0; "
                "mad.lo.u64 %%d, %%d, 31, %%w1; }" % (space, address))
        case(64, "i64 i64 i64", move + "atom.%s.exch.b128 z, [%s], y;" % (space, address) + read)
        for compared in ("x", "y"):
            case(64, "i64 i64 i64",
                 move + "atom.%s.cas.b128 z, [%s], %s, y;" % (space, address, compared) + read)
        case(64, "i64 i64 i64",
             move + "atom.acq_rel.gpu.%s.cas.b128 z, [%s], x, y;" % (space, address) + read)


PARTS = (atomics, reductions, orders, vectors)
