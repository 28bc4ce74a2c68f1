// SPDX-License-Identifier: Apache-2.0
// launch: --grid 8 --block 32 --arg out:i32:8
// | order_blocks_by_ticket.cu:11:3: out_of_bounds: writes out[100000], but out has elements 0 to 7; check the index against the size before the access (This happened when warps and blocks do not run in numerical order; to reproduce it: run the same command. A GPU may run them in any order: look for a place where one thread relies on another without a barrier.)
// |    11 |   out[turn == blockIdx.x ? turn : 100000 + turn] = turn;  // blocks come in the order of their numbers?
// |       |   ^
// |       block (5, 0, 0), thread (0, 0, 0)
__device__ unsigned next;
extern "C" __global__ void k(int* out) {
  if (threadIdx.x != 0) return;
  const unsigned turn = atomicAdd(&next, 1);
  out[turn == blockIdx.x ? turn : 100000 + turn] = turn;  // blocks come in the order of their numbers?
}
