#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""try_notebook.py FOLDER [PIP-OPTION ...]: runs the project's notebooks with the wheel that is in FOLDER.

First the shell lines of colab.ipynb, as they are, in a virtual environment and a folder of their own; `%cd` changes the
folder. A line may end with 1 (graded, and something did not pass: an untouched skeleton), and no other
failure. Then the cells of docs/notebooks, in IPython, with the wheel's extra `notebook`. Ends with 0 if
every cell works.
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
NOTEBOOK = HERE / "colab.ipynb"


def lines():
    """The lines of the notebook's code cells."""
    for cell in json.loads(NOTEBOOK.read_text())["cells"]:
        if cell["cell_type"] == "code":
            yield from "".join(cell["source"]).splitlines()


def main(wheels, options):
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place, "content")
        folder.mkdir()
        shutil.copy(next(pathlib.Path(wheels).glob("warpgrade-*.whl")), folder)
        subprocess.run([sys.executable, "-m", "venv", f"{place}/venv"], check=True)
        environment = {name: value for name, value in os.environ.items() if name != "WARPGRADE_ROOT"}
        environment["PATH"] = f"{place}/venv/bin:{environment['PATH']}"
        environment["PIP_DISABLE_PIP_VERSION_CHECK"] = "1"
        said = ""
        for line in lines():
            if line.startswith("%cd "):
                folder /= line.split()[1]
                continue
            command = line.removeprefix("!").replace("pip install", f"pip install {' '.join(options)}")
            done = subprocess.run(["bash", "-c", command], capture_output=True, check=False, cwd=folder,
                                  env=environment, text=True)
            said += done.stdout
            if not line.startswith("!") or done.returncode > ("grade" in line.split()):
                sys.exit(f"{line}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
        pip = [f"{place}/venv/bin/pip", "install", "-q", *options]
        wheel = next(pathlib.Path(wheels).glob("warpgrade-*.whl")).resolve()
        subprocess.run([*pip, f"{wheel}[notebook]"], check=True, env=environment)
        notebooks = sorted((HERE.parent / "docs/notebooks").glob("*.ipynb"))
        subprocess.run([f"{place}/venv/bin/python", HERE / "run_notebooks.py", *notebooks], check=True, cwd=place,
                       env=environment)
        if said.count("0 of 1 exercise passed") != 2 or "hint 1 of" not in said:
            sys.exit(f"the cells did not grade:\n{said}")
    print(f"{NOTEBOOK.name}: every cell works")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
