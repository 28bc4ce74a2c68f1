# SPDX-License-Identifier: Apache-2.0
"""cvt between every two types."""

import itertools

from case import INTEGERS, ROUNDINGS, case


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


PARTS = (conversions, same_types, bytes_of_bf16, small_formats)
