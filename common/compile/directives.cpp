// SPDX-License-Identifier: Apache-2.0
#include "common/compile/directives.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/utf8.h"
#include "common/compile/source_outline.h"

namespace warpgrade::compile {
namespace {

constexpr auto kNone = std::string::npos;

bool is_identifier(char c) { return is_word(c) || (c & 0x80) != 0; }

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\f' || c == '\v' || c == '\r'; }

// \r\n becomes " \n", and a splice before it remains a splice: "\\\r\n" becomes " \\\n".
void unify_newlines(std::string& text) {
  for (std::size_t i = 1; i < text.size(); ++i) {
    if (text[i] != '\n' || text[i - 1] != '\r') continue;
    text[i - 1] = ' ';
    if (i >= 2 && text[i - 2] == '\\') std::swap(text[i - 1], text[i - 2]);
  }
}

class Scanner {
 public:
  explicit Scanner(std::string& text) : text_(text) {}

  void neutralise() {
    for (std::size_t at = 0; at < text_.size(); ++at) {
      const auto length = hash_length(at);
      if (length == 0 || !is_first_on_line(at)) continue;
      const auto name = skip_blanks(at + length);
      if (sets_position(name)) fill_with_blanks(text_, at, directive_end(name));
    }
  }

 private:
  // Position after the splices (backslash, newline) at `at`.
  std::size_t skip_splices(std::size_t at) const {
    while (at + 1 < text_.size() && text_[at] == '\\' && text_[at + 1] == '\n') at += 2;
    return at;
  }

  bool is(std::size_t at, char c) const { return at < text_.size() && text_[at] == c; }

  // Length of a `#` or `%:` at `at`, else 0.
  std::size_t hash_length(std::size_t at) const {
    if (text_[at] == '#') return 1;
    if (text_[at] != '%') return 0;
    const auto colon = skip_splices(at + 1);
    return is(colon, ':') ? colon + 1 - at : 0;
  }

  // Whether only blanks, splices or the end of a comment precede `at` on its line.
  bool is_first_on_line(std::size_t at) const {
    while (at > 0) {
      const char before = text_[at - 1];
      if (is_blank(before)) {
        at -= 1;
      } else if (before == '\n' && at >= 2 && text_[at - 2] == '\\') {
        at -= 2;
      } else {
        return before == '\n' || (before == '/' && at >= 2 && ends_comment(at - 1));
      }
    }
    return true;
  }

  // Whether the `/` at `slash` follows a `*`, possibly with splices in between.
  bool ends_comment(std::size_t slash) const {
    while (slash >= 2 && text_[slash - 1] == '\n' && text_[slash - 2] == '\\') slash -= 2;
    return slash >= 1 && text_[slash - 1] == '*';
  }

  // The start of the comment body if a comment opens at `at`; else kNone.
  std::size_t comment_body(std::size_t at) const {
    if (!is(at, '/')) return kNone;
    const auto star = skip_splices(at + 1);
    return is(star, '*') ? star + 1 : kNone;
  }

  // Position after the comment whose body starts at `at`. The end is cached, so that a file full of
  // comment openings is scanned only once; calls must have ascending `at`.
  std::size_t comment_end(std::size_t at) {
    if (comment_end_ >= at + 2) return comment_end_;
    comment_end_ = at + 2;
    while (comment_end_ < text_.size() &&
           !(text_[comment_end_ - 1] == '/' && ends_comment(comment_end_ - 1))) {
      comment_end_ += 1;
    }
    return comment_end_;
  }

  std::size_t skip_blanks(std::size_t at) {
    while (at < text_.size()) {
      if (is_blank(text_[at])) {
        at += 1;
      } else if (const auto spliced = skip_splices(at); spliced != at) {
        at = spliced;
      } else if (const auto body = comment_body(at); body != kNone) {
        at = comment_end(body);
      } else {
        break;
      }
    }
    return at;
  }

  // Whether the directive with its name at `at` is `line` or a number.
  bool sets_position(std::size_t at) const {
    if (at < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at])) != 0) return true;
    for (const char expected : std::string_view("line")) {
      at = skip_splices(at);
      if (!is(at, expected)) return false;
      at += 1;
    }
    at = skip_splices(at);
    return at >= text_.size() || !is_identifier(text_[at]);
  }

  // The newline that ends the directive with its name at `at`, ignoring newlines in comments and
  // after backslashes.
  std::size_t directive_end(std::size_t at) {
    while (at < text_.size() && text_[at] != '\n') {
      if (const auto spliced = skip_splices(at); spliced != at) {
        at = spliced;
      } else if (const auto body = comment_body(at); body != kNone) {
        at = comment_end(body);
      } else {
        at += 1;
      }
    }
    return at;
  }

  std::string& text_;
  std::size_t comment_end_ = 0;
};

}  // namespace

void fill_with_blanks(std::string& text, std::size_t begin, std::size_t end) {
  for (auto i = begin; i < end && i < text.size(); ++i) {
    if (text[i] != '\n') text[i] = ' ';
  }
}

std::string neutralise_directives(std::string_view text) {
  auto out = base::replace_invalid_utf8(text);
  unify_newlines(out);
  Scanner(out).neutralise();
  return out;
}

std::string blank_comments_and_literals(std::string_view text) {
  std::string out(text);
  const auto size = out.size();
  for (std::size_t i = 0; i < size;) {
    std::size_t end = i + 1;
    if (text.substr(i, 2) == "//") {
      end = std::min(text.find('\n', i), size);
      fill_with_blanks(out, i, end);
    } else if (text.substr(i, 2) == "/*") {
      const auto close = text.find("*/", i + 2);
      end = close == kNone ? size : close + 2;
      fill_with_blanks(out, i, end);
    } else if (text[i] == '"' || text[i] == '\'') {
      while (end < size && text[end] != text[i] && text[end] != '\n') {
        end += text[end] == '\\' ? 2U : 1U;
      }
      end = std::min(end + 1, size);
      fill_with_blanks(out, i, end);
    }
    i = end;
  }
  return out;
}

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
