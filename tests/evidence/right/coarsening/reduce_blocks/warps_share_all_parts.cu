// SPDX-License-Identifier: Apache-2.0
// Each warp reduces its 32 elements of every part. Then one warp per part adds the 16 warp sums.
template <int Factor>
__global__ void reduce_blocks(float* partial, const float* in, unsigned n) {
  extern __shared__ float raw[];
  float(*sums)[17] = reinterpret_cast<float(*)[17]>(raw);
  const int warp = threadIdx.x >> 5, lane = threadIdx.x & 31;
  float v[Factor];
#pragma unroll
  for (int c = 0; c < Factor; c++) {
    const unsigned i = (blockIdx.x * Factor + c) * 512 + threadIdx.x;
    v[c] = i < n ? __ldg(in + i) : 0.f;
  }
#pragma unroll
  for (int c = 0; c < Factor; c++) {
#pragma unroll
    for (int d = 16; d > 0; d /= 2) v[c] += __shfl_xor_sync(~0u, v[c], d);
    if (lane == 0) sums[c][warp] = v[c];
  }
  __syncthreads();
  for (int c = warp; c < Factor; c += 16) {
    float s = lane < 16 ? sums[c][lane] : 0.f;
    for (int d = 8; d > 0; d /= 2) s += __shfl_xor_sync(~0u, s, d);
    if (lane == 0) partial[blockIdx.x * Factor + c] = s;
  }
}
