# SPDX-License-Identifier: Apache-2.0
"""ld, st, mov, address conversions, prefetches and cache hints, over every space."""

import itertools

from case import case

NARROW = ("u8", "s8", "b8", "u16", "s16", "b16")
TYPES = {t: int(t[1:]) for t in NARROW + ("u32", "s32", "b32", "f32", "u64", "s64", "b64", "f64")}
LOCAL = "{ .local .align 16 .b8 mine[16]; "
# The place of a thread's 16 bytes in each space: the code before, the address, the code after.
PLACES = {
    "global": ("", "%g", ""),
    "shared": ("", "%s", ""),
    "local": (LOCAL, "mine", " }"),
    "": ("cvta.to.global.u64 %w4, %g; cvta.global.u64 %w4, %w4; ", "%w4", ""),
    "own": ("cvt.u64.u32 %w4, %s; cvta.shared.u64 %w4, %w4; ", "%w4", ""),
    "mine": (LOCAL + "mov.u64 %w4, mine; cvta.local.u64 %w4, %w4; ", "%w4", " }"),
}
LEVELS = ("L1::evict_normal", "L1::evict_unchanged", "L1::evict_first", "L1::evict_last",
          "L1::no_allocate")
SCOPES = ("cta", "cluster", "gpu", "sys")


def dotted(place):
    return "." + place if place in ("global", "shared", "local") else ""


def at(place, text):
    """`text` with SPACE and ADDRESS of a place."""
    before, address, after = PLACES[place]
    return before + text.replace("SPACE", dotted(place)).replace("ADDRESS", address) + after


def loads_and_stores():
    for place, (t, bits) in itertools.product(PLACES, TYPES.items()):
        wide = 64 if bits == 64 else 32
        case(wide, "i64", at(place, "stSPACE.b64 [ADDRESS], %%a; ldSPACE.%s %%d, [ADDRESS];" % t))
        # A store leaves the bytes next to it alone.
        source = {8: "%h0", 16: "%h0", 32: "%r0", 64: "%a"}[bits]
        cut = "" if bits == 64 else "cvt.u%d.u64 %s, %%a; " % (max(bits, 16), source)
        case(64, "i64", at(place, cut + "not.b64 %%w0, %%a; stSPACE.b64 [ADDRESS], %%w0; "
                           "stSPACE.%s [ADDRESS], %s; ldSPACE.b64 %%d, [ADDRESS];" % (t, source)))
    for t, bits in TYPES.items():
        case(64 if bits == 64 else 32, "i32",
             "{ .reg .b64 x; and.b32 %%r0, %%a, 15; mul.wide.u32 x, %%r0, 16; "
             "mov.u64 %%w0, constants; add.u64 x, x, %%w0; ld.const.%s %%d, [x]; }" % t)
        case(64 if bits == 64 else 32, "i32", "ld.global.b32 %%r0, [%%g]; st.global.b32 [%%g], "
             "%%a; st.global.b32 [%%g+4], %%a; ldu.global.%s %%d, [%%g];" % t)
    for t in ("u8", "s8", "b8", "u16", "s16", "b16", "u32", "s32", "b32"):
        case(32, "i32", "ld.param.%s %%d, [n];" % t)
    for t in ("u64", "s64", "b64"):  # an address: the low bits of one are known
        case(64, "i32", "ld.param.%s %%d, [out]; and.b64 %%d, %%d, 0xff;" % t)


def vectors():
    for place, count, (t, bits) in itertools.product(PLACES, (2, 4), TYPES.items()):
        if count * bits > 128:
            continue
        size = max(bits, 16)
        register = {16: "%h", 32: "%r", 64: "%w"}[size]
        names = ["%s%d" % (register, i) for i in range(count)]
        total = " ".join("cvt.u64.u%d %%w5, %s; mad.lo.u64 %%d, %%d, 31, %%w5;" % (size, name)
                         if size < 64 else "mad.lo.u64 %%d, %%d, 31, %s;" % name
                         for name in names)
        case(64, "i64",
             at(place, "not.b64 %%o, %%a; stSPACE.v2.b64 [ADDRESS], {%%a, %%o}; "
                "ldSPACE.v%d.%s {%s}, [ADDRESS]; mov.b64 %%d, 0; %s"
                % (count, t, ", ".join(names), total)))
        cut = "".join("shr.u64 %%w5, %%a, %d; cvt.u%d.u64 %s, %%w5; " % (7 * i, size, name)
                      if size < 64 else "shr.u64 %s, %%a, %d; " % (name, 7 * i)
                      for i, name in enumerate(names))
        case(64, "i64",
             at(place, "not.b64 %o, %a; " + cut + ("stSPACE.v2.b64 [ADDRESS], {%%o, %%o}; "
                "stSPACE.v%d.%s [ADDRESS], {%s}; ldSPACE.v2.b64 {%%w0, %%w1}, [ADDRESS]; "
                "mad.lo.u64 %%d, %%w0, 31, %%w1;"
                % (count, t, ", ".join(names)))))


