// SPDX-License-Identifier: Apache-2.0
// A source with its tokens and declarations, for rules of nvcc that NVRTC does not check.
//
// Findings have the format of the compiler's log, so they are parsed like its errors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/compile/outline.h"
#include "common/compile/tokens.h"

namespace warpgrade::compile {

struct SourceOutline {
  explicit SourceOutline(std::string_view source);

  std::string_view word(const Token& token) const {
    return text.substr(token.begin, token.end - token.begin);
  }
  /// The tokens that begin in [begin, end).
  std::span<const Token> within(std::size_t begin, std::size_t end) const;
  bool has_word(std::span<const Token> part, std::string_view wanted) const;

  std::string_view text;
  std::vector<Token> tokens;
  std::vector<Item> items;
};

/// Whether `item` is a device function with a body.
bool is_device_function(const Item& item);

/// Line `number` of `source`, counted from 1, without its newline.
std::string_view line_text(std::string_view source, std::uint32_t number);

}  // namespace warpgrade::compile
