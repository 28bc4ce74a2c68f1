#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Makes one HTML page of chapters, with their figures, style and search inside:
#
#   make_book.sh PANDOC OUTPUT FIGURES CHAPTER...
#
# FIGURES is the parent of the folder figures/. BOOK_OPTIONS contains further options for pandoc. The
# page needs no network. Only its search needs a script.
set -eu
pandoc=$1
output=$2
figures=$3
shift 3
here=$(dirname "$0")
# Debian 12's pandoc has only the first option; later versions deprecate it.
inside=--self-contained
if "$pandoc" --help | grep -q -- --embed-resources; then inside=--embed-resources; fi
# Pandoc 3.1 and later embed an SVG as markup, without its style and its alternative text. So each
# figure is embedded as data first.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for name in $(grep -ho '](figures/[a-z_0-9]*\.svg)' "$@" | sed 's|](\(.*\))|\1|' | sort -u); do
  [ -f "$figures/$name" ] || continue
  printf 's|](%s)|](data:image/svg+xml;base64,%s)|\n' "$name" "$(base64 -w0 "$figures/$name")"
done > "$work/figures.sed"
count=100  # Three digits, so that names sort in the order of the chapters.
for chapter; do
  count=$((count + 1))
  sed -f "$work/figures.sed" "$chapter" > "$work/$count.md"
done
# shellcheck disable=SC2086  # Several options.
"$pandoc" --standalone $inside --toc --toc-depth=2 --section-divs \
  --metadata=title:'GPU memory performance' --metadata=lang:en \
  --highlight-style=monochrome \
  --css="$here/book.css" --include-after-body="$here/book_search.html" \
  --resource-path="$figures" ${BOOK_OPTIONS:-} --output="$output" "$work"/*.md