def orders_and_hints():
    def load(space, address, modifiers, tail=""):
        case(32, "i32", "st.%s.b32 [%s], %%a; ld%s.u32 %%d, [%s]%s;"
             % (space, address, modifiers, address, tail))

    def store(space, address, modifiers, tail=""):
        case(32, "i32", "st%s.u32 [%s], %%a%s; ld.%s.u32 %%d, [%s];"
             % (modifiers, address, tail, space, address))

    for space, address in (("global", "%g"), ("shared", "%s")):
        for order in ("volatile", "weak"):
            load(space, address, ".%s.%s" % (order, space))
            store(space, address, ".%s.%s" % (order, space))
        for scope in SCOPES:
            load(space, address, ".relaxed.%s.%s" % (scope, space))
            load(space, address, ".acquire.%s.%s" % (scope, space))
            store(space, address, ".relaxed.%s.%s" % (scope, space))
            store(space, address, ".release.%s.%s" % (scope, space))
    load("global", "%g", ".mmio.relaxed.sys.global")
    store("global", "%g", ".mmio.relaxed.sys.global")
    for cache in ("ca", "cg", "cs", "lu", "cv"):
        load("global", "%g", ".global." + cache)
    for cache in ("wb", "cg", "cs", "wt"):
        store("global", "%g", ".global." + cache)
    for level in LEVELS:
        load("global", "%g", ".global." + level)
        store("global", "%g", ".global." + level)
    for size in ("64B", "128B", "256B"):
        load("global", "%g", ".global.L2::" + size)
        load("global", "%g", ".global.L1::evict_last.L2::" + size)
    case(32, "i32", "ld.global.nc.u32 %r0, [%g]; mov.u32 %d, %a;")
    for modifiers in ("", ".L1::no_allocate", ".L2::128B", ".L1::evict_first.L2::256B"):
        case(32, "i32", "ld.global.nc%s.u32 %%r0, [%%g]; st.global.u32 [%%g], %%a; "
             "ld.global.u32 %%d, [%%g];" % modifiers)
    policy = "createpolicy.fractional.L2::%s.b64 %%w2, 0.5; "
    for first in ("evict_last", "evict_normal", "evict_first", "evict_unchanged"):
        case(32, "i32", policy % first + "st.global.L2::cache_hint.u32 [%g], %a, %w2; "
             "ld.global.L2::cache_hint.u32 %d, [%g], %w2;")
    case(32, "i32", "createpolicy.fractional.L2::evict_first.L2::evict_unchanged.b64 %w2; "
         "st.global.v2.b32 [%g], {%a, %a}; "
         "ld.global.nc.L2::cache_hint.v2.u32 {%r0, %d}, [%g], %w2; mov.u32 %d, %a;")
    case(32, "i32", "createpolicy.range.global.L2::evict_last.L2::evict_first.b64 "
         "%w2, [%g], 64, 256; st.global.L2::cache_hint.v2.u32 [%g], {%a, %a}, %w2; "
         "ld.global.u32 %d, [%g+4];")
    case(32, "i32", "createpolicy.cvt.L2.b64 %w2, 0x12F0000000000000; "
         "st.global.b32 [%g], %a; ld.global.L1::evict_last.L2::cache_hint.L2::128B.u32 %d, [%g], "
         "%w2;")


def hints():
    for text in ("prefetch.global.L1 [%g];", "prefetch.global.L2 [%g];",
                 "prefetch.global.L2::evict_last [%g];", "prefetch.global.L2::evict_normal [%g];",
                 "prefetchu.L1 [%w4];", "prefetch.L1 [%w4];", "prefetch.L2 [%w4];",
                 "applypriority.global.L2::evict_normal [%w5], 128;",
                 "applypriority.L2::evict_normal [%w5], 128;"):
        case(32, "i32", "st.global.u32 [%g], %a; cvta.global.u64 %w4, %g; "
             "and.b64 %w5, %g, -128; " + text + " ld.global.u32 %d, [%g];")
    case(32, "i32", "{ .local .align 16 .b8 mine[16]; st.local.u32 [mine], %a; "
         "prefetch.local.L1 [mine]; prefetch.local.L2 [mine]; ld.local.u32 %d, [mine]; }")
    case(32, "i32", "{ .reg .b64 low; and.b64 low, %g, -128; discard.global.L2 [low], 128; "
         "discard.L2 [low], 128; bar.warp.sync 0xffffffff; st.global.u32 [%g], %a; "
         "ld.global.u32 %d, [%g]; }")
    case(32, "i32", "pmevent 1; pmevent.mask 3; mov.u32 %d, %a;")
    case(32, "i32", "griddepcontrol.wait; griddepcontrol.launch_dependents; mov.u32 %d, %a;")


