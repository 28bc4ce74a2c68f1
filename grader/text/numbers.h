// SPDX-License-Identifier: Apache-2.0
// Numbers as people write them: formulas over the variables of a case ("ceil_div(width, 32)"),
// and values of an element type as bytes.
// The syntax of formulas is muParser's (+ - * / ^, comparisons, ?:, min, max ...). Four functions
// are added: ceil_div(a, b), floor(a), ceil(a) and mod(a, b).
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/diagnostic.h"
#include "common/verify/element.h"

namespace warpgrade::grader::text {

/// `value` as an element of `type`, little-endian; nullopt if an integer type cannot represent it.
std::optional<std::vector<std::byte>> encode(verify::ElementType type, double value);

/// The number in `text`, decimal or (integers) 0x..., as an element of `type`; nullopt if the
/// text is not a number of that type or is out of its range. Exact for 64-bit integers.
std::optional<std::vector<std::byte>> parse_scalar(verify::ElementType type, std::string_view text);

/// `text` as a number, decimal or 0x...; nullopt if it is not a number or exceeds 2^64 - 1.
std::optional<std::uint64_t> parse_count(std::string_view text);

/// The name in the command line and in manifests: "f32".
std::string_view name(verify::ElementType type);

/// A case's variables: "width" -> 96.
using Variables = std::map<std::string, double, std::less<>>;

/// "height = 3, width = 5", in the order of the names; empty without variables.
std::string in_words(const Variables& variables);

/// A formula and its place in the file, so that a mistake is reported when the manifest is read and
/// not when a submission is graded. Copies share what its text was parsed to, at the first
/// evaluation.
class Expression {
 public:
  Expression() : Expression({}, {}) {}
  Expression(std::string text, base::SourceLocation where);

  const std::string& text() const { return text_; }
  const base::SourceLocation& where() const { return where_; }  ///< Place in the manifest.

  friend bool operator==(const Expression& a, const Expression& b) {
    return a.text_ == b.text_ && a.where_ == b.where_;
  }
  friend double evaluate(const Expression& expression, const Variables& variables);

 private:
  class Formula;

  std::string text_;
  base::SourceLocation where_;
  std::shared_ptr<Formula> formula_;
};

/// A number, or a formula, for each variable.
using VariableExpressions = std::map<std::string, Expression, std::less<>>;

/// Value over `variables`; throws base::UsageError with file:line:column if the text is not
/// an expression, names an unknown variable, or has no finite value.
double evaluate(const Expression& expression, const Variables& variables);

/// The value as a count; throws base::UsageError unless it is a whole number from 0 to 2^48.
std::uint64_t evaluate_count(const Expression& expression, const Variables& variables);

}  // namespace warpgrade::grader::text
