// SPDX-License-Identifier: Apache-2.0
// The characters of C++ and PTX words.
#pragma once

#include <cctype>

namespace warpgrade::compile {

/// Whether `c` can be part of an identifier, keyword or number, including bytes of UTF-8 letters.
inline bool is_word(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return std::isalnum(byte) != 0 || c == '_' || byte >= 0x80;
}

}  // namespace warpgrade::compile
