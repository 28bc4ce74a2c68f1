#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Prints the short commit of the tree at the first argument; fails if it is unknown.
#
# `git archive` and `warpgrade pack` write the commit into the file .commit; such a tree may be
# inside another repository. Otherwise Git prints it if the tree is a checkout of its own, with the
# suffix -dirty if tracked files have changed.
set -u
root=$1

read -r commit 2>/dev/null <"$root/.commit" || commit=
case $commit in
  '' | *[!0-9a-z-]*) ;;  # "$Format:%h$": not filled in
  *)
    printf '%s\n' "$commit"
    exit 0
    ;;
esac

# A hook's variables are about its own repository.
unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE GIT_PREFIX
top=$(git -C "$root" rev-parse --show-toplevel 2>/dev/null) || exit 1
[ "$(cd "$top" && pwd -P)" = "$(cd "$root" && pwd -P)" ] || exit 1
exec git -C "$root" describe --always --exclude '*' --abbrev=7 --dirty 2>/dev/null
