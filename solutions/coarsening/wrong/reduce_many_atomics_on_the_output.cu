// SPDX-License-Identifier: Apache-2.0
// fails: diagnostic uninitialized_read
// cause: uninitialised line=9
// Adds the sum of every thread to partial[blockIdx.x] without setting it to 0 first.
__global__ void reduce_many(float* partial, const float* in, unsigned n) {
  const unsigned threads = gridDim.x * blockDim.x;
  float sum = 0;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads) sum += in[i];
  atomicAdd(&partial[blockIdx.x], sum);
}
