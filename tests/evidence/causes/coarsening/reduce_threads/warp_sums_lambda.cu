// SPDX-License-Identifier: Apache-2.0
// cause: missing_barrier line=19
// says: The first warp reads the sums of the other warps without a barrier before it.
constexpr unsigned kPart = 512;

template <int Factor>
__global__ void reduce_threads(float* partial, const float* in, unsigned n) {
  extern __shared__ float of_warp[];
  const auto add_lanes = [](float v) {
    for (int d = 16; d > 0; d >>= 1) v += __shfl_down_sync(0xffffffff, v, d);
    return v;
  };
  float v = 0;
  for (int c = 0; c < Factor; ++c) {
    const unsigned i = blockIdx.x * kPart + c * blockDim.x + threadIdx.x;
    v += i < n ? in[i] : 0.f;
  }
  v = add_lanes(v);
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = v; 
  if (threadIdx.x == 0) {
    float total = 0;
    for (unsigned w = 0; w < (blockDim.x + 31) / 32; ++w) total += of_warp[w];
    partial[blockIdx.x] = total;
  }
}
