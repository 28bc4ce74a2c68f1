// SPDX-License-Identifier: Apache-2.0
// cause: infinite_loop line=8
// says: The index does not change in the loop, so it never ends.
__global__ void reduce_many(float* partial, const float* in, unsigned n) {
  __shared__ float cache[1024];
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  while (i < n) { 
    sum += in[i];
    if (sum > 1e30f) i += gridDim.x * blockDim.x;
  }
  cache[threadIdx.x] = sum;
  __syncthreads();
  for (unsigned s = blockDim.x / 2; s > 0; s >>= 1) {
    if (threadIdx.x < s) cache[threadIdx.x] += cache[threadIdx.x + s];
    __syncthreads();
  }
  if (threadIdx.x == 0) partial[blockIdx.x] = cache[0];
}
