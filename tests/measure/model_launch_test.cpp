// SPDX-License-Identifier: Apache-2.0
#include "common/measure/model_launch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <numeric>

#include "common/base/error.h"
#include "common/base/finding_text.h"
#include "common/compile/compiler.h"
#include "common/device/profile.h"
#include "common/measure/sim_bench.h"

namespace warpgrade::measure::model_launch_test {

// Launches that are run, checked, counted and timed as one sequence.

using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing::StartsWith;

constexpr std::uint32_t kElements = 64;

// Runs kernels k1(a, b), k2(a, b), ... with given bodies, in which t is the thread's index. At the
// start `a` holds 0, 1, 2, ... and `b` is undefined.
class SequenceRun : public testing::Test {
 protected:
  SequenceRun() : buffers_(2) {
    std::vector<float> iota(kElements);
    std::iota(iota.begin(), iota.end(), 0.0F);
    for (auto& buffer : buffers_) buffer.bytes.resize(4 * kElements, std::byte{0x5a});
    std::memcpy(buffers_[0].bytes.data(), iota.data(), buffers_[0].bytes.size());
    buffers_[0].name = "a";
    buffers_[1].name = "b";
    buffers_[1].defined = false;
  }

  void compile(const std::vector<std::string>& bodies, const std::string& before = {}) {
    compile::CompileRequest request;
    request.file = "k.cu";
    request.source = before + "\n";
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      request.source += "extern \"C\" __global__ void k" + std::to_string(i + 1) +
                        "(float* a, float* b) { const int t = threadIdx.x; " + bodies[i] + " }\n";
    }
    program_ = std::get<compile::Program>(compile::compile(request));
  }

  void launch(const std::string& kernel, std::size_t a = 0, std::size_t b = 1) {
    run::Launch out;
    out.kernel = kernel;
    out.block.x = kElements;
    out.arguments = {run::BufferArgument{a}, run::BufferArgument{b}};
    sequence_.launches.push_back(out);
  }

  Measurement measure(std::uint64_t budget = run::Options().launch_budget) {
    run::Options options;
    options.launch_budget = budget;
    return sim_bench(device::find("h200"))->measure(program_, sequence_, buffers_, options);
  }

  // The kinds of the findings in launches of these kernels, each kind once.
  std::vector<base::DiagnosticKind> kinds_in(const std::vector<std::string>& kernels) {
    sequence_ = {};
    for (const auto& kernel : kernels) launch(kernel);
    const auto before = buffers_;
    std::vector<base::DiagnosticKind> out;
    for (const auto& one : measure().result.diagnostics) {
      if (std::find(out.begin(), out.end(), one.kind) == out.end()) out.push_back(one.kind);
    }
    buffers_ = before;
    return out;
  }

  float value(std::size_t buffer, std::size_t element) const {
    float out = 0;
    std::memcpy(&out, buffers_[buffer].bytes.data() + 4 * element, sizeof out);
    return out;
  }

  compile::Program program_;
  run::Sequence sequence_;
  std::vector<run::Buffer> buffers_;
};

TEST_F(SequenceRun, ALaunchFindsWhatTheOneBeforeHasLeft) {
  compile({"b[t] = a[t] + 1;", "a[t] = 2 * b[t];"});
  launch("k1");
  launch("k2");
  launch("k1");
  EXPECT_THAT(measure().result.diagnostics, IsEmpty());
  EXPECT_EQ(12, value(0, 5));  // 2 * (5 + 1)
  EXPECT_EQ(13, value(1, 5));
  EXPECT_FALSE(buffers_[1].defined);
  EXPECT_EQ(nullptr, buffers_[1].written);
}

TEST_F(SequenceRun, VariablesGoFromLaunchToLaunchAndNotToTheNextSequence) {
  compile({"if (t == 0) ++launches; b[t] = a[t];", "b[t] = launches;"}, "__device__ int launches;");
  launch("k1");
  launch("k1");
  launch("k2");
  for (int i = 0; i < 2; ++i) {
    EXPECT_THAT(measure().result.diagnostics, IsEmpty());
    EXPECT_EQ(2, value(1, 9));
  }
}

