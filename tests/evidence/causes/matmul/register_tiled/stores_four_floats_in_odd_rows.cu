// SPDX-License-Identifier: Apache-2.0
// cause: misaligned line=53
// says: A float4 must lie at a multiple of 16 bytes, but if n is not a multiple of 4 the rows of c begin
//   elsewhere; test n % 4, too.

constexpr int kDepth = 8;

struct Panel {
  float a[kDepth][132];
  float b[kDepth][128];
};

__global__ void matmul(float* c, const float* a, const float* b, int m, int n, int k) {
  __shared__ __align__(16) Panel panel;
  const int thread = threadIdx.x;
  const int gx = thread % 16 * 4, y = thread / 16;
  const int top = 128 * blockIdx.y, left = 128 * blockIdx.x;
  float sum[8][2][4] = {};

  for (int base = 0; base < k; base += kDepth) {
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      const int row = top + thread / 8 + 32 * j, inner = base + thread % 8;
      panel.a[thread % 8][thread / 8 + 32 * j] = row < m && inner < k ? a[row * k + inner] : 0;
      const int depth = thread / 128 + 2 * j, column = left + thread % 128;
      panel.b[depth][thread % 128] = base + depth < k && column < n ? b[(base + depth) * n + column] : 0;
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < kDepth; ++i) {
      const float4 f = *reinterpret_cast<const float4*>(&panel.b[i][gx]);
      const float4 g = *reinterpret_cast<const float4*>(&panel.b[i][gx + 64]);
      const float w[2][4] = {{f.x, f.y, f.z, f.w}, {g.x, g.y, g.z, g.w}};
#pragma unroll
      for (int p = 0; p < 8; ++p) {
        const float v = panel.a[i][y + 16 * p];
#pragma unroll
        for (int e = 0; e < 8; ++e) sum[p][e / 4][e % 4] += v * w[e / 4][e % 4];
      }
    }
    __syncthreads();
  }

#pragma unroll
  for (int p = 0; p < 8; ++p) {
    const int row = top + y + 16 * p;
#pragma unroll
    for (int h = 0; h < 2; ++h) {
      const int column = left + gx + 64 * h;
      const float* s = sum[p][h];
      if (row >= m) continue;
      if (column + 3 < n) {
        *reinterpret_cast<float4*>(&c[row * n + column]) = make_float4(s[0], s[1], s[2], s[3]);
      } else {
#pragma unroll
        for (int e = 0; e < 4; ++e) {
          if (column + e < n) c[row * n + column + e] = s[e];
        }
      }
    }
  }
}
