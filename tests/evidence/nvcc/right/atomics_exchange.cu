// SPDX-License-Identifier: Apache-2.0
// atomicExch of integers and floats.
// launch: --kernel moves --grid 1 --block 1 --arg inout:i32:4:iota --arg inout:f32:4:iota
__global__ void moves(int* i, float* f) {
  i[0] = atomicExch(i + 1, 10);
  f[2] = atomicExch(f + 3, 1.5f);
}
