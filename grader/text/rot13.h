// SPDX-License-Identifier: Apache-2.0
// Rotates letters by 13 places, so that nobody reads a hint by accident.
#pragma once

#include <string>
#include <string_view>

namespace warpgrade::grader::text {

/// Rotates ASCII letters by 13 places; applying it twice restores the text.
std::string rot13(std::string_view text);

}  // namespace warpgrade::grader::text
