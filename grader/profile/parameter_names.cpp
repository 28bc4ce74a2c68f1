// SPDX-License-Identifier: Apache-2.0
// Looks for `name ( ... ) {` and returns the last word of each parameter.
#include "grader/profile/parameter_names.h"

#include <cctype>

#include "common/base/text.h"

namespace warpgrade::grader::profile {
namespace {

std::size_t skip_space(std::string_view text, std::size_t at) {
  while (at < text.size() && std::isspace(static_cast<unsigned char>(text[at])) != 0) ++at;
  return at;
}

// The same length, comments blanked out.
std::string without_comments(std::string_view source) {
  std::string text(source);
  for (std::size_t at = 0; at + 1 < text.size(); ++at) {
    if (text[at] != '/' || (text[at + 1] != '/' && text[at + 1] != '*')) continue;
    const bool to_line_end = text[at + 1] == '/';
    auto end = to_line_end ? text.find('\n', at) : text.find("*/", at + 2);
    if (end == std::string::npos) end = text.size();
    if (!to_line_end && end != text.size()) end += 2;
    for (; at < end; ++at) text[at] = ' ';
  }
  return text;
}

// "const float* in" -> "in", "int n = 3" -> "n"; empty without a name.
std::string name_of(std::string_view parameter) {
  parameter = parameter.substr(0, parameter.find_first_of("=["));
  while (!parameter.empty() && !base::is_word_letter(parameter.back())) parameter.remove_suffix(1);
  auto begin = parameter.size();
  while (begin > 0 && base::is_word_letter(parameter[begin - 1])) --begin;
  // A single word is a type.
  return begin == 0 ? std::string() : std::string(parameter.substr(begin));
}

// The parameters in the list that opens at `open`; its end is left in `close`.
std::vector<std::string> split(std::string_view text, std::size_t open, std::size_t& close) {
  std::vector<std::string> names;
  int depth = 0;
  auto begin = open + 1;
  for (close = open; close < text.size(); ++close) {
    const char c = text[close];
    if (c == '(' || c == '<' || c == '[' || c == '{') ++depth;
    const bool ends = c == ')' && depth == 1;
    if (ends || (c == ',' && depth == 1)) {
      const auto piece = text.substr(begin, close - begin);
      if (!ends || skip_space(piece, 0) < piece.size()) names.push_back(name_of(piece));
      begin = close + 1;
    }
    if (ends) return names;
    if (c == ')' || c == '>' || c == ']' || c == '}') --depth;
  }
  return {};
}

}  // namespace

std::vector<std::string> parameter_names(std::string_view source, std::string_view kernel) {
  auto name = kernel.substr(0, kernel.find('<'));
  if (const auto scope = name.rfind("::"); scope != std::string_view::npos) {
    name.remove_prefix(scope + 2);
  }
  const auto text = without_comments(source);
  for (std::size_t at = text.find(name); !name.empty() && at != std::string::npos;
       at = text.find(name, at + 1)) {
    const auto end = at + name.size();
    if ((at > 0 && base::is_word_letter(text[at - 1])) ||
        (end < text.size() && base::is_word_letter(text[end])))
      continue;
    const auto open = skip_space(text, end);
    if (open >= text.size() || text[open] != '(') continue;
    std::size_t close = open;
    auto names = split(text, open, close);
    const auto body = skip_space(text, close + 1);
    if (body < text.size() && text[body] == '{') return names;
  }
  return {};
}

}  // namespace warpgrade::grader::profile
