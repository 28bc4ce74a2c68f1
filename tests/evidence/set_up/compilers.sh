#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Does the program compile without a warning, and pass its unit tests, with other compilers and releases of Debian?
#
#   tests/evidence/set_up/compilers.sh FOLDER [RELEASE/COMPILER...]
#
# Creates a chroot for each release in FOLDER, and executes .ci/compile there in a clone of the last commit. Needs root,
# debootstrap, and a quarter of an hour of two cores for each compiler. What FOLDER has already is not made again.
# Exit code 1: a compiler warned, or a test failed; its output is in FOLDER/RELEASE-COMPILER.log.
set -euo pipefail
root=$(readlink -f "$(dirname "${BASH_SOURCE[0]}")/../../..")
out=$(readlink -f "${1:?name a folder}")
shift
(($# > 0)) || set -- bookworm/clang++-16 bookworm/clang++-19 trixie/g++-13 trixie/g++-14 trixie/clang++-19

# Creates the chroot of a release, with a clone of the project.
provide() {
  local release=$1 chroot=$out/$1
  if [[ ! -e $chroot/etc/debian_version ]]; then
    rm -rf "$chroot.new"
    debootstrap --variant=minbase --include=ca-certificates,git,python3 "$release" "$chroot.new"
    mv "$chroot.new" "$chroot"
  fi
  cp --remove-destination /etc/resolv.conf "$chroot/etc/"
  cp /etc/ssl/certs/ca-certificates.crt "$chroot/etc/ssl/certs/"  # may have one of a proxy
  mountpoint -q "$chroot/proc" || mount -t proc proc "$chroot/proc"
  [[ -e $chroot/warpgrade ]] || git clone -q "$root" "$chroot/warpgrade"
  git -C "$chroot/warpgrade" fetch -q "$root" HEAD
  git -C "$chroot/warpgrade" checkout -q FETCH_HEAD
}

unmount_all() {
  local proc
  for proc in "$out"/*/proc; do umount "$proc" 2>/dev/null || true; done
}
trap unmount_all EXIT

failed=0
for pair in "$@"; do
  release=${pair%/*} compiler=${pair#*/}
  log=$out/$release-$compiler.log
  provide "$release"
  if chroot "$out/$release" /warpgrade/.ci/compile "$compiler" >"$log" 2>&1; then
    printf '%s: %s\n' "$pair" "$(tail -n 1 "$log")"
  else
    printf '%s: failed; see %s\n' "$pair" "$log"
    failed=1
  fi
done
exit "$failed"
