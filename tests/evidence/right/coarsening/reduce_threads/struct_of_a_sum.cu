// SPDX-License-Identifier: Apache-2.0
// A struct accumulates a sum and reduces it over its warp.
struct Sum {
  float value = 0;
  __device__ Sum& operator+=(float v) {
    value += v;
    return *this;
  }
  __device__ Sum over_warp() const {
    Sum s = *this;
    for (int lanes = 16; lanes; lanes /= 2) s += __shfl_xor_sync(0xffffffffu, s.value, lanes);
    return s;
  }
};

template <int Factor>
__global__ void reduce_threads(float* partial, const float* in, unsigned n) {
  extern __shared__ float sums[];
  const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  // Each warp sums Factor * 32 consecutive elements, 32 at a time.
  const unsigned begin = blockIdx.x * 512 + warp * 32 * Factor + lane;
  Sum sum;
  for (int k = 0; k < Factor; ++k)
    if (begin + 32 * k < n) sum += in[begin + 32 * k];
  sum = sum.over_warp();
  if (lane == 0) sums[warp] = sum.value;
  __syncthreads();
  if (threadIdx.x == 0) {
    float total = 0;
    for (int w = 0; w < 16 / Factor; ++w) total += sums[w];
    partial[blockIdx.x] = total;
  }
}
