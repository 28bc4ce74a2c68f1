# SPDX-License-Identifier: Apache-2.0
"""Opens the page of every skeleton, solution and wrong solution of the course in headless Chromium.

  sweep.py [--pictures FOLDER] PROGRAM [LAB...]

Each page must pass the checks that test_page.py applies to a few: each width, light and dark,
contrast, errors, texts of pictures, size. Prints a line for each page that breaks a rule, then
"swept N, bad M". With --pictures it also saves the first page of each exercise as PNG, dark at 390
pixels and light at 1000. A page takes about three seconds, so this runs only by hand:
`./warpgrade test` opens the pages of test_page.py.
"""

import argparse
import base64
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import tomllib

from browser import PageCase

ROOT = pathlib.Path(__file__).resolve().parents[2]
MOST_BYTES = 1 << 20


def files_of(lab):
    """(exercise, file) of every skeleton, solution and wrong solution of `lab`."""
    manifest = tomllib.loads((ROOT / f"labs/{lab}/grader.toml").read_text(encoding="utf-8"))
    exercises = [one["id"] for one in manifest["exercise"]]
    for folder in (ROOT / "labs" / lab, ROOT / "solutions" / lab):
        for exercise in exercises:
            for file in sorted(folder.glob(f"{exercise}.*")):
                yield exercise, file
    for file in sorted((ROOT / "solutions" / lab / "wrong").iterdir()):
        # diagonal_any_cartesian belongs to diagonal_any, not to diagonal.
        owners = [one for one in exercises if file.stem.startswith(one)]
        if owners:
            yield max(owners, key=len), file


class Sweep(PageCase):
    def keep_picture(self, page, folder, name):
        for width, scheme in ((390, "dark"), (1000, "light")):
            self.show(page, width, scheme)
            options = {"captureBeyondViewport": True, "format": "png"}
            shot = self.driver.execute_cdp_cmd("Page.captureScreenshot", options)
            (folder / f"{name}-{width}-{scheme}.png").write_bytes(base64.b64decode(shot["data"]))

    def problem(self, program, exercise, file, page):
        """The page's faults; empty if it has none."""
        command = [program, "grade", exercise, "--file", file, "--backend", "sim", "--html", page]
        done = subprocess.run(
            command,
            env={**os.environ, "WARPGRADE_ROOT": str(ROOT)},
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode not in (0, 1):
            return f"exit {done.returncode}: {done.stderr}"
        if page.stat().st_size >= MOST_BYTES:
            return f"{page.stat().st_size} bytes"
        try:
            self.expect_sound(file.name, page)
        except AssertionError as error:
            return str(error)
        return ""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pictures", type=pathlib.Path)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("lab", nargs="*")
    options = parser.parse_args()
    labs = options.lab or sorted(one.parent.name for one in ROOT.glob("labs/*/grader.toml"))
    if options.pictures:
        options.pictures.mkdir(parents=True, exist_ok=True)
    Sweep.setUpClass()
    sweep, swept, bad, pictured = Sweep(), 0, 0, set()
    with tempfile.TemporaryDirectory() as folder:
        page = pathlib.Path(folder) / "page.html"
        for lab in labs:
            for exercise, file in files_of(lab):
                name = f"{lab}/{exercise}"
                found = sweep.problem(options.program, name, file, page)
                swept += 1
                if found:
                    bad += 1
                    print(f"{file.relative_to(ROOT)}: {found}", flush=True)
                if options.pictures and name not in pictured:
                    pictured.add(name)
                    sweep.keep_picture(page, options.pictures, re.sub("/", "-", name))
    Sweep.doClassCleanups()
    print(f"swept {swept}, bad {bad}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
