// SPDX-License-Identifier: Apache-2.0
// Warps reduce with shuffles; 16 sums per part go through shared memory.
constexpr unsigned kPart = 512;
constexpr unsigned kWarps = kPart / 32;
constexpr unsigned kAllLanes = 0xffffffffu;

template <int Factor>
__global__ void reduce_blocks(float* partial, const float* in, unsigned n) {
  extern __shared__ float sums[];
  const unsigned warp = threadIdx.x / 32;
  const unsigned lane = threadIdx.x % 32;
#pragma unroll
  for (int c = 0; c < Factor; ++c) {
    const unsigned i = (blockIdx.x * Factor + c) * kPart + threadIdx.x;
    float sum = i < n ? in[i] : 0.0f;
    for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_xor_sync(kAllLanes, sum, offset);
    if (lane == 0) sums[c * kWarps + warp] = sum;
  }
  __syncthreads();
  if (warp < Factor) {
    float sum = lane < kWarps ? sums[warp * kWarps + lane] : 0.0f;
    for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_xor_sync(kAllLanes, sum, offset);
    if (lane == 0) partial[blockIdx.x * Factor + warp] = sum;
  }
}
