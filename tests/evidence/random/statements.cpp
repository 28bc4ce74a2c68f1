// SPDX-License-Identifier: Apache-2.0
// Assignments and control flow.
#include <fmt/format.h>

#include "tests/evidence/random/generator.h"

namespace warpgrade::programs {

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
