// SPDX-License-Identifier: Apache-2.0
// cause: wrong_index line=21
// says: The tree begins with the fixed number 256, which is half a block only if the block has 512 threads; begin with blockDim.x / 2.
__global__ void reduce_many(float* partial, const float* in, unsigned n) {
  __shared__ float cache[1024];
  const unsigned step = gridDim.x * blockDim.x;
  const unsigned start = blockIdx.x * blockDim.x + threadIdx.x;

  float a = 0, b = 0, c = 0, d = 0;
  unsigned i = start;
  for (; i < n && n - i > 3 * step; i += 4 * step) {
    a += in[i];
    b += in[i + step];
    c += in[i + 2 * step];
    d += in[i + 3 * step];
  }
  for (; i < n; i += step) a += in[i];

  cache[threadIdx.x] = (a + b) + (c + d);
  __syncthreads();
  for (unsigned half = 256; half > 0; half /= 2) {
    if (threadIdx.x < half) cache[threadIdx.x] += cache[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) partial[blockIdx.x] = cache[0];
}
