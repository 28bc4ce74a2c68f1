// SPDX-License-Identifier: Apache-2.0
// Warps reduce with shuffles. Each adds its sum to the block's with one integer atomic, in eighths.
__global__ void reduce_many(float* partial, const float* in, unsigned n) {
  __shared__ int total;
  if (threadIdx.x == 0) total = 0;
  __syncthreads();
  float sum = 0;
  const unsigned threads = gridDim.x * blockDim.x;
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  for (; i < n && n - i > 3 * threads; i += 4 * threads) {
    float v[4];
    for (unsigned k = 0; k < 4; ++k) v[k] = in[i + k * threads];
    for (unsigned k = 0; k < 4; ++k) sum += v[k];
  }
  for (; i < n; i += threads) sum += in[i];
  for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(~0u, sum, step);
  if (threadIdx.x % 32 == 0) atomicAdd(&total, (int)(8 * sum));
  __syncthreads();
  if (threadIdx.x == 0) partial[blockIdx.x] = total / 8.0f;
}
