# SPDX-License-Identifier: Apache-2.0
"""What the scripts that make packages share: a build that runs on other machines, and its files."""

import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
# A package is built once: no warnings, and larger units, which take less time in all.
SETUP = ("-Dcpu=portable", "-Dwerror=false", "-Dwarning_level=0", "-Dunity_size=40")


def run(*command, **more):
    """Runs a command; ends the program with the last lines that it said where it fails."""
    done = subprocess.run([str(one) for one in command], capture_output=True, check=False, text=True, **more)
    if done.returncode != 0:
        said = (done.stdout + done.stderr).splitlines()[-30:]
        print("\n".join([*said, f"failed: {' '.join(map(str, command))}"]), file=sys.stderr)
        sys.exit(3)
    return done.stdout


def environment():
    """This one, with memory enough for GCC to collect its garbage less often: a tenth of the build."""
    more = {}
    if "gcc version" in subprocess.run([os.environ.get("CXX", "c++"), "-v"], capture_output=True, check=False,
                                       text=True).stderr:
        more["CXXFLAGS"] = f"--param=ggc-min-heapsize=600000 {os.environ.get('CXXFLAGS', '')}".strip()
    return {**os.environ, **more}


def build(folder):
    """Configures the build folder if necessary and builds the program in it."""
    if not (folder / "build.ninja").exists():
        run("meson", "setup", *SETUP, folder, ROOT, env=environment())
    options = run("meson", "introspect", "--buildoptions", folder)
    if not re.search(r'"value": "portable"', options):
        print(f"{folder} was built for this machine's processor: the package runs on such machines only")
    run("ninja", "-C", folder, "program")


def install(folder, stage, *selection):
    """Installs from a build folder into `stage`; returns the prefix in it, which has bin and share."""
    run("meson", "install", "-C", folder, "--no-rebuild", "--skip-subprojects", "--strip", *selection,
        "--destdir", stage)
    return next(stage.rglob("bin/warpgrade")).parent.parent


def version():
    """The project's version, as meson.build has it."""
    return re.search(r"^  version: '(.*)',$", (ROOT / "meson.build").read_text(), re.MULTILINE)[1]


def description():
    """The table [project] of pyproject.toml."""
    try:
        import tomllib
    except ImportError:  # Python 3.10 and older
        from pip._vendor import tomli as tomllib
    return tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
