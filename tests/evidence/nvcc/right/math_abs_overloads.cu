// SPDX-License-Identifier: Apache-2.0
// abs() of int, long long, float and double.
// launch: --kernel magnitudes --grid 1 --block 32 --arg out:f64:32
#include <cstdlib>
__global__ void magnitudes(double* out) {
  const int i = 16 - int(threadIdx.x);
  out[threadIdx.x] = abs(i) + abs(1000000000000ll * i) + abs(i * 0.5f) + abs(i * 0.25);
}
