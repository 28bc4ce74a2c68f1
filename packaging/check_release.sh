#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# check_release.sh TAG: checks that the tag is the version of the project ("v0.3.0" for 0.3.0), and that the
# changelog describes this version.
set -euo pipefail
cd "$(dirname "$(dirname "$(readlink -f "$0")")")"
version=$(sed -n "s/^  version: '\(.*\)',$/\1/p" meson.build)
if [[ $1 != "v$version" ]]; then
  echo "the tag $1 is not v$version, the version in meson.build" >&2
  exit 1
fi
if ! grep -qF "## [$version]" CHANGELOG.md; then
  echo "CHANGELOG.md has no section ## [$version]" >&2
  exit 1
fi
