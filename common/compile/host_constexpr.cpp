// SPDX-License-Identifier: Apache-2.0
#include "common/compile/host_constexpr.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <span>
#include <vector>

#include "common/compile/host_code.h"
#include "common/compile/log_entries.h"
#include "common/compile/outline.h"
#include "common/compile/source_outline.h"
#include "common/compile/tokens.h"

namespace warpgrade::compile {
namespace {

constexpr std::string_view kMark = "(\"constexpr of the host\")";
constexpr std::string_view kHostMark = "(\"function of the host\")";  // prelude.cpp

// The functions of a source that are compiled for the device: only for it, or for the host as well.
class DeviceFunctions {
 public:
  explicit DeviceFunctions(std::string_view source) : text_(source), tokens_(tokens_of(source)) {
    Macros macros;
    add_macros(text_, tokens_, macros);
    items_ = outline(text_, tokens_, macros);
    add_host_macros();
    for (std::size_t i = 0; i < items_.size(); ++i) {
      if (!is_device_function(items_[i])) continue;
      (is_for_host(items_[i]) ? of_both_ : functions_).push_back(i);
    }
  }

  const std::vector<Item>& items() const { return items_; }
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
  // The function for the device only with `offset` in its body, or nullptr.
  const Item* at(std::size_t offset) const { return at(offset, functions_); }
  // The same for functions of both host and device.
  const Item* of_both_at(std::size_t offset) const { return at(offset, of_both_); }

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
  bool is_for_host(const Item& item) const {
    const auto head = within(item.begin, item.head_end);
    return std::ranges::any_of(
        head, [&](const Token& token) { return host_words_.contains(word(token)); });
  }
  const Item* at(std::size_t offset, const std::vector<std::size_t>& functions) const {
    for (const auto i : functions) {
      if (items_[i].head_end <= offset && offset < items_[i].end) return &items_[i];
    }
    return nullptr;
  }

