// SPDX-License-Identifier: Apache-2.0
// Atomic sums of floats and doubles. Small integer values make the result independent of the
// order.
// launch: grid 4 block 256

extern "C" __global__ void kernel(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned v = in[i] & 0x3f;
  atomicAdd(reinterpret_cast<float*>(&out[v]), static_cast<float>(v));
  atomicAdd(reinterpret_cast<double*>(&out[128]) + v, static_cast<double>(v) * 0.5);
  atomicExch(reinterpret_cast<float*>(&out[512]), 3.0F);
}
