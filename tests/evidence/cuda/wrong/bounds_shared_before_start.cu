// SPDX-License-Identifier: Apache-2.0
// launch: --grid 1 --block 32 --arg out:f32:32 --arg in:f32:32:iota
// | bounds_shared_before_start.cu:12:3: out_of_bounds: reads tile[-1], but tile has elements 0 to 31; check the index against the size before the access
// |    12 |   out[i] = tile[i] - tile[i - 1];
// |       |   ^
// |       block (0, 0, 0), thread (0, 0, 0)
extern "C" __global__ void k(float* out, const float* in) {
  __shared__ float tile[32];
  const int i = threadIdx.x;
  tile[i] = in[i];
  __syncthreads();
  out[i] = tile[i] - tile[i - 1];
}
