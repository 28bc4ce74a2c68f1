// SPDX-License-Identifier: Apache-2.0
// cause: wrong_operation line=35
// says: The last pass forgets the scale: the exponent is x - most instead of scale * x - most.
__global__ void softmax(float* out, const float* in, float scale, int rows, int width) {
  __shared__ float part[8], all;
  const int t = threadIdx.x;
  const float* row = in + (size_t)blockIdx.x * width;
  float* result = out + (size_t)blockIdx.x * width;
  float big = -INFINITY, sum = 0;
  for (int i = t; i < width; i += 256) {
    const float x = scale * row[i];
    if (x > big) {
      sum *= expf(big - x);
      big = x;
    }
    sum += expf(x - big);
  }
  float top = big;
  for (int d = 16; d > 0; d >>= 1) top = fmaxf(top, __shfl_xor_sync(~0u, top, d));
  if (t % 32 == 0) part[t / 32] = top;
  __syncthreads();
  top = part[0];
  for (int w = 1; w < 8; ++w) top = fmaxf(top, part[w]);
  if (big > -INFINITY) sum *= expf(big - top);
  __syncthreads();
  for (int d = 16; d > 0; d >>= 1) sum += __shfl_xor_sync(~0u, sum, d);
  if (t % 32 == 0) part[t / 32] = sum;
  __syncthreads();
  if (t == 0) {
    float s = 0;
    for (int w = 0; w < 8; ++w) s += part[w];
    all = s;
  }
  __syncthreads();
  for (int i = t; i < width; i += 256) result[i] = expf(row[i] - top) / all;
}
