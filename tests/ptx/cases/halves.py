# SPDX-License-Identifier: Apache-2.0
"""Arithmetic and comparison of f16, bf16 and pairs of them."""

import itertools

from case import FLOAT_COMPARISONS, case, op, predicate


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


PARTS = (halves,)
