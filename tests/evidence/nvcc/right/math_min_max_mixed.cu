// SPDX-License-Identifier: Apache-2.0
// min() and max() of int and unsigned, float and double.
// launch: --kernel ends --grid 1 --block 32 --arg out:f64:32
__global__ void ends(double* out) {
  const int i = int(threadIdx.x) - 4;
  out[threadIdx.x] = min(i, 10) + max(threadIdx.x, 7u) + min(i * 0.5f, 2.0f) + max(i * 0.25, 1.0) + min(i, 5u);
}