TEST_F(SequenceRun, BuffersThatChangePlacesAreFoundByTheirNames) {
  compile({"b[t] = a[t] + 1;"});
  launch("k1", 0, 1);
  launch("k1", 1, 0);
  launch("k1", 0, 1);
  sequence_.places = {1, 0};
  EXPECT_THAT(measure().result.diagnostics, IsEmpty());
  EXPECT_EQ(10, value(0, 7));
  EXPECT_EQ(9, value(1, 7));
}

TEST_F(SequenceRun, AReadOfWhatNoLaunchHasWrittenNamesItsLaunch) {
  compile({"if (t != 3) b[t] = 1;", "a[t] = b[t];"});
  launch("k1");
  launch("k2");
  const auto found = measure().result.diagnostics;
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(base::DiagnosticKind::kUninitializedRead, found[0].kind);
  EXPECT_THAT(base::text(found[0]), StartsWith("thread (3, 0, 0) reads b[3]"));
  EXPECT_THAT(base::text(found[0]), EndsWith("(in launch 2 of 2, k2)"));
}

TEST_F(SequenceRun, AReadThatChangesNothingIsNone) {
  compile({"if (t != 3) b[t] = 1;", "const float x = b[t]; a[t] = t == 3 ? 0 : x;"});
  launch("k1");
  launch("k2");
  EXPECT_THAT(measure().result.diagnostics, IsEmpty());
}

TEST_F(SequenceRun, AFaultEndsTheSequenceAndIsTold) {
  compile({"b[t] = 1;", "b[t + 1] = 2;"});
  launch("k1");
  launch("k2");
  launch("k1");
  const auto found = measure().result.diagnostics;
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(base::DiagnosticKind::kOutOfBounds, found[0].kind);
  EXPECT_THAT(base::text(found[0]), EndsWith("(in launch 2 of 3, k2)"));
}

TEST_F(SequenceRun, ARaceIsToldOfTheFirstLaunchThatHasIt) {
  compile({"b[t] = 1;",
           "__shared__ float s[64]; s[63 - t] = 0; __syncthreads(); s[t] = t; b[t] = s[63 - t];"});
  for (const auto* kernel : {"k1", "k2", "k2"}) launch(kernel);
  const auto found = measure().result.diagnostics;
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(base::DiagnosticKind::kRace, found[0].kind);
  EXPECT_THAT(base::text(found[0]), EndsWith("(in launch 2 of 3, k2)"));
}

TEST_F(SequenceRun, LaunchesDoNotRaceWithEachOther) {
  compile({"b[t] = a[t];", "b[63 - t] += a[t];"});
  launch("k1");
  launch("k2");
  const auto before = buffers_;
  const auto measured = measure();
  EXPECT_THAT(measured.result.diagnostics, IsEmpty());
  const auto runs = sim_bench(device::find("h200"))
                        ->run_in_schedules(program_, sequence_, before, measured, {1, 3}, 1 << 20);
  ASSERT_THAT(runs, SizeIs(2));
  for (const auto& run : runs) {
    EXPECT_THAT(run.diagnostics, IsEmpty());
    EXPECT_EQ(buffers_[1].bytes, run.buffers[1].bytes);
  }
}

TEST_F(SequenceRun, ARegisterOfALaterKernelIsFoundAndNamed) {
  compile({"b[t] = 1;", "float sum; for (int k = t; k < 64; k += 64) sum += a[k]; b[t] = sum;"});
  launch("k1");
  launch("k2");
  const auto found = measure().result.diagnostics;
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(3U, found[0].where.line);
  EXPECT_THAT(base::text(found[0]), EndsWith("(in launch 2 of 2, k2)"));
}

TEST_F(SequenceRun, UndefinedReadsAreJudgedBesideARace) {
  const std::string race =
      "__shared__ float s[64]; s[63 - t] = 0; __syncthreads(); s[t] = t; a[t] = s[63 - t];";
  const std::string read = "const float x = *(volatile float*)&b[t]; ";
  compile({race, read + "a[t] = t < 0 ? x : 1;", read + "a[t] = x;"});
  using Kind = base::DiagnosticKind;
  EXPECT_THAT(kinds_in({"k1", "k2"}), ElementsAre(Kind::kRace));
  EXPECT_THAT(kinds_in({"k1", "k2", "k3"}),
              testing::UnorderedElementsAre(Kind::kRace, Kind::kUninitializedRead));
}

