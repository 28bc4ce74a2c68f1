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
# shellcheck disable=SC2086  # Several options.
exec "$pandoc" --standalone $inside --toc --toc-depth=2 --section-divs \
  --metadata=title:'GPU memory performance' --metadata=lang:en \
  --highlight-style=monochrome \
  --css="$here/book.css" --include-after-body="$here/book_search.html" \
  --resource-path="$figures" ${BOOK_OPTIONS:-} --output="$output" "$@"
