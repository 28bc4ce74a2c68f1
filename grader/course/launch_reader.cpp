// SPDX-License-Identifier: Apache-2.0
#include "grader/course/launch_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <span>

#include "common/base/text.h"
#include "common/run/launch_limits.h"
#include "grader/text/scalars.h"
#include "grader/text/suggestions.h"

namespace warpgrade::grader::course {
namespace {

// Larger clusters need an attribute of the kernel that no launch here sets.
constexpr std::uint64_t kMostClusterBlocks = 8;
// A larger tolerance could hide a missing term of a sum.
constexpr double kMostUlps = 4096;

void check_aliases(std::span<const Parameter> parameters,
                   const std::vector<const BufferParameter*>& buffers) {
  for (const auto* same : all_of_kind<SameParameter>(parameters)) {
    if (buffer_called(buffers, same->of) != buffers.size()) continue;
    std::vector<std::string> names;
    for (const auto* buffer : buffers) names.push_back(buffer->name);
    const std::span<const std::string> all(names);
    base::fail_at(same->where,
                  fmt::format("parameter `{}`: unknown buffer `{}`{}; the buffers are: {}",
                              same->name, base::escape_controls(same->of),
                              text::did_you_mean(same->of, all), text::joined(all)));
  }
}

// `left` is the part of `most_bytes` that earlier buffers have left over.
void check_buffer(const BufferParameter& parameter, const text::Variables& variables,
                  std::uint64_t most_bytes, std::uint64_t& left) {
  const auto rows = evaluate_count(parameter.rows, variables);
  const auto columns = evaluate_count(parameter.columns, variables);
  if (rows == 0 || columns == 0) {
    base::fail_at((rows == 0 ? parameter.rows : parameter.columns).where,
                  fmt::format("parameter `{}` has no elements", parameter.name));
  }
  if (const auto* within = std::get_if<WithinUlps>(&parameter.comparison)) {
    const auto ulps = evaluate(within->most, variables);
    if (!(ulps >= 1 && ulps <= kMostUlps)) {
      base::fail_at(
          within->most.where,
          fmt::format("parameter `{}` may be off by {} ULPs; say 1 to {}, or take a fill whose "
                      "sums are exact in any order: odd_eighths",
                      parameter.name, ulps, kMostUlps));
    }
  }
  const auto* indices = std::get_if<Indices>(&parameter.content);
  if (indices != nullptr && indices->kind == verify::IndexKind::kMostlyEqual) {
    const auto percent = evaluate_count(indices->bound, variables);
    if (percent > verify::kAllEqual) {
      base::fail_at(indices->bound.where,
                    fmt::format("parameter `{}`: {} % of its elements are equal; say 0 to {}",
                                parameter.name, percent, verify::kAllEqual));
    }
  }
  if (rows > left / columns / verify::size_of(parameter.type)) {
    base::fail_at(
        parameter.rows.where,
        fmt::format("parameter `{}` has {} x {} elements of {}; a launch has room for {} "
                    "GiB of buffers",
                    parameter.name, rows, columns, text::name(parameter.type), most_bytes >> 30));
  }
  left -= rows * columns * verify::size_of(parameter.type);
}

// Whether the cluster divides the grid depends on the case's numbers too.
void check_cluster(const Geometry& geometry, const text::Variables& variables) {
  std::uint64_t blocks = 1;
  for (std::size_t i = 0; geometry.cluster && i < 3; ++i) {
    const auto& extent = geometry.cluster->at(i);
    const auto value = evaluate_count(extent, variables);
    if (value == 0 || value > kMostClusterBlocks || blocks * value > kMostClusterBlocks) {
      base::fail_at(extent.where,
                    fmt::format("a thread block cluster has 1 to {} blocks", kMostClusterBlocks));
    }
    blocks *= value;
    const auto grid = evaluate_count(geometry.grid.at(i), variables);
    if (grid % value != 0) {
      base::fail_at(extent.where,
                    fmt::format("{} blocks of the grid are not a whole number of clusters "
                                "of {} blocks",
                                grid, value));
    }
  }
}

}  // namespace

void check_id(const text::Table& table, std::string_view key, const std::string& id,
              std::set<std::string>& seen) {
  const bool plain = std::all_of(id.begin(), id.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  });
  if (!plain) table.fail(key, "must be small letters, digits and _");
  if (!seen.insert(id).second) table.fail(key, fmt::format("`{}` is there twice", id));
}

Geometry read_geometry(text::Table& table) {
  Geometry out;
  out.grid = table.extents("grid");
  out.block = table.extents("block");
  out.shared_bytes =
      table.optional_expression("shared").value_or(text::Expression{"0", table.where()});
  out.cooperative = table.flag_or("cooperative", false);
  if (table.has("cluster")) out.cluster = table.extents("cluster");
  return out;
}

void check_geometry(const Geometry& geometry, const text::Variables& variables) {
  const run::LaunchLimits limits;
  for (const auto* extents : {&geometry.grid, &geometry.block}) {
    for (const auto& extent : *extents) {
      const auto value = evaluate_count(extent, variables);
      if (value == 0 || value > limits.grid.x) {
        base::fail_at(extent.where,
                      fmt::format("an extent of the launch is {}; it must be from 1 to "
                                  "{}",
                                  value, limits.grid.x));
      }
    }
  }
  std::uint64_t threads = 1;
  for (const auto& extent : geometry.block) {
    threads *= evaluate_count(extent, variables);
    if (threads > limits.threads_per_block) {
      base::fail_at(extent.where, fmt::format("a block of {} threads; no device takes more than {}",
                                              threads, limits.threads_per_block));
    }
  }
  const auto shared = evaluate_count(geometry.shared_bytes, variables);
  if (shared > limits.shared_bytes_per_block) {
    base::fail_at(
        geometry.shared_bytes.where,
        fmt::format("{} bytes of dynamic shared memory; no device has more than {} for a block",
                    shared, limits.shared_bytes_per_block));
  }
  check_cluster(geometry, variables);
}

void check_values(std::span<const Parameter> parameters, const text::Variables& variables) {
  for (const auto* one : all_of_kind<ValueParameter>(parameters)) {
    const auto value = evaluate(one->value, variables);
    if (text::encode(one->type, value) && !(one->is_bool && value > 1)) continue;
    base::fail_at(one->value.where,
                  fmt::format("parameter `{}` is {}, which does not fit type {}", one->name, value,
                              one->is_bool ? "bool: 0 or 1" : text::name(one->type)));
  }
}

void check_parameters(std::span<const Parameter> parameters, const text::Variables& variables,
                      std::uint64_t most_bytes) {
  const auto buffers = buffers_of(parameters);
  check_values(parameters, variables);
  check_aliases(parameters, buffers);
  auto left = most_bytes;
  for (const auto* buffer : buffers) check_buffer(*buffer, variables, most_bytes, left);
}

}  // namespace warpgrade::grader::course
