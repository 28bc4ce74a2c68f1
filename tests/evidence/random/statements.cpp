// SPDX-License-Identifier: Apache-2.0
// Expressions, functions, assignments and control flow.
//
// Functions are not inlined, and have branches and early returns. Some are recursive, some are
// called through a pointer.
#include <fmt/format.h>

#include "tests/evidence/random/generator.h"

namespace warpgrade::programs {

void Generator::choose_operations() {
  // Plain operators are always included, so that each kind has some operation.
  for (std::uint32_t i = 0; i < operations().size(); ++i) {
    const auto& operation = operations()[i];
    const bool off = operation.weight < 5 && random_.below(5) < 3;
    if (off || operation.architecture > architecture_) continue;
    auto& list = chosen_[static_cast<std::size_t>(operation.result)];
    list.insert(list.end(), operation.weight, i);
  }
}

std::string Generator::literal(Kind kind) {
  const auto value = edge_bits(random_, bits(kind));
  switch (kind) {
    case Kind::kPred:
      return value != 0 ? "true" : "false";
    case Kind::kF64:
      return fmt::format("make_f64({:#x}ull)", value);
    case Kind::kF16:
    case Kind::kBf16:
    case Kind::kF16x2:
    case Kind::kBf16x2:
    case Kind::kF32:
      return fmt::format("make_{}({:#x})", name(kind), value);
    default:
      return fmt::format("({}){:#x}{}", name(kind), value, bits(kind) == 64 ? "ull" : "u");
  }
}

// `word` is an expression of kind u32.
std::string Generator::converted(const std::string& word, Kind kind) {
  switch (kind) {
    case Kind::kPred:
      return fmt::format("(({} >> {}) & 1) != 0", word, random_.below(32));
    case Kind::kU64:
    case Kind::kS64:
      return fmt::format("({})((u64){} << {})", name(kind), word, random_.below(33));
    case Kind::kF64:
      return fmt::format("make_f64((u64){} << 32)", word);
    case Kind::kF16:
    case Kind::kBf16:
      return fmt::format("make_{}((u16){})", name(kind), word);
    case Kind::kF32:
    case Kind::kF16x2:
    case Kind::kBf16x2:
      return fmt::format("make_{}({})", name(kind), word);
    default:
      return fmt::format("({}){}", name(kind), word);
  }
}

std::string Generator::leaf(const Scope& scope, Kind kind) {
  std::vector<const Variable*> own;
  std::vector<const Variable*> words;
  for (const auto& variable : scope.readable) {
    if (variable.kind == kind) own.push_back(&variable);
    if (variable.kind == Kind::kU32) words.push_back(&variable);
  }
  const auto choice = random_.below(16);
  if (choice < 9 && !own.empty()) return random_.pick(own)->name;
  const bool constant = kind == Kind::kPred ? choice == 15 && random_.one_in(4) : choice > 13;
  if (constant || words.empty()) return literal(kind);
  const auto& word = random_.pick(words)->name;
  if (scope.in_function || random_.one_in(2)) {
    return kind == Kind::kU32 ? word : converted(word, kind);
  }
  const auto at = random_.below(kInputWords);
  if (kind == Kind::kU32 && random_.one_in(2)) return fmt::format("array[{} & 7]", word);
  if (kind == Kind::kF32 && random_.one_in(2)) return fmt::format("floats[{} & 3]", word);
  if (kind == Kind::kU8) return fmt::format("bytes[{} & 15]", word);
  if (is_integer(kind) || kind == Kind::kF32 || kind == Kind::kF64) {
    return fmt::format("((const {}*)in)[({} + {}) & {}]", name(kind), word, at,
                       kInputWords * 32 / bits(kind) - 1);
  }
  return converted(fmt::format("in[({} + {}) & {}]", word, at, kInputWords - 1), kind);
}

std::string Generator::expression(const Scope& scope, Kind kind, std::uint32_t depth) {
  const auto& list = chosen_[static_cast<std::size_t>(kind)];
  if (depth == 0 || list.empty() || random_.one_in(6)) return leaf(scope, kind);
  const std::size_t which = random_.pick(list);
  const auto& operation = operations()[which];
  std::vector<std::string> sources;
  for (const auto source : operation.sources) {
    sources.push_back(expression(scope, source, depth - 1));
  }
  if (operation.is_ptx) {
    program_.ptx.insert(which);
    auto text = ptx_function_name(which);
    for (std::size_t i = 0; i < sources.size(); ++i) text += (i == 0 ? "(" : ", ") + sources[i];
    return text + ")";
  }
  std::string text;
  for (std::size_t i = 0; i < operation.text.size(); ++i) {
    if (operation.text[i] == '$') {
      text += sources.at(static_cast<std::size_t>(operation.text[++i] - '0'));
    } else {
      text += operation.text[i];
    }
  }
  // Some intrinsics return an int, and narrow operands are promoted to it.
  if (is_integer(kind)) return fmt::format("(({})({}))", name(kind), text);
  return "(" + text + ")";
}

std::string Generator::expression(const Scope& scope, Kind kind) {
  return expression(scope, kind, 1 + random_.below(expression_depth_));
}

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

Scope Generator::inner(const Scope& scope) const {
  Scope result = scope;
  result.mask.clear();
  result.uniform = false;
  ++result.depth;
  ++result.indent;
  return result;
}

Scope Generator::outside() {
  Scope scope;
  scope.indent = 0;
  return scope;
}

void Generator::block(const Scope& scope, std::uint32_t count) {
  for (std::uint32_t i = 0; i < count; ++i) statement(scope);
}

void Generator::statement(const Scope& scope) {
  using Writer = void (Generator::*)(const Scope&);
  static const std::vector<Writer> kWriters = {
      &Generator::assignment,      &Generator::branch,         &Generator::loop,
      &Generator::jump_table,      &Generator::unstructured,   &Generator::uniform_flow,
      &Generator::leave,           &Generator::call_statement, &Generator::pointer_call,
      &Generator::array_store,     &Generator::own_memory,     &Generator::own_atomic,
      &Generator::sum_atomic,      &Generator::vector_load,    &Generator::shared_exchange,
      &Generator::global_exchange, &Generator::shared_atomics, &Generator::block_reduction,
      &Generator::block_vote,      &Generator::warp_exchange,  &Generator::shuffle,
      &Generator::raw_shuffle,     &Generator::vote,           &Generator::match,
      &Generator::warp_reduction,  &Generator::aggregated};
  if (statement_weights_.empty()) {
    for (std::size_t i = 0; i < kWriters.size(); ++i) {
      const bool basic = i < 3;
      const auto weight = random_.below(4);
      for (std::uint32_t k = 0; k < (basic ? 4 : 0) + weight; ++k) {
        statement_weights_.push_back(static_cast<std::uint32_t>(i));
      }
    }
  }
  (this->*kWriters[random_.pick(statement_weights_)])(scope);
}

void Generator::assignment(const Scope& scope) {
  for (auto count = 1 + random_.below(2); count > 0; --count) {
    const auto* to = target(scope, {});
    if (random_.one_in(4)) {
      line(scope, fmt::format("if ({}) {} = {};", condition(scope), to->name,
                              expression(scope, to->kind)));
    } else {
      line(scope, fmt::format("{} = {};", to->name, expression(scope, to->kind)));
    }
  }
}

void Generator::branch(const Scope& scope) {
  if (scope.depth > 2) return assignment(scope);
  Scope taken = inner(scope);
  Scope other = taken;
  std::string test = condition(scope);
  if (!scope.mask.empty() && random_.one_in(2)) {
    const auto decision = fresh("c");
    taken.mask = fresh("m");
    other.mask = fmt::format("({} & ~{})", scope.mask, taken.mask);
    line(scope, fmt::format("const bool {} = {};", decision, test));
    line(scope,
         fmt::format("const u32 {} = __ballot_sync({}, {});", taken.mask, scope.mask, decision));
    test = decision;
  }
  line(scope, fmt::format("if ({}) {{", test));
  block(taken, 1 + random_.below(2));
  if (random_.one_in(2)) {
    line(scope, "} else {");
    block(other, 1);
  }
  line(scope, "}");
}

void Generator::loop(const Scope& scope) {
  if (scope.depth > 2 || scope.loops > 1) return assignment(scope);
  if (!scope.mask.empty() && random_.one_in(2)) return masked_loop(scope);
  const auto counter = fresh("k");
  Scope body = inner(scope);
  ++body.loops;
  body.readable.push_back({Kind::kU32, counter});
  const auto form = random_.below(4);
  switch (form) {
    case 0:
      line(scope,
           fmt::format("for (u32 {0} = 0; {0} < ({1} & 7); ++{0}) {{", counter, index(scope)));
      break;
    case 1:
      line(scope, fmt::format("for (u32 {0} = {1} % 6; {0} > 0; --{0}) {{", counter, index(scope)));
      break;
    case 2:
      line(scope, fmt::format("for (u32 {0} = 0; {0} < 5; {0} += 1 + ({1} & 1)) {{", counter,
                              index(scope)));
      break;
    default:
      line(scope, fmt::format("u32 {} = 0;", counter));
      line(scope, "do {");
      break;
  }
  block(body, 1);
  if (random_.one_in(2)) {
    line(body,
         fmt::format("if ({}) {};", condition(body), random_.one_in(2) ? "break" : "continue"));
  }
  block(body, 1 + random_.below(2));
  line(scope, form < 3 ? "}" : fmt::format("}} while (++{} < ({} & 7));", counter, index(body)));
}

// A loop with a different trip count per lane, which tracks the lanes of each iteration.
void Generator::masked_loop(const Scope& scope) {
  const auto counter = fresh("k");
  const auto rounds = fresh("n");
  const auto mask = fresh("m");
  Scope body = inner(scope);
  ++body.loops;
  body.mask = mask;
  body.readable.push_back({Kind::kU32, counter});
  line(scope, fmt::format("const u32 {} = {} & 7;", rounds, index(scope)));
  line(scope, fmt::format("u32 {} = {};", mask, scope.mask));
  line(scope, fmt::format("for (u32 {0} = 0;; ++{0}) {{", counter));
  line(body, fmt::format("{0} = __ballot_sync({0}, {1} < {2});", mask, counter, rounds));
  line(body, fmt::format("if ({} >= {}) break;", counter, rounds));
  block(body, 1);
  if (random_.one_in(2)) {
    const auto done = fresh("c");
    line(body, fmt::format("const bool {} = {};", done, condition(body)));
    line(body, fmt::format("{0} = __ballot_sync({0}, !{1});", mask, done));
    line(body, fmt::format("if ({}) break;", done));
  }
  block(body, 1 + random_.below(2));
  line(scope, "}");
}

void Generator::jump_table(const Scope& scope) {
  if (scope.depth > 2) return assignment(scope);
  const auto cases = 4 + random_.below(5);
  Scope body = inner(scope);
  line(scope, fmt::format("switch ({} % {}) {{", index(scope), cases + random_.below(3)));
  for (std::uint32_t i = 0; i < cases; ++i) {
    const bool last = i + 1 == cases && random_.one_in(2);
    line(scope, last ? "default: {" : fmt::format("case {}: {{", i));
    if (random_.one_in(4)) {
      statement(body);
    } else {
      const auto* to = target(scope, {});
      line(body, fmt::format("{} = {};", to->name, expression(scope, to->kind)));
    }
    line(scope, random_.one_in(4) ? "}" : "} break;");
  }
  line(scope, "}");
}

// A block with two entries, neither of which dominates it, and jumps past it.
void Generator::unstructured(const Scope& scope) {
  if (scope.depth > 1) return branch(scope);
  const auto join = fresh("join");
  const Scope body = inner(scope);
  const auto part = [&] {
    line(scope, "{");
    statement(body);
    line(scope, "}");
  };
  const auto jump = [&] { line(body, fmt::format("if ({}) goto {};", condition(scope), join)); };
  line(scope, fmt::format("if ({}) {{", condition(scope)));
  part();
  jump();
  part();
  line(scope, "} else {");
  part();
  jump();
  line(scope, "}");
  part();
  if (random_.one_in(2)) {
    jump();
    part();
  }
  line(scope, fmt::format("{}:;", join));
}

// Branches and loops that are uniform across the block, so that they may contain barriers.
void Generator::uniform_flow(const Scope& scope) {
  if (!scope.uniform || scope.depth > 1) return branch(scope);
  Scope body = scope;
  ++body.depth;
  ++body.indent;
  const auto flag = fmt::format("in[{}] >> {}", random_.below(kInputWords), random_.below(30));
  if (random_.one_in(3)) {
    line(scope, fmt::format("if (__syncthreads_or({})) {{", condition(scope)));
  } else if (random_.one_in(2)) {
    line(scope, fmt::format("if (({} ^ blockIdx.x) & 1) {{", flag));
  } else {
    const auto counter = fresh("k");
    ++body.loops;
    body.readable.push_back({Kind::kU32, counter});
    line(scope, fmt::format("for (u32 {0} = 0; {0} < ({1} & 3); ++{0}) {{", counter, flag));
  }
  block(body, 1 + random_.below(3));
  line(scope, "}");
}

// Lets some threads exit. If warp functions follow, the other threads must know who is left.
void Generator::leave(const Scope& scope) {
  if (scope.in_function) return assignment(scope);
  const bool at_top = scope.depth == 0;
  if (exits_ > 2 || (!at_top && !deep_exits_)) return branch(scope);
  // Rare enough that enough threads keep working.
  const auto test =
      fmt::format("({}) && (({} ^ t) & 3) == {}", condition(scope), index(scope), random_.below(4));
  const auto stays = fresh("c");
  Scope body = inner(scope);
  if (!deep_exits_) {
    line(scope, fmt::format("const bool {} = !({});", stays, test));
    line(scope, fmt::format("alive = __ballot_sync(alive, {});", stays));
    line(scope, fmt::format("if (!{}) {{", stays));
  } else {
    line(scope, fmt::format("if ({}) {{", test));
  }
  finish(body, ++exits_);
  line(body, "return;");
  line(scope, "}");
}

}  // namespace warpgrade::programs
