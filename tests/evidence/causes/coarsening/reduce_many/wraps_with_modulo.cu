// SPDX-License-Identifier: Apache-2.0
// cause: busy_pipe|issue_bound line=11
// says: A remainder of 64 bits for each element takes dozens of instructions; add the step to the index.

__global__ void reduce_many(float* partial, const float* in, unsigned n) {
  __shared__ float w[32];
  const unsigned t = threadIdx.x;
  const unsigned long long all = (unsigned long long)gridDim.x * blockDim.x, id = (unsigned long long)blockIdx.x * blockDim.x + t;
  float x = 0;
  for (unsigned long long k = 0; k * all + id < n; ++k) {
    x += in[(k * all + id + (unsigned long long)n * k) % n];
  }
  for (int o = 16; o; o /= 2) x += __shfl_xor_sync(~0u, x, o);
  if (t % 32 == 0) w[t / 32] = x;
  __syncthreads();
  if (t == 0) {
    x = 0;
    for (unsigned k = 0; k < blockDim.x / 32; ++k) x += w[k];
    partial[blockIdx.x] = x;
  }
}
