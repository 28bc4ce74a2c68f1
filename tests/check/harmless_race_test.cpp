// SPDX-License-Identifier: Apache-2.0
#include "common/check/harmless_race.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <vector>

#include "common/base/finding_text.h"
#include "common/check/shared_race.h"
#include "tests/check/events.h"
#include "tests/check/kernel_findings.h"

namespace warpgrade::check::harmless_race_test {

class StoredValuesTest : public testing::Test {
 protected:
  void SetUp() override {
    values.begin_launch(128);
    values.begin_block();
  }
  template <typename T>
  void store(std::uint64_t offset, T value) {
    std::array<std::byte, sizeof(T)> bytes{};
    std::memcpy(bytes.data(), &value, sizeof(T));
    values.store(offset, sizeof(T), bytes.data(), false);
    values.keep(offset, sizeof(T), bytes.data());
  }
  // Stores 64 words from word `word` on: first `data`, then `rest` in all others.
  void store_words(std::uint64_t word, const std::array<int, 4>& data, bool is_bulk = false,
                   int rest = 0) {
    std::array<int, 64> words{};
    words.fill(rest);
    std::copy(data.begin(), data.end(), words.begin());
    std::array<std::byte, 256> bytes{};
    std::memcpy(bytes.data(), words.data(), bytes.size());
    values.store_words(word, 64, bytes.data(), is_bulk);
  }

  StoredValues values;
};

TEST_F(StoredValuesTest, OnlyTheSameValueBehindABarrierIsUnchanged) {
  store(8, 7);
  EXPECT_FALSE(values.is_unchanged(8, 4));
  values.begin_interval();
  store(8, 7);
  EXPECT_TRUE(values.is_unchanged(8, 4));
  store(8, 6);
  EXPECT_FALSE(values.is_unchanged(8, 4));
  store(8, 7);  // Another thread may have read 6.
  EXPECT_FALSE(values.is_unchanged(8, 4));
  values.begin_interval();
  store(8, 7);
  EXPECT_TRUE(values.is_unchanged(8, 4));
}

TEST_F(StoredValuesTest, MemoryThatNoStoreOfTheBlockHasWrittenHasNoValue) {
  EXPECT_FALSE(values.is_unchanged(0, 4));
  store(0, 0);
  values.begin_interval();
  EXPECT_TRUE(values.is_unchanged(0, 4));
  values.begin_block();
  EXPECT_FALSE(values.is_unchanged(0, 4));
  store(0, 0);
  EXPECT_FALSE(values.is_unchanged(0, 4));
}

TEST_F(StoredValuesTest, ARunOfWordsEqualsStoresOneByOne) {
  store_words(4, {1, 2, 3, 4});
  store(272, 5);
  EXPECT_FALSE(values.is_unchanged(16, 4));
  values.begin_interval();
  store_words(4, {1, 2, 9, 4});
  for (const std::uint64_t offset : {16, 20, 28, 32, 144, 268}) {
    EXPECT_TRUE(values.is_unchanged(offset, 4)) << offset;
  }
  EXPECT_FALSE(values.is_unchanged(24, 4));
  values.begin_interval();
  store_words(5, {2, 9, 4, 0});  // up to the word at 272, which held 5
  for (const std::uint64_t offset : {20, 24, 28, 32, 268}) {
    EXPECT_TRUE(values.is_unchanged(offset, 4)) << offset;
  }
  EXPECT_FALSE(values.is_unchanged(272, 4));
}

TEST_F(StoredValuesTest, BytesOfAWordCountOneByOne) {
  store(4, static_cast<short>(3));
  values.begin_interval();
  EXPECT_TRUE(values.is_unchanged(4, 2));
  EXPECT_FALSE(values.is_unchanged(4, 4));  // Its other half has no value.
  store(6, static_cast<short>(0));
  EXPECT_TRUE(values.is_unchanged(4, 2));
  EXPECT_FALSE(values.is_unchanged(6, 2));
  values.begin_interval();
  store(5, static_cast<char>(1));
  EXPECT_TRUE(values.is_unchanged(4, 1));
  EXPECT_FALSE(values.is_unchanged(4, 2));
  EXPECT_TRUE(values.is_unchanged(6, 2));
}

TEST_F(StoredValuesTest, AnUnknownValueChangesTheWordAndTheNextStoreDoesToo) {
  store(0, 1);
  values.begin_interval();
  values.store(0, 4, nullptr, false);
  EXPECT_FALSE(values.is_unchanged(0, 4));
  values.begin_interval();
  store(0, 1);
  EXPECT_FALSE(values.is_unchanged(0, 4));
  values.begin_interval();
  store(0, 1);
  EXPECT_TRUE(values.is_unchanged(0, 4));
}

TEST_F(StoredValuesTest, ABulkCopyAlwaysChangesWords) {
  store_words(4, {1, 2, 3, 4}, true);
  values.begin_interval();
  EXPECT_TRUE(values.is_unchanged(16, 4));
  store_words(4, {1, 2, 3, 4}, true);
  EXPECT_FALSE(values.is_unchanged(16, 4));
}

TEST_F(StoredValuesTest, IntervalsThatStartAgainKeepTheValues) {
  store(0, 1);
  store(6, static_cast<short>(1));
  values.begin_interval();
  store(8, 1);
  for (int i = 0; i < (1 << 23); ++i) values.begin_interval();
  EXPECT_TRUE(values.is_unchanged(0, 4));
  EXPECT_TRUE(values.is_unchanged(6, 2));
  EXPECT_FALSE(values.is_unchanged(4, 4));
  store(0, 1);
  EXPECT_TRUE(values.is_unchanged(0, 4));
  store(0, 2);
  EXPECT_FALSE(values.is_unchanged(0, 4));
}

// Two kinds of races are warnings. Similar races whose result depends on the order are errors.

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
      "if (*x == 2) return;\n if (i > 77) atomicExch(x, 2);",
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

// Plain reads that race with atomics in shared memory, and the compare-and-swaps that repair them.

// Instruction 30 is a compare-and-swap, 31 another atomic.
class CompareAndSwap : public testing::Test {
 protected:
  void SetUp() override {
    auto& swap = launch.function().instructions[30];
    swap.opcode = ptx::Opcode::atom;
    swap.modifiers.add(ptx::Modifier::cas);
    launch.function().instructions[31].opcode = ptx::Opcode::atom;
    checker.on_launch(launch.context());
    checker.on_block_begin(5);
  }
  void swap(Warp& by, std::uint64_t address = 0, std::uint32_t mask = 1) {
    by.atomic(30, strided(address, 0), mask);
  }
  void add(Warp& by, std::uint32_t mask = 1) { by.atomic(31, strided(0, 0), mask); }
  void read(Warp& by, std::uint32_t mask = 1, std::uint32_t instruction = 7) {
    by.load(instruction, strided(0, 0), mask);
  }
  std::size_t races() {
    checker.on_block_end();
    return checker.findings().all().size();
  }

