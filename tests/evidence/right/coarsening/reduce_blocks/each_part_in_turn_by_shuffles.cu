// SPDX-License-Identifier: Apache-2.0
// Reduces one part after the other; double-buffered warp sums need only one barrier per part.
template <int Factor>
__global__ void reduce_blocks(float* partial, const float* in, unsigned n) {
  __shared__ float sums[2][16];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  float value[Factor];
#pragma unroll
  for (unsigned c = 0; c < Factor; ++c) {
    const unsigned i = (blockIdx.x * Factor + c) * 512 + threadIdx.x;
    value[c] = i < n ? in[i] : 0;
  }
#pragma unroll
  for (unsigned c = 0; c < Factor; ++c) {
    float sum = value[c];
    for (int d = 16; d; d /= 2) sum += __shfl_down_sync(~0u, sum, d);
    if (lane == 0) sums[c % 2][warp] = sum;
    __syncthreads();
    if (warp == c) {
      sum = lane < 16 ? sums[c % 2][lane] : 0;
      for (int d = 8; d; d /= 2) sum += __shfl_down_sync(~0u, sum, d);
      if (lane == 0) partial[blockIdx.x * Factor + c] = sum;
    }
  }
}
