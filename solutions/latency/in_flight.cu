// SPDX-License-Identifier: Apache-2.0
// Exercise latency/in_flight, solved: 16 indices in flight, then 16 elements.
//
// The sum stays in a register, so no store separates two loads. Both loops are fully unrolled: the
// 16 indices are in 16 registers, and no load waits for another load of its loop. A thread waits
// for memory twice, not 32 times.

constexpr unsigned kLoads = 16;

__global__ void gather_sum(float* out, const float* in, const unsigned* index, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;

  unsigned at[kLoads];
#pragma unroll
  for (unsigned j = 0; j < kLoads; ++j) at[j] = index[i + j * n];

  float sum = 0;
#pragma unroll
  for (unsigned j = 0; j < kLoads; ++j) sum += in[at[j]];
  out[i] = sum;
}
