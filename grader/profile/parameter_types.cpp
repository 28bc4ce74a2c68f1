// SPDX-License-Identifier: Apache-2.0
// Finds the types of a kernel's parameters.
//
// In: a source and a kernel's name. Out: a type for each parameter. The compiler itself answers:
// the source gets a kernel template whose arguments are the type of the kernel and the sizes of
// what its pointers point to, and the mangled name of the instance contains them all. Therefore
// macros, typedefs and templates need no reader of their own.
#include "grader/profile/parameter_types.h"

#include <cxxabi.h>
#include <fmt/format.h>

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "common/compile/program.h"
#include "common/compile/signature.h"
#include "grader/text/numbers.h"

namespace warpgrade::grader::profile {
namespace {

constexpr std::string_view kTemplate = R"(
namespace warpgrade_types {
template <typename T, typename = void>
struct Size { static constexpr unsigned long long value = 0; };
template <typename T>
struct Size<T, decltype(void(sizeof(T)))> { static constexpr unsigned long long value = sizeof(T); };
template <> struct Size<void> { static constexpr unsigned long long value = 0; };
template <typename T> struct Pointee { static constexpr unsigned long long value = 0; };
template <typename T> struct Pointee<T*> : Size<T> {};
template <unsigned long long... Sizes> struct List {};
template <typename F> struct Sizes;
template <typename... P> struct Sizes<void (*)(P...)> { using type = List<Pointee<P>::value...>; };
template <typename F, typename S> __global__ void types() {}
}
)";

std::string demangled(const std::string& name) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), &std::free);
  return status == 0 ? text.get() : std::string();
}

// The text between `open`, which ends with a bracket, and the bracket that closes it.
std::string_view inside(std::string_view text, std::string_view open) {
  const auto at = text.find(open);
  if (at == std::string_view::npos) return {};
  const auto begin = at + open.size();
  const char opening = open.back();
  const char closing = opening == '(' ? ')' : '>';
  std::size_t depth = 1;
  for (auto end = begin; end < text.size(); ++end) {
    if (text[end] == opening) ++depth;
    if (text[end] == closing && --depth == 0) return text.substr(begin, end - begin);
  }
  return {};
}

// "4ull, 16ull" as numbers.
std::vector<std::uint64_t> numbers(std::string_view list) {
  std::vector<std::uint64_t> out;
  while (!list.empty()) {
    const auto comma = list.find(',');
    auto one = list.substr(0, comma);
    while (one.starts_with(' ')) one.remove_prefix(1);
    out.push_back(text::parse_count(one.substr(0, one.find('u'))).value_or(0));
    list = comma == std::string_view::npos ? std::string_view{} : list.substr(comma + 1);
  }
  return out;
}

}  // namespace

std::vector<ParameterType> parameter_types(compile::CompileRequest request,
                                           const std::string& kernel) {
  const auto instance = fmt::format(
      "warpgrade_types::types<decltype(&{0}), warpgrade_types::Sizes<decltype(&{0})>::type>",
      kernel);
  request.source += kTemplate;
  request.instantiations = {instance};
  const auto compiled = compile::compile(request);
  const auto* program = std::get_if<compile::Program>(&compiled);
  if (program == nullptr) return {};
  const auto lowered = program->lowered.find(instance);
  if (lowered == program->lowered.end()) return {};
  const auto name = demangled(lowered->second);
  const auto types =
      compile::parse_signature(fmt::format("k({})", inside(name, "(*)("))).parameters;
  const auto sizes = numbers(inside(name, "warpgrade_types::List<"));
  if (types.size() != sizes.size()) return {};
  std::vector<ParameterType> out;
  for (std::size_t i = 0; i < types.size(); ++i) out.push_back({types[i], sizes[i]});
  return out;
}

}  // namespace warpgrade::grader::profile
