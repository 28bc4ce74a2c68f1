#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""run_examples.py DOCUMENT...: runs the Python examples of Markdown documents and compares what they print.

It uses the `warpgrade` that this Python imports. Ends with 1 if an example fails or prints something else than
the document.
"""

import contextlib
import io
import pathlib
import re
import sys

# A block of Python, and the block of its output if a sentence that ends with a colon leads to one.
EXAMPLE = re.compile(r"```python\n(.*?)```\n(?:\n[^\n`]*:\n\n```\n(.*?)```)?", re.DOTALL)


def results(document):
    """Pairs of the promised and the printed text, one for each example; the examples share their variables."""
    names = {}
    for code, promised in EXAMPLE.findall(pathlib.Path(document).read_text()):
        shown = io.StringIO()
        with contextlib.redirect_stdout(shown):
            exec(compile(code, str(document), "exec"), names)
        yield promised, shown.getvalue()


def main(documents):
    for document in documents:
        pairs = list(results(document))
        if not pairs:
            sys.exit(f"{document}: no examples")
        for promised, printed in pairs:
            if promised != printed:
                sys.exit(f"{document}: an example prints\n{printed}\ninstead of\n{promised}")
        print(f"{document}: {len(pairs)} examples print what the document promises")


if __name__ == "__main__":
    main(sys.argv[1:])
