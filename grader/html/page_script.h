// SPDX-License-Identifier: Apache-2.0
// The script of the page, which draws the pictures that one can leaf through.
#pragma once

#include <string_view>

namespace warpgrade::grader {

/// Stands in a script element as it is: it holds no "</".
extern const std::string_view kPageScript;

}  // namespace warpgrade::grader
