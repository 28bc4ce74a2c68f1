// SPDX-License-Identifier: Apache-2.0
// Two kinds of races are warnings. Similar races whose result depends on the order are errors.
#include "common/check/harmless_race.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "common/base/finding_text.h"
#include "tests/check/kernel_findings.h"

namespace warpgrade::check::harmless_race_test {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// The severity of each race in the body ("warning" or "error"), in the order of the reports.
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
      "if (i < x[t] && atomicMin(&x[t], i) > i) out[0] = 5;",
      "if (x[t] & 2) return;\n if (atomicOr(&x[t], 2) & 2) return;\n out[t] = i;",
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

// The first store is decided by the load alone.
TEST(HarmlessRace, AWriteBesideTheAtomicIsAnError) {
  EXPECT_THAT(
      severities("if (i < x[t]) {\n out[t] = i;\n if (atomicMin(&x[t], i) > i) out[99] = 5; }"),
      testing::Contains("error"));
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

// A body with an array `s` of 64 elements of `type` in shared memory. Element t is t / 8 before
// `code`, with a barrier before and after `code`.
std::string in_shared(const std::string& type, const std::string& code) {
  return "__shared__ " + type + " s[64];\n s[t] = t / 8;\n __syncthreads();\n" + code +
         "\n __syncthreads();\n out[i] = s[t];";
}

TEST(HarmlessRace, AStoreOfTheSameValueInSharedMemoryIsAWarning) {
  const std::string codes[] = {
      "s[t] = s[0] + t / 8;",                                          // one step of Floyd-Warshall
      "const int v = s[(t + 1) % 64];\n s[t] = t / 8;\n out[i] = v;",  // a store after the read
      "s[t] = t / 8;\n out[i] = s[(t + 1) % 64];",                     // a store before the read
      "if (t == 40) s[0] = 0;\n if (s[0] == 0) out[i] = 1;",
      "s[t] = t / 8;\n asm volatile(\"\" ::: \"memory\");\n s[t] = t / 8;\n out[i] = s[(t + 9) % "
      "64];",
      "for (int k = 0; k < 8; k++) {\n s[t] |= s[k];\n __syncthreads();\n }",
  };
  for (const std::string type : {"int", "unsigned char", "short", "float", "double"}) {
    for (const auto& code : codes) {
      if (type[0] == 'f' || type[0] == 'd') {
        if (code.find('|') != std::string::npos) continue;
      }
      const auto found = severities(in_shared(type, code));
      EXPECT_THAT(found, testing::Each("warning")) << type << ": " << code;
      EXPECT_FALSE(found.empty()) << type << ": " << code;
    }
  }
}

TEST(HarmlessRace, AStoreThatChangesSharedMemoryIsAnError) {
  const std::string codes[] = {
      "s[0] = s[0] + 1;",  // a lost update
      "s[t] = t / 8;\n s[0] = s[0] + 1;",
      "s[t] = s[(t + 8) % 64];",
      "s[t] = 9;\n asm volatile(\"\" ::: \"memory\");\n s[t] = t / 8;\n out[i] = s[(t + 1) % "
      "64];",  // back to the old value
      "s[t] = t / 8;\n asm volatile(\"\" ::: \"memory\");\n s[t] = 9;\n out[i] = s[(t + 1) % "
      "64];",
      "if (t == 3) s[0] = 5;\n if (t == 40) s[0] = 5;\n out[i] = s[0];",
      "if (t == 3) s[0] = 0;\n if (t == 40) s[0] = 5;",  // two writes of different values
      "if (t == 3) s[0] = 0;\n out[i] = s[0];\n if (t == 40) s[0] = 5;",
  };
  for (const std::string type : {"int", "unsigned char", "double"}) {
    for (const auto& code : codes) {
      EXPECT_THAT(severities(in_shared(type, code)), testing::Contains("error"))
          << type << ": " << code;
    }
  }
}

// A warning that calls the race harmless would contradict the error at the same lines.
TEST(HarmlessRace, AnErrorAtTheSameLinesIsTheOnlyFinding) {
  const std::string bodies[] = {
      in_shared("int", "s[t] = s[(t + 8) % 64] / 2;"),
      "x[t] = x[(t + 33) % 64] + (t > 5);",
  };
  for (const auto& body : bodies) EXPECT_THAT(severities(body), ElementsAre("error")) << body;
}

TEST(HarmlessRace, TheFirstStoreOfAWordInSharedMemoryChangesIt) {
  const std::string bodies[] = {
      "__shared__ int s[64];\n s[t] = 0;\n out[i] = s[(t + 40) % 64];",
      "__shared__ int s[64];\n s[t] = 0;\n s[t] = 0;\n out[i] = s[(t + 40) % 64];",
      // Each block has its own shared memory.
      "__shared__ int s[64];\n if (blockIdx.x == 0) s[t] = 0;\n __syncthreads();\n"
      "if (blockIdx.x == 1) s[t] = 0;\n if (blockIdx.x == 1) out[i] = s[(t + 40) % 64];",
      // The value after an atomic is unknown.
      "__shared__ int s;\n if (t == 0) s = 0;\n __syncthreads();\n atomicAdd(&s, 1);\n"
      "__syncthreads();\n if (t == 0) s = 0;\n out[i] = s;",
      // Half a word was stored before the barrier.
      "__shared__ union { short h[2]; int w; } s;\n if (t == 0) s.h[0] = 0;\n __syncthreads();\n"
      "if (t == 0) s.w = 0;\n out[i] = s.w;",
  };
  for (const auto& body : bodies) {
    const auto found = found_in(body);
    EXPECT_TRUE(std::any_of(found.begin(), found.end(), [](const auto& one) {
      return one.kind == base::DiagnosticKind::kRace && one.severity == base::Severity::kError;
    })) << body;
  }
}

TEST(HarmlessRace, TheMessageForSharedMemoryNamesTheBlocksScope) {
  const auto found = found_in(in_shared("int", "s[t] = s[0] + t / 8;"));
  ASSERT_EQ(1U, found.size());
  EXPECT_THAT(base::text(found[0]), HasSubstr("The word already holds the stored value."));
  EXPECT_THAT(base::text(found[0]), HasSubstr("cuda::thread_scope_block>(word)"));
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
  EXPECT_THAT(base::text(found_in(bodies[0])[0]), HasSubstr("has block scope"));
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

}  // namespace warpgrade::check::harmless_race_test
