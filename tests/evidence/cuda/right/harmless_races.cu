// SPDX-License-Identifier: Apache-2.0
// launch: --grid 2,2 --block 16,16 --arg inout:i32:1024:iota --arg inout:i32:1:zeros
// Row and column 0 are written with the value that they have, and the test before the maximum may
// see an old one.
extern "C" __global__ void k(int* d, int* most) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
  const int mine = min(d[i * 32 + j], d[i * 32] + d[j]);
  d[i * 32 + j] = mine;
  if (mine > *most) atomicMax(most, mine);
}
