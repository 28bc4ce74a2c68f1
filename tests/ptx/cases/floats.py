# SPDX-License-Identifier: Apache-2.0
"""Arithmetic of f32 and f64."""

import itertools

from case import ROUNDINGS, case, op, predicate


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


PARTS = (floats, not_numbers, mads)
