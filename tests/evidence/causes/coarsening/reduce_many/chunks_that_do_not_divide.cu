// SPDX-License-Identifier: Apache-2.0
// cause: tail|imbalance line=13
// says: The first 64 blocks take eight times as much as the others, so the card waits for them; give each
//   block the same part.
// reports: tail line=21

__global__ void reduce_many(float* partial, const float* in, unsigned n) {
  __shared__ float w[32];
  const unsigned t = threadIdx.x, b = blockIdx.x;
  // 64 of the blocks take eight times as much as the others.
  const unsigned shares = gridDim.x > 64 ? gridDim.x + 7 * 64 : gridDim.x;
  const unsigned long long each = (n + shares - 1) / shares;
  const unsigned long long own = gridDim.x > 64 && b < 64 ? 8 : 1;
  const unsigned long long before = gridDim.x > 64 ? (b < 64 ? 8ull * b : 512ull + (b - 64)) : b;
  unsigned long long first = each * before, last = each * (before + own);
  first = first / 32 * 32;
  last = last / 32 * 32;
  if (b == gridDim.x - 1 || last > n) last = n;
  float x = 0, y = 0;
  unsigned long long i = first + t;
  for (; i + blockDim.x < last; i += 2 * blockDim.x) x += in[i], y += in[i + blockDim.x];
  if (i < last) x += in[i];
  x += y;
  for (int o = 16; o; o /= 2) x += __shfl_xor_sync(~0u, x, o);
  if (t % 32 == 0) w[t / 32] = x;
  __syncthreads();
  if (t == 0) {
    x = 0;
    for (unsigned k = 0; k < blockDim.x / 32; ++k) x += w[k];
    partial[b] = x;
  }
}
