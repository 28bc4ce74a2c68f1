// SPDX-License-Identifier: Apache-2.0
// Each block sums one contiguous piece of the array, in whole float4.
__global__ void reduce_many(float* partial, const float* in, unsigned n) {
  __shared__ float s[1024];
  const unsigned quads = n / 4, share = (quads + gridDim.x - 1) / gridDim.x;
  const unsigned begin = min(quads, blockIdx.x * share), end = min(quads, begin + share);
  const float4* p = reinterpret_cast<const float4*>(in);
  float sum = 0;
#pragma unroll 4
  for (unsigned i = begin + threadIdx.x; i < end; i += blockDim.x) {
    const float4 v = __ldg(p + i);
    sum += v.x + v.y + v.z + v.w;
  }
  if (blockIdx.x == gridDim.x - 1 && threadIdx.x < n % 4) sum += in[quads * 4 + threadIdx.x];
  s[threadIdx.x] = sum;
  __syncthreads();
  for (unsigned half = blockDim.x >> 1; half > 0; half >>= 1) {
    if (threadIdx.x < half) s[threadIdx.x] += s[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) partial[blockIdx.x] = s[0];
}
