# SPDX-License-Identifier: Apache-2.0
"""The Python examples of README.md and docs/python.md print what the documents promise.

Arguments: the program, then the root of the project.
"""

import contextlib
import io
import re
import unittest

from package import ROOT, main

# A block of Python, and the block of its output if a sentence that ends with a colon leads to one.
EXAMPLE = re.compile(r"```python\n(.*?)```\n(?:\n[^\n`]*:\n\n```\n(.*?)```)?", re.DOTALL)


class Documents(unittest.TestCase):
    def check(self, name, least):
        examples = EXAMPLE.findall((ROOT / name).read_text())
        self.assertGreaterEqual(sum(bool(output) for _, output in examples), least)
        names = {}
        for code, output in examples:
            shown = io.StringIO()
            with contextlib.redirect_stdout(shown):
                exec(compile(code, name, "exec"), names)
            self.assertEqual(output, shown.getvalue())

    def test_python(self):
        self.check("docs/python.md", 2)

    def test_readme(self):
        self.check("README.md", 1)


if __name__ == "__main__":
    main()
