// SPDX-License-Identifier: Apache-2.0
// fails: incorrect
// cause: wrong_operation
// Adds fabsf of each element to avoid a negative zero, so negative elements get the wrong sign.
__global__ void reduce_many(float* partial, const float* in, unsigned n) {
  __shared__ float sums[1024];
  float sum = 0;
  const unsigned threads = gridDim.x * blockDim.x;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads) sum += fabsf(in[i]);
  sums[threadIdx.x] = sum;
  __syncthreads();
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) partial[blockIdx.x] = sums[0];
}
