// SPDX-License-Identifier: Apache-2.0
// Loads the next float4 while it adds the current one.
__global__ void reduce_many(float* partial, const float* in, unsigned n) {
  __shared__ float sums[1024];
  const float4* words = reinterpret_cast<const float4*>(in);
  const unsigned count = n / 4, step = gridDim.x * blockDim.x;
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = i < n - count * 4 ? in[count * 4 + i] : 0.0f;
  float4 now = i < count ? words[i] : make_float4(0, 0, 0, 0);
  while (i < count) {
    i += step;
    const float4 next = i < count ? words[i] : make_float4(0, 0, 0, 0);
    sum += now.x + now.y + now.z + now.w;
    now = next;
  }
  sums[threadIdx.x] = sum;
  __syncthreads();
  for (int half = blockDim.x / 2; half > 0; half >>= 1) {
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
    __syncthreads();
  }
  if (!threadIdx.x) partial[blockIdx.x] = sums[0];
}
