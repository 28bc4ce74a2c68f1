// SPDX-License-Identifier: Apache-2.0
// Exercise attention/forward: attention without a matrix of n x n weights.
//
// Input: `q`, `k` and `v`, one matrix of `n` rows of 64 floats per head, head after head, and `scale`,
// above 0. `n` is a multiple of 64.
// Output: `out`, as large. Row i is the mean of the rows of v, weighted by the softmax over j of
// scale * (row i of q) * (row j of k).
// Launch: n / 64 x heads blocks of 256 threads: block (x, y) has rows 64 x to 64 x + 63 of head y. No
// dynamic shared memory.
// Allowed: all device code of CUDA C++.
// Edit: the body of the kernel. Keep its name and its parameters.
//
// The kernel below is right and slow: a warp works on one row at a time, 32 keys at a time, and loads
// all keys and values again for each row. Load tiles of keys and values into shared memory, and use them
// for the 64 rows of the block. Then run
//   ./warpgrade grade attention/forward

__global__ void attention(float* out, const float* q, const float* k, const float* v, int n,
                          float scale) {
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const long long head = (long long)blockIdx.y * n * 64;
  for (int own = 0; own < 8; ++own) {
    const long long row = head + (blockIdx.x * 64 + warp * 8 + own) * 64;
    float most = -INFINITY, sum = 0, result[2] = {};
    for (int first = 0; first < n; first += 32) {
      const float* key = k + head + (first + lane) * 64;
      float score = 0;
      for (int i = 0; i < 64; ++i) score += q[row + i] * key[i];
      score *= scale;
      float larger = fmaxf(most, score);
      for (int step = 16; step > 0; step /= 2) {
        larger = fmaxf(larger, __shfl_xor_sync(~0u, larger, step));
      }
      const float shrink = expf(most - larger), weight = expf(score - larger);
      most = larger;
      sum = sum * shrink + weight;
      result[0] *= shrink;
      result[1] *= shrink;
      for (int j = 0; j < 32; ++j) {
        const float* value = v + head + (first + j) * 64;
        const float of_key = __shfl_sync(~0u, weight, j);
        result[0] += of_key * value[lane];
        result[1] += of_key * value[lane + 32];
      }
    }
    for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(~0u, sum, step);
    out[row + lane] = result[0] / sum;
    out[row + lane + 32] = result[1] / sum;
  }
}
