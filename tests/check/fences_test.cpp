// SPDX-License-Identifier: Apache-2.0
// Kernels that order words by flags, counters and locks: with all fences, and with one missing
// (PTX ISA 9.0, 8.9 and 8.10). Each verdict follows from that model.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/base/finding_text.h"
#include "common/check/checks.h"
#include "tests/check/cluster_findings.h"
#include "tests/sim/cooperative_kernel.h"

namespace warpgrade::check::fences_test {

using testing::HasSubstr;

constexpr const char* kFence = "__threadfence(); ";

// The findings with four blocks of 64 threads that run beside each other. `v` and `o` are volatile.
std::vector<base::Diagnostic> found(const std::string& body) {
  Checks checks(/*global_races=*/true);
  run::Options options;
  options.observers = {&checks};
  const auto run =
      sim::run_cooperative("volatile int* v = x; volatile int* o = out;\n" + body, 4, 64, options);
  EXPECT_TRUE(run.result.diagnostics.empty()) << base::text(run.result.diagnostics[0]);
  return checks.diagnostics();
}

void expect_right(const std::string& body) {
  const auto all = found(body);
  EXPECT_TRUE(all.empty()) << body << "\n" << base::text(all[0]);
}

void expect_missing(const std::string& body, const char* fence = "Put a __threadfence() between") {
  const auto all = found(body);
  ASSERT_FALSE(all.empty()) << body;
  EXPECT_THAT(base::text(all[0]), HasSubstr(fence)) << body;
  EXPECT_EQ(base::Severity::kError, all[0].severity) << body;
}

// `pattern` needs a fence at both places.
void expect_both_needed(const std::string& first, const std::string& second,
                        const std::string& third) {
  expect_right(first + kFence + second + kFence + third);
  expect_missing(first + second + third);
  expect_missing(first + second + kFence + third);
  expect_missing(first + kFence + second + third);
  expect_missing(first + "__threadfence_block(); " + second + kFence + third);
  expect_missing(first + kFence + second + "__threadfence_block(); " + third);
}

TEST(Fences, AMessageNeedsOneOnEachSide) {
  const std::string one = "if (t == 0 && b == 0) { ";
  const std::string other = "} if (t == 0 && b == 1) { ";
  expect_both_needed(one + "v[0] = 42; ", "v[1] = 1; " + other + "while (v[1] == 0) {} ",
                     "o[0] = v[0]; }");
  expect_both_needed(one + "atomicExch(&x[0], 42); ",
                     "atomicExch(&x[1], 1); " + other + "while (atomicAdd(&x[1], 0) == 0) {} ",
                     "o[0] = atomicAdd(&x[0], 0); }");
  expect_both_needed(one + "atomicAdd(&x[0], 42); ",
                     "atomicCAS(&x[1], 0, 1); atomicExch(&x[1], 2); " + other +
                         "while (atomicOr(&x[1], 0) != 2) {} ",
                     "o[0] = v[0]; }");
  expect_both_needed(one + "x[0] = 42; ", "v[1] = 1; " + other + "while (v[1] == 0) {} ",
                     "o[0] = x[0]; }");
  // An acknowledged buffer is written again.
  expect_both_needed(one + "o[0] = v[0]; ", "v[1] = 1; " + other + "while (v[1] == 0) {} ",
                     "v[0] = 7; }");
}

TEST(Fences, TheLastBlockNeedsOneBeforeTheCounter) {
  const auto last = [](const std::string& fence, const std::string& test) {
    return "__shared__ unsigned ticket; __shared__ bool is_last; if (t == 0) { v[b] = b + 1; " +
           fence + test +
           " } __syncthreads(); if (is_last && t == 0) { int all = 0; for (int k = 0; k < 4; ++k) "
           "all += v[k]; o[0] = all; }";
  };
  for (const std::string test :
       {"is_last = atomicAdd(&x[9], 1) == 3;", "is_last = atomicInc((unsigned*)&x[9], 3) == 3;",
        "is_last = !(atomicAdd(&x[9], 1) + 1 < gridDim.x);"}) {
    expect_right(last(kFence, test));
    expect_missing(last("", test));
    expect_missing(last("__threadfence_block(); ", test));
  }
  const auto by_ticket = [](const std::string& fence) {
    return "__shared__ int ticket; if (t == 0) { atomicAdd(&x[0], b); " + fence +
           "ticket = atomicAdd(&x[9], 1); } __syncthreads(); if (ticket == 3 && t == 0) o[0] = "
           "atomicExch(&x[0], 0);";
  };
  expect_right(by_ticket(kFence));
  expect_missing(by_ticket(""));
}

TEST(Fences, ALookBackWithAStatusOfItsOwnNeedsBoth) {
  const std::string wait = "if (t == 0) { int sum = 0; if (b > 0) { while (v[b - 1] == 0) {} ";
  expect_both_needed(wait, "sum = v[64 + b - 1]; } v[64 + b] = sum + b; ", "v[b] = 1; }");
  // Status and value in one word.
  expect_right(
      "if (t == 0) { int sum = b; for (int k = b - 1; k >= 0; --k) { int w; while ((w = v[k]) == "
      "0) "
      "{} sum += w >> 1; } v[b] = sum * 2 + 1; o[b] = sum; }");
}

TEST(Fences, ALockNeedsThemOnBothEnds) {
  const std::string lock = "if (t == 0) { while (atomicCAS(&x[1], 0, 1) != 0) {} ";
  expect_both_needed(lock, "v[0] = v[0] + 1; ", "atomicExch(&x[1], 0); }");
  const std::string other = "if (t == 0) { while (atomicExch(&x[1], 1) != 0) {} ";
  expect_both_needed(other, "{ int n = atomicAdd(&x[0], 0); atomicExch(&x[0], n + 1); } ",
                     "atomicExch(&x[1], 0); }");
}

TEST(Fences, InABlockThoseOfTheBlockDo) {
  const auto in_block = [](const std::string& first, const std::string& second) {
    return "__shared__ volatile int flag, value; if (t == 0) flag = 0; __syncthreads(); if (t == "
           "32) { value = 7; " +
           first + "flag = 1; } if (t == 0) { while (flag == 0) {} " + second + "o[b] = value; }";
  };
  const char* const block = "Put a __threadfence_block() between";
  expect_right(in_block("__threadfence_block(); ", "__threadfence_block(); "));
  expect_right(in_block(kFence, kFence));
  expect_missing(in_block("", ""), block);
  expect_missing(in_block("__threadfence_block(); ", ""), block);
  expect_missing(in_block("", "__threadfence_block(); "), block);
  expect_missing(
      "__shared__ int flag, value; if (t == 0) flag = value = 0; __syncthreads(); if (t == 32) { "
      "atomicExch(&value, 7); atomicExch(&flag, 1); } if (t == 0) { while (atomicAdd(&flag, 0) == "
      "0) {} o[b] = atomicAdd(&value, 0); }",
      block);
}

TEST(Fences, BarriersAndCumulativityDo) {
  // All threads write, and thread 0 fences after the barrier.
  const std::string read = "if (b == 1) { if (t == 0) while (v[200] == 0) {} __syncthreads(); ";
  expect_right(
      "if (b == 0) { x[t] = t; __syncthreads(); if (t == 0) { __threadfence(); v[200] = 1; "
      "} } " +
      read + "out[t] = x[t]; }");
  expect_right("v[i] = i; grid.sync(); o[i] = v[255 - i];");
  expect_right(
      "__syncthreads(); if (t == 0) { v[64 + b] = b; __threadfence(); atomicAdd(&x[0], 1); "
      "while (v[0] < 4) {} __threadfence(); } __syncthreads(); o[i] = v[64 + (b + 1) % 4];");
}

TEST(Fences, CountersAndSearchesNeedNone) {
  expect_right("atomicAdd(&x[0], 1); atomicAdd(&x[1], 1); out[i] = 0; atomicMax(&x[2], i);");
  // Tickets of a queue, and slots of bins.
  expect_right(
      "for (int k; (k = atomicAdd(&x[0], 1)) < 512;) { const int s = atomicAdd(&x[1 + k % 8], 1); "
      "if (s < 64) atomicAdd(&out[k % 8 * 64 + s], 1); }");
  // A search that marks nodes, in any order.
  expect_right(
      "for (int k = i; k < 512; k += 256) { const int n = (3 * k + 1) % 512; if (v[n] == 0 && "
      "atomicCAS(&x[n], 0, 1) == 0) atomicAdd(&out[0], 1); if (v[(n + 7) % 512] != 0) "
      "atomicAdd(&out[1], 0); }");
  // Sets that are joined by compare-and-swap.
  expect_right(
      "if (v[i] == 0) atomicCAS(&x[i], 0, i + 1); int a = i; for (int k = 0; k < 3; ++k) { const "
      "int "
      "p = v[a]; if (p == 0) break; atomicCAS(&x[a], p, v[p - 1]); a = p - 1; }");
  expect_right(
      "if (atomicMin(&x[t], -i) > -i) atomicExch(&out[0], 1); if (v[t + 1] < 0) o[1] = 1;");
}

TEST(Fences, ReleaseAndAcquireDo) {
  const auto by = [](const std::string& store, const std::string& load) {
    return "if (t == 0 && b == 0) { v[0] = 42; asm volatile(\"st." + store +
           ".global.u32 [%0], 1;\" :: \"l\"(x + 1) : \"memory\"); } if (t == 0 && b == 1) { int f; "
           "do asm volatile(\"ld." +
           load +
           ".global.u32 %0, [%1];\" : \"=r\"(f) : \"l\"(x + 1) : "
           "\"memory\"); while (f == 0); o[0] = v[0]; }";
  };
  expect_right(by("release.gpu", "acquire.gpu"));
  expect_missing(by("relaxed.gpu", "acquire.gpu"));
  expect_missing(by("release.gpu", "relaxed.gpu"));
}

TEST(Fences, BlocksOfAClusterNeedMoreThanThatOfABlock) {
  const auto with = [](const std::string& fence) {
    return "__shared__ int flag, v[32]; volatile int* there = cluster.map_shared_rank(&flag, 0); "
           "if "
           "(t == 0) flag = 0; cluster.sync(); if (rank == 1) { *cluster.map_shared_rank(&v[t], 0) "
           "= "
           "t; __syncwarp(); if (t == 0) { " +
           fence +
           "*there = 1; } } if (rank == 0) { if (t == "
           "0) { while (*there == 0) {} " +
           fence +
           "} __syncwarp(); out[t] = v[t]; } "
           "cluster.sync();";
  };
  expect_none(with("__threadfence();"));
  expect_finding(with("__threadfence_block();"), base::DiagnosticKind::kRace,
                 HasSubstr("Put a __threadfence() between"));
}

}  // namespace warpgrade::check::fences_test
