// SPDX-License-Identifier: Apache-2.0
// Reasons why a launch does not fit a device, a launch's use of an SM's resources, and launches
// whose blocks differ.
#include "common/measure/model_launch.h"

#include <gtest/gtest.h>

#include "common/compile/compiler.h"

namespace warpgrade::measure::model_launch_test {

compile::Kernel kernel(std::uint32_t registers, std::uint32_t shared_bytes) {
  compile::Kernel out;
  out.resources.registers_per_thread = registers;
  out.resources.static_shared_bytes = shared_bytes;
  return out;
}
run::Launch launch(std::uint32_t threads, std::uint32_t dynamic_bytes = 0) {
  run::Launch out;
  out.block.x = threads;
  out.dynamic_shared_bytes = dynamic_bytes;
  return out;
}

TEST(DoesNotFit, NamesWhatIsTooMuch) {
  const auto& old = device::find("gtx280");
  EXPECT_EQ("", does_not_fit(old, kernel(10, 0), launch(512)));
  EXPECT_EQ("513 threads a block, 512 at most", does_not_fit(old, kernel(10, 0), launch(513)));
  EXPECT_EQ("43008 bytes of shared memory a block, 16384 at most",
            does_not_fit(old, kernel(10, 1024), launch(64, 41984)));
  EXPECT_EQ("512 threads of 128 registers a block, limited by registers",
            does_not_fit(old, kernel(128, 0), launch(512)));
}

TEST(OccupancyOf, CountsStaticAndDynamicSharedMemory) {
  const auto& profile = device::find("k40");
  EXPECT_EQ(8U, occupancy_of(profile, kernel(32, 0), launch(256)).blocks_per_sm);
  EXPECT_EQ(2U, occupancy_of(profile, kernel(32, 8192), launch(256, 16384)).blocks_per_sm);
}

TEST(NotResident, NamesBothNumbersAndTheLargestGrid) {
  const auto& h100 = device::find("h100");
  auto asked = launch(1024);
  asked.grid.x = 265;
  EXPECT_EQ("", not_resident(h100, kernel(32, 0), asked));
  asked.cooperative = true;
  EXPECT_EQ(
      "the blocks of a cooperative launch must all be resident at once, and h100 holds 264 of "
      "them: "
      "2 on each of 132 multiprocessors, limited by warps. The grid has 265 blocks; the largest "
      "possible grid has 264 (a card returns cudaErrorCooperativeLaunchTooLarge)",
      not_resident(h100, kernel(32, 0), asked));
  asked.grid.x = 264;
  EXPECT_EQ("", not_resident(h100, kernel(32, 0), asked));
  EXPECT_EQ("k40 has no cooperative launches: they need compute capability 6.0",
            not_resident(device::find("k40"), kernel(32, 0), asked));
}

TEST(NotResident, ClustersNeedHopper) {
  auto asked = launch(32);
  asked.cluster = {{2, 1, 1}};
  EXPECT_EQ("", not_resident(device::find("h100"), kernel(16, 0), asked));
  EXPECT_EQ("a100 has no thread block clusters: they need compute capability 9.0",
            not_resident(device::find("a100"), kernel(16, 0), asked));
}

// On an H100 with driver 580.159.04, groups_grid_sync runs with 132 * 32 blocks. One block more
// fails with CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE.
TEST(NotResident, HasTheBoundOfTheCard) {
  auto asked = launch(32);
  asked.cooperative = true;
  asked.grid.x = 132 * 32;
  EXPECT_EQ("", not_resident(device::find("h100"), kernel(16, 0), asked));
  asked.grid.x += 1;
  EXPECT_NE("", not_resident(device::find("h100"), kernel(16, 0), asked));
}

// Models a launch of k(unsigned* out) with one warp per block.
SampledLaunch modelled(const std::string& source, std::uint32_t blocks,
                       SampleUse use = SampleUse::kTime) {
  compile::CompileRequest request;
  request.architecture = device::find("h200").architecture;
  request.source = source;
  const auto compiled = compile::compile(request);
  const auto& program = std::get<compile::Program>(compiled);
  run::Pattern out;
  out.name = "out";
  out.bytes = out.period = std::uint64_t{blocks + 1} * 128;
  out.make = [](std::uint64_t, std::span<std::byte> to) { std::ranges::fill(to, std::byte{0}); };
  auto buffers = sim::sparse_buffers({out});
  run::Launch asked;
  asked.kernel = "k";
  asked.grid.x = blocks;
  asked.block.x = 32;
  asked.arguments = {run::BufferArgument{0}};
  run::Options options;
  options.block_budget = 1U << 22;  // for a block that waits forever
  return model_launch(device::find("h200"), program, program.kernels.front(), asked, buffers,
                      options, /*draw=*/3, use);
}

// The blocks execute a loop of `passes` iterations, an expression of blockIdx.x.
SampledLaunch sampled(const std::string& passes, std::uint32_t blocks,
                      SampleUse use = SampleUse::kTime) {
  return modelled(
      "extern \"C\" __global__ void k(unsigned* out) {\n"
      "  unsigned sum = 0;\n"
      "  for (unsigned i = 0; i < " +
          passes +
          "; ++i) sum = sum * 5 + (sum >> 3) + i;\n"
          "  out[blockIdx.x * 32 + threadIdx.x] = sum;\n}\n",
      blocks, use);
}

// The first blocks wait for the last one, and the others let it begin. An H200 holds 4,224 blocks.
TEST(ModelLaunch, AWaitForABlockThatBeginsLaterHasNoTime) {
  const std::string source =
      "extern \"C\" __global__ void k(unsigned* out) {\n"
      "  volatile unsigned* flag = out;\n"
      "  if (blockIdx.x == WAITING) { while (flag[0] == 0) {} }\n"
      "  else { for (int i = 0; i < 8; ++i) __threadfence(); }\n"
      "  if (blockIdx.x == SETTING) flag[0] = 1;\n"
      "  out[blockIdx.x * 32 + threadIdx.x + 32] = 1;\n}\n";
  const auto of = [&](const std::string& waiting, const std::string& setting) {
    return modelled("#define WAITING " + waiting + "\n#define SETTING " + setting + "\n" + source,
                    8000);
  };
  const auto later = of("0", "7990");
  EXPECT_TRUE(later.result.diagnostics.empty());
  EXPECT_TRUE(later.time.unmodelled.has(timing::Unmodelled::kBlocksNotBegun));
  EXPECT_FALSE(of("1", "0").time.unmodelled.has(timing::Unmodelled::kBlocksNotBegun));
}

// Each lane loads a word of another line, so L2 is the limit. All blocks load the same 64 KB, or
// each has some of its own.
TEST(ModelLaunch, RequestsThatACardMergesAreNamed) {
  const auto of = [](const std::string& first) {
    return modelled(
               "extern \"C\" __global__ void k(unsigned* out) {\n"
               "  const unsigned* in = out + threadIdx.x * 32 + " +
                   first +
                   ";\n  unsigned sum = 0;\n"
                   "  for (unsigned i = 0; i < 16; ++i) sum += __ldcg(in + i * 1024);\n"
                   "  out[blockIdx.x * 32 + threadIdx.x] = sum;\n}\n",
               1U << 16)
        .time;
  };
  EXPECT_EQ(timing::Bound::kL2, of("0").bound_by);
  EXPECT_TRUE(of("0").unmodelled.has(timing::Unmodelled::kRequestsOfManyUnits));
}

TEST(ModelLaunch, BlocksThatDifferAskAThousandMore) {
  const auto out = sampled("(blockIdx.x % 8 < 3 ? 2000 : 10)", 1U << 16);
  EXPECT_TRUE(out.is_drawn_widely);
  EXPECT_FALSE(out.time.is_even);
  EXPECT_LT(1024U, out.executed());
  EXPECT_GT(4096U, out.executed());
}

TEST(ModelLaunch, BlocksThatAreAlikeAskNoMore) {
  const auto out = sampled("200", 1U << 16);
  EXPECT_TRUE(out.time.is_even);
  EXPECT_FALSE(out.is_drawn_widely);
}

// A kernel that leaves out one of 64 blocks is seen by its results.
TEST(ModelLaunch, AThousandMoreAreExecutedForTheirResults) {
  const auto timed = sampled("20", 1U << 16);
  const auto out = sampled("20", 1U << 16, SampleUse::kTimeAndResults);
  EXPECT_LT(timed.executed() + 900, out.executed());
  EXPECT_EQ(timed.time.seconds, out.time.seconds);
}

// 256 MB of outputs make four parts. Each block writes one word, at the place of its ticket.
TEST(RunInParts, AllBlocksRunOnceAndVariablesPersist) {
  compile::CompileRequest request;
  request.source =
      "__device__ unsigned next;\n"
      "extern \"C\" __global__ void k(unsigned* out) {\n"
      "  const unsigned ticket = atomicAdd(&next, 1u);\n"
      "  out[ticket * 32] = ticket;\n}\n";
  const auto compiled = compile::compile(request);
  run::Pattern out;
  out.name = "out";
  out.bytes = std::uint64_t{256} << 20;
  out.period = 128;
  out.make = [](std::uint64_t, std::span<std::byte> to) { std::ranges::fill(to, std::byte{0xff}); };
  run::Launch asked;
  asked.kernel = "k";
  asked.grid.x = 100;
  asked.arguments = {run::BufferArgument{0}};
  int parts = 0;
  std::vector<std::uint64_t> written;
  const auto result = run_in_parts(std::get<compile::Program>(compiled), asked, {out}, {},
                                   [&](const std::vector<sim::SparseBuffer>& buffers) {
                                     ++parts;
                                     for (const auto& piece : buffers[0].made()) {
                                       written.push_back(piece.begin / 128);
                                     }
                                   });
  EXPECT_TRUE(result.diagnostics.empty());
  EXPECT_EQ(4, parts);
  std::ranges::sort(written);
  ASSERT_EQ(100U, written.size());
  EXPECT_EQ(99U, written.back());
}

TEST(ModelLaunch, OfFewBlocksAllAreBetter) {
  EXPECT_FALSE(sampled("(blockIdx.x % 8 < 3 ? 9000 : 10)", 1U << 12).is_drawn_widely);
}

// The sampled SMs execute blocks 132 k to 132 k + 3, which do little here. Blocks drawn from the
// other SMs show the work of a mean block.
TEST(ModelLaunch, AKernelGainsNothingByKnowingTheSample) {
  const auto honest = sampled("1000", 1U << 16);
  const auto sly = sampled("(blockIdx.x % 132 < 4 ? (blockIdx.x & 1 ? 5 : 60) : 1000)", 1U << 16);
  EXPECT_TRUE(sly.is_drawn_widely);
  EXPECT_LT(honest.time.seconds * 0.7, sly.time.seconds);
}

}  // namespace warpgrade::measure::model_launch_test
