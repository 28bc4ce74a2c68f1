// SPDX-License-Identifier: Apache-2.0
// The script of the page, which draws the pictures that one can leaf through.
#pragma once

#include <string_view>

namespace warpgrade::grader {

/// Safe to embed in a script element unescaped: it contains no "</".
extern const std::string_view kPageScript;

}  // namespace warpgrade::grader
