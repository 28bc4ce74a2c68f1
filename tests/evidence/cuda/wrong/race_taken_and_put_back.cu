// SPDX-License-Identifier: Apache-2.0
// launch: --grid 4 --block 32 --arg inout:i32:32:zeros
// | race_taken_and_put_back.cu:9:3: race: thread (0, 0, 0) atomically updates bins[0], which thread (0, 0, 0) of block (0, 0, 0) atomically updates in line 8, with nothing to order them: their order is undefined. This is a lost update: line 8 reads the word, line 9 writes it in a second step, and another thread may write it in between. Do it in one step: atomicAdd(). This happened 480 times.
// |     9 |   atomicExch(&bins[threadIdx.x], old + 1);  // loses what has come meanwhile
// |       |   ^
// |       block (1, 0, 0), thread (0, 0, 0)
extern "C" __global__ void k(int* bins) {
  const int old = atomicExch(&bins[threadIdx.x], 0);
  atomicExch(&bins[threadIdx.x], old + 1);  // loses what has come meanwhile
}
