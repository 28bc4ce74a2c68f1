#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# try_sources.sh ARCHIVE: checks that a source distribution has what a build needs, and no tests: Meson
# configures it, and its version has a commit.
set -euo pipefail
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
tar -xzf "$1" -C "$place" --strip-components 1
cd "$place"
[[ ! -e tests && ! -e .ci ]]
grep -q '^Provides-Extra: notebook$' PKG-INFO
sh grader/cli/find_commit.sh . >/dev/null
meson setup build -Dwerror=false >/dev/null
ninja -C build -n program >/dev/null
printf '%s: configured\n' "$(basename "$1")"
