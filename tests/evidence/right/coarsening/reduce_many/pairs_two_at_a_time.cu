// SPDX-License-Identifier: Apache-2.0
// float2 loads, two in flight, with separate sums for x and y.
__global__ void reduce_many(float* partial, const float* in, unsigned n) {
  __shared__ float2 s[1024];
  const float2* pairs = (const float2*)in;
  const unsigned m = n / 2, stride = gridDim.x * blockDim.x;
  const unsigned me = blockIdx.x * blockDim.x + threadIdx.x;
  float2 a = make_float2(0, 0), b = a;
  for (unsigned i = me; i < m; i += 2 * stride) {
    const float2 v = pairs[i];
    const float2 w = i + stride < m ? pairs[i + stride] : make_float2(0, 0);
    a.x += v.x;
    a.y += v.y;
    b.x += w.x;
    b.y += w.y;
  }
  if (me == 0 && n % 2) a.x += in[n - 1];
  s[threadIdx.x] = make_float2(a.x + b.x, a.y + b.y);
  for (unsigned half = blockDim.x / 2; half; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) {
      s[threadIdx.x].x += s[threadIdx.x + half].x;
      s[threadIdx.x].y += s[threadIdx.x + half].y;
    }
  }
  if (threadIdx.x == 0) partial[blockIdx.x] = s[0].x + s[0].y;
}
