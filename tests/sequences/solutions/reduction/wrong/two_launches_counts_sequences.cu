// SPDX-License-Identifier: Apache-2.0
// fails: incorrect
// cause: wrong_guard
// Counts its sequences in a variable to do the work only once: variables begin anew in each, so it
// never finds the work done.

__device__ unsigned done = 1;
__device__ float total;


__device__ float sum_of_block(float own) {
  __shared__ float part[256];
  part[threadIdx.x] = own;
  __syncthreads();
  for (unsigned half = 128; half > 0; half /= 2) {
    if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
    __syncthreads();
  }
  return part[0];
}

__global__ void block_sums(float* sums, const float* in, unsigned n) {
  if (threadIdx.x == 0) sums[blockIdx.x] = in[0];
  if (blockIdx.x == 0 && threadIdx.x == 0 && done++ == 2) total = in[0] + static_cast<float>(n);
}

__global__ void add_sums(float* out, const float* sums, unsigned blocks) {
  if (threadIdx.x == 0) *out = total;
}
