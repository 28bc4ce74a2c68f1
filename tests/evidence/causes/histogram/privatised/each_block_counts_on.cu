// SPDX-License-Identifier: Apache-2.0
// cause: wrong_index line=10
// says: A thread goes on by the threads of one block, so each block counts what the next ones count, too.
__global__ void histogram(unsigned* bins, const unsigned char* in, unsigned n) {
  __shared__ unsigned local[256];
  local[threadIdx.x] = 0;
  __syncthreads();
  const unsigned words = n / 4, first = blockIdx.x * blockDim.x + threadIdx.x;
  const uchar4* quads = (const uchar4*)in;
  for (unsigned i = first; i < words; i += blockDim.x) {
    const uchar4 q = quads[i];
    atomicAdd(local + q.x, 1u);
    atomicAdd(local + q.y, 1u);
    atomicAdd(local + q.z, 1u);
    atomicAdd(local + q.w, 1u);
  }
  if (first < n % 4) atomicAdd(local + in[4 * words + first], 1u);
  __syncthreads();
  if (local[threadIdx.x]) atomicAdd(bins + threadIdx.x, local[threadIdx.x]);
}
