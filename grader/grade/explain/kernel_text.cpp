// SPDX-License-Identifier: Apache-2.0
#include "grader/grade/explain/kernel_text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <map>
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

KernelText::KernelText(std::string_view source, const std::vector<KernelSignature>& kernels) {
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
  expand_macros(source);
  rename_parameters(kernels);
  find_tests();
  find_declarations();
}

namespace {

using Words = std::vector<KernelText::Word>;

// The position of the bracket that closes the one at `open`.
std::size_t closing(const Words& words, std::size_t open) {
  int depth = 0;
  for (auto i = open; i < words.size(); ++i) {
    depth += depth_change(words[i].text);
    if (depth == 0) return i;
  }
  return words.size();
}

// Whether a function with a body has its parameters in the bracket at `open`.
bool is_head(const Words& words, std::size_t open) {
  static constexpr std::array<std::string_view, 5> kOthers = {"if", "for", "while", "switch",
                                                              "return"};
  if (open == 0 || words[open].text != "(" || !is_name(words[open - 1].text)) return false;
  if (std::ranges::find(kOthers, words[open - 1].text) != kOthers.end()) return false;
  const auto close = closing(words, open);
  return close + 1 < words.size() && words[close + 1].text == "{";
}

// The ranges of words between the commas in the bracket at `open`.
std::vector<std::pair<std::size_t, std::size_t>> parts_of(const Words& words, std::size_t open) {
  std::vector<std::pair<std::size_t, std::size_t>> out;
  const auto close = closing(words, open);
  int depth = 0;
  auto begin = open + 1;
  for (auto i = begin; i < close; ++i) {
    depth += depth_change(words[i].text);
    if (depth != 0 || words[i].text != ",") continue;
    out.emplace_back(begin, i);
    begin = i + 1;
  }
  if (begin < close) out.emplace_back(begin, close);
  return out;
}

}  // namespace

namespace {

struct Macro {
  bool has_arguments = false;
  std::vector<std::string> arguments;
  std::vector<std::string> body;
};

// The macros that the source defines; of several definitions the last one.
std::map<std::string, Macro, std::less<>> macros_of(std::string_view source) {
  std::map<std::string, Macro, std::less<>> out;
  for (const auto& token : compile::tokens_of(source)) {
    if (token.kind != compile::TokenKind::kDirective) continue;
    const auto directive = source.substr(token.begin + 1, token.end - token.begin - 1);
    const auto parts = compile::tokens_of(directive);
    const auto text = [&](std::size_t i) {
      return directive.substr(parts[i].begin, parts[i].end - parts[i].begin);
    };
    if (parts.size() < 2 || text(0) != "define") continue;
    Macro macro;
    std::size_t at = 2;
    const bool is_function = parts.size() > 2 && text(2) == "(" && parts[2].begin == parts[1].end;
    if (is_function) {
      macro.has_arguments = true;
      for (++at; at < parts.size() && text(at) != ")"; ++at) {
        if (text(at) != ",") macro.arguments.emplace_back(text(at));
      }
      ++at;
    }
    for (; at < parts.size(); ++at) {
      if (text(at) != "\\") macro.body.emplace_back(text(at));
    }
    out[std::string(text(1))] = std::move(macro);
  }
  return out;
}

}  // namespace

// Replaces macros by their bodies, in the lines of their uses. No # and ##.
void KernelText::expand_macros(std::string_view source) {
  const auto macros = macros_of(source);
  constexpr int kDeepest = 4;            // Macros of macros.
  constexpr std::size_t kMost = 200000;  // Words.
  bool has_changed = !macros.empty();
  for (int depth = 0; depth < kDeepest && has_changed && words_.size() < kMost; ++depth) {
    has_changed = false;
    std::vector<Word> out;
    for (std::size_t i = 0; i < words_.size(); ++i) {
      const auto found = macros.find(words_[i].text);
      const bool is_call = i + 1 < words_.size() && words_[i + 1].text == "(";
      if (found == macros.end() || (found->second.has_arguments && !is_call)) {
        out.push_back(words_[i]);
        continue;
      }
      has_changed = true;
      const auto& macro = found->second;
      const auto line = words_[i].line;
      const auto parts = macro.has_arguments ? parts_of(words_, i + 1)
                                             : std::vector<std::pair<std::size_t, std::size_t>>{};
      for (const auto& word : macro.body) {
        const auto argument = std::ranges::find(macro.arguments, word);
        const auto index = static_cast<std::size_t>(argument - macro.arguments.begin());
        if (argument == macro.arguments.end() || index >= parts.size()) {
          out.push_back({word, line});
          continue;
        }
        for (auto k = parts[index].first; k < parts[index].second; ++k) {
          out.push_back({words_[k].text, line});
        }
      }
      if (macro.has_arguments) i = closing(words_, i + 1);
    }
    words_ = std::move(out);
  }
}

