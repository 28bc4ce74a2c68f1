// SPDX-License-Identifier: Apache-2.0
// Arithmetic in manifests: "ceil_div(width, 32)" over the variables of a case.
//
// The syntax is muParser's (+ - * / ^, comparisons, ?:, min, max ...) with four more functions:
// ceil_div(a, b), floor(a), ceil(a) and mod(a, b). An expression stores its place in the file. A
// mistake is therefore reported with its place when the manifest is read, not when a submission is
// graded.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "common/base/diagnostic.h"

namespace warpgrade::grader::text {

/// A case's variables: "width" -> 96.
using Variables = std::map<std::string, double, std::less<>>;

/// "height = 3, width = 5", in the order of the names; empty without variables.
std::string in_words(const Variables& variables);

struct Expression {
  std::string text;
  base::SourceLocation where;  ///< Place of the value in the manifest.

  friend bool operator==(const Expression&, const Expression&) = default;
};

/// A number, or a formula, for each variable.
using VariableExpressions = std::map<std::string, Expression, std::less<>>;

/// Value over `variables`; throws base::UsageError with file:line:column if the text is not
/// an expression, names an unknown variable, or has no finite value.
double evaluate(const Expression& expression, const Variables& variables);

/// The value as a count; throws base::UsageError unless it is a whole number from 0 to 2^48.
std::uint64_t evaluate_count(const Expression& expression, const Variables& variables);

}  // namespace warpgrade::grader::text
