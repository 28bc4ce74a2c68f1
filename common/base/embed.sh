#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Prints a C++ header with the text of files: the array NAME of base::EmbeddedFile in NAMESPACE.
#
#   embed.sh NAMESPACE NAME FILE...
set -eu
namespace=$1 name=$2
shift 2
printf '// SPDX-License-Identifier: Apache-2.0\n#pragma once\n\n'
printf '#include "common/base/embedded_file.h"\n\nnamespace %s {\n\n' "$namespace"
printf 'inline constexpr base::EmbeddedFile %s[] = {\n' "$name"
for file; do
  printf '{"%s", R"embedded(' "$(basename "$file")"
  cat "$file"
  printf ')embedded"},\n'
done
printf '};\n\n}  // namespace %s\n' "$namespace"
