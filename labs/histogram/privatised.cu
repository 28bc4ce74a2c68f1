// SPDX-License-Identifier: Apache-2.0
// Exercise histogram/privatised: count the values of bytes in bins of each block.
//
// Input: `in`, `n` bytes, from 1 up.
//   `bins`, 256 counters that start at 0.
// Output: bins[v] is the number of bytes with the value v.
// Launch: a few blocks per multiprocessor, of 256 threads each; the grid does not depend on n. No
//   dynamic shared memory.
// Allowed: all device code of CUDA C++.
// Edit: the body of the kernel. Keep its name and its parameters.
//
// The kernel below is right and slow: every byte costs an atomic on global memory, and each thread
// reads a stretch of its own. Count in shared memory first, and let neighbouring lanes load
// neighbouring words. Then run
//   ./warpgrade grade histogram/privatised

__global__ void histogram(unsigned* bins, const unsigned char* in, unsigned n) {
  const unsigned each = (n + gridDim.x * blockDim.x - 1) / (gridDim.x * blockDim.x);
  const unsigned first = (blockIdx.x * blockDim.x + threadIdx.x) * each;
  for (unsigned i = first; i < first + each && i < n; ++i) atomicAdd(&bins[in[i]], 1u);
}
