// SPDX-License-Identifier: Apache-2.0
// The textbook grid-stride loop with size_t and no unrolling: one load in flight.
// deserves: fail performance, 6 points; 0.55 of copy on the simulated H200
// deserves on a GPU: any; not measured on a GPU yet
__global__ void reduce_many(float* partial, const float* in, unsigned n) {
  __shared__ float cache[1024];
  size_t i = threadIdx.x + static_cast<size_t>(blockIdx.x) * blockDim.x;
  float temp = 0;
  while (i < n) {
    temp += in[i];
    i += static_cast<size_t>(blockDim.x) * gridDim.x;
  }
  cache[threadIdx.x] = temp;
  __syncthreads();
  int half = blockDim.x / 2;
  while (half != 0) {
    if (threadIdx.x < half) cache[threadIdx.x] += cache[threadIdx.x + half];
    __syncthreads();
    half /= 2;
  }
  if (threadIdx.x == 0) partial[blockIdx.x] = cache[0];
}
