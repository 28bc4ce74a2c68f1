// SPDX-License-Identifier: Apache-2.0
// cause: missing_atomic line=23
// says: Sixteen warps add to the same word of shared memory with a plain +=, so additions get
//   lost: use atomicAdd.
// never: __syncthreads
constexpr unsigned kPart = 512;

__device__ float warp_sum(float sum) {
  for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(~0u, sum, step);
  return sum;
}

template <int Factor>
__global__ void reduce_blocks(float* partial, const float* in, unsigned n) {
  __shared__ float total[Factor];
  if (threadIdx.x < Factor) total[threadIdx.x] = 0;
  __syncthreads();
#pragma unroll
  for (int c = 0; c < Factor; ++c) {
    const unsigned i = (blockIdx.x * Factor + c) * kPart + threadIdx.x;
    const float x = warp_sum(i < n ? in[i] : 0.0f);
    float* s = &total[c];
    if (threadIdx.x % 32 == 0) *s += x;
  }
  __syncthreads();
  if (threadIdx.x < Factor) partial[blockIdx.x * Factor + threadIdx.x] = total[threadIdx.x];
}
