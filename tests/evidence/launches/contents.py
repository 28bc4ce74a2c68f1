# SPDX-License-Identifier: Apache-2.0
"""Arguments for the kernels of fill.cu, so that they fill a buffer as the program does."""

MASK = (1 << 64) - 1
GOLDEN = 0x9E3779B97F4A7C15
RANDOM_STREAM = 4  # common/verify/values.cpp


def scramble(x):
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & MASK
    return x ^ (x >> 31)


def start_of(seed):
    """`start` for `random:SEED`, as in Mixer of common/verify/values.h."""
    return scramble((scramble((seed + GOLDEN) & MASK) + RANDOM_STREAM * GOLDEN) & MASK)
