// SPDX-License-Identifier: Apache-2.0
// Reads signatures, finds a kernel by the name that an author uses, and explains why it is missing.
#include "common/compile/signature.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/base/text.h"
#include "common/compile/compiler_log.h"
#include "common/compile/directives.h"
#include "common/compile/source_outline.h"

namespace warpgrade::compile {
namespace {

using Tokens = std::vector<std::string>;

bool is_word_or_scope(char c) { return is_word(c) || c == ':'; }

// Splits into words (with ::), template arguments as part of their word, and single marks.
Tokens tokenize(std::string_view text) {
  Tokens tokens;
  for (std::size_t i = 0; i < text.size();) {
    if (std::isspace(static_cast<unsigned char>(text[i])) != 0) {
      ++i;
      continue;
    }
    auto end = i;
    while (end < text.size() && is_word_or_scope(text[end])) ++end;
    if (end == i) ++end;
    if (end < text.size() && text[end] == '<' && is_word_or_scope(text[i])) {
      int depth = 0;
      do {
        depth += text[end] == '<' ? 1 : text[end] == '>' ? -1 : 0;
        ++end;
      } while (end < text.size() && depth > 0);
    }
    auto& token = tokens.emplace_back(text.substr(i, end - i));
    std::erase(token, ' ');
    i = end;
  }
  return tokens;
}

bool is_arithmetic_word(std::string_view word) {
  static constexpr std::array<std::string_view, 9> kWords = {
      "char", "short", "int", "long", "signed", "unsigned", "float", "double", "bool"};
  return std::ranges::find(kWords, word) != kWords.end();
}

// "unsigned int" for {unsigned}, "long" for {int, long}, "unsigned long long" in any order.
std::string arithmetic_name(const Tokens& words) {
  const auto count = [&](std::string_view word) { return std::ranges::count(words, word); };
  std::string base;
  if (count("char") != 0) {
    return count("unsigned") != 0 ? "unsigned char" : count("signed") != 0 ? "signed char" : "char";
  }
  if (count("bool") != 0) return "bool";
  if (count("float") != 0) return "float";
  if (count("double") != 0) return count("long") != 0 ? "long double" : "double";
  if (count("short") != 0) {
    base = "short";
  } else if (count("long") != 0) {
    base = count("long") > 1 ? "long long" : "long";
  } else {
    base = "int";
  }
  return count("unsigned") != 0 ? "unsigned " + base : base;
}

// Header names of arithmetic types on 64-bit Linux.
std::string resolve_alias(std::string word) {
  static const std::map<std::string, std::string> kAliases = {
      {"int8_t", "signed char"},    {"int16_t", "short"},
      {"int32_t", "int"},           {"int64_t", "long"},
      {"uint8_t", "unsigned char"}, {"uint16_t", "unsigned short"},
      {"uint32_t", "unsigned int"}, {"uint64_t", "unsigned long"},
      {"size_t", "unsigned long"},  {"uint", "unsigned int"},
      {"__half", "half"},
  };
  if (word.starts_with("std::")) word = word.substr(5);
  const auto found = kAliases.find(word);
  return found == kAliases.end() ? word : found->second;
}

bool is_restrict(std::string_view token) {
  return token == "__restrict__" || token == "__restrict" || token == "restrict";
}

// One parameter: words of the base type with const and volatile, then * and & with theirs, then an
// optional name.
std::string canonical_type(const Tokens& tokens) {
  Tokens arithmetic;
  std::string named;
  std::string qualifiers;
  std::string declarator;
  std::string level;  // qualifiers since the last * or &
  for (const auto& token : tokens) {
    const bool in_base = declarator.empty();
    if (is_restrict(token) || token == "struct" || token == "class") continue;
    if (token == "const" || token == "volatile") {
      auto& where = in_base ? qualifiers : level;
      if (where.find(token) == std::string::npos) where += " " + token;
    } else if (token == "*" || token == "&") {
      declarator += level + token;
      level.clear();
    } else if (in_base && is_arithmetic_word(token)) {
      arithmetic.push_back(token);
    } else if (in_base && named.empty() && arithmetic.empty()) {
      named = resolve_alias(token);
    } else if (!is_word_or_scope(token.front())) {
      declarator += token;  // an array or a function: kept unchanged
    }
  }
  if (qualifiers == " volatile const") qualifiers = " const volatile";
  const auto base = arithmetic.empty() ? named : arithmetic_name(arithmetic);
  // const and volatile of the parameter itself do not matter to its caller.
  return declarator.empty() ? base : base + qualifiers + declarator;
}

// Finds the start of the parameter list: the '(' that the last ')' closes; npos if there is no
// list.
std::size_t list_begin(std::string_view text) {
  const auto last = text.rfind(')');
  if (last == std::string_view::npos) return last;
  int depth = 0;
  for (auto i = last + 1; i-- > 0;) {
    depth += text[i] == ')' ? 1 : text[i] == '(' ? -1 : 0;
    if (depth == 0) return i;
  }
  return std::string_view::npos;
}

// The last word of a head such as "void w::red<(int)4>" at depth 0.
std::string last_word(std::string_view head) {
  while (!head.empty() && head.back() == ' ') head.remove_suffix(1);
  int depth = 0;
  auto begin = head.size();
  while (begin > 0) {
    const char c = head[begin - 1];
    depth += c == '>' || c == ')' ? 1 : c == '<' || c == '(' ? -1 : 0;
    if (c == ' ' && depth == 0) break;
    --begin;
  }
  std::string word(head.substr(begin));
  std::erase(word, ' ');
  return word;
}

}  // namespace

Signature parse_signature(std::string_view text) {
  const auto open = list_begin(text);
  Signature signature{last_word(text.substr(0, open)), {}};
  if (open == std::string_view::npos) return signature;
  const auto list = text.substr(open + 1, text.rfind(')') - open - 1);
  Tokens parameter;
  auto tokens = tokenize(list);
  int depth = 0;
  tokens.emplace_back(",");
  for (const auto& token : tokens) {
    depth += token == "(" ? 1 : token == ")" ? -1 : 0;
    if (token != "," || depth != 0) {
      parameter.push_back(token);
      continue;
    }
    const bool is_empty = parameter.empty() || (parameter.size() == 1 && parameter[0] == "void");
    if (!is_empty) signature.parameters.push_back(canonical_type(parameter));
    parameter.clear();
  }
  return signature;
}

std::string to_string(const Signature& signature) {
  std::string out = signature.name + "(";
  for (const auto& parameter : signature.parameters) {
    if (out.back() != '(') out += ", ";
    out += parameter;
  }
  return out + ")";
}

std::string_view base_name(std::string_view name) { return name.substr(0, name.find('<')); }

bool is_same_type(std::string_view a, std::string_view b) {
  const auto merged = [](std::string_view type) {
    std::string out(type);
    if (const auto at = out.find("long long"); at != std::string::npos) out.erase(at, 5);
    return out;
  };
  return merged(a) == merged(b);
}

std::uint32_t size_of(std::string_view type) {
  if (type.ends_with('*') || type.ends_with('&')) return 8;
  static const std::map<std::string_view, std::uint32_t> kSizes = {
      {"bool", 1},          {"char", 1},         {"signed char", 1},
      {"unsigned char", 1}, {"short", 2},        {"unsigned short", 2},
      {"int", 4},           {"unsigned int", 4}, {"float", 4},
      {"double", 8},        {"long", 8},         {"unsigned long", 8},
      {"half", 2},          {"long long", 8},    {"unsigned long long", 8},
  };
  const auto found = kSizes.find(type);
  return found == kSizes.end() ? 0 : found->second;
}

namespace {

using Found = std::variant<const Kernel*, base::Diagnostic>;

// A program and the kernel to find in it.
struct Search {
  const Program& program;
  std::string asked;      // the name as given
  std::string name;       // without blanks
  std::string signature;  // as given
  std::vector<Declaration> declarations;
};

const Declaration* declared(const Search& search, std::string_view name) {
  const auto plain = base_name(name);
  const auto at = plain.rfind(':');
  const auto last = at == std::string_view::npos ? plain : plain.substr(at + 1);
  const auto found = std::ranges::find(search.declarations, last, &Declaration::name);
  return found == search.declarations.end() ? nullptr : &*found;
}

// "; expected: template <int Factor> __global__ void red(float* partial)", or empty.
std::string expectation(const Search& search) {
  if (search.signature.empty()) return {};
  std::string_view rest = search.signature;
  std::string head;
  if (rest.starts_with("template")) {
    const auto end = rest.find('>');
    head = std::string(rest.substr(0, end + 1)) + " ";
    rest.remove_prefix(std::min(rest.find_first_not_of(' ', end + 1), rest.size()));
  }
  if (!rest.starts_with("__global__")) head += "__global__ void ";
  return fmt::format("; expected: {}{}", head, rest);
}

base::Diagnostic complain(const Search& search, const Declaration* where,
                          const std::string& message) {
  return compile_error(search.program.file, where == nullptr ? 0 : where->line,
                       where == nullptr ? 0 : where->column, message + expectation(search));
}

std::string join(const std::vector<std::string>& parts, std::string_view between) {
  std::string out;
  for (const auto& part : parts) {
    if (&part != &parts.front()) out += between;
    out += part;
  }
  return out;
}

std::string kernel_list(const Program& program) {
  if (program.kernels.empty()) return "the file has no kernel";
  std::vector<std::string> names;
  for (const auto& kernel : program.kernels) names.push_back("'" + kernel.signature + "'");
  return fmt::format("the file has {}", join(names, ", "));
}

// The function templates that the file defines with this name.
std::vector<const Declaration*> templates_named(const Search& search, std::string_view name) {
  std::vector<const Declaration*> out;
  for (const auto& item : search.declarations) {
    if (item.name == name && item.is_template && item.is_definition) out.push_back(&item);
  }
  return out;
}

// Explains why `found`, which has the right name, is not the kernel.
std::string explain_declaration(const Search& search, const Declaration& found) {
  const auto plain = base_name(search.name);
  const bool wants_template = plain != search.name;
  const auto templates = templates_named(search, found.name);
  const auto is_global = [](const Declaration* item) { return item->is_global; };
  if (wants_template && templates.size() > 1 && std::ranges::any_of(templates, is_global)) {
    return fmt::format("{} templates are named '{}', but exactly one must fit {}", templates.size(),
                       plain, search.name);
  }
  if (!found.is_global) {
    return fmt::format("'{}' is a __device__ function; a kernel is a __global__ one", plain);
  }
  if (found.is_template && !wants_template) {
    return fmt::format("'{}' is a template here, but must be a plain kernel", plain);
  }
  if (!found.is_template && wants_template) {
    return fmt::format("'{}' is a plain kernel here, but must be a template", plain);
  }
  if (wants_template) {
    return fmt::format("the kernel template '{}' cannot be instantiated as {}", plain, search.name);
  }
  return fmt::format("the compiler made no kernel of '{}'", plain);
}

// A host function that was left out and may be the kernel; nullptr if not found.
const LeftOut* left_out_as_host_code(const Search& search) {
  const auto& items = search.program.left_out;
  const auto found = std::ranges::find(items, base_name(search.name), &LeftOut::name);
  return found == items.end() ? nullptr : &*found;
}

// "; not included: "kernels.h" (line 3)": files that may contain the kernel; or empty.
std::string not_included(const Search& search) {
  std::vector<std::string> names;
  for (const auto& item : search.program.left_out) {
    if (!is_include(item)) continue;
    names.push_back(fmt::format("{} (line {})", base::escape_controls(item.name), item.line));
  }
  return names.empty() ? "" : "; not included: " + join(names, ", ");
}

base::Diagnostic explain_missing(const Search& search) {
  const auto& name = search.name;
  const auto& kernels = search.program.kernels;
  for (const auto& kernel : kernels) {
    const auto found = parse_signature(kernel.signature).name;
    if (found != name && base_name(found) == name) {
      return complain(search, declared(search, name),
                      fmt::format("'{}' is a template here, but must be a plain kernel", name));
    }
    if (found.ends_with("::" + name)) {
      return complain(search, declared(search, name),
                      fmt::format("the kernel '{}' must not be in a namespace", found));
    }
  }
  if (const auto* found = declared(search, name)) {
    return complain(search, found, explain_declaration(search, *found));
  }
  if (const auto* found = left_out_as_host_code(search)) {
    const Declaration where{found->name, found->line, found->column};
    return complain(search, &where,
                    fmt::format("'{}' is a host function here; put __global__ before it", name));
  }
  std::vector<std::string> names;
  for (const auto& kernel : kernels) {
    names.emplace_back(base_name(parse_signature(kernel.signature).name));
  }
  for (const auto& declaration : search.declarations) {
    if (declaration.is_global) names.push_back(declaration.name);
  }
  const std::vector<std::string_view> views(names.begin(), names.end());
  if (const auto near = base::nearest(base_name(name), views); !near.empty()) {
    return complain(search, declared(search, near),
                    fmt::format("no kernel is named '{}'; did you mean '{}'?", name, near));
  }
  return complain(search, nullptr,
                  fmt::format("no kernel is named '{}'; {}{}", name, kernel_list(search.program),
                              not_included(search)));
}

// The kernels that the name can mean: `fill(float*)` selects an overload. `f` means `A::f` if no
// signature is expected and no kernel has the name f.
std::vector<const Kernel*> candidates_for(const Search& search) {
  const auto wanted = parse_signature(search.asked);
  const bool has_list = search.asked.ends_with(')');
  const auto select = [&](auto&& has_name) {
    std::vector<const Kernel*> out;
    for (const auto& kernel : search.program.kernels) {
      const auto found = parse_signature(kernel.signature);
      if (!has_name(found.name)) continue;
      if (has_list && !std::ranges::equal(found.parameters, wanted.parameters, is_same_type)) {
        continue;
      }
      out.push_back(&kernel);
    }
    return out;
  };
  const auto name = has_list ? wanted.name : search.name;
  auto out = select([&](const std::string& found) { return found == name; });
  if (out.empty() && search.signature.empty()) {
    out = select([&](const std::string& found) { return found.ends_with("::" + name); });
  }
  return out;
}

// The parameter list of an extern "C" kernel is known only by its layout in the PTX.
bool layout_matches(const Kernel& kernel, const Signature& expected) {
  return std::ranges::equal(
      kernel.parameters, expected.parameters, [](const Parameter& found, const std::string& type) {
        const auto size = size_of(type);
        if (size == 0) return true;  // a vector or a struct of unknown size
        return found.size_bytes == size && found.is_float == (type == "float" || type == "double");
      });
}

// "parameters of 8, 8, 4 bytes", the only known fact about an extern "C" kernel's parameters.
std::string layout(const Kernel& kernel) {
  if (kernel.parameters.empty()) return "no parameters";
  std::vector<std::string> sizes;
  for (const auto& parameter : kernel.parameters) {
    sizes.push_back((parameter.is_float ? "floating-point " : "") +
                    std::to_string(parameter.size_bytes));
  }
  return "parameters of " + join(sizes, ", ") + " bytes";
}

// Whether the kernel has the expected parameters, if any are expected.
bool has_parameters(const Search& search, const Kernel& kernel) {
  if (search.signature.empty()) return true;
  const auto expected = parse_signature(search.signature);
  const bool is_extern_c = kernel.signature.find('(') == std::string::npos;
  if (is_extern_c) return layout_matches(kernel, expected);
  return std::ranges::equal(parse_signature(kernel.signature).parameters, expected.parameters,
                            is_same_type);
}

Found check_parameters(const Search& search, const Kernel& kernel) {
  if (has_parameters(search, kernel)) return &kernel;
  const bool is_extern_c = kernel.signature.find('(') == std::string::npos;
  const auto found = is_extern_c ? layout(kernel) : to_string(parse_signature(kernel.signature));
  return complain(
      search, declared(search, search.name),
      fmt::format("the kernel '{}' has the wrong parameter list: found {}", search.name, found));
}

}  // namespace

Found find_kernel(const Program& program, const std::string& name, const std::string& signature) {
  Search search{program, name, name, signature, find_declarations(program.source)};
  std::erase(search.name, ' ');
  for (const auto& [expression, lowered] : program.lowered) {
    auto plain = expression;
    std::erase(plain, ' ');
    if (plain != search.name) continue;
    const auto kernel = std::ranges::find(program.kernels, lowered, &Kernel::name);
    if (kernel != program.kernels.end()) return check_parameters(search, *kernel);
    return explain_missing(search);
  }
  auto candidates = candidates_for(search);
  if (candidates.empty()) return explain_missing(search);
  // The launched overload is the one with the expected parameters.
  if (!search.signature.empty() && candidates.size() > 1) {
    std::vector<const Kernel*> fitting;
    std::ranges::copy_if(candidates, std::back_inserter(fitting),
                         [&](const Kernel* kernel) { return has_parameters(search, *kernel); });
    if (!fitting.empty()) candidates = std::move(fitting);
  }
  if (candidates.size() > 1) {
    std::vector<std::string> found;
    for (const auto* kernel : candidates) found.push_back(kernel->signature);
    const auto list = join(found, " and ");
    const auto message =
        search.signature.empty()
            ? fmt::format("{} kernels are named '{}'; choose one by its full name: {}",
                          candidates.size(), name, list)
            : fmt::format(
                  "{} kernels are named '{}', but exactly one must have the expected parameters: "
                  "{}",
                  candidates.size(), name, list);
    return complain(search, declared(search, search.name), message);
  }
  return check_parameters(search, *candidates.front());
}

}  // namespace warpgrade::compile
