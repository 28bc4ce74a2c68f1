// SPDX-License-Identifier: Apache-2.0
// A kernel's parameters and launch geometry as labs and studies state them: numbers are expressions
// of a case's variables (expressions.h), evaluated for each case.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "common/verify/values.h"
#include "grader/text/expressions.h"

namespace warpgrade::grader {

enum class Role { kOut, kIn, kValue, kInOut, kScratch };
enum class OutputComparison { kBits, kTotal, kUlps };

/// A kernel parameter: a row-major buffer, or a number handed over by value.
struct Parameter {
  std::string name;
  Role role{};
  verify::ElementType type{};
  Expression rows;                                        ///< Buffers only.
  Expression columns;                                     ///< Buffers only.
  verify::Fill fill{};                                    ///< Roles kIn and kInOut only.
  OutputComparison comparison = OutputComparison::kBits;  ///< Results only.
  Expression ulps;                                        ///< Comparison kUlps only.
  Expression value;                                       ///< Role kValue only.

  bool is_buffer() const { return role != Role::kValue; }
  bool is_filled() const { return role == Role::kIn || role == Role::kInOut; }
  /// Whether what it holds in the end is compared with what the reference makes.
  bool is_compared() const { return role == Role::kOut || role == Role::kInOut; }
};

struct Geometry {
  std::array<Expression, 3> grid;
  std::array<Expression, 3> block;
  Expression shared_bytes;  ///< Dynamic, a block.
};

/// Launches of one kernel, one right after the other.
struct Step {
  std::string kernel;     ///< May hold {variable}.
  std::string signature;  ///< "copy(float*, const float*, int, int)".
  Geometry geometry;
  std::vector<std::size_t> arguments;  ///< Places among the exercise's parameters.
  Expression times;                    ///< How often; `step` counts from 0.
  /// Pairs of parameters whose buffers change places after each time.
  std::vector<std::pair<std::size_t, std::size_t>> swaps;
};

/// `kernel` with each {variable} replaced by the case's value: "reduce_threads<4>".
std::string kernel_name(const std::string& kernel, const Variables& variables);

}  // namespace warpgrade::grader