// Gives the parameters of the function with its bracket at `head` these names; empty ones stay.
void KernelText::rename(std::size_t head, const std::vector<std::string>& names) {
  const auto parts = parts_of(words_, head);
  if (parts.size() != names.size()) return;
  const auto body = closing(words_, head) + 1;
  const auto end = closing(words_, body);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    std::string own;
    for (auto k = parts[i].first; k < parts[i].second; ++k) {
      if (words_[k].text == "=" || words_[k].text == "[") break;
      if (is_name(words_[k].text)) own = words_[k].text;
    }
    if (own.empty() || names[i].empty() || own == names[i]) continue;
    bool is_taken = false;
    for (auto k = head; k < end; ++k) is_taken = is_taken || words_[k].text == names[i];
    if (is_taken) continue;
    for (auto k = parts[i].first; k < end; ++k) {
      const bool is_member = words_[k - 1].text == "." || words_[k - 1].text == "->";
      if (words_[k].text == own && !is_member) words_[k].text = names[i];
    }
  }
}

// For each parameter the variable that all calls pass; empty without one.
std::vector<std::string> KernelText::arguments_of_calls(std::size_t head) const {
  std::vector<std::string> out(parts_of(words_, head).size());
  bool is_first = true;
  for (std::size_t i = 1; i + 1 < words_.size(); ++i) {
    const bool is_call = words_[i].text == "(" && words_[i - 1].text == words_[head - 1].text;
    if (!is_call || i == head) continue;
    const auto parts = parts_of(words_, i);
    for (std::size_t k = 0; k < out.size(); ++k) {
      const bool is_one = k < parts.size() && parts[k].second == parts[k].first + 1 &&
                          is_name(words_[parts[k].first].text);
      const auto passed = is_one ? words_[parts[k].first].text : std::string();
      if (is_first) out[k] = passed;
      if (out[k] != passed) out[k].clear();
    }
    is_first = false;
  }
  return out;
}

// Callers come behind the functions that they call.
void KernelText::rename_parameters(const std::vector<KernelSignature>& kernels) {
  if (kernels.empty()) return;
  std::vector<std::size_t> heads;
  for (std::size_t i = 1; i < words_.size(); ++i) {
    if (is_head(words_, i)) heads.push_back(i);
  }
  std::ranges::reverse(heads);
  for (const auto head : heads) {
    const auto kernel = std::ranges::find_if(
        kernels, [&](const auto& one) { return one.kernel == words_[head - 1].text; });
    rename(head, kernel != kernels.end() ? kernel->parameters : arguments_of_calls(head));
  }
}

// A comparison ends at &&, ||, ;, ?, a comma or the bracket around it.
void KernelText::find_tests() {
  static constexpr std::array<std::string_view, 5> kComparisons = {"<", "<=", ">", ">=", "=="};
  static constexpr std::array<std::string_view, 14> kEnds = {
      "&", "|", "&&", "||", ";", "?", ",", "=", "+=", "-=", "{", "}", "return", ":"};
  const auto ends = [](std::string_view word) {
    return std::ranges::find(kEnds, word) != kEnds.end();
  };
  for (std::size_t i = 1; i + 1 < words_.size(); ++i) {
    const auto& middle = words_[i];
    if (std::ranges::find(kComparisons, middle.text) == kComparisons.end()) continue;
    // x >> 5 and x >>= 1 are no comparisons.
    const auto is_angle = [](std::string_view word) { return word == ">" || word == ">="; };
    const bool is_shift =
        is_angle(middle.text) && (is_angle(words_[i - 1].text) || is_angle(words_[i + 1].text));
    if (is_shift) continue;
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
    auto& tests = middle.text == "==" ? equalities_ : tests_;
    if (!is_template) tests.push_back(std::move(test));
  }
}

