#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Prints the short commit that the tree at the first argument was made from; fails where nobody knows.
#
# The file .commit says it where it is filled in, which `git archive` and `warpgrade pack` do: such a
# tree may lie in somebody's own repository. Else Git says it where the tree is a checkout of its own,
# with -dirty behind it where tracked files have changed.
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
