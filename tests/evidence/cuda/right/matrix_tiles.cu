// SPDX-License-Identifier: Apache-2.0
// launch: --grid 1 --block 64 --arg out:f32:512 --arg in:f16:512:iota
#include <mma.h>
using namespace nvcuda;
extern "C" __global__ void k(float* out, const half* in) {
  __shared__ alignas(32) half tile[256 + 128];
  __shared__ alignas(32) float results[2][16 * 20];
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
  wmma::fill_fragment(fc, 0.0f);
  for (int i = threadIdx.x; i < 256; i += 64) tile[i / 16 * 24 + i % 16] = in[i];
  __syncthreads();
  const int warp = threadIdx.x / 32;
  wmma::load_matrix_sync(fa, tile, 24);
  wmma::load_matrix_sync(fb, in + warp * 256, 16);
  wmma::mma_sync(fc, fa, fb, fc);
  for (int i = 0; i < fc.num_elements; ++i) fc.x[i] += 1.0f;
  wmma::store_matrix_sync(results[warp], fc, 20, wmma::mem_row_major);
  __syncwarp();
  for (int i = threadIdx.x % 32; i < 256; i += 32) {
    out[warp * 256 + i] = results[warp][i / 16 * 20 + i % 16];
  }
}
