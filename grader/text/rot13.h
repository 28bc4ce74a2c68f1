// SPDX-License-Identifier: Apache-2.0
// Letters turned by 13 places, which hides a hint from eyes that were not looking for it.
#pragma once

#include <string>
#include <string_view>

namespace warpgrade::grader {

/// Letters of ASCII by 13 places, all else as it is; twice gives the text again.
std::string rot13(std::string_view text);

}  // namespace warpgrade::grader
