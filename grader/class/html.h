// SPDX-License-Identifier: Apache-2.0
// The frame of a page of a class: its head, style and end. Such a page has no script and is
// complete: it needs no network and no other file.
#pragma once

#include <string>
#include <string_view>

#include "grader/class/standing.h"

namespace warpgrade::grader::class_book {

/// A whole page with `body`, which is HTML; `title` is text.
std::string html_page(std::string_view title, std::string_view body);

/// A path as a relative URL: escapes every byte except letters, digits and "-._/".
std::string html_address(std::string_view path);

/// `<span class="badge ...">` of a standing; "open" without a verdict.
std::string badge(Standing standing);

/// A bar of `share` (0 to 1) of a track.
std::string bar(double share, std::string_view css_class = "fill");

}  // namespace warpgrade::grader::class_book
