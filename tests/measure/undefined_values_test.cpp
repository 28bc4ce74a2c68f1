// SPDX-License-Identifier: Apache-2.0
#include "common/measure/undefined_values.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "common/base/finding_text.h"
#include "common/compile/compiler.h"
#include "common/device/profile.h"
#include "common/measure/sim_bench.h"

namespace warpgrade::measure::undefined_values_test {

// Copying padding bytes is not a finding; using an uninitialised member is one.

// The kinds of the findings in a kernel `kernel(char* out, int one)`, run by 64 threads with `one`
// = 1.
std::vector<std::string> found_in(const std::string& types, const std::string& body) {
  compile::CompileRequest request;
  request.file = "k.cu";
  request.source = types + "\nextern \"C\" __global__ void kernel(char* out, int one) {\n" +
                   "  const int t = threadIdx.x;\n" + body + "}\n";
  const auto compiled = compile::compile(request);
  if (!std::holds_alternative<compile::Program>(compiled)) return {"compile_error"};
  run::Launch launch;
  launch.kernel = "kernel";
  launch.block.x = 64;
  launch.arguments = {run::BufferArgument{0},
                      run::ValueArgument{std::byte{1}, std::byte{}, std::byte{}, std::byte{}}};
  std::vector<run::Buffer> buffers = {{"out", std::vector<std::byte>(4096), 4, false, true}};
  const auto bench = sim_bench(device::find("h200"));
  const auto measured =
      bench->measure(std::get<compile::Program>(compiled), launch, buffers, run::Options());
  std::vector<std::string> found;
  for (const auto& each : measured.result.diagnostics) found.emplace_back(base::name(each.kind));
  return found;
}

// Each body fills an element of type T with `fill` and copies an element to `out`: another thread's
// element from shared memory, or the thread's own from the heap or from a local array.
std::string in_shared(const std::string& fill) {
  return "  __shared__ T s[64];\n" + fill + "  __syncthreads();\n  ((T*)out)[t] = s[63 - t];\n";
}
std::string in_global(const std::string& fill) {
  return "  T* s = (T*)malloc(2 * sizeof(T));\n  if (s == nullptr) return;\n  s += one;\n" + fill +
         "  ((T*)out)[t] = *s;\n";
}
std::string in_local(const std::string& fill) {
  return "  T s[4];\n  for (int k = 0; k < 4; ++k) {\n" + fill + "  }\n" +
         "  ((T*)out)[t] = s[(t + one) % 4];\n";
}

struct Padded {
  std::string type;
  std::vector<std::string> members;  // Assignments to members.
};

const std::vector<Padded>& padded() {
  static const std::vector<Padded> all = {
      {"struct T { double a; int b; };", {"a = t;", "b = t + 1;"}},
      {"struct alignas(16) T { float a, b, c; };", {"a = t;", "b = 1;", "c = 2;"}},
      {"struct T { float a; short b; };", {"a = t;", "b = 3;"}},
      {"struct T { char a; double b; };", {"a = t;", "b = 3;"}},
      {"struct T { char a; int b; char c; };", {"a = t;", "b = 3;", "c = 4;"}},
      {"struct alignas(16) T { double a; };", {"a = t;"}},
      {"struct T { long long a; short b; char c; };", {"a = t;", "b = 3;", "c = 1;"}},
      {"union T { int a; double b; };", {"a = t;"}},
      {"union T { char a; long long b; };", {"a = t;"}},
      {"struct T { unsigned a : 3, b : 7; };", {"a = t;", "b = 5;"}},
      {"struct T { unsigned a : 3; int c; unsigned long long b : 40; };",
       {"a = t;", "b = 5;", "c = 6;"}},
  };
  return all;
}

std::string filled(const Padded& one, const std::string& element) {
  std::string out;
  for (const auto& member : one.members) out += "  " + element + "." + member + "\n";
  return out;
}

TEST(StoredGarbage, PaddingThatIsCopiedIsNoFinding) {
  for (const auto& one : padded()) {
    EXPECT_TRUE(found_in(one.type, in_shared(filled(one, "s[t]"))).empty())
        << "shared " << one.type;
    EXPECT_TRUE(found_in(one.type, in_global(filled(one, "(*s)"))).empty()) << "heap " << one.type;
    EXPECT_TRUE(found_in(one.type, in_local(filled(one, "s[(k * 3 + one) % 4]"))).empty())
        << "local " << one.type;
  }
}

TEST(StoredGarbage, PaddingThatGoesFromElementToElementIsNoFinding) {
  const std::string reduced =
      "  __shared__ T s[64];\n  s[t].a = 64 - t;\n  s[t].b = t;\n  __syncthreads();\n"
      "  for (int d = 32; d > 0; d /= 2) {\n"
      "    if (t < d && s[t + d].a < s[t].a) s[t] = s[t + d];\n    __syncthreads();\n  }\n"
      "  if (t == 0) *(T*)out = s[0];\n";
  EXPECT_TRUE(found_in("struct T { double a; int b; };", reduced).empty());
  EXPECT_TRUE(found_in("struct T { float a; short b; };", reduced).empty());
}

const std::vector<std::string> kRead = {"uninitialized_read"};

TEST(StoredGarbage, AMemberThatIsUsedIsAFinding) {
  const std::string type = "struct T { double a; int b; };";
  const std::string fill = "  s[t].a = t;\n  __syncthreads();\n";
  const std::string uses[] = {
      "((int*)out)[t] = s[63 - t].b;",
      "((int*)out)[t] = s[63 - t].b + 1;",
      "((int*)out)[t] = s[63 - t].b > 0;",
      "if (s[63 - t].b == 0) ((int*)out)[t] = 1;",
      "if (s[63 - t].b < 0) ((int*)out)[t] = 1;",
      "((int*)out)[s[63 - t].b & 63] = 1;",
      "atomicAdd((int*)out, s[63 - t].b);",
      "atomicMax((int*)out, s[63 - t].b);",
      "T mine = s[63 - t]; mine.b += 1; ((T*)out)[t] = mine;",
      "T mine = s[63 - t]; mine.b *= 2; ((T*)out)[t] = mine;",
      "((double*)out)[t] = s[63 - t].a + s[63 - t].b;",
  };
  for (const auto& use : uses) {
    EXPECT_EQ(kRead, found_in(type, "  __shared__ T s[64];\n" + fill + use + "\n")) << use;
  }
}

TEST(StoredGarbage, AMemberIsUsedAfterItsStructWasCopied) {
  EXPECT_EQ(kRead, found_in("struct T { double a; int b; };",
                            "  __shared__ T s[64], r[64];\n  s[t].a = t;\n  __syncthreads();\n"
                            "  r[t] = s[63 - t];\n  __syncthreads();\n"
                            "  ((int*)out)[t] = r[63 - t].b;\n"));
}

TEST(StoredGarbage, AWholeElementIsAFinding) {
  for (const std::string type : {"float", "int", "double", "char", "short", "float2", "float4"}) {
    const auto body = "  __shared__ " + type + " s[64];\n  if (t < 40) s[t] = " + type +
                      "();\n  __syncthreads();\n  ((" + type + "*)out)[t] = s[63 - t];\n";
    EXPECT_EQ(kRead, found_in("", body)) << type;
  }
}

TEST(StoredGarbage, AnElementOfAVectorOfFloatsIsAFinding) {
  EXPECT_EQ(kRead, found_in("",
                            "  __shared__ float s[64];\n  if (t < 40) s[t] = 1;\n"
                            "  __syncthreads();\n"
                            "  ((float2*)out)[t] = make_float2(t, s[63 - t]);\n"));
}

TEST(StoredGarbage, AByteOfAnUnrolledCopyIsAFinding) {
  EXPECT_EQ(kRead,
            found_in("",
                     "  __shared__ char s[256];\n  s[4 * t] = s[4 * t + 1] = s[4 * t + 2] = 1;\n"
                     "  __syncthreads();\n#pragma unroll\n"
                     "  for (int k = 0; k < 4; ++k) out[4 * t + k] = s[4 * (63 - t) + k];\n"));
}

}  // namespace warpgrade::measure::undefined_values_test