  std::string_view text_;
  std::vector<Token> tokens_;
  std::vector<Item> items_;
  std::vector<std::size_t> functions_;  // for the device only
  std::vector<std::size_t> of_both_;
  std::set<std::string_view> host_words_ = {"__host__"};
};

// Whether the braces that open at `at` of `body` are those of a class inside the function.
bool opens_class(const DeviceFunctions& source, std::span<const Token> body, std::size_t at) {
  static constexpr std::array<std::string_view, 3> kKeys = {"struct", "class", "union"};
  for (auto i = at; i-- > 0;) {
    const auto word = source.word(body[i]);
    if (std::ranges::count(kKeys, word) != 0) return true;
    if (word == ";" || word == "{" || word == "}" || word == "=" || word == ")") return false;
  }
  return false;
}

// Whether the word at `at` of `body` calls nothing: it is inside sizeof(), decltype() and so on, or
// between the members of a class.
bool is_unevaluated(const DeviceFunctions& source, std::span<const Token> body, std::size_t at) {
  static constexpr std::array<std::string_view, 4> kOperators = {"sizeof", "decltype", "noexcept",
                                                                 "alignof"};
  int depth = 0;
  int braces = 0;
  bool is_innermost = true;
  for (auto i = at; i-- > 0;) {
    const auto word = source.word(body[i]);
    if (word == ")") ++depth;
    if (word == "}") ++braces;
    if (word == "(" && --depth < 0) {
      if (i > 0 && std::ranges::count(kOperators, source.word(body[i - 1])) != 0) return true;
      depth = 0;
    }
    if (word == "{" && --braces < 0) {
      if (is_innermost && opens_class(source, body, i)) return true;
      is_innermost = false;
      braces = 0;
    }
  }
  return false;
}

// The message of a call, with advice.
std::string call_message(std::string_view function, std::string_view mark) {
  static constexpr std::array<std::string_view, 8> kMixed = {
      "fmax", "fmin", "fmod", "atan2", "hypot", "fdim", "remainder", "nextafter"};
  const auto base_name = function.substr(0, function.find('('));
  const bool is_constexpr = mark == kMark;
  const auto* advice = !is_constexpr && base_name.ends_with("rand")
                           ? "pass random numbers to the kernel, or use cuRAND's device functions"
                       : !is_constexpr ? "return from the kernel, or stop it by __trap()"
                       : std::ranges::count(kMixed, base_name) != 0
                           ? "give both arguments the same type, as in fmax(x, 0.0f)"
                       : base_name == "fma"
                           ? "give all arguments the same type, as in fma(x, 2.0f, y)"
                           : "declare a function of your own as __host__ __device__, and use "
                             "CUDA's functions or cuda::std:: instead of std::";
  return std::string("error: calling a ") + (is_constexpr ? "constexpr " : "") +
         "__host__ function (\"" + std::string(function) + "\") from device code is not allowed; " +
         advice;
}

// Errors and warnings by place.
struct Calls {
  std::map<std::size_t, std::string> errors;
  std::map<std::size_t, std::string> warnings;
};

void add_call(Calls& calls, const DeviceFunctions& source, const std::string& name,
              std::size_t offset, std::string_view function, std::string_view mark = kMark) {
  const auto* item = source.at(offset);
  const bool is_error = item != nullptr;
  if (!is_error) item = source.of_both_at(offset);
  if (item == nullptr) return;
  const auto body = source.within(item->head_end, item->end);
  const auto at = std::ranges::lower_bound(body, offset, {}, &Token::begin) - body.begin();
  if (is_unevaluated(source, body, static_cast<std::size_t>(at))) return;
  const auto message = is_error ? call_message(function, mark) : call_of_both(function);
  (is_error ? calls.errors : calls.warnings)
      .try_emplace(offset, entry_at(name, source.text(), offset, message));
}

// Index after the template arguments that begin at `at`; the size of `part` if they do not end.
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

// Types of the host's library that have only constexpr functions.
constexpr std::array kValueTypes = std::to_array<std::string_view>(
    {"pair",        "tuple",   "complex",       "optional",   "plus",        "minus",
     "multiplies",  "divides", "modulus",       "negate",     "equal_to",    "not_equal_to",
     "greater",     "less",    "greater_equal", "less_equal", "logical_and", "logical_or",
     "logical_not", "bit_and", "bit_or",        "bit_xor",    "bit_not"});
// Functions of the host's library that CCCL has for the device, so that they compile here.
constexpr std::array kFunctions = std::to_array<std::string_view>(
    {"addressof", "apply", "as_const", "begin", "data", "empty", "end", "get", "invoke",
     "make_tuple", "size", "tie", "to_integer"});

// Variables of type std::array in the words `part`, also by the name of an alias.
void add_arrays(const DeviceFunctions& source, std::span<const Token> part,
                std::set<std::string_view>& aliases, std::set<std::string_view>& arrays) {
  for (std::size_t i = 0; i + 1 < part.size(); ++i) {
    auto after = i + 1;
    const bool is_of_cuda = i > 0 && source.word(part[i - 1]) == "::";  // cuda::std::array
    if (!is_of_cuda && has_words(source, part, i, {"std", "::", "array", "<"})) {
      after = behind_arguments(source, part, i + 3);
      const bool is_alias =
          i >= 3 && source.word(part[i - 1]) == "=" && source.word(part[i - 3]) == "using";
      if (is_alias) aliases.insert(source.word(part[i - 2]));
    } else if (!aliases.contains(source.word(part[i]))) {
      continue;
    }
    if (after < part.size() && source.word(part[after]) == "&") ++after;
    if (after < part.size() && part[after].kind == TokenKind::kWord) {
      arrays.insert(source.word(part[after]));
    }
  }
}

// Whether `part` declares the word at `at`, or has it as a member's name.
bool is_declared_at(const DeviceFunctions& source, std::span<const Token> part, std::size_t at) {
  static constexpr std::array<std::string_view, 3> kStatements = {"return", "else", "case"};
  const auto before = source.word(part[at - 1]);
  if (before == "." || before == "->" || before == "::") return true;
  if (before == ">" || before == "*" || before == "&") {
    const auto next = at + 1 < part.size() ? source.word(part[at + 1]) : std::string_view();
    return next == "=" || next == ";" || next == "," || next == ")" || next == ":";
  }
  return part[at - 1].kind == TokenKind::kWord && std::ranges::count(kStatements, before) == 0;
}

// Removes the names that `item` declares for something else.
void remove_declared(const DeviceFunctions& source, const Item& item,
                     std::set<std::string_view>& names) {
  const auto part = source.within(item.begin, item.end);
  for (std::size_t i = 1; i < part.size(); ++i) {
    if (is_declared_at(source, part, i)) names.erase(source.word(part[i]));
  }
}

// A value of one of kValueTypes at `at`, after `std::`: `std::plus<int>()`, `std::pair<T, U> p;`.
bool makes_value(const DeviceFunctions& source, std::span<const Token> part, std::size_t at) {
  if (std::ranges::count(kValueTypes, source.word(part[at])) == 0) return false;
  if (source.word(part[at + 1]) != "<") return false;
  const auto after = behind_arguments(source, part, at + 1);
  const auto word = [&](std::size_t i) {
    return i < part.size() ? source.word(part[i]) : std::string_view();
  };
  if (word(after) == "(" || word(after) == "{") return true;
  if (after >= part.size() || part[after].kind != TokenKind::kWord) return false;
  const auto next = word(after + 1);
  return next == ";" || next == "{" || (next == "(" && word(after + 2) != ")");
}

// std::numeric_limits<T>::max(), uses of variables of type std::array, and values and functions of
// the host's library that CCCL has for the device.
void add_members_of_types(Calls& calls, const DeviceFunctions& source, const std::string& name,
                          const Item& item, const std::set<std::string_view>& arrays) {
  const auto part = source.within(item.begin, item.end);
  for (std::size_t i = 1; i + 3 < part.size(); ++i) {
    if (part[i].begin <= item.head_end) continue;
    const bool is_std = source.word(part[i - 1]) != "::";
    const auto word = source.word(part[i]);
    if (is_std && has_words(source, part, i, {"std", "::", "numeric_limits", "<"})) {
      const auto after = behind_arguments(source, part, i + 3);
      if (after + 2 < part.size() && source.word(part[after]) == "::" &&
          source.word(part[after + 2]) == "(") {
        add_call(calls, source, name, part[i].begin, source.word(part[after + 1]));
      }
    } else if (is_std && has_words(source, part, i, {"std", "::"})) {
      const auto member = source.word(part[i + 2]);
      auto after = i + 3;
      if (source.word(part[after]) == "<") after = behind_arguments(source, part, after);
      const bool is_call = after < part.size() && source.word(part[after]) == "(" &&
                           std::ranges::count(kFunctions, member) != 0;
      if (is_call || makes_value(source, part, i + 2)) {
        add_call(calls, source, name, part[i].begin, member);
      }
    } else if (arrays.contains(word)) {
      const bool is_member = source.word(part[i - 1]) == "." || source.word(part[i - 1]) == "->";
      if (!is_member && source.word(part[i + 1]) == "[") {
        add_call(calls, source, name, part[i].begin, "operator[]");
      } else if (!is_member && source.word(part[i + 1]) == "." && source.word(part[i + 3]) == "(") {
        add_call(calls, source, name, part[i].begin, source.word(part[i + 2]));
      }
    }
  }
}

// The same for all functions of `source`. Arrays of a function hide those of the file. Arrays are
// recognised by name only if the compiler reported none: after some headers it does not warn.
void add_members_of_types(Calls& calls, const DeviceFunctions& source, const std::string& name,
                          bool finds_arrays) {
  std::set<std::string_view> aliases;
  std::set<std::string_view> of_file;
  for (const auto& item : source.items()) {
    if (item.kind != ItemKind::kOther || item.is_member) continue;
    add_arrays(source, source.within(item.begin, item.end), aliases, of_file);
  }
  for (std::size_t i = 0; i < source.count(); ++i) {
    const auto& item = source.function(i);
    auto arrays = of_file;
    remove_declared(source, item, arrays);
    add_arrays(source, source.within(item.begin, item.end), aliases, arrays);
    if (!finds_arrays) arrays.clear();
    add_members_of_types(calls, source, name, item, arrays);
  }
}

// Puts `constexpr` back for its mark, so that the text has the submission's outline.
std::string without_marks(std::string_view text) {
  std::string out(text);
  for (auto at = out.find(kRelaxedConstexpr); at != std::string::npos;
       at = out.find(kRelaxedConstexpr, at)) {
    out.replace(at, kRelaxedConstexpr.size(), "constexpr");
  }
  return out;
}

// The first text in quotes: "power" in `function "power" was declared deprecated ("...")`.
std::string_view first_quoted(std::string_view message) {
  const auto begin = message.find('"');
  if (begin == std::string_view::npos) return {};
  return message.substr(begin + 1, message.find('"', begin + 1) - begin - 1);
}

}  // namespace

HostConstexprCalls calls_of_host_constexpr(std::string_view log, const std::string& name,
                                           std::string_view marked) {
  HostConstexprCalls out;
  const auto text = without_marks(marked);
  const auto entries = log_entries(log, name);
  const DeviceFunctions source(text);
  Calls calls;
  bool has_arrays = false;  // among the compiler's warnings
  std::size_t kept = 0;     // the log up to here is in rest_of_log or removed
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const auto& entry = entries[i];
    const bool is_of_host = entry.message.find(kHostMark) != std::string_view::npos;
    if (entry.is_error || (!is_of_host && entry.message.find(kMark) == std::string_view::npos)) {
      continue;
    }
    const auto begin = static_cast<std::size_t>(entry.file.data() - log.data());
    const auto end =
        i + 1 < entries.size()
            ? static_cast<std::size_t>(entries[i + 1].file.data() - log.data())
            : static_cast<std::size_t>(entry.excerpt.data() - log.data()) + entry.excerpt.size();
    out.rest_of_log.append(log.substr(kept, begin - kept));
    kept = end;
    if (entry.file != name || entry.column == 0) continue;
    const auto offset = offset_of(text, entry.line, entry.column);
    has_arrays |= entry.message.find("std::array<") != std::string_view::npos;
    add_call(calls, source, name, offset, first_quoted(entry.message),
             is_of_host ? kHostMark : kMark);
  }
  out.rest_of_log.append(log.substr(kept));
  add_members_of_types(calls, source, name, !has_arrays);
  for (const auto& [place, error] : calls.errors) out.errors += error;
  for (const auto& [place, warning] : calls.warnings) out.warnings += warning;
  return out;
}

}  // namespace warpgrade::compile
