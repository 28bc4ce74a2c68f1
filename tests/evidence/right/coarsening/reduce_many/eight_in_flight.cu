// SPDX-License-Identifier: Apache-2.0
// Eight single-word loads in flight per thread. The first warp adds the warp sums.
template <unsigned N>
__device__ float load_and_add(const float* in, unsigned i, unsigned step) {
  float v[N];
#pragma unroll
  for (unsigned k = 0; k < N; ++k) v[k] = in[i + k * step];
  float s = 0;
#pragma unroll
  for (unsigned k = 0; k < N; ++k) s += v[k];
  return s;
}

__global__ void reduce_many(float* partial, const float* in, unsigned n) {
  __shared__ float sums[32];
  const unsigned step = gridDim.x * blockDim.x;
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  while (i < n && (n - 1 - i) / step >= 7) {
    sum += load_and_add<8>(in, i, step);
    i += 8 * step;
  }
  for (; i < n; i += step) sum += in[i];
  for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(0xffffffffu, sum, d);
  if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x < 32) {
    sum = threadIdx.x < blockDim.x / 32 ? sums[threadIdx.x] : 0.0f;
    for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(0xffffffffu, sum, d);
    if (threadIdx.x == 0) partial[blockIdx.x] = sum;
  }
}
