// SPDX-License-Identifier: Apache-2.0
// fails: incorrect
// cause: wrong_operation
// Divides by the weights of the thread's own keys.
constexpr int kRows = 64, kKeys = 32, kSide = 64;

__global__ void __launch_bounds__(256, 2)
    attention(float* out, const float* q, const float* k, const float* v, int n, float scale) {
  __shared__ __align__(16) float queries[kSide][kRows + 4];
  __shared__ __align__(16) float keys[kKeys][kSide + 4], values[kKeys][kSide];
  __shared__ __align__(16) float weights[kKeys][kRows + 4];
  const int t = threadIdx.x, x = t % 16, y = t / 16;
  const long long head = (long long)blockIdx.y * n * kSide;
  const int begin = blockIdx.x * kRows * kSide;
  out += head, q += head, k += head, v += head;
  const float factor = scale * 1.44269504f;  // exp(x) is exp2(x / ln 2)
  for (int i = t; i < kRows * kSide; i += 256) queries[i % kSide][i / kSide] = factor * q[begin + i];
  float most[4], sum[4] = {};
  float result[4][4] = {};
#pragma unroll
  for (int p = 0; p < 4; ++p) most[p] = -INFINITY;
  for (int first = 0; first < n; first += kKeys) {
    __syncthreads();  // nobody reads the previous tiles any more
#pragma unroll
    for (int i = 4 * t; i < kKeys * kSide; i += 4 * 256) {
      const int from = first * kSide + i;
      *(float4*)&keys[i / kSide][i % kSide] = *(const float4*)&k[from];
      *(float4*)&values[i / kSide][i % kSide] = *(const float4*)&v[from];
    }
    __syncthreads();
    float score[4][2] = {};
#pragma unroll
    for (int i = 0; i < kSide; i += 4) {
      __align__(16) float key[2][4];
      *(float4*)key[0] = *(const float4*)&keys[x][i];
      *(float4*)key[1] = *(const float4*)&keys[x + 16][i];
#pragma unroll
      for (int j = 0; j < 4; ++j) {
        __align__(16) float query[4];
        *(float4*)query = *(const float4*)&queries[i + j][4 * y];
#pragma unroll
        for (int p = 0; p < 4; ++p) {
          score[p][0] += query[p] * key[0][j];
          score[p][1] += query[p] * key[1][j];
        }
      }
    }
    float weight[2][4];
#pragma unroll
    for (int p = 0; p < 4; ++p) {
      float larger = fmaxf(score[p][0], score[p][1]);
#pragma unroll
      for (int step = 8; step > 0; step /= 2) {
        larger = fmaxf(larger, __shfl_xor_sync(~0u, larger, step));
      }
      larger = fmaxf(larger, most[p]);
      const float shrink = exp2f(most[p] - larger);
      most[p] = larger;
      weight[0][p] = exp2f(score[p][0] - larger);
      weight[1][p] = exp2f(score[p][1] - larger);
      sum[p] = sum[p] * shrink + weight[0][p] + weight[1][p];  // of this thread's keys
#pragma unroll
      for (int d = 0; d < 4; ++d) result[p][d] *= shrink;
    }
#pragma unroll
    for (int j = 0; j < 2; ++j) {
      *(float4*)&weights[x + 16 * j][4 * y] =
          make_float4(weight[j][0], weight[j][1], weight[j][2], weight[j][3]);
    }
    __syncwarp();  // the weights of these rows are from this warp
#pragma unroll
    for (int key = 0; key < kKeys; ++key) {
      __align__(16) float of_key[4], value[4];
      *(float4*)of_key = *(const float4*)&weights[key][4 * y];
      *(float4*)value = *(const float4*)&values[key][4 * x];
#pragma unroll
      for (int p = 0; p < 4; ++p) {
#pragma unroll
        for (int d = 0; d < 4; ++d) result[p][d] += of_key[p] * value[d];
      }
    }
  }
#pragma unroll
  for (int p = 0; p < 4; ++p) {
    const float share = 1 / sum[p];
    *(float4*)&out[begin + (4 * y + p) * kSide + 4 * x] =
        make_float4(result[p][0] * share, result[p][1] * share, result[p][2] * share,
                    result[p][3] * share);
  }
}
