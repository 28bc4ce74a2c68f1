// SPDX-License-Identifier: Apache-2.0
// An atomicCAS loop that multiplies.
// launch: --kernel products --grid 1 --block 8 --arg inout:u32:1:zeros
__global__ void products(unsigned* out) {
  unsigned old = *static_cast<volatile unsigned*>(out), seen;
  do {
    seen = old;
    old = atomicCAS(out, seen, (seen == 0 ? 1 : seen) * (threadIdx.x + 1));
  } while (old != seen);
}
