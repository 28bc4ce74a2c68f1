// SPDX-License-Identifier: Apache-2.0
#include "grader/class/html.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "grader/class/class_styles.h"
#include "grader/html/page.h"

namespace warpgrade::grader::class_book {
std::string html_page(std::string_view title, std::string_view body) {
  return html::plain_page(title, body, base::embedded(kClassStyles, "class.css").body());
}

std::string html_address(std::string_view path) {
  std::string out;
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain =
        byte < 128 && (std::isalnum(byte) != 0 || c == '-' || c == '.' || c == '_' || c == '/');
    out += plain ? std::string(1, c) : fmt::format("%{:02X}", byte);
  }
  return out;
}

std::string badge(Standing standing) {
  switch (standing) {
    case Standing::kPass:
      return "<span class=\"badge good\">PASS</span>";
    case Standing::kFail:
      return "<span class=\"badge bad\">FAIL</span>";
    case Standing::kMissing:
      return "<span class=\"badge bad\">MISSING</span>";
    case Standing::kExcused:
      return "<span class=\"badge quiet\">EXCUSED</span>";
    case Standing::kNotDue:
      return "<span class=\"badge quiet\">NOT DUE</span>";
    case Standing::kUngraded:
    case Standing::kInconclusive:
    case Standing::kError:
    case Standing::kOpen:
      break;
  }
  return "<span class=\"badge open\">OPEN</span>";
}

std::string bar(double share, std::string_view css_class) {
  return fmt::format(
      "<svg class=\"bar\" viewBox=\"0 0 100 10\" preserveAspectRatio=\"none\" aria-hidden=\"true\">"
      "<rect class=\"track\" width=\"100\" height=\"10\"/><rect class=\"{}\" width=\"{:.1f}\" "
      "height=\"10\"/></svg>",
      css_class, 100 * std::clamp(share, 0.0, 1.0));
}

}  // namespace warpgrade::grader::class_book
