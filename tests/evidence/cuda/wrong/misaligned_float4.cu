// SPDX-License-Identifier: Apache-2.0
// launch: --grid 1 --block 16 --arg out:f32:64 --arg in:f32:65:iota
// | misaligned_float4.cu:9:7: misaligned: reads 16 bytes at byte 4 of 'in', which is not a multiple of 16; a wide type such as float4 needs an address that is a multiple of its size
// |     9 |       reinterpret_cast<const float4*>(in + 1)[threadIdx.x];
// |       |       ^
// |       block (0, 0, 0), thread (0, 0, 0)
extern "C" __global__ void k(float* out, const float* in) {
  reinterpret_cast<float4*>(out)[threadIdx.x] =
      reinterpret_cast<const float4*>(in + 1)[threadIdx.x];
}
