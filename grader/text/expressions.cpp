// SPDX-License-Identifier: Apache-2.0
#include "grader/text/expressions.h"

#include <fmt/format.h>
#include <muParser.h>

#include <cmath>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "common/base/error.h"
#include "common/base/text.h"
#include "grader/text/suggestions.h"

namespace warpgrade::grader::text {
namespace {

constexpr std::size_t kLongest = 1000;  // of an expression, in characters
constexpr double kLargestCount =
    281474976710656.0;  // 2^48: past any buffer or grid, exact in double.

double ceil_div(double a, double b) { return std::ceil(a / b); }
double floor_of(double a) { return std::floor(a); }
double ceil_of(double a) { return std::ceil(a); }
double modulo(double a, double b) { return std::fmod(a, b); }

[[noreturn]] void fail_expression(const Expression& expression, int position,
                                  const std::string& why) {
  const auto& where = expression.where;
  // A string's text starts one column after its quote.
  const auto column = where.column + (position >= 0 ? static_cast<unsigned>(position) + 1 : 0);
  throw base::UsageError(fmt::format("{}:{}:{}: \"{}\": {}", where.file, where.line, column,
                                     base::escape_controls(expression.text), why));
}

std::string unknown_name(const std::string& token, const Variables& variables) {
  std::vector<std::string_view> names = {"ceil_div", "ceil", "floor", "mod", "min", "max"};
  std::string list;
  for (const auto& [name, value] : variables) {
    names.push_back(name);
    list += (list.empty() ? "" : ", ") + name;
  }
  return fmt::format("unknown variable `{}`{}; the case has: {}", base::escape_controls(token),
                     did_you_mean(token, std::span<const std::string_view>(names)), list);
}

// The value of an expression that is just a variable or a whole number. Most are, and it is slow to
// make a parser.
std::optional<double> simple_value(const std::string& text, const Variables& variables) {
  constexpr std::size_t kExactDigits = 15;
  if (const auto known = variables.find(text); known != variables.end()) return known->second;
  if (text.empty() || text.size() > kExactDigits) return std::nullopt;
  double value = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return std::nullopt;
    value = 10 * value + (c - '0');
  }
  return value;
}

}  // namespace

std::string in_words(const Variables& variables) {
  std::string out;
  for (const auto& [name, value] : variables) {
    out += fmt::format("{}{} = {}", out.empty() ? "" : ", ", name, value);
  }
  return out;
}

double evaluate(const Expression& expression, const Variables& variables) {
  const auto known = simple_value(expression.text, variables);
  if (known && std::isfinite(*known)) return *known;
  double value = 0;
  if (expression.text.size() > kLongest) {
    fail_expression({expression.text.substr(0, 20) + "...", expression.where}, -1,
                    fmt::format("this has more than {} characters", kLongest));
  }
  try {
    mu::Parser parser;
    parser.DefineFun("ceil_div", ceil_div);
    parser.DefineFun("floor", floor_of);
    parser.DefineFun("ceil", ceil_of);
    parser.DefineFun("mod", modulo);
    // Constants, not variables: an expression must not assign.
    for (const auto& [name, number] : variables) parser.DefineConst(name, number);
    parser.SetExpr(expression.text);
    value = parser.Eval();
    if (parser.GetNumResults() != 1)
      fail_expression(expression, 0, "this is more than one expression");
  } catch (const mu::Parser::exception_type& error) {
    const auto position = static_cast<int>(error.GetPos());
    if (error.GetCode() == mu::ecUNASSIGNABLE_TOKEN) {
      fail_expression(expression, position, unknown_name(error.GetToken(), variables));
    }
    fail_expression(
        expression, position,
        fmt::format("this is not an expression ({})", base::escape_controls(error.GetMsg())));
  }
  if (!std::isfinite(value)) fail_expression(expression, -1, "this gives no finite number");
  return value;
}

std::uint64_t evaluate_count(const Expression& expression, const Variables& variables) {
  const auto value = evaluate(expression, variables);
  if (value < 0 || value > kLargestCount || value != std::floor(value)) {
    fail_expression(
        expression, -1,
        fmt::format("this gives {}, but a whole number of at least 0 is asked for", value));
  }
  return static_cast<std::uint64_t>(value);
}

}  // namespace warpgrade::grader::text
