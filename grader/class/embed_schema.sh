#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Writes the template, its first argument, with the text of the other files as C++ strings in the
# place of @SCHEMA@, in their order.
set -eu
template=$1
shift
sed '/@SCHEMA@/,$d' "$template"
for file; do
  printf 'R"sql('
  cat "$file"
  printf ')sql",\n'
done
sed '1,/@SCHEMA@/d' "$template"
