// SPDX-License-Identifier: Apache-2.0
#include "grader/launch_reader.h"

#include <fmt/format.h>

#include <array>

#include "common/base/text.h"

namespace warpgrade::grader {
namespace {

constexpr std::array<std::string_view, 3> kRoles = {"out", "in", "value"};
constexpr std::array<std::string_view, 2> kComparisons = {"bits", "total"};
constexpr std::array<std::string_view, 5> kFills = {"distinct", "small_whole", "iota", "zeros",
                                                    "random"};

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
  if (out.role == Role::kIn) out.fill = static_cast<verify::Fill>(table.choice("fill", kFills));
  if (out.role == Role::kOut) {
    out.comparison = static_cast<Comparison>(table.choice_or("comparison", kComparisons, 0));
  }
  table.finish();
  return out;
}

void check_geometry(const Geometry& geometry, const Variables& variables) {
  for (const auto* extents : {&geometry.grid, &geometry.block}) {
    for (const auto& extent : *extents) {
      const auto value = evaluate_count(extent, variables);
      if (value == 0 || value > 0x7fffffffU) {
        fail_at(extent.where, fmt::format("an extent of the launch is {}; it must be from 1 to "
                                          "2147483647",
                                          value));
      }
    }
  }
  evaluate_count(geometry.shared_bytes, variables);
}

void check_parameters(const std::vector<Parameter>& parameters, const Variables& variables) {
  for (const auto& parameter : parameters) {
    if (parameter.role == Role::kValue) {
      evaluate(parameter.value, variables);
      continue;
    }
    const auto rows = evaluate_count(parameter.rows, variables);
    const auto columns = evaluate_count(parameter.columns, variables);
    if (rows == 0 || columns == 0) {
      fail_at((rows == 0 ? parameter.rows : parameter.columns).where,
              fmt::format("parameter `{}` has no elements", parameter.name));
    }
    constexpr std::uint64_t kMostElements = std::uint64_t{1} << 32;
    if (rows > kMostElements / columns) {
      fail_at(parameter.rows.where,
              fmt::format("parameter `{}` has {} x {} elements; 2^32 is the most", parameter.name,
                          rows, columns));
    }
  }
}

}  // namespace warpgrade::grader
