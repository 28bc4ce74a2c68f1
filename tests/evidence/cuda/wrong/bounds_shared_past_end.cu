// SPDX-License-Identifier: Apache-2.0
// launch: --grid 1 --block 64 --arg out:f32:64 --arg in:f32:64:iota
// | bounds_shared_past_end.cu:9:3: out_of_bounds: writes tile[32], but tile has elements 0 to 31; check the index against the size before the access
// |     9 |   tile[threadIdx.x] = in[threadIdx.x];
// |       |   ^
// |       block (0, 0, 0), thread (32, 0, 0)
extern "C" __global__ void k(float* out, const float* in) {
  __shared__ float tile[32];
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x % 32];
}
