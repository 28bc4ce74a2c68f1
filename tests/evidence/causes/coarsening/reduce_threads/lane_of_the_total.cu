// SPDX-License-Identifier: Apache-2.0
// cause: wrong_index line=17
// says: After shuffles down lane 0 has the sum of the warp; the last lane stores its own.
constexpr unsigned kPart = 512;
__device__ float down(float v) {
  for (int d = 16; d > 0; d >>= 1) v += __shfl_down_sync(0xffffffff, v, d);
  return v;
}
template <int Factor>
__global__ void reduce_threads(float* partial, const float* in, unsigned n) {
  __shared__ float warps[16];
  float v = 0;
  for (unsigned j = threadIdx.x; j < kPart; j += blockDim.x)
    if (blockIdx.x * kPart + j < n) v += in[blockIdx.x * kPart + j];
  v = down(v);
  const unsigned lane = threadIdx.x % 32;
  if (lane == 31) warps[threadIdx.x / 32] = v;
  __syncthreads();
  if (threadIdx.x == 0) {
    float sum = 0;
    for (unsigned w = 0; w < blockDim.x / 32; ++w) sum += warps[w];
    partial[blockIdx.x] = sum;
  }
}