void KernelText::find_declarations() {
  std::map<std::string_view, std::uint32_t> floats;  // With the lines of their definitions.
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
    const bool is_type = words_[i].text == "float" || words_[i].text == "double";
    if (is_type && is_name(words_[i + 1].text) && words_[i + 2].text == "=") {
      floats.emplace(words_[i + 1].text, words_[i + 1].line);
    }
  }
  // A float that is converted to a whole number in a subscript.
  static constexpr std::array<std::string_view, 4> kWhole = {"int", "unsigned", "long", "size_t"};
  // Whether word `i` is such a float, and not a member or the name of an earlier variable.
  const auto is_float = [&](std::size_t i) {
    const auto found = floats.find(words_[i].text);
    return found != floats.end() && found->second <= words_[i].line &&
           (i == 0 || words_[i - 1].text != ".");
  };
  int brackets = 0;
  bool is_whole = false;
  for (std::size_t i = 0; i < words_.size(); ++i) {
    const auto& word = words_[i].text;
    brackets += word == "[" ? 1 : word == "]" ? -1 : 0;
    if (word == ";" || brackets == 0) is_whole = false;
    if (brackets <= 0) continue;
    is_whole = is_whole || std::ranges::find(kWhole, word) != kWhole.end();
    if (is_whole && is_float(i) && float_index_line_ == 0) {
      float_index_line_ = words_[i].line;
    }
  }
  // Or before it: const int index = x + width * y, computed from floats.
  for (std::size_t i = 0; i + 2 < words_.size() && float_index_line_ == 0; ++i) {
    if (std::ranges::find(kWhole, words_[i].text) == kWhole.end()) continue;
    if (!is_name(words_[i + 1].text) || words_[i + 2].text != "=") continue;
    const auto& index = words_[i + 1].text;
    auto from_float = floats.end();
    std::size_t others = 0;
    int depth = 0;
    for (auto k = i + 3; k < words_.size() && words_[k].text != ";"; ++k) {
      const auto& word = words_[k].text;
      depth += word == "[" ? 1 : word == "]" ? -1 : 0;
      const auto found = depth == 0 && is_float(k) ? floats.find(word) : floats.end();
      if (found != floats.end()) from_float = found;
      const bool is_cast = word == "static_cast" || std::ranges::find(kWhole, word) != kWhole.end();
      if (is_name(word) && !is_cast && found == floats.end()) ++others;
    }
    if (from_float == floats.end()) continue;
    // A conversion alone: the place is where the float is computed.
    const auto line = others == 0 ? from_float->second : words_[i].line;
    for (std::size_t k = 1; k < words_.size(); ++k) {
      depth += words_[k].text == "[" ? 1 : words_[k].text == "]" ? -1 : 0;
      if (depth > 0 && words_[k].text == index) float_index_line_ = line;
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

std::uint32_t KernelText::line_of_word(std::initializer_list<std::string_view> words) const {
  for (const auto wanted : words) {
    for (const auto& word : words_) {
      if (word.text == wanted) return word.line;
    }
  }
  return 0;
}

std::uint32_t KernelText::integer_quotient_line() const {
  const auto is_whole = [](const std::string& word) {
    return !word.empty() && word.size() < 10 &&
           word.find_first_not_of("0123456789") == std::string::npos;
  };
  for (std::size_t i = 1; i + 2 < words_.size(); ++i) {
    const bool is_quotient = words_[i + 1].text == "/" && is_whole(words_[i].text) &&
                             is_whole(words_[i + 2].text) && words_[i].text != "0";
    const auto& before = words_[i - 1].text;
    if (!is_quotient || before == "*" || before == "/" || before == "%") continue;
    if (std::stoul(words_[i].text) < std::stoul(words_[i + 2].text)) return words_[i].line;
  }
  return 0;
}

// (unsigned long long) (a * b) >> 32
std::uint32_t KernelText::late_widening_line() const {
  for (std::size_t i = 1; i + 4 < words_.size(); ++i) {
    if (words_[i].text != "(") continue;
    const bool is_cast = words_[i - 1].text == ")" || words_[i - 1].text == ">";
    const auto close = closing(words_, i);
    if (!is_cast || close + 3 >= words_.size() || words_[close + 1].text != ">" ||
        words_[close + 2].text != ">" || words_[close + 3].text != "32") {
      continue;
    }
    bool is_wide = false;
    bool is_product = false;
    for (auto k = i; k < close; ++k) {
      is_wide =
          is_wide || words_[k].text == "long" || words_[k].text.find("64") != std::string::npos;
      is_product = is_product || words_[k].text == "*";
    }
    if (is_product && !is_wide) return words_[i].line;
  }
  return 0;
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
