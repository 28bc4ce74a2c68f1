// SPDX-License-Identifier: Apache-2.0
// Statements in which threads cooperate: barriers, shared memory, warp functions.
//
// Threads write and read a block's memory in phases, with barriers before and between them. A warp
// function names the lanes that are known to execute it. A value that it takes from any other lane
// is discarded.
#include <fmt/format.h>

#include <bit>
#include <numeric>

#include "tests/evidence/random/generator.h"

namespace warpgrade::programs {

void Generator::shared_exchange(const Scope& scope) {
  if (!scope.uniform) return assignment(scope);
  struct Array {
    const char* name;
    Kind kind;
  };
  static const std::vector<Array> kArrays = {{"words", Kind::kU32},
                                             {"wides", Kind::kU64},
                                             {"reals", Kind::kF32},
                                             {"smalls", Kind::kU8},
                                             {"pairs", Kind::kF16x2}};
  const auto& array = random_.pick(kArrays);
  std::uint32_t stride = 1 + random_.below(threads_);
  while (std::gcd(stride, threads_) != 1) ++stride;
  line(scope, "__syncthreads();");
  line(scope, fmt::format("{}[t * {} % {}] = {};", array.name, stride, threads_,
                          expression(scope, array.kind)));
  line(scope, "__syncthreads();");
  for (auto reads = 1 + random_.below(2); reads > 0; --reads) {
    const auto read = fmt::format("{}[{} % {}]", array.name, index(scope), threads_);
    const auto* to = target(scope, {array.kind});
    if (to != nullptr) {
      line(scope, fmt::format("{} = {};", to->name, read));
    } else {
      to = target(scope, {Kind::kU32});
      line(scope, fmt::format("{0} = rotated({0}, word({1}));", to->name, read));
    }
  }
}

void Generator::global_exchange(const Scope& scope) {
  if (!scope.uniform) return assignment(scope);
  const auto* to = target(scope, {Kind::kU32});
  line(scope, "__syncthreads();");
  line(scope, fmt::format("own[g].e = {};", expression(scope, Kind::kU32)));
  line(scope, "__syncthreads();");
  line(scope, fmt::format("{0} = rotated({0}, own[g - t + {1} % {2}].e);", to->name, index(scope),
                          threads_));
}

void Generator::shared_atomics(const Scope& scope) {
  if (!scope.uniform) return assignment(scope);
  static const std::vector<const char*> kTexts = {
      "atomicAdd(&counters[{1} & 7], {0})", "atomicMax(&counters[{1} & 7], {0})",
      "atomicMin(&counters[{1} & 7], {0})", "atomicXor(&counters[{1} & 7], {0})",
      "atomicOr(&counters[{1} & 7], {0})",  "atomicAdd(&counters[{1} & 1], 1)",
      "atomicInc(&counters[{1} & 3], 9)",   "atomicMin((s32*)&counters[{1} & 7], (s32){0})"};
  const auto* to = target(scope, {Kind::kU32});
  line(scope, "__syncthreads();");
  const auto update =
      fmt::format(fmt::runtime(random_.pick(kTexts)), expression(scope, Kind::kU32), index(scope)) +
      ";";
  line(scope, random_.one_in(2) ? update : fmt::format("if ({}) {}", condition(scope), update));
  line(scope, "__syncthreads();");
  line(scope, fmt::format("{} ^= counters[{} & 7];", to->name, index(scope)));
}

void Generator::block_reduction(const Scope& scope) {
  if (!scope.uniform) return assignment(scope);
  const bool real = random_.one_in(2);
  const auto* array = real ? "reals" : "words";
  const auto kind = real ? Kind::kF32 : Kind::kU32;
  const auto step = fresh("s");
  line(scope, "__syncthreads();");
  line(scope, fmt::format("{}[t] = {};", array, expression(scope, kind)));
  Scope body = inner(scope);
  body.readable = {{kind, fmt::format("{}[t]", array)},
                   {kind, fmt::format("{}[t + {}]", array, step)},
                   {kind, fmt::format("{}[t + {}]", array, step)}};
  body.in_function = true;
  line(scope, fmt::format("for (u32 {0} = {1}; {0} > 0; {0} >>= 1) {{", step,
                          std::bit_ceil(threads_) / 2));
  line(body, "__syncthreads();");
  line(body, fmt::format("if (t < {0} && t + {0} < {1}) {2}[t] = {3};", step, threads_, array,
                         expression(body, kind, 2)));
  line(scope, "}");
  line(scope, "__syncthreads();");
  const auto* to = target(scope, {Kind::kU32});
  line(scope, fmt::format("{} += word({}[{} & 1 ? 0 : t]);", to->name, array, index(scope)));
}

void Generator::block_vote(const Scope& scope) {
  if (!scope.uniform) return assignment(scope);
  static const std::vector<const char*> kVotes = {"count", "and", "or"};
  const auto* to = target(scope, {Kind::kU32});
  line(scope, fmt::format("{0} = rotated({0}, __syncthreads_{1}({2}));", to->name,
                          random_.pick(kVotes), condition(scope)));
}

void Generator::warp_exchange(const Scope& scope) {
  if (scope.mask.empty()) return assignment(scope);
  const auto* to = target(scope, {Kind::kU32});
  line(scope, fmt::format("__syncwarp({});", scope.mask));
  line(scope, fmt::format("warp_words[t] = {};", expression(scope, Kind::kU32)));
  line(scope, fmt::format("__syncwarp({});", scope.mask));
  line(scope, fmt::format("{0} = rotated({0}, warp_words[t - lane + lane_of({1}, {2})]);", to->name,
                          scope.mask, index(scope)));
  line(scope, fmt::format("__syncwarp({});", scope.mask));
}

void Generator::shuffle(const Scope& scope) {
  if (scope.mask.empty()) return assignment(scope);
  static const std::vector<Kind> kShuffled = {Kind::kU32, Kind::kS32, Kind::kU64,   Kind::kS64,
                                              Kind::kF32, Kind::kF64, Kind::kF16x2, Kind::kBf16};
  const auto kind = random_.pick(kShuffled);
  const auto value = fresh("v");
  const auto from = fresh("j");
  const auto width = random_.one_in(2) ? 32 : 1U << random_.below(6);
  const auto distance = fresh("d");
  const auto got = fresh("x");
  line(scope, fmt::format("const {} {} = {};", name(kind), value, expression(scope, kind)));
  line(scope, fmt::format("const u32 {} = {} & 31;", distance, index(scope)));
  const auto low = fmt::format("(lane & ~{}u)", width - 1);
  const auto high = fmt::format("(lane | {}u)", width - 1);
  std::string source;
  std::string function = "__shfl_sync";
  switch (random_.below(4)) {
    case 0:
      source = fmt::format("{} | ({} & {})", low, distance, width - 1);
      break;
    case 1:
      function = "__shfl_up_sync";
      source = fmt::format("lane >= {0} + {1} ? lane - {0} : lane", distance, low);
      break;
    case 2:
      function = "__shfl_down_sync";
      source = fmt::format("lane + {0} <= {1} ? lane + {0} : lane", distance, high);
      break;
    default:
      function = "__shfl_xor_sync";
      source = fmt::format("(lane ^ {0}) <= {1} ? lane ^ {0} : lane", distance, high);
      break;
  }
  line(scope, fmt::format("const u32 {} = {};", from, source));
  line(scope, fmt::format("const {} {} = {}({}, {}, {}, {});", name(kind), got, function,
                          scope.mask, value, distance, width));
  const auto taken = fmt::format("({0} >> {1} & 1 ? {2} : {3})", scope.mask, from, got, value);
  const auto* to = target(scope, {kind});
  if (to != nullptr) return line(scope, fmt::format("{} = {};", to->name, taken));
  to = target(scope, {Kind::kU32});
  line(scope, fmt::format("{0} = rotated({0}, word({1}));", to->name, taken));
}

void Generator::raw_shuffle(const Scope& scope) {
  if (scope.mask.empty()) return assignment(scope);
  static const std::vector<const char*> kModes = {"up", "down", "bfly", "idx"};
  const auto* to = target(scope, {Kind::kU32});
  line(scope, fmt::format("{} = shuffled_{}({}, {}, {}, {}, lane);", to->name, random_.pick(kModes),
                          scope.mask, expression(scope, Kind::kU32), index(scope), index(scope)));
}

void Generator::vote(const Scope& scope) {
  if (scope.mask.empty()) return assignment(scope);
  static const std::vector<const char*> kVotes = {"all", "any", "uni", "ballot"};
  const auto* to = target(scope, {Kind::kU32});
  line(scope, fmt::format("{0} = rotated({0}, __{1}_sync({2}, {3}));", to->name,
                          random_.pick(kVotes), scope.mask, condition(scope)));
}

void Generator::match(const Scope& scope) {
  if (scope.mask.empty()) return assignment(scope);
  const auto* to = target(scope, {Kind::kU32});
  const auto kind = random_.one_in(2) ? Kind::kU32 : Kind::kU64;
  // Few distinct values, so that some match.
  const auto value = fmt::format("{} & {}", expression(scope, kind), random_.below(4));
  if (random_.one_in(2)) {
    return line(scope, fmt::format("{0} = rotated({0}, __match_any_sync({1}, {2}));", to->name,
                                   scope.mask, value));
  }
  const auto all = fresh("p");
  line(scope, fmt::format("int {};", all));
  line(scope, fmt::format("{0} = rotated({0}, __match_all_sync({1}, {2}, &{3}));", to->name,
                          scope.mask, value, all));
  line(scope, fmt::format("{} += {};", to->name, all));
}

void Generator::warp_reduction(const Scope& scope) {
  if (scope.mask.empty()) return assignment(scope);
  const auto* to = target(scope, {Kind::kU32});
  if (architecture_ >= 80 && random_.one_in(2)) {
    static const std::vector<const char*> kReductions = {
        "__reduce_add_sync({0}, {1})",           "__reduce_min_sync({0}, {1})",
        "__reduce_max_sync({0}, {1})",           "__reduce_and_sync({0}, {1})",
        "__reduce_xor_sync({0}, {1})",           "__reduce_or_sync({0}, {1})",
        "(u32)__reduce_min_sync({0}, (s32){1})", "(u32)__reduce_max_sync({0}, (s32){1})"};
    return line(scope, fmt::format("{} = {};", to->name,
                                   fmt::format(fmt::runtime(random_.pick(kReductions)), scope.mask,
                                               expression(scope, Kind::kU32))));
  }
  const auto kind = random_.one_in(2) ? Kind::kF32 : Kind::kU64;
  const auto sum = fresh("x");
  const auto step = fresh("d");
  const auto other = fresh("y");
  Scope body = inner(scope);
  line(scope, fmt::format("{} {} = {};", name(kind), sum, expression(scope, kind)));
  line(scope, fmt::format("for (u32 {0} = 1; {0} < 32; {0} *= 2) {{", step));
  line(body, fmt::format("const {} {} = __shfl_up_sync({}, {}, {});", name(kind), other, scope.mask,
                         sum, step));
  line(body, fmt::format("if (lane >= {0} && ({1} >> (lane - {0}) & 1)) {2} = {3};", step,
                         scope.mask, sum,
                         random_.one_in(2) ? fmt::format("{} + {}", sum, other)
                                           : fmt::format("{0} < {1} ? {0} : {1}", sum, other)));
  line(scope, "}");
  line(scope, fmt::format("{} ^= word({});", to->name, sum));
}

// The usual warp-aggregated atomic for the lanes that are active. Only the total is defined.
void Generator::aggregated(const Scope& scope) {
  if (scope.in_function) return assignment(scope);
  const auto together = fresh("m");
  line(scope, "{");
  line(scope, fmt::format("  const u32 {} = __activemask();", together));
  line(scope,
       fmt::format("  if (lane == __ffs({0}) - 1) atomicAdd(&sums[22], __popc({0}));", together));
  line(scope, "}");
}

}  // namespace warpgrade::programs
