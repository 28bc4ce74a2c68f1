// SPDX-License-Identifier: Apache-2.0
// launch: --grid 1 --block 32 --arg out:f32:512 --arg in:f16:512:iota
// | misaligned_matrix_stride.cu:14:3: misaligned: the leading dimension of a matrix operation is 17 elements of 2 bytes; it must be a multiple of 16 bytes, which are 8 elements
// |    14 |   wmma::load_matrix_sync(fa, in, 17);  // a row more against bank conflicts, as for floats
// |       |   ^
// |       block (0, 0, 0), thread (0, 0, 0)
#include <mma.h>
using namespace nvcuda;
extern "C" __global__ void k(float* out, const half* in) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
  wmma::fill_fragment(fc, 0.0f);
  wmma::load_matrix_sync(fa, in, 17);  // a row more against bank conflicts, as for floats
  wmma::load_matrix_sync(fb, in, 16);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(out, fc, 16, wmma::mem_row_major);
}
