// SPDX-License-Identifier: Apache-2.0
// fails: diagnostic race
// cause: missing_barrier line=22
// No __syncthreads() between the steps of the tree: a warp reads sums that another warp has not
// stored yet.
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
  for (unsigned half = kThreads / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
  }
  if (threadIdx.x == 0) partial[blockIdx.x] = sums[0];
}
