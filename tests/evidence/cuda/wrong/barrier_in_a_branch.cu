// SPDX-License-Identifier: Apache-2.0
// launch: --grid 1 --block 64 --arg out:f32:64 --arg in:f32:64:iota
// | barrier_in_a_branch.cu:12:5: divergent_barrier: threads of one warp wait at two different barriers: some here, some at line 15; all threads of a block must reach the same __syncthreads(), so move it out of the if or the loop
// |    12 |     __syncthreads();
// |       |     ^
// |       block (0, 0, 0), thread (0, 0, 0)
extern "C" __global__ void k(float* out, const float* in) {
  __shared__ float tile[64];
  const int i = threadIdx.x;
  if (i % 2 == 0) {
    tile[i] = in[i];
    __syncthreads();
  } else {
    tile[i] = -in[i];
    __syncthreads();
  }
  out[i] = tile[63 - i];
}
