// SPDX-License-Identifier: Apache-2.0
// cause: imbalance|few_loads_in_flight line=10
// says: Only the first warp of a block loads and adds, while its other warps wait at the
//   barrier: divide the piece among all threads.
// never: Neighbouring lanes must load
__global__ void reduce_many(float* partial, const float* in, unsigned n) {
  __shared__ float total;
  const unsigned piece = ((n + gridDim.x - 1) / gridDim.x + 31) / 32 * 32;
  const unsigned begin = min(blockIdx.x * piece, n), end = min(begin + piece, n);
  if (threadIdx.x < 32) {
    float sum = 0;
    unsigned i = begin + threadIdx.x;
    for (; i + 96 < end; i += 128) sum += (in[i] + in[i + 32]) + (in[i + 64] + in[i + 96]);
    for (; i < end; i += 32) sum += in[i];
    for (unsigned step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(~0u, sum, step);
    if (threadIdx.x == 0) total = sum;
  }
  __syncthreads();
  if (threadIdx.x == blockDim.x - 1) partial[blockIdx.x] = total;
}
