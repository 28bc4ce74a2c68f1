// SPDX-License-Identifier: Apache-2.0
// atomicAdd_block within a block and atomicAdd_system across blocks.
// launch: --kernel sums --grid 2 --block 64 --arg inout:i32:3:zeros
__global__ void sums(int* out) {
  atomicAdd_block(out + blockIdx.x, 1);
  atomicAdd_system(out + 2, 1);
}
