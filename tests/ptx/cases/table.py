# SPDX-License-Identifier: Apache-2.0
"""All cases of all parts, in order and without duplicates."""

import arithmetic
import atomics
import memory
import warps
from case import CASES

for module in (arithmetic, memory, atomics, warps):
    for part in module.PARTS:
        part()
ALL = list(dict.fromkeys(CASES))
