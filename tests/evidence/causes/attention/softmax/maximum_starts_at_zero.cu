// SPDX-License-Identifier: Apache-2.0
// cause: wrong_start line=10
// says: The maximum starts at 0, which is larger than all numbers of some rows: exp of numbers far below 0 is 0, and the sum is 0. Start at -INFINITY.
__global__ void softmax(float* out, const float* in, float scale, int rows, int width) {
  __shared__ float maxima[8], totals[8];
  const int t = threadIdx.x;
  const float* x = in + (size_t)blockIdx.x * width;
  float* y = out + (size_t)blockIdx.x * width;

  float m = 0.0f, s = 0.0f;
#pragma unroll 4
  for (int i = t; i < width; i += 256) {
    const float v = scale * x[i];
    if (v > m) {
      s = s * expf(m - v) + 1.0f;
      m = v;
    } else {
      s += expf(v - m);
    }
  }
  for (int d = 1; d < 32; d *= 2) {
    const float m2 = __shfl_xor_sync(0xffffffffu, m, d), s2 = __shfl_xor_sync(0xffffffffu, s, d);
    const float larger = fmaxf(m, m2);
    // Equal to the larger one, also if both are -INFINITY: factor 1.
    s = s * (m == larger ? 1.0f : expf(m - larger)) + s2 * (m2 == larger ? 1.0f : expf(m2 - larger));
    m = larger;
  }
  if (t % 32 == 0) {
    maxima[t / 32] = m;
    totals[t / 32] = s;
  }
  __syncthreads();
  m = maxima[0];
  for (int w = 1; w < 8; ++w) m = fmaxf(m, maxima[w]);
  s = 0;
  for (int w = 0; w < 8; ++w) s += totals[w] * (maxima[w] == m ? 1.0f : expf(maxima[w] - m));
  const float share = 1.0f / s;
#pragma unroll 4
  for (int i = t; i < width; i += 256) y[i] = expf(scale * x[i] - m) * share;
}
