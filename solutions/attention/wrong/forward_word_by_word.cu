// SPDX-License-Identifier: Apache-2.0
// fails: mechanism gate=wavefronts
// cause: redundant_shared_loads
// Computes one score per thread at a time, word by word: two loads for one multiply-add.
__global__ void attention(float* out, const float* q, const float* k, const float* v, int n,
                          float scale) {
  __shared__ float keys[32][65], values[32][64], weights[8][32];
  __shared__ float queries[64][64];
  const int t = threadIdx.x, warp = t / 32, lane = t % 32;
  const long long head = (long long)blockIdx.y * n * 64;
  const int begin = blockIdx.x * 64 * 64;
  out += head, q += head, k += head, v += head;
  for (int i = t; i < 64 * 64; i += 256) queries[i / 64][i % 64] = scale * q[begin + i];
  float most[8], sum[8] = {}, result[8][2] = {};
  for (int own = 0; own < 8; ++own) most[own] = -INFINITY;
  for (int first = 0; first < n; first += 32) {
    __syncthreads();
    for (int i = t; i < 32 * 64; i += 256) {
      keys[i / 64][i % 64] = k[first * 64 + i];
      values[i / 64][i % 64] = v[first * 64 + i];
    }
    __syncthreads();
#pragma unroll
    for (int own = 0; own < 8; ++own) {
      float score = 0;
      for (int i = 0; i < 64; ++i) score += queries[8 * warp + own][i] * keys[lane][i];
      float larger = fmaxf(most[own], score);
      for (int step = 16; step > 0; step /= 2) {
        larger = fmaxf(larger, __shfl_xor_sync(~0u, larger, step));
      }
      const float shrink = expf(most[own] - larger), weight = expf(score - larger);
      most[own] = larger;
      sum[own] = sum[own] * shrink + weight;
      weights[warp][lane] = weight;
      __syncwarp();
      result[own][0] *= shrink;
      result[own][1] *= shrink;
      for (int key = 0; key < 32; ++key) {
        result[own][0] += weights[warp][key] * values[key][lane];
        result[own][1] += weights[warp][key] * values[key][lane + 32];
      }
      __syncwarp();
    }
  }
#pragma unroll
  for (int own = 0; own < 8; ++own) {
    for (int step = 16; step > 0; step /= 2) sum[own] += __shfl_xor_sync(~0u, sum[own], step);
    out[begin + (8 * warp + own) * 64 + lane] = result[own][0] / sum[own];
    out[begin + (8 * warp + own) * 64 + lane + 32] = result[own][1] / sum[own];
  }
}
