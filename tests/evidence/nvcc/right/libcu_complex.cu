// SPDX-License-Identifier: Apache-2.0
// Arithmetic of cuda::std::complex.
// launch: --kernel products --grid 1 --block 32 --arg in:f32:32:iota --arg out:f32:64
#include <cuda/std/complex>
__global__ void products(const float* in, float* out) {
  const cuda::std::complex<float> z(in[threadIdx.x], 2);
  const auto w = z * z + cuda::std::complex<float>(1, -3);
  out[2 * threadIdx.x] = w.real();
  out[2 * threadIdx.x + 1] = w.imag();
}
