// SPDX-License-Identifier: Apache-2.0
// Kernels that order words by flags, counters and locks: with all fences, and with one missing
// (PTX ISA, "Memory Consistency Model"). Each verdict follows from that model.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "common/base/finding_text.h"
#include "common/check/checks.h"
#include "common/compile/compiler.h"
#include "common/sim/simulator.h"

namespace warpgrade::check::fences_test {

using testing::HasSubstr;

// BOTH(name, a, b, c) needs a fence between a and b, and one between b and c.
constexpr const char* kSource = R"(
#define KERNEL(name, ...)                                                              \
  extern "C" __global__ void name(int* x, int* out) {                                  \
    volatile int *v = x, *o = out; const int t = threadIdx.x, b = blockIdx.x;          \
    const int i = b * blockDim.x + t; __VA_ARGS__ }
#define FENCE __threadfence();
#define NARROW __threadfence_block();
#define BOTH(name, a, b, c)                                                            \
  KERNEL(right_##name, a FENCE b FENCE c) KERNEL(none_##name, a b c)                   \
  KERNEL(late_##name, a b FENCE c) KERNEL(early_##name, a FENCE b c)                   \
  KERNEL(near_##name, a NARROW b FENCE c) KERNEL(far_##name, a FENCE b NARROW c)
#define ONE if (t == 0 && b == 0) {
#define TWO } if (t == 0 && b == 1) {
BOTH(message, ONE v[0] = 42;, v[1] = 1; TWO while (v[1] == 0) {}, o[0] = v[0]; })
BOTH(plain, ONE x[0] = 42;, v[1] = 1; TWO while (v[1] == 0) {}, o[0] = x[0]; })
BOTH(atomics, ONE atomicExch(&x[0], 42);,
     atomicExch(&x[1], 1); TWO while (atomicAdd(&x[1], 0) == 0) {}, o[0] = atomicAdd(&x[0], 0); })
BOTH(sum, ONE atomicAdd(&x[0], 42);,
     atomicExch(&x[1], 2); TWO while (atomicOr(&x[1], 0) != 2) {}, o[0] = v[0]; })
BOTH(reuse, ONE o[0] = v[0];, v[1] = 1; TWO while (v[1] == 0) {}, v[0] = 7; })
BOTH(look_back, if (t == 0) { int sum = 0; if (b > 0) { while (v[b - 1] == 0) {},
     sum = v[64 + b - 1]; } v[64 + b] = sum + b;, v[b] = 1; })
BOTH(lock, if (t == 0) { while (atomicCAS(&x[1], 0, 1) != 0) {}, v[0] = v[0] + 1;,
     atomicExch(&x[1], 0); })
BOTH(exchange, if (t == 0) { while (atomicExch(&x[1], 1) != 0) {},
     int n = atomicAdd(&x[0], 0); atomicExch(&x[0], n + 1);, atomicExch(&x[1], 0); })

// Thread 0 takes a lock, and the others need to know it.
#define HELD(name, wait)                                                               \
  KERNEL(name, if (t < 32) { if (t == 0) { while (atomicCAS(&x[1], 0, 1) != 0) {} FENCE } wait \
         x[64 + t] += 1; __syncwarp(); if (t == 0) { FENCE atomicExch(&x[1], 0); } })
HELD(right_held, __syncwarp();) HELD(alone_held, )
KERNEL(right_passed_on, __shared__ volatile int go; if (t == 0) go = 0; __syncthreads();
       if (b == 0) x[t] = t; __syncthreads(); if (t == 0 && b == 0) { FENCE v[99] = 1; }
       if (t == 0 && b > 0) { while (v[99] == 0) {} FENCE go = 1; }
       if (t == 32 && b > 0) { while (go == 0) {} NARROW out[i] = x[5]; })

#define LAST(name, fence, test)                                                        \
  KERNEL(name, __shared__ bool is_last; if (t == 0) { v[b] = b + 1; fence is_last = test; } \
         __syncthreads(); if (is_last && t == 0) {                                     \
           int all = 0; for (int k = 0; k < 4; ++k) all += v[k]; o[0] = all; })
