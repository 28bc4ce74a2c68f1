// SPDX-License-Identifier: Apache-2.0
// cause: missing_atomic line=18
// says: All threads add to total at once with a plain +=, so most additions get lost; use atomicAdd or a tree.

__global__ void reduce_many(float* partial, const float* in, unsigned n) {
  __shared__ float total;
  if (threadIdx.x == 0) total = 0;
  __syncthreads();

  const unsigned stride = gridDim.x * blockDim.x;
  float mine = 0;
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  for (; i < n && n - i > 3 * stride; i += 4 * stride) {
    const float p = in[i], q = in[i + stride], r = in[i + 2 * stride], s = in[i + 3 * stride];
    mine += p + q + r + s;
  }
  for (; i < n; i += stride) mine += in[i];
  total += mine;
  __syncthreads();

  if (threadIdx.x == 0) partial[blockIdx.x] = total;
}
