// SPDX-License-Identifier: Apache-2.0
// cause: wrong_operation line=69
// says: When the maximum grows, the results so far shrink but the sum of the weights does not: it must be multiplied by the same factor.
// reports: wrong_operation line=73
constexpr int D = 64, ROWS = 64, KEYS = 32, PITCH = 68;

__device__ void copy_rows(float* to, int pitch, const float* from, int rows) {
  for (int i = threadIdx.x; i < rows * (D / 4); i += 256) {
    const int r = i / (D / 4), d = i % (D / 4) * 4;
    *(float4*)(to + r * pitch + d) = *(const float4*)(from + r * D + d);
  }
}

__device__ float dot(float4 x, float4 y) { return x.x * y.x + x.y * y.y + x.z * y.z + x.w * y.w; }

__device__ void add(float4& to, float w, float4 v) {
  to.x += w * v.x;
  to.y += w * v.y;
  to.z += w * v.z;
  to.w += w * v.w;
}

// Thread (x, y) has rows 4 y to 4 y + 3, keys x and x + 16 of a tile, and dimensions 4 x to 4 x + 3.
__global__ void __launch_bounds__(256)
    attention(float* out, const float* q, const float* k, const float* v, int n, float scale) {
  __shared__ __align__(16) float sq[ROWS * PITCH];
  __shared__ __align__(16) float sk[KEYS * PITCH];
  __shared__ __align__(16) float sv[KEYS * D];
  __shared__ __align__(16) float sw[ROWS * 36];
  const int x = threadIdx.x & 15, y = threadIdx.x >> 4;
  const long long head = 1LL * blockIdx.y * n * D, own = head + 1LL * blockIdx.x * ROWS * D;
  copy_rows(sq, PITCH, q + own, ROWS);
  float top[4], total[4];
  float4 acc[4];
#pragma unroll
  for (int r = 0; r < 4; ++r) {
    top[r] = -INFINITY;
    total[r] = 0;
    acc[r] = make_float4(0, 0, 0, 0);
  }
  for (int first = 0; first < n; first += KEYS) {
    __syncthreads();
    copy_rows(sk, PITCH, k + head + first * D, KEYS);
    copy_rows(sv, D, v + head + first * D, KEYS);
    __syncthreads();
    float s[4][2] = {};
#pragma unroll
    for (int d = 0; d < D; d += 4) {
      const float4 k0 = *(const float4*)&sk[x * PITCH + d];
      const float4 k1 = *(const float4*)&sk[(x + 16) * PITCH + d];
#pragma unroll
      for (int r = 0; r < 4; ++r) {
        const float4 query = *(const float4*)&sq[(4 * y + r) * PITCH + d];
        s[r][0] += dot(query, k0);
        s[r][1] += dot(query, k1);
      }
    }
#pragma unroll
    for (int r = 0; r < 4; ++r) {
      s[r][0] *= scale;
      s[r][1] *= scale;
      float most = fmaxf(s[r][0], s[r][1]);
#pragma unroll
      for (int step = 8; step > 0; step /= 2) most = fmaxf(most, __shfl_xor_sync(~0u, most, step));
      most = fmaxf(most, top[r]);
      const float shrink = expf(top[r] - most);
      const float w0 = expf(s[r][0] - most), w1 = expf(s[r][1] - most);
      top[r] = most;
      total[r] += w0 + w1;
      acc[r].x *= shrink;
      acc[r].y *= shrink;
      acc[r].z *= shrink;
      acc[r].w *= shrink;
      sw[(4 * y + r) * 36 + x] = w0;
      sw[(4 * y + r) * 36 + x + 16] = w1;
    }
    __syncwarp();
#pragma unroll
    for (int j = 0; j < KEYS; j += 4) {
      float4 value[4];
#pragma unroll
      for (int i = 0; i < 4; ++i) value[i] = *(const float4*)&sv[(j + i) * D + 4 * x];
#pragma unroll
      for (int r = 0; r < 4; ++r) {
        const float4 w = *(const float4*)&sw[(4 * y + r) * 36 + j];
        add(acc[r], w.x, value[0]);
        add(acc[r], w.y, value[1]);
        add(acc[r], w.z, value[2]);
        add(acc[r], w.w, value[3]);
      }
    }
  }
#pragma unroll
  for (int r = 0; r < 4; ++r) {
#pragma unroll
    for (int step = 8; step > 0; step /= 2) total[r] += __shfl_xor_sync(~0u, total[r], step);
    const float f = 1 / total[r];
    *(float4*)&out[own + (4 * y + r) * D + 4 * x] =
        make_float4(acc[r].x * f, acc[r].y * f, acc[r].z * f, acc[r].w * f);
  }
}
