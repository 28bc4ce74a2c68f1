// SPDX-License-Identifier: Apache-2.0
// The style sheet of the page: light and dark, from a phone's width to a wide screen's.
#pragma once

#include <string_view>

namespace warpgrade::grader {

extern const std::string_view kPageStyle;

}  // namespace warpgrade::grader
