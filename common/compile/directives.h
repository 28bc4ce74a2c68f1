// SPDX-License-Identifier: Apache-2.0
// The text of a submission for the compiler: same lines, same columns, no forged positions.
//
// `#line 7 "other.cu"`, the short form `# 7 "other.cu"` and their spellings with a digraph, splices
// or comments would move every later position in diagnostics and in PTX. They are blanked, byte for
// byte, so that nothing else moves. The scan keeps no state between lines. Therefore text that one
// reader sees as an open comment or a raw string and another does not cannot smuggle in a
// directive. The price: a line inside a multi-line raw string that looks like such a directive is
// also blanked.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

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

}  // namespace warpgrade::compile
