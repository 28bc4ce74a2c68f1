// SPDX-License-Identifier: Apache-2.0
// launch: --grid 1 --block 64 --arg out:f32:512 --arg in:f16:512:iota
// | race_matrix_tile.cu:19:3: race: thread (32, 0, 0) writes tile[32], which thread (2, 0, 0) reads in line 21, with no barrier in between: their order is undefined. Put a __syncthreads() between line 19 and line 21 (in a loop, also between line 21 and the next iteration of line 19). This happened 1,008 times.
// |    19 |   for (int i = threadIdx.x; i < 256; i += 64) tile[i] = in[i];
// |       |   ^
// |       block (0, 0, 0), thread (32, 0, 0)
// | race_matrix_tile.cu:21:3: uninitialized_read: thread (2, 0, 0) reads bytes 64 to 79 of tile, which no thread of the block has written yet. Shared memory is not zero-initialized: store to it first, with a __syncthreads() in between if another thread stores. This happened 16 times.
// |    21 |   wmma::load_matrix_sync(fa, tile, 16);
// |       |   ^
// |       block (0, 0, 0), thread (2, 0, 0)
#include <mma.h>
using namespace nvcuda;
extern "C" __global__ void k(float* out, const half* in) {
  __shared__ alignas(32) half tile[256];
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
  wmma::fill_fragment(fc, 0.0f);
  for (int i = threadIdx.x; i < 256; i += 64) tile[i] = in[i];
  // No __syncthreads(): the other warp may not have written its half yet.
  wmma::load_matrix_sync(fa, tile, 16);
  wmma::load_matrix_sync(fb, in, 16);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(out + threadIdx.x / 32 * 256, fc, 16, wmma::mem_row_major);
}
