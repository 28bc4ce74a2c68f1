// SPDX-License-Identifier: Apache-2.0
// launch: --grid 2 --block 32 --arg inout:i32:64:zeros
// | race_read_beside_global_swap.cu:12:7: race: thread (0, 0, 0) atomically updates out[0], which thread (0, 0, 0) of block (1, 0, 0) reads in line 8, with nothing to order them: their order is undefined. This is a lost update: line 8 reads the word, line 12 writes it in a second step, and another thread may write it in between. Use atomicCAS() in a loop: compute the new value from the word that it returns, and repeat until that is the word that it compares with, or atomicAdd(). This happened 2 times.
// |    12 |       old = atomicCAS(&out[0], assumed, assumed + 1);
// |       |       ^
// |       block (0, 0, 0), thread (0, 0, 0)
extern "C" __global__ void k(int* out) {
  if (blockIdx.x == 0) {
    int old = out[0], assumed;
    do {
      assumed = old;
      old = atomicCAS(&out[0], assumed, assumed + 1);
    } while (old != assumed);
  } else {
    out[threadIdx.x + 32] = 2 * out[0];  // some intermediate count
  }
}
