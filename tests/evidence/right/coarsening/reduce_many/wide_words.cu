// SPDX-License-Identifier: Apache-2.0
// Loads 16-byte words, and the last elements one by one.
constexpr unsigned kMostThreads = 1024;

__global__ void reduce_many(float* partial, const float* in, unsigned n) {
  __shared__ float sums[kMostThreads];

  const unsigned threads = gridDim.x * blockDim.x;
  const unsigned first = blockIdx.x * blockDim.x + threadIdx.x;
  const float4* fours = reinterpret_cast<const float4*>(in);
  float sum = 0;
  for (unsigned i = first; i < n / 4; i += threads) {
    const float4 four = fours[i];
    sum += (four.x + four.y) + (four.z + four.w);
  }
  for (unsigned i = n / 4 * 4 + first; i < n; i += threads) sum += in[i];
  sums[threadIdx.x] = sum;
  __syncthreads();
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) partial[blockIdx.x] = sums[0];
}
