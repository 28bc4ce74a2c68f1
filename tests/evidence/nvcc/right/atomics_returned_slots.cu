// SPDX-License-Identifier: Apache-2.0
// Return values of atomicAdd as unique slots.
// launch: --kernel slots --grid 1 --block 64 --arg inout:i32:1:zeros --arg inout:i32:64:zeros
__global__ void slots(int* next, int* out) {
  const int slot = atomicAdd(next, 1);
  atomicAdd(out + slot, 7);
}
