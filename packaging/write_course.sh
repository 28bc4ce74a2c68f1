#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# write_course.sh PROGRAM ROOT FOLDER [FIGURE ...]: lets PROGRAM write the course of ROOT into FOLDER, anew, and
# adds its studies, which `warpgrade study` runs.
# Figures that are given are copied; other figures are drawn if this machine can do it.
set -eu
program=$1
root=$2
folder=$3
shift 3
rm -rf "$folder"
if [ $# -gt 0 ]; then set -- --figures "$(dirname "$1")"; fi
WARPGRADE_ROOT=$root "$program" init "$folder" "$@" >/dev/null
[ ! -d "$root/studies" ] || cp -R "$root/studies" "$folder"
