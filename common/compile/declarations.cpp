// SPDX-License-Identifier: Apache-2.0
#include "common/compile/declarations.h"

#include "common/compile/directives.h"
#include "common/compile/words.h"

namespace warpgrade::compile {
namespace {

// Words before a parenthesis that are not function names.
bool is_attribute(std::string_view word) {
  return word == "__launch_bounds__" || word == "__attribute__" || word == "__align__" ||
         word == "alignas" || word == "__maxnreg__" || word == "__cluster_dims__";
}

}  // namespace

std::vector<Declaration> find_declarations(std::string_view source) {
  const auto text = blank_comments_and_literals(source);
  std::vector<Declaration> found;
  Declaration current;
  std::uint32_t line = 1;
  std::size_t line_begin = 0;
  int parentheses = 0;
  bool is_before_body = false;  // between the name of found.back() and its body or its end
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\n') {
      ++line;
      line_begin = i + 1;
    } else if (c == '(' || c == ')') {
      parentheses += c == '(' ? 1 : -1;
    } else if (c == ';' || c == '{' || c == '}') {
      if (is_before_body) found.back().is_definition = c == '{';
      is_before_body = false;
      current = {};
      parentheses = 0;
    } else if (is_word(c)) {
      auto end = i;
      while (end < text.size() && is_word(text[end])) ++end;
      const auto word = std::string_view(text).substr(i, end - i);
      const auto next = text.find_first_not_of(" \t\n", end);
      const bool opens = next != std::string::npos && text[next] == '(';
      current.is_global |= word == "__global__";
      current.is_device |= word == "__device__";
      current.is_template |= word == "template";
      if (opens && parentheses == 0 && !is_attribute(word) &&
          (current.is_global || current.is_device)) {
        current.name = word;
        current.line = line;
        current.column = static_cast<std::uint32_t>(i - line_begin + 1);
        found.push_back(current);
        is_before_body = true;
        current = {};
      }
      i = end - 1;
    }
  }
  return found;
}

}  // namespace warpgrade::compile
