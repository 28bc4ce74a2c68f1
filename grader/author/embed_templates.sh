#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Copies the template (first argument) and replaces @FILES@ with the text of the other files as C++
# strings, in the order of the arguments.
set -eu
template=$1
shift
sed '/@FILES@/,$d' "$template"
for file; do
  printf 'R"text('
  cat "$file"
  printf ')text",\n'
done
sed '1,/@FILES@/d' "$template"
