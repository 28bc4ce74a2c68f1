// SPDX-License-Identifier: Apache-2.0
// Escapes text for XML and HTML.
#pragma once

#include <string>
#include <string_view>

namespace warpgrade::grader::text {

/// Replaces & < > and " by entities. The result is safe between tags and in an attribute in double
/// quotes.
std::string escape_markup(std::string_view text);

}  // namespace warpgrade::grader::text
