// SPDX-License-Identifier: Apache-2.0
// Two races are warnings; similar ones whose result depends on the order are errors.
#include "common/check/harmless_race.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "common/base/finding_text.h"
#include "tests/check/kernel_findings.h"

namespace warpgrade::check {
namespace harmless_race_test {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// "warning", "error" of each race in the body, in the order in which they are reported.
std::vector<std::string> severities(const std::string& body) {
  std::vector<std::string> out;
  for (const auto& one : found_in(body)) {
    EXPECT_EQ(base::DiagnosticKind::kRace, one.kind) << base::text(one);
    out.emplace_back(base::name(one.severity));
  }
  return out;
}

TEST(HarmlessRace, ATestBeforeAnAtomicIsAWarning) {
  const std::string bodies[] = {
      "if (i > *x) atomicMax(x, i);",
      "if (i < *x) atomicMin(x, i);",
      "if ((*x & 4) == 0) atomicOr(x, 4);",
      "if (*x == 2) return;\n if (i == 77) atomicExch(x, 2);",
      "__shared__ int m;\n if (t == 0) m = 0;\n __syncthreads();\n if (t > m) atomicMax(&m, t);",
  };
  for (const auto& body : bodies) EXPECT_THAT(severities(body), ElementsAre("warning")) << body;
}

TEST(HarmlessRace, TheMessageShowsHowToWriteIt) {
  const auto load = found_in("if (i > *x) atomicMax(x, i);");
  ASSERT_EQ(1U, load.size());
  EXPECT_THAT(base::text(load[0]),
              HasSubstr("cuda::atomic_ref<int, cuda::thread_scope_device>(x[0])"
                        ".load(cuda::memory_order_relaxed)"));
  const auto store = found_in("x[t] = min(x[t], x[0] + 1);");
  ASSERT_EQ(1U, store.size());
  EXPECT_THAT(base::text(store[0]), HasSubstr(".store(value, cuda::memory_order_relaxed)"));
}

TEST(HarmlessRace, AStaleValueThatIsStoredIsAnError) {
  const std::string bodies[] = {
      "atomicAdd(x, 1);\n if (t == 0) out[blockIdx.x] = *x;",
      "if (t == 0) out[blockIdx.x] = *x + 1;\n atomicAdd(x, 1);",
      "const int v = *x;\n atomicAdd(x, 1);\n out[i] = v;",
      "const int v = *x;\n atomicAdd(x, 1);\n out[v & 127] = 1;",
      "__shared__ int s;\n if (t == 0) s = 0;\n __syncthreads();\n atomicAdd(&s, 1);\n"
      "if (t == 0) out[i] = s;",
  };
  for (const auto& body : bodies) EXPECT_THAT(severities(body), testing::Contains("error")) << body;
}

TEST(HarmlessRace, ATestBehindTheAtomicOfItsOwnWarpIsAnError) {
  EXPECT_THAT(severities("atomicAdd(x, 1);\n if (*x == 129) out[0] = 1;"),
              testing::Contains("error"));
  EXPECT_THAT(severities("__shared__ int s;\n if (t == 0) s = 0;\n __syncthreads();\n"
                         "atomicAdd(&s, 1);\n if (s == 64) out[i] = 1;"),
              testing::Contains("error"));
}

TEST(HarmlessRace, AStoreOfTheSameValueIsAWarning) {
  const std::string bodies[] = {
      "x[t] = min(x[t], x[0] + 1);",
      "out[i + 128] = x[(i + 1) % 128];\n x[i] = 1;",
      "if (i == 5) x[0] = 1;\n if (x[0] == 1) out[i] = 1;",
  };
  for (const auto& body : bodies) EXPECT_THAT(severities(body), ElementsAre("warning")) << body;
}

TEST(HarmlessRace, AnAtomicOfTheBlocksScopeBesideOtherBlocksIsAnError) {
  const std::string bodies[] = {
      "atomicAdd_block(x, 1);",
      "atomicMax_block(x, i);",
      "atomicCAS_block(x, 1, 2);",
      "atomicExch_block(x, i);",
      "if (t == 0) atomicAdd_block(x, 1);\n __syncthreads();\n if (t == 0) atomicAdd(x, 1);",
      "if (blockIdx.x == 0) atomicAdd_block(x, 1); else atomicAdd(x, 1);",
      "if (blockIdx.x == 1) atomicAdd_block(x, 1); else atomicAdd(x, 1);",
  };
  for (const auto& body : bodies) EXPECT_THAT(severities(body), ElementsAre("error")) << body;
  EXPECT_THAT(base::text(found_in(bodies[0])[0]), HasSubstr("its block only"));
  const std::string right[] = {"atomicAdd_block(x + blockIdx.x, 1);", "atomicAdd(x, 1);",
                               "atomicAdd_system(x, 1);",
                               "if (blockIdx.x == 0) atomicAdd_block(x, 1);",
                               "__shared__ int s;\n if (t == 0) s = 0;\n __syncthreads();\n "
                               "atomicAdd_block(&s, 1);\n __syncthreads();\n if (t == 0) "
                               "atomicAdd(x, s);"};
  for (const auto& body : right) EXPECT_THAT(severities(body), IsEmpty()) << body;
}

TEST(HarmlessRace, AStoreOfAnotherValueIsAnError) {
  const std::string bodies[] = {
      "out[i + 128] = x[(i + 1) % 128];\n x[i] = 2;",
      "if (i == 5) x[0] = 2;\n out[i] = x[0];",
      "if (i == 0) x[0] = 2;\n if (i == 40) x[0] = 2;\n out[i] = x[0];",
      "if (i == 0) x[0] = 1;\n if (i == 40) x[0] = 2;",
      "if (i == 0) atomicAdd(x, 1);\n if (i == 40) x[0] = 1;\n",
  };
  for (const auto& body : bodies) EXPECT_THAT(severities(body), testing::Contains("error")) << body;
}

}  // namespace harmless_race_test
}  // namespace warpgrade::check