// Only the final result of the sequence counts, so the launches after the bad address run, too.
TEST_F(SequenceRun, UndefinedReadsAreJudgedBesideABadAddress) {
  compile({"a[t] = *(volatile float*)&b[t]; if (t == 0) b[1 << 20] = 1;", "a[t] = b[t] = 1;",
           "b[t] = 1;"});
  using Kind = base::DiagnosticKind;
  EXPECT_THAT(kinds_in({"k1", "k2"}), ElementsAre(Kind::kOutOfBounds));
  EXPECT_THAT(kinds_in({"k1", "k3"}),
              testing::UnorderedElementsAre(Kind::kOutOfBounds, Kind::kUninitializedRead));
}

TEST_F(SequenceRun, WorkIsLimitedForAllLaunchesTogether) {
  compile({"for (int i = 0; i < 100; ++i) b[t] = *(volatile float*)&a[t] + i;"});
  launch("k1");
  const auto one = measure();
  ASSERT_THAT(one.result.diagnostics, IsEmpty());
  launch("k1");
  launch("k1");
  const auto three = measure();
  EXPECT_THAT(three.result.diagnostics, IsEmpty());
  EXPECT_EQ(3 * one.result.work, three.result.work);
  const auto found = measure(2 * one.result.work).result.diagnostics;
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(base::DiagnosticKind::kRunaway, found[0].kind);
  EXPECT_THAT(base::text(found[0]), EndsWith("(in launch 3 of 3, k1)"));
}

// In each launch two warps load 128 bytes each and store as many: 8 sectors loaded, 8 stored.
TEST_F(SequenceRun, CountersAndTimesAreSums) {
  compile({"b[t] = a[t];", "b[t] = a[63 - t];"});
  launch("k1");
  const auto one = measure();
  launch("k2");
  launch("k1");
  const auto three = measure();
  EXPECT_EQ(8, one.metrics.at("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"));
  EXPECT_EQ(24, three.metrics.at("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"));
  EXPECT_EQ(32,
            three.metrics.at("smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.ratio"));
  EXPECT_EQ(3 * one.bytes, three.bytes);
  ASSERT_THAT(three.launch_seconds, SizeIs(3));
  EXPECT_EQ(one.seconds, three.launch_seconds[0]);
  EXPECT_DOUBLE_EQ(three.launch_seconds[0] + three.launch_seconds[1] + three.launch_seconds[2],
                   three.seconds);
  // Lines 2 and 3 load and store; line 2 appears in two launches.
  ASSERT_THAT(three.lines, SizeIs(4));
  EXPECT_EQ(2U, three.lines[0].line);
  EXPECT_EQ(16U, three.lines[0].sectors);
  EXPECT_EQ(8U, three.lines[2].sectors);
}

// The second launch follows a chain through the 8 sectors of `a`. They come from L2 if the first
// one has loaded them, else from DRAM. Both wait for the host, so the sequences differ by the
// latencies.
TEST_F(SequenceRun, ALaunchFindsInL2WhatTheOneBeforeHasLoaded) {
  const auto seconds_behind = [&](const std::string& first) {
    sequence_ = {};
    compile({first, "if (t == 0) { int i = 0; while (i < 64) i = int(a[i]) + 8; b[0] = i; }"});
    launch("k1");
    launch("k2");
    return measure().seconds;
  };
  const auto& h200 = device::find("h200");
  const double latencies = 8 * (h200.dram.latency_seconds - h200.l2.latency_seconds);
  EXPECT_NEAR(latencies, seconds_behind("b[t] = t;") - seconds_behind("b[t] = a[t];"),
              0.1 * latencies);
}

// The launches run one after the other. A small launch on the H200 takes the 4.5 us that the host
// needs to start it. The second one ends earlier, because only the first one waits for DRAM.
TEST_F(SequenceRun, SmallLaunchesTakeAsLongAsTheHostNeedsForEach) {
  compile({"b[t] = a[t];"});
  for (int i = 0; i < 4; ++i) launch("k1");
  const auto measured = measure();
  EXPECT_GT(4.5e-6, measured.launch_seconds[1]);
  EXPECT_NEAR(4.5e-6, measured.launch_seconds[2], 1e-9);
  EXPECT_NEAR(4.5e-6, measured.launch_seconds[3], 1e-9);
  EXPECT_EQ(timing::Bound::kLaunchOverhead, measured.bound_by);
}

