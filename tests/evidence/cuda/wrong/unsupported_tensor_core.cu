// SPDX-License-Identifier: Apache-2.0
// launch: --grid 1 --block 32 --arg out:f32:256 --arg in:f16:256:iota
// | unsupported_tensor_core.cu:22:3: unsupported: PTX line 33: instruction 'wmma.load.a.sync.aligned.row.m16n16k16.global.f16' is not supported: tensor cores are not simulated
// |    22 |   load_matrix_sync(a, in, 16);
// |       |   ^
// | unsupported_tensor_core.cu:23:3: unsupported: PTX line 36: instruction 'wmma.load.b.sync.aligned.row.m16n16k16.global.f16' is not supported: tensor cores are not simulated
// |    23 |   load_matrix_sync(b, in, 16);
// |       |   ^
// | unsupported_tensor_core.cu:24:3: unsupported: PTX line 40: instruction 'wmma.mma.sync.aligned.row.row.m16n16k16.f32.f32' is not supported: tensor cores are not simulated
// |    24 |   mma_sync(c, a, b, c);
// |       |   ^
// | unsupported_tensor_core.cu:25:3: unsupported: PTX line 43: instruction 'wmma.store.d.sync.aligned.row.m16n16k16.global.f32' is not supported: tensor cores are not simulated
// |    25 |   store_matrix_sync(out, c, 16, mem_row_major);
// |       |   ^
#include <mma.h>
using namespace nvcuda::wmma;
extern "C" __global__ void k(float* out, const half* in) {
  fragment<matrix_a, 16, 16, 16, half, row_major> a;
  fragment<matrix_b, 16, 16, 16, half, row_major> b;
  fragment<accumulator, 16, 16, 16, float> c;
  fill_fragment(c, 0.0f);
  load_matrix_sync(a, in, 16);
  load_matrix_sync(b, in, 16);
  mma_sync(c, a, b, c);
  store_matrix_sync(out, c, 16, mem_row_major);
}
