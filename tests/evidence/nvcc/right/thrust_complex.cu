// SPDX-License-Identifier: Apache-2.0
// thrust::complex in a kernel.
// launch: --kernel products --grid 1 --block 32 --arg in:f32:32:iota --arg out:f32:64
#include <thrust/complex.h>
__global__ void products(const float* in, float* out) {
  const thrust::complex<float> z(in[threadIdx.x], 1);
  const thrust::complex<float> w = z * z + 2.0f;
  out[2 * threadIdx.x] = w.real();
  out[2 * threadIdx.x + 1] = w.imag();
}
