# SPDX-License-Identifier: Apache-2.0
"""Finds a Python interpreter that has the modules a test needs.

The `python3` on PATH may lack them, while the system's Python has them from a distribution package. A test then
starts once more under the system's Python.
"""

import importlib.util
import os
import subprocess
import sys

SKIPPED = 77
SYSTEM = "/usr/bin/python3"


def need(*modules):
    """Returns if this interpreter has the modules; otherwise restarts the test, or skips it (exit code 77)."""
    missing = [one for one in modules if importlib.util.find_spec(one) is None]
    if not missing:
        return
    imports = f"import {', '.join(modules)}"
    if os.path.exists(SYSTEM) and subprocess.run([SYSTEM, "-c", imports], capture_output=True, check=False).returncode == 0:
        os.execv(SYSTEM, [SYSTEM, "-B", *sys.argv])
    print(f"skipped: {' and '.join(missing)} missing for {sys.executable} and {SYSTEM}; ./warpgrade test installs them")
    sys.exit(SKIPPED)
