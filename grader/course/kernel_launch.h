// SPDX-License-Identifier: Apache-2.0
// A kernel's parameters and launch geometry as labs and studies state them: numbers are expressions
// of a case's variables (expressions.h), evaluated for each case.
#pragma once

#include <array>
#include <string>

#include "common/verify/values.h"
#include "grader/text/expressions.h"

namespace warpgrade::grader {

enum class Role { kOut, kIn, kValue };
enum class OutputComparison { kBits, kTotal, kUlps };

/// A kernel parameter: a row-major buffer, or a number handed over by value.
struct Parameter {
  std::string name;
  Role role{};
  verify::ElementType type{};
  Expression rows;                                        ///< Buffers only.
  Expression columns;                                     ///< Buffers only.
  verify::Fill fill{};                                    ///< Inputs only.
  OutputComparison comparison = OutputComparison::kBits;  ///< Outputs only.
  Expression ulps;                                        ///< Comparison kUlps only.
  Expression value;                                       ///< Role kValue only.
};

struct Geometry {
  std::array<Expression, 3> grid;
  std::array<Expression, 3> block;
  Expression shared_bytes;  ///< Dynamic, a block.
};

/// `kernel` with each {variable} replaced by the case's value: "reduce_threads<4>".
std::string kernel_name(const std::string& kernel, const Variables& variables);

}  // namespace warpgrade::grader
