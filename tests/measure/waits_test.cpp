// SPDX-License-Identifier: Apache-2.0
// Times of kernels whose blocks wait for each other or share a queue, compared with an H200
// (tests/evidence/golden/h200_blocks); and the launches that the model cannot time.
#include "common/timing/waits.h"

#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "common/compile/compiler.h"
#include "common/measure/sim_bench.h"

namespace warpgrade::measure::waits_test {

std::string waits_source() {
  std::ifstream file(WARPGRADE_BLOCKS "/waits.cu");
  std::ostringstream out;
  out << file.rdbuf();
  return out.str();
}

// Microseconds of the row "group,name,n,...".
double measured_us(const std::string& row) {
  std::ifstream file(WARPGRADE_BLOCKS "/times.csv");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with(row + ",")) return std::stod(line.substr(row.size() + 1));
  }
  return 0;
}

// A pointer to zeroed words, or a 32-bit value.
struct Argument {
  std::uint64_t words = 0;
  std::uint32_t value = 0;
};

Measurement measure_waits(const std::string& source, const std::string& kernel,
                          std::uint32_t blocks, std::uint32_t threads,
                          const std::vector<Argument>& arguments, bool cooperative = false) {
  compile::CompileRequest request;
  request.file = "waits.cu";
  request.source = source;
  const auto program = std::get<compile::Program>(compile::compile(request));
  run::Launch launch;
  launch.kernel = kernel;
  launch.grid.x = blocks;
  launch.block.x = threads;
  launch.cooperative = cooperative;
  std::vector<run::Buffer> buffers;
  for (const auto& [words, value] : arguments) {
    if (words != 0) {
      launch.arguments.emplace_back(run::BufferArgument{buffers.size()});
      buffers.push_back({"buffer", std::vector<std::byte>(words * 4), 4, false, true});
    } else {
      run::ValueArgument bytes(sizeof value);
      std::memcpy(bytes.data(), &value, sizeof value);
      launch.arguments.emplace_back(std::move(bytes));
    }
  }
  return sim_bench(device::find("h200"))->measure(program, launch, buffers, {});
}

// Expects the time of a kernel of waits.cu to be at most 30 % more than the card's in `row`, and at
// least `least` of it.
void expect_time(const std::string& row, const std::string& kernel, std::uint32_t blocks,
                 std::uint32_t threads, const std::vector<Argument>& arguments,
                 double least = 0.7) {
  const auto measured = measure_waits(waits_source(), kernel, blocks, threads, arguments);
  ASSERT_TRUE(measured.result.diagnostics.empty()) << measured.result.diagnostics[0].message;
  EXPECT_TRUE(measured.unmodelled.empty()) << row;
  const double card = measured_us(row);
  EXPECT_GT(1e6 * measured.seconds, least * card) << row;
  EXPECT_LT(1e6 * measured.seconds, 1.3 * card) << row;
}

TEST(Waits, AChainOfBlocksTakesAHopPerBlock) {
  expect_time("chain,volatile_word_per_block,256", "chain_each", 256, 32, {{8192}, {256}});
  expect_time("chain,volatile_one_word,256", "chain_volatile", 256, 32, {{1}, {256}});
}

TEST(Waits, ALockServesOneBlockOrWarpAfterTheOther) {
  expect_time("lock,global_counter_16_each,16", "lock_counter", 16, 32, {{1}, {1}, {0, 16}});
  expect_time("lock,global_counter_16_each,132", "lock_counter", 132, 32, {{1}, {1}, {0, 16}});
  expect_time("lock,shared_counter_64_per_warp,8", "lock_shared", 1, 256, {{1}, {0, 64}});
}

TEST(Waits, BlocksShareAQueueOfTickets) {
  constexpr std::uint32_t kWords = 1 << 22;
  expect_time("queue,copy_piece_4096,4194304", "queue_copy", 528, 256,
              {{kWords}, {kWords}, {0, kWords}, {1}, {0, 4096}});
}

// Its memory is idle while blocks wait, which the model does not know: 7.2 us instead of 11.2.
TEST(Waits, AScanWithLookBackWaitsForFewBlocks) {
  constexpr std::uint32_t kWords = 1 << 20;
  expect_time("look_back,warp_1024,1048576", "scan_look_back", 1024, 256,
              {{kWords}, {kWords}, {0, kWords}, {1}, {2048}, {0, 1}}, 0.6);
}

// Blocks of a cooperative launch have no clocks, so the time of this wait is unknown.
TEST(Waits, FlagsOfACooperativeLaunchHaveNoTime) {
  const auto measured = measure_waits(
      "extern \"C\" __global__ void pass(volatile int* flag) {\n"
      "  if (blockIdx.x != 0) { while (flag[0] == 0) {} } else { flag[0] = 1; }\n}\n",
      "pass", 4, 32, {{1}}, /*cooperative=*/true);
  EXPECT_TRUE(measured.unmodelled.has(timing::Unmodelled::kWaitsBetweenBlocks));
}

}  // namespace warpgrade::measure::waits_test
