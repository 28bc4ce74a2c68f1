// SPDX-License-Identifier: Apache-2.0
#include "grader/grade/judge/gate_places.h"

#include <fmt/format.h>

#include <set>
#include <vector>

#include "common/base/counted.h"
#include "common/ptx/instruction_facts.h"
#include "common/ptx/parser.h"
#include "grader/cases/declared_arrays.h"
#include "grader/course/launch_metrics.h"

namespace warpgrade::grader::grade {
namespace {

constexpr std::string_view kIntegerDivisions = "warpgrade__ptx_integer_divisions.sum";

bool divides_integers(const ptx::Instruction& instruction) {
  const bool divides = ptx::facts(instruction).timing == ptx::Timing::kDivision;
  const auto type = instruction.types[0];
  return divides && type != ptx::Type::kF32 && type != ptx::Type::kF64;
}

std::string division_lines(const compile::Program& program) {
  std::set<std::uint32_t> lines;
  const auto module = ptx::parse(program.ptx, program.file);
  for (const auto& function : module.functions) {
    for (std::uint32_t i = 0; i < function.instructions.size(); ++i) {
      const auto& where = ptx::location(function, i);
      const bool is_own = where.file == program.file && where.line != 0;
      if (is_own && divides_integers(function.instructions[i])) lines.insert(where.line);
    }
  }
  if (lines.empty()) return {};
  return fmt::format("Integer / and % are in line{} {}.", lines.size() == 1 ? "" : "s",
                     fmt::join(lines, ", "));
}

std::string shared_arrays(const compile::Program& program) {
  std::vector<std::string> out;
  for (const auto& array : cases::declared_arrays(program.source)) {
    if (!array.is_shared || array.extents.empty()) continue;
    out.push_back(fmt::format("{}{} (line {}) uses {} bytes", array.name,
                              base::extents_text(array.extents), array.line,
                              base::grouped(array.bytes())));
  }
  return out.empty() ? std::string() : fmt::format("{}.", fmt::join(out, ", "));
}

}  // namespace

bool has_places(std::string_view metric) {
  return metric == kIntegerDivisions || metric == course::kStaticSharedBytes;
}

std::string places_text(std::string_view metric, const Place& place) {
  if (metric == kIntegerDivisions) return division_lines(*place.program);
  if (metric == course::kStaticSharedBytes) return shared_arrays(*place.program);
  return {};
}

}  // namespace warpgrade::grader::grade
