// SPDX-License-Identifier: Apache-2.0
// A recursive function adds the warp sums.
__device__ float fold(const float* s, unsigned count) {
  if (count == 1) return s[0];
  const unsigned half = count / 2;
  return fold(s, half) + fold(s + half, count - half);
}

__global__ void reduce_many(float* partial, const float* in, unsigned n) {
  __shared__ float sums[32];
  const unsigned step = 4 * gridDim.x * blockDim.x;
  float sum = 0;
  for (unsigned i = 4 * (blockIdx.x * blockDim.x + threadIdx.x); i < n; i += step) {
    if (n - i >= 4) {
      const float4 v = *reinterpret_cast<const float4*>(&in[i]);
      sum += v.x + v.y + v.z + v.w;
    } else {
      for (unsigned j = i; j < n; ++j) sum += in[j];
    }
  }
  for (unsigned lanes = 16; lanes > 0; lanes /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, lanes);
  if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x == 0) partial[blockIdx.x] = fold(sums, blockDim.x / 32);
}
