// SPDX-License-Identifier: Apache-2.0
// launch: --grid 2,2 --block 16,16 --arg inout:i32:1024:iota --arg inout:i32:1:zeros
// Row 0 and column 0 are rewritten with the values that they already hold. The test before
// atomicMax() may read a stale maximum.
extern "C" __global__ void k(int* d, int* most) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
  const int mine = min(d[i * 32 + j], d[i * 32] + d[j]);
  d[i * 32 + j] = mine;
  if (mine > *most) atomicMax(most, mine);
}
