// SPDX-License-Identifier: Apache-2.0
// cause: missing_atomic line=12
// says: Threads of the block increment the same counters with a plain ++, so counts get lost:
//   use atomicAdd.
// never: __syncthreads;split
__global__ void histogram(unsigned* bins, const unsigned char* in, unsigned n) {
  __shared__ unsigned counts[256];
  unsigned* mine = counts;
  mine[threadIdx.x] = 0;
  __syncthreads();
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    ++mine[in[i]];
  }
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], mine[threadIdx.x]);
}
