# SPDX-License-Identifier: Apache-2.0
"""A case: bits of the result, kinds of the sources, and the PTX text to test.

In a text %d is the result, and %a, %b and %c are the sources. %p and %q are predicates; %h0-3, %r0-3
and %w0-3 are temporaries of 16, 32 and 64 bits. %g and %s are addresses of the thread's own 16 bytes
in global and shared memory, the latter in the array `own`. %i is the thread, and %n the number of
threads.
"""

from values import KINDS

CASES = []  # (bits of the result, kinds of the sources, text)


def case(bits, kinds, text):
    CASES.append((bits, tuple(kinds.split()), text))


def op(kinds, name, bits=None):
    """Adds an instruction on its sources in order. `bits` is the result's width if not the first's."""
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
