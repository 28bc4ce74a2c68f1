// SPDX-License-Identifier: Apache-2.0
// fails: mechanism gate=conflicts
// cause: bank_conflicts line=23
// Interleaved addressing: the words of neighbouring threads are a growing power of two apart, so
// the lanes of a warp share banks.
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
  for (unsigned stride = 1; stride < kThreads; stride *= 2) {
    const unsigned i = 2 * stride * threadIdx.x;
    if (i + stride < kThreads) sums[i] += sums[i + stride];
    __syncthreads();
  }
  if (threadIdx.x == 0) partial[blockIdx.x] = sums[0];
}
