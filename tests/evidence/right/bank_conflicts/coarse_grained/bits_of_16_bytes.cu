// SPDX-License-Identifier: Apache-2.0
// Each thread moves one uint4, with one load and one store. Indices are 64-bit.
__global__ void transpose_coarse(float* __restrict__ out, const float* __restrict__ in, int width,
                                 int height) {
  const unsigned t = threadIdx.y * blockDim.x + threadIdx.x;
  const size_t r = t >> 3, q = t & 7;
  const size_t in_pitch = width / 4, out_pitch = height / 4;
  const uint4* from = reinterpret_cast<const uint4*>(in);
  uint4* to = reinterpret_cast<uint4*>(out);
  to[(blockIdx.x * 32 + r) * out_pitch + blockIdx.y * 8 + q] =
      __ldg(&from[(blockIdx.y * 32 + r) * in_pitch + blockIdx.x * 8 + q]);
}