TEST_F(SequenceRun, ALaunchThatTheDeviceDoesNotTakeIsNamed) {
  compile({"b[t] = a[t];"});
  launch("k1");
  launch("k1");
  sequence_.launches[1].dynamic_shared_bytes = 1 << 20;
  try {
    measure();
    FAIL() << "must throw";
  } catch (const base::UsageError& error) {
    EXPECT_THAT(error.what(), HasSubstr("(in launch 2 of 2, k1)"));
  }
}

// Reasons why a launch does not fit a device, a launch's use of an SM's resources, and launches
// whose blocks differ.

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

// Every second lane takes a free word of a table by compare-and-swap. A sample finds the table
// empty, but later blocks of the launch must search for a free word.
TEST(ModelLaunch, BlocksThatSearchWhatEarlierOnesLeftAreAllExecuted) {
  const auto of = [](unsigned further, std::uint32_t blocks) {
    return modelled(
        "extern \"C\" __global__ void k(unsigned* out) {\n"
        "  const unsigned i = blockIdx.x * 32 + threadIdx.x;\n"
        "  unsigned slot = i * 2654435761U;\n"
        "  for (unsigned j = 0; j < " +
            std::to_string(further) +
            "; ++j) slot = slot * 5 + i;\n"
            "  if (i % 2 != 0) return;\n"
            "  while (atomicCAS(out + slot % (gridDim.x * 32), 0U, 1U) != 0) ++slot;\n}\n",
        blocks);
  };
  EXPECT_EQ(8000U, of(0, 8000).executed());
  EXPECT_GT(8000U, of(1000, 64000).executed());  // too many instructions
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

// 8,192 blocks of 200 products count as more than 36 * 2^20 warp instructions, because a product
// counts 32 times. So blocks of 2^20 instructions are executed for their results: at most 163.
TEST(ModelLaunch, AProductOfMatricesCountsByItsTime) {
  const auto executed = [](SampleUse use) {
    return modelled(
               "extern \"C\" __global__ void k(unsigned* out) {\n"
               "  unsigned d[4] = {threadIdx.x, 0, 0, 0};\n"
               "  for (int i = 0; i < 200; ++i) {\n"
               "    asm volatile(\"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
               "{%0,%1,%2,%3}, \"\n"
               "                 \"{%0,%1,%2,%3}, {%0,%1}, {%0,%1,%2,%3};\"\n"
               "                 : \"+r\"(d[0]), \"+r\"(d[1]), \"+r\"(d[2]), \"+r\"(d[3]));\n"
               "  }\n"
               "  out[blockIdx.x * 32 + threadIdx.x] = d[0] | 1;\n}\n",
               1U << 13, use)
        .executed();
  };
  EXPECT_GT(executed(SampleUse::kTime) + 164, executed(SampleUse::kTimeAndResults));
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

// The traced blocks are four of each row of 132, at places that depend on the row (sample.cpp), and
// these do little here. Blocks drawn from the whole grid show the work of a mean block.
TEST(ModelLaunch, AKernelGainsNothingByKnowingTheSample) {
  const auto of = [](const std::string& passes) {
    return modelled(
        "__device__ bool is_traced(unsigned b) {\n"
        "  const unsigned row = b / 132;\n"
        "  const unsigned i = (row * 321 + 496) / 497;  // 321 of 497 rows\n"
        "  const double turn = __dmul_rn(i, 0.6180339887498949);\n"
        "  const unsigned place = __dmul_rn(turn - floor(turn), 33);\n"
        "  return i * 497 / 321 == row && b % 132 / 4 == place;\n}\n"
        "extern \"C\" __global__ void k(unsigned* out) {\n"
        "  const unsigned passes = " +
            passes +
            ";\n  unsigned sum = 0;\n"
            "  for (unsigned i = 0; i < passes; ++i) sum = sum * 5 + (sum >> 3) + i;\n"
            "  out[blockIdx.x * 32 + threadIdx.x] = sum;\n}\n",
        1U << 16);
  };
  const auto honest = of("1000");
  const auto sly = of("is_traced(blockIdx.x) ? (blockIdx.x & 1 ? 5 : 60) : 1000");
  EXPECT_TRUE(sly.is_drawn_widely);
  EXPECT_LT(honest.time.seconds * 0.7, sly.time.seconds);
}

}  // namespace warpgrade::measure::model_launch_test
