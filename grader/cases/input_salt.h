// SPDX-License-Identifier: Apache-2.0
// Keeps a submission from knowing the contents of its measured cases.
//
// The seed of the inputs is printed and the rule that fills them is public, so a kernel could
// recompute its input instead of reading it. The contents of a measured case therefore also depend
// on the submission's text: a kernel with built-in contents would change them. The same file still
// gets the same contents, and the same grade. A salt from compiled code would not work, because the
// compiler may number registers differently each time.
#pragma once

#include <cstdint>
#include <string_view>

namespace warpgrade::grader::cases {

/// A hash of the tokens of `source`, without comments and whitespace. Nobody can write a source for
/// a chosen salt.
std::uint64_t input_salt(std::string_view source);

}  // namespace warpgrade::grader::cases
