// SPDX-License-Identifier: Apache-2.0
// Adds in double and rounds once at the end, as a guard against rounding errors.
__global__ void reduce_many(float* partial, const float* in, unsigned n) {
  __shared__ double sums[1024];
  const float4* quads = reinterpret_cast<const float4*>(in);
  const unsigned threads = gridDim.x * blockDim.x, first = blockIdx.x * blockDim.x + threadIdx.x;
  double sum = 0;
  unsigned i = first;
  for (; i + threads < n / 4; i += 2 * threads) {
    const float4 v = quads[i], w = quads[i + threads];
    sum += (double)v.x + v.y + v.z + v.w + w.x + w.y + w.z + w.w;
  }
  if (i < n / 4) sum += (double)quads[i].x + quads[i].y + quads[i].z + quads[i].w;
  for (unsigned j = n / 4 * 4 + first; j < n; j += threads) sum += in[j];
  sums[threadIdx.x] = sum;
  __syncthreads();
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) partial[blockIdx.x] = static_cast<float>(sums[0]);
}
