# SPDX-License-Identifier: Apache-2.0
"""All hostile files, family by family."""

import answers
import bulk
import damaged
import parts
import texts


def every():
    found = [file for family in (texts, bulk, damaged, parts, answers) for file in family.files()]
    names = [file.name for file in found]
    twice = {name for name in names if names.count(name) > 1}
    if twice:
        raise ValueError(f"two files have the name {', '.join(sorted(twice))}")
    return found
