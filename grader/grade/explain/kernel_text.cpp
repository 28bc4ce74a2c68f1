// SPDX-License-Identifier: Apache-2.0
#include "grader/grade/explain/kernel_text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "common/compile/source_outline.h"

namespace warpgrade::grader::grade {
namespace {

bool is_name(std::string_view word) {
  return !word.empty() && compile::is_word(word[0]) &&
         std::isdigit(static_cast<unsigned char>(word[0])) == 0;
}

// The words of a text that words_ with one space between them has.
std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> out;
  while (!text.empty()) {
    const auto end = text.find(' ');
    out.push_back(text.substr(0, end));
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return out;
}

std::string join(const std::vector<std::string_view>& words, std::size_t begin, std::size_t end) {
  std::string out;
  for (auto i = begin; i < end; ++i) {
    if (i != begin) out += ' ';
    out += words[i];
  }
  return out;
}

int depth_change(std::string_view word) {
  if (word == "(" || word == "[" || word == "{") return 1;
  return word == ")" || word == "]" || word == "}" ? -1 : 0;
}

// Without parentheses around all of it.
std::string bare(std::string text) {
  while (text.starts_with("( ") && text.ends_with(" )")) {
    const auto words = split(text);
    int depth = 0;
    std::size_t closes = 0;
    for (std::size_t i = 0; i < words.size() && closes == 0; ++i) {
      depth += depth_change(words[i]);
      if (depth == 0) closes = i;
    }
    if (closes + 1 != words.size()) break;
    text = text.substr(2, text.size() - 4);
  }
  return text;
}

}  // namespace

KernelText::KernelText(std::string_view source) {
  std::uint32_t line = 1;
  std::size_t at = 0;
  for (const auto& token : compile::tokens_of(source)) {
    line += static_cast<std::uint32_t>(
        std::count(source.begin() + static_cast<std::ptrdiff_t>(at),
                   source.begin() + static_cast<std::ptrdiff_t>(token.begin), '\n'));
    at = token.begin;
    if (token.kind == compile::TokenKind::kDirective) continue;
    words_.push_back({std::string(source.substr(token.begin, token.end - token.begin)), line});
  }
  find_tests();
  find_declarations();
}

// A comparison ends at &&, ||, ;, ?, a comma or the bracket around it.
void KernelText::find_tests() {
  static constexpr std::array<std::string_view, 4> kComparisons = {"<", "<=", ">", ">="};
  static constexpr std::array<std::string_view, 12> kEnds = {"&", "|", "&&", "||", ";",      "?",
                                                             ",", "=", "{",  "}",  "return", ":"};
  const auto ends = [](std::string_view word) {
    return std::ranges::find(kEnds, word) != kEnds.end();
  };
  for (std::size_t i = 1; i + 1 < words_.size(); ++i) {
    const auto& middle = words_[i];
    if (std::ranges::find(kComparisons, middle.text) == kComparisons.end()) continue;
    Test test{middle.line, {}, middle.text, {}};
    int depth = 0;
    auto begin = i;
    for (; begin > 0; --begin) {
      depth -= depth_change(words_[begin - 1].text);
      if (depth < 0 || (depth == 0 && ends(words_[begin - 1].text))) break;
    }
    depth = 0;
    auto end = i + 1;
    for (; end < words_.size(); ++end) {
      depth += depth_change(words_[end].text);
      if (depth < 0 || (depth == 0 && ends(words_[end].text))) break;
    }
    const auto add = [&](std::size_t from, std::size_t to, std::string& out) {
      for (auto k = from; k < to; ++k) out += (k == from ? "" : " ") + words_[k].text;
    };
    add(begin, i, test.left);
    add(i + 1, end, test.right);
    const bool is_template = test.left == "template" || test.right.empty() || test.left.empty();
    if (!is_template) tests_.push_back(std::move(test));
  }
}

void KernelText::find_declarations() {
  std::set<std::string_view> floats;
  for (std::size_t i = 0; i + 2 < words_.size(); ++i) {
    if (words_[i].text == "__shared__") {
      auto k = i + 1;
      while (k + 1 < words_.size() && words_[k + 1].text != "[" && words_[k + 1].text != ";" &&
             words_[k + 1].text != ",")
        ++k;
      for (; k + 1 < words_.size(); ++k) {
        if (is_name(words_[k].text)) shared_.push_back(words_[k].text);
        int depth = 0;
        for (++k; k < words_.size(); ++k) {
          depth += depth_change(words_[k].text);
          if (depth == 0 && (words_[k].text == "," || words_[k].text == ";")) break;
        }
        if (k >= words_.size() || words_[k].text == ";") break;
      }
    }
    const bool is_float = words_[i].text == "float" || words_[i].text == "double";
    if (is_float && is_name(words_[i + 1].text) && words_[i + 2].text == "=") {
      floats.insert(words_[i + 1].text);
    }
  }
  // A float that is converted to a whole number in a subscript.
  static constexpr std::array<std::string_view, 4> kWhole = {"int", "unsigned", "long", "size_t"};
  int brackets = 0;
  bool is_whole = false;
  for (std::size_t i = 0; i < words_.size(); ++i) {
    const auto& word = words_[i].text;
    brackets += word == "[" ? 1 : word == "]" ? -1 : 0;
    if (word == ";" || brackets == 0) is_whole = false;
    if (brackets <= 0) continue;
    is_whole = is_whole || std::ranges::find(kWhole, word) != kWhole.end();
    if (is_whole && floats.contains(word) && float_index_line_ == 0) {
      float_index_line_ = words_[i].line;
    }
  }
  // Or before it: const int index = x + width * y, computed from floats.
  for (std::size_t i = 0; i + 2 < words_.size() && float_index_line_ == 0; ++i) {
    if (std::ranges::find(kWhole, words_[i].text) == kWhole.end()) continue;
    if (!is_name(words_[i + 1].text) || words_[i + 2].text != "=") continue;
    const auto& index = words_[i + 1].text;
    bool from_float = false;
    int depth = 0;
    for (auto k = i + 3; k < words_.size() && words_[k].text != ";"; ++k) {
      depth += words_[k].text == "[" ? 1 : words_[k].text == "]" ? -1 : 0;
      from_float = from_float || (depth == 0 && floats.contains(words_[k].text));
    }
    if (!from_float) continue;
    for (std::size_t k = 1; k < words_.size(); ++k) {
      depth += words_[k].text == "[" ? 1 : words_[k].text == "]" ? -1 : 0;
      if (depth > 0 && words_[k].text == index) float_index_line_ = words_[i].line;
    }
  }
}

bool KernelText::has_float_index() const { return float_index_line_ != 0; }

std::string KernelText::statement_at(std::uint32_t line) const {
  const auto ends = [](const std::string& word) {
    return word == ";" || word == "{" || word == "}";
  };
  auto first = static_cast<std::size_t>(
      std::ranges::find_if(words_, [&](const Word& word) { return word.line >= line; }) -
      words_.begin());
  while (first > 0 && !ends(words_[first - 1].text)) --first;
  std::string out;
  bool is_behind = false;
  int depth = 0;
  for (auto i = first; i < words_.size(); ++i) {
    depth += depth_change(words_[i].text);
    is_behind = words_[i].line > line;
    if (ends(words_[i].text) && is_behind && depth <= 0) break;
    if (words_[i].line > line && (i == 0 || ends(words_[i - 1].text)) && depth <= 0) break;
    out += (out.empty() ? "" : " ") + words_[i].text;
  }
  return out;
}

bool KernelText::has_word(std::string_view word) const {
  return std::ranges::any_of(words_, [&](const Word& one) { return one.text == word; });
}

std::vector<KernelText::Test> KernelText::tests_near(std::uint32_t line) const {
  constexpr std::uint32_t kBefore = 2;
  std::vector<Test> out;
  for (const auto& test : tests_) {
    if (test.line <= line && test.line + kBefore >= line) out.push_back(test);
  }
  return out;
}

std::string KernelText::subscript_of(std::string_view array, std::string_view statement) {
  const auto words = split(statement);
  for (std::size_t i = 0; i + 2 < words.size(); ++i) {
    if (words[i] != array || words[i + 1] != "[") continue;
    int depth = 1;
    auto end = i + 2;
    for (; end < words.size(); ++end) {
      depth += depth_change(words[end]);
      if (depth == 0) break;
    }
    return join(words, i + 2, end);
  }
  return {};
}

std::string_view KernelText::without_heads(std::string_view statement) {
  static constexpr std::array<std::string_view, 3> kHeads = {"for", "if", "while"};
  while (true) {
    const auto word = statement.substr(0, statement.find(' '));
    if (word == "else" || word == "{" || word == "}") {
      statement.remove_prefix(std::min(word.size() + 1, statement.size()));
      continue;
    }
    if (std::ranges::find(kHeads, word) == kHeads.end()) return statement;
    int depth = 0;
    std::size_t at = word.size() + 1;
    while (at < statement.size()) {
      const auto next = statement.substr(at, statement.find(' ', at) - at);
      depth += depth_change(next);
      at += next.size() + 1;
      if (depth == 0) break;
    }
    statement.remove_prefix(std::min(at, statement.size()));
    if (statement.empty()) return statement;
  }
}

std::size_t KernelText::count_of(std::string_view word, std::string_view statement) {
  const auto words = split(statement);
  return static_cast<std::size_t>(std::ranges::count(words, word));
}

std::optional<MatrixIndex> KernelText::matrix_index(std::string subscript) const {
  if (is_name(subscript) && subscript.find(' ') == std::string::npos) {
    subscript = value_of(subscript);
  }
  const auto words = split(subscript);
  int depth = 0;
  for (std::size_t i = 1; i + 3 < words.size(); ++i) {
    depth += depth_change(words[i - 1]);
    if (depth != 0 || words[i] != "*" || words[i + 2] != "+" || !is_name(words[i + 1])) continue;
    return MatrixIndex{bare(join(words, 0, i)), std::string(words[i + 1]),
                       bare(join(words, i + 3, words.size()))};
  }
  return std::nullopt;
}

std::string KernelText::value_of(std::string_view variable) const {
  for (std::size_t i = 1; i + 2 < words_.size(); ++i) {
    const bool is_declared = is_name(words_[i - 1].text) || words_[i - 1].text == "," ||
                             words_[i - 1].text == "*" || words_[i - 1].text == "&";
    if (words_[i].text != variable || words_[i + 1].text != "=" || !is_declared) continue;
    std::string out;
    int depth = 0;
    for (auto k = i + 2; k < words_.size(); ++k) {
      depth += depth_change(words_[k].text);
      if (words_[k].text == ";" || (depth == 0 && words_[k].text == ",") || depth < 0) break;
      out += (out.empty() ? "" : " ") + words_[k].text;
    }
    return out;
  }
  return {};
}

}  // namespace warpgrade::grader::grade
