// SPDX-License-Identifier: Apache-2.0
// Makes the text of a submission safe for the compiler: same lines, same columns, no forged
// places, and lists the functions that it declares.
//
// In: the source. Out: the source with blanks in place of every line directive. The scan keeps no
// state between lines, so an open comment or a raw string cannot smuggle in a directive.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace warpgrade::compile {

/// Replaces the characters [begin, end) of `text` by blanks, except newlines.
void fill_with_blanks(std::string& text, std::size_t begin, std::size_t end);

/// `text` of the same length with #line directives blanked, \n as the only line end (a \r before it
/// becomes a space), and '?' for each invalid UTF-8 byte: NVRTC misses the end of a line after such
/// a byte at the end of a comment.
std::string neutralise_directives(std::string_view text);

/// `text` of the same length with comments, string and character literals blanked (except
/// newlines), to find declarations.
std::string blank_comments_and_literals(std::string_view text);

// Finds the declarations of functions in a source, so that messages can name their lines.
//
// It reads words, not C++: an identifier followed by a parenthesis, with one of CUDA's execution
// spaces among the words before it, is a declaration. Expansions of macros are not seen.

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
