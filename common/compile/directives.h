// SPDX-License-Identifier: Apache-2.0
// The text of a submission as the compiler gets it: same lines, same columns, no forged positions.
//
// `#line 7 "other.cu"`, the bare form `# 7 "other.cu"` and their spellings with a digraph, splices
// or comments would move every later position in diagnostics and in PTX. They are blanked, byte
// for byte, so that nothing else moves. The scan keeps no state from line to line: text that is
// made to look like an open comment or a raw string to one reader and not to the other cannot
// smuggle a directive through. The price: a line inside a multi-line raw string that looks like
// such a directive is blanked too.
#pragma once

#include <string>
#include <string_view>

namespace warpgrade::compile {

/// `text` of the same length with #line directives blanked, lines ended by \n alone (the \r before
/// it becomes a space), and a '?' for each byte that is no UTF-8: before such a byte at the end of
/// a comment, NVRTC does not see the end of the line.
std::string neutralise_directives(std::string_view text);

/// `text` of the same length with comments, string and character literals blanked (newlines stay),
/// for looking up declarations.
std::string blank_comments_and_literals(std::string_view text);

}  // namespace warpgrade::compile
