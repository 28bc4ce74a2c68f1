// SPDX-License-Identifier: Apache-2.0
// Shared memory has one word per part, to which each warp adds its sum.
// deserves: fail performance, 7 points; 0.228 of copy on the simulated H200
// deserves on a GPU: fail performance, 6 points; 0.433 of copy on an H200, bound 0.46: atomic
//   additions to one word of shared memory are serialised
template <int Factor>
__global__ void reduce_blocks(float* partial, const float* in, unsigned n) {
  extern __shared__ float total[];
  if (threadIdx.x < Factor) total[threadIdx.x] = 0.0f;
  __syncthreads();
  const unsigned first = blockIdx.x * Factor * 512 + threadIdx.x;
  float v[Factor];
#pragma unroll
  for (int c = 0; c < Factor; ++c) v[c] = first + c * 512 < n ? in[first + c * 512] : 0.0f;
#pragma unroll
  for (int c = 0; c < Factor; ++c) {
    for (int d = 1; d < 32; d <<= 1) v[c] += __shfl_xor_sync(0xffffffffu, v[c], d);
    if (threadIdx.x % 32 == 0) atomicAdd(&total[c], v[c]);
  }
  __syncthreads();
  if (threadIdx.x < Factor) partial[blockIdx.x * Factor + threadIdx.x] = total[threadIdx.x];
}
