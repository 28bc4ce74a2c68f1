#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Writes the template, its first argument, with the other files' text as C++ strings in the place of
# @PROFILES@: one element {"name", "text"} a file, in the order given.
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
