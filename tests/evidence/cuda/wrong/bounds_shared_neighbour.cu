// SPDX-License-Identifier: Apache-2.0
// launch: --grid 1 --block 32 --arg out:f32:32 --arg in:f32:32:iota
// | bounds_shared_neighbour.cu:13:3: out_of_bounds: reads left[32], but left has elements 0 to 31; check the index against the size before the access
// |    13 |   out[i] = left[i + 1] + right[i];
// |       |   ^
// |       block (0, 0, 0), thread (31, 0, 0)
extern "C" __global__ void k(float* out, const float* in) {
  __shared__ float left[32], right[32];
  const int i = threadIdx.x;
  left[i] = in[i];
  right[i] = -in[i];
  __syncthreads();
  out[i] = left[i + 1] + right[i];
}
