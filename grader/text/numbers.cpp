// SPDX-License-Identifier: Apache-2.0
// Numbers as people write them: as formulas over variables, or for an element type.
// In: text from a manifest, a command line or a file. Out: a finite value, a count, or the bytes
// that a kernel's parameter or a buffer holds.
// muParser evaluates formulas. An Expression stores its place in the file, so that a mistake is
// reported with file, line and column when the manifest is read.
#include "grader/text/numbers.h"

#include <fmt/format.h>
#include <muParser.h>

#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "common/base/diagnostic.h"
#include "common/base/error.h"
#include "common/base/text.h"
#include "common/verify/element.h"
#include "grader/text/messages.h"

namespace warpgrade::grader::text {
namespace {

using verify::ElementType;

template <typename T>
std::vector<std::byte> bytes_of(T value) {
  static_assert(std::endian::native == std::endian::little);
  std::vector<std::byte> out(sizeof(T));
  std::memcpy(out.data(), &value, sizeof(T));
  return out;
}

template <typename T>
std::optional<std::vector<std::byte>> encode_integer(double value) {
  // Both limits are exact as doubles: the upper one is a power of two.
  const auto below = std::ldexp(1.0, std::numeric_limits<T>::digits);
  const auto least = static_cast<double>(std::numeric_limits<T>::min());
  if (!(value >= least && value < below) || value != std::floor(value)) return std::nullopt;
  return bytes_of(static_cast<T>(value));
}

template <typename T>
std::optional<T> parse_integer(std::string_view text) {
  const bool negative = text.starts_with('-');
  auto digits = negative ? text.substr(1) : text;
  const int base = digits.starts_with("0x") || digits.starts_with("0X") ? 16 : 10;
  if (base == 16) digits.remove_prefix(2);
  std::uint64_t magnitude = 0;
  const auto* end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, magnitude, base);
  if (error != std::errc{} || stop != end) return std::nullopt;
  const auto most = static_cast<std::uint64_t>(std::numeric_limits<T>::max());
  if (!negative) return magnitude <= most ? std::optional(static_cast<T>(magnitude)) : std::nullopt;
  if constexpr (std::numeric_limits<T>::is_signed) {
    if (magnitude <= most + 1) return static_cast<T>(std::uint64_t{0} - magnitude);
  }
  return magnitude == 0 ? std::optional(T{0}) : std::nullopt;
}

template <typename T>
std::optional<std::vector<std::byte>> parse_as_integer(std::string_view text) {
  const auto value = parse_integer<T>(text);
  return value ? std::optional(bytes_of(*value)) : std::nullopt;
}

std::optional<double> parse_double(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0;
  const auto* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (text.empty() || error != std::errc{} || stop != end) return std::nullopt;
  return value;
}

}  // namespace

std::optional<std::vector<std::byte>> encode(ElementType type, double value) {
  switch (type) {
    case ElementType::kI8:
      return encode_integer<std::int8_t>(value);
    case ElementType::kU8:
      return encode_integer<std::uint8_t>(value);
    case ElementType::kI16:
      return encode_integer<std::int16_t>(value);
    case ElementType::kU16:
      return encode_integer<std::uint16_t>(value);
    case ElementType::kI32:
      return encode_integer<std::int32_t>(value);
    case ElementType::kU32:
      return encode_integer<std::uint32_t>(value);
    case ElementType::kI64:
      return encode_integer<std::int64_t>(value);
    case ElementType::kU64:
      return encode_integer<std::uint64_t>(value);
    case ElementType::kF16:
      return bytes_of(verify::half_from_float(static_cast<float>(value)));
    case ElementType::kF32:
      return bytes_of(static_cast<float>(value));
    case ElementType::kF64:
      return bytes_of(value);
  }
  return std::nullopt;
}

std::optional<std::vector<std::byte>> parse_scalar(ElementType type, std::string_view text) {
  switch (type) {
    case ElementType::kI8:
      return parse_as_integer<std::int8_t>(text);
    case ElementType::kU8:
      return parse_as_integer<std::uint8_t>(text);
    case ElementType::kI16:
      return parse_as_integer<std::int16_t>(text);
    case ElementType::kU16:
      return parse_as_integer<std::uint16_t>(text);
    case ElementType::kI32:
      return parse_as_integer<std::int32_t>(text);
    case ElementType::kU32:
      return parse_as_integer<std::uint32_t>(text);
    case ElementType::kI64:
      return parse_as_integer<std::int64_t>(text);
    case ElementType::kU64:
      return parse_as_integer<std::uint64_t>(text);
    case ElementType::kF16:
    case ElementType::kF32:
    case ElementType::kF64:
      break;
  }
  const auto value = parse_double(text);
  return value ? encode(type, *value) : std::nullopt;
}

