// SPDX-License-Identifier: Apache-2.0
// Finds the declarations of functions in a source, so that messages can name their lines.
//
// It reads words, not C++: an identifier followed by a parenthesis, with one of CUDA's execution
// spaces among the words before it, is a declaration. Expansions of macros are not seen.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace warpgrade::compile {

struct Declaration {
  std::string name;
  std::uint32_t line = 0;    ///< 1-based
  std::uint32_t column = 0;  ///< 1-based, of the name
  bool is_global = false;    ///< __global__
  bool is_device = false;    ///< __device__
  bool is_template = false;
  bool is_definition = false;  ///< It has a body.
};

/// Every __global__ or __device__ function that `source` declares, in order.
std::vector<Declaration> find_declarations(std::string_view source);

}  // namespace warpgrade::compile
