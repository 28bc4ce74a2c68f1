// SPDX-License-Identifier: Apache-2.0
// The results of a launch do not depend on the number of host threads that execute it: outputs to
// the bit, every counter, every diagnostic with its wording, and all printed text.
#include <gtest/gtest.h>

#include <cstring>

#include "common/base/finding_text.h"
#include "common/compile/compiler.h"
#include "common/device/profile.h"
#include "common/measure/sim_bench.h"

namespace warpgrade::measure::threads_test {

constexpr std::uint32_t kBlocks = 37;  // not a multiple of 2, 3 or 8
constexpr std::uint32_t kThreads = 96;
constexpr std::uint32_t kElements = kBlocks * kThreads;

struct Outcome {
  std::vector<std::byte> out;
  memory::Metrics metrics;
  std::vector<std::vector<std::uint64_t>> lines;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> instructions;
  std::vector<std::string> diagnostics;
  std::string printed;
  double seconds = 0;
  std::uint64_t bytes = 0;
};

compile::Program compiled(const std::string& body) {
  compile::CompileRequest request;
  request.file = "k.cu";
  request.source =
      "#include <cstdio>\n"
      "extern \"C\" __global__ void kernel(float* out, const float* in) {\n"
      "  __shared__ float tile[96];\n"
      "  const int t = threadIdx.x, b = blockIdx.x, i = b * blockDim.x + t;\n" +
      body + "}\n";
  return std::get<compile::Program>(compile::compile(request));
}

Outcome outcome(const compile::Program& program, std::uint32_t threads) {
  run::Launch launch;
  launch.kernel = "kernel";
  launch.grid.x = kBlocks;
  launch.block.x = kThreads;
  launch.arguments = {run::BufferArgument{0}, run::BufferArgument{1}};
  std::vector<run::Buffer> buffers = {
      {"out", std::vector<std::byte>(4 * kElements, std::byte{0x5a}), 4, false, false},
      {"in", std::vector<std::byte>(4 * kElements), 4, true, true},
  };
  for (std::uint32_t i = 0; i < kElements; ++i) {
    const float value = 1.0F / static_cast<float>(i + 1);  // Their sum depends on the order.
    std::memcpy(buffers[1].bytes.data() + std::size_t{4} * i, &value, sizeof value);
  }
  run::Options options;
  options.threads = threads;
  const auto bench = sim_bench(device::find("h200"));
  const auto measured = bench->measure(program, launch, buffers, options);
  Outcome result;
  result.out = buffers[0].bytes;
  result.metrics = measured.metrics;
  for (const auto& line : measured.lines) {
    result.lines.push_back({line.line, line.requests, line.sectors, line.wavefronts});
  }
  for (const auto& count : measured.result.instructions) {
    result.instructions.emplace_back(count.warps, count.threads);
  }
  for (const auto& found : measured.result.diagnostics) {
    result.diagnostics.push_back(base::render(found, program.source));
  }
  result.printed = measured.result.printed;
  result.seconds = measured.seconds;
  result.bytes = measured.bytes;
  return result;
}

// Expects the same outcome with 1, 2, 3 and 8 threads, and returns it. Compares only the output of
// the first `blocks` blocks: after a fault, some later blocks may have run.
Outcome on_any_threads(const std::string& body, std::uint32_t blocks = kBlocks) {
  const auto program = compiled(body);
  const auto counts = std::size_t{blocks} * kThreads * 4;
  const auto one = outcome(program, 1);
  for (const std::uint32_t threads : {2U, 3U, 8U}) {
    const auto many = outcome(program, threads);
    EXPECT_EQ(0, std::memcmp(one.out.data(), many.out.data(), counts)) << threads;
    EXPECT_EQ(one.metrics, many.metrics) << threads;
    EXPECT_EQ(one.lines, many.lines) << threads;
    EXPECT_EQ(one.instructions, many.instructions) << threads;
    EXPECT_EQ(one.diagnostics, many.diagnostics) << threads;
    EXPECT_EQ(one.printed, many.printed) << threads;
    EXPECT_EQ(one.seconds, many.seconds) << threads;
    EXPECT_EQ(one.bytes, many.bytes) << threads;
  }
  return one;
}

TEST(Threads, OfARightKernelThatUsesSharedMemoryAlikeInEveryBlock) {
  const auto result = on_any_threads(
      "  tile[t] = in[i];\n  __syncthreads();\n"
      "  out[i] = tile[t * 5 % 96] + (b % 4 == 3 ? tile[t] : 0.0f);\n");
  EXPECT_TRUE(result.diagnostics.empty());
}

TEST(Threads, FloatAtomicsAddUpInOneOrder) {
  const auto result = on_any_threads(
      "  out[i] = 0;\n  atomicAdd(out + t % 7, in[i]);\n  atomicAdd(out + 7, in[i] * 3.0f);\n");
  EXPECT_LT(0U, result.metrics.size());
}

TEST(Threads, EachFindingIsTheSame) {
  const auto result = on_any_threads(
      "  if (b % 5 == 4) tile[95 - t] = in[i];\n"
      "  tile[t] = in[i];\n"
      "  if (b > 20) out[i] += tile[(t + 40) % 96];\n"
      "  __syncthreads();\n"
      "  if (b % 7 == 6) ((float*)in)[i] = tile[t];\n"
      "  out[i] = tile[t];\n");
  EXPECT_LE(3U, result.diagnostics.size());
}

TEST(Threads, TheLowestBlockAtFaultEndsTheLaunch) {
  const auto result = on_any_threads(
      "  tile[t] = in[i];\n  out[i] = tile[t];\n"
      "  if (t == 0) printf(\"block %d\\n\", b);\n"
      "  if (b % 8 == 5 && t == 33) out[i + 5000] = 1;\n",
      /*blocks=*/5);
  ASSERT_FALSE(result.diagnostics.empty());
  EXPECT_NE(std::string::npos, result.diagnostics[0].find("block (5, 0, 0)"))
      << result.diagnostics[0];
  EXPECT_EQ(0U, result.printed.find("block 0\nblock 1\nblock 2\nblock 3\nblock 4\nblock 5\n"));
  EXPECT_EQ(std::string::npos, result.printed.find("block 6"));
}

TEST(Threads, WhatIsPrintedComesInTheOrderOfTheBlocks) {
  const auto result = on_any_threads("  out[i] = in[i];\n  if (t == 95) printf(\"%d\\n\", b);\n");
  std::string expected;
  for (std::uint32_t b = 0; b < kBlocks; ++b) expected += std::to_string(b) + "\n";
  EXPECT_EQ(expected, result.printed);
}

// Each block leaves its own sums in the registers, arrays and lanes that the next block uses.
TEST(Threads, WhatNothingHasGivenAValueIsTheSame) {
  const auto sum = on_any_threads(
      "  float sum;\n  for (int k = b; k < 40; ++k) sum = fmaxf(sum, in[k]);\n  out[i] = sum;\n");
  EXPECT_EQ(1U, sum.diagnostics.size());
  const auto array = on_any_threads(
      "  float sums[8];\n  for (int k = b; k < 40; ++k) sums[k % 8] = fmaxf(sums[k % 8], in[k]);\n"
      "  out[i] = sums[t % 8];\n");
  EXPECT_EQ(2U, array.diagnostics.size());  // one in the loop, one at the store
  const auto lanes = on_any_threads(
      "  out[i] = 0;\n  if (t % 32 < b) out[i] = __shfl_xor_sync(__activemask(), in[i], 1);\n");
  EXPECT_EQ(1U, lanes.diagnostics.size());
}

TEST(Threads, TheHeapIsHandedOutInOneOrder) {
  const auto result = on_any_threads(
      "  float* p = (float*)malloc(4 + 16 * (b % 3));\n  *p = in[i];\n"
      "  out[i] = *p + (float)(unsigned)((unsigned long long)p & 0xfffff);\n  free(p);\n");
  EXPECT_TRUE(result.diagnostics.empty());
}

}  // namespace warpgrade::measure::threads_test
