// SPDX-License-Identifier: Apache-2.0
#include "common/compile/host_constexpr.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <span>
#include <vector>

#include "common/compile/log_entries.h"
#include "common/compile/outline.h"
#include "common/compile/tokens.h"

namespace warpgrade::compile {
namespace {

constexpr std::string_view kMark = "(\"constexpr of the host\")";

// The functions of a source that are compiled only for the device.
class DeviceFunctions {
 public:
  explicit DeviceFunctions(std::string_view source) : text_(source), tokens_(tokens_of(source)) {
    Macros macros;
    add_macros(text_, tokens_, macros);
    items_ = outline(text_, tokens_, macros);
    add_host_macros();
    for (std::size_t i = 0; i < items_.size(); ++i) {
      if (is_for_device_only(items_[i])) functions_.push_back(i);
    }
  }

  std::size_t count() const { return functions_.size(); }
  const Item& function(std::size_t i) const { return items_[functions_[i]]; }
  std::string_view text() const { return text_; }
  std::string_view word(const Token& token) const {
    return text_.substr(token.begin, token.end - token.begin);
  }
  std::span<const Token> within(std::size_t begin, std::size_t end) const {
    const auto first = std::ranges::lower_bound(tokens_, begin, {}, &Token::begin);
    const auto last = std::ranges::lower_bound(tokens_, end, {}, &Token::begin);
    return {first, last};
  }
  // The function with `offset` in its body, or nullptr.
  const Item* at(std::size_t offset) const {
    for (std::size_t i = 0; i < count(); ++i) {
      if (function(i).head_end <= offset && offset < function(i).end) return &function(i);
    }
    return nullptr;
  }

 private:
  void add_host_macros() {
    for (const auto& token : tokens_) {
      if (token.kind != TokenKind::kDirective) continue;
      const auto inside = text_.substr(token.begin + 1, token.end - token.begin - 1);
      const auto parts = tokens_of(inside);
      if (parts.size() < 3 || inside.find("__host__") == std::string_view::npos) continue;
      host_words_.insert(inside.substr(parts[1].begin, parts[1].end - parts[1].begin));
    }
  }
  bool is_for_device_only(const Item& item) const {
    if (item.kind != ItemKind::kFunction || item.head_end >= item.end) return false;
    bool is_device = false;
    for (const auto& token : within(item.begin, item.head_end)) {
      if (host_words_.contains(word(token))) return false;
      is_device |= word(token) == "__global__" || word(token) == "__device__";
    }
    return is_device;
  }

