// SPDX-License-Identifier: Apache-2.0
// fails: diagnostic uninitialized_read
// cause: uninitialised
// Only blocks from the second on leave their sum, so the second launch reads one that no launch has
// written.

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
  float own = 0;
  for (unsigned c = 0; c < 4; ++c) {
    const unsigned i = 1024 * blockIdx.x + 256 * c + threadIdx.x;
    if (i < n) own += in[i];
  }
  const float sum = sum_of_block(own);
  if (threadIdx.x == 0 && blockIdx.x > 0) sums[blockIdx.x] = sum;
}

__global__ void add_sums(float* out, const float* sums, unsigned blocks) {
  float own = 0;
  for (unsigned i = threadIdx.x; i < blocks; i += 256) own += sums[i];
  const float sum = sum_of_block(own);
  if (threadIdx.x == 0) *out = sum;
}
