// SPDX-License-Identifier: Apache-2.0
// Exercise histogram/skewed: count the values of bytes that are mostly equal.
//
// Input: `in`, `n` bytes, from 1 up. About 90 % of them have one value, which differs from run to
//   run; the others are random.
//   `bins`, 256 counters that start at 0.
// Output: bins[v] is the number of bytes with the value v.
// Launch: as in histogram/privatised: a few blocks per multiprocessor, of 256 threads each; the
//   grid does not depend on n. No dynamic shared memory.
// Allowed: all device code of CUDA C++.
// Edit: the body of the kernel, and the functions above it. Keep the kernel's name and parameters.
//
// The kernel below is right. It has bins of each block and loads 16 bytes at once. The end of the
// array costs no branch: bytes behind it add 0. On random bytes it is fast. Here most lanes of a
// warp add to the same counter, one after another. Then run
//   ./warpgrade grade histogram/skewed

__device__ uint4 load_group(const unsigned char* in, unsigned n, unsigned first) {
  if (n - first >= 16) return *reinterpret_cast<const uint4*>(in + first);
  uint4 group = {};
  unsigned* const words[4] = {&group.x, &group.y, &group.z, &group.w};
  for (unsigned k = 0; first + k < n; ++k) *words[k / 4] |= in[first + k] << k % 4 * 8;
  return group;
}

__global__ void histogram(unsigned* bins, const unsigned char* in, unsigned n) {
  __shared__ unsigned counts[256];
  counts[threadIdx.x] = 0;  // blockDim.x is 256
  __syncthreads();

  const unsigned stride = 16 * gridDim.x * blockDim.x;
  for (unsigned i = 16 * (blockIdx.x * blockDim.x + threadIdx.x); i < n; i += stride) {
    const uint4 group = load_group(in, n, i);
    const unsigned words[4] = {group.x, group.y, group.z, group.w};
#pragma unroll
    for (unsigned k = 0; k < 16; ++k) atomicAdd(&counts[words[k / 4] >> k % 4 * 8 & 0xff], i + k < n);
  }
  __syncthreads();

  atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}
