// SPDX-License-Identifier: Apache-2.0
// Kernels that stop, and features that the simulator lacks.

//--- trap_assert
// launch: --grid 2 --block 32 --arg out:i32:64 --arg in:i32:64:iota
// | trap_assert.cu:10:3: trap: assertion `in[i] < 40' failed in 'void k(int *, const int *)'; the condition is false for this thread
// |    10 |   assert(in[i] < 40);
// |       |   ^
// |       block (1, 0, 0), thread (8, 0, 0)
#include <cassert>
extern "C" __global__ void k(int* out, const int* in) {
  const int i = blockIdx.x * 32 + threadIdx.x;
  assert(in[i] < 40);
  out[i] = in[i];
}

//--- trap_called
// launch: --grid 2 --block 32 --arg out:i32:64 --arg in:i32:64:iota
// | trap_called.cu:9:3: trap: the kernel stopped at a trap: at __trap(), or at code that the compiler replaced by a trap because it cannot run (a write to __constant__ memory, a null pointer)
// |     9 |   if (in[i] == 40) __trap();
// |       |   ^
// |       block (1, 0, 0), thread (8, 0, 0)
extern "C" __global__ void k(int* out, const int* in) {
  const int i = blockIdx.x * 32 + threadIdx.x;
  if (in[i] == 40) __trap();
  out[i] = in[i];
}

//--- trap_function_pointer
// launch: --grid 1 --block 32 --arg out:i32:32
// | trap_function_pointer.cu:9:28: trap: calls a function through the pointer 0x0, which points to no function; first set the pointer, or construct the object with the virtual function, on the device
// |     9 | extern "C" __global__ void k(int* out) { out[threadIdx.x] = chosen(threadIdx.x); }
// |       |                            ^
// |       block (0, 0, 0), thread (0, 0, 0)
typedef int (*Function)(int);
__device__ Function chosen;  // never set
extern "C" __global__ void k(int* out) { out[threadIdx.x] = chosen(threadIdx.x); }

//--- trap_null_pointer
// launch: --grid 1 --block 1 --arg out:i32:1
// | trap_null_pointer.cu:10:3: trap: the kernel stopped at a trap: at __trap(), or at code that the compiler replaced by a trap because it cannot run (a write to __constant__ memory, a null pointer)
// |    10 |   *nowhere = 2;
// |       |   ^
// |       block (0, 0, 0), thread (0, 0, 0)
extern "C" __global__ void k(int* out) {
  int* nowhere = nullptr;
  out[0] = 1;
  *nowhere = 2;
}

//--- unsupported_four_bits
// launch: --grid 1 --block 32 --arg out:i32:64 --arg in:u8:128:iota
// | unsupported_four_bits.cu:15:3: unsupported: PTX line 33: instruction 'wmma.load.a.sync.aligned.row.m8n8k32.global.s4' is not supported: this form of 'wmma' is not in the table of instructions
// |    15 |   load_matrix_sync(a, in, 32);
// |       |   ^
// |       block (0, 0, 0), thread (0, 0, 0)
#include <mma.h>
using namespace nvcuda::wmma;
using Four = experimental::precision::s4;
extern "C" __global__ void k(int* out, const unsigned char* in) {
  fragment<matrix_a, 8, 8, 32, Four, row_major> a;
  fragment<matrix_b, 8, 8, 32, Four, col_major> b;
  fragment<accumulator, 8, 8, 32, int> c;
  fill_fragment(c, 0);
  load_matrix_sync(a, in, 32);
  load_matrix_sync(b, in, 32);
  mma_sync(c, a, b, c);
  store_matrix_sync(out, c, 8, mem_row_major);
}

//--- unsupported_grid_sync
// launch: --grid 2 --block 32 --arg out:i32:64
// | unsupported_grid_sync.cu:12:3: unsupported: a barrier of the whole grid (grid.sync()) needs a cooperative launch, and this launch is not cooperative: add --cooperative to warpgrade profile, or cooperative = true to the launch of an exercise (in a program: cudaLaunchCooperativeKernel); or use one launch for each part of the work between barriers
// |    12 |   grid.sync();
// |       |   ^
// |       block (0, 0, 0), thread (0, 0, 0)
#include <cooperative_groups.h>

extern "C" __global__ void k(int* out) {
  const auto grid = cooperative_groups::this_grid();
  out[grid.thread_rank()] = 1;
  grid.sync();
  if (grid.thread_rank() == 0) out[0] = out[1] + out[33];
}
