// SPDX-License-Identifier: Apache-2.0
// pow() of two ints.
// launch: --kernel squares --grid 1 --block 32 --arg out:f64:32
__global__ void squares(double* out) {
  const int i = threadIdx.x;
  out[i] = pow(i, 2);
}