def addresses():
    places = (("global", "mov.u64 %w0, %g;"), ("shared", "cvt.u64.u32 %w0, %s;"))
    for space, address in places:
        case(32, "i32", "%s cvta.%s.u64 %%w1, %%w0; cvta.to.%s.u64 %%w2, %%w1; "
             "st.%s.u32 [%%w2], %%a; ld.u32 %%d, [%%w1];" % (address, space, space, space))
        for asked in ("global", "shared", "local", "const", "param", "shared::cta"):
            case(32, "i32", "%s cvta.%s.u64 %%w1, %%w0; isspacep.%s %%p, %%w1; "
                 "selp.u32 %%d, 1, 0, %%p;" % (address, space, asked))
    for asked in ("global", "shared", "local", "const", "param"):
        test = "isspacep.%s %%%%p, %%%%w1; selp.u32 %%%%d, 1, 0, %%%%p;" % asked
        case(32, "i32", (LOCAL + "mov.u64 %%w0, mine; st.local.u32 [mine], %%a; "
                         "cvta.local.u64 %%w1, %%w0; " + test + " }") % ())
        case(32, "i32", ("mov.u64 %%w0, constants; cvta.const.u64 %%w1, %%w0; " + test) % ())
    case(32, "i32", LOCAL + "mov.u64 %w0, mine; cvta.local.u64 %w1, %w0; "
         "cvta.to.local.u64 %w2, %w1; st.local.u32 [%w2], %a; ld.u32 %d, [%w1]; "
         "isspacep.local %p, %w1; isspacep.shared %q, %w1; @!%p mov.u32 %d, 1; "
         "@%q mov.u32 %d, 2; }")
    case(32, "i32", "mov.u64 %w0, constants; cvta.const.u64 %w1, %w0; cvta.to.const.u64 %w2, %w1; "
         "and.b32 %r0, %a, 15; mul.wide.u32 %w3, %r0, 4; add.u64 %w1, %w1, %w3; "
         "add.u64 %w2, %w2, %w3; ld.const.u32 %r1, [%w2]; ld.u32 %r2, [%w1]; sub.u32 %d, %r1, %r2;"
         " add.u32 %d, %d, %r1;")
    case(32, "i32", "mov.u32 %d, WARP_SZ; add.u32 %d, %d, %a;")


def moves():
    for t in ("u16", "s16", "b16"):
        case(16, "i16", "mov.%s %%d, %%a;" % t)
    for t in ("u32", "s32", "b32", "f32"):
        case(32, "i32", "mov.%s %%d, %%a;" % t)
    for t in ("u64", "s64", "b64", "f64"):
        case(64, "i64", "mov.%s %%d, %%a;" % t)
    case(32, "i32", "setp.lt.s32 %p, %a, 0; mov.pred %q, %p; selp.u32 %d, 1, 0, %q;")
    case(16, "i16", "{ .reg .b8 x, y; mov.b16 {x, y}, %a; mov.b16 %d, {y, x}; }")
    case(16, "i16", "{ .reg .b8 x; cvt.u8.u16 x, %a; mov.b16 %d, {x, 0}; }")
    case(32, "i32", "{ .reg .b8 x<4>; mov.b32 {x0, x1, x2, x3}, %a; "
         "mov.b32 %d, {x3, x2, x1, x0}; }")
    case(64, "i64", "mov.b64 {%h0, %h1, %h2, %h3}, %a; mov.b64 %d, {%h3, %h2, %h1, %h0};")
    case(64, "i64", "mov.b64 {%r0, %r1}, %a; mov.b64 %d, {%r1, %r0};")
    case(32, "i64", "mov.b64 {%d, _}, %a;")
    case(64, "i64 i64", "{ .reg .b128 x, y; mov.b128 x, {%a, %b}; mov.b128 y, x; "
         "mov.b128 {%w0, %w1}, y; mad.lo.u64 %d, %w0, 31, %w1; }")


PARTS = (loads_and_stores, vectors, orders_and_hints, hints, addresses, moves)
