// SPDX-License-Identifier: Apache-2.0
// Times of kernels whose blocks wait for each other or share a queue, compared with an H200
// (tests/evidence/golden/h200_blocks); and the launches that the model cannot time.
#include "common/timing/waits.h"

#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <map>
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

const compile::Program& compiled(const std::string& source) {
  static std::map<std::string, compile::Program> all;
  auto found = all.find(source);
  if (found == all.end()) {
    compile::CompileRequest request;
    request.file = "waits.cu";
    request.source = source;
    found = all.emplace(source, std::get<compile::Program>(compile::compile(request))).first;
  }
  return found->second;
}

Measurement measure_waits(const std::string& source, const std::string& kernel,
                          std::uint32_t blocks, std::uint32_t threads,
                          const std::vector<Argument>& arguments, bool cooperative = false) {
  const auto& program = compiled(source);
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
  const double card = measured_us(row);
  EXPECT_GT(1e6 * measured.seconds, least * card) << row;
  EXPECT_LT(1e6 * measured.seconds, 1.3 * card) << row;
  // The card's time is in the range of the modelled one.
  EXPECT_LT(measured.unmodelled.longer(), timing::UnmodelledSet::kUnknown) << row;
  EXPECT_GT(1.3e6 * (measured.seconds + measured.unmodelled.longer()), card) << row;
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

// Its memory is idle while blocks wait, so 7.2 us can be 11.2.
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

// Parts that the model does not time, or not exactly, of kernels with one array of zeroed words.
struct Doubt {
  std::string kernel;
  timing::Unmodelled part{};
  bool has = false;
};

const std::string kDoubtful = R"(
#include <cooperative_groups.h>
#define KERNEL extern "C" __global__ void
__device__ unsigned lock;
__device__ unsigned work(unsigned n) {
  unsigned sum = threadIdx.x;
  for (unsigned i = 0; i < n; ++i) sum = sum * 5 + (sum >> 3) + i;
  return sum;
}
// In each phase one block works, or all do, and then they meet.
#define PHASES(name, extent, group, one_by_one)                                            \
  KERNEL extent name(unsigned* out) {                                                      \
    for (unsigned p = 0; p < 4; ++p) {                                                     \
      if (!one_by_one || p == blockIdx.x % 4) out[blockIdx.x * 32 + threadIdx.x] += work(2000); \
      cooperative_groups::group().sync();                                                  \
    }                                                                                      \
  }
PHASES(grid_one_by_one, , this_grid, true)
PHASES(grid_together, , this_grid, false)
PHASES(cluster_one_by_one, __cluster_dims__(4), this_cluster, true)
PHASES(cluster_together, __cluster_dims__(4), this_cluster, false)
KERNEL lanes_want_a_lock(unsigned* out) {
  for (bool done = false; !done;) {
    if (atomicCAS(&lock, 0u, 1u) != 0) continue;
    __threadfence();
    ++*(volatile unsigned*)out;
    __threadfence();
    atomicExch(&lock, 0u);
    done = true;
  }
}
KERNEL one_warp_locks(unsigned* out) {  // nobody else wants the lock
  if (threadIdx.x != 0 || blockIdx.x != 0) return;
  while (atomicCAS(&lock, 0u, 1u) != 0) {}
  __threadfence();
  *out = 1;
  __threadfence();
  atomicExch(&lock, 0u);
}
KERNEL sum_by_swaps(unsigned* out) {  // each failure means that another thread has succeeded
  unsigned old = *(volatile unsigned*)out, seen;
  do {
    seen = old;
    old = atomicCAS(out, seen, seen + threadIdx.x + 1);
  } while (old != seen);
}
KERNEL sleeps_for_a_flag(unsigned* out) {
  __shared__ volatile unsigned flag;
  if (threadIdx.x == 0) flag = 0;
  __syncthreads();
  if (threadIdx.x == 0) flag = 1;
  while (flag == 0) __nanosleep(100);
  out[threadIdx.x] = 1;
}
KERNEL naps(unsigned* out) {
  for (unsigned i = 0; i < 4; ++i) __nanosleep(100);
  out[threadIdx.x] = 1;
}
)";

TEST(Waits, ThePartsWithoutAnExactTimeAreNamed) {
  using timing::Unmodelled;
  for (const auto& [kernel, part, has] : std::vector<Doubt>{
           {"grid_one_by_one", Unmodelled::kLateBlocks, true},
           {"grid_together", Unmodelled::kLateBlocks, false},
           {"cluster_one_by_one", Unmodelled::kLateBlocks, true},
           {"cluster_together", Unmodelled::kLateBlocks, false},
           {"lanes_want_a_lock", Unmodelled::kLockAttempts, true},
           {"one_warp_locks", Unmodelled::kLockAttempts, false},
           {"sum_by_swaps", Unmodelled::kLockAttempts, false},
           {"sleeps_for_a_flag", Unmodelled::kSleepsOfWaits, true},
           {"naps", Unmodelled::kSleepsOfWaits, false},
       }) {
    const auto measured =
        measure_waits(kDoubtful, kernel, 4, 32, {{256}}, kernel.starts_with("grid"));
    EXPECT_EQ(has, measured.unmodelled.has(part)) << kernel;
  }
}

// Two blocks: 100 and 10 instructions up to the first barrier, then 10 and 90. The launch takes as
// long as 190, and each block executes 110 or 100.
TEST(Waits, ABlockWaitsAtABarrierForTheLongestOne) {
  run::Launch launch;
  launch.cooperative = true;
  run::LaunchContext context;
  context.launch = &launch;
  timing::WideBarriers all;
  for (const auto& phases : {std::pair{100, 10}, std::pair{10, 90}}) {
    timing::WideBarriers block;
    block.on_launch(context);
    block.on_block_begin(0);
    EXPECT_TRUE(block.wants_instructions());
    for (int i = 0; i < phases.first; ++i) block.on_instruction(0, 0);
    block.on_grid({run::GridEvent::Kind::kArrive, 0});
    for (int i = 0; i < phases.second; ++i) block.on_instruction(0, 0);
    block.on_block_end();
    all.join(block);
  }
  EXPECT_DOUBLE_EQ(190.0 / 110, all.lateness());
}

}  // namespace warpgrade::measure::waits_test
