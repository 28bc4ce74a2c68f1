// SPDX-License-Identifier: Apache-2.0
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
