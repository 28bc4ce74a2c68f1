// SPDX-License-Identifier: Apache-2.0
#include "grader/html/html_text.h"

#include <fmt/format.h>

#include "common/base/text.h"
#include "grader/text/markup.h"

namespace warpgrade::grader::html {
namespace {

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
}

}  // namespace

std::string escaped(std::string_view text, bool keep_newlines) {
  auto out = text::escape_markup(base::escape_controls(text, keep_newlines, /*tab_as_space=*/true));
  replace_all(out, "'", "&#39;");
  return out;
}

std::string escaped_name(std::string_view name) {
  std::string out;
  for (const char c : escaped(name)) {
    out += c;
    if (c == '/' || c == '_') out += "<wbr>";
  }
  return out;
}

std::string sentence(std::string_view text) {
  auto rest = escaped(text);
  std::string out;
  for (;;) {
    const auto begin = rest.find('`');
    const auto end = begin == std::string::npos ? begin : rest.find('`', begin + 1);
    if (end == std::string::npos) return out + rest;
    out += rest.substr(0, begin) + "<code>" + rest.substr(begin + 1, end - begin - 1) + "</code>";
    rest.erase(0, end + 1);
  }
}

std::string paragraph(std::string_view text, std::string_view css_class) {
  if (text.empty()) return {};
  const auto attribute =
      css_class.empty() ? std::string() : fmt::format(" class=\"{}\"", css_class);
  return fmt::format("<p{}>{}</p>\n", attribute, sentence(text));
}

std::string json_for_script(std::string json) {
  replace_all(json, "<", "\\u003c");
  replace_all(json, "\xe2\x80\xa8", "\\u2028");
  replace_all(json, "\xe2\x80\xa9", "\\u2029");
  return json;
}

}  // namespace warpgrade::grader::html
