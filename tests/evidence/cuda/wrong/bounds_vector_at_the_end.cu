// SPDX-License-Identifier: Apache-2.0
// launch: --grid 1 --block 32 --arg out:f32:126 --arg in:f32:126:iota
// | bounds_vector_at_the_end.cu:9:3: out_of_bounds: reads 16 bytes from in[124] on, but in has elements 0 to 125; check the index against the size before the access
// |     9 |   reinterpret_cast<float4*>(out)[i] = reinterpret_cast<const float4*>(in)[i];
// |       |   ^
// |       block (0, 0, 0), thread (31, 0, 0)
extern "C" __global__ void k(float* out, const float* in) {
  const int i = threadIdx.x;
  reinterpret_cast<float4*>(out)[i] = reinterpret_cast<const float4*>(in)[i];
}
