// SPDX-License-Identifier: Apache-2.0
// fails: diagnostic race
// cause: missing_syncwarp line=22
// No synchronization in the last warp. Before Volta that worked, but lanes no longer run in
// lockstep.
constexpr unsigned kMostThreads = 1024;

__global__ void reduce_many(float* partial, const float* in, unsigned n) {
  __shared__ float sums[kMostThreads];

  const unsigned threads = gridDim.x * blockDim.x;
  float sum = 0;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads) sum += in[i];
  sums[threadIdx.x] = sum;
  __syncthreads();
  for (unsigned half = blockDim.x / 2; half > 16; half /= 2) {
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x < 16) {
    volatile float* v = sums;
    for (unsigned half = 16; half > 0; half /= 2) v[threadIdx.x] += v[threadIdx.x + half];
  }
  if (threadIdx.x == 0) partial[blockIdx.x] = sums[0];
}
