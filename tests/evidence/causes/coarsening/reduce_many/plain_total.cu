// SPDX-License-Identifier: Apache-2.0
// cause: missing_atomic line=7
// says: All threads of a block add to one word with a plain +=, so most additions get lost: use
//   atomicAdd, after the warp has summed.
// never: __syncthreads;split
__device__ void add(float* s, float x) {
  *s += x;
}

__global__ void reduce_many(float* partial, const float* in, unsigned n) {
  __shared__ float total;
  if (threadIdx.x == 0) total = 0;
  __syncthreads();
  float sum = 0;
  const unsigned threads = gridDim.x * blockDim.x;
#pragma unroll 4
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads) sum += in[i];
  add(&total, sum);
  __syncthreads();
  if (threadIdx.x == 0) partial[blockIdx.x] = total;
}
