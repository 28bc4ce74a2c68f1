#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""make_wheel.py OUT [BUILD]: writes the wheel into the folder OUT, out of the build folder BUILD.

BUILD (build-wheel, if none is named) is configured where it is no build folder yet, and built. Pip
takes this file, too: `pip wheel ROOT`, by PEP 517.

The wheel needs no compiler and no library but glibc and libstdc++, which every distribution has: the
others of this machine go into it, where the program's own search path finds them. Its name says which
glibc it needs, that of the symbols used, so an old distribution makes a wheel for more machines.

It needs a C++ compiler, Meson, Ninja and the libraries that the wrapper installs. With libzstd-dev,
libbz2-dev, liblzma-dev, zlib1g-dev and nettle-dev as well, the wheel is small (see meson.build).
"""

import base64
import gzip
import hashlib
import io
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from installed import ROOT, build, description, install, run, version  # noqa: E402

# As auditwheel's rules for manylinux have it.
OF_EVERY_MACHINE = re.compile(r"(libc|libm|libdl|libpthread|librt|libstdc\+\+|libgcc_s)\.so\.|ld-linux")
# The glibc of the distributions that brought a GLIBCXX_3.4.N: pairs of N and glibc 2's minor number, from
# auditwheel's policies.
GLIBC_OF_LIBSTDCXX = ((29, 34), (30, 35), (32, 38), (33, 39))


def libraries(programs):
    """The shared libraries that programs load, but those of every machine."""
    found = re.findall(r" => (/\S+) ", run("ldd", *programs))
    return sorted({one for one in found if not OF_EVERY_MACHINE.match(pathlib.Path(one).name)})


def needed_glibc(files):
    """The minor number of the oldest glibc 2 of a machine that has all the symbols that files name."""
    text = b"".join(file.read_bytes() for file in files)
    numbers = {int(n) for n in re.findall(rb"GLIBC_2\.(\d+)", text)}
    newest = max(int(n) for n in re.findall(rb"GLIBCXX_3\.4\.(\d+)", text))
    return max(numbers | {glibc for n, glibc in GLIBC_OF_LIBSTDCXX if n <= newest})


def metadata():
    """The wheel's METADATA, from pyproject.toml."""
    project = description()
    lines = [
        "Metadata-Version: 2.1",
        f"Name: {project['name']}",
        f"Version: {version()}",
        f"Summary: {project['description']}",
        f"License: {project['license']['text']}",
        *(f"Classifier: {one}" for one in project["classifiers"]),
        f"Requires-Python: {project['requires-python']}",
        *(f"Requires-Dist: {one}" for one in project["dependencies"]),
        *(f"Provides-Extra: {extra}" for extra in project["optional-dependencies"]),
        *(f'Requires-Dist: {one}; extra == "{extra}"'
          for extra, needed in project["optional-dependencies"].items() for one in needed),
        "Description-Content-Type: text/markdown",
    ]
    return "\n".join(lines) + "\n\n" + (ROOT / project["readme"]).read_text()


def add(wheel, record, name, content, mode):
    """Adds a file to the wheel and its line to RECORD; the same files make the same wheel."""
    entry = zipfile.ZipInfo(name)
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.external_attr = (0o100000 | mode) << 16
    wheel.writestr(entry, content, compresslevel=9)
    digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).decode().rstrip("=")
    record.append(f"{name},sha256={digest},{len(content)}")


