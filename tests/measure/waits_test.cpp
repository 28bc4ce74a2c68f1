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
                          const std::vector<Argument>& arguments, bool cooperative = false,
                          std::uint32_t cluster = 0) {
  const auto& program = compiled(source);
  run::Launch launch;
  launch.kernel = kernel;
  launch.grid.x = blocks;
  launch.block.x = threads;
  launch.cooperative = cooperative;
  if (cluster != 0) launch.cluster = base::Dim3{cluster, 1, 1};
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

// A kernel of waits.cu, and by how much its time may differ from the card's in `row`.
struct Way {
  std::string row;
  std::string kernel;
  std::uint32_t blocks = 0;
  std::uint32_t threads = 0;
  std::vector<Argument> arguments;
  double most = 0.3;
  bool cooperative = false;
  std::uint32_t cluster = 0;
};

constexpr std::uint32_t kWords = 1 << 22;

void expect_times(const std::vector<Way>& ways) {
  for (const auto& way : ways) {
    SCOPED_TRACE(way.row);
    const auto measured = measure_waits(waits_source(), way.kernel, way.blocks, way.threads,
                                        way.arguments, way.cooperative, way.cluster);
    ASSERT_TRUE(measured.result.diagnostics.empty()) << measured.result.diagnostics[0].message;
    const double card = 1e-6 * measured_us(way.row);
    EXPECT_NEAR(1, measured.seconds / card, way.most);
    // The card's time is in the range of the modelled one, unless it is only the model's error.
    EXPECT_LT(measured.unmodelled.longer(), timing::UnmodelledSet::kUnknown);
    EXPECT_GT(1.3 * (measured.seconds + measured.unmodelled.longer()), card);
  }
}

TEST(Waits, AChainOfBlocksTakesAHopPerBlock) {
  expect_times({
      {"chain,volatile_word_per_block,256", "chain_each", 256, 32, {{8192}, {256}}, 0.15},
      {"chain,volatile_one_word,256", "chain_volatile", 256, 32, {{1}, {256}}, 0.2},
      {"chain,atomic_one_word,256", "chain_atomic", 256, 32, {{1}, {256}}, 0.1},
      {"chain,wait_then_copy_256,65536",
       "chain_copy",
       256,
       256,
       {{65536}, {65536}, {0, 65536}, {1}},
       0.15},
      {"chain,copy_then_wait_256,65536",
       "chain_work_first",
       256,
       256,
       {{65536}, {65536}, {0, 65536}, {1}}},
  });
}

TEST(Waits, ALockServesOneBlockWarpOrLaneAfterTheOther) {
  const std::string one_lane = "lock_global,blocks_132_threads_256_lanes_1_locks_256_each_4";
  expect_times({
      {"lock,global_counter_16_each,16", "lock_counter", 16, 32, {{1}, {1}, {0, 16}}, 0.15},
      // The attempts of 500 blocks delay each other.
      {"lock,global_counter_16_each,528", "lock_counter", 528, 32, {{1}, {1}, {0, 16}}, 0.15},
      {"lock,global_counter_16_each,132", "lock_counter", 132, 32, {{1}, {1}, {0, 16}}, 0.1},
      {"lock,shared_counter_64_per_warp,8", "lock_shared", 1, 256, {{1}, {0, 64}}, 0.1},
      {"lock_global,blocks_16_threads_32_lanes_32_locks_1_each_8,4096",
       "lanes_global",
       16,
       32,
       {{64}, {64}, {0, 8}, {0, 1}, {0, 32}},
       0.1},
      {"lock_shared,blocks_1_threads_256_lanes_32_locks_1_each_64,16384",
       "lanes_shared",
       1,
       256,
       {{1}, {0, 64}, {0, 1}, {0, 32}},
       0.3},
      {one_lane + ",4224",
       "lanes_global",
       132,
       256,
       {{16384}, {16384}, {0, 4}, {0, 256}, {0, 1}},
       0.15},
  });
}

TEST(Waits, BlocksShareAQueueOfTickets) {
  expect_times({
      {"queue,copy_piece_4096,4194304",
       "queue_copy",
       528,
       256,
       {{kWords}, {kWords}, {0, kWords}, {1}, {0, 4096}},
       0.1},
      {"tickets,20000_by_1_warps_a_block,1", "tickets_warp", 1, 32, {{1}, {0, 20000}, {1}}},
      {"tickets,20000_by_1_warps_a_block,132", "tickets_warp", 132, 32, {{1}, {0, 20000}, {1}}},
  });
}

TEST(Waits, AScanWithLookBackWaitsForEarlierBlocks) {
  const std::vector<Argument> arguments = {
      {kWords / 4}, {kWords / 4}, {0, kWords / 4}, {1}, {2048}};
  auto by_threads = arguments;
  by_threads.push_back({0, 0});
  auto by_warps = arguments;
  by_warps.push_back({0, 1});
  expect_times({
      {"look_back,thread_1024,1048576", "scan_look_back", 1024, 256, by_threads, 0.15},
      {"look_back,warp_1024,1048576", "scan_look_back", 1024, 256, by_warps, 0.25},
  });
}

TEST(Waits, BarriersOfTheGridAndOfClusters) {
  expect_times({
      {"grid_sync,100_with_threads_256,1", "grid_syncs", 1, 256, {{1}, {0, 100}}, 0.2, true},
      {"grid_sync,100_with_threads_32,132", "grid_syncs", 132, 32, {{132}, {0, 100}}, 0.2, true},
      {"cluster_sync,1000_of_8_blocks_of_256,128",
       "cluster_syncs",
       128,
       256,
       {{128}, {0, 1000}},
       0.15,
       false,
       8},
  });
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
KERNEL reads_again(unsigned* out) {  // nothing depends on what it reads, so it waits for nobody
  unsigned sum = 0;
  for (unsigned i = 0; i < 100; ++i) sum += *(volatile unsigned*)out;
  out[threadIdx.x] = sum;
}
KERNEL waits_through_memory(unsigned* out) {
  __shared__ unsigned seen;
#pragma unroll 1
  for (unsigned i = 0; i < 4; ++i) {
    if (threadIdx.x == 0) seen = *(volatile unsigned*)out;
    __syncthreads();
    if (seen != 0) break;
    __syncthreads();
  }
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
           {"reads_again", Unmodelled::kMemoryDuringWaits, false},
           {"waits_through_memory", Unmodelled::kMemoryDuringWaits, true},
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
