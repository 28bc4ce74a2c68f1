// SPDX-License-Identifier: Apache-2.0
// atomicInc and atomicDec wrap around.
// launch: --kernel wraps --grid 1 --block 32 --arg inout:u32:2:zeros
__global__ void wraps(unsigned* out) {
  atomicInc(out, 6);
  atomicDec(out + 1, 9);
}
