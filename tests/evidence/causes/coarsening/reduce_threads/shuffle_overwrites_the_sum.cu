// SPDX-License-Identifier: Apache-2.0
// cause: wrong_operation line=8
// says: The shuffled value replaces the lane's sum; it has to be added to it (+=).

__device__ float over_warp(float v) {
#pragma unroll
  for (int distance = 16; distance >= 1; distance /= 2) {
    v = __shfl_down_sync(0xffffffffu, v, distance);
  }
  return v;
}

template <int Factor>
__global__ void reduce_threads(float* partial, const float* in, unsigned n) {
  extern __shared__ float of_warps[];
  constexpr unsigned width = 512 / Factor;
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;

  float v[Factor];
#pragma unroll
  for (int c = 0; c < Factor; ++c) {
    const unsigned i = blockIdx.x * 512u + c * width + threadIdx.x;
    v[c] = i < n ? in[i] : 0.0f;
  }
#pragma unroll
  for (int c = 1; c < Factor; ++c) v[0] += v[c];

  const float sum = over_warp(v[0]);
  if (lane == 0) of_warps[warp] = sum;
  __syncthreads();
  if (threadIdx.x != 0) return;
  float total = 0;
  for (unsigned w = 0; w < width / 32; ++w) total += of_warps[w];
  partial[blockIdx.x] = total;
}
