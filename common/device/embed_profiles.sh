#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Copies the template (first argument) and replaces @PROFILES@ with the text of the other files as
# C++ strings: one element {"name", "text"} per file, in the order of the arguments.
set -eu
template=$1
shift
sed '/@PROFILES@/,$d' "$template"
for file; do
  printf '{"%s", R"toml(' "$(basename "$file" .toml)"
  cat "$file"
  printf ')toml"},\n'
done
sed '1,/@PROFILES@/d' "$template"