  Launch launch{{32, 2, 1}};
  SharedRace checker;
  Warp warp{checker, 0};
  Warp other{checker, 1};
};

TEST_F(CompareAndSwap, RepairsAStaleRead) {
  read(warp);
  read(other);
  swap(other);
  swap(warp);
  read(other, 2);
  swap(other, 0, 2);
  EXPECT_EQ(0U, races());
}

TEST_F(CompareAndSwap, OfAnotherWordDoesNot) {
  read(warp);
  swap(other);
  swap(warp, 4);
  EXPECT_EQ(1U, races());
}

TEST_F(CompareAndSwap, OfAnotherThreadDoesNot) {
  read(warp);
  swap(other);
  EXPECT_EQ(1U, races());
}

TEST_F(CompareAndSwap, BeforeTheReadDoesNot) {
  swap(warp);
  read(warp);
  swap(other);
  EXPECT_EQ(1U, races());
}

TEST_F(CompareAndSwap, MayBeLeftOutWhereOtherThreadsMakeItBehindTheSameRead) {
  read(warp, 3);
  swap(warp, 0, 1);
  read(other);
  EXPECT_EQ(0U, races());
}

TEST_F(CompareAndSwap, IsNotSeenInAnAddition) {
  read(warp);
  read(other);
  add(warp);
  add(other);
  swap(other, 64);
  EXPECT_EQ(1U, races());
}

TEST_F(CompareAndSwap, ThirdReaderIsNotForgotten) {
  Launch large({96, 1, 1});
  large.function() = launch.function();
  checker.on_launch(large.context());
  checker.on_block_begin(0);
  Warp third{checker, 2};
  read(warp);
  read(other);
  read(third, 1, 8);
  swap(warp);
  swap(other);
  EXPECT_EQ(1U, races());
}

TEST_F(CompareAndSwap, DoesNotExcuseAPlainWrite) {
  read(warp);
  other.store(2, strided(0, 4), 1);
  swap(warp);
  EXPECT_EQ(2U, races());  // one with the read, one with the compare-and-swap
}

// The barrier that a race report recommends (for the warp or for the block), and its place.
using testing::Not;

// The message of the only race in `body`, which begins at line 4. `s` has 128 elements in shared
// memory.
std::string message(const std::string& body) {
  const auto found =
      found_in("__shared__ int s[128]; s[t] = x[i]; s[t + 64] = 1; __syncthreads();\n" + body +
               "\n__syncthreads(); out[i] = s[t];");
  EXPECT_EQ(1U, found.size()) << body;
  return found.empty() ? "" : base::text(found[0]);
}

// A __syncthreads() in the branch would wait for threads that never reach it.
TEST(RaceAdvice, WithinAWarpItIsABarrierOfTheWarp) {
  const std::string bodies[] = {
      "if (t < 32) s[t] += s[t + 16];",
      "if (t / 32 == 0) s[t] += s[t + 16];",
      "if (threadIdx.x < 16) s[t] += s[t + 8];",
  };
  for (const auto& body : bodies) {
    const auto text = message(body);
    EXPECT_THAT(text,
                HasSubstr("Both threads are in one warp, whose lanes need not run in lockstep. "
                          "Read into a variable, call __syncwarp(), then store."))
        << body;
    EXPECT_THAT(text, Not(HasSubstr("__syncthreads"))) << body;
    EXPECT_THAT(text, Not(HasSubstr("two passes"))) << body;
  }
}

TEST(RaceAdvice, BetweenTwoLinesOfAWarpToo) {
  const auto text = message("if (t < 32) s[t] = t;\nif (t < 32) out[i] = s[31 - t];");
  EXPECT_THAT(text, HasSubstr("one warp, whose lanes need not run in lockstep. Put a __syncwarp() "
                              "between line 4 and line 5."));
}

TEST(RaceAdvice, OneStatementOfTheBlockNeedsAVariable) {
  const auto text = message("s[t] += s[t + 32];");
  EXPECT_THAT(text, HasSubstr("Read into a variable, call __syncthreads(), then store."));
  EXPECT_THAT(text, Not(HasSubstr("one warp")));
  EXPECT_THAT(text, Not(HasSubstr("two passes")));
}

// Lanes of one warp race, and so do warps. A __syncwarp() would fix only the race within the warp.
TEST(RaceAdvice, ARaceBetweenWarpsCountsBeforeOneWithinAWarp) {
  const auto text = message("s[t] += s[t + 1];");
  EXPECT_THAT(text, HasSubstr("call __syncthreads(), then store."));
  EXPECT_THAT(text, Not(HasSubstr("__syncwarp")));
}

TEST(RaceAdvice, InALoopTheBarrierGoesBetweenTwoPasses) {
  for (const std::string pragma : {"#pragma unroll 1\n", "#pragma unroll\n"}) {
    const auto text =
        message(pragma + "for (int k = 64; k > 0; k /= 2)\n  if (t < k) s[t] += s[t + k];");
    EXPECT_THAT(text, HasSubstr("Put a __syncthreads() between two iterations of line 6."))
        << pragma;
  }
}

// A loop from line 6 that stores in line 7 and loads what another warp has stored in line 9.
std::string loop_with(const std::string& pragma, const std::string& first,
                      const std::string& second) {
  return message("int sum = 0;\n" + pragma +
                 "\nfor (int k = 0; k < 4; ++k) {\n  s[t] = x[i] + k;\n" + first +
                 "\n  sum += s[63 - t];\n" + second + "\n}\nout[i + 128] = sum;");
}

TEST(RaceAdvice, ABarrierBetweenTheLinesLeavesTheOneBeforeTheNextPass) {
  for (const std::string pragma : {"#pragma unroll 1", "#pragma unroll"}) {
    EXPECT_THAT(loop_with(pragma, "__syncthreads();", ""),
                HasSubstr("Put a __syncthreads() between line 9 and the next iteration of line 7."))
        << pragma;
  }
}

TEST(RaceAdvice, ABarrierBeforeTheNextPassLeavesTheOneBetweenTheLines) {
  EXPECT_THAT(loop_with("#pragma unroll 1", "", "__syncthreads();"),
              HasSubstr("Put a __syncthreads() between line 7 and line 9."));
}

TEST(RaceAdvice, WithoutBothBothAreNamed) {
  EXPECT_THAT(loop_with("#pragma unroll 1", "", ""),
              HasSubstr("between line 7 and line 9 (in a loop, also between line 9 and the next "
                        "iteration of line 7)."));
}

TEST(RaceAdvice, ABarrierForAPartOfTheBlockOrdersNothing) {
  EXPECT_THAT(loop_with("#pragma unroll 1", "if (x[i] == 2) __syncthreads();", "__syncthreads();"),
              HasSubstr("Put a __syncthreads() between line 7 and line 9."));
}

TEST(RaceAdvice, WithoutALoopNoNextPassIsNamed) {
  const auto text = message("out[i + 128] = s[63 - t];\ns[t] = 7;");
  EXPECT_THAT(text, HasSubstr("Put a __syncthreads() between line 4 and line 5."));
}

TEST(RaceAdvice, TwoStoresToOneElementNeedNoBarrier) {
  const auto text = message("if (t < 32) s[0] = t;");
  EXPECT_THAT(text,
              HasSubstr("Let only one thread write there, or give each thread its own element."));
}

TEST(RaceAdvice, InGlobalMemoryItIsTheSame) {
  const auto found = found_in("if (t < 32) x[i] += x[i + 16];");
  ASSERT_EQ(1U, found.size());
  EXPECT_THAT(base::text(found[0]),
              HasSubstr("Read into a variable, call __syncwarp(), then store."));
}

}  // namespace warpgrade::check::harmless_race_test