def write_wheel(prefix, out):
    """Writes a wheel of the files installed under `prefix`; returns its path."""
    programs = sorted((prefix / "bin").iterdir())
    shared = libraries(programs)
    files = [(f"scripts/{one.name}", one) for one in programs]
    files += [(f"data/lib/warpgrade/{pathlib.Path(one).name}", pathlib.Path(one)) for one in shared]
    package = sorted(path for path in (ROOT / "python/warpgrade").iterdir() if path.is_file())
    course = sorted(path for path in (prefix / "share/warpgrade").rglob("*") if path.is_file())
    files += [(f"data/{path.relative_to(prefix).as_posix()}", path) for path in course]

    name = f"warpgrade-{version()}"
    glibc = needed_glibc([*programs, *map(pathlib.Path, shared)])
    tag = f"py3-none-manylinux_2_{glibc}_{platform.machine()}"
    about = f"Wheel-Version: 1.0\nGenerator: warpgrade\nRoot-Is-Purelib: false\nTag: {tag}\n"
    path = out / f"{name}-{tag}.whl"
    record = []
    with zipfile.ZipFile(path, "w") as wheel:
        for place, file in files:
            add(wheel, record, f"{name}.data/{place}", file.read_bytes(), file.stat().st_mode & 0o777)
        for file in package:
            add(wheel, record, f"warpgrade/{file.name}", file.read_bytes(), 0o644)
        inside = f"{name}.dist-info"
        add(wheel, record, f"{inside}/METADATA", metadata().encode(), 0o644)
        add(wheel, record, f"{inside}/WHEEL", about.encode(), 0o644)
        add(wheel, record, f"{inside}/licenses/LICENSE", (ROOT / "LICENSE").read_bytes(), 0o644)
        record.append(f"{inside}/RECORD,,")
        add(wheel, record, f"{inside}/RECORD", "".join(f"{one}\n" for one in record).encode(), 0o644)
    return path


def make(out, folder):
    """Builds in `folder` and writes the wheel into `out`; returns its path."""
    out.mkdir(parents=True, exist_ok=True)
    build(folder)
    stage = pathlib.Path(tempfile.mkdtemp())
    try:
        return write_wheel(install(folder, stage, "--tags", "runtime"), out)
    finally:
        shutil.rmtree(stage)


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """PEP 517 hook: `pip wheel` and `pip install` call it in the project's folder."""
    folder = (config_settings or {}).get("build-dir", ROOT / "build-wheel")
    return make(pathlib.Path(wheel_directory), pathlib.Path(folder)).name


def sources():
    """The files of a source distribution, relative to the root: all files in Git except the tests."""
    if (ROOT / "PKG-INFO").is_file():  # an unpacked source distribution
        listed = [str(path.relative_to(ROOT)) for path in ROOT.rglob("*") if path.is_file()]
        unwanted = ("build", ".venv/")
    else:
        listed = run("git", "-C", ROOT, "ls-files", "-z").split("\0")
        unwanted = ("tests/", ".ci/")
    return sorted(one for one in listed if one and not one.startswith(unwanted) and "__pycache__" not in one)


def build_sdist(sdist_directory, config_settings=None):
    """PEP 517 hook: `python -m build --sdist` calls it. The same sources make the same archive."""
    del config_settings
    name = f"warpgrade-{version()}"
    path = pathlib.Path(sdist_directory, f"{name}.tar.gz")
    commit = subprocess.run(["sh", ROOT / "grader/cli/find_commit.sh", ROOT], capture_output=True, check=False, text=True)
    made = {"PKG-INFO": metadata().encode(), ".commit": (commit.stdout.strip() + "\n").encode()}
    with open(path, "wb") as raw, gzip.GzipFile("", "wb", fileobj=raw, mtime=0) as packed:
        with tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive:
            for one in [one for one in sources() if one not in made] + list(made):
                content = made[one] if one in made else (ROOT / one).read_bytes()
                entry = tarfile.TarInfo(f"{name}/{one}")
                entry.size = len(content)
                entry.mode = 0o644 if one in made else (ROOT / one).stat().st_mode & 0o755
                archive.addfile(entry, io.BytesIO(content))
    return path.name


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        print(__doc__.splitlines()[0], file=sys.stderr)
        sys.exit(2)
    made = make(pathlib.Path(sys.argv[1]), pathlib.Path(*sys.argv[2:3] or [ROOT / "build-wheel"]))
    print(f"{made}: {made.stat().st_size / 1e6:.1f} MB")