namespace warpgrade::measure::undefined_values_test_too {

// An undefined value is a finding only if it changes the result.

using testing::HasSubstr;

constexpr std::uint32_t kThreads = 64;
constexpr std::uint32_t kBlocks = 3;
constexpr std::uint32_t kElements = kThreads * kBlocks;

// The findings in a kernel `kernel(float* out, const float* in, int n)` with this body, as
// "uninitialized_read 5: reads ...". The body begins in line 4; t is the thread's index in its
// block, i its index in the grid. `in` holds -95 to 96, and n is 192.
std::vector<std::string> found_in(const std::string& body, const std::string& before = {},
                                  std::uint64_t budget = run::Options().launch_budget) {
  compile::CompileRequest request;
  request.file = "k.cu";
  request.source = before +
                   "\nextern \"C\" __global__ void kernel(float* out, const float* in, int n) {\n"
                   "  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;\n" +
                   body + "}\n";
  const auto compiled = compile::compile(request);
  const auto& program = std::get<compile::Program>(compiled);
  run::Launch launch;
  launch.kernel = "kernel";
  launch.grid.x = kBlocks;
  launch.block.x = kThreads;
  run::ValueArgument n(sizeof kElements);
  std::memcpy(n.data(), &kElements, sizeof kElements);
  launch.arguments = {run::BufferArgument{0}, run::BufferArgument{1}, n};
  std::vector<run::Buffer> buffers = {
      {"out", std::vector<std::byte>(4 * kElements, std::byte{0x5a}), 4, false, false},
      {"in", std::vector<std::byte>(4 * kElements), 4, true, true},
  };
  for (std::uint32_t i = 0; i < kElements; ++i) {
    const auto value = static_cast<float>(i) - 95;
    std::memcpy(buffers[1].bytes.data() + std::size_t{4} * i, &value, sizeof value);
  }
  const auto before_launch = buffers;
  const auto bench = sim_bench(device::find("h200"));
  run::Options options;
  options.launch_budget = budget;
  const auto measured = bench->measure(program, launch, buffers, options, [&](bool inputs_too) {
    auto made = before_launch;
    if (!inputs_too) made[1].bytes.clear();
    return made;
  });
  const auto is_modified = [](const base::Diagnostic& each) {
    return each.kind == base::DiagnosticKind::kInputModified;
  };
  const auto& all = measured.result.diagnostics;
  EXPECT_EQ(std::none_of(all.begin(), all.end(), is_modified),
            before_launch[1].bytes == buffers[1].bytes);
  std::vector<std::string> found;
  for (const auto& each : measured.result.diagnostics) {
    found.push_back(std::string(base::name(each.kind)) + " " + std::to_string(each.where.line) +
                    ": " + base::text(each));
  }
  return found;
}

void expect_read(const std::string& start, const std::string& body,
                 const std::string& before = {}) {
  const auto found = found_in(body, before);
  ASSERT_EQ(1U, found.size()) << body << (found.empty() ? "" : found[0]);
  EXPECT_EQ("uninitialized_read " + start, found[0].substr(0, 19 + start.size()));
}

void expect_nothing(const std::string& body) {
  for (const auto& found : found_in(body)) ADD_FAILURE() << found;
}

TEST(UndefinedValues, ASumThatBeginsWithNothing) {
  expect_read(
      "6: a variable is read here before it has a value, so the result is undefined. Variables are "
      "not zero-initialized: initialize it in its declaration, for example float sum = 0",
      "  float sum;\n  for (int k = i; k < n; k += 64)\n    sum += in[k];\n  out[i] = sum;\n");
}

// Hides the value from the compiler, which would otherwise fold operations on an undefined value to
// constants.
const std::string kVeil = "  asm volatile(\"\" : \"+f\"(v));";

// For many of these expressions, NaN or zero happens to give the right result.
TEST(UndefinedValues, WhateverIsMadeOfThem) {
  const std::string values[] = {"fmaxf(v, 1)", "fminf(v, 1)", "fmaxf(v, -1)", "fminf(v, -1)",
                                "v * 2",       "v == 0",      "v < 1",        "v != v"};
  for (const auto& value : values) {
    expect_read("5:", "  float v; if (in[i] > 0) v = in[n - 1 - i];\n" + kVeil +
                          "  out[i] = " + value + ";\n");
  }
  const std::string whole[] = {"max(w, 1)", "min(w, 1)", "max(w, -1)", "min(w, -1)", "w & 1",
                               "w == 0",    "w | 6",     "w ^ 1",      "w < 0",      "!w"};
  for (const auto& value : whole) {
    expect_read("5:", "  float v; if (in[i] > 0) v = in[n - 1 - i];\n" + kVeil +
                          "  const int w = __float_as_int(v); out[i] = " + value + ";\n");
  }
}

// The value does not matter, so a limit must not cause a finding about it. Either the launch itself
// exceeds the limit, or the result is right.
TEST(UndefinedValues, FurtherRunsUseUpTheLimitOnWork) {
  const auto body = "  float v; if (in[i] > 0) v = in[n - 1 - i];\n" + kVeil +
                    "\n  out[i] = in[i] > 0 ? v : 0;\n";
  std::vector<std::string> all;
  for (std::uint64_t budget = 1000; budget < 100'000; budget += budget / 4) {
    const auto found = found_in(body, {}, budget);
    const auto has = [&](const char* words) {
      return !found.empty() && found[0].find(words) != std::string::npos;
    };
    const std::string kind = found.empty() ? "right" : has("runaway") ? "launch" : found[0];
    if (all.empty() || all.back() != kind) all.push_back(kind);
  }
  EXPECT_THAT(all, testing::ElementsAre("launch", "right"));
}

TEST(UndefinedValues, AnIndexIsToldBeforeWhatItLeadsTo) {
  const auto found = found_in("  float v; if (in[i] > 0) v = in[n - 1 - i];\n" + kVeil +
                              "\n  out[__float_as_int(v) & 0xfffff] = in[i];\n");
  ASSERT_EQ(2U, found.size());
  EXPECT_THAT(found[0], HasSubstr("uninitialized_read 6:"));
  EXPECT_THAT(found[1], HasSubstr("out_of_bounds 6:"));
}

TEST(UndefinedValues, InAFunctionThatIsCalled) {
  expect_read("3:", "  out[i] = sum(in, i, n);\n",
              "__noinline__ __device__ float sum(const float* in, int i, int n) {\n  float sum; "
              "for (int k = i; k < n; k += 64)\nsum += in[k];\n  return sum; }");
}

TEST(UndefinedValues, OneThatIsThrownAwayIsNoFinding) {
  expect_nothing(
      "  float v; if (in[i] > 0) v = in[n - 1 - i];\n  __syncthreads();\n"
      "  out[i] = 0; if (in[i] > 0) out[i] = v;\n");
}

// Both registers are read too early. One of the reads is harmless.
TEST(UndefinedValues, OnlyTheRegisterThatMattersIsTold) {
  expect_read("8:",
              "  float u, v; if (in[i] > 0) { u = in[i / 2]; v = in[n - 1 - i]; }\n"
              "  asm volatile(\"\" : \"+f\"(u));\n"
              "  if (in[i] > 0) out[i] = u;\n" +
                  kVeil + "\n  if (in[i] <= 0) out[i] = v;\n");
}

TEST(UndefinedValues, AShuffleFromALaneThatIsNotThere) {
  const std::string start =
      "  const unsigned here = __ballot_sync(~0u, t % 32 < 20);\n  if (t % 32 < 20) {\n"
      "  float v = in[i];\n";
  expect_read("8:", start +
                        "  for (int d = 16; d; d /= 2)\n  v += __shfl_down_sync(here, v, d);\n"
                        "  if (t % 32 == 0) out[i / 32] = v; }\n");
  // 16 of the 20 lanes are summed. The undefined values of the others do not reach the result.
  expect_nothing(start +
                 "  for (int d = 8; d; d /= 2)\n  v += __shfl_down_sync(here, v, d);\n"
                 "  if (t % 32 == 0) out[i / 32] = v; }\n");
}

TEST(UndefinedValues, ALocalArray) {
  const std::string start = "  float most[8]";
  const std::string end =
      ";\n  for (int k = i; k < n; k += 7)\n"
      "    most[k % 8] = fmaxf(most[k % 8], in[k]);\n"
      "  out[i] = most[t % 8];\n";
  expect_read("6:", start + end);
  expect_nothing(start + " = {}" + end);
}

// The padding after a struct's last member is only copied along with the struct.
TEST(UndefinedValues, PaddingIsNoValue) {
  for (const auto& found :
       found_in("  S s = {in[i], 1};\n  out[i] = pick(&s, t % 2);\n",
                "struct S { double v; char c; }; __noinline__ __device__ float "
                "pick(const S* s, int k) { S t[2] = {*s, *s}; return t[k].v; }")) {
    ADD_FAILURE() << found;
  }
}

TEST(UndefinedValues, AFaultThatTheyDoNotCauseStandsAlone) {
  const auto found = found_in(
      "  float v; if (in[i] > 0) v = in[n - 1 - i];\n  __syncthreads();\n"
      "  if (in[i] > 0) out[i] = v;\n  if (i == 100) out[n] = 1;\n");
  ASSERT_EQ(1U, found.size());
  EXPECT_THAT(found[0], HasSubstr("out_of_bounds 7:"));
}

// A mistake in the same kernel as a read: its kind, and the code to append.
struct Mistake {
  const char* kind;
  const char* code;
};
constexpr Mistake kMistakes[] = {
    {"out_of_bounds", "  if (i == 0) out[n] = 1;\n"},
    {"misaligned", "  if (i == 0) *(volatile float*)((char*)out + 2) = 1;\n"},
    {"race",
     "  __shared__ float r[64]; r[t] = 0; __syncthreads(); r[t] = in[i];\n"
     "  out[i] += *(volatile float*)&r[63 - t];\n"},
    {"input_modified", "  const_cast<float*>(in)[i] = 7;\n"},
    {"trap", "  if (i == n - 1) __trap();\n"},
    {"divergent_barrier", "  if (t < 16) __syncthreads(); else __syncthreads();\n"},
};

std::vector<std::string> kinds_in(const std::string& body) {
  std::vector<std::string> kinds;
  for (const auto& found : found_in(body)) {
    const auto kind = found.substr(0, found.find(' '));
    if (std::find(kinds.begin(), kinds.end(), kind) == kinds.end()) kinds.push_back(kind);
  }
  std::sort(kinds.begin(), kinds.end());
  return kinds;
}

// Half of the threads read a word of `tile` that was never written.
const std::string kReadsTile =
    "  __shared__ float tile[64]; if (in[i] > 0) tile[t] = in[i];\n"
    "  const float v = *(volatile float*)&tile[t];\n";

TEST(UndefinedValues, AReadThatDoesNotMatterIsNoFindingBesideAnother) {
  const std::string body = kReadsTile + "  out[i] = in[i] > 0 ? v : 0;\n";
  EXPECT_THAT(kinds_in(body), testing::ElementsAre());
  for (const auto& [kind, code] : kMistakes) {
    EXPECT_THAT(kinds_in(body + code), testing::ElementsAre(kind)) << code;
  }
}

TEST(UndefinedValues, AReadThatMattersIsAFindingBesideAnother) {
  const std::string body = kReadsTile + "  out[i] = v;\n";
  EXPECT_THAT(kinds_in(body), testing::ElementsAre("uninitialized_read"));
  for (const auto& [kind, code] : kMistakes) {
    EXPECT_THAT(kinds_in(body + code), testing::UnorderedElementsAre(kind, "uninitialized_read"))
        << code;
  }
}

// One tile is read past its written part, and the value is discarded, as at the edge of a matrix.
// The other tile's value is used.
TEST(UndefinedValues, OfTwoTilesOnlyTheOneThatMattersIsTold) {
  const std::string unused =
      "  __shared__ float edge[64]; if (in[i] > 0) edge[t] = in[i];\n"
      "  float w = *(volatile float*)&edge[t]; if (!(in[i] > 0)) w = 0;\n";
  expect_read("7: thread (0, 0, 0) reads bytes 0 to 3 of tile,",
              unused + kReadsTile + "  out[i] = v + w;\n");
  expect_read("5: thread (0, 0, 0) reads bytes 0 to 3 of tile,",
              kReadsTile + unused + "  out[i] = v + w;\n");
}

TEST(UndefinedValues, OfTwoElementsOfTheResultOnlyTheOneThatMattersIsTold) {
  expect_read("4: thread (0, 0, 0) reads out[0]",
              "  if (i < 64) out[i] += in[i]; else {\n"
              "    const float w = *(volatile float*)&out[i];\n"
              "    out[i] = i < 0 ? w : in[i];\n  }\n");
}

TEST(UndefinedValues, ReadsThatMatterOnlyTogetherAreAllTold) {
  const auto found = found_in(
      "  __shared__ unsigned a[64], b[64];\n"
      "  if (in[i] > 999) a[t] = b[t] = 1;\n"
      "  const unsigned v = *(volatile unsigned*)&a[t];\n"
      "  const unsigned w = *(volatile unsigned*)&b[t];\n"
      "  out[i] = v == 0 && w == 0 ? 1 : 0;\n");
  EXPECT_THAT(found, testing::ElementsAre(HasSubstr("read 6: "), HasSubstr("read 7: ")));
}

// The bad address ends the launch before the value has an effect.
TEST(UndefinedValues, AReadThatMattersBehindABadAddressIsAFinding) {
  EXPECT_THAT(kinds_in("  if (i < 64) out[n + i] = 1;\n" + kReadsTile + "  out[i] = v;\n"),
              testing::ElementsAre("out_of_bounds"));  // The read was not reached.
  EXPECT_THAT(kinds_in(kReadsTile + "  if (i < 64) out[n + i] = 1;\n  out[i] = v;\n"),
              testing::ElementsAre("out_of_bounds", "uninitialized_read"));
}

TEST(UndefinedValues, NoFindingHidesBehindReadsThatDoNotMatter) {
  std::string body = "  __shared__ volatile float idle[32]; float v;\n";
  for (int k = 0; k < 20; ++k) body += "  v = idle[" + std::to_string(k) + "];\n";
  body += "  out[i] = in[i];\n";
  EXPECT_THAT(kinds_in(body), testing::ElementsAre());
  EXPECT_THAT(kinds_in(body + "  const_cast<float*>(in)[i] = 7;\n"),
              testing::ElementsAre("input_modified"));
}

TEST(UndefinedValues, NothingIsSaidOfReadsInALaunchWithoutEnd) {
  const auto found =
      found_in(kReadsTile + "  out[i] = v; for (volatile int k = 0; k < 1; ) {}\n", {}, 100'000);
  ASSERT_EQ(1U, found.size());
  EXPECT_THAT(found[0], HasSubstr("runaway"));
}

}  // namespace warpgrade::measure::undefined_values_test_too
