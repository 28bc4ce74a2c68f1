// SPDX-License-Identifier: Apache-2.0
// cause: race|missing_guard line=14
// says: In each step of the tree all threads add, so threads from half on change words that
//   others still read: only threads below half may add.
__global__ void reduce_many(float* partial, const float* in, unsigned n) {
  __shared__ float sums[2048];
  const unsigned t = threadIdx.x, threads = gridDim.x * blockDim.x;
  float sum = 0;
  for (unsigned i = blockIdx.x * blockDim.x + t; i < n; i += threads) sum += in[i];
  sums[t] = sum;
  sums[t + blockDim.x] = 0;
  __syncthreads();
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    sums[t] += sums[t + half];
    __syncthreads();
  }
  if (t == 0) partial[blockIdx.x] = sums[0];
}
