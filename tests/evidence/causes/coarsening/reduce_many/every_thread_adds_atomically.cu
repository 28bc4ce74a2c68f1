// SPDX-License-Identifier: Apache-2.0
// cause: atomic_contention line=26
// says: All threads of a block add to one word of shared memory, one after another; sum each warp by shuffles
//   first, and let one lane add.

__global__ void reduce_many(float* partial, const float* in, unsigned n) {
  __shared__ float block_sum;
  if (threadIdx.x == 0) block_sum = 0.0f;
  __syncthreads();

  const unsigned hop = gridDim.x * blockDim.x;
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  float acc[4] = {0, 0, 0, 0};
  while (i < n && n - i > 3 * hop) {
    float got[4];
#pragma unroll
    for (int k = 0; k < 4; ++k) got[k] = in[i + k * hop];
#pragma unroll
    for (int k = 0; k < 4; ++k) acc[k] += got[k];
    i += 4 * hop;
  }
  while (i < n) {
    acc[0] += in[i];
    i += hop;
  }
  atomicAdd(&block_sum, acc[0] + acc[1] + acc[2] + acc[3]);
  __syncthreads();
  if (threadIdx.x == 0) partial[blockIdx.x] = block_sum;
}