#define LASTS(name, test) LAST(right_##name, FENCE, test) LAST(none_##name, , test)    \
  LAST(near_##name, NARROW, test)
LASTS(add, atomicAdd(&x[9], 1) == 3)
LASTS(inc, atomicInc((unsigned*)&x[9], 3) == 3)
LASTS(less, !(atomicAdd(&x[9], 1) + 1 < 4))
#define TICKET(name, fence)                                                            \
  KERNEL(name, __shared__ int ticket; if (t == 0) { atomicAdd(&x[0], b); fence         \
         ticket = atomicAdd(&x[9], 1); } __syncthreads();                              \
         if (ticket == 3 && t == 0) o[0] = atomicExch(&x[0], 0);)
TICKET(right_ticket, FENCE) TICKET(none_ticket, )

#define IN_BLOCK(name, a, c)                                                           \
  KERNEL(name, __shared__ volatile int flag, value; if (t == 0) flag = 0; __syncthreads(); \
         if (t == 32) { value = 7; a flag = 1; }                                       \
         if (t == 0) { while (flag == 0) {} c o[b] = value; })
IN_BLOCK(right_in_block, NARROW, NARROW) IN_BLOCK(volatile_none, , )
IN_BLOCK(block_early, NARROW, ) IN_BLOCK(volatile_late, , NARROW)
KERNEL(block_atomics, __shared__ int flag, value; if (t == 0) flag = value = 0; __syncthreads();
       if (t == 32) { atomicExch(&value, 7); atomicExch(&flag, 1); }
       if (t == 0) { while (atomicAdd(&flag, 0) == 0) {} o[b] = atomicAdd(&value, 0); })

// All lanes of a warp fence before its barrier; then one of them sets the flag.
#define LANES(name, a, c)                                                              \
  KERNEL(name, __shared__ int flag, ring[32]; if (t == 0) flag = 0; if (t < 32) ring[t] = 0; __syncthreads();   \
         if (t >= 32) { atomicExch(&ring[t - 32], t); a __syncwarp(); if (t == 32) atomicExch(&flag, 1); } \
         else { while (atomicAdd(&flag, 0) == 0) {} c o[b * 32 + t] = atomicAdd(&ring[31 - t], 0); })
LANES(right_lanes, NARROW, NARROW) LANES(block_lanes_early, NARROW, ) LANES(block_lanes_late, , NARROW)
LANES(block_lanes_of_one, if (t == 32) NARROW, NARROW)
// A holder frees the lock after other threads' failed tries.
KERNEL(right_tries, __shared__ int lock, sum; volatile int* l = &lock; if (t == 0) lock = sum = 0;
       __syncthreads(); if (t % 8 == 0) for (int k = 0; k < 5; ++k) {
       while (atomicExch(&lock, 1) != 0) while (*l != 0) {} NARROW
       for (int n = 0; n <= (t * 7 + k * 3) % 5; ++n) sum = sum + n; NARROW *l = 0; }
       __syncthreads(); out[i] = sum;)

KERNEL(right_cumulative, if (b == 0) { x[t] = t; __syncthreads(); if (t == 0) { FENCE v[200] = 1; } }
       if (b == 1) { if (t == 0) while (v[200] == 0) {} __syncthreads(); out[t] = x[t]; })
KERNEL(right_grid_barrier, if (t == 0) { v[64 + b] = b; FENCE atomicAdd(&x[0], 1);
       while (v[0] < 4) {} FENCE } __syncthreads(); out[i] = v[64 + (b + 1) % 4];)
KERNEL(right_packed, if (t == 0) { int sum = b; for (int k = b - 1; k >= 0; --k) { int w;
       while ((w = v[k]) == 0) {} sum += w >> 1; } v[b] = sum * 2 + 1; o[b] = sum; })
KERNEL(right_counters, atomicAdd(&x[0], 1); atomicAdd(&x[1], 1); atomicMax(&x[2], i);)
KERNEL(right_queue, for (int k; (k = atomicAdd(&x[0], 1)) < 512;) {
       const int s = atomicAdd(&x[1 + k % 8], 1); if (s < 64) atomicAdd(&out[k % 8 * 64 + s], 1); })
KERNEL(right_search, for (int k = i; k < 512; k += 256) { const int n = (3 * k + 1) % 512;
       if (v[n] == 0 && atomicCAS(&x[n], 0, 1) == 0) atomicAdd(&out[0], 1);
       if (v[(n + 7) % 512] != 0) atomicAdd(&out[1], 1); })
KERNEL(right_sets, if (v[i] == 0) atomicCAS(&x[i], 0, i + 1); int a = i;
       for (int k = 0; k < 3; ++k) { const int p = v[a]; if (p == 0) break;
       atomicCAS(&x[a], p, v[p - 1]); a = p - 1; })
KERNEL(right_least, if (atomicMin(&x[t], -i) > -i) atomicExch(&out[0], 1); if (v[t + 1] < 0) o[1] = 1;)

// Resets behind a counter (flags_and_locks.h).
#define RESET(name, work, reset)                                                       \
  KERNEL(name, if (t == 0) { work; if (atomicAdd(&x[9], 1) == 3) { reset; } })
RESET(right_reset, , x[9] = 0)
RESET(right_volatile_reset, , v[9] = 0)
RESET(right_exchange_reset, , atomicExch(&x[9], 0))
RESET(right_tickets, while (atomicAdd(&x[8], 1) < 20) {}, x[8] = 0; x[9] = 0)
RESET(right_volatile_tickets, while (atomicAdd(&x[8], 1) < 20) {}, v[8] = 0; v[9] = 0)
RESET(right_exchange_resets, while (atomicAdd(&x[8], 1) < 20) {}, atomicExch(&x[8], 0); atomicExch(&x[9], 0))
RESET(none_reset_and_read, atomicAdd(&x[8], b), o[0] = atomicExch(&x[8], 0); x[9] = 0)
RESET(none_reset_of_data, v[10 + b] = b, x[10 + (b + 1) % 4] = 7)
KERNEL(right_block_reset, __shared__ bool is_last; if (t == 0) is_last = atomicInc(
       (unsigned*)&x[9], 99) == 3; __syncthreads(); if (is_last && t == 40) x[9] = 0;)
KERNEL(right_sense, for (int round = 1; round <= 6; ++round) { if (t == 0) {
       v[64 + b] = round; FENCE if (atomicAdd(&x[0], 1) == 3) { x[0] = 0; FENCE v[1] = round; }
       else while (v[1] < round) {} FENCE } __syncthreads(); out[64 * round + i] = v[64 + (b + 1) % 4];
       __syncthreads(); if (t == 0) { FENCE if (atomicAdd(&x[2], 1) == 3) { x[2] = 0; FENCE v[3] = round; }
       else while (v[3] < round) {} FENCE } __syncthreads(); })

#define MESSAGE(name, store, load)                                                     \
  KERNEL(name, int f; ONE v[0] = 42;                                                   \
         asm volatile("st." store ".global.u32 [%0], 1;" :: "l"(x + 1) : "memory"); TWO do \
         asm volatile("ld." load ".global.u32 %0, [%1];" : "=r"(f) : "l"(x + 1) : "memory"); \
         while (f == 0); o[0] = v[0]; })
