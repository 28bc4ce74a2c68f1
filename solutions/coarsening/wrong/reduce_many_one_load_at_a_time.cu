// SPDX-License-Identifier: Apache-2.0
// fails: performance gate=speed_h200
// Loads are coalesced, but each thread waits for one before it starts the next.
constexpr unsigned kMostThreads = 1024;

__global__ void reduce_many(float* partial, const float* in, unsigned n) {
  __shared__ float sums[kMostThreads];

  const unsigned threads = gridDim.x * blockDim.x;
  const unsigned first = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (unsigned i = first; i < n; i += threads) sum += in[i];

  sums[threadIdx.x] = sum;
  __syncthreads();
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) partial[blockIdx.x] = sums[0];
}
