// SPDX-License-Identifier: Apache-2.0
// cause: missing_syncwarp line=8
// says: The lanes of the last warp exchange sums through shared memory with nothing between the steps; volatile is
//   not enough, each step needs __syncwarp().

__device__ void finish(volatile float* s, unsigned t) {
  s[t] += s[t + 32];
  s[t] += s[t + 16];
  s[t] += s[t + 8];
  s[t] += s[t + 4];
  s[t] += s[t + 2];
  s[t] += s[t + 1];
}

__global__ void reduce_many(float* partial, const float* in, unsigned n) {
  __shared__ float s[1024];
  const unsigned t = threadIdx.x, all = gridDim.x * blockDim.x;
  float sum = 0;
  unsigned i = blockIdx.x * blockDim.x + t;
  for (; i < n && n - i > 3 * all; i += 4 * all) {
    const float a = in[i], b = in[i + all], c = in[i + 2 * all], d = in[i + 3 * all];
    sum += (a + b) + (c + d);
  }
  for (; i < n; i += all) sum += in[i];
  s[t] = sum;
  __syncthreads();
  for (unsigned half = blockDim.x / 2; half > 32; half /= 2) {
    if (t < half) s[t] += s[t + half];
    __syncthreads();
  }
  if (t < 32) finish(s, t);
  if (t == 0) partial[blockIdx.x] = s[0];
}
