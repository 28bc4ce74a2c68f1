// SPDX-License-Identifier: Apache-2.0
// Copying padding bytes is not a finding; using an uninitialised member is one.
#include "common/measure/stored_garbage.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "common/compile/compiler.h"
#include "common/device/profile.h"
#include "common/measure/sim_bench.h"

namespace warpgrade::measure::stored_garbage_test {

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

}  // namespace warpgrade::measure::stored_garbage_test
