// SPDX-License-Identifier: Apache-2.0
#include "grader/text/rot13.h"

namespace warpgrade::grader::text {

std::string rot13(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool is_small = c >= 'a' && c <= 'z';
    const bool is_letter = is_small || (c >= 'A' && c <= 'Z');
    const char first = is_small ? 'a' : 'A';
    out += is_letter ? static_cast<char>(first + (c - first + 13) % 26) : c;
  }
  return out;
}

}  // namespace warpgrade::grader::text
