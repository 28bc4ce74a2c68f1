// SPDX-License-Identifier: Apache-2.0
// Finds code that nvcc refuses and NVRTC compiles, except for uses of constants
// (host_constants.h).
//
// Tokens alone decide the rules of the first part, such as calls of kernels without `<<<...>>>`.
// The second part finds calls of the host's constexpr functions. The compiler's warnings about
// deprecated functions show their places. Findings have the format of the compiler's log.
#include "common/compile/nvcc_rules.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/compile/host_code.h"
#include "common/compile/log_entries.h"
#include "common/compile/source_outline.h"

namespace warpgrade::compile {
namespace {

// Index after the template arguments at `at`, or `at` itself; nothing if they are not closed.
std::optional<std::size_t> skip_template_arguments(const SourceOutline& source,
                                                   std::span<const Token> part, std::size_t at) {
  if (at >= part.size() || source.word(part[at]) != "<") return at;
  int depth = 0;
  for (; at < part.size(); ++at) {
    const auto word = source.word(part[at]);
    if (word == "<") ++depth;
    if (word == ">" && --depth == 0) return at + 1;
    if (word == ";" || word == "{") return std::nullopt;
  }
  return std::nullopt;
}

// Kernels whose name means nothing else in the file.
std::set<std::string_view> names_of_kernels(const SourceOutline& source) {
  std::set<std::string_view> kernels;
  std::set<std::string_view> others;
  for (const auto& item : source.items) {
    const auto head = source.within(item.begin, item.head_end);
    const bool is_kernel = item.kind == ItemKind::kFunction && source.has_word(head, "__global__");
    (is_kernel ? kernels : others).insert(item.name);
  }
  for (const auto& token : source.tokens) {  // a macro may have a kernel's name
    if (token.kind != TokenKind::kDirective) continue;
    const auto inside = source.text.substr(token.begin + 1, token.end - token.begin - 1);
    for (const auto& part : tokens_of(inside)) {
      others.insert(inside.substr(part.begin, part.end - part.begin));
    }
  }
  for (const auto name : others) kernels.erase(name);
  kernels.erase("");
  return kernels;
}

// Whether the word before a name permits a call: `return f(x)`, but not `float f(x)`.
bool can_be_before_call(const Token& token, std::string_view word) {
  static constexpr std::array<std::string_view, 3> kStatements = {"return", "else", "do"};
  static constexpr std::array<std::string_view, 5> kOther = {".", "->", "::", "&", "*"};
  if (token.kind == TokenKind::kWord) return std::ranges::count(kStatements, word) != 0;
  return std::ranges::count(kOther, word) == 0;
}

// Number of the arguments or parameters in the parentheses at `open`; nothing if they do not end.
std::optional<std::size_t> number_of_arguments(const SourceOutline& source,
                                               std::span<const Token> part, std::size_t open) {
  int depth = 0;
  std::size_t commas = 0;
  for (auto i = open; i < part.size(); ++i) {
    const auto word = source.word(part[i]);
    if (word == "<" || word == ">") return std::nullopt;  // a template, or a comparison
    if (word == "(" || word == "[" || word == "{") ++depth;
    if (word == ")" || word == "]" || word == "}") --depth;
    if (depth == 1 && word == ",") ++commas;
    if (depth == 0) return i == open + 1 ? 0 : commas + 1;
  }
  return std::nullopt;
}

// Number of the parameters of the kernel `name`; nothing if that is not clear.
std::optional<std::size_t> number_of_parameters(const SourceOutline& source,
                                                std::string_view name) {
  std::optional<std::size_t> found;
  for (const auto& item : source.items) {
    if (item.kind != ItemKind::kFunction || item.name != name) continue;
    const auto head = source.within(item.begin, item.head_end);
    if (source.has_word(head, "template") || source.has_word(head, "=")) return std::nullopt;
    const auto at =
        std::ranges::find_if(head, [&](const Token& token) { return source.word(token) == name; });
    const auto count = number_of_arguments(source, head, (at - head.begin()) + std::size_t{1});
    if (!count || (found && *found != *count)) return std::nullopt;
    found = count;
  }
  return found;
}

// Functions of CUDA that exist only on the device, according to nvcc 13.0's headers.
bool is_function_of_device(std::string_view word) {
  static constexpr std::array<std::string_view, 16> kDeviceNames = {
      "__syncthreads", "__syncwarp", "__ballot_sync", "__any_sync",   "__all_sync", "__clz",
      "__popc",        "__ffs",      "__brev",        "__expf",       "__fdividef", "__sinf",
      "__cosf",        "__logf",     "__powf",        "__threadfence"};
  return word.starts_with("__shfl_") || std::ranges::count(kDeviceNames, word) != 0;
}

bool is_for_both(const SourceOutline& source, const Item& item) {
  const auto head = source.within(item.begin, item.head_end);
  const auto whole = source.within(item.begin, item.end);
  return is_device_function(item) && !item.is_member && source.has_word(head, "__host__") &&
         source.has_word(head, "__device__") && !source.has_word(head, "template") &&
         !source.has_word(head, "auto") && std::ranges::none_of(whole, [](const Token& token) {
           return token.kind == TokenKind::kDirective;
         });
}

// Device-only functions whose names mean nothing else in the file.
std::set<std::string_view> names_for_device_alone(const SourceOutline& source) {
  std::set<std::string_view> names;
  std::set<std::string_view> others;
  for (const auto& item : source.items) {
    const auto head = source.within(item.begin, item.head_end);
    const bool is_alone = item.kind == ItemKind::kFunction && !item.is_member &&
                          source.has_word(head, "__device__") &&
                          !source.has_word(head, "__host__") && !source.has_word(head, "template");
    (is_alone ? names : others).insert(item.name);
  }
  for (const auto name : others) names.erase(name);
  return names;
}

}  // namespace

std::string kernel_called_as_function(std::string_view text, const std::string& name) {
  const SourceOutline source(text);
  const auto kernels = names_of_kernels(source);
  for (const auto& item : source.items) {
    if (!is_device_function(item)) continue;
    const auto head = source.within(item.begin, item.head_end);
    const auto body = source.within(item.head_end, item.end);
    std::set<std::string_view> shadowed;
    for (std::size_t i = 1; i + 1 < body.size(); ++i) {
      const auto word = source.word(body[i]);
      if (!kernels.contains(word) || shadowed.contains(word)) continue;
      const bool is_parameter = std::ranges::count(head, word, [&](const Token& token) {
                                  return source.word(token);
                                }) > (item.name == word ? 1 : 0);
      const auto after = skip_template_arguments(source, body, i + 1);
      const bool is_called = after && *after < body.size() && source.word(body[*after]) == "(";
      const bool follows = can_be_before_call(body[i - 1], source.word(body[i - 1]));
      if (is_called && follows && !is_parameter) {
        return entry_at(name, text, body[i].begin,
                        "error: a __global__ function call must be configured");
      }
      if (!follows || is_parameter) shadowed.insert(word);  // a variable or member of that name
    }
  }
  return {};
}

std::string kernel_called_by_host(std::string_view text, const std::string& name) {
  const SourceOutline source(text);
  if (source.has_word(source.tokens, "using")) return {};  // It may add a function of that name.
  const auto kernels = names_of_kernels(source);
  for (const auto& item : source.items) {
    const bool is_of_host = item.kind == ItemKind::kFunction && !item.is_device &&
                            !item.looks_device && !item.is_member && item.head_end < item.end;
    if (!is_of_host) continue;
    const auto head = source.within(item.begin, item.head_end);
    const auto body = source.within(item.head_end, item.end);
    for (std::size_t i = 1; i + 1 < body.size(); ++i) {
      const auto word = source.word(body[i]);
      if (!kernels.contains(word) || source.has_word(head, word)) continue;
      if (!can_be_before_call(body[i - 1], source.word(body[i - 1]))) break;
      const bool is_statement = source.word(body[i - 1]) == ";" ||
                                source.word(body[i - 1]) == "{" || source.word(body[i - 1]) == "}";
      if (!is_statement || source.word(body[i + 1]) != "(") continue;
      const auto count = number_of_arguments(source, body, i + 1);
      if (count && count == number_of_parameters(source, word)) {
        return entry_at(name, text, body[i].begin,
                        "error: a __global__ function call must be configured");
      }
    }
  }
  return {};
}

std::string inline_device_variable(std::string_view text, const std::string& name) {
  const SourceOutline source(text);
  for (const auto& item : source.items) {
    const auto part = source.within(item.begin, item.end);
    const bool is_inline = item.kind == ItemKind::kOther && item.is_device && !item.is_member &&
                           source.has_word(part, "inline") && !source.has_word(part, "static");
    const bool has_space = source.has_word(part, "__device__") ||
                           source.has_word(part, "__constant__") ||
                           source.has_word(part, "__managed__");
    if (!is_inline || !has_space) continue;
    const auto before = source.within(0, item.begin);
    for (std::size_t i = 0; i + 1 < before.size(); ++i) {  // `namespace {`
      const bool is_unnamed =
          source.word(before[i]) == "namespace" && source.word(before[i + 1]) == "{";
      if (is_unnamed) return {};
    }
    return entry_at(
        name, text, item.begin,
        "error: An inline __device__/__constant__/__managed__ variable must have internal "
        "linkage when the program is compiled in whole program mode (-rdc=false); put "
        "static in the place of inline");
  }
  return {};
}

std::string device_function_called_by_both(std::string_view text, const std::string& name) {
  const SourceOutline source(text);
  const auto own = names_for_device_alone(source);
  for (const auto& item : source.items) {
    if (!is_for_both(source, item)) continue;
    const auto head = source.within(item.begin, item.head_end);
    const auto body = source.within(item.head_end, item.end);
    for (std::size_t i = 1; i + 1 < body.size(); ++i) {
      const auto word = source.word(body[i]);
      const bool is_meant = own.contains(word) || is_function_of_device(word);
      if (!is_meant || source.word(body[i + 1]) != "(" || source.has_word(head, word)) continue;
      if (!can_be_before_call(body[i - 1], source.word(body[i - 1]))) break;
      return entry_at(name, text, body[i].begin,
                      "error: calling a __device__ function(\"" + std::string(word) +
                          "\") from a __host__ __device__ function(\"" + item.name +
                          "\") is not allowed; take __host__ away, or call it inside #ifdef "
                          "__CUDA_ARCH__");
    }
  }
  return {};
}

std::string extended_lambda(std::string_view text, const std::string& name) {
  const SourceOutline source(text);
  int conditions = 0;
  for (std::size_t i = 0; i + 1 < source.tokens.size(); ++i) {
    const auto& token = source.tokens[i];
    if (token.kind == TokenKind::kDirective) {
      const auto inside = text.substr(token.begin + 1, token.end - token.begin - 1);
      const auto words = tokens_of(inside);
      if (words.empty()) continue;
      const auto word = inside.substr(words[0].begin, words[0].end - words[0].begin);
      if (word.starts_with("if")) ++conditions;
      if (word == "endif") --conditions;
      continue;
    }
    const auto next = source.word(source.tokens[i + 1]);
    const bool is_space = next == "__device__" || next == "__host__";
    const bool is_attribute = i > 0 && source.word(source.tokens[i - 1]) == "]";  // [[nodiscard]]
    if (conditions > 0 || !is_space || is_attribute || source.word(token) != "]") continue;
    return entry_at(
        name, text, source.tokens[i + 1].begin,
        "error: __host__ or __device__ annotation on lambda requires --extended-lambda nvcc "
        "flag; a lambda inside device code needs no annotation, and a functor with "
        "__device__ operator() can be passed from the host");
  }
  return {};
}

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
  std::string_view word(const Token& token) const { return word_of(token, text_); }
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
    const auto end =
        i + 1 < entries.size()
            ? entries[i + 1].begin
            : static_cast<std::size_t>(entry.excerpt.data() - log.data()) + entry.excerpt.size();
    out.rest_of_log.append(log.substr(kept, entry.begin - kept));
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
