// SPDX-License-Identifier: Apache-2.0
// A dense switch with fallthrough, which becomes a branch table.
// launch: --kernel opcodes --grid 1 --block 32 --arg out:i32:32
__global__ void opcodes(int* out) {
  int x = threadIdx.x;
  switch (threadIdx.x % 9) {
    case 0: x += 1; break;
    case 1: x *= 3;
    case 2: x ^= 5; break;
    case 3: x -= 20; break;
    case 4: x <<= 2; break;
    case 5: x = ~x; break;
    case 6: x = -x;
    case 7: x /= 2; break;
    default: x = 77;
  }
  out[threadIdx.x] = x;
}
