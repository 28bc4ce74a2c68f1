#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# warpgrade-install-cuda [PIP-OPTION ...]: puts NVIDIA's compiler and headers, which no Debian package
# has in a release that will do, beside the installed program. Run as root; it needs PyPI, or
# `--no-index --find-links FOLDER` with the wheels that are listed in /usr/lib/warpgrade/cuda_wheels.
set -eu
place=/usr/lib/warpgrade
tools=$(mktemp -d)
trap 'rm -rf "$tools"' EXIT
python3 -m venv "$tools/venv"
# Whole or not at all: it is written beside its place and renamed.
rm -rf "$place/lib/python3.new"
"$tools/venv/bin/pip" install --disable-pip-version-check --no-input -q --no-compile \
  --target "$place/lib/python3.new/site-packages" -r "$place/cuda_wheels" "$@"
rm -rf "$place/lib/python3"
mv "$place/lib/python3.new" "$place/lib/python3"
