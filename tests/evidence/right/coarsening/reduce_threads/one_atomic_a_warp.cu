// SPDX-License-Identifier: Apache-2.0
// Each warp adds its sum to one word of shared memory.
template <int Factor>
__global__ void reduce_threads(float* partial, const float* in, unsigned n) {
  extern __shared__ float total[];
  if (threadIdx.x == 0) total[0] = 0;
  __syncthreads();
  const unsigned end = min(n, (blockIdx.x + 1) * 512);
  float sum = 0;
#pragma unroll
  for (unsigned k = 0, i = blockIdx.x * 512 + threadIdx.x; k < Factor; ++k, i += 512 / Factor)
    if (i < end) sum += in[i];
  for (int mask = 1; mask < 32; mask *= 2) sum += __shfl_xor_sync(0xffffffffu, sum, mask);
  if ((threadIdx.x & 31) == 0) atomicAdd(total, sum);
  __syncthreads();
  if (threadIdx.x == 0) partial[blockIdx.x] = total[0];
}
