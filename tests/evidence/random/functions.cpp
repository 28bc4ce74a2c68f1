// SPDX-License-Identifier: Apache-2.0
// Functions that are not inlined, with branches and early returns. Some are recursive, some are
// called through a pointer.
#include <fmt/format.h>

#include "tests/evidence/random/generator.h"

namespace warpgrade::programs {
namespace {

// Maximum recursion depth: the first parameter counts the remaining steps.
constexpr std::uint32_t kDeepest = 4;

const std::vector<Kind> kPassed = {Kind::kU32, Kind::kS32, Kind::kU64, Kind::kF32,   Kind::kF64,
                                   Kind::kU8,  Kind::kS16, Kind::kF16, Kind::kBf16x2};

}  // namespace

void Generator::functions() {
  // The first two have the same signature, for calls through a pointer.
  const auto count = random_.below(5);
  // After a recursive call, lanes that returned from different depths may not reconverge on the
  // card, but its warp functions and barriers rely on that.
  for (std::uint32_t i = 0; i < count; ++i) {
    function(i, alone_ && (i == 2 || (i > 2 && random_.one_in(3))));
  }
}

void Generator::function(std::uint32_t number, bool recursive) {
  Function made;
  made.name = fmt::format("f{}_{}", seed_, number);
  made.result = number < 2 ? Kind::kU32 : random_.pick(kPassed);
  made.parameters = {Kind::kU32, Kind::kU32};
  if (number >= 2) {
    made.parameters = {Kind::kU32};
    for (auto more = 1 + random_.below(3); more > 0; --more) {
      made.parameters.push_back(random_.pick(kPassed));
    }
  }
  Scope scope;
  scope.in_function = true;
  scope.depth = 1;
  scope.loops = 1;
  std::string parameters;
  for (std::size_t i = 0; i < made.parameters.size(); ++i) {
    parameters += fmt::format("{}{} a{}", i == 0 ? "" : ", ", name(made.parameters[i]), i);
    scope.readable.push_back({made.parameters[i], fmt::format("a{}", i)});
  }
  scope.writable = scope.readable;
  if (recursive) scope.writable.erase(scope.writable.begin());
  // A variable of the result's kind always exists.
  const auto start = expression(scope, made.result, 1);
  line(outside(), fmt::format("APART {} {}({}) {{", name(made.result), made.name, parameters));
  line(scope, fmt::format("{} result = {};", name(made.result), start));
  scope.readable.push_back({made.result, "result"});
  scope.writable.push_back({made.result, "result"});
  if (recursive) line(scope, "if (a0 == 0) return result;");
  block(scope, 1 + random_.below(3));
  if (random_.one_in(2)) {
    line(scope,
         fmt::format("if ({}) return {};", condition(scope), expression(scope, made.result)));
  }
  for (auto calls = recursive ? 1 + random_.below(2) : 0; calls > 0; --calls) {
    std::string arguments = "a0 - 1";
    for (std::size_t i = 1; i < made.parameters.size(); ++i) {
      arguments += ", " + expression(scope, made.parameters[i], 2);
    }
    const auto again = fmt::format("result = {}({});", made.name, arguments);
    line(scope, random_.one_in(2) ? again : fmt::format("if ({}) {}", condition(scope), again));
    block(scope, 1);
  }
  made.calls = recursive;
  if (!recursive && !functions_.empty() && random_.one_in(2)) {
    const auto& other = random_.pick(functions_);
    if (!other.calls) {
      line(scope, fmt::format("{} other = {};", name(other.result), call(scope, other)));
      scope.readable.push_back({other.result, "other"});
      made.calls = true;
    }
  }
  block(scope, 1);
  line(scope, fmt::format("return {};", expression(scope, made.result)));
  line(outside(), "}");
  functions_.push_back(made);
}

std::string Generator::call(const Scope& scope, const Function& function) {
  // Only some functions recurse on their first parameter, but bounding it is always safe.
  std::string arguments = fmt::format("{} % {}", index(scope), kDeepest + 1);
  for (std::size_t i = 1; i < function.parameters.size(); ++i) {
    arguments += ", " + expression(scope, function.parameters[i], 2);
  }
  return fmt::format("{}({})", function.name, arguments);
}

void Generator::call_statement(const Scope& scope) {
  if (functions_.empty() || scope.in_function) return assignment(scope);
  const auto& function = random_.pick(functions_);
  const auto* to = target(scope, {function.result});
  if (to == nullptr) {
    to = target(scope, {Kind::kU32});
    return line(scope,
                fmt::format("{0} = rotated({0}, word({1}));", to->name, call(scope, function)));
  }
  line(scope, fmt::format("{} = {};", to->name, call(scope, function)));
}

void Generator::pointer_call(const Scope& scope) {
  if (functions_.size() < 2 || scope.in_function) return call_statement(scope);
  const auto pointer = fresh("f");
  const auto* to = target(scope, {Kind::kU32});
  line(scope, fmt::format("u32 (*{})(u32, u32) = {} ? {} : {};", pointer, condition(scope),
                          functions_[0].name, functions_[1].name));
  line(scope, fmt::format("{} = {}({}, {});", to->name, pointer, index(scope), index(scope)));
}

}  // namespace warpgrade::programs
