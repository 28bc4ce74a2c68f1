// SPDX-License-Identifier: Apache-2.0
// cuda::std::numeric_limits.
// launch: --kernel limits --grid 1 --block 1 --arg out:f64:6
#include <cuda/std/limits>
__global__ void limits(double* out) {
  out[0] = cuda::std::numeric_limits<float>::max();
  out[1] = cuda::std::numeric_limits<float>::epsilon();
  out[2] = cuda::std::numeric_limits<int>::lowest();
  out[3] = cuda::std::numeric_limits<unsigned long long>::digits;
  out[4] = cuda::std::numeric_limits<double>::denorm_min();
  out[5] = cuda::std::numeric_limits<short>::max();
}
