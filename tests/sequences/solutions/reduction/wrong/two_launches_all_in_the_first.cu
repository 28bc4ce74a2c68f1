// SPDX-License-Identifier: Apache-2.0
// fails: performance gate=speed
// cause: few_blocks line=23
// One block does all the work in the first launch and leaves the others nothing to do. What is
// timed is both launches.

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
  if (threadIdx.x == 0) sums[blockIdx.x] = 0;
  if (blockIdx.x != 0) return;
  float own = 0;
  for (unsigned i = threadIdx.x; i < n; i += 256) own += in[i];
  const float sum = sum_of_block(own);
  if (threadIdx.x == 0) total = sum;
}

__global__ void add_sums(float* out, const float* sums, unsigned blocks) {
  if (threadIdx.x == 0) *out = total;
}
