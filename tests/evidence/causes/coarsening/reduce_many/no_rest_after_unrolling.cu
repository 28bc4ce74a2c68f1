// SPDX-License-Identifier: Apache-2.0
// cause: missing_edge line=9
// says: The loop takes four elements per pass and stops when fewer than four are left: the rest is never added.
__global__ void reduce_many(float* partial, const float* in, unsigned n) {
  __shared__ float sums[1024];

  const unsigned stride = gridDim.x * blockDim.x;
  float a = 0, b = 0, c = 0, d = 0;  // four independent sums
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i + 3 * stride < n; i += 4 * stride) {
    a += in[i];
    b += in[i + stride];
    c += in[i + 2 * stride];
    d += in[i + 3 * stride];
  }

  sums[threadIdx.x] = (a + b) + (c + d);
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
  }
  if (threadIdx.x == 0) partial[blockIdx.x] = sums[0];
}
