// SPDX-License-Identifier: Apache-2.0
#include "grader/course/launch_reader.h"

#include <fmt/format.h>

#include <array>

#include "common/base/text.h"
#include "common/run/launch_limits.h"
#include "grader/text/scalars.h"

namespace warpgrade::grader {
namespace {

constexpr std::array<std::string_view, 5> kRoles = {"out", "in", "value", "inout", "scratch"};
constexpr std::array<std::string_view, 3> kComparisons = {"bits", "total", "ulps"};
constexpr std::array<std::string_view, 6> kFillNames = {"distinct", "small_whole", "odd_eighths",
                                                        "iota",     "zeros",       "random"};
// More would let a term of a sum be lost.
constexpr double kMostUlps = 4096;

// Limit on the buffers of a case together. Grading keeps them three times over.

}  // namespace

Geometry read_geometry(Table& table) {
  Geometry out;
  out.grid = table.extents("grid");
  out.block = table.extents("block");
  out.shared_bytes = table.optional_expression("shared").value_or(Expression{"0", table.where()});
  return out;
}

Parameter read_parameter(Table table) {
  Parameter out;
  out.name = table.text("name");
  table.rename(fmt::format("parameter `{}`", base::escape_controls(out.name)));
  out.role = static_cast<Role>(table.choice("role", kRoles));
  const auto type = verify::element_type(table.text("type"));
  if (!type) table.fail("type", "must be one of i8 u8 i16 u16 i32 u32 i64 u64 f16 f32 f64");
  out.type = *type;
  if (out.role == Role::kValue) {
    out.value = table.expression("value");
  } else {
    out.rows = table.expression("rows");
    out.columns = table.expression("columns");
  }
  if (out.is_filled()) out.fill = static_cast<verify::Fill>(table.choice("fill", kFillNames));
  if (out.is_compared()) {
    out.comparison = static_cast<OutputComparison>(table.choice_or("comparison", kComparisons, 0));
    if (out.comparison == OutputComparison::kUlps) {
      if (!verify::is_float(out.type)) table.fail("comparison", "`ulps` is for floats");
      out.ulps = table.expression("ulps");
    }
  }
  table.finish();
  return out;
}

void check_geometry(const Geometry& geometry, const Variables& variables) {
  const run::LaunchLimits limits;
  for (const auto* extents : {&geometry.grid, &geometry.block}) {
    for (const auto& extent : *extents) {
      const auto value = evaluate_count(extent, variables);
      if (value == 0 || value > limits.grid.x) {
        fail_at(extent.where, fmt::format("an extent of the launch is {}; it must be from 1 to "
                                          "{}",
                                          value, limits.grid.x));
      }
    }
  }
  std::uint64_t threads = 1;
  for (const auto& extent : geometry.block) {
    threads *= evaluate_count(extent, variables);
    if (threads > limits.threads_per_block) {
      fail_at(extent.where, fmt::format("a block of {} threads; no device takes more than {}",
                                        threads, limits.threads_per_block));
    }
  }
  const auto shared = evaluate_count(geometry.shared_bytes, variables);
  if (shared > limits.shared_bytes_per_block) {
    fail_at(geometry.shared_bytes.where,
            fmt::format("{} bytes of dynamic shared memory; no device has more than {} for a block",
                        shared, limits.shared_bytes_per_block));
  }
}

void check_value(const Parameter& parameter, const Variables& variables) {
  const auto value = evaluate(parameter.value, variables);
  if (encode(parameter.type, value)) return;
  fail_at(parameter.value.where, fmt::format("parameter `{}` is {}, which is no {}", parameter.name,
                                             value, name(parameter.type)));
}

void check_parameters(const std::vector<Parameter>& parameters, const Variables& variables,
                      std::uint64_t most_bytes) {
  std::uint64_t left = most_bytes;
  for (const auto& parameter : parameters) {
    if (parameter.role == Role::kValue) {
      check_value(parameter, variables);
      continue;
    }
    const auto rows = evaluate_count(parameter.rows, variables);
    const auto columns = evaluate_count(parameter.columns, variables);
    if (rows == 0 || columns == 0) {
      fail_at((rows == 0 ? parameter.rows : parameter.columns).where,
              fmt::format("parameter `{}` has no elements", parameter.name));
    }
    if (parameter.comparison == OutputComparison::kUlps) {
      const auto ulps = evaluate(parameter.ulps, variables);
      if (!(ulps >= 1 && ulps <= kMostUlps)) {
        fail_at(
            parameter.ulps.where,
            fmt::format("parameter `{}` may be off by {} ULPs; say 1 to {}, or take a fill whose "
                        "sums are exact in any order: odd_eighths",
                        parameter.name, ulps, kMostUlps));
      }
    }
    if (rows > left / columns / verify::size_of(parameter.type)) {
      fail_at(parameter.rows.where,
              fmt::format("parameter `{}` has {} x {} elements of {}; a launch has room for {} "
                          "GiB of buffers",
                          parameter.name, rows, columns, name(parameter.type), most_bytes >> 30));
    }
    left -= rows * columns * verify::size_of(parameter.type);
  }
}

}  // namespace warpgrade::grader