  std::string_view text_;
  std::vector<Token> tokens_;
  std::vector<Item> items_;
  std::vector<std::size_t> functions_;
  std::set<std::string_view> host_words_ = {"__host__"};
};

// Index of the word before the braces that end at `at`, such as S in `S{1}`; `at` for a block.
std::size_t front_of_braces(const DeviceFunctions& source, std::span<const Token> body,
                            std::size_t at) {
  int depth = 0;
  for (auto i = at; i > 0; --i) {
    const auto word = source.word(body[i]);
    depth += word == "}" ? 1 : word == "{" ? -1 : 0;
    if (word == ";" || (i == at && depth == 0)) return at;
    if (depth > 0) continue;
    const auto before = source.word(body[i - 1]);
    const bool is_type = body[i - 1].kind == TokenKind::kWord && before != "else" && before != "do";
    return is_type ? i - 1 : at;
  }
  return at;
}

// Whether the expression at `at` of `body` must be constant: it initializes a constexpr variable,
// or is the condition of an `if constexpr` or a static_assert, a case label, an array size in a
// declaration or a template argument.
bool is_constant_expression(const DeviceFunctions& source, std::span<const Token> body,
                            std::size_t at) {
  static constexpr std::array<std::string_view, 3> kConstant = {"constexpr", "static_assert",
                                                                "case"};
  int parentheses = 0;
  bool is_in_brackets = false;
  bool is_behind_colon = false;
  for (auto i = at; i-- > 0;) {
    i = front_of_braces(source, body, i);
    const auto word = source.word(body[i]);
    if (word == ";" || word == "{" || word == "}") {
      // `int a[f(2)]`: two words before the bracket.
      return is_in_brackets && i + 2 < body.size() && body[i + 1].kind == TokenKind::kWord &&
             body[i + 2].kind == TokenKind::kWord && source.word(body[i + 1]) != "return";
    }
    if (word == "case" && is_behind_colon) return false;
    if (std::ranges::count(kConstant, word) != 0) {
      return source.word(body[i + 1]) != "(" ||
             parentheses > 0;  // inside the condition of `if constexpr (`
    }
    is_behind_colon |= word == ":";
    if (word == ")") --parentheses;
    if (word == "(") ++parentheses;
    if (word == "[") is_in_brackets = true;
    if (word == "]" || word == "=") is_in_brackets = false;
    const bool is_template = word == "<" && i > 0 && body[i - 1].kind == TokenKind::kWord &&
                             body[i - 1].end == body[i].begin && parentheses <= 0;
    if (is_template) return true;
  }
  return false;
}

std::size_t line_begin(std::string_view text, std::uint32_t line) {
  std::size_t at = 0;
  for (; line > 1 && at < text.size(); --line) at = std::min(text.find('\n', at), text.size()) + 1;
  return std::min(at, text.size());
}

// An entry in the compiler's format.
std::string call_entry(const std::string& name, std::string_view text, std::size_t offset,
                       std::string_view function) {
  static constexpr std::array<std::string_view, 8> kMixed = {
      "fmax", "fmin", "fmod", "atan2", "hypot", "fdim", "remainder", "nextafter"};
  const bool is_mixed = std::ranges::any_of(
      kMixed, [&](std::string_view one) { return function.substr(0, function.find('(')) == one; });
  const auto line = std::ranges::count(text.substr(0, offset), '\n') + 1;
  const auto begin = line_begin(text, static_cast<std::uint32_t>(line));
  const auto row = text.substr(begin, std::min(text.find('\n', begin), text.size()) - begin);
  return name + "(" + std::to_string(line) + "): error: calling a constexpr __host__ function (\"" +
         std::string(function) + "\") from device code is not allowed; " +
         (is_mixed ? "give both arguments the same type, as in fmax(x, 0.0f)"
                   : "declare a function of your own as __host__ __device__, and use CUDA's "
                     "functions or cuda::std:: in the place of std::") +
         "\n  " + std::string(row) + "\n  " + std::string(offset - begin, ' ') + "^\n\n";
}

// Errors by place.
using Errors = std::map<std::size_t, std::string>;

void add_error(Errors& errors, const DeviceFunctions& source, const std::string& name,
               std::size_t offset, std::string_view function) {
  const auto* item = source.at(offset);
  if (item == nullptr) return;
  const auto body = source.within(item->head_end, item->end);
  const auto at = std::ranges::lower_bound(body, offset, {}, &Token::begin) - body.begin();
  if (is_constant_expression(source, body, static_cast<std::size_t>(at))) return;
  errors.try_emplace(offset, call_entry(name, source.text(), offset, function));
}

// Index behind the template arguments that begin at `at`; the size of `part` if they do not end.
std::size_t behind_arguments(const DeviceFunctions& source, std::span<const Token> part,
                             std::size_t at) {
  int depth = 0;
  for (; at < part.size(); ++at) {
    const auto word = source.word(part[at]);
    depth += word == "<" ? 1 : word == ">" ? -1 : word == ">>" ? -2 : 0;
    if (depth <= 0) return at + 1;
  }
  return at;
}

// Whether `part` has the words `words` at `at`.
bool has_words(const DeviceFunctions& source, std::span<const Token> part, std::size_t at,
               std::initializer_list<std::string_view> words) {
  for (const auto word : words) {
    if (at >= part.size() || source.word(part[at]) != word) return false;
    ++at;
  }
  return true;
}

// std::numeric_limits<T>::max(), and uses of variables of type std::array.
void add_members_of_types(Errors& errors, const DeviceFunctions& source, const std::string& name,
                          const Item& item) {
  const auto part = source.within(item.begin, item.end);
  std::set<std::string_view> arrays;
  for (std::size_t i = 0; i + 3 < part.size(); ++i) {
    const bool is_std = (i < 2 || source.word(part[i - 1]) != "::");
    const auto word = source.word(part[i]);
    if (is_std && has_words(source, part, i, {"std", "::", "numeric_limits", "<"})) {
      const auto after = behind_arguments(source, part, i + 3);
      if (after + 2 < part.size() && source.word(part[after]) == "::" &&
          source.word(part[after + 2]) == "(") {
        add_error(errors, source, name, part[i].begin, source.word(part[after + 1]));
      }
    } else if (is_std && has_words(source, part, i, {"std", "::", "array", "<"})) {
      auto after = behind_arguments(source, part, i + 3);
      if (after < part.size() && source.word(part[after]) == "&") ++after;
      if (after < part.size() && part[after].kind == TokenKind::kWord) {
        arrays.insert(source.word(part[after]));
      }
    } else if (arrays.contains(word) && part[i].begin > item.head_end) {
      const bool is_member = source.word(part[i - 1]) == "." || source.word(part[i - 1]) == "->";
      if (!is_member && source.word(part[i + 1]) == "[") {
        add_error(errors, source, name, part[i].begin, "operator[]");
      } else if (!is_member && source.word(part[i + 1]) == "." && source.word(part[i + 3]) == "(") {
        add_error(errors, source, name, part[i].begin, source.word(part[i + 2]));
      }
    }
  }
}

// The first text in quotes: "power" in `function "power" was declared deprecated ("...")`.
std::string_view first_quoted(std::string_view message) {
  const auto begin = message.find('"');
  if (begin == std::string_view::npos) return {};
  return message.substr(begin + 1, message.find('"', begin + 1) - begin - 1);
}

}  // namespace

HostConstexprCalls calls_of_host_constexpr(std::string_view log, const std::string& name,
                                           std::string_view text) {
  HostConstexprCalls out;
  const auto entries = log_entries(log, name);
  const DeviceFunctions source(text);
  Errors errors;
  std::size_t kept = 0;  // the log up to here is in rest_of_log or removed
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const auto& entry = entries[i];
    if (entry.is_error || entry.message.find(kMark) == std::string_view::npos) continue;
    const auto begin = static_cast<std::size_t>(entry.file.data() - log.data());
    const auto end =
        i + 1 < entries.size()
            ? static_cast<std::size_t>(entries[i + 1].file.data() - log.data())
            : static_cast<std::size_t>(entry.excerpt.data() - log.data()) + entry.excerpt.size();
    out.rest_of_log.append(log.substr(kept, begin - kept));
    kept = end;
    if (entry.file != name || entry.column == 0) continue;
    const auto offset = line_begin(text, entry.line) + entry.column - 1;
    add_error(errors, source, name, offset, first_quoted(entry.message));
  }
  out.rest_of_log.append(log.substr(kept));
  for (std::size_t i = 0; i < source.count(); ++i) {
    add_members_of_types(errors, source, name, source.function(i));
  }
  for (const auto& [place, error] : errors) out.errors += error;
  return out;
}

}  // namespace warpgrade::compile
