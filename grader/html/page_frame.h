// SPDX-License-Identifier: Apache-2.0
// The begin and the end of a page: its security policy, style and script.
#pragma once

#include <string>

namespace warpgrade::grader {

/// Everything up to the content of `<main>`. `title` is not escaped.
std::string page_head(const std::string& title);

/// Everything after the content.
std::string page_end();

}  // namespace warpgrade::grader
