// SPDX-License-Identifier: Apache-2.0
// Exercise latency/in_flight: sums of 16 elements that an array of indices selects.
//
// Input: `in`, and `index` with 16 * n indices into it. `in` is small enough for L1; the indices
// are not. Output: out[i] is the sum of in[index[i + j * n]] for j from 0 to 15. Elements are small
// multiples of
// 1/8, so sums are exact in any order.
// Launch: ceil(n / 64) blocks of 64 threads, with 48 KB of dynamic shared memory. An H200 has room
// for four of these blocks per multiprocessor, so only 8 of its 64 warps are resident.
// Allowed: all device code of CUDA C++. You may use the shared memory or leave it unused.
// Edit: the body of the kernel. Keep its name and its parameters.
//
// The kernel below is right, but each thread waits for one load after the other. Let each thread
// have many loads in flight. The pragma keeps the compiler from unrolling the loop. Then run
//   ./warpgrade grade latency/in_flight

__global__ void gather_sum(float* out, const float* in, const unsigned* index, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[i] = 0;
#pragma unroll 1
  for (unsigned j = 0; j < 16; ++j) out[i] += in[index[i + j * n]];
}
