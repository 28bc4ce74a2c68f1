// SPDX-License-Identifier: Apache-2.0
// Text within XML and HTML.
#pragma once

#include <string>
#include <string_view>

namespace warpgrade::grader::text {

/// With entities for & < > and ", so that it can stand between tags and in an attribute within
/// double quotes.
std::string escape_markup(std::string_view text);

}  // namespace warpgrade::grader::text
