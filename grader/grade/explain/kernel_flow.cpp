// SPDX-License-Identifier: Apache-2.0
#include "grader/grade/explain/kernel_flow.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "common/compile/source_outline.h"

namespace warpgrade::grader::grade {
namespace {

constexpr std::array<std::string_view, 10> kAssignments = {
    "=", "+=", "-=", "*=", "/=", "%=", "|=", "&=", "^=", "<<="};
constexpr std::array<std::string_view, 25> kTypeWords = {
    "const",   "constexpr", "unsigned",   "signed",  "int",     "long",     "short",
    "char",    "float",     "double",     "auto",    "bool",    "volatile", "register",
    "size_t",  "uint32_t",  "uint64_t",   "int32_t", "int64_t", "uint16_t", "int16_t",
    "uint8_t", "int8_t",    "__shared__", "static"};
constexpr std::array<std::string_view, 9> kNoValues = {"return", "else", "case",   "if",  "for",
                                                       "while",  "do",   "switch", "goto"};

template <typename Words>
bool is_any(std::string_view word, const Words& words) {
  return std::ranges::find(words, word) != words.end();
}

int depth_of(std::string_view word) {
  if (word == "(" || word == "[" || word == "{") return 1;
  return word == ")" || word == "]" || word == "}" ? -1 : 0;
}

}  // namespace

bool is_identifier(std::string_view word) {
  return !word.empty() && compile::is_word(word[0]) &&
         std::isdigit(static_cast<unsigned char>(word[0])) == 0;
}

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> out;
  while (!text.empty()) {
    const auto end = text.find(' ');
    if (end != 0) out.push_back(text.substr(0, end));
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return out;
}

bool has_arithmetic(std::string_view text) {
  static constexpr std::array<std::string_view, 6> kOperators = {"+", "-", "*", "/", "%", "("};
  int brackets = 0;
  const auto words = words_of(text);
  for (std::size_t i = 0; i < words.size(); ++i) {
    brackets += words[i] == "[" ? 1 : words[i] == "]" ? -1 : 0;
    // A first * or - is a dereference or a sign.
    const bool is_one = is_any(words[i], kOperators) && i > 0;
    if (brackets == 0 && is_one) return true;
  }
  return false;
}

KernelFlow::KernelFlow(const KernelText& text) : words_(text.words()) {
  find_functions();
  find_branches();
  find_assignments();
  find_narrow();
}

std::string KernelFlow::joined(std::size_t begin, std::size_t end) const {
  std::string out;
  for (auto i = begin; i < end && i < words_.size(); ++i) {
    out += (i == begin ? "" : " ") + words_[i].text;
  }
  return out;
}

// The position of the bracket that closes the one at `open`.
std::size_t KernelFlow::closing(std::size_t open) const {
  int depth = 0;
  for (auto i = open; i < words_.size(); ++i) {
    depth += depth_of(words_[i].text);
    if (depth == 0) return i;
  }
  return words_.size();
}

// One past the statement that begins at `first`.
std::size_t KernelFlow::end_of_statement(std::size_t first) const {
  const auto at = [&](std::size_t i) -> std::string_view {
    return i < words_.size() ? std::string_view(words_[i].text) : std::string_view();
  };
  if (first >= words_.size()) return words_.size();
  if (at(first) == "{") return std::min(closing(first) + 1, words_.size());
  const auto word = at(first);
  if (word == "for" || word == "while" || word == "if" || word == "switch") {
    auto open = first + 1;
    if (at(open) == "constexpr") ++open;
    if (at(open) != "(") return open;
    const auto end = end_of_statement(closing(open) + 1);
    return word == "if" && at(end) == "else" ? end_of_statement(end + 1) : end;
  }
  if (word == "do") {
    const auto end = end_of_statement(first + 1);
    return at(end) == "while" ? std::min(closing(end + 1) + 2, words_.size()) : end;
  }
  int depth = 0;
  for (auto i = first; i < words_.size(); ++i) {
    depth += depth_of(at(i));
    if (depth < 0) return i;
    if (depth == 0 && at(i) == ";") return i + 1;
  }
  return words_.size();
}

// name ( ... ) {, in no function.
void KernelFlow::find_functions() {
  for (std::size_t i = 1; i + 1 < words_.size(); ++i) {
    if (words_[i].text != "(" || !is_identifier(words_[i - 1].text)) continue;
    if (is_any(words_[i - 1].text, kNoValues)) continue;
    const auto close = closing(i);
    auto open = close + 1;
    while (open < words_.size() &&
           (words_[open].text == "const" || words_[open].text == "noexcept")) {
      ++open;
    }
    if (open >= words_.size() || words_[open].text != "{") continue;
    auto begin = i - 1;
    while (begin > 0 && words_[begin - 1].text != ";" && words_[begin - 1].text != "}" &&
           words_[begin - 1].text != "{") {
      --begin;
    }
    const auto end = std::min(closing(open) + 1, words_.size());
    functions_.push_back({words_[i - 1].text, begin, end});
    i = end - 1;
  }
}

const KernelFlow::Function* KernelFlow::function_of(std::size_t at) const {
  for (const auto& one : functions_) {
    if (one.begin <= at && at < one.end) return &one;
  }
  return nullptr;
}

KernelFlow::Lines KernelFlow::function_at(std::uint32_t line) const {
  const auto* found = function_of(position_of(line));
  if (found == nullptr || found->end == 0) return {};
  return {words_[found->begin].line, words_[found->end - 1].line};
}

KernelFlow::Lines KernelFlow::function_called(std::string_view name) const {
  for (const auto& one : functions_) {
    if (one.name == name) return {words_[one.begin].line, words_[one.end - 1].line};
  }
  return {};
}

std::uint32_t KernelFlow::first_line_in(const Branch& branch) const {
  auto first = branch.body;
  while (first + 1 < branch.end && words_[first].text == "{") ++first;
  return words_[first].line;
}

std::uint32_t KernelFlow::constant(std::string_view name) const {
  const auto found = std::ranges::find_if(assignments_, [&](const Assignment& one) {
    return one.name == name && function_of(one.at) == nullptr;
  });
  return found == assignments_.end() ? 0 : found->line;
}

void KernelFlow::find_branches() {
  for (std::size_t i = 0; i + 1 < words_.size(); ++i) {
    const auto& word = words_[i].text;
    const bool is_loop = word == "for" || word == "while";
    if (!is_loop && word != "if" && word != "do") continue;
    if (word == "do") {
      const auto end = end_of_statement(i);
      std::string head;
      const auto body_end = end_of_statement(i + 1);
      if (body_end + 1 < words_.size() && words_[body_end].text == "while") {
        head = joined(body_end + 2, closing(body_end + 1));
      }
      branches_.push_back({true, words_[i].line, head, i, i + 1, end});
      continue;
    }
    auto open = i + 1;
    if (words_[open].text == "constexpr") ++open;
    if (open >= words_.size() || words_[open].text != "(") continue;
    const auto close = closing(open);
    // The end of a do loop.
    const bool ends_do = word == "while" && std::ranges::any_of(branches_, [&](const Branch& one) {
                           return words_[one.begin].text == "do" && one.end == close + 2;
                         });
    if (ends_do) continue;
    const auto head = joined(open + 1, close);
    const auto end = end_of_statement(close + 1);
    branches_.push_back({is_loop, words_[i].line, head, i, close + 1, end});
    if (word == "if" && end < words_.size() && words_[end].text == "else") {
      branches_.push_back({false, words_[end].line, head, end, end + 1, end_of_statement(end + 1)});
    }
  }
}

// The last word of the line, except braces: in `for (...) {` the head is in front of the body, and
// the word belongs to the loop.
std::size_t KernelFlow::position_of(std::uint32_t line) const {
  std::size_t out = words_.size();
  for (std::size_t i = 0; i < words_.size(); ++i) {
    if (words_[i].line != line) continue;
    const auto& word = words_[i].text;
    if (out == words_.size() || (word != "}" && word != "{")) out = i;
  }
  if (out != words_.size()) return out;
  // An empty line or a directive: the word behind it.
  return static_cast<std::size_t>(
      std::ranges::find_if(words_, [&](const auto& word) { return word.line > line; }) -
      words_.begin());
}

std::vector<const KernelFlow::Branch*> KernelFlow::around(std::uint32_t line, bool loops) const {
  const auto at = position_of(line);
  std::vector<const Branch*> out;
  for (const auto& one : branches_) {
    if (one.is_loop == loops && one.begin <= at && at < one.end) out.push_back(&one);
  }
  std::ranges::reverse(out);
  return out;
}

std::vector<const KernelFlow::Branch*> KernelFlow::loops_around(std::uint32_t line) const {
  return around(line, true);
}
std::vector<const KernelFlow::Branch*> KernelFlow::conditions_around(std::uint32_t line) const {
  return around(line, false);
}

std::vector<const KernelFlow::Branch*> KernelFlow::polls() const {
  static constexpr std::array<std::string_view, 2> kSleeps = {"__nanosleep", "__threadfence"};
  std::vector<const Branch*> out;
  for (const auto& one : branches_) {
    if (!one.is_loop || words_[one.begin].text != "while") continue;
    const auto body = body_of(one);
    const bool only_sleeps = std::ranges::any_of(
        kSleeps, [&](auto word) { return body.find(word) != std::string::npos; });
    const bool is_empty = body == ";" || body == "{ }" || body == "{ ; }" || only_sleeps;
    if (is_empty && one.head.find("++") == std::string::npos) out.push_back(&one);
  }
  return out;
}

std::string KernelFlow::body_of(const Branch& branch) const {
  return joined(branch.body, branch.end);
}

bool KernelFlow::contains(const Branch& branch, std::string_view word) const {
  for (auto i = branch.body; i < branch.end; ++i) {
    if (words_[i].text == word) return true;
  }
  return false;
}

std::vector<std::uint32_t> KernelFlow::lines_of(const std::set<std::string_view>& words,
                                                std::uint32_t first, std::uint32_t last) const {
  std::vector<std::uint32_t> out;
  for (const auto& word : words_) {
    if (word.line >= first && word.line <= last && words.contains(word.text)) {
      if (out.empty() || out.back() != word.line) out.push_back(word.line);
    }
  }
  return out;
}

// The target reaches back to the beginning of the statement, to a comma or to an open bracket.
std::optional<KernelFlow::Assignment> KernelFlow::assignment_at(std::size_t op) const {
  static constexpr std::array<std::string_view, 7> kEnds = {";", "{", "}", ",", ":", "?", "return"};
  auto begin = op;
  int depth = 0;
  for (; begin > 0; --begin) {
    const auto& word = words_[begin - 1].text;
    depth -= depth_of(word);
    if (depth < 0) break;
    if (depth == 0 && (is_any(word, kEnds) || is_any(word, kNoValues))) break;
    // if (...) x = 1: the head of a condition.
    if (depth == 0 && word == "(" && begin >= 2 && is_any(words_[begin - 2].text, kNoValues)) {
      begin = closing(begin - 1) + 1;
      break;
    }
  }
  // x ^= 1 and x >>= 1 are two words each.
  const bool is_split = op > begin && (words_[op - 1].text == "^" || words_[op - 1].text == ">");
  if (begin >= op) return std::nullopt;
  // The name: the last identifier outside of brackets, or the first one in them.
  std::size_t name = op;
  bool is_element = false;
  depth = 0;
  for (auto i = begin; i < op; ++i) {
    const auto& word = words_[i].text;
    depth += depth_of(word);
    if (depth == 0 && is_identifier(word) && word != "const") {
      const bool is_member = i > begin && (words_[i - 1].text == "." || words_[i - 1].text == "->");
      if (!is_member) name = i;
    }
    if (word == "[" && name != op) is_element = true;
  }
  if (name == op) {
    for (auto i = begin; i < op && name == op; ++i) {
      if (is_identifier(words_[i].text) && !is_any(words_[i].text, kTypeWords) &&
          words_[i].text != "reinterpret_cast" && words_[i].text != "float4") {
        name = i;
      }
    }
    is_element = true;
  }
  if (name == op) return std::nullopt;
  Assignment out;
  out.line = words_[name].line;
  out.name = words_[name].text;
  out.target = joined(name, op);
  out.is_compound = words_[op].text != "=" || is_split;
  out.at = op;
  const auto in_front = joined(begin, name);
  const bool is_declared =
      name > begin && (is_identifier(words_[name - 1].text) || words_[name - 1].text == ">" ||
                       (name > begin + 1 && words_[name - 1].text == "*") ||
                       (name > begin + 1 && words_[name - 1].text == "&"));
  if (is_declared) {
    out.type = in_front;
    is_element = false;
  } else if (in_front.find('*') != std::string::npos) {
    is_element = true;
  }
  out.is_element = is_element;
  depth = 0;
  auto end = op + 1;
  for (; end < words_.size(); ++end) {
    depth += depth_of(words_[end].text);
    if (depth < 0 || (depth == 0 && (words_[end].text == ";" || words_[end].text == ","))) break;
  }
  out.value = joined(op + 1, end);
  return out;
}

void KernelFlow::find_assignments() {
  std::size_t statement = 0;
  std::string type;
  for (std::size_t i = 1; i + 1 < words_.size(); ++i) {
    const auto& word = words_[i].text;
    if (word == ";" || word == "{" || word == "}") {
      statement = i + 1;
      type.clear();
    }
    const bool is_shift = word == ">=" && words_[i - 1].text == ">";
    if (is_any(word, kAssignments) || is_shift) {
      auto found = assignment_at(i);
      if (!found) continue;
      if (!found->type.empty()) {
        type = found->type;
      } else if (!type.empty() && !found->is_element && !found->is_compound &&
                 joined(statement, i).find("if (") == std::string::npos) {
        found->type = type;
      }
      assignments_.push_back(std::move(*found));
      continue;
    }
    // View to{out, width}: a declaration with initialisers.
    const bool is_name = is_identifier(word) && !is_any(word, kNoValues) && i > statement;
    if (!is_name || words_[i + 1].text != "{") continue;
    const auto& before = words_[i - 1].text;
    static constexpr std::array<std::string_view, 6> kKeys = {"struct", "class",     "union",
                                                              "enum",   "namespace", "else"};
    if (is_any(before, kKeys) || (!is_identifier(before) && before != ">")) continue;
    assignments_.push_back({words_[i].line, word, word, joined(statement, i),
                            joined(i + 2, closing(i + 1)), false, false, i});
  }
}

void KernelFlow::find_narrow() {
  for (std::size_t i = 0; i + 1 < words_.size(); ++i) {
    const auto& word = words_[i].text;
    const bool is_16 =
        word == "short" || word == "uint16_t" || word == "int16_t" || word == "ushort";
    const bool is_8 = word == "char" || word == "uint8_t" || word == "int8_t" || word == "uchar";
    if (!is_16 && !is_8) continue;
    const bool is_unsigned = word.starts_with('u') || (i > 0 && words_[i - 1].text == "unsigned");
    auto name = i + 1;
    if (words_[name].text == "int" || words_[name].text == "const") ++name;
    const std::uint64_t values = std::uint64_t{1} << ((is_16 ? 16 : 8) - (is_unsigned ? 0 : 1));
    if (name < words_.size() && is_identifier(words_[name].text)) {
      narrow_.push_back({words_[name].text, words_[name].line, values});
    }
    // (short) x, static_cast<unsigned char>(x)
    const bool is_cast = words_[i + 1].text == ")" || words_[i + 1].text == ">";
    if (is_cast) narrow_.push_back({"", words_[i].line, values});
  }
}

std::vector<const KernelFlow::Assignment*> KernelFlow::before(std::string_view name,
                                                              std::uint32_t line) const {
  const auto at = position_of(line);
  const auto* function = function_of(at);
  std::vector<const Assignment*> out;
  for (const auto& one : assignments_) {
    const bool is_here = function_of(one.at) == function || function_of(one.at) == nullptr;
    if (one.name == name && is_here && one.at <= at) out.push_back(&one);
  }
  std::ranges::reverse(out);
  return out;
}

std::vector<const KernelFlow::Assignment*> KernelFlow::sources_of(std::string_view text,
                                                                  std::uint32_t line) const {
  std::vector<const Assignment*> out;
  std::set<std::string, std::less<>> seen;
  std::vector<std::pair<std::string, std::uint32_t>> open = {{std::string(text), line}};
  while (!open.empty()) {
    const auto [part, at] = open.back();
    open.pop_back();
    for (const auto word : words_of(part)) {
      if (!is_identifier(word) || !seen.emplace(word).second) continue;
      for (const auto* one : before(word, at)) {
        if (one->is_element) continue;
        out.push_back(one);
        open.emplace_back(one->value, one->line);
      }
    }
  }
  std::ranges::sort(out, [](const auto* a, const auto* b) { return a->at > b->at; });
  return out;
}

bool KernelFlow::depends_on(std::string_view text, std::uint32_t line,
                            std::string_view word) const {
  if (KernelText::count_of(word, text) != 0) return true;
  return std::ranges::any_of(sources_of(text, line), [&](const auto* one) {
    return KernelText::count_of(word, one->value) != 0;
  });
}

std::string KernelFlow::array_behind(std::string_view name, std::uint32_t line) const {
  std::string out(name);
  for (int depth = 0; depth < 4; ++depth) {
    const auto all = before(out, line);
    const auto found = std::ranges::find_if(all, [](const auto* one) {
      return one->type.find('*') != std::string::npos ||
             one->type.find("auto") != std::string::npos ||
             one->type.find('&') != std::string::npos;
    });
    if (found == all.end()) return out;
    std::string next;
    for (const auto word : words_of((*found)->value)) {
      if (!is_identifier(word) || is_any(word, kTypeWords) || word == "reinterpret_cast" ||
          word == "static_cast" || word.ends_with('4') || word.ends_with('2')) {
        continue;
      }
      next = word;
      break;
    }
    if (next.empty() || next == out) return out;
    out = next;
  }
  return out;
}

}  // namespace warpgrade::grader::grade
