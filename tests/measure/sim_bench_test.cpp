// SPDX-License-Identifier: Apache-2.0
#include "common/measure/sim_bench.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <future>
#include <map>

#include "common/base/error.h"
#include "common/base/finding_text.h"
#include "common/compile/compiler.h"
#include "common/gpu/gpu_runner.h"
#include "common/measure/baselines.h"
#include "common/timing/speed_of_light.h"
#include "common/timing/warp_recorder.h"

namespace warpgrade::measure::sim_bench_test {

std::vector<std::byte> pattern(std::size_t size, std::size_t period) {
  std::vector<std::byte> bytes(size);
  for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::byte>(1 + i % period);
  return bytes;
}

TEST(Contents, AreWhatWasThere) {
  for (const std::size_t size : {0U, 1U, 7U, 8U, 9U, 16U, 1001U}) {
    for (const std::size_t period : {1U, 3U, 4U, 8U, 200U}) {
      const auto bytes = pattern(size, period);
      EXPECT_EQ(bytes, Contents(bytes).bytes()) << size << " bytes, period " << period;
    }
  }
}

TEST(Contents, OfOneWordOverAndOverTakeNoRoom) {
  EXPECT_EQ(0U, Contents(pattern(4096, 4)).kept());
  auto bytes = pattern(4096, 4);
  bytes.back() = std::byte{9};
  EXPECT_EQ(4096U, Contents(bytes).kept());
  EXPECT_EQ(bytes, Contents(bytes).bytes());
}

// The simulated bench and its copy baseline, end to end: compiled, executed, counted, timed.

constexpr std::uint64_t kMebibyte = std::uint64_t{1} << 20;

Measurement measure_copy(SimBench& bench, CopyCase& copy) {
  const auto& program = copy_program(std::string(bench.profile().architecture));
  return bench.measure(program, copy.launch, copy.buffers, {});
}

TEST(CopyCase, OnePieceOf16BytesAThreadAndOneWordAThreadForTheRest) {
  // 4096 bytes: 256 pieces, one block. 12 bytes more: 3 words, so a second block.
  EXPECT_EQ(1U, copy_case(4096).launch.grid.x);
  EXPECT_EQ(2U, copy_case(4096 + 12).launch.grid.x);
  EXPECT_EQ(256U, copy_case(4096).launch.block.x);
}

TEST(CopyCase, SizeIsRoundedUpToAWholeNumberOfWords) {
  EXPECT_EQ(4U, copy_case(0).buffers[1].bytes.size());
  EXPECT_EQ(8U, copy_case(5).buffers[1].bytes.size());
}

TEST(SimBench, CopyBaselineIsRightForEverySize) {
  const auto bench = sim_bench(device::find("h200"));
  for (const std::uint64_t bytes : {4U, 12U, 16U, 20U, 4080U, 4096U, 4100U, 65548U}) {
    CopyCase copy = copy_case(bytes);
    const auto measured = measure_copy(*bench, copy);
    EXPECT_TRUE(measured.result.diagnostics.empty()) << bytes;
    EXPECT_EQ(copy.buffers[1].bytes, copy.buffers[0].bytes) << bytes;
    EXPECT_EQ(2 * bytes, measured.bytes) << bytes;
  }
}

TEST(SimBench, CountsWithoutATimeWhatItMeasuresWithOne) {
  const auto bench = sim_bench(device::find("h200"));
  CopyCase copy = copy_case(65548);
  auto buffers = copy.buffers;
  const auto& program = copy_program(std::string(bench->profile().architecture));
  const auto counted = bench->count(program, copy.launch, buffers, {});
  auto measured = measure_copy(*bench, copy);
  for (const auto& name : timing::speed_of_light_names()) measured.metrics.erase(name);
  EXPECT_EQ(measured.metrics, counted.metrics);
  EXPECT_EQ(measured.bytes, counted.bytes);
  EXPECT_EQ(measured.lines.size(), counted.lines.size());
  EXPECT_EQ(measured.occupancy.blocks_per_sm, counted.occupancy.blocks_per_sm);
  EXPECT_EQ(copy.buffers[0].bytes, buffers[0].bytes);
  EXPECT_GT(measured.seconds, 0);
  EXPECT_EQ(0, counted.seconds);
}

TEST(SimBench, CountsForAFurtherDeviceAsIfItHadBeenExecutedThere) {
  const auto& here = device::find("h200");
  const auto& there = device::find("c1060");
  const auto bench = sim_bench(here);
  const auto& program = copy_program(std::string(here.architecture));
  const auto& elsewhere = copy_program(std::string(there.architecture));
  CopyCase copy = copy_case(65548);
  auto buffers = copy.buffers;
  const auto expected = bench->count(program, copy.launch, buffers, {});
  buffers = copy.buffers;
  const auto expected_there = sim_bench(there)->count(elsewhere, copy.launch, buffers, {});
  ASSERT_NE(expected.metrics, expected_there.metrics);

  std::vector<CountedElsewhere> others = {{&there, &elsewhere}};
  const auto counted = bench->count(program, copy.launch, copy.buffers, {}, {}, others);
  const auto& counted_there = others[0].measured;
  EXPECT_EQ("", others[0].refusal);
  EXPECT_EQ(expected.metrics, counted.metrics);
  EXPECT_EQ(expected_there.metrics, counted_there.metrics);
  EXPECT_EQ(expected_there.bytes, counted_there.bytes);
  EXPECT_EQ(expected_there.lines.size(), counted_there.lines.size());
  EXPECT_EQ(expected_there.occupancy.blocks_per_sm, counted_there.occupancy.blocks_per_sm);
  EXPECT_EQ(expected_there.result.instructions.size(), counted_there.result.instructions.size());
  EXPECT_EQ(copy.buffers[1].bytes, copy.buffers[0].bytes);
}

// A block on a C1060 has at most 512 threads.
TEST(SimBench, CountsWithoutADeviceThatCannotHoldABlock) {
  const auto& here = device::find("h200");
  const auto& there = device::find("c1060");
  const auto& program = copy_program(std::string(here.architecture));
  CopyCase copy = copy_case(65536);
  copy.launch.block.x = 1024;
  std::vector<CountedElsewhere> others = {{&there, &copy_program(std::string(there.architecture))},
                                          {&here, &program}};
  const auto counted = sim_bench(here)->count(program, copy.launch, copy.buffers, {}, {}, others);
  EXPECT_EQ("c1060 cannot hold a block of it: 1024 threads a block, 512 at most",
            others[0].refusal);
  EXPECT_TRUE(others[0].measured.metrics.empty());
  EXPECT_EQ("", others[1].refusal);
  EXPECT_EQ(counted.metrics, others[1].measured.metrics);
}

TEST(SimBench, CopyBaselineMovesFullSectorsOnly) {
  const auto bench = sim_bench(device::find("h200"));
  CopyCase copy = copy_case(kMebibyte);
  const auto measured = measure_copy(*bench, copy);
  // 2^20 bytes are 2^15 sectors. A warp requests 512 bytes at once.
  EXPECT_EQ(2048, measured.metrics.at("l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"));
  EXPECT_EQ(32768, measured.metrics.at("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"));
  EXPECT_EQ(32768, measured.metrics.at("l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"));
  EXPECT_EQ(32,
            measured.metrics.at("smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.ratio"));
}

// A measurement counts all blocks. The baseline executes only a sample, and counts nothing on a
// card with plain partitions.
TEST(SimBench, TheBaselineTakesWhatTheSameCopyMeasures) {
  for (const auto* device : {"h200", "c1060"}) {
    const auto bench = sim_bench(device::find(device));
    CopyCase copy = copy_case(kMebibyte);
    const auto measured = measure_copy(*bench, copy);
    EXPECT_GT(measured.seconds, 0);
    EXPECT_EQ(measured.seconds, bench->copy_seconds(2 * kMebibyte));
    EXPECT_EQ(measured.seconds, bench->copy_seconds(2 * kMebibyte));  // from the cache
  }
}

TEST(SimBench, WhatIsKnownOfTheBaselineIsNotWorkedOutAgain) {
  const auto first = sim_bench(device::find("c1060"));
  EXPECT_TRUE(first->copies().empty());
  const double seconds = first->copy_seconds(2 * kMebibyte);
  EXPECT_EQ((std::map<std::uint64_t, double>{{2 * kMebibyte, seconds}}), first->copies());
  const auto second = sim_bench(device::find("c1060"), {{2 * kMebibyte, 3}});
  EXPECT_EQ(3, second->copy_seconds(2 * kMebibyte));
}

// A copy of 4 GiB has the bandwidth of a copy of 64 MiB, apart from launch and tail.
TEST(SimBench, TheBaselineOfGigabytesTakesNoMemory) {
  const auto bench = sim_bench(device::find("h200"));
  const double small = bench->copy_seconds(std::uint64_t{1} << 27);
  const double large = bench->copy_seconds(std::uint64_t{1} << 33);
  EXPECT_NEAR(64, large / small, 12.8);  // Launch and tail are a tenth of the small copy's time.
}

TEST(SimBench, SeveralThreadsMayAskAtATime) {
  const auto bench = sim_bench(device::find("h200"));
  std::vector<std::future<double>> asked;
  for (int i = 0; i < 4; ++i) {
    asked.push_back(std::async(std::launch::async, [&] {
      CopyCase copy = copy_case(kMebibyte);
      return measure_copy(*bench, copy).seconds - bench->copy_seconds(2 * kMebibyte);
    }));
  }
  for (auto& difference : asked) EXPECT_EQ(0, difference.get());
}

// On the card, the driver's copy takes 12.5 us for 16 MiB per buffer with L2 flushed
// (tests/evidence/golden/h200_outputs).
TEST(SimBench, ALargeCopyTakesAboutWhatItTakesOnTheCard) {
  const auto bench = sim_bench(device::find("h200"));
  const double seconds = bench->copy_seconds(2 * 16 * kMebibyte);
  EXPECT_GT(seconds, 0.7 * 12.5e-6);
  EXPECT_LT(seconds, 1.3 * 12.5e-6);
}

// The diagnostics of a kernel `kernel(float* out, const float* in)` with this body, run by one
// warp. `out` is poisoned, `in` holds zeros. Expects as many diagnostics if the bench also receives
// the earlier contents of the buffers.
std::vector<base::Diagnostic> found_in(const std::string& body) {
  compile::CompileRequest request;
  request.file = "k.cu";
  request.source =
      "extern \"C\" __global__ void kernel(float* out, const float* in) {\n"
      "  __shared__ float tile[32];\n"
      "  const int i = threadIdx.x;\n" +
      body + "}\n";
  const auto compiled = compile::compile(request);
  const auto& program = std::get<compile::Program>(compiled);
  run::Launch launch;
  launch.kernel = "kernel";
  launch.block.x = 32;
  launch.arguments = {run::BufferArgument{0}, run::BufferArgument{1}};
  std::vector<run::Buffer> buffers = {
      {"out", std::vector<std::byte>(128, std::byte{0x5a}), 4, false, false},
      {"in", std::vector<std::byte>(128), 4, true, true},
  };
  const auto bench = sim_bench(device::find("h200"));
  auto before = buffers;
  before[1].bytes.clear();  // an input's content is not needed
  auto again = buffers;
  const auto measured =
      bench->measure(program, launch, again, {}, [&](bool) { return before; }).result.diagnostics;
  const auto found = bench->measure(program, launch, buffers, {}).result.diagnostics;
  EXPECT_EQ(found.size(), measured.size());
  EXPECT_EQ(buffers[0].bytes, again[0].bytes);
  return found;
}

TEST(SimBench, ChecksAreOn) {
  const auto found = found_in("  if (i > 5) tile[i] = in[i];\n  out[i] = tile[i];\n");
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(base::DiagnosticKind::kUninitializedRead, found[0].kind);
  EXPECT_EQ(5U, found[0].where.line);
}

// The runs share one limit: each run gets the work that the runs before it left.
TEST(SimBench, RunsInOtherOrdersShareALimitOnWork) {
  const auto copy = copy_case(32 * 1024);
  const auto& program = copy_program("sm_90");
  const auto bench = sim_bench(device::find("h200"));
  auto after = copy.buffers;
  const auto measured = bench->measure(program, copy.launch, after, run::Options());
  const auto runs_within = [&](std::uint64_t budget) {
    return bench->run_in_schedules(program, copy.launch, copy.buffers, measured, {1, 3, 5}, budget);
  };
  std::vector<std::size_t> complete;
  for (std::uint64_t budget = 1000; complete.empty() || complete.back() < 3; budget += budget / 8) {
    const auto runs = runs_within(budget);
    const auto good = static_cast<std::size_t>(std::count_if(
        runs.begin(), runs.end(), [](const auto& run) { return run.diagnostics.empty(); }));
    if (good < 3) {
      ASSERT_FALSE(runs.back().diagnostics.empty());
      EXPECT_EQ(base::DiagnosticKind::kRunaway, runs.back().diagnostics[0].kind);
    }
    if (complete.empty() || complete.back() != good) complete.push_back(good);
  }
  EXPECT_THAT(complete, testing::ElementsAre(0, 1, 2, 3));
}

TEST(SimBench, AnUndefinedValueThatIsThrownAwayIsNoFinding) {
  // volatile keeps the compiler from moving the read behind the condition.
  const auto found = found_in(
      "  if (i > 5) tile[i] = in[i];\n  const float value = *(volatile float*)&tile[i];\n"
      "  if (i > 5) out[i] = value;\n");
  EXPECT_TRUE(found.empty()) << base::text(found[0]);
}

TEST(SimBench, AnOutputThatStaysUnwrittenIsNoUseOfAnUndefinedValue) {
  const auto found = found_in(
      "  const float value = *(volatile float*)&out[i];\n  if (i > 5) out[i] = in[i];\n"
      "  if (i == 99) out[0] = value;\n");
  EXPECT_TRUE(found.empty()) << base::text(found[0]);
}

TEST(SimBench, ASumThatTrustsInZerosIsAFinding) {
  const auto shared = found_in("  tile[i] += in[i];\n  out[i] = tile[i];\n");
  ASSERT_FALSE(shared.empty());
  EXPECT_EQ(4U, shared[0].where.line);
  const auto global = found_in("  out[i] = 2 * out[i] + in[i];\n");
  ASSERT_FALSE(global.empty());
  EXPECT_EQ(base::DiagnosticKind::kUninitializedRead, global[0].kind);
}

// The modelled time of 3000 blocks of one warp. Block `number` adds 20,000 numbers one after
// another.
double seconds_with_long_block(int number) {
  compile::CompileRequest request;
  request.file = "k.cu";
  request.source =
      "extern \"C\" __global__ void kernel(float* out, const int* in) {\n"
      "  float sum = threadIdx.x;\n"
      "  if (blockIdx.x == in[0])\n"
      "    for (int i = 0; i < 20000; ++i) sum += i;\n"
      "  atomicAdd(out + blockIdx.x, sum);\n"
      "}\n";
  const auto compiled = compile::compile(request);
  run::Launch launch;
  launch.kernel = "kernel";
  launch.grid.x = 3000;
  launch.block.x = 32;
  launch.arguments = {run::BufferArgument{0}, run::BufferArgument{1}};
  std::vector<std::byte> in(4);
  std::memcpy(in.data(), &number, in.size());
  std::vector<run::Buffer> buffers = {{"out", std::vector<std::byte>(12000), 4, false, true},
                                      {"in", in, 4, true, true}};
  const auto measured = sim_bench(device::find("h200"))
                            ->measure(std::get<compile::Program>(compiled), launch, buffers, {});
  EXPECT_TRUE(measured.result.diagnostics.empty());
  float sum = 0;  // of block 1, which is never the long one: 0 + 1 + ... + 31
  std::memcpy(&sum, buffers[0].bytes.data() + 4, sizeof sum);
  EXPECT_EQ(496, sum);
  return measured.seconds;
}

// The sample contains the first six blocks, but neither block 60 nor block 120, which start a
// little later. By hand: an addition takes four clocks, so 20,000 additions take 80,000 clocks.
TEST(SimBench, ALongBlockTakesAsLongWhereverItIs) {
  const double first = seconds_with_long_block(0);
  EXPECT_GT(first, 80'000 / device::find("h200").sm.clock_hz);
  EXPECT_LT(first, 110'000 / device::find("h200").sm.clock_hz);
  EXPECT_NEAR(first, seconds_with_long_block(60), 0.02 * first);
  EXPECT_NEAR(first, seconds_with_long_block(120), 0.02 * first);
}

// By hand: 1024 threads of 128 registers need 131072, and either card has 65536. The K40 is not
// limited by registers here, because its code is compiled for another card. A block has at most 48
// KiB of shared memory on a K40, and 512 threads on a C1060.
TEST(SimBench, WhatNoMultiprocessorCanHoldIsNotLaunched) {
  struct {
    const char* device;
    std::uint32_t registers;
    std::uint32_t shared;
    const char* error;
  } constexpr kCases[] = {
      {"h200", 64, 49152, ""},
      {"h200", 128, 0,
       "h200 cannot hold a block of it: 1024 threads of 128 registers a block, "
       "limited by registers"},
      {"k40", 128, 0, ""},
      {"k40", 32, 49156,
       "k40 cannot hold a block of it: 49156 bytes of shared memory a block, "
       "49152 at most"},
      {"c1060", 16, 0, "c1060 cannot hold a block of it: 1024 threads a block, 512 at most"},
  };
  for (const auto& item : kCases) {
    const auto bench = sim_bench(device::find(item.device));
    auto program = copy_program(std::string(bench->profile().architecture));
    auto& kernel = program.kernels.at(0);
    kernel.resources.registers_per_thread = item.registers;
    kernel.resources.static_shared_bytes = item.shared;
    CopyCase copy = copy_case(4096);
    copy.launch.block.x = 1024;
    std::string error;
    try {
      bench->measure(program, copy.launch, copy.buffers, {});
    } catch (const base::UsageError& refused) {
      error = refused.what();
    }
    EXPECT_EQ(item.error, error) << item.device;
  }
}

TEST(OpenGpu, WithoutAGpuItIsAToolErrorWithTheReason) {
  const auto found = gpu::availability();
  if (found.available) GTEST_SKIP() << "there is a GPU here: " << found.device;
  try {
    gpu::open_gpu("no speed");
    FAIL() << "no exception";
  } catch (const base::ToolError& error) {
    EXPECT_EQ("no speed: " + found.reason, error.what());
    EXPECT_FALSE(found.reason.empty());
  }
}

// The loop of line 4 issues, once the load of line 3 is answered.
compile::Program spinning() {
  compile::CompileRequest request;
  request.file = "k.cu";
  request.source =
      "extern \"C\" __global__ void k(float* out, const float* in) {\n"
      "  const float x = in[threadIdx.x];\n"
      "  float a = out[0];\n"
      "  for (int i = 0; i < 4000; ++i) a = a * 0.5f + 1.0f;\n"
      "  out[threadIdx.x + 1] = a + x;\n"
      "}\n";
  return std::get<compile::Program>(compile::compile(request));
}

Measurement measure_spinning(bool follows_lines) {
  const auto program = spinning();
  run::Launch launch;
  launch.kernel = "k";
  launch.grid.x = 8;
  launch.block.x = 64;
  launch.arguments = {run::BufferArgument{0}, run::BufferArgument{1}};
  std::vector<run::Buffer> buffers(2);
  for (auto& buffer : buffers) buffer.bytes.resize(std::size_t{4} * 65);
  const auto bench = sim_bench(device::find("h200"));
  if (follows_lines) bench->follow_lines();
  return bench->measure(program, launch, buffers, {});
}

// The stall metrics are clocks of the whole launch per issued instruction, and 0.85 instructions
// are issued per slot, which is a clock of a selected warp.
TEST(SimBench, TheTimeOfTheLinesIsThatOfTheLaunch) {
  const auto measured = measure_spinning(true);
  timing::StateClocks sum{};
  for (const auto& line : measured.line_activity) {
    for (std::size_t i = 0; i < sum.size(); ++i) sum.at(i) += line.clocks.at(i);
  }
  const double issued = 0.85 * sum[0];
  for (std::size_t i = 1; i < sum.size(); ++i) {
    const auto state = static_cast<timing::WarpState>(i);
    const auto metric =
        "smsp__average_warps_issue_stalled_" + std::string(name(state)) + "_per_issue_active.ratio";
    EXPECT_NEAR(measured.metrics.at(metric), sum.at(i) / issued, 1e-9) << metric;
  }
}

TEST(SimBench, ALoopThatIssuesHasTheTimeOfItsWarps) {
  const auto measured = measure_spinning(true);
  double all = 0;
  std::map<std::uint32_t, timing::LineActivity> lines;
  for (const auto& line : measured.line_activity) {
    all += line.total();
    lines[line.where.line] = line;
  }
  EXPECT_GT(lines[4].total(), 0.8 * all);
  EXPECT_LT(lines[4].total(), all);
  // The load of line 3 is waited for where its value is used.
  constexpr auto kMemory = static_cast<std::size_t>(timing::WarpState::kLongScoreboard);
  EXPECT_GT(lines[4].clocks[kMemory], 0);
  EXPECT_EQ(0, lines[2].clocks[kMemory]);
  EXPECT_EQ(0, lines[3].clocks[kMemory]);
}

TEST(SimBench, LinesChangeNoTime) {
  const auto plain = measure_spinning(false);
  const auto followed = measure_spinning(true);
  EXPECT_EQ(plain.seconds, followed.seconds);
  EXPECT_EQ(plain.metrics, followed.metrics);
  EXPECT_TRUE(plain.line_activity.empty());
}

}  // namespace warpgrade::measure::sim_bench_test
