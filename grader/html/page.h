// SPDX-License-Identifier: Apache-2.0
// Complete HTML pages: the skeleton, style and script in page/ around a page's content.
//
// The script (page.js) reads the JSON block of each exercise (picture_data.h) and draws into the
// figures that name one of its lines. All prose comes from the data; the script only places shapes.
#pragma once

#include <string>
#include <string_view>

namespace warpgrade::grader::html {

/// A page with the script of pictures; its security policy allows no other. `title` is text,
/// `content` is HTML.
std::string picture_page(std::string_view title, std::string_view content);

/// A page that allows no script. `style` is CSS that follows the shared style.
std::string plain_page(std::string_view title, std::string_view content, std::string_view style);

}  // namespace warpgrade::grader::html
