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

TEST(Waits, Explore) {
  struct R { std::string row, kernel; std::uint32_t blocks, threads; std::vector<Argument> args; bool coop = false; std::uint32_t cluster = 0; };
  std::vector<R> rows;
  for (std::uint32_t b : {64u, 256u, 1024u, 4096u}) {
    const auto n = std::to_string(b);
    rows.push_back({"chain,volatile_one_word," + n, "chain_volatile", b, 32, {{1}, {b}}});
    rows.push_back({"chain,volatile_word_per_block," + n, "chain_each", b, 32, {{b * 32}, {b}}});
    rows.push_back({"chain,atomic_one_word," + n, "chain_atomic", b, 32, {{1}, {b}}});
  }
  for (std::uint32_t m : {65536u, 1048576u}) {
    const auto n = std::to_string(m);
    rows.push_back({"chain,wait_then_copy_256," + n, "chain_copy", m / 256, 256, {{m}, {m}, {0, m}, {1}}});
    rows.push_back({"chain,copy_then_wait_256," + n, "chain_work_first", m / 256, 256, {{m}, {m}, {0, m}, {1}}});
  }
  for (std::uint32_t b : {1u, 4u, 16u, 132u, 528u}) rows.push_back({"lock,global_counter_16_each," + std::to_string(b), "lock_counter", b, 32, {{1}, {1}, {0, 16}}});
  for (std::uint32_t w : {1u, 2u, 4u, 8u, 16u, 32u}) rows.push_back({"lock,shared_counter_64_per_warp," + std::to_string(w), "lock_shared", 1, 32 * w, {{1}, {0, 64}}});
  for (std::uint32_t m : {65536u, 262144u}) rows.push_back({"lock,shared_bins_528x256," + std::to_string(m), "lock_bins", 528, 256, {{256}, {m / 4}, {0, m}}});
  for (std::uint32_t b : {1u, 132u, 528u}) for (std::uint32_t w : {1u, 8u}) rows.push_back({"tickets,20000_by_" + std::to_string(w) + "_warps_a_block," + std::to_string(b), "tickets_warp", b, 32 * w, {{1}, {0, 20000}, {1}}});
  for (std::uint32_t p : {256u, 1024u, 4096u, 16384u}) rows.push_back({"queue,copy_piece_" + std::to_string(p) + ",4194304", "queue_copy", 528, 256, {{1 << 22}, {1 << 22}, {0, 1 << 22}, {1}, {0, p}}});
  for (std::uint32_t b : {1u, 32u, 132u, 264u, 1056u}) {
    for (std::uint32_t t : {32u, 256u}) {
      rows.push_back({"grid_sync,100_with_threads_" + std::to_string(t) + "," + std::to_string(b), "grid_syncs", b, t, {{b}, {0, 100}}, true});
      rows.push_back({"grid_sync,by_hand_100_with_threads_" + std::to_string(t) + "," + std::to_string(b), "grid_sync_by_hand", b, t, {{1}, {b}, {0, 100}}});
    }
  }
  for (std::uint32_t c : {2u, 8u}) rows.push_back({"cluster_sync,1000_of_" + std::to_string(c) + "_blocks_of_256,128", "cluster_syncs", 128, 256, {{128}, {0, 1000}}, false, c});
  for (std::uint32_t m : {1u << 20, 1u << 22, 1u << 24}) for (std::uint32_t wide : {0u, 1u})
    rows.push_back({std::string("look_back,") + (wide ? "warp" : "thread") + "_1024," + std::to_string(m), "scan_look_back", m / 1024, 256, {{m}, {m}, {0, m}, {1}, {m / 512}, {0, wide}}});
  for (std::uint32_t lanes : {1u, 2u, 4u, 32u}) {
    for (auto [b, t, n, all] : {std::tuple{1u, 32u, 8u, 8u}, {1u, 256u, 8u, 64u}, {16u, 32u, 8u, 128u}, {132u, 32u, 4u, 528u}})
      rows.push_back({"lock_global,blocks_" + std::to_string(b) + "_threads_" + std::to_string(t) + "_lanes_" + std::to_string(lanes) + "_locks_1_each_" + std::to_string(n) + "," + std::to_string(all * lanes), "lanes_global", b, t, {{64}, {64}, {0, n}, {0, 1}, {0, lanes}}});
    for (std::uint32_t t : {32u, 256u})
      rows.push_back({"lock_shared,blocks_1_threads_" + std::to_string(t) + "_lanes_" + std::to_string(lanes) + "_locks_1_each_64," + std::to_string(2 * t * lanes), "lanes_shared", 1, t, {{1}, {0, 64}, {0, 1}, {0, lanes}}});
  }
  for (std::uint32_t locks : {32u, 256u, 4096u})
    rows.push_back({"lock_global,blocks_132_threads_256_lanes_1_locks_" + std::to_string(locks) + "_each_4,4224", "lanes_global", 132, 256, {{64 * locks}, {64 * locks}, {0, 4}, {0, locks}, {0, 1}}});
  const char* only = std::getenv("ONLY");
  for (const auto& r : rows) {
    if (only != nullptr && r.row.find(only) == std::string::npos) continue;
    const auto m = measure_waits(waits_source(), r.kernel, r.blocks, r.threads, r.args, r.coop, r.cluster);
    const double card = measured_us(r.row);
    printf("%-50s card %9.1f model %9.1f ratio %5.2f  -%.2f +%.2f %s\n", r.row.c_str(), card, 1e6 * m.seconds, 1e6 * m.seconds / card, m.unmodelled.shorter() / m.seconds, m.unmodelled.longer() / m.seconds, m.result.diagnostics.empty() ? "" : m.result.diagnostics[0].message.c_str());
    fflush(stdout);
  }
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