std::optional<std::uint64_t> parse_count(std::string_view text) {
  if (text.starts_with('-')) return std::nullopt;
  return parse_integer<std::uint64_t>(text);
}

std::string_view name(ElementType type) {
  static constexpr std::array<std::string_view, 11> kNames = {
      "i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64", "f16", "f32", "f64"};
  return kNames.at(static_cast<std::size_t>(type));
}

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
  const auto& where = expression.where();
  // A string's text starts one column after its quote.
  const auto column = where.column + (position >= 0 ? static_cast<unsigned>(position) + 1 : 0);
  throw base::UsageError(fmt::format("{}:{}:{}: \"{}\": {}", where.file, where.line, column,
                                     base::escape_controls(expression.text()), why));
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

// The value of an expression that is just a variable or a whole number. Most are, and need no
// parser.
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

// The position of the first `=` that assigns, or npos.
std::size_t assignment_in(const std::string& text) {
  for (auto at = text.find('='); at != std::string::npos; at = text.find('=', at + 1)) {
    const bool ends = at > 0 && std::string_view("=<>!").find(text[at - 1]) != std::string::npos;
    const bool begins = at + 1 < text.size() && text[at + 1] == '=';
    if (!ends && !begins) return at;
  }
  return std::string::npos;
}

}  // namespace

// An expression compiled by muParser. Each of its names is a slot, which an evaluation fills first.
class Expression::Formula {
 public:
  double value(const Expression& of, const Variables& variables) {
    const std::lock_guard lock(mutex_);
    try {
      if (!parser_) parse(of.text());
      fill(of, variables);
      const auto result = parser_->Eval();
      if (parser_->GetNumResults() == 1) return result;
    } catch (const mu::Parser::exception_type& error) {
      fill(of, variables);  // An unknown name is the better reason.
      fail_expression(
          of, static_cast<int>(error.GetPos()),
          fmt::format("this is not an expression ({})", base::escape_controls(error.GetMsg())));
    }
    fail_expression(of, 0, "this is more than one expression");
  }

 private:
  static double* slot(const char* name, void* slots) {
    return &(*static_cast<Variables*>(slots))[name];
  }

  void parse(const std::string& text) {
    auto parser = std::make_unique<mu::Parser>();
    parser->DefineFun("ceil_div", ceil_div);
    parser->DefineFun("floor", floor_of);
    parser->DefineFun("ceil", ceil_of);
    parser->DefineFun("mod", modulo);
    parser->SetVarFactory(slot, &slots_);
    parser->SetExpr(text);
    parser->GetUsedVar();  // parses
    if (const auto at = assignment_in(text); at != std::string::npos) {
      throw mu::Parser::exception_type(mu::ecUNEXPECTED_OPERATOR, static_cast<int>(at), "=");
    }
    parser_ = std::move(parser);
  }

  void fill(const Expression& of, const Variables& variables) {
    for (auto& [name, place] : slots_) {
      const auto known = variables.find(name);
      if (known == variables.end()) {
        fail_expression(of, static_cast<int>(of.text().find(name)), unknown_name(name, variables));
      }
      place = known->second;
    }
  }

  std::mutex mutex_;
  Variables slots_;
  std::unique_ptr<mu::Parser> parser_;
};

Expression::Expression(std::string text, base::SourceLocation where)
    : text_(std::move(text)), where_(std::move(where)), formula_(std::make_shared<Formula>()) {}

std::string in_words(const Variables& variables) {
  std::string out;
  for (const auto& [name, value] : variables) {
    out += fmt::format("{}{} = {}", out.empty() ? "" : ", ", name, value);
  }
  return out;
}

double evaluate(const Expression& expression, const Variables& variables) {
  const auto& text = expression.text();
  const auto known = simple_value(text, variables);
  if (known && std::isfinite(*known)) return *known;
  if (text.size() > kLongest) {
    fail_expression({text.substr(0, 20) + "...", expression.where()}, -1,
                    fmt::format("this has more than {} characters", kLongest));
  }
  const auto value = expression.formula_->value(expression, variables);
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
