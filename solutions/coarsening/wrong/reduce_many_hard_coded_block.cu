// SPDX-License-Identifier: Apache-2.0
// fails: incorrect case=block_64
// Assumes blocks of 512 threads.
constexpr unsigned kMostThreads = 1024;

__global__ void reduce_many(float* partial, const float* in, unsigned n) {
  __shared__ float sums[kMostThreads];

  const unsigned threads = gridDim.x * 512;
  float sum = 0;
  for (unsigned i = blockIdx.x * 512 + threadIdx.x; i < n; i += threads) sum += in[i];
  sums[threadIdx.x] = sum;
  __syncthreads();
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) partial[blockIdx.x] = sums[0];
}
