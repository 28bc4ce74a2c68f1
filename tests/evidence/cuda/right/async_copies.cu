// SPDX-License-Identifier: Apache-2.0
// launch: --grid 2 --block 64 --arg out:f32:128 --arg in:f32:1024:iota
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda_pipeline.h>

#include <cuda/barrier>
#include <cuda/pipeline>

namespace cg = cooperative_groups;
extern "C" __global__ void k(float* out, const float* in) {
  __shared__ alignas(16) float own[64], tile[2][64], group[64], tracked[64], staged[2][64];
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  const int t = threadIdx.x;
  const auto block = cg::this_thread_block();
  __pipeline_memcpy_async(&own[t], &in[t], 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  float sum = own[t];  // this thread copied it: the wait is enough

  __pipeline_memcpy_async(&tile[0][t], &in[t], 4);
  __pipeline_commit();
  for (int stage = 1; stage < 5; ++stage) {
    if (stage < 4) __pipeline_memcpy_async(&tile[stage % 2][t], &in[64 * stage + t], 4);
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    sum += tile[(stage - 1) % 2][63 - t];
    __syncthreads();
  }

  cg::memcpy_async(block, group, in, sizeof group);
  cg::wait(block);
  sum += group[63 - t];

  if (t == 0) init(&bar, 64);
  __syncthreads();
  cuda::memcpy_async(&tracked[t], &in[t], 4, bar);
  bar.arrive_and_wait();
  sum += tracked[63 - t];

  auto pipe = cuda::make_pipeline(block, &state);
  for (int stage = 0; stage < 2; ++stage) {
    pipe.producer_acquire();
    cuda::memcpy_async(block, staged[stage], in + 64 * stage, sizeof staged[stage], pipe);
    pipe.producer_commit();
  }
  for (int stage = 0; stage < 2; ++stage) {
    pipe.consumer_wait();
    sum += staged[stage][63 - t];
    pipe.consumer_release();
  }
  out[blockIdx.x * 64 + t] = sum;
}
