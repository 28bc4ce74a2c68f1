# SPDX-License-Identifier: Apache-2.0
"""The source distribution contains what a build needs, and nothing that a build makes.

Arguments: the program, then the root of the project.
"""

import sys
import tarfile
import tempfile
import unittest

from package import ROOT, main

sys.path.insert(0, str(ROOT / "packaging"))
import make_wheel  # noqa: E402


class SourceDistribution(unittest.TestCase):
    def test_has_the_sources_and_the_commit(self):
        with tempfile.TemporaryDirectory() as folder:
            name = make_wheel.build_sdist(folder)
            with tarfile.open(f"{folder}/{name}") as archive:
                top = name[: -len(".tar.gz")]
                files = {one.name[len(top) + 1:]: one for one in archive.getmembers()}
                metadata = archive.extractfile(files["PKG-INFO"]).read().decode()
                commit = archive.extractfile(files[".commit"]).read().decode()
            with open(f"{folder}/{name}", "rb") as first:
                content = first.read()
            make_wheel.build_sdist(folder)
            with open(f"{folder}/{name}", "rb") as second:
                self.assertEqual(content, second.read())
        for needed in ("pyproject.toml", "meson.build", "packaging/make_wheel.py", "python/warpgrade/__init__.py",
                       "labs/coalescing/copy.cu", "README.md", "LICENSE"):
            self.assertIn(needed, files)
        self.assertFalse([one for one in files if one.startswith(("tests/", "build", ".venv"))])
        self.assertEqual(0o755, files["warpgrade"].mode)
        self.assertIn("Provides-Extra: notebook\n", metadata)
        self.assertRegex(commit, r"^[0-9a-f]{7}(-dirty)?\n$|^\n$")


if __name__ == "__main__":
    main()
