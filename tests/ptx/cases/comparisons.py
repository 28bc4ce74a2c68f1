# SPDX-License-Identifier: Apache-2.0
"""setp, set and slct."""

from case import FLOAT_COMPARISONS, INTEGERS, ORDERED, case, op, predicate


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


PARTS = (comparisons, selections)
