// SPDX-License-Identifier: Apache-2.0
// The characters of C++ and PTX words.
#pragma once

#include <cctype>

namespace warpgrade::compile {

/// Whether `c` can stand in an identifier, keyword or number.
inline bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

}  // namespace warpgrade::compile
