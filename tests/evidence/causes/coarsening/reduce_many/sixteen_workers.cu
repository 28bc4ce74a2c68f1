// SPDX-License-Identifier: Apache-2.0
// cause: few_blocks line=10
// says: Only the first 16 blocks load anything, and the other multiprocessors have no work; let every block
//   take its part.

constexpr unsigned kWorkers = 16;

__global__ void reduce_many(float* partial, const float* in, unsigned n) {
  __shared__ float s[32];
  const unsigned workers = min(kWorkers, gridDim.x);
  if (blockIdx.x >= workers) { if (threadIdx.x == 0) partial[blockIdx.x] = 0; return; }
  float v0 = 0, v1 = 0, v2 = 0, v3 = 0;
  const unsigned step = workers * blockDim.x;
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  for (; i + 3 * step < n && i + 3 * step > i; i += 4 * step) {
    v0 += in[i], v1 += in[i + step], v2 += in[i + 2 * step], v3 += in[i + 3 * step];
  }
  for (; i < n; i += step) v0 += in[i];
  float v = v0 + v1 + v2 + v3;
  for (int o = 16; o; o /= 2) v += __shfl_down_sync(~0u, v, o);
  if (threadIdx.x % 32 == 0) s[threadIdx.x / 32] = v;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (unsigned k = 1; k < blockDim.x / 32; ++k) v += s[k];
    partial[blockIdx.x] = v;
  }
}
