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
# figure is embedded as data first: percent-encoded, because base64 would make the book of a wheel larger.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for name in $(grep -ho '](figures/[a-z_0-9]*\.svg)' "$@" | sed 's|](\(.*\))|\1|' | sort -u); do
  [ -f "$figures/$name" ] || continue
  printf 's|](%s)|](data:image/svg+xml,' "$name"
  # One line without characters that a URL, a link or sed would interpret.
  sed -e 's/%/%25/g; s/ /%20/g; s/\t/%09/g; s/"/%22/g; s/#/%23/g; s/&/%26/g; s/(/%28/g; s/)/%29/g' \
    -e 's/</%3C/g; s/>/%3E/g; s/\\/%5C/g; s/|/%7C/g; s/$/%0A/' -e "s/'/%27/g" "$figures/$name" | tr -d '\n'
  printf ')|\n'
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
