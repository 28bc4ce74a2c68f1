#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Makes one HTML page of chapters, with their figures, style and search inside:
#
#   make_book.sh PANDOC OUTPUT FIGURES CHAPTER...
#
# FIGURES is the folder in which the folder figures/ lies. Further options of pandoc stand in
# BOOK_OPTIONS. The page needs no network, and no script to be read: the search alone does.
set -eu
pandoc=$1
output=$2
figures=$3
shift 3
here=$(dirname "$0")
# Debian 12's pandoc has the first option alone; later ones warn of it.
inside=--self-contained
if "$pandoc" --help | grep -q -- --embed-resources; then inside=--embed-resources; fi
# Pandoc from 3.1 on would put an SVG into the page as markup, which neither the style nor the words
# for who does not see it reach: so each figure goes in as data before.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for name in $(grep -ho '](figures/[a-z_0-9]*\.svg)' "$@" | sed 's|](\(.*\))|\1|' | sort -u); do
  [ -f "$figures/$name" ] || continue
  printf 's|](%s)|](data:image/svg+xml;base64,%s)|\n' "$name" "$(base64 -w0 "$figures/$name")"
done > "$work/figures.sed"
count=100  # Of three digits, so that their order is that of the names.
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
