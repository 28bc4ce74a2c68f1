// SPDX-License-Identifier: Apache-2.0
// launch: --grid 1 --block 64 --shared 128 --arg out:f32:64 --arg in:f32:64:iota
// | bounds_shared_dynamic.cu:9:3: out_of_bounds: writes tile[32], but tile has elements 0 to 31; the launch sets the size of an extern array: pass more bytes, or check the index
// |     9 |   tile[threadIdx.x] = in[threadIdx.x];
// |       |   ^
// |       block (0, 0, 0), thread (32, 0, 0)
extern "C" __global__ void k(float* out, const float* in) {
  extern __shared__ float tile[];
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = tile[63 - threadIdx.x];
}
