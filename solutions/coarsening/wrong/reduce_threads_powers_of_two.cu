// SPDX-License-Identifier: Apache-2.0
// fails: incorrect case=ragged_2
// cause: missing_edge
// Halves the number of elements left in the last block. Whenever it is odd, one element is lost.
constexpr unsigned kPart = 512;

template <int Factor>
__global__ void reduce_threads(float* partial, const float* in, unsigned n) {
  constexpr unsigned kThreads = kPart / Factor;
  extern __shared__ float sums[];

  float sum = 0;
#pragma unroll
  for (int c = 0; c < Factor; ++c) {
    const unsigned i = blockIdx.x * kPart + c * kThreads + threadIdx.x;
    if (i < n) sum += in[i];
  }
  sums[threadIdx.x] = sum;
  __syncthreads();
  const unsigned left = n - blockIdx.x * kPart;
  for (unsigned half = (left < kThreads ? left : kThreads) / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) partial[blockIdx.x] = sums[0];
}
