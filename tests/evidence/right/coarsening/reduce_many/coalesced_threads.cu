// SPDX-License-Identifier: Apache-2.0
// At the ragged end, cg::coalesced_threads forms a group of the lanes that still have words.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

__global__ void reduce_many(float* partial, const float* in, unsigned n) {
  __shared__ float sums[1024];
  const unsigned step = gridDim.x * blockDim.x, quads = n / 4;
  const unsigned first = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (unsigned i = first; i < quads; i += step) {
    const float4 v = reinterpret_cast<const float4*>(in)[i];
    sum += v.x + v.y + v.z + v.w;
  }
  if (4 * quads + first < n) {
    const auto rest = cg::coalesced_threads();
    const float all = cg::reduce(rest, in[4 * quads + first], cg::plus<float>());
    if (rest.thread_rank() == 0) sum += all;
  }
  sums[threadIdx.x] = sum;
  __syncthreads();
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) partial[blockIdx.x] = sums[0];
}
