// SPDX-License-Identifier: Apache-2.0
// fails: diagnostic uninitialized_read
// Adds every thread's sum to partial[blockIdx.x], which nobody has set to 0.
__global__ void reduce_many(float* partial, const float* in, unsigned n) {
  const unsigned threads = gridDim.x * blockDim.x;
  float sum = 0;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads) sum += in[i];
  atomicAdd(&partial[blockIdx.x], sum);
}
