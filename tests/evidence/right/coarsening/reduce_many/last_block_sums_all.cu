// SPDX-License-Identifier: Apache-2.0
// The last block to finish adds all partial sums into the first one and clears the others.
__device__ unsigned blocks_done;

__device__ float block_sum(float v, float* s) {
  s[threadIdx.x] = v;
  __syncthreads();
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) s[threadIdx.x] += s[threadIdx.x + half];
    __syncthreads();
  }
  return s[0];
}

__global__ void reduce_many(float* partial, const float* in, unsigned n) {
  __shared__ float s[1024];
  __shared__ bool last;
  const unsigned threads = gridDim.x * blockDim.x, first = blockIdx.x * blockDim.x + threadIdx.x;
  const float4* words = reinterpret_cast<const float4*>(in);
  float sum = 0;
  for (unsigned i = first; i < n / 4; i += threads) {
    const float4 v = words[i];
    sum += (v.x + v.y) + (v.z + v.w);
  }
  for (unsigned i = n / 4 * 4 + first; i < n; i += threads) sum += in[i];
  const float mine = block_sum(sum, s);
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = mine;
    __threadfence();
    last = atomicAdd(&blocks_done, 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last) return;
  __threadfence();
  sum = 0;
  for (unsigned b = threadIdx.x; b < gridDim.x; b += blockDim.x) sum += __ldcg(&partial[b]);
  __syncthreads();
  const float total = block_sum(sum, s);
  for (unsigned b = threadIdx.x; b < gridDim.x; b += blockDim.x) partial[b] = b == 0 ? total : 0.0f;
}
