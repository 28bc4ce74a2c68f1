#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""make_deb.py OUT [BUILD]: writes a Debian package into the folder OUT, out of the build folder BUILD.

BUILD (build-deb, if none is named) is configured where it is no build folder yet, and built. The package
is for the release of Debian or Ubuntu that it is made on: dpkg-shlibdeps says which libraries it needs.
NVIDIA's compiler is downloaded when the package is installed (debian/install_cuda.sh), as no Debian
package has a release of it that will do.

It needs dpkg-dev, and what the wrapper installs for a build.
"""

import gzip
import pathlib
import shutil
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from installed import ROOT, build, description, install, run, version  # noqa: E402

DEBIAN = ROOT / "packaging/debian"
CONTROL = """Package: warpgrade
Version: {version}
Architecture: {architecture}
Maintainer: warpgrade's maintainers <warpgrade@localhost>
Installed-Size: {size}
Depends: {depends}, python3, python3-venv, ca-certificates
Recommends: bubblewrap, gnuplot-nox
Section: education
Priority: optional
Description: {summary}
 A student completes a CUDA kernel; the grader compiles the unmodified file, executes it on a simulator
 that counts what the memory system of a named card would do, and says what is right and what is slow.
 NVIDIA's compiler is downloaded from PyPI when this package is installed.
"""


def put(content, path, mode=0o644):
    """Writes bytes to a file, creating its folder if necessary."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    path.chmod(mode)


def depends(programs):
    """The `Depends` field of the programs, as dpkg-shlibdeps computes it."""
    with tempfile.TemporaryDirectory() as folder:
        put(b"Source: warpgrade\n\nPackage: warpgrade\nArchitecture: any\n", pathlib.Path(folder, "debian/control"))
        said = run("dpkg-shlibdeps", "-O", *programs, cwd=folder)
    return said.strip().removeprefix("shlibs:Depends=")


def arrange(prefix, root):
    """Moves the files installed under `prefix` to their places under `root`."""
    own = root / "usr/lib/warpgrade"
    own.mkdir(parents=True)
    shutil.move(prefix / "bin", own / "bin")
    (own / "share").mkdir()
    shutil.move(prefix / "share/warpgrade", own / "share/warpgrade")
    put("".join(f"{one}\n" for one in description()["dependencies"]).encode(), own / "cuda_wheels")
    link = root / "usr/bin/warpgrade"
    link.parent.mkdir()
    link.symlink_to("../lib/warpgrade/bin/warpgrade")
    put((DEBIAN / "install_cuda.sh").read_bytes(), root / "usr/sbin/warpgrade-install-cuda", 0o755)
    manual = (prefix / "share/man/man1/warpgrade.1").read_bytes()
    put(gzip.compress(manual, mtime=0), root / "usr/share/man/man1/warpgrade.1.gz")
    completion = (prefix / "share/bash-completion/completions/warpgrade.bash").read_bytes()
    put(completion, root / "usr/share/bash-completion/completions/warpgrade")
    put((ROOT / "LICENSE").read_bytes(), root / "usr/share/doc/warpgrade/copyright")


def make(out, folder):
    """Builds in `folder` and writes the package into `out`; returns its path."""
    out.mkdir(parents=True, exist_ok=True)
    build(folder)
    with tempfile.TemporaryDirectory() as place:
        root = pathlib.Path(place, "package")
        root.mkdir(mode=0o755)
        arrange(install(folder, pathlib.Path(place, "stage")), root)
        programs = sorted((root / "usr/lib/warpgrade/bin").iterdir())
        architecture = run("dpkg", "--print-architecture").strip()
        control = CONTROL.format(
            version=version(),
            architecture=architecture,
            size=sum(path.lstat().st_size for path in root.rglob("*")) // 1024,
            depends=depends(programs),
            summary=description()["description"],
        )
        put(control.encode(), root / "DEBIAN/control")
        for script in ("postinst", "postrm"):
            put((DEBIAN / script).read_bytes(), root / "DEBIAN" / script, 0o755)
        made = out / f"warpgrade_{version()}_{architecture}.deb"
        run("dpkg-deb", "--root-owner-group", "--build", root, made)
    return made


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        print(__doc__.splitlines()[0], file=sys.stderr)
        sys.exit(2)
    path = make(pathlib.Path(sys.argv[1]), pathlib.Path(*sys.argv[2:3] or [ROOT / "build-deb"]))
    print(f"{path}: {path.stat().st_size / 1e6:.1f} MB")
