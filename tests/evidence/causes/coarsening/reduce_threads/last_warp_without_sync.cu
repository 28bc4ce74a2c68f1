// SPDX-License-Identifier: Apache-2.0
// cause: missing_syncwarp|missing_barrier line=25
// says: Below 32 sums the lanes of the last warp read what other lanes of it wrote, without a
//   __syncwarp between the steps.
// never: atomicAdd
constexpr unsigned kPart = 512;

template <int Factor>
__global__ void reduce_threads(float* partial, const float* in, unsigned n) {
  extern __shared__ float sums[];
  constexpr unsigned kThreads = kPart / Factor;
  float sum = 0;
  for (int c = 0; c < Factor; ++c) {
    const unsigned i = blockIdx.x * kPart + c * kThreads + threadIdx.x;
    if (i < n) sum += in[i];
  }
  sums[threadIdx.x] = sum;
  __syncthreads();
  unsigned half = kThreads / 2;
  for (; half > 32; half /= 2) {
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
    __syncthreads();
  }
  for (; half > 0; half /= 2) {
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
  }
  if (threadIdx.x == 0) partial[blockIdx.x] = sums[0];
}
