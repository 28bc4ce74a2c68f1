// SPDX-License-Identifier: Apache-2.0
// launch: --grid 1 --block 32 --arg out:f32:256 --arg in:f16:256:iota
// | bounds_matrix.cu:15:3: out_of_bounds: reads 4 bytes from in[256] on, but in has elements 0 to 255; check the index against the size before the access
// |    15 |   wmma::load_matrix_sync(fb, in + 128, 16);
// |       |   ^
// |       block (0, 0, 0), thread (0, 0, 0)
#include <mma.h>
using namespace nvcuda;
extern "C" __global__ void k(float* out, const half* in) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
  wmma::fill_fragment(fc, 0.0f);
  wmma::load_matrix_sync(fa, in, 16);
  wmma::load_matrix_sync(fb, in + 128, 16);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(out, fc, 16, wmma::mem_row_major);
}
