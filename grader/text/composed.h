// SPDX-License-Identifier: Apache-2.0
// Composes letters and their accents (Unicode's NFC), so that a name from a Mac, which separates
// them, equals the same name from other systems. Sequences of marks are expected in canonical
// order, as every system writes them.
#pragma once

#include <string>
#include <string_view>

namespace warpgrade::grader::text {

/// `text` in composed form; bytes that are not valid UTF-8 are unchanged.
std::string composed_text(std::string_view text);

}  // namespace warpgrade::grader::text
