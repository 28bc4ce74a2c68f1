// SPDX-License-Identifier: Apache-2.0
// A grid-stride loop over a product and a sum that the compiler may contract.
// launch: grid 2 block 64

extern "C" __global__ void kernel(unsigned* out, const unsigned* in) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < 1024; i += gridDim.x * blockDim.x) {
    const float x = static_cast<float>(static_cast<int>(in[i])) * 1e-7F;
    const float y = static_cast<float>(static_cast<int>(in[i + 1024])) * 1e-7F;
    out[i] = __float_as_uint(2.7182818F * x + y);
  }
}
