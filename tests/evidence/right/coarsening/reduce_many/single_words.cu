// SPDX-License-Identifier: Apache-2.0
// Four 4-byte loads in flight per thread.
constexpr unsigned kMostThreads = 1024;
constexpr unsigned kInFlight = 4;

__global__ void reduce_many(float* partial, const float* in, unsigned n) {
  __shared__ float sums[kMostThreads];

  const unsigned threads = gridDim.x * blockDim.x;
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  // Compares n - i, because i + 3 * threads could exceed 32 bits.
  for (; i < n && n - i > (kInFlight - 1) * threads; i += kInFlight * threads) {
    float value[kInFlight];
#pragma unroll
    for (unsigned k = 0; k < kInFlight; ++k) value[k] = in[i + k * threads];
#pragma unroll
    for (unsigned k = 0; k < kInFlight; ++k) sum += value[k];
  }
  for (; i < n; i += threads) sum += in[i];

  sums[threadIdx.x] = sum;
  __syncthreads();
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) partial[blockIdx.x] = sums[0];
}
