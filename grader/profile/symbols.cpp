// SPDX-License-Identifier: Apache-2.0
#include "grader/profile/symbols.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include "common/base/counted.h"
#include "common/base/error.h"
#include "common/base/text.h"
#include "grader/profile/arguments.h"
#include "grader/text/suggestions.h"

namespace warpgrade::grader::profile {
namespace {

bool is_symbol(const ptx::Variable& variable) {
  // Names with $ are the compiler's own, such as the text of printf.
  return (variable.space == ptx::StateSpace::kGlobal ||
          variable.space == ptx::StateSpace::kConstant) &&
         variable.name.find('$') == std::string::npos;
}

[[noreturn]] void refuse_symbol(std::string_view name, const std::string& why) {
  throw base::UsageError(fmt::format("--symbol {}: {}", base::escape_controls(name), why));
}

const ptx::Variable& find(const ptx::Module& module, const std::string& name) {
  std::vector<std::string> names;
  for (const auto& variable : module.variables) {
    if (!is_symbol(variable)) continue;
    names.push_back(base::source_name(variable.name));
    if (variable.name == name || names.back() == name) return variable;
  }
  const auto known = names.empty() ? "none" : text::joined(std::span<const std::string>(names));
  refuse_symbol(name, fmt::format("the program has no __constant__ or __device__ variable of this "
                                  "name; it has {}",
                                  known));
}

}  // namespace

SymbolSpec parse_symbol(std::string_view text) {
  const auto equals = text.find('=');
  if (equals == 0 || equals == std::string_view::npos) {
    refuse_symbol(text, "must be NAME=SPEC, such as weights=in:f32:9:zeros");
  }
  return {std::string(text.substr(0, equals)), parse_argument(text.substr(equals + 1))};
}

std::vector<run::Buffer> symbol_buffers(const ptx::Module& module,
                                        const std::vector<SymbolSpec>& specs) {
  std::vector<run::Buffer> out;
  for (const auto& spec : specs) {
    const auto& variable = find(module, spec.name);
    auto buffer = make_buffer(spec.content);
    buffer.name = spec.name;
    buffer.symbol = variable.name;
    buffer.defined = true;  // Variables start with a content, zeros by default.
    if (buffer.bytes.size() != variable.bytes) {
      refuse_symbol(spec.name, fmt::format("the variable has {}, but {} has {}",
                                           base::counted(variable.bytes, "byte"), spec.content.text,
                                           buffer.bytes.size()));
    }
    const bool is_double = std::any_of(out.begin(), out.end(), [&](const run::Buffer& other) {
      return other.symbol == buffer.symbol;
    });
    if (is_double) refuse_symbol(spec.name, "is there twice");
    out.push_back(std::move(buffer));
  }
  return out;
}

std::vector<report::ModuleSymbol> symbols_of(const ptx::Module& module) {
  std::vector<report::ModuleSymbol> out;
  for (const auto& variable : module.variables) {
    if (!is_symbol(variable)) continue;
    out.push_back({base::source_name(variable.name), variable.space == ptx::StateSpace::kConstant,
                   variable.bytes, variable.initial, !variable.relocations.empty()});
  }
  return out;
}

}  // namespace warpgrade::grader::profile
