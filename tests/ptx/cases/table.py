# SPDX-License-Identifier: Apache-2.0
"""All cases of all parts, in order and without duplicates."""

import atomics
import comparisons
import conversions
import floats
import halves
import integers
import memory
import warps
from case import CASES

for module in (floats, halves, comparisons, conversions, integers, memory, atomics, warps):
    for part in module.PARTS:
        part()
ALL = list(dict.fromkeys(CASES))
