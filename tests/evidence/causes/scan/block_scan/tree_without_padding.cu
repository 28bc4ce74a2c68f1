// SPDX-License-Identifier: Apache-2.0
// cause: bank_conflicts line=16
// says: The strides of the tree are powers of two, so the lanes of a warp meet in a few banks; pad the array by a
//   word per 32, or scan sums of threads by shuffles.
__global__ void scan_blocks(unsigned* out, unsigned* totals, const unsigned* in, unsigned n) {
  __shared__ unsigned tree[1024];
  const unsigned begin = blockIdx.x * 1024;
  for (unsigned k = threadIdx.x; k < 1024; k += 256) tree[k] = begin + k < n ? in[begin + k] : 0;

  // up: sums of pairs, of pairs of pairs, ...
  unsigned half = 1;
  for (unsigned pairs = 512; pairs > 0; pairs >>= 1, half <<= 1) {
    __syncthreads();
    for (unsigned p = threadIdx.x; p < pairs; p += 256) {
      const unsigned right = 2 * half * (p + 1) - 1;
      tree[right] += tree[right - half];
    }
  }
  // down: the sum up to a pair's end goes to the middle of the next pair
  unsigned nodes = 1;
  for (half = 256; half > 0; half >>= 1) {
    __syncthreads();
    for (unsigned p = threadIdx.x; p < nodes; p += 256) {
      const unsigned end = 2 * half * (p + 1) - 1;
      tree[end + half] += tree[end];
    }
    nodes = 2 * nodes + 1;
  }
  __syncthreads();
  for (unsigned k = threadIdx.x; k < 1024; k += 256)
    if (begin + k < n) out[begin + k] = tree[k];
  if (threadIdx.x == 0) totals[blockIdx.x] = tree[1023];
}
