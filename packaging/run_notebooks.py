#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""run_notebooks.py NOTEBOOK...: runs the code cells of notebooks in IPython, each notebook in a clean namespace.

It uses the `warpgrade` that this Python imports. Ends with 1 at the first cell that raises an error, and makes
each result's HTML as a notebook would.
"""

import json
import pathlib
import sys

from IPython.core.interactiveshell import InteractiveShell


def run(shell, notebook):
    shell.reset()
    for cell in json.loads(pathlib.Path(notebook).read_text())["cells"]:
        if cell["cell_type"] != "code":
            continue
        done = shell.run_cell("".join(cell["source"]))
        if not done.success:
            sys.exit(f"{notebook}: a cell failed:\n{''.join(cell['source'])}")
        shell.display_formatter.format(done.result)


if __name__ == "__main__":
    for name in sys.argv[1:]:
        run(InteractiveShell.instance(), name)
        print(f"{name}: every cell works")