MESSAGE(right_acquire, "release.gpu", "acquire.gpu")
MESSAGE(late_acquire, "relaxed.gpu", "acquire.gpu")
MESSAGE(early_acquire, "release.gpu", "relaxed.gpu")

KERNEL(heap_race, __shared__ int* p; if (t == 0) p = (int*)malloc(4); __syncthreads(); *p = t;
       __syncthreads(); if (t == 0) { out[b] = *p; free(p); })
KERNEL(right_heap, int* p = (int*)malloc(8); p[0] = i; p[1] = p[0] + 1; out[i] = p[1]; free(p);)
)";

// The findings with four blocks of 64 threads that run beside each other, by kernel.
TEST(Fences, EachKernelHasTheVerdictOfItsName) {
  compile::CompileRequest request;
  request.file = "k.cu";
  request.source = kSource;
  const auto compiled = compile::compile(request);
  ASSERT_TRUE(std::holds_alternative<compile::Program>(compiled));
  const auto& program = std::get<compile::Program>(compiled);
  sim::Simulator simulator(program);
  for (const auto& kernel : program.kernels) {
    run::Launch launch;
    launch.kernel = kernel.name;
    launch.grid.x = 4;
    launch.block.x = 64;
    launch.arguments = {run::BufferArgument{0}, run::BufferArgument{1}};
    launch.cooperative = true;
    std::vector<run::Buffer> buffers = {{"x", std::vector<std::byte>(4096), 4, false, true},
                                        {"out", std::vector<std::byte>(4096), 4, false, true}};
    Checks checks(/*global_races=*/true);
    run::Options options;
    options.observers = {&checks};
    const auto run = simulator.launch(launch, buffers, options);
    EXPECT_TRUE(run.diagnostics.empty()) << launch.kernel;
    const auto all = checks.diagnostics();
    if (launch.kernel.starts_with("right_")) {
      EXPECT_TRUE(all.empty()) << launch.kernel << ": " << base::text(all[0]);
      continue;
    }
    EXPECT_FALSE(all.empty()) << launch.kernel;
    if (all.empty()) continue;
    EXPECT_EQ(base::Severity::kError, all[0].severity) << launch.kernel;
    if (launch.kernel.starts_with("volatile_")) continue;  // The flag itself comes first.
    EXPECT_THAT(
        base::text(all[0]),
        HasSubstr(launch.kernel == "heap_race"          ? "malloc() or new"
                  : launch.kernel == "alone_held"       ? "Put a __syncthreads() between"
                  : launch.kernel.starts_with("block_") ? "Put a __threadfence_block() between"
                                                        : "Put a __threadfence() between"))
        << launch.kernel;
  }
  EXPECT_EQ(95U, program.kernels.size());
}

}  // namespace warpgrade::check::fences_test
