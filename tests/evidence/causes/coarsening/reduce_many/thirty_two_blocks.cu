// SPDX-License-Identifier: Apache-2.0
// cause: few_blocks line=8
// says: Only 32 blocks add, one on each of 32 multiprocessors, and the others are idle: let all
//   blocks of the grid take part.
// never: Neighbouring lanes must load
__global__ void reduce_many(float* partial, const float* in, unsigned n) {
  __shared__ float sums[1024];
  const unsigned blocks = min(gridDim.x, 32u), step = blocks * blockDim.x;
  float sum = 0;
  if (blockIdx.x < blocks) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    for (; i < n && n - i > 3 * step; i += 4 * step) sum += (in[i] + in[i + step]) + (in[i + 2 * step] + in[i + 3 * step]);
    for (; i < n; i += step) sum += in[i];
  }
  sums[threadIdx.x] = sum;
  __syncthreads();
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) partial[blockIdx.x] = sums[0];
}
