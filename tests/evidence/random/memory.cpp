// SPDX-License-Identifier: Apache-2.0
// Statements on memory of a single thread (arrays, its structure in global and shared memory),
// atomics whose results no other thread can change, and vector loads of the input.
#include <fmt/format.h>

#include "tests/evidence/random/generator.h"

namespace warpgrade::programs {
namespace {

struct Member {
  Kind kind;
  const char* name;  // {} is the place of an array's index.
};

// Members of struct Own in the prelude. `e` is reserved for global_exchange().
const std::vector<Member> kMembers = {
    {Kind::kU32, "a"},        {Kind::kS32, "b"},   {Kind::kU64, "c"},    {Kind::kF32, "d"},
    {Kind::kF64, "f"},        {Kind::kF16x2, "h"}, {Kind::kBf16x2, "k"}, {Kind::kU16, "n[{} & 3]"},
    {Kind::kU8, "m[{} & 7]"}, {Kind::kU32, "v.y"}, {Kind::kF32, "w.z"}};

struct Atomic {
  Kind kind;
  const char* text;  // {0} is the address of the thread's structure, {1} and {2} are values.
};

const std::vector<Atomic> kAtomics = {
    {Kind::kU32, "atomicAdd(&{0}->a, {1})"},      {Kind::kU32, "atomicSub(&{0}->a, {1})"},
    {Kind::kU32, "atomicExch(&{0}->a, {1})"},     {Kind::kU32, "atomicMin(&{0}->a, {1})"},
    {Kind::kU32, "atomicMax(&{0}->a, {1})"},      {Kind::kU32, "atomicInc(&{0}->a, {1})"},
    {Kind::kU32, "atomicDec(&{0}->a, {1})"},      {Kind::kU32, "atomicAnd(&{0}->a, {1})"},
    {Kind::kU32, "atomicOr(&{0}->a, {1})"},       {Kind::kU32, "atomicXor(&{0}->a, {1})"},
    {Kind::kU32, "atomicCAS(&{0}->a, {1}, {2})"}, {Kind::kU32, "atomicCAS(&{0}->a, {0}->a, {2})"},
    {Kind::kS32, "atomicAdd(&{0}->b, {1})"},      {Kind::kS32, "atomicMin(&{0}->b, {1})"},
    {Kind::kS32, "atomicMax(&{0}->b, {1})"},      {Kind::kS32, "atomicCAS(&{0}->b, {1}, {2})"},
    {Kind::kU64, "atomicAdd(&{0}->c, {1})"},      {Kind::kU64, "atomicExch(&{0}->c, {1})"},
    {Kind::kU64, "atomicMin(&{0}->c, {1})"},      {Kind::kU64, "atomicMax(&{0}->c, {1})"},
    {Kind::kU64, "atomicXor(&{0}->c, {1})"},      {Kind::kU64, "atomicCAS(&{0}->c, {0}->c, {2})"},
    {Kind::kF32, "atomicAdd(&{0}->d, {1})"},      {Kind::kF32, "atomicExch(&{0}->d, {1})"},
    {Kind::kF64, "atomicAdd(&{0}->f, {1})"},      {Kind::kF16x2, "atomicAdd(&{0}->h, {1})"},
    {Kind::kBf16x2, "atomicAdd(&{0}->k, {1})"},   {Kind::kU16, "atomicCAS(&{0}->n[1], {1}, {2})"},
};

// Each word of `sums` always has the same operation, so that the order of threads does not matter.
// {0} is a word.
const std::vector<const char*> kSumTexts = {
    "atomicAdd(&sums[0], {0})",
    "atomicMax(&sums[1], {0})",
    "atomicMin(&sums[2], {0})",
    "atomicAnd(&sums[3], {0} | 0xff00ff00u)",
    "atomicOr(&sums[4], {0} & 0x00ff00ffu)",
    "atomicXor(&sums[5], {0})",
    "atomicMax((s32*)&sums[6], (s32){0})",
    "atomicMin((s32*)&sums[7], (s32){0})",
    "atomicInc(&sums[8], 100)",
    "atomicDec(&sums[9], 77)",
    "atomicAdd((f32*)&sums[10], (f32)({0} & 15))",
    "atomicSub(&sums[11], {0})",
    "atomicAdd((u64*)&sums[12], (u64){0} << 5)",
    "atomicMax((u64*)&sums[14], (u64){0} * 12345678901ull)",
    "atomicXor((u64*)&sums[16], (u64){0} * 12345678901ull)",
    "atomicAdd((f64*)&sums[18], (f64){0})",
    "atomicAdd((f16x2*)&sums[20], make_f16x2(0x80000000u))",
    "atomicExch(&sums[21], 0x12345678u)",
};

}  // namespace

std::vector<std::uint32_t> first_sums() {
  std::vector<std::uint32_t> words(kSums);
  for (std::uint32_t i = 0; i < kSums; ++i) words[i] = 0x9e3779b9U * (i + 1);
  for (const auto zero : {10U, 18U, 19U, 20U}) words[zero] = 0;
  return words;
}

void Generator::array_store(const Scope& scope) {
  if (scope.in_function) return assignment(scope);
  switch (random_.below(3)) {
    case 0:
      return line(scope,
                  fmt::format("array[{} & 7] = {};", index(scope), expression(scope, Kind::kU32)));
    case 1:
      return line(scope,
                  fmt::format("floats[{} & 3] = {};", index(scope), expression(scope, Kind::kF32)));
    default:
      return line(scope,
                  fmt::format("bytes[{} & 15] = {};", index(scope), expression(scope, Kind::kU8)));
  }
}

std::string Generator::own_address(const Scope& scope) {
  switch (random_.below(3)) {
    case 0:
      return "(own + g)";
    case 1:
      return "(own_shared + t)";
    default:
      break;
  }
  const auto pointer = fresh("p");
  line(scope, fmt::format("Own* {} = {} ? own + g : own_shared + t;", pointer, condition(scope)));
  return pointer;
}

void Generator::own_memory(const Scope& scope) {
  if (scope.in_function) return assignment(scope);
  const auto address = own_address(scope);
  if (random_.one_in(3)) {
    if (random_.one_in(2)) {
      line(scope, fmt::format("{}->v = make_uint4({}, {}, {}, 5);", address, index(scope),
                              index(scope), index(scope)));
    } else {
      line(scope, fmt::format("{}->w = make_float4({}, 1.5f, {}, -0.0f);", address,
                              expression(scope, Kind::kF32, 1), expression(scope, Kind::kF32, 1)));
    }
    const auto* to = target(scope, {Kind::kU32});
    line(scope, fmt::format("{} += {}->v.x ^ word({}->w.x);", to->name, address, address));
  }
  for (int i = 0; i < 2; ++i) {
    const auto& member = random_.pick(kMembers);
    const auto place =
        fmt::format("{}->{}", address, fmt::format(fmt::runtime(member.name), index(scope)));
    const auto* to = target(scope, {member.kind});
    if (i == 0 || to == nullptr) {
      line(scope, fmt::format("{} = {};", place, expression(scope, member.kind)));
    } else {
      line(scope, fmt::format("{} = {};", to->name, place));
    }
  }
}

void Generator::own_atomic(const Scope& scope) {
  if (scope.in_function) return assignment(scope);
  const auto& atomic = random_.pick(kAtomics);
  const auto address = own_address(scope);
  const auto text =
      fmt::format(fmt::runtime(atomic.text), address, expression(scope, atomic.kind, 2),
                  expression(scope, atomic.kind, 1));
  const auto* to = target(scope, {atomic.kind});
  if (to != nullptr) return line(scope, fmt::format("{} = {};", to->name, text));
  to = target(scope, {Kind::kU32});
  line(scope, fmt::format("{0} = rotated({0}, word({1}));", to->name, text));
}

void Generator::sum_atomic(const Scope& scope) {
  if (scope.in_function) return assignment(scope);
  line(scope,
       fmt::format(fmt::runtime(random_.pick(kSumTexts)), expression(scope, Kind::kU32)) + ";");
}

void Generator::vector_load(const Scope& scope) {
  if (scope.in_function) return assignment(scope);
  struct Vector {
    const char* type;
    std::uint32_t bytes;
    Kind kind;
    const char* last;
  };
  static const std::vector<Vector> kVectors = {
      {"uint2", 8, Kind::kU32, "y"},      {"uint4", 16, Kind::kU32, "w"},
      {"int4", 16, Kind::kS32, "z"},      {"float2", 8, Kind::kF32, "y"},
      {"float4", 16, Kind::kF32, "w"},    {"double2", 16, Kind::kF64, "y"},
      {"ushort4", 8, Kind::kU16, "w"},    {"short2", 4, Kind::kS16, "y"},
      {"uchar4", 4, Kind::kU8, "z"},      {"char4", 4, Kind::kS8, "w"},
      {"ulonglong2", 16, Kind::kU64, "y"}};
  const auto& vector = random_.pick(kVectors);
  const auto loaded = fresh("v");
  line(scope, fmt::format("const {0} {1} = ((const {0}*)in)[{2} & {3}];", vector.type, loaded,
                          index(scope), kInputWords * 4 / vector.bytes - 1));
  for (const auto* part : {"x", vector.last}) {
    const auto* to = target(scope, {vector.kind});
    if (to != nullptr) {
      line(scope, fmt::format("{} = {}.{};", to->name, loaded, part));
    } else {
      to = target(scope, {Kind::kU32});
      line(scope, fmt::format("{} ^= word(({}){}.{});", to->name, name(vector.kind), loaded, part));
    }
  }
}

}  // namespace warpgrade::programs
