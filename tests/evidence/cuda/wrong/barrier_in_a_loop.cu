// SPDX-License-Identifier: Apache-2.0
// launch: --grid 1 --block 32 --arg out:f32:32 --arg in:f32:32:iota
// | barrier_in_a_loop.cu:15:3: divergent_barrier: threads of one warp wait at two different barriers: some here, some at line 12; all threads of a block must reach the same __syncthreads(), so move it out of the if or the loop
// |    15 |   __syncthreads();
// |       |   ^
// |       block (0, 0, 0), thread (0, 0, 0)
extern "C" __global__ void k(float* out, const float* in) {
  __shared__ float tile[32];
  const int i = threadIdx.x;
  tile[i] = in[i];
  for (int j = 0; j < i % 4; ++j) {
    __syncthreads();
    tile[i] += j;
  }
  __syncthreads();
  out[i] = tile[31 - i];
}
