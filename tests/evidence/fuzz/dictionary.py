#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints a PTX dictionary for libFuzzer: the words that the parser knows, one per line.

Arguments: the .def files of common/ptx, whose rows have the words in quotes, and parser.cpp
with its tables of spaces and types.
"""
import pathlib
import re
import sys

OTHERS = [".version 9.0", ".target sm_90", ".address_size 64", ".visible .entry", ".func", ".extern",
          ".reg", ".align", ".v2", ".v4", ".loc", ".file", ".branchtargets", ".callprototype",
          ".pragma", ".section", "@!%p", "ret;", "{", "}", "[", "]", "0f3F800000", "0x7fffffff"]


def main():
    words = set(OTHERS)
    for name in sys.argv[1:]:
        for line in pathlib.Path(name).read_text().splitlines():
            if not line.lstrip().startswith(("//", "#", "UNSUPPORTED")):
                words.update(re.findall(r'"([.%]?[a-zA-Z_][\w.:]*)"', line))
    for word in sorted(words):
        print('"%s"' % word.replace("\\", "\\\\").replace('"', '\\"'))


if __name__ == "__main__":
    main()
