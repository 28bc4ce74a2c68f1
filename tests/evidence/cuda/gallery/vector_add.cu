// SPDX-License-Identifier: Apache-2.0
// Adds two parts of the input as floats.
// launch: grid 4 block 256

extern "C" __global__ void kernel(unsigned* out, const unsigned* in) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float a = static_cast<float>(in[i] & 0xffff) * 0.37F;
  const float b = static_cast<float>(in[i + 1024] & 0xffff) * 1.13F;
  out[i] = __float_as_uint(a + b);
}
