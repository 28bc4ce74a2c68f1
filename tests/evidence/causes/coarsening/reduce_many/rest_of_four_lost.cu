// SPDX-License-Identifier: Apache-2.0
// cause: missing_edge line=12
// says: n need not be a multiple of 4: the last n % 4 elements are in no float4 and nobody adds
//   them.
// never: barrier
__global__ void reduce_many(float* partial, const float* in, unsigned n) {
  __shared__ float sums[1024];
  const float4* words = reinterpret_cast<const float4*>(in);
  const unsigned threads = gridDim.x * blockDim.x;
  float sum = 0;
#pragma unroll 4
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n / 4; i += threads) {
    const float4 v = words[i];
    sum += (v.x + v.y) + (v.z + v.w);
  }
  sums[threadIdx.x] = sum;
  __syncthreads();
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) partial[blockIdx.x] = sums[0];
}
