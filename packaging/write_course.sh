#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# write_course.sh PROGRAM ROOT FOLDER: lets PROGRAM write the course of ROOT into FOLDER, anew.
set -eu
rm -rf "$3"
WARPGRADE_ROOT=$2 exec "$1" init "$3" >/dev/null
