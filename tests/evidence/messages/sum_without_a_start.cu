// SPDX-License-Identifier: Apache-2.0
// exercise: coarsening/reduce_many
// says: sum_without_a_start.cu:10:3: uninitialized_read: a variable is read here before it has a
// says: initialize it in its declaration, for example float sum = 0
// The thread's own sum starts with whatever its register holds.
__global__ void reduce_many(float* partial, const float* in, unsigned n) {
  __shared__ float sums[512];
  float sum;
  const unsigned threads = gridDim.x * blockDim.x;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads) sum += in[i];
  sums[threadIdx.x] = sum;
  __syncthreads();
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) partial[blockIdx.x] = sums[0];
}
